"""The line above a student's page: what is to be done, how long there is for it, and whether there is a pause."""

import param

from trustscope.widgets.esm import Control, css, module


class Strip(Control):
    """`countdown` has `until`, which tells one countdown from another, and the seconds that are left of it."""

    text = param.String(default="Trustscope", doc="One sentence.")
    countdown = param.Dict(default={}, doc="until and left; empty: there is none.")
    paused = param.Boolean(default=False, doc="Whether the page below is at rest.")

    _esm = module("flow.js", "clock.js", "strip.js")
    _stylesheets = (css("controls.css"), css("strip.css"))
