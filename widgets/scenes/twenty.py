"""A few people as dots in rows that light up: who is caught by whom, so that a share is seen."""

from dataclasses import dataclass
from html import escape

import panel as pn

from trustscope.widgets.esm import css

CSS = css("twenty.css")


@dataclass(frozen=True)
class LitRow:
    """One row: its name as plain text, the colour of what is lit, and which dots are."""

    name: str
    colour: str
    lit: tuple[bool, ...]


class People(pn.viewable.Viewer):
    """Rows of dots, one dot a person, always at the same place."""

    def __init__(self):
        super().__init__()
        self.rows: tuple[LitRow, ...] = ()
        self._pane = pn.pane.HTML("", stylesheets=[CSS], sizing_mode="stretch_width", margin=0)

    def draw(self, rows: tuple[LitRow, ...], told: str):
        """Draw the rows under the sentence that tells them, as HTML; without rows there is nothing."""
        self.rows = rows
        body = "".join(_row(row) for row in rows)
        html = f'<p>{told}</p><div class="twenty" aria-hidden="true">{body}</div>' if rows else ""
        if html != self._pane.object:
            self._pane.object = html
        if self._pane.visible != bool(rows):
            self._pane.visible = bool(rows)

    def __panel__(self):
        return self._pane


def _row(row: LitRow) -> str:
    dots = "".join('<i class="lit"></i>' if lit else "<i></i>" for lit in row.lit)
    return f'<span class="name">{escape(row.name)}</span><span class="dots" style="--c: {row.colour}">{dots}</span>'
