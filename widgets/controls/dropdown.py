"""A drop-down, which is a native select: what it offers may change while it is being drawn."""

from typing import ClassVar

import param

from trustscope.widgets.esm import Control, module


class Dropdown(Control):
    """One of several values.

    `options` is a list of texts, or a dict of text to value; `value` is always one of the values while there are any.
    """

    value = param.Parameter(default=None, doc="What is chosen.")
    options = param.ClassSelector(class_=(list, dict), default=[], doc="What is offered.")
    label = param.String(default="", doc="The name above it.")
    entries = param.List(default=[], item_type=str, doc="The texts that the script shows.")
    place = param.Integer(default=0, doc="Which of them is chosen.")
    disabled = param.Boolean(default=False, doc="Whether nothing can be chosen.")

    _esm = module("flow.js", "dropdown.js")
    _rename: ClassVar = {"value": None, "options": None}  # Python's own; the script sees texts and a place

    def __init__(self, **params):
        super().__init__(**params)
        self._offer()

    @property
    def values(self) -> list:
        """The values that are offered."""
        return list(self.options.values()) if isinstance(self.options, dict) else list(self.options)

    @param.depends("options", watch=True)
    def _offer(self):
        values = self.values
        if values and self.value not in values:
            self.value = values[0]
        self._show()

    @param.depends("value", watch=True)
    def _show(self):
        values = self.values
        place = values.index(self.value) if self.value in values else 0
        self.param.update(entries=[str(text) for text in self.options], place=place)

    def _receive(self, data):
        place = int(data["place"])
        if 0 <= place < len(self.values) and not self.disabled:
            self.value = self.values[place]
