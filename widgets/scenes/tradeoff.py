"""Privacy against usefulness: lines of points that one can go to, the present one, and kept ones beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
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
        self._scales = Scale("usefulness"), Scale("privacy")

    def draw(self, ways: Sequence[Way], spots: Sequence[Spot], x: Scale, y: Scale, limit: float | None = None):
        """Draw.

        Parameters
        ----------
        ways : lines of points
        spots : the present point, and kept ones
        x, y : the axes
        limit : the least privacy that is required, or None: drawn as a line across
        """
        self._ways, self.spots, self._scales = tuple(ways), tuple(spots), (x, y)
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

    def summary(self) -> str:
        """Where each line begins and ends, and the present point."""
        x, y = self._scales
        told = []
        for way in self._ways:
            there = np.flatnonzero(np.isfinite(way.x) & np.isfinite(way.y))
            if len(there):
                first, last = there[0], there[-1]
                told.append(
                    f"{way.name}: {y.format(way.y[first])} at {x.format(way.x[first])} to {y.format(way.y[last])} at "
                    f"{x.format(way.x[last])}"
                )
        told += [f"{s.name}: {y.format(s.y)} at {x.format(s.x)}" for s in self.spots]
        return f"{y.label} by {x.label}. {'; '.join(told)}." if told else ""

    def table(self) -> pd.DataFrame:
        """Every point."""
        x, y = self._scales
        rows = [(w.name, t, a, b) for w in self._ways for t, a, b in zip(w.texts, w.x, w.y, strict=True)]
        rows += [(s.name, s.text, s.x, s.y) for s in self.spots]
        return pd.DataFrame(rows, columns=["line", "point", x.label, y.label])


def _rounded(*places) -> list[float]:
    return [round(float(place), 4) for place in places]
