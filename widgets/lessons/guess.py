"""A number that is expected, on a slider without a beginning; the truth can be marked on the same line."""

import param

from trustscope.widgets.esm import Control, css, module


class Guess(Control):
    """`value` is the number, or None before anything was set; once there is a `truth`, both are marked."""

    value = param.Number(default=None, allow_None=True, doc="What is expected.")
    truth = param.Number(default=None, allow_None=True, doc="What is so, when it is to be seen.")
    label = param.String(default="", doc="What is asked.")
    start = param.Number(default=0.0, doc="The least number.")
    end = param.Number(default=1.0, doc="The largest.")
    step = param.Number(default=0.01, doc="One key press.")
    share = param.Boolean(default=False, doc="Whether numbers from 0 to 1 are written in per cent.")
    unit = param.String(default="", doc="What stands behind the number.")

    _esm = module("flow.js", "guess.js")
    _stylesheets = (css("controls.css"), css("predictions.css"))

    def _receive(self, data):
        if self.truth is None:
            self.value = min(max(float(data["value"]), self.start), self.end)
