"""The respondent's own view: fill in the questionnaire, choose how much to disclose, see what leaves."""

from html import escape

import numpy as np
import panel as pn
import param

from trustscope import colours
from trustscope.app.survey import help as texts
from trustscope.scenarios.survey.inference import inferred
from trustscope.scenarios.survey.words import SENT, brief, plural
from trustscope.widgets.action import Action
from trustscope.widgets.card import Card
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.questionnaire import Questionnaire
from trustscope.widgets.slider import Slider

MOST = 12  # directions that can be followed
STATES = {-1: ("nothing", "no answer"), -2: ("several", "several")}


class OwnView(pn.viewable.Viewer):
    """One person's answers. `shown` counts the times that the picture has changed; `result` is what it shows."""

    shown = param.Integer(default=0, doc="Counts pictures.")

    def __init__(self):
        super().__init__()
        self.questionnaire = Questionnaire(label="Your answers, what you would send, and what would be believed")
        self.level = Slider(
            label="Directions that I follow", start=0, end=MOST, step=1, value=3, margin=(0, 18, 0, 0), max_width=330
        )
        self.again = Action(
            text="Draw again", tip="The same answers, sent once more", primary=True, margin=(14, 8, 0, 0)
        )
        self.somebody = Action(
            text="Answer like somebody else", tip="One of the people in the data", margin=(14, 0, 0, 0)
        )
        self.of_class = dropdown("Your class", {"": 0}, value=0)
        self.of_class.param.update(width=190, sizing_mode=None, margin=(0, 18, 0, 0))
        row = pn.Row(
            self.level,
            self.of_class,
            self.again,
            self.somebody,
            styles={"flex-wrap": "wrap", "gap": "6px 0"},
            sizing_mode="stretch_width",
            margin=(4, 0),
        )
        self.card = Card("Your own answers", row, self.questionnaire, help_text=texts.OWN)
        self.people = self.run = self.result = None
        self._key, self._quiet = 1, False
        self._rng = np.random.default_rng(4)
        self.questionnaire.param.watch(self._changed, "value")
        self.level.param.watch(self._changed, "value")
        self.of_class.param.watch(self._changed, "value")
        self.again.param.watch(self._redraw, "clicks")
        self.somebody.param.watch(self._take, "clicks")

    def load(self, people):
        """Other questions, answered as somebody did."""
        # The old guidance does not fit the new questions: nothing is shown until there is a run to follow.
        self.people, self.run, self.result = people, None, None
        encoding = people.encoding
        self.questionnaire.ask(encoding.questions, encoding.answers, people.codes[0])
        options = {brief(name, 24): number for number, name in enumerate(people.names)}
        if len(options) < 2:  # alike as far as they are shown
            options = {f"{number + 1}. {brief(name, 20)}": number for number, name in enumerate(people.names)}
        self.of_class.param.update(
            label=f"Your {brief(people.label, 20)}", options=options, value=int(people.classes[0])
        )

    def follow(self, run):
        """Guidance comes from this run."""
        self.run = run
        self.show()

    def _take(self, event):
        person = self._rng.integers(len(self.people.codes))
        self._quiet = True  # the class and the answers are one change
        self.of_class.value = int(self.people.classes[person])
        self.questionnaire.value = [int(v) for v in self.people.codes[person]]
        self._quiet = False
        self.show()

    def _redraw(self, event):
        self._key += 1
        self.show()

    def _changed(self, event):
        if not self._quiet:
            self.show()

    def show(self):
        """Send once, and show what would be believed."""
        if self.run is None or self.people is None or self.run.survey.miner.guidance() is None:
            return
        level = int(self.level.value)
        basis, refuses = self.run.followed(level)
        answers = self.questionnaire.value
        self.result = result = inferred(self.people, answers, int(self.of_class.value), basis, refuses, self._key)
        followed = basis.shape[1]
        asked = "" if followed in (level, 0) else f", {followed} asked for"
        self.level.readout = f"{level}{asked}" if level else "none"
        self.questionnaire.show(self._sent(answers, result), result.before, result.after)
        legend = [*SENT, ("belief after", colours.ATTACKERS["bayes"], "block"), ("before", colours.NEUTRAL, "line")]
        self.card.say(self._caption(result, followed), legend)
        self.shown += 1

    def _sent(self, answers, result):
        for j, (mine, code) in enumerate(zip(answers, result.sent.tolist(), strict=True)):
            if result.refuses:
                yield "refused", "refused"
            elif code < 0:
                yield STATES[code]
            else:
                yield ("same" if code == mine else "other"), brief(self.people.encoding.answers[j][code], 14)

    def _caption(self, result, followed):
        if result.refuses:
            return "The guidance in force asks too much of a single answer: your browser refuses it, and sends nothing."
        label = escape(brief(self.people.label, 24))
        if not followed:
            return (
                f"You follow no direction: nothing is sent but your {label}. The bar is what that alone tells of your "
                "answers. Move the slider to take part."
            )
        return (
            f"You follow {plural(followed, 'direction')}, combinations of answers that the miner asks for. The stroke "
            "is what it believed of your answer knowing nothing of you, the bar what it believes from what you sent "
            f"and your {label}, which is sent as it is: the paper takes that not to be sensitive."
        )

    def __panel__(self):
        return self.card.__panel__()
