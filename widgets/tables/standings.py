"""Contestants one below the other: how each did, what was expected, and what it needs."""

from dataclasses import dataclass
from html import escape

import panel as pn

from trustscope.widgets.beside import Beside
from trustscope.widgets.esm import css
from trustscope.widgets.tables.marks import CSS as MARKS_CSS
from trustscope.widgets.tables.marks import mark
from trustscope.widgets.tables.texttable import before

CSS = css("standings.css")


@dataclass(frozen=True)
class Standing:
    """One row, all of it plain text.

    Parameters
    ----------
    name, note : what it is called, and a line below the figures, where there is one
    colour, dash : how it is drawn elsewhere
    value : length of its bar, as a share of the widest
    measured, expected : figures as text; the latter where it is one of the headings
    agrees : whether these two do, or None
    cells : what stands in the further columns
    best : whether it is marked as the winner
    """

    name: str
    note: str
    colour: str
    dash: str
    value: float
    measured: str
    expected: str
    agrees: bool | None
    cells: tuple[str, ...] = ()
    best: bool = False


class Standings(Beside, pn.viewable.Viewer):
    """A table with a bar in every row; `label` is its accessible name."""

    def __init__(self, label: str):
        super().__init__()
        self._label = label
        self._shown: tuple[tuple[str, ...], list[Standing]] = ((), [])
        self._pane = pn.pane.HTML("", stylesheets=[CSS, MARKS_CSS], sizing_mode="stretch_width", margin=0)

    def draw(self, headings: tuple[str, ...], rows: list[Standing]):
        """Draw the rows under headings: name, measured, expected, and one for each further cell."""
        self._shown = (headings, rows)
        head = "".join(f'<th scope="col">{escape(text)}</th>' for text in headings)
        was = {} if self.beside is None else self.beside.rows()
        body = "".join(_row(row, was.get(row.name), self.beside_called, len(headings)) for row in rows)
        html = (
            f'<div class="standings"><table><caption>{escape(self._label)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
        if html != self._pane.object:
            self._pane.object = html

    def rows(self) -> dict[str, Standing]:
        """The contestants by name."""
        return {row.name: row for row in self._shown[1]}

    def __panel__(self):
        return self._pane


def _row(row: Standing, was: Standing | None, letter: str, wide: int) -> str:
    width = 100 * min(max(row.value, 0.004), 1)
    over = ' class="over"' if row.value > 1 else ""
    expected = f"<td>{escape(row.expected)} {mark(row.agrees)}</td>" if wide > 2 else ""
    beside = dict(enumerate(was.cells)) if was else {}
    cells = "".join(f"<td>{escape(text)}{before(text, beside.get(i), letter)}</td>" for i, text in enumerate(row.cells))
    past = before(row.measured, was.measured if was else None, letter)
    kept = f'<i class="kept" style="left: {100 * min(max(was.value, 0), 1):.1f}%"></i>' if was else ""
    best = " <em>closest</em>" if row.best else ""
    return (
        f'<tr class="{"best" if row.best else ""}"><th scope="row"><i class="{row.dash}" style="--c: {row.colour}"></i>'
        f"<span>{escape(row.name)}{best}</span></th>"
        f'<td><div class="track"><b{over} style="--c: {row.colour}; width: {width:.1f}%"></b>{kept}</div>'
        f'<span class="figure">{escape(row.measured)}</span>{past}</td>{expected}{cells}</tr>'
        + (f'<tr class="note"><td colspan="{wide}">{escape(row.note)}</td></tr>' if row.note else "")
    )
