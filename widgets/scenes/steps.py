"""One person's category on its way from full trust to none: level where it stays, upright where it is redrawn."""

from dataclasses import dataclass

import param

from trustscope.numbers import GAP, format_number
from trustscope.widgets.esm import css, module
from trustscope.widgets.scenes.drawing import Drawing


@dataclass(frozen=True)
class Step:
    """From trust `start` down to `end` (per cent) the value stands in this row."""

    start: float
    end: float
    row: int


@dataclass(frozen=True)
class Stand:
    """A recipient: the trust (per cent), and the row of the value that they hold."""

    initial: str
    colour: str
    trust: float
    row: int
    member: bool = True


class Steps(Drawing):
    """Rows are values, the way runs from 100 % at the left to little at the right.

    Labels may come from somebody's file: they are shown as text, never as markup.
    """

    scene = param.Dict(default={}, doc="All that is drawn: labels, steps, stands, lowest.")
    label = param.String(default="", doc="The accessible name of the picture.")
    summary_text = param.String(default="", doc="What a screen reader says of it.")

    _esm = module("flow.js", "steps.js")
    _stylesheets = (css("controls.css"), css("steps.css"))

    def draw(self, labels, steps: list[Step], stands: list[Stand], *, lowest: float, rows: int):
        """Draw; the first row is the true value, `rows` is how many to leave room for."""
        scene = {
            "labels": list(labels),
            "steps": [[round(s.start, 2), round(s.end, 2), s.row] for s in steps],
            "stands": [
                {"initial": s.initial, "colour": s.colour, "trust": s.trust, "row": s.row, "member": s.member}
                for s in stands
            ],
            "lowest": lowest,
            "rows": max(rows, len(labels)),
            "ghost": [] if self.beside is None else self.beside.way(labels),
        }
        if scene != self.scene:
            self.param.update(scene=scene, summary_text=_sentence(scene))

    def way(self, labels) -> list[list]:
        """The steps, in rows of these values; a step at a value without a row is left out."""
        rows = {label: row for row, label in enumerate(labels)}
        found = ((start, end, self.scene["labels"][row]) for start, end, row in self.scene.get("steps", []))
        return [[start, end, rows[label]] for start, end, label in found if label in rows]


def _sentence(scene) -> str:
    """Where the value stands on its way, and who holds what."""
    labels = scene["labels"]
    way = [
        f"{labels[row]} from {format_number(start)} to {format_number(end)}{GAP}%" for start, end, row in scene["steps"]
    ]
    held = [f"{s['initial']} holds {labels[s['row']]}" for s in scene["stands"]]
    more = f"; and {len(way) - 6} more steps" if len(way) > 6 else ""
    return f"The value stands at {', then '.join(way[:6])}{more}; {'; '.join(held)}."
