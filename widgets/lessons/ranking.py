"""Things to be put in order; the true order can be shown beside it."""

import param

from trustscope.widgets.esm import Control, css, module


class Ranking(Control):
    """`value` is the order, or None before the person said so; once there is a `truth`, both are shown."""

    value = param.List(default=None, allow_None=True, item_type=str, doc="The order that is expected.")
    truth = param.List(default=None, allow_None=True, item_type=str, doc="The true order, when it is to be seen.")
    label = param.String(default="", doc="What is asked.")
    options = param.List(default=[], doc="(value, text) of each thing.")
    first = param.String(default="most", doc="What stands at the top.")
    last = param.String(default="least", doc="What stands at the bottom.")

    _esm = module("flow.js", "ranking.js")
    _stylesheets = (css("controls.css"), css("predictions.css"))

    def _receive(self, data):
        order = data["value"]
        if self.truth is None and sorted(map(str, order)) == sorted(value for value, _ in self.options):
            self.value = [str(one) for one in order]
