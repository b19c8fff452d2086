"""Kinds of people: how common each is, and the most that it accepts."""

from collections.abc import Callable
from typing import ClassVar

import param

from trustscope.widgets.esm import Control, css, module


class Mixer(Control):
    """A row for each kind: a slider for its weight, a choice of what it accepts.

    `value` follows every movement, `settled` changes when the person lets go. Each kind has `name`,
    `colour`, `weight` (0 to 100) and `level` (the most that it accepts; None: anything). Weights
    need not add up to 100: what counts is their proportion, and one of them stays above 0.

    Parameters
    ----------
    make : makes a kind from name, weight and level
    """

    value = param.ClassSelector(class_=tuple, default=(), doc="The kinds as they are dragged.")
    settled = param.ClassSelector(class_=tuple, default=(), doc="The kinds when let go.")
    rows = param.List(default=[], doc="What the script draws; follows `value`.")
    levels = param.List(default=[], doc="What a kind may accept: [value, text]; the value -1 stands for anything.")
    noun = param.String(default="Accepts", doc="What the choice sets.")

    _esm = module("flow.js", "mixer.js")
    _stylesheets = (css("controls.css"), css("mixer.css"))
    _rename: ClassVar = {"value": None, "settled": None}

    def __init__(self, make: Callable, **params):
        self._make = make
        super().__init__(**params)
        self.settled = self.value
        self._draw()

    @param.depends("value", watch=True)
    def _draw(self):
        total = sum(part.weight for part in self.value) or 1
        self.rows = [
            {
                "name": part.name,
                "colour": part.colour,
                "weight": part.weight,
                "share": f"{100 * part.weight / total:.0f} %",
                "level": -1 if part.level is None else part.level,
            }
            for part in self.value
        ]

    def _receive(self, data):
        place = int(data["row"])
        if not 0 <= place < len(self.value):
            return
        part = self.value[place]
        if data["kind"] == "weight":
            part = self._changed(part, weight=min(max(round(float(data["value"])), 0), 100))
        elif int(data["value"]) in [level for level, _ in self.levels]:
            part = self._changed(part, level=None if int(data["value"]) < 0 else int(data["value"]))
        value = (*self.value[:place], part, *self.value[place + 1 :])
        if not any(one.weight for one in value):
            self._draw()  # somebody must answer: the old weight comes back
            return
        self.value = value
        if data.get("done", True):
            if self.settled == value:
                self.param.trigger("settled")  # let go where it began counts too
            self.settled = value

    def _changed(self, part, **changes):
        return self._make(**({"name": part.name, "weight": part.weight, "level": part.level} | changes))
