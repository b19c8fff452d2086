"""What a class predicted, for the wall: bars, a histogram, a bundle of curves or places; then the truth over it."""

import param

from trustscope.widgets.esm import Control, css, module


class Crowd(Control):
    """`picture` holds counts or curves, and `truth` when it is to be seen; covering is the reader's own affair.

    The parts by `kind`, beside `ask` and `count`: choice has `bars` (value, text, count); number has `bins`, `start`,
    `end`, `wide`; curve has `places`, `curves`, `middle`; ranking has `ranks` (value, text, counts by place).
    """

    picture = param.Dict(default={}, doc="What is drawn.")

    _esm = module("flow.js", "svg.js", "crowd.js")
    _stylesheets = (css("controls.css"), css("crowd.css"))
