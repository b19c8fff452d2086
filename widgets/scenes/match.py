"""What was recovered against what it was: on the diagonal they are the same."""

import numpy as np

from trustscope import colours
from trustscope.numbers import count, format_number
from trustscope.widgets.live.figure import numbers
from trustscope.widgets.scenes.drawing import Scene, scene_script, scene_styles


class Match(Scene):
    """A scatter with its diagonal; points that count in one colour, the others in grey.

    Parameters
    ----------
    label : the accessible name
    height : of the drawing
    after : what stands upwards
    counted : what those that count are called
    colour : of those that count
    """

    _esm = scene_script("match.js")
    _stylesheets = scene_styles()

    def __init__(
        self, label: str = "", *, height: int = 260, after: str = "recovered", counted: str = "breached",
        colour: str = colours.GUESS, **params,
    ):  # fmt: skip
        super().__init__(label, tall=height, **params)
        self._after, self._counted, self._colour = after, counted, colour

    def draw(self, true, recovered, breached, *, x_label: str):
        """Draw values of one attribute; `breached` says which of them count."""
        low, high = float(true.min()), float(true.max())
        air = 0.08 * (high - low) or 1.0
        bottom, top = low - 3 * air, high + 3 * air
        dots = {
            "x": numbers(true), "y": numbers(np.clip(recovered, bottom, top)), "counts": [int(one) for one in breached]
        }  # fmt: skip
        scene = {
            "dots": dots, "ghost": None if self.beside is None else self.beside.scene.get("dots"),
            "x_range": [low - air, high + air], "y_range": [bottom, top], "x_label": x_label, "y_label": self._after,
            "colours": [colours.ORIGINAL, self._colour], "diagonal": colours.NEUTRAL,
        }  # fmt: skip
        off = float(np.median(np.abs(recovered - true)))
        nobody_sees = (high - low) / 1_000  # rounding among it: no number says less than "on"
        where = "on" if off <= nobody_sees else f"within {format_number(off)} of"
        self.put_scene(
            scene,
            f"{count(int(np.sum(breached)))} of {count(len(true))} dots are {self._counted}; half of all lie {where} "
            f"the dotted line ({x_label}).",
        )
