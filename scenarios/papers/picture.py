"""The few shapes that figures on paper consist of, as plain values: those of the papers, and those of reports.

A record describes its figure with the functions below. Nothing is drawn here: `svg.py` draws a picture into a file, and
the Papers page draws it on the screen. Both take the limits of the axes and the legend from here.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from trustscope import colours

PALETTE = colours.RECIPIENTS
TEXT = "#566375"  # the colour of what is written, and of whiskers that belong to no series
PADDING = 0.05  # free space between the data and each end of an axis, as a share of the axis
MARKS = {"solid": "line", "dashed": "dashed", "dotted": "dotted"}  # how the legend shows a kind of line


@dataclass(frozen=True, eq=False)
class Line:
    """A curve through the points; `dash` is solid, dashed or dotted."""

    x: np.ndarray
    y: np.ndarray
    colour: str
    name: str = ""
    dash: str = "solid"
    width: float = 2.0

    @property
    def mark(self) -> str:
        """How the legend shows it."""
        return MARKS[self.dash]

    def extent(self) -> tuple:
        """The x values and the y values that the axes have to show."""
        return self.x, self.y


@dataclass(frozen=True, eq=False)
class Dots:
    """Points; `size` is their diameter on the screen, in pixels."""

    x: np.ndarray
    y: np.ndarray
    colour: str
    name: str = ""
    size: float = 7
    hollow: bool = False
    mark: ClassVar[str] = "dot"

    def extent(self) -> tuple:
        """The x values and the y values that the axes have to show."""
        return self.x, self.y


@dataclass(frozen=True, eq=False)
class Whiskers:
    """Upright strokes from `low` to `high`; they have no name and no place in the legend."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    colour: str
    name: ClassVar[str] = ""

    def extent(self) -> tuple:
        """The x values and the y values that the axes have to show."""
        return self.x, np.concatenate([self.low, self.high])


@dataclass(frozen=True, eq=False)
class Sticks:
    """Upright bars from `base` to `y`; `width` is measured along the x axis."""

    x: np.ndarray
    y: np.ndarray
    colour: str
    name: str = ""
    width: float = 0.8
    base: float = 0.0
    mark: ClassVar[str] = "block"

    def extent(self) -> tuple:
        """The x values and the y values that the axes have to show."""
        return np.concatenate([self.x - self.width / 2, self.x + self.width / 2]), np.append(self.y, self.base)


@dataclass(frozen=True, eq=False)
class Beams:
    """Level bars from 0 to `x`, for rows that have names; `width` is measured along the y axis."""

    x: np.ndarray
    y: np.ndarray
    colour: str
    name: str = ""
    width: float = 0.7
    mark: ClassVar[str] = "block"

    def extent(self) -> tuple:
        """The x values and the y values that the axes have to show."""
        return np.append(self.x, 0.0), np.concatenate([self.y - self.width / 2, self.y + self.width / 2])


@dataclass(frozen=True)
class Level:
    """A line across the whole panel; it does not widen the axis."""

    y: float
    colour: str
    dash: str = "dashed"
    name: ClassVar[str] = ""

    def extent(self) -> tuple:
        """Nothing that the axes have to show."""
        return (), ()


@dataclass(frozen=True)
class Upright:
    """A dashed line from the bottom to the top of the panel; it does not widen the axis."""

    x: float
    colour: str
    name: ClassVar[str] = ""

    def extent(self) -> tuple:
        """Nothing that the axes have to show."""
        return (), ()


Layer = Line | Dots | Whiskers | Sticks | Beams | Level | Upright


@dataclass(frozen=True, eq=False)
class Panel:
    """Layers over one another, drawn in their order, on one pair of axes.

    Parameters
    ----------
    layers : what is drawn
    x, y : the names of the axes
    title : what stands above
    x_range, y_range : (low, high); None leaves an end to the data
    ticks : (place, text) pairs on the x axis; None leaves them to who draws
    log : which axes are logarithmic: "", "x", "y" or "xy"
    shares : whether y is to be read in per cent; x, where there are rows
    rows : names of rows from the top on, where the panel has rows in place of a y axis
    """

    layers: tuple[Layer, ...]
    x: str
    y: str
    title: str = ""
    x_range: tuple = (None, None)
    y_range: tuple = (None, None)
    ticks: tuple[tuple[float, str], ...] | None = None
    log: str = ""
    shares: bool = False
    rows: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """One line that says what is drawn, for those who do not see it."""
        words = " ".join(part for part in (self.title, self.y, "by", self.x) if part)
        return words.removesuffix(" by")

    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """(low, high) of the x axis and of the y axis."""
        extents = [layer.extent() for layer in self.layers]
        x, y = (np.concatenate([np.empty(0), *(part[axis] for part in extents)]) for axis in (0, 1))
        return _limits(x, self.x_range, "x" in self.log), _limits(y, self.y_range, "y" in self.log)


@dataclass(frozen=True, eq=False)
class Picture:
    """Panels beside one another, and below where a row is full. A notebook shows it as a drawing."""

    panels: tuple[Panel, ...]

    @property
    def columns(self) -> int:
        """How many panels stand in a row."""
        return min(len(self.panels), 2 if len(self.panels) in (2, 4) else 3)

    @property
    def legend(self) -> list[tuple[str, str, str]]:
        """(name, colour, mark) of every layer that has a name, in the order of drawing, each name once."""
        entries = {}
        for panel in self.panels:
            for layer in panel.layers:
                if layer.name:
                    entries.setdefault(layer.name, (layer.name, layer.colour, layer.mark))
        return list(entries.values())

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        from trustscope.scenarios.papers.svg import drawn

        return drawn(self)


