"""Two clouds of the same records side by side, and lines between them."""

from dataclasses import dataclass, field

import numpy as np
import panel as pn
import param
from bokeh.models import Arrow, ColumnDataSource, Label, Range1d, TapTool, VeeHead

from trustscope import colours
from trustscope.widgets.figure import numbers, plain

GAP = 0.32  # between the two squares, each of side 1
FRAME = 0.05  # air inside a square


@dataclass(frozen=True)
class Side:
    """One cloud: points (rows, 2), a colour for each, the names of its two axes and a title."""

    title: str
    points: np.ndarray
    colour: list[str]
    axes: tuple[str, str]
    arrows: list = field(default_factory=list)  # (x, y, colour, dashed): from the middle of the cloud


class Twin(pn.viewable.Viewer):
    """`tapped` is the number of the left point that was clicked last, or -1."""

    tapped = param.Integer(default=-1, doc="The left point that was clicked.")

    def __init__(self, label: str, *, height: int = 300, taps: bool = False, arrows: int = 0):
        super().__init__()
        fig = self.figure = plain(
            label, height=height, x_range=Range1d(-0.1, 2 + GAP + 0.1), y_range=Range1d(-0.13, 1.1)
        )
        fig.axis.visible = fig.grid.visible = False
        fig.min_border_left = fig.min_border_right = 0
        fig.rect([0.5, 1.5 + GAP], [0.5, 0.5], 1, 1, fill_color=None, line_color=colours.NEUTRAL, line_alpha=0.45)
        self._links = ColumnDataSource({"x0": [], "y0": [], "x1": [], "y1": [], "colour": [], "dash": [], "width": []})
        self._left, self._right = (
            ColumnDataSource({"x": [], "y": [], "colour": [], "size": [], "alpha": [], "edge": []}) for _ in range(2)
        )
        fig.segment(
            "x0", "y0", "x1", "y1", source=self._links, line_color="colour", line_dash="dash", line_width="width",
            line_alpha=0.85,
        )  # fmt: skip
        for source in (self._left, self._right):
            looks = {
                "size": "size", "fill_color": "colour", "fill_alpha": "alpha", "line_color": "edge", "line_width": 1.2,
                "nonselection_fill_alpha": "alpha", "nonselection_line_alpha": 1.0,
            }  # fmt: skip
            drawn = fig.scatter("x", "y", source=source, **looks)
            if taps and source is self._left:
                fig.add_tools(TapTool(renderers=[drawn]))
                source.selected.on_change("indices", self._tap)
        self._texts = [self._text(x, y, **more) for x, y, more in self._places()]
        self._arrows = [[self._arrow() for _ in range(arrows)] for _ in range(2)]
        self._drawn, self._order = None, np.arange(0)
        self._first, self._hit = frozenset(), ((), -1)
        self._pane = pn.pane.Bokeh(fig, sizing_mode="stretch_width")

    @staticmethod
    def _places():
        for left in (0.0, 1 + GAP):
            yield left + 0.5, 1.02, {"text_font_style": "bold"}
            yield left + 0.5, -0.015, {"text_baseline": "top"}
            # On the outer side, where no line runs.
            yield (left - 0.03 if left == 0 else left + 1.07), 0.5, {"angle": np.pi / 2}

    def _text(self, x, y, **more):
        label = Label(
            x=x, y=y, text="", text_align="center", text_font_size="12px", text_color=colours.NEUTRAL,
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
            self._left.selected.indices = []

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

    def show(self, left: Side, right: Side, *, links=(), marked=(), pairs=(), first=()):
        """Draw.

        Parameters
        ----------
        links : (left point, right point, colour, dash) for each line between the clouds
        marked : (left point or None, right point or None, colour): drawn large
        pairs : (side, first point, second point, colour): lines within the left cloud (side 0) or the right one (1)
        first : left points that a click prefers where several lie on one another
        """
        self._first = frozenset(first)
        places = [_placed(left.points, 0.0), _placed(right.points, 1 + GAP)]
        sources = []
        for number, (side, (spots, _, _)) in enumerate(zip((left, right), places, strict=True)):
            size, alpha = np.full(len(spots), 4.5), np.full(len(spots), 0.55)
            colour, edge = list(side.colour), [None] * len(spots)
            for mark in marked:
                if mark[number] is not None:
                    size[mark[number]], alpha[mark[number]] = 11, 1.0
                    colour[mark[number]], edge[mark[number]] = mark[2], "#ffffff"
            # Marked points last, in their order, so that none hides them.
            rank = np.zeros(len(spots))
            for place, mark in enumerate(marked, start=1):
                if mark[number] is not None:
                    rank[mark[number]] = place
            order = np.argsort(rank, kind="stable")
            if not number:
                self._order = order
            sources.append(
                {
                    "x": numbers(spots[order, 0]), "y": numbers(spots[order, 1]), "size": size[order].tolist(),
                    "alpha": alpha[order].tolist(), "colour": [colour[i] for i in order],
                    "edge": [edge[i] or "rgba(0,0,0,0)" for i in order],
                }
            )  # fmt: skip
        lines = _segments(links, pairs, places)
        new = (*sources, lines)
        if new != self._drawn:
            self._drawn = new
            self._left.data, self._right.data, self._links.data = (dict(one) for one in new)
        words = [text for side in (left, right) for text in (side.title, *side.axes)]
        for label, text in zip(self._texts, words, strict=True):
            label.text = text
        for side, place, arrows in zip((left, right), places, self._arrows, strict=True):
            self._show_arrows(side, place, arrows)

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

    def __panel__(self):
        return self._pane


def _placed(points, left):
    """Points fitted into the unit square that begins at `left`, the least corner, and the scale."""
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.ones(2))
    width = np.where(high > low, high - low, 1.0)
    scale = (1 - 2 * FRAME) / width
    return (points - low) * scale + FRAME + np.array([left, 0.0]), low, scale


def _segments(links, pairs, places):
    lines = {"x0": [], "y0": [], "x1": [], "y1": [], "colour": [], "dash": [], "width": []}

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
