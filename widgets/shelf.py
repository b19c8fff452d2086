"""The lessons as cards with their length and how far one has come, and doors to other places."""

import param

from trustscope.widgets.esm import Control, css, module


class Shelf(Control):
    """`lessons` and `doors` are what is offered; `chosen` is the last one that was chosen, with a count."""

    lessons = param.List(default=[], doc="id, title, about, minutes, steps and page of each lesson.")
    progress = param.Dict(default={}, doc="By lesson the step that was reached and whether it was finished.")
    doors = param.List(default=[], doc="name, title and text of each door.")
    chosen = param.Tuple(default=("", "", 0), length=3, doc="What was chosen: lesson or door, its name, a count.")

    _esm = module("flow.js", "shelf.js")
    _stylesheets = (css("controls.css"), css("shelf.css"))
    _rename = {"chosen": None}  # noqa: RUF012

    def _receive(self, data):
        kind, name = data["kind"], data["name"]
        offered = {"lesson": [one["id"] for one in self.lessons], "door": [one["name"] for one in self.doors]}
        if name in offered.get(kind, ()):
            self.chosen = (kind, name, self.chosen[2] + 1)
