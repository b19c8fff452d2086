"""People as dots over two attributes: the original, what one recipient holds, and the best guess."""

import panel as pn
from bokeh.models import ColumnDataSource, Range1d

from trustscope import colours
from trustscope.widgets.figure import plain


class Cloud(pn.viewable.Viewer):
    """A scatter of two attributes, at slider rate."""

    def __init__(self, label: str, *, height: int = 220):
        super().__init__()
        self.x_range, self.y_range = Range1d(0, 1), Range1d(0, 1)
        self.figure = plain(label, height=height, x_range=self.x_range, y_range=self.y_range, x_label=" ", y_label=" ")
        self._sources = {}
        looks = {
            "original": (colours.ORIGINAL, 0.55),
            "copy": (colours.RECIPIENTS[0], 0.5),
            "guess": (colours.GUESS, 0.6),
        }
        for name, (colour, alpha) in looks.items():
            source = self._sources[name] = ColumnDataSource({"x": [], "y": []})
            self.figure.scatter(
                "x",
                "y",
                source=source,
                size=4,
                line_color=None,
                fill_color=colour,
                fill_alpha=alpha,
                name=name,
            )
        self._pane = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width")

    def show(self, original, copy, guess, *, colour, x_range, y_range, x_label, y_label):
        """Draw (rows, 2) arrays; `copy` and `guess` may be None."""
        for name, points in (("original", original), ("copy", copy), ("guess", guess)):
            data = {"x": [], "y": []} if points is None else {"x": points[:, 0], "y": points[:, 1]}
            self._sources[name].data = data
        self.figure.select_one({"name": "copy"}).glyph.fill_color = colour
        self.x_range.update(start=float(x_range[0]), end=float(x_range[1]))
        self.y_range.update(start=float(y_range[0]), end=float(y_range[1]))
        self.figure.xaxis[0].axis_label, self.figure.yaxis[0].axis_label = x_label, y_label

    def __panel__(self):
        return self._pane