def _limits(values, given, log) -> tuple[float, float]:
    """The range of an axis: the ends that are given, and elsewhere the data with some padding."""
    values = values[np.isfinite(values) & ((values > 0) | (not log))]
    low, high = (values.min(), values.max()) if values.size else (1.0, 10.0) if log else (0.0, 1.0)
    if low == high:
        low, high = (low / 2, high * 2) if log else (low - (abs(low) or 5) / 10, high + (abs(high) or 5) / 10)
    elif log:
        factor = (high / low) ** PADDING
        low, high = low / factor, high * factor
    else:
        low, high = low - PADDING * (high - low), high + PADDING * (high - low)
    return tuple(float(free if fixed is None else fixed) for free, fixed in zip((low, high), given, strict=True))


# What records and reports call


def line(x, y, colour, name="", dash="solid", width=2.0) -> Line:
    """A curve; dash is solid, dashed or dotted."""
    return Line(np.asarray(x, dtype=float), np.asarray(y, dtype=float), colour, name, dash, width)


def dots(x, y, colour, name="", size=7, hollow=False) -> Dots:
    """Points."""
    return Dots(np.asarray(x, dtype=float), np.asarray(y, dtype=float), colour, name, size, hollow)


def whiskers(x, y, spread, colour, within=(-np.inf, np.inf)) -> Whiskers:
    """An upright stroke of `spread` on either side of each point, cut off where no value can be."""
    x, y, spread = np.asarray(x, dtype=float), np.asarray(y, dtype=float), np.nan_to_num(np.asarray(spread, float))
    return Whiskers(x, np.maximum(y - spread, within[0]), np.minimum(y + spread, within[1]), colour)


def steps(left, right, y, colour, name="", dash="solid") -> Line:
    """The outline of a histogram."""
    left, right, y = (np.asarray(a, dtype=float) for a in (left, right, y))
    return line(np.column_stack([left, right]).ravel(), np.repeat(y, 2), colour, name, dash)


def sticks(x, y, colour, name="", width=0.8, base=0.0) -> Sticks:
    """Upright bars from `base`."""
    return Sticks(np.asarray(x, dtype=float), np.asarray(y, dtype=float), colour, name, width, base)


def beams(x, y, colour, name="", width=0.7) -> Beams:
    """Level bars at these rows."""
    return Beams(np.asarray(x, dtype=float), np.asarray(y, dtype=float), colour, name, width)


def level(y, colour=colours.NEUTRAL, dash="dashed") -> Level:
    """A line across the whole panel."""
    return Level(float(y), colour, dash)


def upright(x, colour=colours.NEUTRAL) -> Upright:
    """A line from the bottom to the top."""
    return Upright(float(x), colour)


def panel(layers, *, x, y, title="", x_range=None, y_range=None, ticks=None, log="", shares=False) -> Picture:
    """A picture of one panel; the parameters are those of `Panel`."""
    free = (None, None)
    ticks = None if ticks is None else tuple((float(place), str(text)) for place, text in ticks)
    return Picture((Panel(tuple(layers), x, y, title, x_range or free, y_range or free, ticks, log, shares),))


def rows(names, layers, *, x, title="", top=None, shares=False) -> Picture:
    """A picture of rows with names, the first on top; layers stand at the rows' numbers, from 0 on."""
    names = tuple(map(str, names))
    first_on_top = (len(names) - 0.5, -0.5)
    return Picture((Panel(tuple(layers), x, "", title, (0.0, top), first_on_top, shares=shares, rows=names),))


def row(*pictures: Picture) -> Picture:
    """The panels of these pictures beside one another."""
    return Picture(tuple(part for picture in pictures for part in picture.panels))


def at(values) -> list[tuple[float, str]]:
    """Ticks at these places, but none closer to the one before than 1.7 times: for a logarithmic axis."""
    ticks = []
    for value in sorted(set(values)):
        if not ticks or value >= 1.7 * ticks[-1][0]:
            ticks.append((float(value), f"{value / 1000:g}k" if value >= 1000 and value % 100 == 0 else f"{value:g}"))
    return ticks


def by_group(table: pd.DataFrame, columns):
    """(key, rows) of each group, in the order in which the groups first appear."""
    return table.groupby(columns, sort=False)


def compare(table: pd.DataFrame, *, x: str = "", y: str, shares=False, log="") -> Picture:
    """What is printed, what is right and what was measured, side by side.

    Parameters
    ----------
    table : DataFrame
        case (text), printed, right and measured (any may be missing), standard_error (optional).
    """
    places = np.arange(len(table))
    layers = []
    looks = {"printed": (colours.SCHEMES["independent"], -0.12), "right": (colours.SCHEMES["nested"], 0.0)}
    for name, (colour, offset) in looks.items():
        if name in table:
            layers.append(dots(places + offset, table[name], colour, f"{name}, by the formula", size=11))
    if "measured" in table:
        if "standard_error" in table:
            layers.append(whiskers(places + 0.12, table["measured"], 2 * table["standard_error"], TEXT))
        layers.append(dots(places + 0.12, table["measured"], colours.NEUTRAL, "measured", size=8))
    ticks = list(zip(places, table["case"].astype(str), strict=True))
    return panel(layers, x=x, y=y, ticks=ticks, shares=shares, log=log, x_range=(-0.5, len(table) - 0.5))
