"""Rows of named bars: a table to read and to look at, with any marks over one another in each row."""

from dataclasses import dataclass

import numpy as np
import param

from trustscope.widgets.esm import css, module
from trustscope.widgets.live.figure import numbers
from trustscope.widgets.scenes.drawing import Drawing


@dataclass(frozen=True)
class Mark:
    """One thing that every row shows.

    Parameters
    ----------
    name : the heading of its column, for a screen reader
    kind : "bar", "thin" (a slim bar over it), "tick" (an upright stroke), or "range" (a dot on a line)
    colour : str
    values : heights of all rows; of a range (rows, 3): low, middle, high; where they are below 0 nothing is drawn
    """

    name: str
    kind: str
    colour: str
    values: np.ndarray


class Bars(Drawing):
    """A row for each label. Labels may come from somebody's file: they are shown as text, never as markup."""

    frame = param.Dict(default={}, doc="What seldom changes: labels, and [name, kind, colour] of the marks.")
    values = param.List(default=[], doc="Heights, mark by mark, rounded.")
    texts = param.List(default=[], item_type=str, doc="What stands at the end of each row.")
    flagged = param.List(default=[], item_type=int, doc="Rows that stand out.")
    ghost = param.List(default=[], doc="Heights in a kept scenario, mark by mark, or nothing.")
    top = param.Number(default=1.0, doc="The height that fills a row.")
    label = param.String(default="", doc="The accessible name of the table.")
    row = param.Integer(default=20, bounds=(8, 60), doc="Pixels that a row takes.")
    tallest = param.Integer(default=0, bounds=(0, None), doc="Pixels beyond which it scrolls; 0: never.")

    _esm = module("flow.js", "bars.js")
    _stylesheets = (css("controls.css"), css("bars.css"))

    def draw(self, labels, marks: list[Mark], *, top: float, texts=None, flagged=(), fill: int = 0):
        """Draw these marks for these labels, scaled to `top`; few rows grow up to 30 pixels to `fill` so many."""
        frame = {"labels": list(labels), "marks": [[m.name, m.kind, m.colour] for m in marks]}
        changes = {
            "values": [numbers(np.asarray(m.values, dtype=float).T.ravel()) for m in marks],
            "texts": list(texts) if texts is not None else [""] * len(frame["labels"]),
            "flagged": [int(i) for i in flagged],
            "ghost": [] if self.beside is None else self.beside.heights(frame["labels"], frame["marks"]),
            "top": float(top) or 1.0,
            "row": min(max(fill // max(len(frame["labels"]), 1), 20), 30),
        }
        if frame != self.frame:
            changes["frame"] = frame
        self.put(**changes)

    def heights(self, labels, marks) -> list[list[float | None]]:
        """Heights of these marks (of ranges the middle) for these labels; None where there is none here."""
        rows = {label: place for place, label in enumerate(self.frame.get("labels", []))}
        found = {}
        for (name, kind, _), values in zip(self.frame.get("marks", []), self.values, strict=False):
            found[name] = values[len(rows) : 2 * len(rows)] if kind == "range" else values

        def height(name, label):
            there = name in found and label in rows and found[name][rows[label]] >= 0
            return found[name][rows[label]] if there else None

        return [[height(name, label) for label in labels] for name, *_ in marks]
