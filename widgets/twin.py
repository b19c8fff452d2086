"""Two clouds of the same records side by side, and lines between them."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import param
from bokeh.models import Arrow, Label, Range1d, TapTool, VeeHead

from trustscope import colours
from trustscope.widgets.figure import numbers, said
from trustscope.widgets.plot import GHOST_ALPHA, Plot

GAP = 0.32  # between the two squares, each of side 1
# What the figure shows: both squares and their names, with two lines below that are large while presenting.
ACROSS, UPWARDS = (-0.16, 2 + GAP + 0.16), (-0.3, 1.16)
FRAME = 0.05  # air inside a square
SIDES = ("left", "right")
POINTS = ("x", "y", "colour", "size", "alpha", "edge")
LINKS = ("x0", "y0", "x1", "y1", "colour", "dash", "width")


@dataclass(frozen=True)
class Side:
    """One cloud: points (rows, 2), a colour for each, the names of its two axes and a title."""

    title: str
    points: np.ndarray
    colour: list[str]
    axes: tuple[str, str]
    arrows: list = field(default_factory=list)  # (x, y, colour, dashed): from the middle of the cloud


class Twin(Plot):
    """`tapped` is the number of the left point that was clicked last, or -1."""

    tapped = param.Integer(default=-1, doc="The left point that was clicked.")

    def __init__(self, label: str, *, height: int = 300, taps: bool = False, arrows: int = 0):
        super().__init__(label, height=height, pointed=taps, x_range=Range1d(*ACROSS), y_range=Range1d(*UPWARDS))
        fig = self.figure
        fig.axis.visible = fig.grid.visible = False
        fig.min_border_left = fig.min_border_right = 0
        fig.rect([0.5, 1.5 + GAP], [0.5, 0.5], 1, 1, fill_color=None, line_color=colours.NEUTRAL, line_alpha=0.45)
        fig.segment(
            "x0", "y0", "x1", "y1", source=self.source("links", *LINKS), line_color="colour", line_dash="dash",
            line_width="width", line_alpha=0.85,
        )  # fmt: skip
        fig.scatter(
            "x", "y", source=self.source("ghost", "x", "y"), size=6, fill_color=None, line_color=colours.NEUTRAL,
            line_alpha=GHOST_ALPHA,
        )  # fmt: skip
        for name in SIDES:
            looks = {
                "size": "size", "fill_color": "colour", "fill_alpha": "alpha", "line_color": "edge", "line_width": 1.2,
                "nonselection_fill_alpha": "alpha", "nonselection_line_alpha": 1.0,
            }  # fmt: skip
            drawn = fig.scatter("x", "y", source=self.source(name, *POINTS), **looks)
            if taps and name == "left":
                fig.add_tools(TapTool(renderers=[drawn]))
                drawn.data_source.selected.on_change("indices", self._tap)
        self._texts = [self._text(x, y, **more) for x, y, more in self._places()]
        self._arrows = [[self._arrow() for _ in range(arrows)] for _ in range(2)]
        self._order, self._links, self._both = np.arange(0), 0, ()
        self._first, self._hit = frozenset(), ((), -1)

    @staticmethod
    def _places():
        for left in (0.0, 1 + GAP):
            yield left + 0.5, 1.02, {"text_font_style": "bold"}
            yield left + 0.5, -0.015, {"text_baseline": "top"}
            # On the outer side, where no line runs.
            first = left == 0
            yield (
                left - 0.03 if first else left + 1.03,
                0.5,
                {"angle": np.pi / 2, "text_baseline": "bottom" if first else "top"},
            )

    def _text(self, x, y, **more):
        label = Label(
            x=x, y=y, text="", text_align="center", text_font_size="14px", text_color=colours.NEUTRAL,
            text_font="Inter, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif", **more,
        )  # fmt: skip
        self.figure.add_layout(label)
        return label

    def _arrow(self):
        arrow = Arrow(
            end=VeeHead(size=9, line_color=None), x_start=0, y_start=0, x_end=0, y_end=0, line_width=2.6, visible=False
        )
        self.figure.add_layout(arrow)
        return arrow

    def _tap(self, attribute, old, new):
        if new:
            self.tapped = -1  # the same point twice is two clicks
            self.tapped = self._picked(sorted(int(self._order[i]) if i < len(self._order) else i for i in new))
            self._sources["left"].selected.indices = []

    def _picked(self, hit):
        """Of points that lie on one another: one of the first ones, or else each in turn."""
        first = [i for i in hit if i in self._first]
        if first:
            return first[0]
        # After a click on the same spot, the next one.
        hit_before, last = self._hit
        point = next((i for i in hit if i > last), hit[0]) if set(hit) & set(hit_before) else hit[0]
        self._hit = hit, point
        return point

    def show(self, left: Side, right: Side, *, links=(), marked=(), pairs=(), first=(), ghost=None):
        """Draw.

        Parameters
        ----------
        links : (left point, right point, colour, dash) for each line between the clouds
        marked : (left point or None, right point or None, colour): drawn large
        pairs : (side, first point, second point, colour): lines within the left cloud (side 0) or the right one (1)
        first : left points that a click prefers where several lie on one another
        ghost : the right points of a kept scenario, on the scale of the present ones
        """
        if self.beside is not None:
            ghost = self.beside.right_points
        self._first, self._both, self._links = frozenset(first), (left, right), len(links)
        places = [_placed(left.points, 0.0), _placed(right.points, 1 + GAP)]
        for number, (name, side) in enumerate(zip(SIDES, (left, right), strict=True)):
            order = _order(len(side.points), marked, number)
            if not number:
                self._order = order
            self.send(name, _cloud(side, places[number][0], marked, number, order))
        self.send("links", _segments(links, pairs, places))
        self.send("ghost", _behind(ghost, *places[1][1:]))
        # Below a square, what is shown and its range stand on two lines: squares are narrow on a phone.
        words = [
            text
            for side in (left, right)
            for text in (side.title, "\n".join(side.axes[0].rsplit(", ", 1)), side.axes[1])
        ]
        for label, text in zip(self._texts, words, strict=True):
            label.text = text
        for side, place, arrows in zip((left, right), places, self._arrows, strict=True):
            self._show_arrows(side, place, arrows)
        self.tell()

    @property
    def right_points(self) -> np.ndarray | None:
        """The points of the right cloud, in their own units."""
        return self._both[1].points if self._both else None

    @staticmethod
    def _show_arrows(side, place, arrows):
        _, low, scale = place
        middle = side.points.mean(axis=0) if len(side.points) else np.zeros(2)
        offset = np.array([0.0 if place[0][:, 0].max(initial=0) <= 1 else 1 + GAP, 0.0]) + FRAME
        for number, arrow in enumerate(arrows):
            if number >= len(side.arrows):
                arrow.visible = False
                continue
            x, y, colour, dashed = side.arrows[number]
            ends = [(middle + part - low) * scale + offset for part in (np.zeros(2), np.array([x, y]))]
            arrow.update(
                x_start=float(ends[0][0]), y_start=float(ends[0][1]), x_end=float(ends[1][0]), y_end=float(ends[1][1]),
                line_color=colour, line_dash="dashed" if dashed else "solid", visible=True,
            )  # fmt: skip
            arrow.end.fill_color = colour

    def summary(self) -> str:
        """How many points there are on both sides, over what, and how many are linked."""
        if not self._both:
            return ""
        told = [f"{side.title}: {said(len(side.points))} points over {' and '.join(side.axes)}" for side in self._both]
        lines = f"; {self._links} linked by lines" if self._links else ""
        return f"{'; '.join(told)}{lines}."

    def table(self) -> pd.DataFrame:
        """Both clouds in their own units."""
        parts = [
            pd.DataFrame({"cloud": side.title, "point": np.arange(1, len(side.points) + 1),
                          "x": side.points[:, 0], "y": side.points[:, 1]})
            for side in self._both
        ]  # fmt: skip
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame({"cloud": [], "x": [], "y": []})


def _order(count, marked, number):
    """Marked points last, in their order, so that none hides them."""
    rank = np.zeros(count)
    for place, mark in enumerate(marked, start=1):
        if mark[number] is not None:
            rank[mark[number]] = place
    return np.argsort(rank, kind="stable")


def _cloud(side, spots, marked, number, order):
    """The columns of one cloud."""
    size, alpha = np.full(len(spots), 4.5), np.full(len(spots), 0.55)
    colour, edge = list(side.colour), ["rgba(0,0,0,0)"] * len(spots)
    for mark in marked:
        if mark[number] is not None:
            size[mark[number]], alpha[mark[number]] = 11, 1.0
            colour[mark[number]], edge[mark[number]] = mark[2], "#ffffff"
    return {
        "x": numbers(spots[order, 0]), "y": numbers(spots[order, 1]), "size": size[order].tolist(),
        "alpha": alpha[order].tolist(), "colour": [colour[i] for i in order], "edge": [edge[i] for i in order],
    }  # fmt: skip


def _behind(ghost, low, scale):
    """Points of a kept scenario in the right square; what lies outside of it is left out."""
    spots = (np.empty((0, 2)) if ghost is None else np.asarray(ghost) - low) * scale + FRAME
    inside = np.all((spots >= 0) & (spots <= 1), axis=1)
    return {"x": numbers(spots[inside, 0] + 1 + GAP), "y": numbers(spots[inside, 1])}


def _placed(points, left):
    """Points fitted into the unit square that begins at `left`, the least corner, and the scale."""
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.ones(2))
    width = np.where(high > low, high - low, 1.0)
    scale = (1 - 2 * FRAME) / width
    return (points - low) * scale + FRAME + np.array([left, 0.0]), low, scale


def _segments(links, pairs, places):
    lines = {name: [] for name in LINKS}

    def add(start, end, colour, dash, width):
        for name, value in zip(("x0", "y0", "x1", "y1"), (*start, *end), strict=True):
            lines[name].append(round(float(value), 4))
        lines["colour"].append(colour)
        lines["dash"].append(dash)
        lines["width"].append(width)

    for a, b, colour, dash in links:
        add(places[0][0][a], places[1][0][b], colour, dash, 1.4)
    for side, a, b, colour in pairs:
        add(places[side][0][a], places[side][0][b], colour, "solid", 2.4)
    return lines
