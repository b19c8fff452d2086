"""A field for a passphrase, which is told to the server once and never comes back."""

import param

from trustscope.widgets.esm import Control, module


class Secret(Control):
    """What is typed travels in a message of its own: it is no parameter, so no document holds it, and nobody who
    opens the page again is sent it. `text` gives it to the app; `forget` empties the field."""

    label = param.String(default="", doc="The accessible name.")
    given = param.Integer(default=0, doc="Counts the times that something was typed.")

    _esm = module("flow.js", "secret.js")

    def __init__(self, **params):
        super().__init__(**params)
        self._kept = ""

    def text(self) -> str:
        """What was typed last; empty: nothing, or it was forgotten."""
        return self._kept

    def forget(self) -> None:
        """Empty the field, here and on the page."""
        self._kept = ""
        self._send_msg({"clear": True})

    def _receive(self, data):
        self._kept = str(data["secret"])[:1_000]
        self.given += 1
