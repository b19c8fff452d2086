"""What a teacher leads a class with: the code on the wall, how many are there, on and back, together or apart."""

import param

from trustscope.widgets.esm import Control, css, module

ASKED = ("next", "back", "together", "apart", "table", "link", "close")


class Conduct(Control):
    """`asked` is the last thing that was asked for, with a count; the script knows nothing of rooms."""

    lesson = param.String(default="", doc="The title of the lesson.")
    step = param.Integer(default=0, doc="The present step, counted from 1; 0: it has not begun.")
    of = param.Integer(default=0, doc="How many steps there are.")
    next_text = param.String(default="Next", doc="What the button says that goes on.")
    next_title = param.String(default="", doc="The title of the next step; empty: there is none.")
    together = param.Boolean(default=True, doc="Whether everybody stands where the teacher does.")
    here = param.Integer(default=0, doc="How many students are there.")
    places = param.List(default=[], doc="How many stand on each step; empty: all where the teacher does.")
    predicted = param.Integer(default=-1, doc="How many have predicted; -1: nothing is asked.")
    code = param.String(default="", doc="What students type.")
    address = param.String(default="", doc="Where they type it.")
    others = param.List(default=[], doc="Other addresses under which it may be found.")
    qr = param.String(default="", doc="The address with the code, as an SVG.")
    open = param.Boolean(default=False, doc="Whether there is a room.")
    said = param.String(default="", doc="A sentence for the teacher.")
    asked = param.Tuple(default=("", 0), length=2, doc="What was asked for last, and a count.")

    _esm = module("flow.js", "conduct.js")
    _stylesheets = (css("controls.css"), css("conduct.css"))
    _rename = {"asked": None}  # noqa: RUF012

    def give(self, name: str, text: str) -> None:
        """Hand over a table."""
        self._send_msg({"name": name, "text": text})

    def copy(self, path: str) -> None:
        """Put the address of a page of this server on the clipboard; it is not shown."""
        self._send_msg({"path": path})

    def _receive(self, data):
        if data["kind"] in ASKED:
            self.said = ""
            self.asked = (data["kind"], self.asked[1] + 1)
