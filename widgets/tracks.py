"""Lines that grow with time, each over places of its own, with a band around one and levels across."""

from dataclasses import dataclass

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, FixedTicker, NumeralTickFormatter, Range1d

from trustscope import colours
from trustscope.widgets.figure import numbers, per_cent, plain


@dataclass(frozen=True)
class Track:
    """One line: how it looks, its places and heights."""

    colour: str
    x: list
    y: list
    dash: str = "solid"
    width: float = 2.2


class Tracks(pn.viewable.Viewer):
    """A figure built once, into which `show` pushes what has changed.

    Parameters
    ----------
    label : the accessible name
    height, x_label : of the figure
    shares : whether heights are shares
    growing : whether places grow tenfold from tick to tick: what came early stays to be seen; places are then above 0
    """

    def __init__(
        self, label: str, *, height: int = 220, x_label: str = " ", shares: bool = False, growing: bool = False
    ):
        super().__init__()
        self.x_range, self.y_range = Range1d(1, 10), Range1d(0, 1)
        options = {"x_axis_type": "log"} if growing else {}
        self.figure = fig = plain(
            label, height=height, x_label=x_label, x_range=self.x_range, y_range=self.y_range, **options
        )
        self._band = ColumnDataSource({"x": [], "low": [], "high": []})
        self._lines = ColumnDataSource({"xs": [], "ys": [], "colour": [], "dash": [], "width": []})
        fig.varea("x", "low", "high", source=self._band, fill_color=colours.RECIPIENTS[0], fill_alpha=0.2)
        fig.multi_line(
            "xs", "ys", source=self._lines, line_color="colour", line_dash="dash", line_width="width", line_join="round"
        )
        fig.xaxis.formatter = NumeralTickFormatter(format="0")
        if growing:
            fig.xaxis.ticker = FixedTicker(ticks=[])
        self._growing = growing
        if shares:
            fig.yaxis.formatter = per_cent()
        self._drawn = {}
        self._pane = pn.pane.Bokeh(fig, sizing_mode="stretch_width")

    def show(self, tracks: list[Track], *, x_range, y_range, band=None, levels=()):
        """Draw.

        Parameters
        ----------
        tracks : the lines
        x_range, y_range : (first, last)
        band : places, lower and upper heights
        levels : (height, colour, dash) of lines across
        """
        across = [Track(colour, list(x_range), [height] * 2, dash, 1.6) for height, colour, dash in levels]
        drawn = [*across, *tracks]
        lines = {
            "xs": [numbers(t.x, 7) for t in drawn],
            "ys": [numbers(t.y) for t in drawn],
            "colour": [t.colour for t in drawn],
            "dash": [t.dash for t in drawn],
            "width": [t.width for t in drawn],
        }
        x, low, high = band or ([], [], [])
        self._push(self._lines, lines)
        self._push(self._band, {"x": numbers(x, 7), "low": numbers(low), "high": numbers(high)})
        self.x_range.update(start=float(x_range[0]), end=float(x_range[1]))
        self.y_range.update(start=float(y_range[0]), end=float(y_range[1]))
        if self._growing:
            self.figure.xaxis[0].ticker.ticks = growing_ticks(*x_range)

    def _push(self, source, data):
        if self._drawn.get(source.id) != data:
            self._drawn[source.id] = data
            source.data = dict(data)

    def __panel__(self):
        return self._pane


def growing_ticks(first: float, last: float) -> list[float]:
    """Round numbers between two others, fewer for each power of ten the more powers there are."""
    powers = np.log10(last / first)
    steps = (1, 2, 5) if powers < 2.2 else (1, 3) if powers < 3.2 else (1,)
    numbers = [step * 10.0**power for power in range(int(np.floor(np.log10(first))), 10) for step in steps]
    return [number for number in numbers if first <= number <= last]
