"""Panel's own inputs, dressed for this page."""

import panel as pn

from widgets.esm import css

CSS = css("inputs.css")
UNSEEN_CSS = css("unseen.css")


def dropdown(label: str, options, **params) -> pn.widgets.Select:
    """A drop-down with its label."""
    return pn.widgets.Select(
        name=label,
        options=options,
        stylesheets=[CSS],
        sizing_mode="stretch_width",
        margin=(0, 0, 4, 0),
        **params,
    )


def whole_number(label: str, *, label_shown: bool = True, **params) -> pn.widgets.IntInput:
    """A box for a whole number; its name is always there for a screen reader."""
    return pn.widgets.IntInput(name=label, stylesheets=[CSS] if label_shown else [CSS, UNSEEN_CSS], **params)
