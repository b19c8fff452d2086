"""The columns of a file: what was understood of each, what to correct, and which ones to use."""

from typing import Any

import param

from trustscope.widgets.esm import Control, module

MOST_TYPED = 200  # characters of a list of codes or a unit


class Columns(Control):
    """A table with a row for each column.

    Each row is a dict: name, kind, choices (kinds that it can be given), missing, codes (further texts that mean
    "missing", as typed), unit, example, note, usable, chosen. What the person changes is kept in the rows.
    """

    rows = param.List(default=[], item_type=dict, doc="The columns, in the order of the file.")
    label = param.String(default="Columns", doc="The accessible name of the table.")

    _esm = module("flow.js", "columns.js")

    def _receive(self, data):
        if data["kind"] == "all":
            wanted = {str(name) for name in data["names"]}
            value = bool(data["value"])
            self.rows = [
                row | {"chosen": value} if row["usable"] and row["name"] in wanted else row for row in self.rows
            ]
            return
        place = int(data["place"])
        if not 0 <= place < len(self.rows):
            return
        row, change = self.rows[place], dict[str, Any]()
        match data["kind"]:
            case "chosen" if row["usable"]:
                change = {"chosen": bool(data["value"])}
            case "type" if data["value"] in row["choices"]:
                kind = data["value"]
                used = kind not in ("leave out", "identifier")
                change = {"kind": kind, "usable": kind != "leave out", "chosen": used}
            case "codes" | "unit":
                change = {data["kind"]: str(data["value"])[:MOST_TYPED]}
            case _:
                return
        self.rows = [*self.rows[:place], row | change, *self.rows[place + 1 :]]
