"""The verdict: one sentence in plain words, coloured, and the few figures behind it."""

from dataclasses import dataclass
from html import escape

import panel as pn

CSS = """
:host { font-family: var(--ts-font, "Helvetica Neue", Arial, "Liberation Sans", sans-serif); color: var(--ts-text, #172033); }
section { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 6px 28px; align-items: center; min-height: 104px; box-sizing: border-box;
  background: var(--ts-card, #fff); border: 1px solid var(--ts-line, #dde3ea); border-left: 6px solid var(--tone); border-radius: 10px; padding: 12px 20px 12px 18px; }
section.safe { --tone: var(--ts-good, #0f7490); } section.leak { --tone: var(--ts-bad, #c2410c); } section.quiet { --tone: var(--ts-edge, #c6cfda); }
h1 { margin: 0 0 3px; font-size: 20px; line-height: 1.25; font-weight: 700; }
p { margin: 0; font-size: 13.5px; line-height: 1.45; color: var(--ts-soft, #5b687a); min-height: 38px; }
dl { display: flex; gap: 24px; margin: 0; }
dl div { display: flex; flex-direction: column; min-width: 92px; max-width: 150px; }
dd { margin: 0; font-size: 21px; font-weight: 700; font-variant-numeric: tabular-nums; line-height: 1.2; }
dt { order: 1; font-size: 11.5px; color: var(--ts-soft, #5b687a); line-height: 1.3; }
small { order: 2; font-size: 11.5px; color: var(--ts-soft, #5b687a); font-variant-numeric: tabular-nums; white-space: nowrap; }
dd.tone { color: var(--tone); }
.off { color: var(--ts-bad, #c2410c); font-weight: 700; }
@media (max-width: 1240px) { section { grid-template-columns: 1fr; } dl { flex-wrap: wrap; } }
"""


@dataclass(frozen=True)
class Figure:
    """A number of the verdict: its value, what it is, what was measured, and whether that agrees."""

    value: str
    name: str
    measured: str = ""
    agrees: bool | None = None
    toned: bool = False


class Verdict(pn.viewable.Viewer):
    """The sentence that a person reads first."""

    def __init__(self):
        super().__init__()
        self._pane = pn.pane.HTML("", stylesheets=[CSS], sizing_mode="stretch_width", margin=0)

    def say(self, title: str, text: str, figures=(), tone: str = "quiet"):
        """Show plain texts; tone is safe, leak or quiet."""
        items = "".join(_item(f) for f in figures)
        html = (
            f'<section class="{tone}" aria-live="polite" aria-label="Verdict">'
            f"<div><h1>{escape(title)}</h1><p>{escape(text)}</p></div><dl>{items}</dl></section>"
        )
        if html != self._pane.object:
            self._pane.object = html

    def __panel__(self):
        return self._pane


def _item(figure: Figure) -> str:
    mark = {True: " ✓", False: ' <span class="off" title="differs by more than sampling error">✗</span>', None: ""}
    measured = f"<small>{escape(figure.measured)}{mark[figure.agrees]}</small>" if figure.measured else ""
    tone = ' class="tone"' if figure.toned else ""
    return f"<div><dt>{escape(figure.name)}</dt><dd{tone}>{escape(figure.value)}</dd>{measured}</div>"
