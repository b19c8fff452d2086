"""A figure over two parameters as shades, with a line at a limit; any place can be gone to."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import param
from bokeh.palettes import Cividis256

from trustscope.numbers import format_number
from trustscope.widgets.esm import css, module
from trustscope.widgets.scenes.contour import contour
from trustscope.widgets.scenes.drawing import Drawing

# Of equal steps in lightness, and the same to who does not tell red from green.
PALETTE = [*Cividis256[::4], Cividis256[-1]]
STEPS = 10  # the ends of the colours are rounded to this part of 1


class HeatMap(Drawing):
    """Shades of shares. A click on a cell, or Enter, picks it.

    `picks` counts what was picked; `picked` is the column and the row, counted from the bottom.
    """

    frame = param.Dict(default={}, doc="What seldom changes: texts of both axes, names, ends of the colours.")
    shades = param.List(default=[], doc="The colour of each cell by its number, row by row from below; -1: not known.")
    lines = param.List(default=[], doc="Pieces of the line at the limit: x, y, x, y in columns and rows.")
    here = param.List(default=[], doc="Where the scenario stands, in columns and rows; or nothing.")
    label = param.String(default="", doc="The accessible name.")
    tall = param.Integer(default=340, bounds=(120, None), doc="Pixels of its height.")
    palette = param.List(default=PALETTE, constant=True, doc="The colours, dark to light.")
    told = param.List(default=[], doc="The figure of each cell, as text; sent for the tooltip.")
    picks = param.Integer(default=0, doc="Counts the cells that were picked.")

    _esm = module("flow.js", "svg.js", "heatmap.js")
    _stylesheets = (css("controls.css"), css("heatmap.css"))

    def __init__(self, label: str = "", **params):
        super().__init__(label=label, **params)
        self.picked = (0, 0)
        self._values = np.zeros((0, 0))
        self.limit: float | None = None

    def draw(
        self, values: np.ndarray, *, x: Sequence[str], y: Sequence[str], x_label: str, y_label: str, figure: str,
        here: tuple[float, float] | None = None, limit: float | None = None,
    ):  # fmt: skip
        """Draw.

        Parameters
        ----------
        values : array, (rows, columns)
            Shares, the first row at the bottom; nan where they are not known.
        x, y : what each column and each row is called
        x_label, y_label, figure : the names of the axes and of the figure
        here : where the scenario stands, in columns and rows, or None
        limit : where a line is drawn, or None
        """
        values = np.asarray(values, dtype=float)
        self._values, self.limit = values, limit
        low, high = _ends(values)
        at = np.clip(np.round((values - low) / (high - low) * (len(PALETTE) - 1)), 0, len(PALETTE) - 1)
        changes = {
            "shades": np.where(np.isnan(at), -1, at).astype(int).ravel().tolist(),
            "told": [format_number(v, share=True) if np.isfinite(v) else "not known yet" for v in values.ravel()],
            "lines": [] if limit is None else np.round(contour(values, limit), 3).tolist(),
            "here": [] if here is None else [round(float(one), 3) for one in here],
            "frame": {
                "x": list(x), "y": list(y), "x_label": x_label, "y_label": y_label, "figure": figure,
                "ends": [format_number(low, share=True), format_number(high, share=True)],
                "limit": "" if limit is None else format_number(limit, share=True),
            },
        }  # fmt: skip
        self.put(**changes)

    def _receive(self, data):
        column, row = int(data["column"]), int(data["row"])
        rows, columns = self._values.shape
        if 0 <= column < columns and 0 <= row < rows:
            self.picked = (column, row)
            self.picks += 1

    def summary(self) -> str:
        """Where the figure is least and most, and how much of the map is at the limit or above."""
        if not self.frame or not np.isfinite(self._values).any():
            return ""
        places = [np.unravel_index(f(self._values), self._values.shape) for f in (np.nanargmin, np.nanargmax)]
        told = [
            f"{word} {format_number(self._values[r, c], share=True)} at {self.frame['x'][c]} and {self.frame['y'][r]}"
            for word, (r, c) in zip(("least", "most"), places, strict=True)
        ]
        if self.limit is not None:
            part = float(np.mean(self._values[np.isfinite(self._values)] >= self.limit))
            told.append(
                f"{format_number(self.limit, share=True)} or more in {format_number(part, share=True)} of the map"
            )
        return f"{self.frame['figure']} by {self.frame['x_label']} and {self.frame['y_label']}: {', '.join(told)}."

    def table(self) -> pd.DataFrame:
        """Every cell, one below the other."""
        if not self.frame:
            return pd.DataFrame()
        rows, columns = np.indices(self._values.shape)
        return pd.DataFrame({
            self.frame["x_label"]: [self.frame["x"][c] for c in columns.ravel()],
            self.frame["y_label"]: [self.frame["y"][r] for r in rows.ravel()],
            self.frame["figure"]: self._values.ravel(),
        })  # fmt: skip


def _ends(values: np.ndarray) -> tuple[float, float]:
    """What the darkest and the lightest colour stand for: round shares around all that is known."""
    known = values[np.isfinite(values)]
    if not known.size:
        return 0.0, 1.0
    low, high = np.floor(STEPS * known.min() + 1e-9) / STEPS, np.ceil(STEPS * known.max() - 1e-9) / STEPS
    return (float(low), float(high)) if high > low else (float(low), float(low) + 1 / STEPS)
