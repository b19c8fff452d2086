"""A curve drawn by hand on the axes of a plot; the true one can be drawn over it."""

import param

from trustscope.widgets.esm import Control, css, module


class Sketch(Control):
    """`value` has a height for each of the places, or is None; once there is a `truth`, it is drawn over it.

    With a pointer one draws, with the keyboard each place is a slider.
    """

    value = param.List(default=None, allow_None=True, item_type=(int, float), doc="The heights that are expected.")
    truth = param.List(default=None, allow_None=True, item_type=(int, float), doc="The true ones.")
    label = param.String(default="", doc="What is asked.")
    places = param.List(default=[], item_type=(int, float), doc="Where the curve has a height, from left to right.")
    x_span = param.NumericTuple(default=(0.0, 1.0), length=2, doc="Where the axis below begins and ends.")
    x_ticks = param.List(default=[], item_type=(int, float), doc="The places with a number.")
    y_start = param.Number(default=0.0, doc="The lowest height.")
    y_end = param.Number(default=1.0, doc="The highest.")
    y_ticks = param.List(default=[], item_type=(int, float), doc="The heights with a number.")
    x_label = param.String(default="", doc="What stands below.")
    y_label = param.String(default="", doc="What stands above.")
    share = param.Boolean(default=True, doc="Whether heights are written in per cent.")

    _esm = module("flow.js", "svg.js", "sketch.js")
    _stylesheets = (css("controls.css"), css("predictions.css"))

    def _receive(self, data):
        heights = [min(max(float(one), self.y_start), self.y_end) for one in data["value"]]
        if self.truth is None and len(heights) == len(self.places):
            self.value = heights
