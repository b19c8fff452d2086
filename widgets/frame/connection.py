"""A bar that says at once when the connection to the server is lost, and opens the page anew when it is back."""

import param

from trustscope.widgets.esm import Control, module

TEXT = "The connection is lost. What you see is no longer updated. Reconnecting …"
STOPPED = "The server was stopped. What you see is no longer updated. The page comes back as soon as the server does."
FULL = (
    "The server's memory is full, and this page used the most of it, so it was closed. "
    "What you see is no longer updated. Try again with fewer rows or columns."
)


class Connection(Control):
    """Put one of them anywhere on a page. While the connection is lost, the root element has the class `ts-lost`."""

    text = param.String(default=TEXT, doc="What the bar says.")
    stays = param.Boolean(default=False, doc="Whether the page is opened anew only when somebody asks for it.")

    _esm = module("flow.js", "connection.js")

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": None, "width": 0, "height": 0, **params})

    def stopping(self) -> None:
        """The connection is about to end because the server stops: the bar will say so."""
        self.text = STOPPED

    def full(self) -> None:
        """The connection is about to end because the page takes too much memory: the bar will say so, and stay."""
        self.param.update(text=FULL, stays=True)
