"""Two clouds of the same records side by side, and lines between them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import param

from trustscope import colours
from trustscope.numbers import format_number
from trustscope.widgets.scenes.drawing import Scene, scene_script, scene_styles

FRAME = 0.05  # air inside a cloud's frame, whose sides are 1


@dataclass(frozen=True)
class Side:
    """One cloud: points (rows, 2), a colour for each, the names of its two axes and a title."""

    title: str
    points: np.ndarray
    colour: list[str]
    axes: tuple[str, str]
    arrows: list = field(default_factory=list)  # (x, y, colour, dashed): from the middle of the cloud


class Twin(Scene):
    """`tapped` is the number of the left point that was clicked last, or -1.

    Parameters
    ----------
    label : the accessible name
    height : of the drawing
    taps : whether left points can be clicked
    """

    tapped = param.Integer(default=-1, doc="The left point that was clicked.")
    taps = param.Boolean(default=False, constant=True, doc="Whether left points can be clicked.")

    _esm = scene_script("twin.js")
    _stylesheets = scene_styles("twin.css")

    def __init__(self, label: str = "", *, height: int = 300, **params):
        super().__init__(label, tall=height, **params)
        self._both: tuple[Side, ...] = ()
        self._first: frozenset[int] = frozenset()
        self._hit: tuple[Sequence[int], int] = ((), -1)

    def _receive(self, data):
        rows = len(self._both[0].points) if self._both else 0
        hit = sorted({int(point) for point in data["hit"] if 0 <= int(point) < rows})
        if self.taps and hit:
            self.tapped = -1  # the same point twice is two clicks
            self.tapped = self._picked(hit)

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

    def draw(self, left: Side, right: Side, *, links=(), marked=(), pairs=(), first=()):
        """Draw.

        Parameters
        ----------
        links : (left point, right point, colour, dash) for each line between the clouds
        marked : (left point or None, right point or None, colour): drawn large
        pairs : (side, first point, second point, colour): lines within the left cloud (side 0) or the right one (1)
        first : left points that a click prefers where several lie on one another
        """
        self._first, self._both = frozenset(first), (left, right)
        fits = [_Fit(side.points) for side in (left, right)]
        spots = [fit(side.points) for fit, side in zip(fits, (left, right), strict=True)]
        scene = {
            "sides": [
                _side(side, spots[number], fits[number], [(m[number], m[2]) for m in marked if m[number] is not None])
                for number, side in enumerate((left, right))
            ],
            "lines": [
                *(_line((0, spots[0][a]), (1, spots[1][b]), colour, dash, 1.4) for a, b, colour, dash in links),
                *(_line((n, spots[n][a]), (n, spots[n][b]), colour, "solid", 2.4) for n, a, b, colour in pairs),
            ],
            "ghost": _behind(None if self.beside is None else self.beside.right_points, fits[1]),
            "frame": colours.NEUTRAL,
        }
        self.put_scene(scene, self._sentence(len(links)))

    @property
    def right_points(self) -> np.ndarray | None:
        """The points of the right cloud, in their own units."""
        return self._both[1].points if self._both else None

    def _sentence(self, links: int) -> str:
        """How many points there are on both sides, over what, and how many are linked."""
        told = [
            f"{side.title}: {format_number(len(side.points))} points over {' and '.join(side.axes)}"
            for side in self._both
        ]
        lines = f"; {links} linked by lines" if links else ""
        return f"{'; '.join(told)}{lines}."


class _Fit:
    """Fits points into the frame of their cloud: called with points, it gives their places there."""

    def __init__(self, points: np.ndarray):
        self._low: np.ndarray = points.min(axis=0) if len(points) else np.zeros(2)
        high: np.ndarray = points.max(axis=0) if len(points) else np.ones(2)
        self._scale = (1 - 2 * FRAME) / np.where(high > self._low, high - self._low, 1.0)

    def __call__(self, points: np.ndarray) -> np.ndarray:
        return (np.asarray(points) - self._low) * self._scale + FRAME


def _column(values) -> list[float]:
    return np.round(values, 4).tolist()


def _side(side, spots, fit, marked):
    """One cloud: its texts, its points with their colours, those that are drawn large, and its arrows."""
    palette = {colour: number for number, colour in enumerate(dict.fromkeys(side.colour))}
    middle = side.points.mean(axis=0) if len(side.points) else np.zeros(2)
    arrows = [(fit(middle), fit(middle + np.array([x, y])), colour, dashed) for x, y, colour, dashed in side.arrows]
    # Below a cloud, what is shown and its range stand on two lines: clouds are narrow on a phone.
    return {
        "title": side.title, "across": side.axes[0].rsplit(", ", 1), "upwards": side.axes[1],
        "x": _column(spots[:, 0]), "y": _column(spots[:, 1]), "palette": list(palette),
        "colour": [palette[colour] for colour in side.colour], "marked": [[int(i), colour] for i, colour in marked],
        "arrows": [[*_column(start), *_column(end), colour, bool(dashed)] for start, end, colour, dashed in arrows],
    }  # fmt: skip


def _behind(ghost, fit):
    """Points of a kept scenario in the right frame; what lies outside of it is left out."""
    if ghost is None:
        return None
    spots = fit(ghost)
    inside = spots[np.all((spots >= 0) & (spots <= 1), axis=1)]
    return {"x": _column(inside[:, 0]), "y": _column(inside[:, 1])}


def _line(start, end, colour, dash, width):
    """A line from a place in the cloud of one side to one in the same or the other."""
    ends = [{"side": side, "x": round(float(spot[0]), 4), "y": round(float(spot[1]), 4)} for side, spot in (start, end)]
    return {"ends": ends, "colour": colour, "dash": dash, "width": width}
