"""The spectrum: how much variance each component has, what of it is noise, and what is kept of it."""

import numpy as np
import pandas as pd
from bokeh.models import FixedTicker, Line, Range1d, Scatter
from bokeh.models.annotations import BoxAnnotation

from trustscope import colours
from trustscope.looks import looks_of
from trustscope.numbers import format_number
from trustscope.widgets.live.figure import numbers
from trustscope.widgets.live.plot import GHOST_ALPHA, Plot

KEPT = ("x", "y", "colour", "share", "size")


class SpectrumPlot(Plot):
    """Dots for the components, strongest first, on a logarithmic scale; a band; below, strips of what is kept."""

    def __init__(self, label: str, *, height: int = 220):
        self.x_range, self.y_range = Range1d(start=0.4, end=2.6), Range1d(start=0.1, end=10)
        super().__init__(
            label, height=height, x_label="component, the strongest first", y_label="variance", y_axis_type="log",
            x_range=self.x_range, y_range=self.y_range,
        )  # fmt: skip
        fig = self.figure
        self._band = BoxAnnotation(fill_color=colours.NEUTRAL, fill_alpha=0.22, line_color=None, visible=False)
        fig.add_layout(self._band)
        self._ticker, self._variances = FixedTicker(ticks=[1, 2]), FixedTicker(ticks=[0.1, 1, 10])
        fig.xaxis.ticker = self._ticker
        fig.yaxis.ticker = fig.ygrid.ticker = self._variances
        for name, colour, dash in (("data", colours.ORIGINAL, "solid"), ("noise", colours.SPECTRUM["noise"], "dotted")):
            self.glyph(self.source(name, "x", "y"), Line(line_color=colour, line_dash=dash, line_width=2.5))
        for name, alpha in (("ghost", GHOST_ALPHA), ("released", 1.0)):
            drawn = Scatter(size=7, fill_color=colours.SPECTRUM["released"], fill_alpha=alpha, line_color=None)
            self.glyph(self.source(name, "x", "y"), drawn)
        kept = Scatter(size="size", marker="square", fill_color="colour", fill_alpha="share", line_color=None)
        self.glyph(self.source("kept", *KEPT), kept)
        self._figures: dict[str, np.ndarray] = {}

    def show_table(self, table: pd.DataFrame) -> None:
        """Draw variances, a row for each component, as the looks of the table say."""
        looks, count = looks_of(table), len(table)
        columns = {"released": "combined copy", "data": "data in it", "noise": "noise in it"}
        self._figures = {name: table[column].to_numpy() for name, column in columns.items()}
        floor = looks.more["floor"]
        for name, values in (*self._figures.items(), ("ghost", () if self.beside is None else self.beside.released)):
            # What lies below is drawn below, out of sight, and not along the edge.
            self._push(name, np.maximum(values, floor / 100))
        lowest, highest = looks.y.ends
        self.x_range.update(start=looks.x.low, end=looks.x.high)
        self.y_range.update(start=lowest, end=highest)
        self._ticker.ticks, self._variances.ticks = _ticks(count), _decades(floor, highest)
        if looks.band is not None:
            self._band.update(visible=True, bottom=looks.band[0], top=looks.band[1])
        else:
            self._band.visible = False
        strips = looks.more["strips"]
        kept = {looks.series[column].colour: looks.more["kept"][column] for column in strips}
        self._show_kept(kept, list(strips.values()), count)
        self.tell()

    @property
    def released(self):
        """The variances of what is seen."""
        return self._figures.get("released", ())

    def _show_kept(self, kept, heights, count):
        size = float(np.clip(460 / count, 4, 9))
        marks = [
            (i + 1, height, colour, round(float(share), 2), size)
            for (colour, shares), height in zip(kept.items(), heights, strict=True)
            for i, share in enumerate(shares)
            if share > 0.05
        ]
        self.send("kept", {name: [mark[i] for mark in marks] for i, name in enumerate(KEPT)})

    def _push(self, name, values):
        x, y = [float(place) for place in range(1, len(values) + 1)], numbers(values)
        if len(x) == 1 and name in ("data", "noise"):  # a line needs two ends to be seen
            x, y = [0.8, 1.2], y * 2
        self.send(name, {"x": x, "y": y})

    def summary(self) -> str:
        """The strongest and the weakest component, and the noise in them."""
        if not self._figures:
            return ""
        released, noise = self._figures["released"], self._figures["noise"]
        strongest, weakest = (f"{format_number(released[k])}, {format_number(noise[k])} of it noise" for k in (0, -1))
        return f"{len(released)} components; the strongest has a variance of {strongest}; the weakest {weakest}."


def _ticks(count: int) -> list[int]:
    if count <= 12:
        return list(range(1, count + 1))
    step = next(s for s in (5, 10, 20, 50, 100) if count / s <= 12)
    return [1, *range(step, count + 1, step)]


def _decades(low: float, high: float) -> list[float]:
    """Round numbers between two variances: powers of ten, with 2 and 5 times them where there are few."""
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    few = np.log10(high / low) < 2.5
    ticks = np.sort(np.concatenate([powers * m for m in ((1, 2, 5) if few else (1,))]))
    return [float(t) for t in ticks if low <= t <= high]
