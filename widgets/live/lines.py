"""Lines, each over places of its own, and what may lie behind and on them: expected and measured in one figure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from bokeh.models import FixedTicker, Line, MultiLine, Range1d, Scatter, Segment, VArea
from bokeh.models.annotations import Span

from trustscope import colours
from trustscope.looks import Columns, looks_of, places
from trustscope.numbers import format_number
from trustscope.widgets.live.figure import numbers, per_cent
from trustscope.widgets.live.plot import GHOST_ALPHA, Plot

LOOKS = ("xs", "ys", "colour", "dash", "width", "name")
Numbers = Sequence[float] | np.ndarray | pd.Series
SPOKEN = 6  # lines that a summary tells of; the others are in the table


@dataclass(frozen=True)
class PlotLine:
    """One line: its name in the legend, its colour, its places and heights."""

    name: str
    colour: str
    x: Numbers
    y: Numbers
    dash: str = "solid"
    width: float = 2.2


@dataclass(frozen=True)
class Dots:
    """Measured points; `error` is one standard error, drawn twice to either side."""

    name: str
    colour: str
    x: Numbers
    y: Numbers
    error: Numbers = ()
    size: int = 8


class Lines(Plot):
    """Lines, dots with error bars, an area below, a band around, levels across, a mark upright: all but the first may
    be left out.

    Parameters
    ----------
    label : accessible name
    height, x_label, y_label : of the figure
    log : whether places are drawn on a logarithmic scale
    shares : whether heights are shares, written in per cent
    share_places : whether places are
    scaled : whether heights mean something; the height of a density does not, so it has no axis
    """

    def __init__(
        self, label, *, height=216, log=False, shares=True, share_places=False, scaled=True, x_label=" ", y_label=""
    ):
        self.x_range, self.y_range = Range1d(start=0.1, end=1), Range1d(start=0, end=1.02)
        super().__init__(
            label, height=height, x_range=self.x_range, y_range=self.y_range, x_label=x_label, y_label=y_label,
            x_axis_type="log" if log else "auto",
        )  # fmt: skip
        self._shares, self._share_places = shares, share_places
        fig = self.figure
        area, band = self.source("area", "x", "y"), self.source("band", "x", "low", "high")
        self.glyph(area, VArea(y1=0, y2="y", fill_color=colours.ORIGINAL, fill_alpha=0.28))
        self.glyph(band, VArea(y1="low", y2="high", fill_color=colours.RECIPIENTS[0], fill_alpha=0.2))
        for name, alpha in (("ghost", GHOST_ALPHA), ("lines", 1.0)):
            self.glyph(self.source(name, *LOOKS), MultiLine(
                line_color="colour", line_dash="dash", line_width="width", line_join="round",
                line_alpha=alpha,
            ))  # fmt: skip
        dots = self.source("dots", "x", "y", "low", "high", "colour", "size", "name")
        self.glyph(dots, Segment(x0="x", y0="low", x1="x", y1="high", line_color="colour", line_width=1.6))
        self.glyph(dots, Scatter(size="size", fill_color="colour", line_color="#ffffff", line_width=1.2))
        expected = self.source("expected", "x", "y")
        self.glyph(expected, Line(line_color=colours.NEUTRAL, line_width=2.5, line_dash=[6, 5]))
        self.glyph(expected, Scatter(size=9, fill_color="#ffffff", line_color=colours.NEUTRAL, line_width=2))
        self._shown_frame: tuple | None = None
        self._mark = Span(dimension="height", line_color=colours.NEUTRAL, line_dash=[3, 3], visible=False)
        fig.add_layout(self._mark)
        if shares:
            fig.yaxis.formatter = per_cent()
        if share_places:
            fig.xaxis.formatter = per_cent()
        if not scaled:
            fig.yaxis.visible = fig.ygrid.visible = False

    def draw(
        self, lines, dots=(), *, x_range, y_top=1.02, y_start=0.0, mark=None, ticks=None, x_label=None,
        area=None, band=None,
    ):  # fmt: skip
        """Draw.

        Parameters
        ----------
        lines, dots : sequences of PlotLine and of Dots
        x_range : the first and the last place
        y_start, y_top : the lowest and the highest height
        mark : where the upright line stands
        ticks : the places with a number
        area : places and heights of an area behind
        band : places, lower and upper heights
        """
        self.send("lines", _columns(lines))
        self.send_behind("lines")
        self.send("dots", self._spots(dots))
        self.send("area", dict(zip("xy", map(numbers, area or ([], [])), strict=True)))
        self.send("band", dict(zip(("x", "low", "high"), map(numbers, band or ([], [], [])), strict=True)))
        frame = float(x_range[0]), float(x_range[1]), float(y_start), float(y_top), mark
        if frame != self._shown_frame:  # Bokeh looks at each value that it is given, also where it is the same
            self._shown_frame = frame
            self.x_range.update(start=frame[0], end=frame[1])
            self.y_range.update(start=frame[2], end=frame[3])
            self._mark.update(visible=mark is not None, location=1.0 if mark is None else float(mark))
        if ticks is not None and self.ticks != (wanted := [float(t) for t in ticks]):
            self.figure.xaxis.ticker = FixedTicker(ticks=wanted)
        if x_label is not None:
            self.figure.xaxis[0].axis_label = x_label
        self.tell()

    def show_table(self, table: pd.DataFrame | Columns, ticks: Sequence[float] | None = None) -> None:
        """Draw a table as its looks say: the same series, colours, dashes, names and limits as its plot on paper."""
        looks, where = looks_of(table), np.asarray(places(table), dtype=float)

        def shown(column: str, *others: str) -> tuple[np.ndarray, ...]:
            """Where a column has a figure, what it is there, and what stands in other columns there."""
            columns = [np.asarray(table[name], dtype=float) for name in (column, *others)]
            known = ~np.isnan(columns[0])
            # Lines share their places as long as none of them leaves one out (`_columns`).
            return (where, *columns) if known.all() else (where[known], *(one[known] for one in columns))

        lines, dots, area = [], [], None
        for column, name, look in looks.named():
            error = looks.more.get("errors", {}).get(column)
            x, y, *spread = shown(column, *([] if error is None else [error]))
            if look.mark == "area":
                area = x, y
                continue
            if look.mark in ("dot", "points"):
                dots.append(Dots(name, look.colour, x, y, spread[0] if spread else ()))
            if look.mark in ("line", "points"):
                lines.append(PlotLine(name, look.colour, x, y, look.dash, look.width))
        dots += [Dots(*one) for one in looks.more.get("dots", ())]
        band = None
        if "around" in looks.more:
            x, y, half = shown(*looks.more["around"])
            band = x, np.maximum(y - half, 0), np.minimum(y + half, 1 if looks.y.share else np.inf)
        ends = looks.x.ends
        lines += [PlotLine(one.name, one.colour, ends, [one.value] * 2, one.dash, 1.5) for one in looks.levels]
        mark = looks.uprights[0].value if looks.uprights else None
        self.figure.yaxis[0].axis_label = looks.y.label
        self.draw(
            lines, dots, x_range=ends, y_start=looks.y.low, y_top=looks.y.high, mark=mark, area=area,
            band=band, ticks=looks.x.ticks or ticks, x_label=looks.x.label,
        )  # fmt: skip

    def expect(self, x: Sequence[float] = (), y: Sequence[float] = ()) -> None:
        """Draw what somebody expected, dashed and with open dots, until another curve or none is given."""
        self.send("expected", {"x": numbers(x), "y": numbers(y)})
        self.tell()

    @property
    def ticks(self) -> Sequence[float] | None:
        """The places with a number, where they are given."""
        ticker = self.figure.xaxis[0].ticker
        return ticker.ticks if isinstance(ticker, FixedTicker) else None

    def _spots(self, dots):
        spots: dict[str, list] = {"x": [], "y": [], "low": [], "high": [], "colour": [], "size": [], "name": []}
        for one in dots:
            y = np.asarray(one.y, dtype=float)
            reach = 2 * np.asarray(one.error if len(one.error) else np.zeros(len(y)), dtype=float)
            spots["x"] += numbers(one.x)
            spots["y"] += numbers(y)
            spots["low"] += numbers(np.maximum(y - reach, 0))
            spots["high"] += numbers(np.minimum(y + reach, 1.0) if self._shares else y + reach)
            for column, value in (("colour", one.colour), ("size", one.size), ("name", one.name)):
                spots[column] += [value] * len(y)
        return spots

    def summary(self) -> str:
        """Where each line begins and ends."""
        lines = self.columns_shown("lines")
        told = [
            self._told(name, x, y)
            for name, x, y in list(zip(lines["name"], lines["xs"], lines["ys"], strict=True))[:SPOKEN]
            if x
        ]
        more = len(lines["xs"]) - SPOKEN
        text = "; ".join(told) + (f"; and {more} more lines" if more > 0 else "")
        expected = self.columns_shown("expected")
        if expected["x"]:
            text += "; " + self._told("expected", expected["x"], expected["y"])
        return f"{text}." if text else ""

    def _told(self, name, x, y):
        places = [format_number(one, share=self._share_places) for one in (x[0], x[-1])]
        heights = [format_number(one, share=self._shares) for one in (y[0], y[-1])]
        top = int(np.argmax(y))
        peak = ""
        if 0 < top < len(y) - 1 and y[top] > 1.05 * max(y[0], y[-1]):
            highest, where = format_number(y[top], share=self._shares), format_number(x[top], share=self._share_places)
            peak = f", highest {highest} at {where}"
        start = f"{name}: " if name else ""
        return f"{start}{heights[0]} at {places[0]} to {heights[1]} at {places[1]}{peak}"


def _columns(lines):
    # Lines often share their places: these are rounded once.
    places = {id(one.x): numbers(one.x, 7) for one in {id(one.x): one for one in lines}.values()}
    return {
        "xs": [places[id(one.x)] for one in lines],
        "ys": [numbers(one.y) for one in lines],
        "colour": [one.colour for one in lines],
        "dash": [one.dash for one in lines],
        "width": [one.width for one in lines],
        "name": [one.name for one in lines],
    }
