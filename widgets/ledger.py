"""A small table of plain texts, to be read."""

from html import escape
from uuid import uuid4

import pandas as pd
import panel as pn

from trustscope.widgets.esm import css

CSS = css("ledger.css")


class Ledger(pn.viewable.Viewer):
    """A table; `label` is its accessible name, `tall` the height from which it scrolls."""

    def __init__(self, label: str, *, tall: int = 300):
        super().__init__()
        self._label, self._tall, self.plot_id, self._shown = label, tall, uuid4().hex, ((), [])
        self._pane = pn.pane.HTML("", stylesheets=[CSS], sizing_mode="stretch_width", margin=(2, 0, 6, 0))

    def show(self, headings, rows):
        """Draw rows under headings; a cell is a text or a pair (text, tone: "good" or "bad").

        The first cell of a row may be a pair (text, colour of its mark).
        """
        self._shown = (headings, rows)
        # A column without a name gets no heading: an empty one would be read as one.
        head = "".join(f'<th scope="col">{escape(text)}</th>' if text else "<td></td>" for text in headings)
        body = "".join(f"<tr>{_name(row[0])}{''.join(_cell(one) for one in row[1:])}</tr>" for row in rows)
        html = (
            f'<div class="ledger" data-plot="{self.plot_id}" tabindex="0" style="--tall: {self._tall}px"><table>'
            f"<caption>{escape(self._label)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
        if html != self._pane.object:
            self._pane.object = html

    def table(self) -> pd.DataFrame:
        """The texts as they stand."""
        headings, rows = self._shown
        return pd.DataFrame([[cell if isinstance(cell, str) else cell[0] for cell in row] for row in rows],
                            columns=list(headings))  # fmt: skip

    def __panel__(self):
        return self._pane


def _name(cell):
    text, colour = (cell, None) if isinstance(cell, str) else cell
    mark = f'<i style="--c: {colour}"></i>' if colour else ""
    return f'<th scope="row">{mark}{escape(text)}</th>'


def _cell(cell):
    text, tone = (cell, "") if isinstance(cell, str) else cell
    return f'<td class="{tone}">{escape(text)}</td>'
