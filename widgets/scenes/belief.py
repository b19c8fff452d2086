"""One person: what is believed of them from one copy and from all copies together, the truth, and what each one got.

Two ways to look: the belief (two densities over the values) and the path (the value at every level of trust).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import panel as pn
import param

from trustscope.numbers import format_number
from trustscope.widgets.contrast import ink
from trustscope.widgets.frame.place import Place
from trustscope.widgets.live.figure import numbers
from trustscope.widgets.live.journey import Journey
from trustscope.widgets.scenes.drawing import Scene, scene_script, scene_styles


@dataclass(frozen=True)
class Pin:
    """What one recipient was given; one who is not a member stands faintly."""

    initial: str
    name: str
    colour: str
    value: float
    member: bool = True


class BeliefPicture(Scene):
    """Two densities, the truth and the pins."""

    _esm = scene_script("belief.js")
    _stylesheets = scene_styles("belief.css")

    def draw(
        self, x, together, alone, *, truth, x_range, pins=(), texts=("", "", ""), tone="leak", x_label="", top=None,
        certain=(None, None),
    ):  # fmt: skip
        """Draw.

        Parameters
        ----------
        x : values at which the densities are given
        together, alone : densities of what all believe together and of the best copy alone; None: not drawn
        truth : the true value
        x_range : the first and the last value that is seen
        pins : what each one was given
        texts : labels of the truth, of `together` and of `alone`
        tone : "leak" (orange) or "safe" (teal), of `together`
        top : the density at the upper edge; the highest that is drawn unless given
        certain : values that all together and the best copy alone know exactly, which have no density; None: not so
        """
        ghost = None if self.beside is None else self.beside.believed
        both = [np.asarray([] if one is None else one, dtype=float) for one in (together, alone)]
        behind = np.asarray([] if ghost is None else ghost[1], dtype=float)
        highest = max((float(one.max()) for one in (*both, behind) if one.size), default=1.0)
        scene = {
            "x": numbers(x),
            "together": numbers(both[0]),
            "alone": numbers(both[1]),
            "certain": [None if value is None else float(value) for value in certain],
            "truth": float(truth),
            "range": [float(x_range[0]), float(x_range[1])],
            "top": float(top or highest) or 1.0,
            "tone": tone,
            "texts": dict(zip(("truth", "together", "alone"), texts, strict=True)),
            "x_label": x_label,
            "pins": [
                {"initial": p.initial, "name": p.name, "colour": p.colour, "ink": ink(p.colour),
                 "value": float(p.value), "text": format_number(p.value), "member": p.member}
                for p in pins
            ],
            "ghost": None if ghost is None else {"x": numbers(ghost[0]), "y": numbers(ghost[1])},
        }  # fmt: skip
        self.put_scene(scene, _sentence(scene))

    @property
    def believed(self):
        """Places and density of what is believed with all that is known; None where nothing is."""
        scene = self.scene
        density = scene and (scene["together"] or scene["alone"])
        return (scene["x"], density) if density else None


def _sentence(scene) -> str:
    told = [text for text in scene["texts"].values() if text]
    given = ", ".join(f"{pin['name']} {pin['text']}" for pin in scene["pins"])
    sentence = "; ".join([*told, *([f"given: {given}"] if given else [])])
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


class Belief(pn.viewable.Viewer):
    """The picture of one person in both ways; the path is built when it is first wanted.

    `picture` draws the belief; `path()` gives the Journey. Only the one in view should be shown new data: see `mode`.
    """

    mode: Any = param.Selector(default="belief", objects=["belief", "path"], doc="Which of the two is seen.")

    def __init__(self, label: str, *, height: int = 320, **params):
        super().__init__(**params)
        self._label, self._height = label, height
        self.picture = BeliefPicture(label=label, tall=height)
        self._journey: Journey | None = None
        self._layout = Place(self.picture)
        self.param.watch(lambda event: self._turn(), "mode")
        self._turn()

    def path(self) -> Journey:
        """The other way to look at the same person."""
        if self._journey is None:
            self._journey = Journey(f"{self._label}: the path", height=self._height)
        return self._journey

    def plots(self) -> dict:
        """Both ways to look, as far as they are built."""
        found = {"picture": self.picture, "path": self._journey}
        return {name: plot for name, plot in found.items() if plot is not None}

    def _turn(self):
        wanted = self.picture if self.mode == "belief" else self.path()
        self._layout.put(wanted)

    def __panel__(self):
        return self._layout
