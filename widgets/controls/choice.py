"""Pills: pick one, pick any number, or switch one thing on."""

import param

from trustscope.widgets.esm import Control, module


class _Pills(Control):
    """What the three kinds of pills have in common."""

    label = param.String(default="", doc="The accessible name of the group.")
    label_shown = param.Boolean(default=False, doc="Whether the name is written above the pills.")
    disabled = param.List(default=[], item_type=str, doc="Values that cannot be picked now.")
    options = param.List(default=[], doc="(value, text, tip) for each pill.")
    many = param.Boolean(default=False, constant=True, doc="Whether several can be picked at once.")
    joined = param.Boolean(default=False, doc="Whether the pills stand as one bar of equal parts.")

    _esm = module("flow.js", "choice.js")

    def _known(self, values) -> list[str]:
        """Those of the values that can be picked, in the order of the pills."""
        return [value for value, *_ in self.options if value in values and value not in self.disabled]


class Choice(_Pills):
    """Radio buttons: `value` is the one that is picked, None where none is."""

    value = param.String(default=None, allow_None=True, doc="What is picked.")

    def _receive(self, data):
        picked = self._known(data["value"])
        if len(picked) == 1:
            self.value = picked[0]
        else:
            self.param.trigger("value")


class Choices(_Pills):
    """Tick boxes: `value` is the list of those that are ticked."""

    value = param.List(default=[], item_type=str, doc="What is ticked.")
    many = param.Boolean(default=True, constant=True, doc="Several can be picked at once.")

    def _receive(self, data):
        self.value = self._known(data["value"])


class Switch(Control):
    """One thing that is on or off: `value` is a boolean."""

    value = param.Boolean(default=False, doc="Whether it is on.")
    text = param.String(default="", doc="What is switched on.")
    tip = param.String(default="", doc="A line shown while the pointer rests on it.")
    disabled = param.Boolean(default=False, doc="Whether it can be switched.")

    _esm = module("flow.js", "switch.js")

    def _receive(self, data):
        if not self.disabled:
            self.value = bool(data["value"])
