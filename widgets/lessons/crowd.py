"""What a class predicted, for the wall: bars, a histogram, a bundle of curves or places; then the truth over it."""

import param

from trustscope.widgets.esm import Control, css, module

ASKED = ("open", "cover", "live", "hold", "again")


class Crowd(Control):
    """`picture` holds counts or curves, and `truth` when it is to be seen.

    The parts by `kind`, beside `ask` and `count`: choice has `bars` (value, text, count); number has `bins`, `start`,
    `end`, `wide`; curve has `places`, `curves`, `middle`; ranking has `ranks` (value, text, counts by place). `before`
    is the same of a first round; `covered` says that there is nothing else yet.
    """

    picture = param.Dict(default={}, doc="What is drawn.")
    compact = param.Boolean(default=False, doc="Whether it stands under the words of a step, and has little room.")
    opened = param.Boolean(default=False, doc="Whether what came in was opened.")
    live = param.Boolean(default=False, doc="Whether everything is shown as it comes in.")
    again = param.Boolean(default=False, doc="Whether the question can be asked again.")
    round = param.Integer(default=1, doc="How often it has been asked.")
    asked = param.Tuple(default=("", 0), length=2, doc="What was asked for last, and a count.")

    _esm = module("flow.js", "svg.js", "crowd.js")
    _stylesheets = (css("controls.css"), css("crowd.css"))
    _rename = {"asked": None}  # noqa: RUF012

    def _receive(self, data):
        if data["kind"] in ASKED:
            self.asked = (data["kind"], self.asked[1] + 1)
