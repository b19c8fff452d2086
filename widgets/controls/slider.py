"""A slider whose drag never queues, and beside it a box to type the number into.

Why not Panel's `EditableIntSlider` (1.9): 2.3 kB of messages and 72 elements each, instead of 0.5 kB and 16.
"""

import math

import param

from trustscope.widgets.esm import Control, module


class Slider(Control):
    """One number, dragged or typed.

    `value` follows every movement; `value_throttled` changes when the person lets go (or rests, on the
    keyboard). `readout` says in words what the number means.

    Where `stops` are given the slider moves from stop to stop, and `value` is the stop itself, never its place.
    """

    value = param.Number(default=0.0, doc="The number as it is dragged.")
    value_throttled = param.Number(default=0.0, constant=True, doc="The number when let go.")
    start = param.Number(default=0.0, doc="The least value.")
    end = param.Number(default=1.0, doc="The greatest value.")
    step = param.Number(default=0.01, bounds=(0, None), inclusive_bounds=(False, True), doc="One key press.")
    stops = param.List(default=[], item_type=(int, float), doc="Increasing values to choose from; empty: any.")
    scale = param.Number(default=1.0, doc="What is typed is this many times the value: 100 where people type per cent.")
    typed = param.Boolean(default=True, doc="Whether the number can be typed as well.")
    label = param.String(default="", doc="The accessible name.")
    label_shown = param.Boolean(default=True, doc="Whether the name is written above the slider.")
    readout = param.String(default="", doc="What the number means, in words.")
    disabled = param.Boolean(default=False, doc="Whether it can be moved.")
    tip = param.String(default="", doc="A line shown while the pointer rests on it.")

    _esm = module("flow.js", "slider.js")

    def __init__(self, **params):
        if stops := params.get("stops"):
            params.setdefault("value", stops[0])
        super().__init__(**params)
        with param.edit_constant(self):
            self.value_throttled = self.value

    def nearest(self, value: float) -> float:
        """The place nearest to a number at which the slider can stand."""
        if self.stops:
            return min(self.stops, key=lambda stop: abs(stop - value))
        return min(max(value, self.start), self.end)

    def _receive(self, data):
        value = float(data["value"])
        if math.isnan(value):
            return
        value = self.nearest(value)
        self.value = value
        if data["done"]:
            with param.edit_constant(self):
                if self.value_throttled == value:
                    self.param.trigger("value_throttled")  # let go where it began counts too
                self.value_throttled = value
