"""A slider whose drag never queues."""

import param

from trustscope.widgets.esm import Control, module


class Slider(Control):
    """One number, dragged.

    `value` follows every movement; `value_throttled` changes when the person lets go (or rests, on the
    keyboard). `readout` is the text beside it: the app says what the number means.
    """

    value = param.Number(default=0.0, doc="The number as it is dragged.")
    value_throttled = param.Number(default=0.0, constant=True, doc="The number when let go.")
    start = param.Number(default=0.0, doc="The least value.")
    end = param.Number(default=1.0, doc="The greatest value.")
    step = param.Number(default=0.01, bounds=(0, None), inclusive_bounds=(False, True), doc="One key press.")
    label = param.String(default="", doc="The accessible name.")
    label_shown = param.Boolean(default=True, doc="Whether the name is written above the slider.")
    readout = param.String(default="", doc="What the number means, in words.")
    disabled = param.Boolean(default=False, doc="Whether it can be moved.")
    tip = param.String(default="", doc="A line shown while the pointer rests on it.")

    _esm = module("flow.js", "slider.js")

    def __init__(self, **params):
        super().__init__(**params)
        with param.edit_constant(self):
            self.value_throttled = self.value

    def _receive(self, data):
        value = min(max(float(data["value"]), self.start), self.end)
        self.value = value
        if data["done"]:
            with param.edit_constant(self):
                if self.value_throttled == value:
                    self.param.trigger("value_throttled")  # let go where it began counts too
                self.value_throttled = value
