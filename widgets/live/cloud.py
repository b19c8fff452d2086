"""People as dots over two attributes: the original, what one recipient holds, and the best guess."""

import numpy as np
import pandas as pd
from bokeh.models import Range1d, Scatter

from trustscope import colours
from trustscope.looks import looks_of
from trustscope.numbers import format_number
from trustscope.widgets.live.plot import GHOST_ALPHA, Plot

LOOKS = {
    "ghost": (colours.GUESS, GHOST_ALPHA / 2),
    "original": (colours.ORIGINAL, 0.55),
    "copy": (colours.RECIPIENTS[0], 0.5),
    "guess": (colours.GUESS, 0.6),
}


class Cloud(Plot):
    """A scatter of two attributes, at slider rate."""

    def __init__(self, label: str, *, height: int = 220):
        self.x_range, self.y_range = Range1d(start=0, end=1), Range1d(start=0, end=1)
        super().__init__(
            label, height=height, x_range=self.x_range, y_range=self.y_range, x_label=" ", y_label=" "
        )  # fmt: skip
        self._glyphs = {
            name: self.glyph(self.source(name, "x", "y"),
                             Scatter(size=4, line_color=None, fill_color=colour, fill_alpha=alpha), name=name)
            for name, (colour, alpha) in LOOKS.items()
        }  # fmt: skip

    def show_table(self, table: pd.DataFrame, copy: str) -> None:
        """Draw a table with a column of series: the original, the copy of this name, and the best guess."""
        looks = looks_of(table)
        across, upwards = table.columns[1:3]
        for name, series in (("original", "original"), ("copy", copy), ("guess", "best guess")):
            some = table[table[looks.at] == series]
            columns = {"x": some[across].to_numpy(), "y": some[upwards].to_numpy()}
            self.send(name, columns)
        self.send_behind("guess")
        self._glyphs["copy"].fill_color = looks.series[copy].colour
        for ends, axis, shown in ((self.x_range, looks.x, self.figure.xaxis[0]),
                                  (self.y_range, looks.y, self.figure.yaxis[0])):  # fmt: skip
            start, end = axis.ends
            ends.update(start=float(start), end=float(end))
            shown.axis_label = axis.label
        self.tell()

    def summary(self) -> str:
        """How widely each cloud is spread."""
        names = (self.figure.xaxis[0].axis_label, self.figure.yaxis[0].axis_label)
        told = []
        for name in ("original", "copy", "guess"):
            drawn = self.columns_shown(name)
            if len(drawn["x"]):
                spread = " and ".join(
                    f"{format_number(np.std(drawn[c]))} in {n}" for c, n in zip("xy", names, strict=True)
                )
                told.append(f"{name}: typical distance from the mean {spread}")
        return f"{'; '.join(told)}." if told else ""
