"""A list of things to add, change and remove, and a list of answers, each to be applied at one click: a target."""

from collections.abc import Callable
from typing import ClassVar

import param

from trustscope.widgets.esm import Control, css, module

# What the script calls things, for a target; other lists say it in other words.
REQUIREMENTS = {
    "item": "requirement", "first": "say what must hold …", "more": "and also …", "answers": "What keeps the target",
    "apply": "Apply",
}  # fmt: skip


class Targets(Control):
    """A list of requirements and a list of answers.

    `value` is a tuple of requirements, whatever these are: `describe` says how each is drawn.

    Parameters
    ----------
    make : called with the name of a kind, makes a requirement of it
    edit : called with a requirement, the name of one of its fields and the new value; returns the changed requirement,
        or raises ValueError with a sentence
    describe : called with a requirement; returns ``{"line": str, "fields": [...]}``, where a field is a dict of name,
        label, value, unit and, where it is chosen from a list, options as [value, text]
    """

    value = param.ClassSelector(class_=tuple, default=(), doc="The requirements.")
    kinds = param.List(default=[], doc="What can be required: [name, text].")
    most = param.Integer(default=6, bounds=(1, None), doc="More requirements than this cannot be.")
    rows = param.List(default=[], doc="What the script draws of the requirements; follows `value`.")
    answers = param.List(
        default=[],
        doc="What keeps them: dicts of key, title, text, whether it can be applied, stands already, or is a hint; and "
        "apply, if its button has a text of its own.",
    )
    note = param.String(default="", doc="A sentence under the answers.")
    texts = param.Dict(default=REQUIREMENTS, constant=True, doc="What things are called.")
    applied = param.String(default="", doc="The key of the answer that was last applied.")
    applies = param.Integer(default=0, doc="How often one was applied.")

    _esm = module("flow.js", "targets.js")
    _stylesheets = (css("controls.css"), css("targets.css"))
    _rename: ClassVar = {"value": None, "applied": None, "applies": None}

    def __init__(self, make: Callable, edit: Callable, describe: Callable, **params):
        self._make, self._edit, self._describe = make, edit, describe
        super().__init__(**params)
        self.draw()

    @param.depends("value", watch=True)
    def draw(self, problem: str = "", at: int = -1) -> None:
        """Bring what is drawn up to the requirements; `problem` is a sentence about the one at this place."""
        self.rows = [
            {**self._describe(one), "problem": problem if place == at else ""} for place, one in enumerate(self.value)
        ]

    def _receive(self, data):
        kind, place = data["kind"], int(data.get("place", -1))
        if kind == "add" and len(self.value) < self.most and data["what"] in [name for name, _ in self.kinds]:
            self.value = (*self.value, self._make(data["what"]))
        elif kind == "remove" and 0 <= place < len(self.value):
            self.value = (*self.value[:place], *self.value[place + 1 :])
        elif kind == "edit" and 0 <= place < len(self.value):
            self._change(place, str(data["name"]), data["value"])
        elif kind == "apply" and any(one["key"] == data["key"] and one["can"] for one in self.answers):
            self.applied = data["key"]
            self.applies += 1

    def _change(self, place, name, value):
        try:
            changed = self._edit(self.value[place], name, value)
        except ValueError as refusal:
            self.draw(str(refusal), place)
            return
        if changed == self.value[place]:
            self.draw()
        else:
            self.value = (*self.value[:place], changed, *self.value[place + 1 :])
