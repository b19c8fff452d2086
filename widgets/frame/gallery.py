"""A gallery: groups of pictures with a title and a verdict, one of which can be opened."""

import param

from trustscope.widgets.esm import Control, css, module


class Gallery(Control):
    """Tiles in groups. Pictures are SVG texts of our own making; all other texts are shown as text.

    `opened` is the tile that was pressed last; `presses` counts, so that pressing it again is seen.
    """

    groups = param.List(default=[], doc="(name, explanation) of each group, in order.")
    tiles = param.List(default=[], doc="Dicts: id, group, title, note, picture, verdict, tone (good, warn, bad, soft).")
    shown = param.List(default=[], item_type=str, doc="Ids of the tiles that are shown.")
    opened = param.String(default="", doc="The tile that was pressed last.")
    presses = param.Integer(default=0, doc="How often one was pressed.")

    _esm = module("flow.js", "gallery.js")
    _stylesheets = (css("controls.css"), css("gallery.css"))

    def _receive(self, data):
        if data["id"] in self.shown:
            self.opened = data["id"]
            self.presses += 1
