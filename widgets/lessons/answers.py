"""One of several answers, as large as a sentence needs; the right one can be shown over what was chosen."""

import param

from trustscope.widgets.esm import Control, css, module


class Answers(Control):
    """`value` is the chosen answer, or None; once there is a `truth` it is shown, and nothing changes any more."""

    value = param.String(default=None, allow_None=True, doc="What is chosen.")
    truth = param.String(default=None, allow_None=True, doc="The right one, when it is to be seen.")
    label = param.String(default="", doc="What is asked.")
    options = param.List(default=[], doc="(value, text) of each answer.")

    _esm = module("flow.js", "answers.js")
    _stylesheets = (css("controls.css"), css("predictions.css"))

    def _receive(self, data):
        if self.truth is None and data["value"] in [value for value, _ in self.options]:
            self.value = data["value"]
