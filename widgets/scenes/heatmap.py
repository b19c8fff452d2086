"""A figure over two parameters as shades, with a line at a limit; any place can be gone to."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import param
from bokeh.palettes import Cividis256

from trustscope.looks import shade_ends
from trustscope.numbers import format_number
from trustscope.widgets.esm import css, module
from trustscope.widgets.scenes.drawing import Drawing

# Of equal steps in lightness, and the same to who does not tell red from green.
PALETTE = [*Cividis256[::4], Cividis256[-1]]


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
        low, high = shade_ends(values)
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


def contour(values: np.ndarray, height: float) -> np.ndarray:
    """Straight pieces of the line at which values are `height`: x and y of both ends of each, (pieces, 4)."""
    from contourpy import contour_generator

    if min(values.shape) < 2:
        return np.zeros((0, 4))
    lines: Any = contour_generator(z=np.ma.masked_invalid(values)).lines(height)
    return np.concatenate([np.zeros((0, 4)), *(np.hstack([line[:-1], line[1:]]) for line in lines)])
