"""The place of a lesson: its step at the left or above, the page that it is about beside or below it."""

import panel as pn
import param

from trustscope.widgets.esm import Control, css, module

_COUNTS = {
    "next": "nexts", "back": "backs", "free": "frees", "leave": "leaves", "teach": "teaches", "paper": "worksheets",
}  # fmt: skip


class LessonRoom(Control):
    """A step in words, its question, the controls that are there, and the page.

    What the person asks for is counted; the script knows nothing of lessons.
    """

    step = param.Dict(default={}, doc="title, html, kind, number, of, lesson: what is shown of the step.")
    said = param.Dict(default={}, doc="html and tone of what is said to the person; empty: nothing.")
    ending = param.Dict(default={}, doc="rows and code of the page after the last step; empty: it is a step.")
    next_text = param.String(default="Next", doc="What the button says that goes on; empty: there is none.")
    next_primary = param.Boolean(default=True, doc="Whether it is what the person wants next.")
    can_go_back = param.Boolean(default=False, doc="Whether there is a step before.")
    steps_shown = param.Boolean(default=True, doc="Whether the person may go on and back alone.")
    ways_out = param.Boolean(default=True, doc="Whether the whole page and all lessons can be gone to.")
    teachable = param.Boolean(default=False, doc="Whether a room for a class can be opened.")
    large = param.Boolean(default=False, doc="Whether it is to be read from the back row.")
    free = param.Boolean(default=False, doc="Whether the whole page is there to play with.")
    top = param.Boolean(default=True, doc="Whether the step's title is the first heading of the page.")
    working = param.Boolean(default=False, doc="Whether figures are still being computed.")
    question = pn.custom.Child(doc="Where something is predicted.")
    side = pn.custom.Child(doc="The controls.")
    page = pn.custom.Child(doc="The page.")
    side_shown = param.Boolean(default=False, doc="Whether there are controls.")
    page_shown = param.Boolean(default=True, doc="Whether there is anything to see of the page.")
    asked = param.Boolean(default=False, doc="Whether there is a question.")
    closed = param.Boolean(default=False, doc="Whether it takes no answer any more.")

    nexts = param.Integer(default=0, doc="How often the person wanted to go on.")
    backs = param.Integer(default=0, doc="How often back.")
    frees = param.Integer(default=0, doc="How often to play freely, or back from it.")
    leaves = param.Integer(default=0, doc="How often to leave the lesson.")
    teaches = param.Integer(default=0, doc="How often to teach it.")
    worksheets = param.Integer(default=0, doc="How often to have it on paper.")

    _esm = module("flow.js", "svg.js", "handout.js", "lessonending.js", "lessonroom.js")
    _stylesheets = (css("controls.css"), css("lessonroom.css"))
    _rename = dict.fromkeys(_COUNTS.values())

    def _receive(self, data):
        what = _COUNTS.get(data["kind"])
        if what:
            setattr(self, what, getattr(self, what) + 1)

    def give(self, name: str, text: str) -> None:
        """Hand over a page to print."""
        self._send_msg({"name": name, "text": text})
