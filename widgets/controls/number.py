"""A box for a whole number."""

import param

from trustscope.widgets.esm import Control, module


class WholeNumber(Control):
    """A number from `start` to `end`; anything else that is typed gives way to what stood there."""

    value = param.Integer(default=0, doc="The number.")
    start = param.Integer(default=0, doc="The least.")
    end = param.Integer(default=2**31 - 1, doc="The greatest.")
    label = param.String(default="", doc="The accessible name.")
    label_shown = param.Boolean(default=True, doc="Whether the name is written beside the box.")

    _esm = module("flow.js", "number.js")

    def _receive(self, data):
        try:
            value = int(data["value"])
        except ValueError:
            return
        if self.start <= value <= self.end:
            self.value = value
