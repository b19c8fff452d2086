"""A table of shades: rows by columns, with dots over the columns for those whom each concerns."""

import numpy as np
import param

from trustscope.widgets.esm import css, module
from trustscope.widgets.scenes.drawing import Drawing


class Heat(Drawing):
    """Shades from 0 to 1. Names may come from somebody's file: they are shown as text only."""

    frame = param.Dict(default={}, doc="What seldom changes: rows, names of two further columns.")
    columns = param.List(default=[], doc="For each column: its name, and the colours of its dots.")
    values = param.List(default=[], doc="Shades, row by row, rounded.")
    bars = param.List(default=[], doc="For each row a length from 0 to 1, and whether it is too long.")
    ghost = param.List(default=[], doc="Shades in a kept scenario, row by row, or nothing.")
    limit = param.Number(default=1.0, doc="Where the bars should end.")
    label = param.String(default="", doc="The accessible name of the table.")
    tallest = param.Integer(default=300, bounds=(0, None), doc="Pixels beyond which it scrolls.")

    _esm = module("flow.js", "heat.js")
    _stylesheets = (css("controls.css"), css("heat.css"))

    def draw(self, rows, columns, values, bars, *, limit: float, bar_name: str):
        """Draw.

        Parameters
        ----------
        rows : names
        columns : (name, colours of dots) each
        values : array of shape (rows, columns), from 0 to 1
        bars : array of shape (rows,), from 0 to 1
        limit : where bars should end
        bar_name : what the bars are
        """
        values, bars = np.round(np.asarray(values, dtype=float), 3), np.round(np.asarray(bars, dtype=float), 3)
        changes = {
            "columns": [[name, list(dots)] for name, dots in columns],
            "values": values.tolist(),
            "bars": [[float(b), bool(b > limit + 5e-4)] for b in bars],
            "limit": float(limit),
            "ghost": [] if self.beside is None else self.beside.shades(rows, [name for name, _ in columns]),
        }
        frame = {"rows": list(rows), "bar": bar_name}
        if frame != self.frame:
            changes["frame"] = frame
        self.put(**changes)

    def shades(self, rows, columns) -> list[list[float | None]]:
        """The shades of these rows and columns; None where there is none here."""
        down = {name: place for place, name in enumerate(self.frame.get("rows", []))}
        across = {name: place for place, (name, _) in enumerate(self.columns)}

        def shade(row, column):
            return self.values[down[row]][across[column]] if row in down and column in across else None

        return [[shade(row, column) for column in columns] for row in rows]
