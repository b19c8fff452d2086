"""A button that hands a file to the person."""

import base64

import param

from trustscope.widgets.esm import Control, module


class Give(Control):
    """`clicks` counts the presses; the app answers with `give`, or says elsewhere why not."""

    clicks = param.Integer(default=0, doc="How often it was pressed.")
    text = param.String(default="", doc="What it does.")
    disabled = param.Boolean(default=False, doc="Whether it can be pressed.")

    _esm = module("flow.js", "give.js")

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": None, **params})

    def give(self, name: str, content: bytes, kind: str = "application/octet-stream") -> None:
        """Hand over a file."""
        self._send_msg({"name": name, "kind": kind, "content": base64.b64encode(content).decode()})

    def _receive(self, data):
        if not self.disabled:
            self.clicks += 1
