"""The chord-and-sphere picture: where a guess can lie, and which part of that is close enough to the truth."""

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, Label, Range1d

from trustscope import colours
from trustscope.widgets.figure import numbers, plain

SIDE = 270  # pixels: a sphere must be round
REACH = 1.28


class Cap(pn.viewable.Viewer):
    """A sphere in section: the truth on top, the cap of guesses that count as a breach, and guesses drawn at random."""

    def __init__(self, label: str):
        super().__init__()
        fig = self.figure = plain(label, height=SIDE, x_range=Range1d(-REACH, REACH), y_range=Range1d(-REACH, REACH))
        fig.update(sizing_mode="fixed", width=SIDE, min_border=0)
        fig.axis.visible = fig.grid.visible = False
        self._disc = fig.ellipse(
            0, 0, 2, 2, fill_color=colours.ORIGINAL, fill_alpha=0.12, line_color=colours.NEUTRAL, line_width=1.5
        )
        self._cap = ColumnDataSource({"x": [], "y": []})
        self._chord = ColumnDataSource({"x0": [], "y0": [], "x1": [], "y1": [], "colour": [], "dash": []})
        self._guesses = ColumnDataSource({"x": [], "y": [], "colour": []})
        self._points = ColumnDataSource({"x": [], "y": [], "colour": [], "size": []})
        fig.line("x", "y", source=self._cap, line_color=colours.GUESS, line_width=7, line_alpha=0.45, line_cap="round")
        fig.segment("x0", "y0", "x1", "y1", source=self._chord, line_color="colour", line_dash="dash", line_width=2)
        fig.scatter("x", "y", source=self._guesses, size=5, fill_color="colour", fill_alpha=0.6, line_color=None)
        fig.scatter("x", "y", source=self._points, size="size", fill_color="colour", line_color="#ffffff")
        self._truth = self._text(0, 1.08, "the record")
        self._foot = self._text(-0.07, -0.05, "known of it", align="right")
        self._pane = pn.pane.Bokeh(fig, sizing_mode="fixed", width=SIDE, height=SIDE)

    def _text(self, x, y, text, align="center"):
        label = Label(
            x=x, y=y, text=text, text_align=align, text_font_size="12px", text_color=colours.NEUTRAL,
            text_font="Inter, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif",
        )  # fmt: skip
        self.figure.add_layout(label)
        return label

    def show(self, freedom: int, chord: float, angles):
        """Draw.

        Parameters
        ----------
        freedom : dimensions of the sphere; 0 if nothing is left to guess
        chord : how far from the truth a guess may be, in units of the radius
        angles : angles of random guesses from the truth, 0 to pi
        """
        open_ = freedom > 0
        self._disc.visible = freedom > 1
        widest = 2 * np.arcsin(min(chord / 2, 1.0))
        arc = np.linspace(-widest, widest, 60) if freedom > 1 else np.array([])
        self._cap.data = {"x": numbers(np.sin(arc)), "y": numbers(np.cos(arc))}
        edge = (np.sin(widest), np.cos(widest))
        lines = [(0, 0, 0, 1, colours.NEUTRAL, "dotted")] * open_
        lines += [(0, 1, *edge, colours.GUESS, "solid")] * (freedom > 1)
        names = ("x0", "y0", "x1", "y1", "colour", "dash")
        self._chord.data = {name: [line[i] for line in lines] for i, name in enumerate(names)}
        turn = np.asarray(angles, dtype=float) * np.where(np.arange(len(angles)) % 2, 1, -1)
        # Dots on the sphere itself would hide each other.
        out = 1 + 0.1 * ((np.arange(len(turn)) * 0.6180339887) % 1 - 0.5)
        close = np.abs(turn) <= widest + 1e-9
        self._guesses.data = {
            "x": numbers(out * np.sin(turn)), "y": numbers(out * np.cos(turn)),
            "colour": [colours.GUESS if one else colours.NEUTRAL for one in close],
        }  # fmt: skip
        self._points.data = {
            "x": [0.0] * (1 + open_), "y": [1.0, 0.0] if open_ else [0.0],
            "colour": [colours.ORIGINAL, colours.ROTATION["projection"]][: 1 + open_],
            "size": [12, 9][: 1 + open_],
        }  # fmt: skip
        self._truth.update(y=1.08 if open_ else 0.1)
        self._foot.visible = open_

    def __panel__(self):
        return self._pane
