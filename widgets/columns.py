"""The columns of a file: what was understood of each, and which ones to use."""

import param

from trustscope.widgets.esm import Control, module


class Columns(Control):
    """A table with a tick a row. Each row: name, kind, missing, example, note, usable, chosen."""

    rows = param.List(default=[], item_type=dict, doc="The columns, in the order of the file.")
    label = param.String(default="Columns", doc="The accessible name of the table.")

    _esm = module("flow.js", "columns.js")

    def _receive(self, data):
        place = int(data["place"])
        if 0 <= place < len(self.rows) and self.rows[place]["usable"]:
            rows = [dict(row) for row in self.rows]
            rows[place]["chosen"] = bool(data["value"])
            self.rows = rows
