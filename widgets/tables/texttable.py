"""A small table of plain texts, to be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import panel as pn

from trustscope.numbers import difference
from trustscope.widgets.beside import Beside
from trustscope.widgets.esm import css
from trustscope.widgets.tables import marks

CSS = css("texttable.css")


@dataclass(frozen=True)
class Marked:
    """A cell with a mark that says whether what was measured agrees (see `marks.mark`)."""

    text: str
    state: str | bool | None
    by: str = ""


class TextTable(Beside, pn.viewable.Viewer):
    """A table; `label` is its accessible name, `tall` the height from which it scrolls.

    Beside a kept scenario every cell that differs says what stood there, and by how much it differs.
    """

    def __init__(self, label: str, *, tall: int = 300):
        super().__init__()
        self._label, self._tall = label, tall
        self._shown: tuple[Sequence[str], Sequence, list] = ((), [], [])
        self.pane = pn.pane.HTML("", stylesheets=[CSS, marks.CSS], sizing_mode="stretch_width", margin=(2, 0, 6, 0))

    @property
    def html(self) -> str:
        """What is shown."""
        return self.pane.object

    def draw(self, headings, rows, keys=None):
        """Draw rows under headings; a cell is a text, a pair (text, tone: "good" or "bad"), or `Marked`.

        The first cell of a row may be a pair (text, colour of its mark). Rows of two scenarios belong together that
        have the same key: their first text, unless keys are given.
        """
        keys = [_text(row[0]) for row in rows] if keys is None else list(keys)
        self._shown = (headings, rows, keys)
        was = {} if self.beside is None else self.beside.texts()
        # A column without a name gets no heading: an empty one would be read as one.
        head = "".join(f'<th scope="col">{escape(text)}</th>' if text else "<td></td>" for text in headings)
        body = "".join(self._row(key, row, was) for key, row in zip(keys, rows, strict=True))
        html = (
            f'<div class="text-table" tabindex="0" style="--tall: {self._tall}px"><table>'
            f"<caption>{escape(self._label)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
        if html != self.pane.object:
            self.pane.object = html

    def _row(self, key, row, was) -> str:
        texts = {place: before(_text(one), was.get((key, place)), self.beside_called)
                 for place, one in enumerate(row)}  # fmt: skip
        cells = "".join(_cell(one, texts[place]) for place, one in enumerate(row[1:], start=1))
        return f"<tr>{_name(row[0])}{cells}</tr>"

    def texts(self) -> dict[tuple[str, int], str]:
        """Every text by the key of its row and the number of its column."""
        _, rows, keys = self._shown
        return {(key, place): _text(one) for key, row in zip(keys, rows, strict=True) for place, one in enumerate(row)}

    def __panel__(self):
        return self.pane


def _text(cell) -> str:
    return cell if isinstance(cell, str) else cell.text if isinstance(cell, Marked) else cell[0]


def _name(cell):
    text, colour = (cell, None) if isinstance(cell, str) else cell
    mark = f'<i style="--c: {colour}"></i>' if colour else ""
    return f'<th scope="row">{mark}{escape(text)}</th>'


def _cell(cell, past: str):
    tone = "" if isinstance(cell, str | Marked) else cell[1]
    mark = f" {marks.mark(cell.state, cell.by)}" if isinstance(cell, Marked) else ""
    return f'<td class="{tone}">{escape(_text(cell))}{mark}{past}</td>'


def before(text: str, was: str | None, letter: str) -> str:
    """What stood in a cell in the kept scenario of this letter, as HTML; nothing where it is the same."""
    if was is None or was == text or not was:
        return ""
    by = difference(text, was)
    return f'<small class="was">{letter}: {escape(was)}{f" ({by})" if by else ""}</small>'
