"""The respondent's own view: fill in the questionnaire, choose how much to disclose, see what leaves."""

from html import escape
from typing import Any

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.cards import CardView
from trustscope.app.controls import Field, slider
from trustscope.scenarios.survey.model import own_codes
from trustscope.scenarios.survey.scenario import MOST_OWN
from trustscope.scenarios.survey.verdict import own as told
from trustscope.scenarios.survey.words import SENT, brief, plural
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.questionnaire import Questionnaire
from trustscope.widgets.controls.slider import Slider

STATES = {-1: ("nothing", "no answer"), -2: ("several", "several")}


class OwnView(CardView):
    """One person's answers, and what would be believed of them."""

    def __init__(self):
        self.questionnaire = Questionnaire(label="Your answers, what you would send, and what would be believed")
        self.level = Slider(
            label="Directions that I follow", start=0, end=MOST_OWN, step=1, margin=(0, 18, 0, 0), max_width=330
        )
        self.again = Action(
            text="Draw again", tip="The same answers, sent once more", primary=True, margin=(14, 8, 0, 0)
        )
        self.somebody = Action(
            text="Answer like somebody else", tip="One of the people in the data", margin=(14, 0, 0, 0)
        )
        self.of_class = Choice(label="Your class", label_shown=True, sizing_mode=None, margin=(0, 18, 0, 0))
        row = pn.Row(
            self.level, self.of_class, self.again, self.somebody,
            styles={"flex-wrap": "wrap", "gap": "6px 0"}, sizing_mode="stretch_width", margin=(4, 0),
        )  # fmt: skip
        super().__init__("survey", "own", self.questionnaire, above=(row,))
        self._rng = np.random.default_rng(4)
        self._people: Any = None
        self._dashboard: Any = None

    def bind(self, dashboard):
        """The page's people are here: ask them, and, the first time, stand for the page's own answers."""
        self._load(dashboard.model.people)
        if self._dashboard is not None:
            return
        self._dashboard = dashboard
        controls = dashboard.controls
        controls.add(slider("view.own.level", self.level, read=int))
        controls.add(Field("view.own.of_class", self.of_class))
        controls.add(Field("view.own.answers", self.questionnaire, read=self._named, write=self._codes))
        self.again.param.watch(lambda event: self._change({"view.own.draw": self._own.draw + 1}), "clicks")
        self.somebody.param.watch(lambda event: self._take(), "clicks")

    @property
    def _own(self):
        return self._dashboard.scenario.view.own

    def _change(self, changes):
        self._dashboard.controls.change(self._dashboard.scenario.replace(changes))

    def _load(self, people):
        """Other questions, answered as somebody did."""
        if people is self._people:
            return
        self._people = people
        encoding = people.encoding
        self.questionnaire.ask(encoding.questions, encoding.answers, people.codes[0])
        classes = [(name, brief(name, 24), name) for name in people.names]
        self.of_class.param.update(label=f"Your {brief(people.label, 20)}", options=classes)

    def _named(self, codes):
        """Answers by name."""
        encoding = self._people.encoding
        return tuple((q, str(a[c])) for q, a, c in zip(encoding.questions, encoding.answers, codes, strict=True))

    def _codes(self, answers):
        """Answers by number; those that nobody gave are somebody's."""
        return own_codes(self._people, answers)

    def _take(self):
        person = int(self._rng.integers(len(self._people.codes)))
        self._change({
            "view.own.answers": self._named([int(v) for v in self._people.codes[person]]),
            "view.own.of_class": self._people.names[int(self._people.classes[person])],
        })  # fmt: skip

    def show_picture(self, picture, model):
        """Show what would be sent, and what would be believed."""
        result, people = picture.own, model.people
        if result is None:
            return
        self.taken.put(self.declared, self.declared.table(picture, model))
        followed, level = picture.own_followed, self._own.level
        self.level.readout = "none" if not level else "" if followed in (level, 0) else f"{followed} asked for"
        self.questionnaire.draw(self._sent(people, picture.own_answers, result), result.before, result.after)
        legend = [*SENT, ("belief after", colours.ATTACKERS["bayes"], "block"), ("before", colours.NEUTRAL, "line")]
        said = escape(told(result, level, people.label))
        self.card.say(f"<b>{said}</b> {self._caption(result, followed, people)}", legend)

    @staticmethod
    def _sent(people, answers, result):
        for j, (mine, code) in enumerate(zip(answers, result.sent.tolist(), strict=True)):
            if result.refuses:
                yield "refused", "refused"
            elif code < 0:
                yield STATES[code]
            else:
                yield ("same" if code == mine else "other"), brief(people.encoding.answers[j][code], 14)

    @staticmethod
    def _caption(result, followed, people):
        if result.refuses:
            return "The guidance in force asks too much of a single answer: your browser refuses it."
        label = escape(brief(people.label, 24))
        if not followed:
            return f"The bar is what your {label} alone tells of your answers. Move the slider to take part."
        return (
            f"You follow {plural(followed, 'direction')}, combinations of answers that the miner asks for. The line is "
            "what it believed of your answer knowing nothing of you, the bar what it believes from what you sent and "
            f"your {label}."
        )
