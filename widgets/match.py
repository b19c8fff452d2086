"""What was recovered against what it was: on the diagonal they are the same."""

import numpy as np
import pandas as pd
from bokeh.models import Range1d

from trustscope import colours
from trustscope.widgets.figure import numbers, said
from trustscope.widgets.plot import GHOST_ALPHA, Plot


class Match(Plot):
    """A scatter with its diagonal; points that count as breached in one colour, the others in grey."""

    def __init__(self, label: str, *, height: int = 260):
        self.range, self.y_range = Range1d(0, 1), Range1d(0, 1)
        super().__init__(
            label, height=height, x_range=self.range, y_range=self.y_range, x_label=" ", y_label="recovered"
        )
        fig = self.figure
        fig.line(
            "x", "y", source=self.source("diagonal", "x", "y"), line_color=colours.NEUTRAL, line_dash="dotted",
            line_width=1.5,
        )  # fmt: skip
        for name, alpha in (("ghost", GHOST_ALPHA / 2), ("points", 0.6)):
            source = self.source(name, "x", "y", "colour")
            fig.scatter("x", "y", source=source, size=5, line_color=None, fill_alpha=alpha, fill_color="colour")
        self._figures = pd.DataFrame({"true": [], "recovered": [], "breached": []})

    def show(self, true, recovered, breached, *, x_label: str, ghost=None):
        """Draw values of one attribute; `breached` says which records count as breached.

        `ghost` is what was recovered in a kept scenario, of the same records.
        """
        low, high = float(true.min()), float(true.max())
        air = 0.08 * (high - low) or 1.0
        self._figures = pd.DataFrame({"true": true, "recovered": recovered, "breached": breached})
        self.range.update(start=low - air, end=high + air)
        self.y_range.update(start=low - 3 * air, end=high + 3 * air)
        self.send("diagonal", {"x": [low - air, high + air], "y": [low - air, high + air]})
        tints = [colours.GUESS if one else colours.ORIGINAL for one in breached]
        for name, values in (("points", recovered), ("ghost", ghost)):
            there = values is not None
            self.send(name, {
                "x": numbers(true) if there else [],
                "y": numbers(np.clip(values, low - 3 * air, high + 3 * air)) if there else [],
                "colour": tints if there else [],
            })  # fmt: skip
        self.figure.xaxis[0].axis_label = x_label
        self.tell()

    def summary(self) -> str:
        """How many count as breached, and the typical distance from the diagonal."""
        table = self._figures
        if table.empty:
            return ""
        off = np.median(np.abs(table["recovered"] - table["true"]))
        return (
            f"{int(table['breached'].sum())} of {len(table)} records count as breached; half of them are recovered "
            f"within {said(off)} of {self.figure.xaxis[0].axis_label}."
        )

    def table(self) -> pd.DataFrame:
        """A row for each record."""
        return self._figures.copy()
