"""Several curves over one another, and an area behind them."""

from dataclasses import dataclass

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, Range1d, Span

from widgets import colours
from widgets.figure import PER_CENT, numbers, plain


@dataclass(frozen=True)
class Curve:
    """One line: what it is called in the legend, how it looks, where it runs."""

    name: str
    colour: str
    x: np.ndarray
    y: np.ndarray
    dash: str = "solid"
    width: float = 2.0


class Curves(pn.viewable.Viewer):
    """Lines at slider rate: a figure built once, into which `show` pushes new columns."""

    def __init__(self, label: str, *, x_label: str = "", y_label: str = "", height: int = 220, shares: bool = False):
        super().__init__()
        self.x_range, self.y_range = Range1d(0, 1), Range1d(0, 1)
        self.figure = plain(
            label, height=height, x_label=x_label, y_label=y_label, x_range=self.x_range, y_range=self.y_range
        )
        self._area = ColumnDataSource({"x": [], "y": []})
        self._lines = ColumnDataSource({"xs": [], "ys": [], "colour": [], "dash": [], "width": []})
        self.figure.varea("x", 0, "y", source=self._area, fill_color=colours.ORIGINAL, fill_alpha=0.28)
        self.figure.multi_line(
            "xs", "ys", source=self._lines, line_color="colour", line_dash="dash", line_width="width", line_join="round"
        )
        self._mark = Span(dimension="height", line_color=colours.NEUTRAL, line_dash=[3, 3], visible=False)
        self.figure.add_layout(self._mark)
        if shares:
            self.figure.yaxis.formatter = PER_CENT
        else:  # the height of a density means nothing to a person: the shape does
            self.figure.yaxis.visible = self.figure.ygrid.visible = False
        self._pane = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width")

    def show(self, curves, *, x_range, y_top, area=None, mark=None, x_label=None):
        """Draw these curves; `area` is (x, y), `mark` the place of the vertical line."""
        x, y = area if area is not None else ([], [])
        self._area.data = {"x": numbers(x), "y": numbers(y)}
        self._lines.data = {
            "xs": [numbers(c.x) for c in curves],
            "ys": [numbers(c.y) for c in curves],
            "colour": [c.colour for c in curves],
            "dash": [c.dash for c in curves],
            "width": [c.width for c in curves],
        }
        self.x_range.update(start=float(x_range[0]), end=float(x_range[1]))
        self.y_range.end = float(y_top)
        self._mark.update(visible=mark is not None, location=0.0 if mark is None else float(mark))
        if x_label is not None:
            self.figure.xaxis[0].axis_label = x_label

    def __panel__(self):
        return self._pane
