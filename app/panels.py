"""A plot of HoloViews on a page, drawn by Bokeh beside the loop: for what changes at the pace of a person."""

from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.plotting import figure

from trustscope.app.problem import explain_error
from trustscope.app.work import TaskSlot
from trustscope.widgets.beside import Beside
from trustscope.widgets.esm import css
from trustscope.widgets.live.figure import PRESENTED_CSS

WAITING = '<p role="status">Drawing …</p>'
ROOM = 320  # pixels for a plot that is not there yet


class Panels(Beside, pn.viewable.Viewer):
    """The panels of one plot, one below the other or beside it, as wide as there is room.

    Parameters
    ----------
    height : pixels of a panel; None leaves it to the plot
    """

    def __init__(self, height: int | None = None):
        super().__init__()
        self.figures: list[figure] = []
        self.element: Any = None
        self._height, self._slot = height, TaskSlot(self._failed)
        self._layout = pn.Column(stylesheets=[css("plots.css")], sizing_mode="stretch_width", margin=0)

    def put(self, make: Callable[[], Any], then: Callable[[list], None] | None = None) -> None:
        """Draw what `make()` gives, a HoloViews plot; `then` is called with its legend when it stands."""
        behind = None if self.beside is None else self.beside.element
        if not self.figures:  # the first plot of a process takes seconds: what draws is imported then
            self._layout[:] = [pn.pane.HTML(WAITING, height=self._height or ROOM, margin=0)]

        def drawn():
            from trustscope.plots import draw
            from trustscope.plots.backends import LOCK
            from trustscope.plots.elements import panels_of

            with LOCK:
                element = make()
                labels = [draw.label_of(panel) for panel in panels_of(element)]
                return element, draw.bokeh(element, behind=behind), labels, draw.entries(element)

        def shown(made):
            self.element, self.figures, labels, entries = made
            for one, label in zip(self.figures, labels, strict=True):
                one.update(sizing_mode="stretch_width", stylesheets=[PRESENTED_CSS],
                           html_attributes={"role": "img", "aria-label": label})  # fmt: skip
                if self._height is not None:
                    one.height = self._height
            self._layout[:] = [pn.pane.Bokeh(one, sizing_mode="stretch_width", margin=0) for one in self.figures]
            self._layout.visible = True
            if then is not None:
                then(entries)

        self._slot.latest(drawn, shown)

    def _failed(self, error: Exception) -> None:
        if not self.figures:
            self._layout.clear()
        explain_error(error, "plot")

    def clear(self) -> None:
        """There is nothing to draw."""
        self._slot.stop()
        self._layout.visible = False

    def __panel__(self):
        return self._layout
