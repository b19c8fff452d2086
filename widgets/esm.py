"""Custom controls are native HTML inputs in small ES modules beside this file: fast, and a keyboard's friend."""

from functools import cache
from pathlib import Path

import panel as pn
import param

HERE = Path(__file__).parent


def css(name: str) -> str:
    """A style sheet that lies beside this file."""
    return (HERE / name).read_text()


@cache
def module(*names: str) -> str:
    """The text of the named scripts, joined: the helpers first, the one that exports `render` last."""
    return "\n".join((HERE / name).read_text() for name in names)


class Control(pn.custom.JSComponent):
    """A custom control that acknowledges what it receives.

    The script sends one message at a time and waits for `ack` before it sends the next (`flow.js`), so a
    drag never queues: whatever the page was too slow for is skipped, and the last value always arrives.
    """

    ack = param.Integer(default=0, doc="The number of the last message that was taken in.")

    _esm = "export function render() {}"
    _stylesheets = (css("controls.css"),)

    __abstract = True

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": "stretch_width", "margin": 0, **params})

    def _handle_msg(self, data):
        if data["n"] == self.ack:  # it came again because the answer was slow
            return
        with pn.io.hold():  # whatever follows from it goes out as one message, the answer with it
            try:
                self._receive(data)
            finally:
                self.ack = data["n"]

    def _receive(self, data: dict) -> None:
        """Take in what the person did; subclasses say how."""
        raise TypeError(f"{type(self).__name__} receives nothing")
