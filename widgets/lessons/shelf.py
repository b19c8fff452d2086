"""The lessons as cards with their length and how far one has come, plans for a class, and doors to other places."""

import param

from trustscope.widgets.esm import Control, css, module

MOST_TEXT = 1_000_000  # characters of a file that is opened


class Shelf(Control):
    """`lessons`, `plans` and `doors` are what is offered; `chosen` is the last thing that was chosen, with a count."""

    lessons = param.List(default=[], doc="id, title, about, minutes, steps and group of each lesson.")
    plans = param.List(default=[], doc="id, title, about, minutes and lessons of each plan for a class.")
    progress = param.Dict(default={}, doc="By lesson the step that was reached and whether it was finished.")
    doors = param.List(default=[], doc="name, title and text of each door.")
    teachable = param.Boolean(default=False, doc="Whether a room for a class can be opened.")
    writable = param.Boolean(default=True, doc="Whether own lessons can be opened and written.")
    said = param.List(default=[], item_type=str, doc="Sentences about a file that was opened.")
    removed = param.String(default="", doc="The title of an own lesson that was just removed; empty: none.")
    chosen = param.Tuple(default=("", "", 0), length=3, doc="What was chosen: lesson or door, its name, a count.")
    teaches = param.Tuple(default=((), 0), length=2, doc="The names of what is to be taught, and a count.")
    opened = param.Tuple(default=("", "", 0), length=3, doc="Name and text of a file that was opened, and a count.")

    _esm = module("flow.js", "shelf.js")
    _stylesheets = (css("controls.css"), css("shelf.css"))
    _rename = {"chosen": None, "teaches": None, "opened": None}  # noqa: RUF012

    def _receive(self, data):
        kind, name = data["kind"], data.get("name")
        ids = [one["id"] for one in self.lessons]
        own = [one["id"] for one in self.lessons if one.get("group") == "own"]
        offered = {
            "lesson": ids,
            "door": [one["name"] for one in self.doors],
            "remove": own,
            "edit": own,
            "write": [""],
            "restore": [""] if self.removed else [],
        }
        if name in offered.get(kind, ()):
            self.chosen = (kind, name, self.chosen[2] + 1)
        if kind == "teach" and self.teachable:
            asked = data.get("names")
            names = asked if isinstance(asked, list) else []
            known = [*ids, *(one["id"] for one in self.plans)]
            if names and all(one in known for one in names):
                self.teaches = (tuple(names), self.teaches[1] + 1)
        if kind == "file" and self.writable:
            self.opened = (str(name)[:255], str(data.get("text"))[: MOST_TEXT + 1], self.opened[2] + 1)
