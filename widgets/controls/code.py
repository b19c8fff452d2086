"""Lines of code to copy."""

import param

from trustscope.widgets.esm import Control, css, module


class Code(Control):
    """A block of code, and a button that copies it."""

    text = param.String(default="", doc="The code.")
    label = param.String(default="", doc="The accessible name of the block.")

    _esm = module("flow.js", "code.js")
    _stylesheets = (css("controls.css"), css("code.css"))
