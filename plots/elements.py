"""The few shapes that plots consist of, as HoloViews elements with our colours, dashes and widths for both backends."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, SupportsFloat

import holoviews as hv
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from trustscope import colours
from trustscope.looks import shade_ends
from trustscope.numbers import cell
from trustscope.plots import backends
from trustscope.plots.theme import DASHES, LIGHT, MARKERS, BokehLook, Frame, PaperLook

PALETTE = colours.RECIPIENTS
PADDING = 0.05  # free space between the data and each end of an axis, as a share of the axis
HEIGHT = 300  # pixels of a panel on a page
PAPER = (2.9, 1.92)  # inches of the axes of a panel on paper
# Widths of lines and diameters of dots are given in pixels of a screen; on paper they are drawn in points.
STROKE, DIAMETER = 0.8, 0.75
X, Y = hv.Dimension("x"), hv.Dimension("y")
Floats = NDArray[np.float64]
Ends = tuple[float | None, float | None]  # of an axis; None leaves an end to the data
Ticks = Iterable[tuple[SupportsFloat, object]]  # places, and what is written there
BOX = ["x0", "y0", "x1", "y1"]
BAR_ALPHA, AREA_ALPHA = 0.85, 0.28


def _dressed(element: Any, bokeh: dict[str, Any], paper: dict[str, Any]) -> Any:
    """The element with options for both backends."""
    with backends.LOCK:
        return element.opts(**bokeh, backend="bokeh").opts(**paper, backend="matplotlib")


def _floats(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=float)


# Shapes


def line(x: ArrayLike, y: ArrayLike, colour: str, name: str = "", dash: str = "solid", width: float = 2.0) -> hv.Curve:
    """A curve; dash is solid, dashed, dotted or dotdash."""
    return _dressed(
        hv.Curve((_floats(x), _floats(y)), X, Y, label=name),
        {"color": colour, "line_dash": dash, "line_width": width},
        {"color": colour, "linestyle": DASHES[dash], "linewidth": STROKE * width},
    )


def steps(
    left: ArrayLike, right: ArrayLike, y: ArrayLike, colour: str, name: str = "", dash: str = "solid"
) -> hv.Curve:
    """The outline of a histogram."""
    edges = np.column_stack([_floats(left), _floats(right)])
    return line(edges.ravel(), np.repeat(_floats(y), 2), colour, name, dash)


def area(x: ArrayLike, y: ArrayLike, colour: str, name: str = "") -> hv.Area:
    """What lies below a curve, faintly."""
    return _dressed(
        hv.Area((_floats(x), _floats(y)), X, Y, label=name),
        {"color": colour, "fill_alpha": AREA_ALPHA, "line_alpha": 0},
        {"facecolor": colour, "alpha": AREA_ALPHA, "edgecolor": "none"},
    )


def ribbon(x: ArrayLike, low: ArrayLike, high: ArrayLike, colour: str) -> hv.Area:
    """A band around a curve, faintly."""
    return _dressed(
        hv.Area((_floats(x), _floats(high), _floats(low)), X, [Y, hv.Dimension("low")]),
        {"color": colour, "fill_alpha": 0.2, "line_alpha": 0},
        {"facecolor": colour, "alpha": 0.2, "edgecolor": "none"},
    )


def dots(x: ArrayLike, y: ArrayLike, colour: str, name: str = "", size: float = 7, hollow: bool = False,
         marker: str = "circle", alpha: float = 1.0) -> hv.Scatter:  # fmt: skip
    """Points; `size` is their diameter on the screen."""
    fill = "none" if hollow else colour
    return _dressed(
        hv.Scatter((_floats(x), _floats(y)), X, Y, label=name),
        {"line_color": colour, "fill_color": None if hollow else colour, "size": size, "marker": marker, "alpha": alpha,
         "color": None if hollow else colour},
        {"facecolors": fill, "edgecolors": colour, "s": (DIAMETER * size) ** 2, "marker": MARKERS[marker],
         "linewidth": 1.0 if hollow else 0.0, "alpha": alpha},
    )  # fmt: skip


def whiskers(
    x: ArrayLike, y: ArrayLike, spread: ArrayLike, colour: str, within: tuple[float, float] = (-np.inf, np.inf)
) -> hv.Segments:
    """An upright stroke of `spread` on either side of each point, cut off where no value can be."""
    x, y, spread = _floats(x), _floats(y), np.nan_to_num(_floats(spread))
    return segments(x, np.maximum(y - spread, within[0]), x, np.minimum(y + spread, within[1]), colour)


def segments(x0: ArrayLike, y0: ArrayLike, x1: ArrayLike, y1: ArrayLike, colour: str, name: str = "",
             width: float = 1.5, dash: str = "solid") -> hv.Segments:  # fmt: skip
    """Straight pieces from one point to another."""
    return _dressed(
        hv.Segments(tuple(map(_floats, (x0, y0, x1, y1))), BOX, label=name),
        {"color": colour, "line_width": width, "line_dash": dash},
        {"color": colour, "linewidth": STROKE * width, "linestyle": DASHES[dash]},
    )


def sticks(
    x: ArrayLike, y: ArrayLike, colour: str, name: str = "", width: float = 0.8, base: float = 0.0
) -> hv.Rectangles:
    """Upright bars from `base`; `width` is measured along the x axis."""
    x, y = _floats(x), _floats(y)
    return boxes(x - width / 2, np.full(len(x), base), x + width / 2, y, colour, name)


def beams(x: ArrayLike, y: ArrayLike, colour: str, name: str = "", width: float = 0.7) -> hv.Rectangles:
    """Level bars from 0 to `x`, at these rows; `width` is measured along the y axis."""
    x, y = _floats(x), _floats(y)
    return boxes(np.zeros(len(x)), y - width / 2, x, y + width / 2, colour, name)


def boxes(x0: ArrayLike, y0: ArrayLike, x1: ArrayLike, y1: ArrayLike, colour: str | Iterable[str], name: str = "",
          alpha: float = BAR_ALPHA) -> hv.Rectangles:  # fmt: skip
    """Rectangles between two corners; a colour, or one for each."""
    if not isinstance(colour, str):
        made = hv.Rectangles((*map(_floats, (x0, y0, x1, y1)), list(colour)), BOX, "colour", label=name)
        return _dressed(made, {"color": "colour", "line_color": None, "fill_alpha": alpha},
                        {"facecolor": "colour", "edgecolor": "none", "alpha": alpha})  # fmt: skip
    return _dressed(
        hv.Rectangles(tuple(map(_floats, (x0, y0, x1, y1))), BOX, label=name),
        {"color": colour, "line_color": None, "fill_alpha": alpha},
        {"facecolor": colour, "edgecolor": "none", "alpha": alpha},
    )


def texts(x: ArrayLike, y: ArrayLike, written: Sequence[str], colour: str = LIGHT.text, size: float = 8,
          align: str = "left") -> hv.Labels:  # fmt: skip
    """Texts at these points: values at the ends of bars."""
    return _dressed(
        hv.Labels((_floats(x), _floats(y), list(written)), [X, Y], "text"),
        {"text_color": colour, "text_font_size": "12px", "text_align": align, "text_baseline": "middle"},
        {"color": colour, "size": size, "horizontalalignment": align, "verticalalignment": "center"},
    )


def level(y: float, colour: str = colours.NEUTRAL, dash: str = "dashed", name: str = "") -> hv.HLine:
    """A line across the whole panel; it does not widen the axis."""
    return _across(hv.HLine(float(y), label=name), colour, dash)


def upright(x: float, colour: str = colours.NEUTRAL, dash: str = "dashed", name: str = "") -> hv.VLine:
    """A line from the bottom to the top; it does not widen the axis."""
    return _across(hv.VLine(float(x), label=name), colour, dash)


def _across(element: Any, colour: str, dash: str) -> Any:
    return _dressed(element, {"color": colour, "line_dash": dash, "line_width": 1.5},
                    {"color": colour, "linestyle": DASHES[dash], "linewidth": 1.1})  # fmt: skip


def band(low: float, high: float, colour: str = colours.NEUTRAL, name: str = "") -> hv.HSpan:
    """A grey ground between two heights."""
    return _dressed(hv.HSpan(float(low), float(high), label=name), {"color": colour, "alpha": 0.22, "line_alpha": 0},
                    {"facecolor": colour, "alpha": 0.22, "edgecolor": "none"})  # fmt: skip


def shades(values: np.ndarray, name: str = "") -> hv.QuadMesh:
    """Shares as shades over columns and rows, the first row at the bottom; of equal steps in lightness."""
    tall, wide = values.shape
    return _dressed(
        hv.QuadMesh((np.arange(wide), np.arange(tall), values), [X, Y], "shade"),
        {"cmap": "cividis", "colorbar": True, "clim": shade_ends(values)},
        {"cmap": "cividis", "clim": shade_ends(values)},  # `draw` puts the scale beside the panel, in its theme
    )


def contour(values: np.ndarray, height: float, name: str = "", colour: str = "#ffffff") -> hv.Path:
    """The line along which shades have one value."""
    from contourpy import contour_generator

    lines = contour_generator(z=np.ma.masked_invalid(values)).lines(height)
    return _dressed(hv.Path([line for line in lines if len(line) > 1], [X, Y], label=name),
                    {"color": colour, "line_width": 2.5}, {"color": colour, "linewidth": 2.0})  # fmt: skip


def sheet(table: pd.DataFrame) -> hv.Table:
    """A table as a plot."""
    written = [[cell(value) for value in table.iloc[:, place]] for place in range(len(table.columns))]
    shown = pd.DataFrame(dict(enumerate(written))).set_axis([str(name) for name in table.columns], axis=1)
    # Two columns may have one name: a space more keeps them apart.
    names = [f"{name}{' ' * list(shown.columns[:place]).count(name)}" for place, name in enumerate(shown.columns)]
    return hv.Table(shown.set_axis(names, axis=1))


# Panels


def panel(
    layers: Iterable[Any], *, x: str, y: str, title: str = "", x_range: Ends | None = None,
    y_range: Ends | None = None, ticks: Ticks | None = None, log: str = "", shares: bool = False,
    x_shares: bool = False, y_ticks: Ticks | None = None, hatches: Mapping[str, str] | None = None,
) -> hv.Overlay:  # fmt: skip
    """Layers over one another, drawn in their order, on one pair of axes.

    Parameters
    ----------
    layers : what is drawn
    x, y : the names of the axes
    title : what stands above
    x_range, y_range : (low, high); None leaves an end to the data
    ticks, y_ticks : (place, text) pairs on the axes; None leaves them to who draws
    log : which axes are logarithmic: "", "x", "y" or "xy"
    shares, x_shares : whether y, or x, is to be read in per cent
    hatches : name of a series to what fills its bars on paper
    """
    layers = list(layers)
    frame = Frame(
        limits(layers, 0, x_range or (None, None), "x" in log), limits(layers, 1, y_range or (None, None), "y" in log),
        x_shares, shares, _pairs(ticks), _pairs(y_ticks), hatches=tuple((hatches or {}).items()),
    )  # fmt: skip
    return _framed(layers, frame, x, y, title, log)


def _pairs(ticks: Ticks | None) -> tuple[tuple[float, str], ...] | None:
    return None if ticks is None else tuple((float(place), str(text)) for place, text in ticks)


def rows(names: Iterable[object], layers: Iterable[Any], *, x: str, title: str = "", top: float | None = None,
         shares: bool = False, hatches: Mapping[str, str] | None = None) -> hv.Overlay:  # fmt: skip
    """Rows with names, the first on top; layers stand at the rows' numbers, from 0 on."""
    written, layers = tuple(map(str, names)), list(layers)
    frame = Frame(
        limits(layers, 0, (0.0, top), False), (len(written) - 0.5, -0.5), shares, False, None,
        _pairs(enumerate(written)), written, tuple((hatches or {}).items()),
    )  # fmt: skip
    return _framed(layers, frame, x, "", title, "")


