"""Privacy against usefulness: lines of points that one can go to, the present one, and kept ones beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import param

from trustscope.widgets.esm import css, module
from trustscope.widgets.scenes.drawing import Drawing
from trustscope.widgets.scenes.scale import Scale


@dataclass(frozen=True)
class Way:
    """A line of points: its name and colour, and for each point its two figures and what it is called."""

    name: str
    colour: str
    x: Sequence[float]
    y: Sequence[float]
    texts: Sequence[str]
    dash: str = "solid"


@dataclass(frozen=True)
class Spot:
    """A single point: the present one, or a kept one."""

    name: str
    x: float
    y: float
    text: str = ""
    kept: bool = False


class Tradeoff(Drawing):
    """Usefulness grows to the right and privacy upwards. A click on a point, or Enter, picks it.

    `picks` counts what was picked; `picked` is the number of the line and of the point in it.
    """

    scene = param.Dict(default={}, doc="All that is drawn, in places between 0 and 1.")
    label = param.String(default="", doc="The accessible name of the list of points.")
    tall = param.Integer(default=320, bounds=(120, None), doc="Pixels of its height.")
    picks = param.Integer(default=0, doc="Counts the points that were picked.")

    _esm = module("flow.js", "svg.js", "tradeoff.js")
    _stylesheets = (css("controls.css"), css("tradeoff.css"))

    def __init__(self, label: str = "", **params):
        super().__init__(label=label, **params)
        self.picked = (0, 0)
        self._ways: Sequence[Way] = ()
        self.spots: Sequence[Spot] = ()

    def draw(self, ways: Sequence[Way], spots: Sequence[Spot], x: Scale, y: Scale, limit: float | None = None):
        """Draw.

        Parameters
        ----------
        ways : lines of points
        spots : the present point, and kept ones
        x, y : the axes
        limit : the least privacy that is required, or None: drawn as a line across
        """
        self._ways, self.spots = tuple(ways), tuple(spots)
        every = [
            np.concatenate([[], *(getattr(w, axis) for w in ways), [getattr(s, axis) for s in spots]]) for axis in "xy"
        ]
        across, up = x.over(every[0]), y.over(every[1] if limit is None else [*every[1], limit])
        scene = {
            "x_label": x.label, "y_label": y.label, "x_ticks": across.ticks, "y_ticks": up.ticks,
            "lines": [self._line(way, across, up) for way in ways],
            "spots": [
                [*_rounded(across.place(s.x), up.place(s.y)), s.name, s.text, s.kept] for s in spots if np.isfinite(s.x)
            ],
            "limit": -1.0 if limit is None else float(up.place(limit)),
        }  # fmt: skip
        if scene != self.scene:
            self.scene = scene

    @staticmethod
    def _line(way, across, up):
        there = np.isfinite(way.x) & np.isfinite(way.y)
        points = [
            [*_rounded(a, b), int(n), way.texts[n]]
            for n, a, b in zip(
                np.flatnonzero(there), across.place(np.asarray(way.x)[there]), up.place(np.asarray(way.y)[there]),
                strict=True,
            )
        ]  # fmt: skip
        return {"name": way.name, "colour": way.colour, "dash": way.dash, "points": points}

    def _receive(self, data):
        line, point = int(data["line"]), int(data["point"])
        if 0 <= line < len(self._ways) and 0 <= point < len(self._ways[line].x):
            self.picked = (line, point)
            self.picks += 1


def _rounded(*places) -> list[float]:
    return [round(float(place), 4) for place in places]
