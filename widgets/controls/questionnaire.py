"""A questionnaire to fill in; beside every answer, what would be sent, and what would then be believed."""

import numpy as np
import param

from trustscope.widgets.esm import css, module
from trustscope.widgets.scenes.drawing import Drawing


class Questionnaire(Drawing):
    """`value` holds the number of every answer. Questions and answers are shown as text only."""

    questions = param.List(default=[], doc="[question, [answers]] each.")
    value = param.List(default=[], item_type=int, doc="The number of the answer to every question.")
    sent = param.List(default=[], doc="What would be sent: [state, text] each; the state is as in `Arrivals`.")
    before = param.List(default=[], doc="What is believed of the true answer beforehand, from 0 to 1.")
    after = param.List(default=[], doc="And afterwards.")
    ghost = param.List(default=[], doc="What is believed afterwards in a kept scenario, or nothing.")
    label = param.String(default="", doc="The accessible name of the table.")

    _esm = module("flow.js", "questionnaire.js")
    _stylesheets = (css("controls.css"), css("questionnaire.css"))

    def ask(self, questions, answers, value):
        """Other questions, filled in."""
        self.param.update(
            questions=[[q, list(a)] for q, a in zip(questions, answers, strict=True)],
            value=[int(v) for v in value],
            sent=[],
            before=[],
            after=[],
        )

    def draw(self, sent, before, after):
        """Draw what would be sent, (state, text) each, and the beliefs in the true answers."""
        self.param.update(
            sent=[list(one) for one in sent],
            before=_beliefs(before),
            after=_beliefs(after),
            ghost=[] if self.beside is None else self.beside.believed([question for question, _ in self.questions]),
        )

    def believed(self, questions) -> list[float | None]:
        """What is believed afterwards of the answers to these questions; None where one is not asked here."""
        found = {question: one for (question, _), one in zip(self.questions, self.after, strict=False)}
        return [found.get(question) for question in questions]

    def _receive(self, data):
        place, code = int(data["row"]), int(data["value"])
        if 0 <= place < len(self.value) and 0 <= code < len(self.questions[place][1]):
            self.value = [*self.value[:place], code, *self.value[place + 1 :]]


def _beliefs(values):
    """Rounded; what is not certain stays so."""
    values = np.asarray(values, dtype=float)
    return np.where(values < 1 - 1e-9, np.minimum(np.round(values, 3), 0.999), 1.0).tolist()
