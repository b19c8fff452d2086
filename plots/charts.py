"""The kinds of plots that several pages share. Each takes a table with its looks."""

from collections.abc import Sequence
from typing import Any

import holoviews as hv
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from trustscope import colours
from trustscope.looks import Axis, Look, Looks, looks_of, places, row_names
from trustscope.numbers import format_number
from trustscope.plots import elements as e
from trustscope.plots.theme import LIGHT

MOST_ROWS = 40  # rows with a name; of more, the first
APART = "\N{NO-BREAK SPACE}"  # between a bar and its value: browsers drop a space with which a text in a drawing begins
VALUE = 0.08  # of the longest bar: the room that a value takes
MOST_COALITIONS = 15  # of four recipients: each has a row with a name; of more, a dot


def curves(table: pd.DataFrame) -> hv.Overlay:
    """Columns over places: lines, dots and areas, with lines across and upright where a limit or a baseline is."""
    looks, where = looks_of(table), places(table)
    layers = [] if looks.band is None else [e.band(looks.band[0], looks.band[1], name=looks.band[2])]
    most = 1.0 if looks.y.share else np.inf
    if "around" in looks.more:
        column, half = looks.more["around"]
        known = table[column].notna()
        y, spread = table[column][known], table[half][known]
        layers.append(e.ribbon(where[known], (y - spread).clip(lower=0), (y + spread).clip(upper=most),
                               looks.series[column].colour))  # fmt: skip
    for column, name, look in looks.named():
        if column in looks.more.get("errors", ()):
            error = 2 * table[looks.more["errors"][column]]
            layers.append(e.whiskers(where, table[column], error, look.colour, (0, most)))
        layers += draw_series(where, table[column], look, name)
    for name, colour, x, y, error in looks.more.get("dots", ()):
        layers += [e.whiskers(x, y, 2 * np.asarray(error), colour), e.dots(x, y, colour, name)]
    return framed([*layers, *marks(looks)], looks)


def draw_series(x: ArrayLike, y: ArrayLike, look: Look, name: str) -> list[Any]:
    """One series, as its look says; places without a figure are left out of lines."""
    x, y = np.asarray(x), np.asarray(y)
    known = pd.notna(y)
    x, y = x[known], y[known]
    if look.mark == "area":
        return [e.area(x, y, look.colour, name)]
    if look.mark in ("dot", "hollow"):
        return [e.dots(x, y, look.colour, name, hollow=look.mark == "hollow", marker=look.marker)]
    line = e.line(x, y, look.colour, name, look.dash, look.width)
    return [line, e.dots(x, y, look.colour, marker=look.marker)] if look.mark == "points" else [line]


def marks(looks: Looks) -> list[Any]:
    """Lines across, and lines from the bottom to the top."""
    across = [e.level(one.value, one.colour, one.dash, one.name) for one in looks.levels]
    return across + [e.upright(one.value, one.colour, one.dash, one.name) for one in looks.uprights]


def framed(layers: list[Any], looks: Looks, **more: Any) -> hv.Overlay:
    """A panel with the axes that the table says."""
    x, y = looks.x, looks.y
    log = ("x" if x.log else "") + ("y" if y.log else "")
    ticks = [(tick, f"{tick:g}") for tick in x.ticks] or None
    return e.panel(layers, **{
        "x": x.label, "y": y.label, "x_range": (x.low, x.high), "y_range": (y.low, y.high), "log": log,
        "shares": y.share, "x_shares": x.share, "ticks": ticks, **more,
    })  # fmt: skip


def people(table: pd.DataFrame) -> hv.Overlay:
    """A few people as dots, a row for each series; who is not caught is an empty dot."""
    looks, layers, names = looks_of(table), [], []
    for row, (column, name, look) in enumerate(looks.named()):
        lit = table[column].to_numpy(dtype=bool)
        x = np.arange(1, len(table) + 1, dtype=float)
        layers.append(e.dots(x[~lit], np.full((~lit).sum(), float(row)), colours.NEUTRAL, hollow=True, size=9))
        layers.append(e.dots(x[lit], np.full(lit.sum(), float(row)), look.colour, size=9))
        names.append(f"{name}: {lit.sum()}")
    return e.rows(names, layers, x=looks.x.label or "people, always in the same order", top=len(table) + 1.0)


def bars(table: pd.DataFrame) -> hv.Overlay:
    """A row for each row of the table, with a bar or a dot for each series and the value at its end."""
    looks = looks_of(table)
    table = table.head(looks.more.get("drawn", MOST_ROWS))
    wide = [(column, name, look) for column, name, look in looks.named() if look.mark == "block"]
    ranges = {column: [np.maximum(table[end], 0.0) for end in ends]
              for column, ends in looks.more.get("ranges", {}).items()}  # fmt: skip
    layers = []
    for number, (column, name, look) in enumerate(wide):
        where = _offsets(len(table), number, len(wide))
        layers += beams_with_values(table[column], where, look, name, looks.x, [*ranges.values()])
    for column, name, look in looks.named():
        if look.mark != "block":
            rows = np.arange(len(table))
            if column in ranges:
                low, high = ranges[column]
                layers.append(e.segments(low, rows, high, rows, look.colour, width=2.5))
            layers.append(e.dots(table[column], rows, look.colour, name, marker=look.marker))
    hatches = {name: look.hatch for _, name, look in wide if look.hatch}
    return e.rows(row_names(table), [*layers, *marks(looks)], x=looks.x.label, top=looks.x.high,
                  shares=looks.x.share, hatches=hatches)  # fmt: skip


