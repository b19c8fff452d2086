"""The bar at the top: the pages, undo and redo, sharing, the theme, the help."""

import base64

import param

from trustscope.widgets.esm import Control, css, module

ASKED = (
    "keep", "call", "move", "swap", "draw", "remove", "open-kept", "restore", "kept-elsewhere", "comparing",
    "compared-csv", "take", "cancel", "present", "walk", "toggle", "present-end",
)  # fmt: skip
MOST_OPENED = 1_000_000  # bytes of a scenario file that is opened


class Bar(Control):
    """Page header. `page` is the page that is open; what else the person asks for is counted."""

    brand = param.String(default="Trustscope", doc="The name at the left.")
    pages = param.List(default=[], item_type=str, doc="Titles of the pages.")
    page = param.String(default="", doc="The one that is open.")
    info = param.String(default="", doc="What is loaded, in words.")
    bare = param.Boolean(default=False, doc="Whether the page has no controls at the side.")
    help_html = param.String(default="", doc="The help, written by us: it is shown as HTML.")
    can_undo = param.Boolean(default=False, doc="Whether there is something to take back.")
    can_redo = param.Boolean(default=False, doc="Whether something was taken back.")
    undos = param.Integer(default=0, doc="How often Undo was asked for.")
    redos = param.Integer(default=0, doc="How often Redo was asked for.")
    query = param.String(default="", doc="The query of the link to this page.")
    title = param.String(default="", doc="What stands on the page, in a few words: the name of a recent scenario.")
    parts = param.List(default=[], doc="Kind, name and title of the parts that a teacher's link may show.")
    offered = param.List(default=[], item_type=str, doc="What can be taken along: report, slides and so on.")
    framed_by = param.List(default=[], item_type=str, doc="Origins whose pages may show the app in a frame.")
    taking = param.Dict(default={}, doc="What is being made: what, fraction, text; empty: nothing.")
    terms = param.Dict(default={}, doc="The glossary: words and the sentences that explain them.")
    presenting = param.Dict(default={}, doc="While presenting: place, titles of the places, recipients; empty: not.")
    limited = param.Boolean(default=False, doc="Whether the address of this visit shows only a part of a page.")
    comparable = param.Boolean(default=True, doc="Whether scenarios can be compared.")
    saves = param.Integer(default=0, doc="How often the scenario was asked for as a file.")
    file = param.Dict(default={}, doc="A file for the person: name, text or bytes (base 64), and a number: it is new.")
    opened = param.ClassSelector(class_=tuple, default=(), doc="Name and text of a scenario file that was opened.")
    kept = param.List(default=[], doc="Scenarios that were kept: page, name, letter, title, query, behind.")
    compared = param.Dict(default={}, doc="The table of kept scenarios: columns, rows [kind, name, texts], a note.")
    said = param.List(default=[], item_type=str, doc="Sentences for the person, shown until they are dismissed.")

    asked = param.Dict(default={}, doc="What else is asked for: its kind, and what belongs to it.")

    _esm = module(
        "flow.js", "theme.js", "terms.js", "compare.js", "teacher.js", "taking.js", "speaker.js", "present.js",
        "lostfocus.js", "bar.js",
    )  # fmt: skip
    _stylesheets = (css("bar.css"),)
    _rename = {"opened": None, "undos": None, "redos": None, "saves": None, "asked": None}  # noqa: RUF012

    def say(self, *sentences: str) -> None:
        """Tell the person something beside the page."""
        self.said = list(sentences)

    def give(self, name: str, content: str | bytes, kind: str = "application/json") -> None:
        """Hand a file to the person."""
        held = {"text": content} if isinstance(content, str) else {"bytes": base64.b64encode(content).decode()}
        self.file = {"name": name, "kind": kind, "number": self.file.get("number", 0) + 1} | held

    def _receive(self, data):
        match data["kind"]:
            case "page" if data["page"] in self.pages:
                self.page = data["page"]
            case "undo":
                self.undos += 1
            case "redo":
                self.redos += 1
            case "save":
                self.saves += 1
            case "open":
                self.opened = (str(data["name"])[:255], str(data["text"])[: MOST_OPENED + 1])
                self.opened = ()
            case kind if kind in ASKED:
                self.asked = data
                self.asked = {}
            case "dismiss":
                self.said = []
