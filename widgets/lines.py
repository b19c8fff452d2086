"""Lines, each with places of its own, and dots with error bars: expected and measured in one figure."""

from collections.abc import Sequence
from dataclasses import dataclass

import panel as pn
from bokeh.models import ColumnDataSource, FixedTicker, Range1d, Span

from trustscope import colours
from trustscope.widgets.figure import numbers, per_cent, plain


@dataclass(frozen=True)
class Line:
    """One line: its name in the legend, its colour, its places and heights."""

    name: str
    colour: str
    x: Sequence[float]
    y: Sequence[float]
    dash: str = "solid"
    width: float = 2.2


@dataclass(frozen=True)
class Dots:
    """Measured points; `error` is one standard error, drawn twice to either side."""

    name: str
    colour: str
    x: Sequence[float]
    y: Sequence[float]
    error: Sequence[float] = ()
    size: int = 8


class Lines(pn.viewable.Viewer):
    """A figure built once, into which `show` pushes what has changed.

    Parameters
    ----------
    label : accessible name
    log : whether places are drawn on a logarithmic scale
    shares : whether heights, or places (`share_places`), are percentages
    """

    def __init__(self, label, *, height=216, log=False, shares=True, share_places=False, x_label=" ", y_label=""):
        super().__init__()
        self.x_range, self.y_range = Range1d(0.1, 1), Range1d(0, 1.02)
        self.figure = fig = plain(
            label, height=height, x_range=self.x_range, y_range=self.y_range, x_label=x_label, y_label=y_label,
            x_axis_type="log" if log else "auto",
        )  # fmt: skip
        self._lines = ColumnDataSource({"xs": [], "ys": [], "colour": [], "dash": [], "width": []})
        self._dots = ColumnDataSource({"x": [], "y": [], "low": [], "high": [], "colour": [], "size": []})
        fig.multi_line(
            "xs", "ys", source=self._lines, line_color="colour", line_dash="dash", line_width="width", line_join="round"
        )
        fig.segment("x", "low", "x", "high", source=self._dots, line_color="colour", line_width=1.6)
        fig.scatter("x", "y", source=self._dots, size="size", fill_color="colour", line_color="#ffffff", line_width=1.2)
        self._mark = Span(dimension="height", line_color=colours.NEUTRAL, line_dash=[3, 3], visible=False)
        fig.add_layout(self._mark)
        if shares:
            fig.yaxis.formatter = per_cent()
        if share_places:
            fig.xaxis.formatter = per_cent()
        self._shares, self._drawn = shares, None
        self._pane = pn.pane.Bokeh(fig, sizing_mode="stretch_width")

    def show(self, lines, dots=(), *, x_range, y_top=1.02, mark=None, ticks=None, x_label=None):
        """Draw; `mark` is where the upright line stands, `ticks` are the places with a number."""
        new = (
            {
                "xs": [numbers(one.x) for one in lines],
                "ys": [numbers(one.y) for one in lines],
                "colour": [one.colour for one in lines],
                "dash": [one.dash for one in lines],
                "width": [one.width for one in lines],
            },
            self._spots(dots),
        )
        if new != self._drawn:
            self._lines.data, self._dots.data = (dict(one) for one in new)
            self._drawn = new
        self.x_range.update(start=float(x_range[0]), end=float(x_range[1]))
        self.y_range.end = float(y_top)
        self._mark.update(visible=mark is not None, location=1.0 if mark is None else float(mark))
        if ticks is not None:
            self.figure.xaxis.ticker = FixedTicker(ticks=[float(t) for t in ticks])
        if x_label is not None:
            self.figure.xaxis[0].axis_label = x_label

    def _spots(self, dots):
        spots = {"x": [], "y": [], "low": [], "high": [], "colour": [], "size": []}
        for one in dots:
            errors = list(one.error) or [0.0] * len(one.y)
            spots["x"] += numbers(one.x)
            spots["y"] += numbers(one.y)
            spots["low"] += numbers([max(y - 2 * e, 0) for y, e in zip(one.y, errors, strict=True)])
            spots["high"] += numbers(
                [min(y + 2 * e, 1.0) if self._shares else y + 2 * e for y, e in zip(one.y, errors, strict=True)]
            )
            spots["colour"] += [one.colour] * len(one.y)
            spots["size"] += [one.size] * len(one.y)
        return spots

    def __panel__(self):
        return self._pane
