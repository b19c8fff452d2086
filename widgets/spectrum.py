"""The spectrum: how much variance each component has, what of it may be noise, and where filters cut."""

import numpy as np
import panel as pn
from bokeh.models import BoxAnnotation, ColumnDataSource, FixedTicker, Range1d, Span

from widgets import colours
from widgets.figure import numbers, plain


class SpectrumPlot(pn.viewable.Viewer):
    """Dots for the components, strongest first, on a logarithmic scale; a band; an upright line at every cut."""

    def __init__(self, label: str, *, height: int = 220):
        super().__init__()
        self.x_range, self.y_range = Range1d(0.4, 2.6), Range1d(0.1, 10)
        self.figure = plain(
            label, height=height, x_label="component, the strongest first", y_label="variance", y_axis_type="log",
            x_range=self.x_range, y_range=self.y_range,
        )  # fmt: skip
        self._band = BoxAnnotation(fill_color=colours.NEUTRAL, fill_alpha=0.22, line_color=None, visible=False)
        self.figure.add_layout(self._band)
        self._ticker = FixedTicker(ticks=[1, 2])
        self.figure.xaxis.ticker = self._ticker
        self._sources = {}
        for name, colour, dash in (("data", colours.ORIGINAL, "solid"), ("noise", colours.SPECTRUM["noise"], "dotted")):
            self._sources[name] = ColumnDataSource({"x": [], "y": []})
            self.figure.line("x", "y", source=self._sources[name], line_color=colour, line_dash=dash, line_width=2.5)
        self._sources["released"] = ColumnDataSource({"x": [], "y": []})
        self.figure.scatter(
            "x", "y", source=self._sources["released"], size=7, fill_color=colours.SPECTRUM["released"],
            line_color=None,
        )  # fmt: skip
        self._cuts = {}
        self._drawn = {}
        self._pane = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width")

    def show(self, released, data, noise, band, cuts):
        """Draw eigenvalues.

        Parameters
        ----------
        released, data, noise : variances of as many components; of what is seen, of the data, of the noise
        band : lowest and highest variance that noise alone gives
        cuts : dict of name to (components kept, colour)
        """
        count = len(released)
        top = float(np.max([released[0], np.max(noise), band[1], 1e-300]))
        floor = _floor(np.concatenate([released, noise]), top)
        for name, values in (("released", released), ("data", data), ("noise", noise)):
            # What lies below is drawn below, out of sight, and not along the edge.
            self._push(name, np.maximum(values, floor / 100))
        self.x_range.update(start=0.4, end=count + 0.6)
        self.y_range.update(start=floor / 1.3, end=top * 1.6)
        self._ticker.ticks = _ticks(count)
        self._band.update(visible=band[1] > 0, bottom=max(band[0], floor / 1.3), top=max(band[1], floor / 1.3))
        for place, (name, (kept, colour)) in enumerate(cuts.items()):
            if name not in self._cuts:
                self._cuts[name] = Span(dimension="height", line_color=colour, line_dash=[6, 3], line_width=2)
                self.figure.add_layout(self._cuts[name])
            # A little apart, so that two cuts at one place are both seen.
            apart = (place - (len(cuts) - 1) / 2) * 0.008 * (count + 1)
            self._cuts[name].location = min(max(kept + 0.5 + apart, 0.42), count + 0.58)

    def _push(self, name, values):
        columns = {"x": list(range(1, len(values) + 1)), "y": numbers(values)}
        if len(columns["x"]) == 1:  # a line needs two ends to be seen
            columns = {"x": [0.8, 1.2], "y": columns["y"] * 2} if name != "released" else columns
        if columns != self._drawn.get(name):
            self._sources[name].data = self._drawn[name] = columns

    def __panel__(self):
        return self._pane


def _floor(values, top):
    """The lowest variance that is shown: well below all that is seen, but no more than four decades down."""
    positive = values[values > 0]
    low = positive.min() if positive.size else top / 10
    return float(max(low / 5, top * 1e-4))


def _ticks(count: int) -> list[int]:
    if count <= 12:
        return list(range(1, count + 1))
    step = next(s for s in (5, 10, 20, 50, 100) if count / s <= 12)
    return [1, *range(step, count + 1, step)]
