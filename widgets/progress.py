"""What the browser remembers of lessons: how far each one was gone, and what was predicted."""

import param

from trustscope.widgets.esm import Control, module


class Progress(Control):
    """`found` is what the browser had when the page was opened; `kept` is what it is to remember from now on."""

    found = param.Dict(default=None, allow_None=True, doc="What was remembered; None before the browser has said so.")
    kept = param.Dict(default=None, allow_None=True, doc="What is to be remembered; None: what is there stays.")

    _esm = module("flow.js", "progress.js")
    _rename = {"found": None}  # noqa: RUF012

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": None, "width": 0, "height": 0, **params})

    def _receive(self, data):
        found = data["found"]
        self.found = found if isinstance(found, dict) else {}
