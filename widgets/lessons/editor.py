"""A form over a lesson that is being written: its head, its steps, their questions, and what is still wrong."""

from typing import Any

import param

from trustscope.widgets.esm import Control, css, module

ASKED = ("question", "example", "fill", "save", "play", "clear", "leave")


class Editor(Control):
    """A draft is plain JSON that the script changes and sends back as `changed`; it knows only the names of fields."""

    given = param.List(default=[{}, 0, 0], doc="A draft to show, the last change of the person that it has, a count.")
    before = param.Dict(default={}, doc="A draft that the first one took the place of; empty: none.")
    parts = param.Dict(default={}, doc="By page the cards and controls that a step can show: name and title of each.")
    figures = param.List(default=[], doc="By step the figures that can be asked for: name, label, value, unit.")
    problems = param.List(default=[], item_type=str, doc="What is still wrong.")
    checking = param.Boolean(default=False, doc="Whether it is being checked.")
    changed = param.ClassSelector(class_=tuple, default=({}, 0), doc="The draft as the person changed it, a count.")
    asked = param.Tuple(
        default=("", 0, 0, 0), length=4, doc="What was asked for last, for which step, with which other, and a count."
    )

    _esm = module("flow.js", "handout.js", "editor.js")
    _stylesheets = (css("controls.css"), css("editor.css"))
    _rename = {"changed": None, "asked": None}  # noqa: RUF012

    _last = 0  # change of the person

    @property
    def draft(self) -> dict[str, Any]:
        """The draft that was shown last."""
        return self.given[0]

    def replace(self, draft: dict[str, Any]) -> None:
        """Let the form have a draft; also one that it was given before, and that the person has changed since."""
        self.given = [draft, self._last, self.given[2] + 1]

    def give(self, name: str, text: str) -> None:
        """Hand over the file of the lesson."""
        self._send_msg({"name": name, "text": text})

    def _receive(self, data: dict[str, Any]) -> None:
        kind, place, other = data["kind"], data.get("place", 0), data.get("other", 0)
        if kind == "draft" and isinstance(data.get("draft"), dict):
            if type(change := data.get("change")) is int:
                self._last = change
            self.changed = (data["draft"], self.changed[1] + 1)
        if kind in ASKED and type(place) is int and type(other) is int:
            self.asked = (kind, place, other, self.asked[3] + 1)