def _offsets(rows: int, number: int, many: int) -> tuple[np.ndarray, float]:
    """Where the bars of one of several series stand, and how broad they are."""
    broad = 0.76 / many
    slim = 0.94 if many == 1 else 0.84  # the value of a short bar must not touch a longer one above it
    return np.arange(rows) + (number - (many - 1) / 2) * broad, slim * broad


def beams_with_values(
    values: ArrayLike, at: tuple[np.ndarray, float], look: Look, name: str, axis: Axis, ranges: Sequence[Any] = (),
) -> list[Any]:  # fmt: skip
    """Level bars, each with its value at its end, or behind a range (from, to) that would cross it."""
    values = np.asarray(values, dtype=float)
    where, broad = at
    written = [f"{APART}{format_number(value, share=axis.share)}" for value in values]
    ends = np.nan_to_num(np.minimum(values, np.inf if axis.high is None else axis.high))
    for low, high in ranges:
        room = VALUE * max(ends.max(initial=0.0), np.nanmax(high, initial=0.0))
        ends = np.where((low < ends + room) & (ends < high), high, ends)
    return [e.beams(np.nan_to_num(values), where, look.colour, name, broad), e.texts(ends, where, written, LIGHT.text)]


def coalitions(table: pd.DataFrame) -> hv.Overlay:
    """Every coalition: a row for each where there are few, else a dot over the number of its members."""
    if len(table) <= MOST_COALITIONS:
        return bars(table)
    looks = looks_of(table)
    sizes, many = table[looks.more["sizes"]], len(looks.series)
    layers = [
        e.dots(sizes + (place - (many - 1) / 2) * 0.2, table[column], look.colour, name, size=6, marker=look.marker)
        for place, (column, name, look) in enumerate(looks.named())
    ]
    x = looks.x
    return e.panel([*layers, *(e.level(m.value, m.colour, m.dash, m.name) for m in looks.uprights)],
                   x="recipients in the coalition", y=x.label, y_range=(x.low, x.high), shares=x.share,
                   ticks=[(size, str(size)) for size in range(1, int(sizes.max()) + 1)])  # fmt: skip


def clouds(table: pd.DataFrame) -> hv.Overlay:
    """Points over two columns, in a colour for each series: what the first column names."""
    looks = looks_of(table)
    across, upwards = table.columns[1:3]
    layers = []
    for _, name, look in looks.named():
        some = table[table[looks.at] == name]
        layers.append(e.dots(some[across], some[upwards], look.colour, name, size=4, alpha=0.55, marker=look.marker))
    return framed([*layers, *marks(looks)], looks)


def tradeoff(table: pd.DataFrame) -> hv.Overlay:
    """Usefulness to the right, privacy upwards: a line for each scheme, the present point, and kept ones."""
    looks = looks_of(table)
    useful, private = table.columns[2:4]
    layers = []
    for _, name, look in looks.named():
        some = table[(table[looks.at] == name) & np.isfinite(table[useful]) & np.isfinite(table[private])]
        layers += draw_series(some[useful], some[private], look, name)
    ends = [(axis.high, axis.low) if backwards else (axis.low, axis.high)
            for axis, backwards in zip((looks.x, looks.y), looks.more["backwards"], strict=True)]  # fmt: skip
    return framed([*layers, *marks(looks)], looks, x_range=ends[0], y_range=ends[1])


def heat(table: pd.DataFrame) -> hv.Overlay:
    """A figure over two parameters as shades, with a line at a limit and a ring where the page stands."""
    looks = looks_of(table)
    rows, columns = looks.more["shape"]
    across, upwards, figure = table.columns[:3]
    values = table[figure].to_numpy(dtype=float).reshape(rows, columns)
    texts = [list(dict.fromkeys(table[name])) for name in (across, upwards)]
    layers = [e.shades(values, figure)]
    if looks.more["limit"] is not None:
        layers.append(e.contour(values, looks.more["limit"], f"at {format_number(looks.more['limit'], share=True)}"))
    if looks.more["here"] is not None:
        x, y = looks.more["here"]
        layers.append(e.dots([x], [y], colours.GUESS, "you are here", size=13, hollow=True))
    step = max(1, columns // 6)
    return e.panel(layers, x=across, y=upwards, x_range=(-0.5, columns - 0.5), y_range=(-0.5, rows - 0.5),
                   ticks=list(enumerate(texts[0]))[::step], y_ticks=list(enumerate(texts[1]))[:: max(1, rows // 6)],
                   title=figure)  # fmt: skip


def written(table: pd.DataFrame) -> hv.Table:
    """The table itself."""
    return e.sheet(table.head(MOST_ROWS))
