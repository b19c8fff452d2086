"""A quiet button."""

import param

from trustscope.widgets.esm import Control, module


class Action(Control):
    """Something to do now; `clicks` counts."""

    clicks = param.Integer(default=0, doc="How often it was pressed.")
    text = param.String(default="", doc="What it does; there is no button as long as that is not known.")
    tip = param.String(default="", doc="A line shown while the pointer rests on it.")
    primary = param.Boolean(default=False, doc="Whether it is what most people want next.")
    disabled = param.Boolean(default=False, doc="Whether it can be pressed.")

    _esm = module("flow.js", "action.js")

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": None, **params})

    def _receive(self, data):
        if not self.disabled:
            self.clicks += 1
