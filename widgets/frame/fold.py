"""One line that says in plain words what is chosen, and opens in place to change it."""

import panel as pn
import param

from trustscope.widgets.esm import Control, css, module


class Fold(Control):
    """Controls behind a line; the browser gets them when they are first opened.

    Parameters
    ----------
    text : the heading, `label`
    controls : what stands in it when it is open
    """

    label = param.String(default="", doc="The heading; it is part of the button's name too.")
    label_shown = param.Boolean(default=True, doc="Whether the heading is shown.")
    line = param.String(default="", doc="What is chosen, in plain words.")
    opened = param.Boolean(default=False, doc="Whether the controls are shown.")
    body = pn.custom.Child(doc="The controls.")

    _esm = module("flow.js", "fold.js")
    _stylesheets = (css("controls.css"), css("fold.css"))

    def __init__(self, text: str = "", *controls, **params):
        self._controls = controls
        super().__init__(label=text, body=pn.Column(sizing_mode="stretch_width", margin=0), **params)
        self.param.watch(lambda event: self._fill(), "opened")
        self._fill()

    def _fill(self):
        if self.opened and not len(self.body):
            self.body[:] = list(self._controls)

    def _receive(self, data):
        self.opened = bool(data["opened"])
