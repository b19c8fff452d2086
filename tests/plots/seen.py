"""What a plot and what a live view show, in one form, so that they can be held against each other."""

from dataclasses import dataclass, field

import holoviews as hv
import numpy as np

from trustscope.plots import draw
from trustscope.widgets.live.lines import Lines
from trustscope.widgets.scenes.pooling import Pooling


@dataclass
class Seen:
    """Series by name: (colour, dash, figures); the names and limits of the axes, where there are axes."""

    series: dict = field(default_factory=dict)
    labels: tuple = ()
    limits: tuple = ()


def of_plot(element) -> Seen:
    """What a HoloViews plot of one panel shows; of series with one name all parts."""
    (panel,) = draw.panels_of(element)
    seen = Seen()
    for name, colour, _, _, _, dash in draw.legend(element):
        layers = [one for one in panel if one.label == name]
        if isinstance(layers[0], hv.HLine | hv.VLine | hv.HSpan):
            continue
        column = "x1" if isinstance(layers[0], hv.Rectangles) else 1
        values = np.concatenate([np.asarray(one.dimension_values(column), dtype=float) for one in layers])
        seen.series[name] = colour, dash if isinstance(layers[0], hv.Curve) else "solid", values
    options, frame = draw.options_of(panel), draw.frame_of(panel)
    seen.labels, seen.limits = (options["xlabel"], options["ylabel"]), (*frame.x, *sorted(frame.y))
    return seen


def of_lines(plot: Lines) -> Seen:
    """What lines on a page show, but for the area behind them."""
    drawn, seen = plot.columns_shown("lines"), Seen()
    for name, colour, dash, y in zip(drawn["name"], drawn["colour"], drawn["dash"], drawn["ys"], strict=True):
        before = seen.series[name][2] if name in seen.series else np.empty(0)
        seen.series[name] = colour, dash, np.concatenate([before, y])
    dots = plot.columns_shown("dots")
    for name in dict.fromkeys(dots["name"]):
        places = [i for i, one in enumerate(dots["name"]) if one == name]
        heights = np.array([dots["y"][i] for i in places])
        seen.series.setdefault(name, (dots["colour"][places[0]], "solid", heights))
    return _framed(seen, plot)


def _framed(seen, plot):
    fig = plot.figure
    seen.labels = fig.xaxis[0].axis_label, fig.yaxis[0].axis_label
    seen.limits = fig.x_range.start, fig.x_range.end, fig.y_range.start, fig.y_range.end
    return seen


def of_pooling(plot: Pooling) -> Seen:
    """What rows of coalitions show, sorted: the plot may have another order of rows."""
    rows = len(plot.frame["masks"])
    series = {name: (colour, "solid", np.array(plot.values[place * rows : (place + 1) * rows]))
              for place, (name, colour) in enumerate(plot.frame["series"])}  # fmt: skip
    return Seen(series)