def _framed(layers: list[Any], frame: Frame, x: str, y: str, title: str, log: str) -> hv.Overlay:
    common = {
        "xlabel": x, "ylabel": y, "title": title, "logx": "x" in log, "logy": "y" in log,
        "xlim": frame.x, "ylim": tuple(sorted(frame.y)), "invert_yaxis": frame.y[0] > frame.y[1],
    }  # fmt: skip
    height = max(HEIGHT, 26 * len(frame.rows) + 90)
    return _dressed(
        hv.Overlay(layers),
        {**common, "hooks": [BokehLook(frame)], "responsive": True, "height": height, "toolbar": None,
         "legend_position": "bottom", "show_legend": True},
        {**common, "hooks": [PaperLook(frame)], "aspect": "auto", "fig_inches": (PAPER[0] * 1.6, PAPER[1] * 1.8),
         "legend_position": "bottom", "show_legend": True},
    )  # fmt: skip


def column(*panels: hv.Overlay) -> hv.Layout:
    """Panels one below the other: the names of rows need the room beside them."""
    return hv.Layout(list(panels)).cols(1)


def row(*panels: hv.Overlay) -> hv.Layout:
    """Panels beside one another, and below where a row is full."""
    return hv.Layout(list(panels)).cols(columns_of(len(panels)))


