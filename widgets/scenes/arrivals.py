"""People as they arrive: who they are, what is true of them, and what they sent."""

from dataclasses import dataclass

import pandas as pd
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

    def summary(self) -> str:
        """How many are shown, and how many of them refused."""
        refused = sum(not sent for *_, sent in self.people)
        return f"{len(self.people)} respondents are shown, {refused} of them refused." if self.people else ""

    def table(self) -> pd.DataFrame:
        """A row for each person: who, their kind, and of every question what is true and what was sent."""
        questions, answers = self.frame.get("questions", []), self.frame.get("answers", [])
        rows = []
        for number, kind, note, truth, sent in self.people:
            row = {"who": number, "kind": self.frame["kinds"][kind][0], "note": note}
            for place, question in enumerate(questions):
                row[f"{question}, true"] = answers[place][truth[place]]
                row[f"{question}, sent"] = _sent(answers[place], sent[place]) if sent else "refused"
            rows.append(row)
        return pd.DataFrame(rows)


def _sent(answers: list[str], code: int) -> str:
    return {NOTHING: "no answer", SEVERAL: "several answers"}.get(code) or answers[code]
