"""What every plot is: a Bokeh figure built once, into which only what has changed is sent, and which can say itself.

A canvas is mute: a person who cannot see it gets its name and its figures in a sentence (`summary`).
"""

import time
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
import panel as pn
from bokeh.models import Column, ColumnDataSource
from bokeh.models.glyph import Glyph

from trustscope.widgets.beside import Beside
from trustscope.widgets.live.figure import quiet_figure

Drawn = TypeVar("Drawn", bound=Glyph)
Columns = Mapping[str, Sequence | np.ndarray]  # of a source, by name
REST = 0.6  # seconds without a change after which a plot on a page says itself anew
GHOST_ALPHA = 0.4  # of what a kept scenario draws behind the present one


class Plot(Beside, pn.viewable.Viewer):
    """A figure with its data sources.

    A subclass makes the figure's glyphs over sources that it gets from `source`, and in its `draw` hands their new
    columns to `send`. At the end of `draw` it calls `tell`, which renews what a screen reader says.

    Parameters
    ----------
    label : the accessible name
    options : of the Bokeh figure (see `quiet_figure`)
    """

    def __init__(self, label: str, **options):
        super().__init__()
        self.label = label
        self.figure = quiet_figure(**options)
        self.figure.html_attributes = {"inert": ""}  # Bokeh's canvas takes the focus and then says nothing
        self.sources: dict[str, ColumnDataSource] = {}
        self._sent: dict[str, dict] = {}
        self._waiting, self._changed_at = False, 0.0
        self.outer = Column(children=[self.figure], sizing_mode="stretch_width", html_attributes=self._attributes(""))
        self._pane = _Pane(self.outer, sizing_mode="stretch_width")

    # What is drawn

    def source(self, name: str, *columns: str) -> ColumnDataSource:
        """A new, empty source with these columns."""
        self._sent[name] = {column: [] for column in columns}
        self.sources[name] = ColumnDataSource({column: [] for column in columns})
        return self.sources[name]

    def glyph(self, source: ColumnDataSource, drawn: Drawn, **options) -> Drawn:
        """Draw a glyph over a source.

        The methods of a figure would make two more of each, for what is not selected and for what is muted, and send
        them to every browser. Here nothing can be selected or muted.
        """
        self.figure.add_glyph(source, drawn, **options)
        return drawn

    def send(self, name: str, columns: Columns) -> None:
        """Send new columns into a source, and of them only what differs from what was sent before.

        As many rows as before: single entries where the entries are lists (the lines of a `multi_line`), else the
        column. More or fewer rows: all of it.
        """
        source, old = self.sources[name], self._sent[name]
        new = dict(columns)
        changed = [column for column in new if not _same(new[column], old[column])]
        if not changed:
            return
        self._sent[name] = new
        entries = {c: _entries(new[c], old[c]) for c in changed} if _rows(new) == _rows(old) > 0 else {}
        parts = {column: part for column, part in entries.items() if part is not None}
        if entries and len(parts) == len(entries):
            source.patch(parts)
        elif entries and len(changed) == 1:
            source.data[changed[0]] = new[changed[0]]
        else:  # copies of lists of lists: a later patch writes into what the source holds
            source.data = {column: _copy(values) for column, values in new.items()}

    def columns_shown(self, name: str) -> dict:
        """The columns that a source shows."""
        return self._sent[name]

    def send_behind(self, name: str) -> None:
        """Draw faintly what the plot of a kept scenario shows in a source, or nothing."""
        nothing: dict[str, list] = {column: [] for column in self._sent["ghost"]}
        self.send("ghost", nothing if self.beside is None else self.beside.columns_shown(name))

    def tell(self) -> None:
        """Renew what a screen reader says of the plot; to be called when all has been sent.

        On a page it waits until nothing changes any more: a sentence while a slider is dragged would be work that
        nobody hears, and that the next picture would have to wait for.
        """
        page = _page()
        self._changed_at = time.monotonic()
        if page is None or "aria-description" not in self.outer.html_attributes:
            self._say()
        elif not self._waiting:
            self._waiting = True
            page.add_timeout_callback(self._say_at_rest, round(1_000 * REST))

    def _say_at_rest(self) -> None:
        left, page = self._changed_at + REST - time.monotonic(), _page()
        if left > 0 and page is not None:
            page.add_timeout_callback(self._say_at_rest, round(1_000 * left) + 1)
        else:
            self._waiting = False
            self._say()

    def _say(self) -> None:
        attributes = self._attributes(self.summary())
        if attributes != self.outer.html_attributes:
            self.outer.html_attributes = attributes

    def _attributes(self, summary: str) -> dict[str, str]:
        return {"role": "img", "aria-label": self.label} | ({"aria-description": summary} if summary else {})

    # What it says

    def summary(self) -> str:
        """What is drawn, in one sentence with its figures."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it draws")

    def __panel__(self):
        return self._pane


def _page():
    """The document of the visitor whose turn it is, or None: in a notebook or in a script."""
    document = pn.state.curdoc
    return document if document is not None and document.session_context is not None else None


class _Pane(pn.pane.Bokeh):
    """Tells the model itself whether it is visible.

    Panel's own would take all properties over from the model then: `visible` as it was, and style sheets that a pane
    does not take in Panel 1.10.
    """

    def _track_overrides(self, *events):
        for event in events:
            if event.name == "visible" and self.object is not None:
                self.object.visible = event.new
        if others := [event for event in events if event.name != "visible"]:
            super()._track_overrides(*others)


def _rows(columns: Columns) -> int:
    return len(next(iter(columns.values())))


def _same(new, old) -> bool:
    if isinstance(new, np.ndarray) or isinstance(old, np.ndarray):
        return np.array_equal(new, old)
    return new == old


def _entries(new, old) -> list | None:
    """The entries that differ, with their places, of a column of lists; None of a column of anything else."""
    if isinstance(new, np.ndarray) or not isinstance(new[0], list):
        return None
    return [(place, one) for place, (one, other) in enumerate(zip(new, old, strict=True)) if one != other]


def _copy(values):
    return values if isinstance(values, np.ndarray) else list(values)
