"""A table of shades: rows by columns, with dots over the columns for those whom each concerns."""

import numpy as np
import pandas as pd
import param

from trustscope.numbers import format_number
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

    def summary(self) -> str:
        """The darkest shade, and the rows whose bar is too long."""
        table = self.table()
        if table.empty or not self.columns:
            return ""
        shades = table.iloc[:, 1:-1].to_numpy()
        row, column = (int(place) for place in np.unravel_index(np.argmax(shades), shades.shape))
        long = [name for name, (_, over) in zip(self.frame["rows"], self.bars, strict=True) if over]
        beyond = f"; beyond the limit of {format_number(self.limit)}: {', '.join(long)}" if long else ""
        return (
            f"{len(table)} rows by {len(self.columns)} columns; the darkest is {self.frame['rows'][row]} in column "
            f"{table.columns[column + 1]} with {format_number(shades[row, column])}{beyond}."
        )

    def table(self) -> pd.DataFrame:
        """Every shade, and the bar of each row."""
        if not self.frame:
            return pd.DataFrame()
        table = pd.DataFrame(self.values, columns=[name for name, _ in self.columns], dtype=float)
        table.insert(0, "row", self.frame["rows"])
        return table.assign(**{self.frame["bar"]: [length for length, _ in self.bars]})
