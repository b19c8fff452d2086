"""What was recovered against what it was: on the diagonal they are the same."""

import panel as pn
from bokeh.models import ColumnDataSource, Range1d

from trustscope import colours
from trustscope.widgets.figure import numbers, plain


class Match(pn.viewable.Viewer):
    """A scatter with its diagonal; points that count as breached in one colour, the others in grey."""

    def __init__(self, label: str, *, height: int = 260):
        super().__init__()
        self.range = Range1d(0, 1)
        self.y_range = Range1d(0, 1)
        fig = self.figure = plain(
            label, height=height, x_range=self.range, y_range=self.y_range, x_label=" ", y_label="recovered"
        )
        self._line = ColumnDataSource({"x": [], "y": []})
        self._points = ColumnDataSource({"x": [], "y": [], "colour": []})
        fig.line("x", "y", source=self._line, line_color=colours.NEUTRAL, line_dash="dotted", line_width=1.5)
        fig.scatter("x", "y", source=self._points, size=5, line_color=None, fill_alpha=0.6, fill_color="colour")
        self._pane = pn.pane.Bokeh(fig, sizing_mode="stretch_width")

    def show(self, true, recovered, breached, *, x_label: str):
        """Draw values of one attribute; `breached` says which records count as breached."""
        low, high = float(true.min()), float(true.max())
        air = 0.08 * (high - low) or 1.0
        self.range.update(start=low - air, end=high + air)
        self.y_range.update(start=low - 3 * air, end=high + 3 * air)
        self._line.data = {"x": [low - air, high + air], "y": [low - air, high + air]}
        self._points.data = {
            "x": numbers(true), "y": numbers(recovered.clip(low - 3 * air, high + 3 * air)),
            "colour": [colours.GUESS if one else colours.ORIGINAL for one in breached],
        }  # fmt: skip
        self.figure.xaxis[0].axis_label = x_label

    def __panel__(self):
        return self._pane
