"""One person's value on its way from full trust to none, where each recipient stands, and what is believed."""

from dataclasses import dataclass

import numpy as np
from bokeh.models import FixedTicker, MultiLine, Range1d, Scatter, Text
from bokeh.models.annotations import Span, Whisker

from trustscope import colours
from trustscope.numbers import format_number
from trustscope.widgets.contrast import INK, PAPER, ink
from trustscope.widgets.live.figure import in_per_cent, numbers
from trustscope.widgets.live.plot import GHOST_ALPHA, Plot


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


class Journey(Plot):
    """Trust runs from 100 % at the left to little at the right; the belief stands before the start."""

    BELIEF_AT = 104.5

    def __init__(self, label: str, *, height: int = 220, x_label: str = "trust"):
        self.x_range, self.y_range = Range1d(start=107, end=8), Range1d(start=0, end=1)
        super().__init__(label, height=height, x_label=x_label, y_label=" ", x_range=self.x_range, y_range=self.y_range)
        fig = self.figure
        fig.xaxis.ticker = FixedTicker(ticks=[100, 80, 60, 40, 20, 1])
        fig.xaxis.formatter = in_per_cent()
        self._truth = Span(dimension="width", line_color=colours.NEUTRAL, line_dash=[5, 4], line_width=1.5)
        fig.add_layout(self._truth)
        for name, alpha in (("ghost", GHOST_ALPHA), ("paths", 0.9)):
            source = self.source(name, "xs", "ys", "colour")
            self.glyph(source, MultiLine(line_color="colour", line_width=1.4, line_alpha=alpha))
        belief = self.source("belief", "x", "y", "low", "high")
        whisker = Whisker(
            base="x", lower="low", upper="high", source=belief, line_color=colours.GUESS, line_width=7, line_alpha=0.35
        )
        whisker.upper_head = whisker.lower_head = None
        fig.add_layout(whisker)
        self._whisker = whisker
        self._believed = self.glyph(belief, Scatter(size=10, fill_color=colours.GUESS, line_color=colours.GUESS))
        stops = self.source("stops", "x", "y", "trust", "colour", "alpha", "initial", "dark", "light")
        self.glyph(stops, Scatter(size=19, fill_color="colour", fill_alpha="alpha", line_color="#ffffff"))
        # Two texts of one colour each: Bokeh's text fails when a column of colours changes its length.
        for column, colour in (("dark", INK), ("light", PAPER)):
            self.glyph(stops, Text(
                text=column, text_color=colour, text_font_size="14px", text_font_style="bold", text_align="center",
                text_baseline="middle",
            ))  # fmt: skip

    def draw(
        self, paths: list[Path], stops: list[Stop], *, truth, belief, interval, y_label, lowest, y_range, tone="leak",
    ):  # fmt: skip
        """Draw.

        Parameters
        ----------
        paths, stops : ways through the levels, and who stands on them
        truth : the true value
        belief, interval : what is believed together, with its range; None: nobody colludes
        y_label, lowest, y_range : of the axes; `lowest` is the least trust that is seen
        tone : "leak" (orange) or "safe" (teal), of the belief
        """
        self.send("paths", _columns(paths))
        self.send_behind("paths")
        self.send("stops", {
            "x": numbers(_apart(stops, y_range)),
            "trust": [s.trust for s in stops],
            "y": numbers([s.value for s in stops]),
            "colour": [s.colour for s in stops],
            "alpha": [1.0 if s.member else 0.45 for s in stops],
            "initial": [s.initial for s in stops],
            "dark": [s.initial if ink(s.colour) == INK else "" for s in stops],
            "light": [s.initial if ink(s.colour) == PAPER else "" for s in stops],
        })  # fmt: skip
        held = [] if belief is None else [(self.BELIEF_AT, float(belief), float(interval[0]), float(interval[1]))]
        self.send("belief", {n: [one[i] for one in held] for i, n in enumerate(("x", "y", "low", "high"))})
        colour = colours.SCHEMES["nested"] if tone == "safe" else colours.GUESS
        self._whisker.line_color = self._believed.fill_color = self._believed.line_color = colour
        self._truth.location = float(truth)
        self.x_range.end = float(lowest)
        self.y_range.update(start=float(y_range[0]), end=float(y_range[1]))
        self.figure.yaxis[0].axis_label = y_label
        self.tell()

    def summary(self) -> str:
        """The true value, what each one sees, and what is believed."""
        if not isinstance(self._truth.location, float):
            return ""
        stops, belief = self.columns_shown("stops"), self.columns_shown("belief")
        told = [f"the true value is {format_number(self._truth.location)}"]
        told += [f"{who} sees {format_number(y)}" for who, y in zip(stops["initial"], stops["y"], strict=True)]
        if belief["y"]:
            half = (belief["high"][0] - belief["low"][0]) / 2
            told.append(f"together they believe {format_number(belief['y'][0])} ± {format_number(half)}")
        text = "; ".join(told)
        return f"{text[0].upper()}{text[1:]}."


def _columns(paths: list[Path]) -> dict:
    return {
        "xs": [numbers(p.x) for p in paths],
        "ys": [numbers(p.y) for p in paths],
        "colour": [p.colour for p in paths],
    }


def _apart(stops: list[Stop], y_range) -> list[float]:
    """Where the stops are drawn: one that would cover another moves aside by its width, so that both can be read."""
    wide, high = 3.4, 0.09 * (y_range[1] - y_range[0])  # of a stop, in per cent of trust and in values
    placed: list[tuple[float, float]] = []
    for stop in stops:
        x = float(stop.trust)
        while any(abs(x - other) < wide - 1e-9 and abs(stop.value - value) < high for other, value in placed):
            x -= wide
        placed.append((x, stop.value))
    return [x for x, _ in placed]
