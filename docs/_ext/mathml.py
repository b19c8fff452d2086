"""Formulas as MathML, written while the site is built: a page needs no script and no network to show them."""

from docutils.utils.math.latex2mathml import tex2mathml


def _inline(translator, node):
    translator.body.append(tex2mathml(node.astext(), as_block=False))
    raise _skip()


def _block(translator, node):
    translator.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise _skip()


def _skip():
    from docutils.nodes import SkipNode

    return SkipNode()


def setup(app):
    """Called by Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True}
