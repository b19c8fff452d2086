"""One person's value on its way from full trust to none, where each recipient stands, and what is believed."""

from dataclasses import dataclass

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, FixedTicker, PrintfTickFormatter, Range1d, Span, Whisker

from trustscope import colours
from trustscope.widgets.figure import numbers, plain


@dataclass(frozen=True)
class Path:
    """A way through the levels: trusts (per cent) and values."""

    colour: str
    x: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class Stop:
    """A recipient on the way: the trust (per cent) and the value they see."""

    initial: str
    colour: str
    trust: float
    value: float
    member: bool = True


class Journey(pn.viewable.Viewer):
    """Trust runs from 100 % at the left to little at the right; the belief stands before the start."""

    BELIEF_AT = 104.5

    def __init__(self, label: str, *, height: int = 220, x_label: str = "trust"):
        super().__init__()
        self.x_range, self.y_range = Range1d(107, 8), Range1d(0, 1)
        self.figure = fig = plain(
            label, height=height, x_label=x_label, y_label=" ", x_range=self.x_range, y_range=self.y_range
        )
        fig.xaxis.ticker = FixedTicker(ticks=[100, 80, 60, 40, 20, 1])
        fig.xaxis.formatter = PrintfTickFormatter(format="%d %%")
        self._drawn = None
        self._paths = ColumnDataSource({"xs": [], "ys": [], "colour": []})
        self._stops = ColumnDataSource({"x": [], "y": [], "colour": [], "alpha": [], "initial": []})
        self._belief = ColumnDataSource({"x": [], "y": [], "low": [], "high": []})
        self._truth = Span(dimension="width", line_color=colours.NEUTRAL, line_dash=[5, 4], line_width=1.5)
        fig.add_layout(self._truth)
        fig.multi_line("xs", "ys", source=self._paths, line_color="colour", line_width=1.4, line_alpha=0.9)
        self._whisker = Whisker(
            base="x",
            lower="low",
            upper="high",
            source=self._belief,
            line_color=colours.GUESS,
            line_width=7,
            line_alpha=0.35,
        )
        self._whisker.upper_head = self._whisker.lower_head = None
        fig.add_layout(self._whisker)
        fig.scatter("x", "y", source=self._belief, size=10, color=colours.GUESS)
        fig.scatter(
            "x",
            "y",
            source=self._stops,
            size=17,
            fill_color="colour",
            fill_alpha="alpha",
            line_color="#ffffff",
        )
        fig.text(
            "x", "y", text="initial", source=self._stops, text_color="#ffffff", text_font_size="10px",
            text_font_style="bold", text_align="center", text_baseline="middle",
        )  # fmt: skip
        self._pane = pn.pane.Bokeh(fig, sizing_mode="stretch_width")

    def show(self, paths: list[Path], stops: list[Stop], *, truth, belief, interval, y_label, lowest, y_range):
        """Draw the paths, the stops on them, and the belief (None: nobody colludes)."""
        drawn = {
            "xs": [numbers(p.x) for p in paths],
            "ys": [numbers(p.y) for p in paths],
            "colour": [p.colour for p in paths],
        }
        if drawn != self._drawn:  # dragging moves the stops, not the path
            self._paths.data = self._drawn = drawn
        self._stops.data = {
            "x": [s.trust for s in stops],
            "y": numbers([s.value for s in stops]),
            "colour": [s.colour for s in stops],
            "alpha": [1.0 if s.member else 0.45 for s in stops],
            "initial": [s.initial for s in stops],
        }
        here = [] if belief is None else [self.BELIEF_AT]
        self._belief.data = {
            "x": here,
            "y": [] if belief is None else [belief],
            "low": [] if belief is None else [interval[0]],
            "high": [] if belief is None else [interval[1]],
        }
        self._truth.location = float(truth)
        self.x_range.end = float(lowest)
        self.y_range.update(start=float(y_range[0]), end=float(y_range[1]))
        self.figure.yaxis[0].axis_label = y_label

    def __panel__(self):
        return self._pane
