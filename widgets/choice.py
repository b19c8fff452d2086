"""Pills: pick one, or pick any number."""

import param

from trustscope.widgets.esm import Control, module


class Choice(Control):
    """A row of pills: radio buttons, or tick boxes where `many`."""

    value = param.List(default=[], item_type=str, doc="What is picked; one value unless `many`.")
    options = param.List(default=[], doc="(value, text, tip) for each pill.")
    many = param.Boolean(default=False, constant=True, doc="Whether several can be picked at once.")
    label = param.String(default="", doc="The accessible name of the group.")
    label_shown = param.Boolean(default=False, doc="Whether the name is written above the pills.")
    disabled = param.List(default=[], item_type=str, doc="Values that cannot be picked now.")

    _esm = module("flow.js", "choice.js")

    def _receive(self, data):
        known = [value for value, *_ in self.options]
        value = [v for v in known if v in data["value"] and v not in self.disabled]
        if self.many or len(value) == 1:
            self.value = value
        else:
            self.param.trigger("value")

    @property
    def picked(self) -> str:
        """The one value that is picked."""
        return self.value[0]
