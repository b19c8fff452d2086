"""What was recovered against what it was: on the diagonal they are the same."""

import numpy as np
import pandas as pd
from bokeh.models import Range1d

from trustscope import colours
from trustscope.widgets.figure import numbers, said
from trustscope.widgets.plot import GHOST_ALPHA, Plot


class Match(Plot):
    """A scatter with its diagonal; points that count in one colour, the others in grey.

    Parameters
    ----------
    label : the accessible name
    height : of the figure
    after : what stands upwards
    counted : what those that count are called
    colour : of those that count
    """

    def __init__(
        self, label: str, *, height: int = 260, after: str = "recovered", counted: str = "breached",
        colour: str = colours.GUESS,
    ):  # fmt: skip
        self.range, self.y_range = Range1d(0, 1), Range1d(0, 1)
        super().__init__(label, height=height, x_range=self.range, y_range=self.y_range, x_label=" ", y_label=after)
        self._after, self._counted, self._colour = after, counted, colour
        fig = self.figure
        fig.line(
            "x", "y", source=self.source("diagonal", "x", "y"), line_color=colours.NEUTRAL, line_dash="dotted",
            line_width=1.5,
        )  # fmt: skip
        for name, alpha in (("ghost", GHOST_ALPHA / 2), ("points", 0.6)):
            source = self.source(name, "x", "y", "colour")
            fig.scatter("x", "y", source=source, size=5, line_color=None, fill_alpha=alpha, fill_color="colour")
        self._figures = self._frame_of([], [], [])

    def _frame_of(self, true, after, counted):
        return pd.DataFrame({"true": true, self._after: after, self._counted: counted})

    def show(self, true, recovered, breached, *, x_label: str, ghost=None):
        """Draw values of one attribute; `breached` says which of them count.

        `ghost` is what was recovered in a kept scenario, of the same records.
        """
        low, high = float(true.min()), float(true.max())
        air = 0.08 * (high - low) or 1.0
        self._figures = self._frame_of(true, recovered, breached)
        self.range.update(start=low - air, end=high + air)
        self.y_range.update(start=low - 3 * air, end=high + 3 * air)
        self.send("diagonal", {"x": [low - air, high + air], "y": [low - air, high + air]})
        tints = [self._colour if one else colours.ORIGINAL for one in breached]
        drawn = [self._dots(true, values, tints, low - 3 * air, high + 3 * air) for values in (recovered, ghost)]
        self.send("points", drawn[0])
        self.send("ghost", self.behind("points", drawn[1]))
        self.figure.xaxis[0].axis_label = x_label
        self.tell()

    @staticmethod
    def _dots(true, values, tints, low, high):
        if values is None:
            return {"x": [], "y": [], "colour": []}
        return {"x": numbers(true), "y": numbers(np.clip(values, low, high)), "colour": tints}

    def summary(self) -> str:
        """How many count as breached, and the typical distance from the diagonal."""
        table = self._figures
        if table.empty:
            return ""
        off = np.median(np.abs(table[self._after] - table["true"]))
        return (
            f"{int(table[self._counted].sum())} of {len(table)} dots are {self._counted}; half of all lie within "
            f"{said(off)} of the dotted line ({self.figure.xaxis[0].axis_label})."
        )

    def table(self) -> pd.DataFrame:
        """A row for each dot."""
        return self._figures.copy()
