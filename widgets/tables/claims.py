"""Claims with what is printed, what was found, and the verdict; and any table, to be read."""

from html import escape
from typing import Any

import pandas as pd
import panel as pn

from trustscope.widgets.beside import Beside
from trustscope.widgets.esm import css
from trustscope.widgets.tables.texttable import before

CSS = css("claims.css")
HEADINGS = ("claim", "printed", "here", "agreement", "verdict")


class Claims(Beside, pn.viewable.Viewer):
    """A table of claims; where something is misprinted, what is printed and what is right stand above it."""

    def __init__(self, label: str):
        super().__init__()
        self._label = label
        self._shown: tuple[Any, ...] = ()
        self.pane = pn.pane.HTML("", stylesheets=[CSS], sizing_mode="stretch_width", margin=0)

    def draw(self, claims, printed: str = "", right: str = ""):
        """Plain texts all."""
        self._shown = tuple(claims)
        was = {} if self.beside is None else self.beside.findings()
        above = ""
        if printed:
            above = (
                f'<dl class="misprint"><dt>printed</dt><dd>{escape(printed)}</dd>'
                f"<dt>right</dt><dd>{escape(right)}</dd></dl>"
            )
        head = "".join(f'<th scope="col">{name}</th>' for name in HEADINGS)
        rows = "".join(
            f"<tr><td>{escape(c.claim)}</td><td>{escape(c.printed)}</td>"
            f"<td>{escape(c.found)}{before(c.found, was.get(c.claim), self.beside_called)}</td>"
            f'<td>{escape(c.tolerance)}</td><td class="chip {c.tone}">{escape(c.verdict)}</td></tr>'
            for c in self._shown
        )
        self.pane.object = (
            f'<div>{above}<table aria-label="{escape(self._label)}">'
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )

    def findings(self) -> dict[str, str]:
        """What was found here, by claim."""
        return {one.claim: one.found for one in self._shown}

    def __panel__(self):
        return self.pane


class FirstRows(pn.viewable.Viewer):
    """The first rows of a table."""

    def __init__(self, label: str, *, most: int = 200):
        super().__init__()
        self._label, self._most, self._table = label, most, pd.DataFrame()
        self.pane = pn.pane.HTML("", stylesheets=[CSS], sizing_mode="stretch_width", margin=0)

    def draw(self, table: pd.DataFrame) -> int:
        """Show it; how many rows are seen."""
        self._table = table
        seen = table.head(self._most)
        head = "".join(f'<th scope="col">{escape(str(name).replace("_", " "))}</th>' for name in seen)
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(_text(value))}</td>' for value in row)}</tr>"
            for row in seen.itertuples(index=False)
        )
        self.pane.object = (
            f'<div class="scroll" tabindex="0" role="region" '
            f'aria-label="{escape(self._label)}">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )
        return len(seen)

    def __panel__(self):
        return self.pane


def _text(value) -> str:
    if isinstance(value, float):
        return "" if pd.isna(value) else f"{value:.5g}"
    return str(value)
