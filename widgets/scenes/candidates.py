"""One person: the values that come into question, how far each is believed, the truth, and who was given which."""

from collections.abc import Sequence
from dataclasses import dataclass

import param

from trustscope.numbers import GAP
from trustscope.widgets.contrast import ink
from trustscope.widgets.esm import css, module
from trustscope.widgets.scenes.drawing import Drawing


@dataclass(frozen=True)
class Given:
    """A recipient to whom a value was given; one who is not a member stands faintly."""

    initial: str
    name: str
    colour: str
    member: bool = True


@dataclass(frozen=True)
class Candidate:
    """One value.

    Parameters
    ----------
    label : the value, plain text that may come from somebody's file
    before, alone, together : shares of belief: without any copy, of the best copy alone, of all copies; None: not drawn
    given : to whom it was given
    true : whether it is the truth
    """

    label: str
    before: float
    alone: float | None = None
    together: float | None = None
    given: Sequence[Given] = ()
    true: bool = False


class Candidates(Drawing):
    """A row for each value: who was given it, a bar for what all believe together, a thin one for the best alone."""

    rows = param.List(default=[], doc="What is drawn, value by value.")
    names = param.Dict(default={}, doc="What the bars are called: together, alone, before.")
    ghost = param.List(default=[], doc="What all believed together in a kept scenario, or nothing.")
    tone = param.String(default="leak", doc="The colour of what is believed together: leak or safe.")
    label = param.String(default="", doc="The accessible name of the table.")
    summary_text = param.String(default="", doc="What a screen reader says of it.")
    tall = param.Integer(default=300, bounds=(80, None), doc="Pixels that all rows share.")

    _esm = module("flow.js", "candidates.js")
    _stylesheets = (css("controls.css"), css("candidates.css"))

    def __init__(self, label: str = "", **params):
        super().__init__(label=label, **params)

    def draw(self, candidates: Sequence[Candidate], *, names: dict[str, str], tone: str = "leak", told: str = ""):
        """Draw.

        Parameters
        ----------
        candidates : the values, from the top down
        names : what "together", "alone" and "before" are called; without a name it is not drawn
        tone : "leak" (orange) or "safe" (teal), of what is believed together
        told : all of it in a sentence
        """
        ghost = [] if self.beside is None else self.beside.believed([one.label for one in candidates])
        changes = {
            "rows": [
                {
                    "label": one.label,
                    "true": one.true,
                    "before": _share(one.before),
                    "alone": _share(one.alone),
                    "together": _share(one.together),
                    "texts": [_text(one.together), _text(one.alone)],
                    "given": [
                        {"initial": g.initial, "name": g.name, "colour": g.colour, "ink": ink(g.colour),
                         "member": g.member}
                        for g in one.given
                    ],
                }
                for one in candidates
            ],
            "names": dict(names),
            "tone": tone,
            "summary_text": told,
            "ghost": [_share(one) for one in ghost],
        }  # fmt: skip
        self.put(**changes)

    def believed(self, labels: Sequence[str]) -> list[float | None]:
        """How far each of these values is believed with all that is known; None where it has no row here."""
        found = {row["label"]: row["alone"] if row["together"] is None else row["together"] for row in self.rows}
        return [found.get(label) for label in labels]


def _share(value: float | None) -> float | None:
    return None if value is None else round(float(value), 5)


def _text(value: float | None) -> str:
    """A share in per cent: never 0 for what is possible, nor 100 for what is not certain."""
    if value is None:
        return ""
    per_cent = 100 * value
    if 0 < per_cent < 0.5:
        return f"<{GAP}1{GAP}%"
    if 99.5 <= per_cent < 100 - 1e-9:
        return f">{GAP}99{GAP}%"
    return f"{per_cent:.0f}{GAP}%"
