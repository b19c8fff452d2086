"""Kinds of people: how common each is, and the most that it accepts."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import param

from trustscope.widgets.esm import Control, css, module


def shared_out(weights: Sequence[int], place: int, share: int) -> list[int]:
    """Whole weights that add up to 100, with this share at this place; the others keep their proportion.

    Where the others have no weight the rest is divided evenly among them. What rounding leaves goes to those that
    lost most by it.
    """
    others = [i for i in range(len(weights)) if i != place]
    before = [weights[i] for i in others]
    if not any(before):
        before = [1] * len(others)
    exact = [(100 - share) * weight / sum(before) for weight in before] if others else []
    whole = [int(one) for one in exact]
    left = 100 - share - sum(whole)
    for i in sorted(range(len(others)), key=lambda i: whole[i] - exact[i])[:left]:
        whole[i] += 1
    return [*whole[:place], share, *whole[place:]]


def _whole(value: Any) -> int:
    """A whole number from 0 to 100."""
    return min(max(round(float(value)), 0), 100)


class Mixer(Control):
    """A row for each kind: a slider for its weight, a choice of what it accepts.

    `value` follows every movement, `settled` changes when the person lets go. Each kind has `name`,
    `colour`, `weight` (0 to 100) and `level` (the most that it accepts; None: anything). Weights
    need not add up to 100: what counts is their proportion, and one of them stays above 0. A share that is typed is
    held exactly: the others divide the rest in the proportion that they had.

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
                "share": f"{100 * part.weight / total:.0f}",
                "level": -1 if part.level is None else part.level,
            }
            for part in self.value
        ]

    def _receive(self, data):
        place = int(data["row"])
        if not 0 <= place < len(self.value):
            return
        part, value = self.value[place], self.value
        if data["kind"] == "share":
            weights = shared_out([one.weight for one in value], place, _whole(data["value"]))
            value = tuple(self._changed(one, weight=w) for one, w in zip(value, weights, strict=True))
            part = value[place]
        elif data["kind"] == "weight":
            part = self._changed(part, weight=_whole(data["value"]))
        elif int(data["value"]) in [level for level, _ in self.levels]:
            part = self._changed(part, level=None if int(data["value"]) < 0 else int(data["value"]))
        value = (*value[:place], part, *value[place + 1 :])
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
