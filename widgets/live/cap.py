"""The chord-and-sphere picture: where a guess can lie, and which part of that is close enough to the truth."""

import numpy as np
from bokeh.models import Line, Range1d, Scatter, Segment
from bokeh.models.annotations import Label

from trustscope import colours
from trustscope.numbers import format_number
from trustscope.widgets.live.figure import numbers
from trustscope.widgets.live.plot import GHOST_ALPHA, Plot

SIDE = 270  # pixels: a sphere must be round
REACH = 1.28
CHORD = ("x0", "y0", "x1", "y1", "colour", "dash")


class Cap(Plot):
    """A sphere in section: the truth on top, the cap of guesses that count as a breach, and guesses drawn at random."""

    def __init__(self, label: str):
        ranges = {name: Range1d(start=-REACH, end=REACH) for name in ("x_range", "y_range")}
        super().__init__(label, height=SIDE, **ranges)
        fig = self.figure
        fig.update(sizing_mode="fixed", width=SIDE, min_border=0)
        self.outer.update(sizing_mode="fixed", width=SIDE, height=SIDE)
        self._pane.param.update(sizing_mode="fixed", width=SIDE, height=SIDE)
        fig.axis.visible = fig.grid.visible = False
        self._disc = fig.ellipse(
            0, 0, 2, 2, fill_color=colours.ORIGINAL, fill_alpha=0.12, line_color=colours.NEUTRAL, line_width=1.5
        )
        for name, alpha, width in (("ghost", GHOST_ALPHA / 2, 14), ("cap", 0.45, 7)):
            drawn = Line(line_color=colours.GUESS, line_width=width, line_alpha=alpha, line_cap="round")
            self.glyph(self.source(name, "x", "y"), drawn)
        chord = self.source("chord", *CHORD)
        guesses, points = self.source("guesses", "x", "y", "colour"), self.source("points", "x", "y", "colour", "size")
        self.glyph(chord, Segment(line_color="colour", line_dash="dash", line_width=2))
        self.glyph(guesses, Scatter(size=5, fill_color="colour", fill_alpha=0.6, line_color=None))
        self.glyph(points, Scatter(size="size", fill_color="colour", line_color="#ffffff"))
        self._truth = self._text(0, 1.08, "the record")
        self.foot = self._text(-0.07, -0.05, "known of it", align="right")
        self._figures = (0, 0.0, np.array([]), np.array([], dtype=bool))

    def _text(self, x, y, text, align="center"):
        label = Label(
            x=x, y=y, text=text, text_align=align, text_font_size="14px", text_color=colours.NEUTRAL,
            text_font="Inter, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif",
        )  # fmt: skip
        self.figure.add_layout(label)
        return label

    def draw(self, freedom: int, chord: float, angles):
        """Draw.

        Parameters
        ----------
        freedom : dimensions of the sphere; 0 if nothing is left to guess
        chord : how far from the truth a guess may be, in units of the radius
        angles : angles of random guesses from the truth, 0 to pi
        """
        open_ = freedom > 0
        ghost = None if self.beside is None else self.beside.chord
        self._disc.visible = freedom > 1
        widest = _angle(chord)
        for name, angle in (("cap", widest), ("ghost", None if ghost is None else _angle(ghost))):
            arc = np.linspace(-angle, angle, 60) if freedom > 1 and angle is not None else np.array([])
            self.send(name, {"x": numbers(np.sin(arc)), "y": numbers(np.cos(arc))})
        lines: list[tuple] = [(0, 0, 0, 1, colours.NEUTRAL, "dotted")] * open_
        lines += [(0, 1, float(np.sin(widest)), float(np.cos(widest)), colours.GUESS, "solid")] * (freedom > 1)
        self.send("chord", {name: [line[i] for line in lines] for i, name in enumerate(CHORD)})
        turn = np.asarray(angles, dtype=float) * np.where(np.arange(len(angles)) % 2, 1, -1)
        # Dots on the sphere itself would hide each other.
        out = 1 + 0.1 * ((np.arange(len(turn)) * 0.6180339887) % 1 - 0.5)
        close = np.abs(turn) <= widest + 1e-9
        self.send("guesses", {
            "x": numbers(out * np.sin(turn)), "y": numbers(out * np.cos(turn)),
            "colour": [colours.GUESS if one else colours.NEUTRAL for one in close],
        })  # fmt: skip
        self.send("points", {
            "x": [0.0] * (1 + open_), "y": [1.0, 0.0] if open_ else [0.0],
            "colour": [colours.ORIGINAL, colours.ROTATION["projection"]][: 1 + open_],
            "size": [12, 9][: 1 + open_],
        })  # fmt: skip
        self._truth.update(y=1.08 if open_ else 0.1)
        self.foot.visible = open_
        self._figures = (freedom, chord, np.abs(turn), close)
        self.tell()

    @property
    def chord(self) -> float | None:
        """How far from the truth a guess may be; None where there is no sphere."""
        freedom, chord, *_ = self._figures
        return chord if freedom > 1 else None

    def summary(self) -> str:
        """How many of the guesses that were drawn come close enough."""
        freedom, chord, angles, close = self._figures
        if not freedom:
            return "Nothing is left to guess: the record is known."
        return (
            f"A sphere of {freedom} dimensions; {int(close.sum())} of {len(angles)} guesses drawn at random come "
            f"within {format_number(chord)} of its radius from the record."
        )


def _angle(chord: float) -> float:
    """The angle that belongs to a chord of the unit sphere."""
    return 2 * np.arcsin(min(chord / 2, 1.0))
