"""People as they arrive: who they are, what is true of them, and what they sent."""

from dataclasses import dataclass

import param

from trustscope.widgets.esm import css, module
from trustscope.widgets.scenes.drawing import Drawing

NOTHING, SEVERAL = -1, -2


@dataclass(frozen=True)
class Arrival:
    """One person.

    Parameters
    ----------
    number : int
    kind : number of their kind
    note : a few words on them, for the end of the row
    truth : number of the true answer to every question
    sent : number of the answer that was sent, or `NOTHING`, or `SEVERAL`; empty if they refused
    """

    number: int
    kind: int
    note: str
    truth: tuple[int, ...]
    sent: tuple[int, ...]


class Arrivals(Drawing):
    """The latest on top. Questions and answers may come from somebody's file: they are shown as text only."""

    frame = param.Dict(default={}, doc="What seldom changes: questions, answers, kinds as [name, colour].")
    people = param.List(default=[], doc="[number, kind, note, truth, sent] of those shown.")
    label = param.String(default="", doc="The accessible name of the table.")

    _esm = module("flow.js", "arrivals.js")
    _stylesheets = (css("controls.css"), css("arrivals.css"))

    def ask(self, questions, answers, kinds):
        """Other questions, or other kinds of people: (name, colour) each."""
        frame = {
            "questions": list(questions),
            "answers": [list(one) for one in answers],
            "kinds": [list(kind) for kind in kinds],
        }
        if frame != self.frame:
            self.param.update(frame=frame, people=[])

    def draw(self, people: list[Arrival]):
        """Draw these people, the latest first."""
        drawn = [[p.number, p.kind, p.note, list(p.truth), list(p.sent)] for p in people]
        if drawn != self.people:
            self.people = drawn