def columns_of(panels: int) -> int:
    """How many panels stand in a row."""
    return min(panels, 2 if panels in (2, 4) else 3)


def panels_of(element: Any) -> list[hv.Overlay]:
    """The panels of a plot."""
    return list(element) if isinstance(element, hv.Layout) else [element]


def extent(element: Any) -> tuple[Floats, Floats]:
    """The x values and the y values that the axes have to show; lines across show none."""
    if isinstance(element, hv.HLine | hv.VLine | hv.HSpan | hv.VSpan | hv.Labels | hv.Path):
        return np.empty(0), np.empty(0)
    if isinstance(element, hv.Segments | hv.Rectangles):
        columns = [_floats(element.dimension_values(name)) for name in BOX]
        return np.concatenate(columns[::2]), np.concatenate(columns[1::2])
    x, y = (_floats(element.dimension_values(place)) for place in (0, 1))
    if isinstance(element, hv.Area):
        y = np.append(y, _floats(element.dimension_values(2)) if len(element.vdims) > 1 else 0.0)
    return x, y


def limits(layers: list[Any], axis: int, given: Ends, log: bool) -> tuple[float, float]:
    """The range of an axis: the ends that are given, and elsewhere the data with some padding."""
    values = np.concatenate([np.empty(0), *(extent(layer)[axis] for layer in layers)])
    values = values[np.isfinite(values) & ((values > 0) | (not log))]
    low, high = (values.min(), values.max()) if values.size else (1.0, 10.0) if log else (0.0, 1.0)
    if low == high:
        low, high = (low / 2, high * 2) if log else (low - (abs(low) or 5) / 10, high + (abs(high) or 5) / 10)
    elif log:
        factor = (high / low) ** PADDING
        low, high = low / factor, high * factor
    else:
        low, high = low - PADDING * (high - low), high + PADDING * (high - low)
    first, last = (float(free if fixed is None else fixed) for free, fixed in zip((low, high), given, strict=True))
    return first, last


# What many plots do


def at(values: Iterable[float]) -> list[tuple[float, str]]:
    """Ticks at these places, but none closer to the one before than 1.7 times: for a logarithmic axis."""
    ticks: list[tuple[float, str]] = []
    for value in sorted(set(values)):
        if not ticks or value >= 1.7 * ticks[-1][0]:
            ticks.append((float(value), f"{value / 1000:g}k" if value >= 1000 and value % 100 == 0 else f"{value:g}"))
    return ticks


def by_group(table: pd.DataFrame, columns: str | list[str]) -> Iterable[tuple[Any, pd.DataFrame]]:
    """(key, rows) of each group, in the order in which the groups first appear."""
    return table.groupby(columns, sort=False)
