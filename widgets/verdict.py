"""The verdict: one sentence in plain words, coloured, and the few numbers behind it."""

from html import escape

import panel as pn

from trustscope.widgets.esm import css
from trustscope.widgets.marks import CSS as MARKS_CSS
from trustscope.widgets.marks import mark

CSS = css("verdict.css")


class Verdict(pn.viewable.Viewer):
    """The sentence that a person reads first.

    Parameters
    ----------
    least : pixels that are kept for it, so that a longer sentence moves nothing below
    """

    def __init__(self, least: int = 118):
        super().__init__()
        styles = {"--least": f"{least}px"}
        self._pane = pn.pane.HTML(
            "", stylesheets=[CSS, MARKS_CSS], styles=styles, sizing_mode="stretch_width", margin=0
        )

    def say(self, title: str, text: str, metrics=(), tone: str = "quiet"):
        """Show plain texts; tone is safe, leak or quiet. A metric has value, name, measured, agrees and toned."""
        items = "".join(_item(m) for m in metrics)
        html = (
            f'<section class="{tone}" aria-live="polite" aria-label="Verdict">'
            f"<div><h1>{escape(title)}</h1><p>{_unbroken(text)}</p></div><dl>{items}</dl></section>"
        )
        if html != self._pane.object:
            self._pane.object = html

    def __panel__(self):
        return self._pane


def _unbroken(text: str) -> str:
    """Escaped, with numbers kept together with their per cent sign."""
    return escape(text).replace(" %", "&nbsp;%")


def _item(metric) -> str:
    tone = ' class="tone"' if metric.toned else ""
    measured = f"<dd class='measured'>{escape(metric.measured)} {mark(metric.agrees)}</dd>" if metric.measured else ""
    return f"<div><dt>{escape(metric.name)}</dt><dd{tone}>{escape(metric.value)}</dd>{measured}</div>"
