"""What a teacher leads a class with: the code on the wall, how many are there, on and back, together or apart."""

from typing import Any

import param

from trustscope.widgets.esm import Control, css, module

ASKED = (
    "together", "apart", "table", "link", "close", "pause", "resume", "stop-countdown",
)  # fmt: skip
ASKED_WITH_NUMBER = ("next", "back", "section", "countdown")  # on and back from which place


class Conduct(Control):
    """`asked` is the last thing that was asked for, its number and a count; the script knows nothing of rooms."""

    title = param.String(default="", doc="What is taught.")
    sections = param.List(default=[], doc="title and minutes of each section.")
    section = param.Integer(default=0, doc="The present section, counted from 0.")
    place = param.Integer(default=0, doc="The present place of all that is taught; 0 before the class has begun.")
    begun = param.Boolean(default=False, doc="Whether the class has begun; before that the code is on the wall.")
    step = param.Integer(default=0, doc="The present step of the section, counted from 1.")
    of = param.Integer(default=0, doc="How many steps the section has.")
    next_text = param.String(default="Next", doc="What the button says that goes on.")
    next_title = param.String(default="", doc="The title of the next step; empty: there is none.")
    together = param.Boolean(default=True, doc="Whether everybody stands where the teacher does.")
    paused = param.Boolean(default=False, doc="Whether all students' pages are at rest.")
    countdown = param.Dict(default={}, doc="until and left; empty: there is none.")
    countdowns = param.List(default=[], doc="The seconds that can be chosen.")
    notes = param.Dict(default={}, doc="aim, misconception, questions, minutes, more: for the teacher alone.")
    here = param.Integer(default=0, doc="How many students are there.")
    places = param.List(default=[], doc="How many stand on each step; empty: all where the teacher does.")
    done = param.Integer(default=-1, doc="How many have predicted, or reached the goal; -1: nothing is asked.")
    done_text = param.String(default="have predicted", doc="What they have done.")
    code = param.String(default="", doc="What students type.")
    address = param.String(default="", doc="Where they type it.")
    others = param.List(default=[], doc="Other addresses under which it may be found.")
    warning = param.String(default="", doc="What keeps students from coming in, and what to do.")
    qr = param.String(default="", doc="The address with the code, as an SVG.")
    open = param.Boolean(default=False, doc="Whether there is a room.")
    said = param.String(default="", doc="A sentence for the teacher.")
    asked = param.Tuple(default=("", 0, 0), length=3, doc="What was asked for last, with which number, and a count.")

    _esm = module("flow.js", "handout.js", "clock.js", "conduct.js")
    _stylesheets = (css("controls.css"), css("conduct.css"))
    _rename = {"asked": None}  # noqa: RUF012

    def give(self, name: str, text: str) -> None:
        """Hand over a table."""
        self._send_msg({"name": name, "text": text})

    def copy(self, path: str) -> None:
        """Put the address of a page of this server on the clipboard; it is not shown."""
        self._send_msg({"path": path})

    def _receive(self, data: dict[str, Any]) -> None:
        kind, number = data["kind"], data.get("number", 0)
        if kind in ASKED or (kind in ASKED_WITH_NUMBER and type(number) is int):
            self.said = ""
            self.asked = (kind, number if kind in ASKED_WITH_NUMBER else 0, self.asked[2] + 1)
