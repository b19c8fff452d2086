"""Several curves over one another, and an area behind them."""

from dataclasses import dataclass

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, Range1d, Span

from trustscope import colours
from trustscope.widgets.figure import numbers, per_cent, plain


@dataclass(frozen=True)
class Curve:
    """One line: what it is called in the legend, how it looks, its heights (or, alone, its places)."""

    name: str
    colour: str
    y: np.ndarray
    dash: str = "solid"
    width: float = 2.0


class Curves(pn.viewable.Viewer):
    """Lines at slider rate over common places: a figure built once, into which `show` pushes what has changed."""

    def __init__(self, label: str, *, height: int = 220, shares: bool = False):
        super().__init__()
        self.x_range, self.y_range = Range1d(0, 1), Range1d(0, 1)
        self.figure = plain(label, height=height, x_label=" ", x_range=self.x_range, y_range=self.y_range)
        self._area = ColumnDataSource({"x": [], "y": []})
        self._lines = ColumnDataSource({"xs": [], "ys": [], "colour": [], "dash": [], "width": []})
        self._drawn = {"area": None, "looks": None, "ys": []}
        self.figure.varea("x", 0, "y", source=self._area, fill_color=colours.ORIGINAL, fill_alpha=0.28)
        self.figure.multi_line(
            "xs",
            "ys",
            source=self._lines,
            line_color="colour",
            line_dash="dash",
            line_width="width",
            line_join="round",
        )
        self._mark = Span(dimension="height", line_color=colours.NEUTRAL, line_dash=[3, 3], visible=False)
        self.figure.add_layout(self._mark)
        if shares:
            self.figure.yaxis.formatter = per_cent()
        else:  # the height of a density means nothing to a person: the shape does
            self.figure.yaxis.visible = self.figure.ygrid.visible = False
        self._pane = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width")

    def show(self, x, curves, *, x_range, y_top, area=None, mark=None, x_label=None):
        """Draw these curves over the places `x`; `area` has heights too, `mark` is where the upright line stands."""
        places = numbers(x)
        self._show_area({"x": places, "y": numbers(np.zeros(len(x)) if area is None else area)})
        looks = {
            "xs": [places] * len(curves),
            "colour": [c.colour for c in curves],
            "dash": [c.dash for c in curves],
            "width": [c.width for c in curves],
        }
        self._show_lines(looks, [numbers(c.y) for c in curves])
        self.x_range.update(start=float(x_range[0]), end=float(x_range[1]))
        self.y_range.end = float(y_top)
        self._mark.update(visible=mark is not None, location=0.0 if mark is None else float(mark))
        if x_label is not None:
            self.figure.xaxis[0].axis_label = x_label

    def _show_area(self, area):
        if area != self._drawn["area"]:
            self._area.data = self._drawn["area"] = area

    def _show_lines(self, looks, ys):
        """Send only the lines that differ from those drawn, unless their places or their looks do."""
        if looks == self._drawn["looks"]:
            changed = [(i, y) for i, (y, old) in enumerate(zip(ys, self._drawn["ys"], strict=True)) if y != old]
            if changed:
                self._lines.patch({"ys": changed})
        else:
            self._lines.data = looks | {"ys": list(ys)}
        self._drawn |= {"looks": looks, "ys": ys}

    def __panel__(self):
        return self._pane
