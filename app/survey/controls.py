"""The controls of the Survey page: the respondents and the miner in sight, everything else as one line that opens."""

from trustscope.app.controls import DeskControls, Field, slider
from trustscope.app.survey.target import SurveyPurpose
from trustscope.app.target import TargetFold
from trustscope.scenarios.survey.scenario import INTERVALS, LEVELS, MUS, Part
from trustscope.scenarios.survey.words import CHECK_WORDS, DIRECTION_WORDS, MINER_WORDS, ORDER_WORDS, RIVAL_WORDS, brief
from trustscope.scenarios.words import count, counted
from trustscope.widgets.controls.choice import Choice, Switch
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.controls.mixer import Mixer
from trustscope.widgets.controls.number import WholeNumber
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import heading, sidebar_text
from trustscope.widgets.frame.fold import Fold

MOST_VALUES = 200  # of a class, in its menu; the most frequent ones
ANYTHING = -1  # how the mixer's script writes "all that are asked for"
FOLLOWED = [
    [ANYTHING if level is None else level, {0: "nothing", None: "anything"}.get(level, str(level))] for level in LEVELS
]


def _pills(words):
    return [(name, text, tip) for name, (text, tip) in words.items()]


class SurveyControls(DeskControls):
    """The table of fields, and what the lines say."""

    people = None  # of the data, when they are here

    def _make_widgets(self):
        self.mixer = Mixer(Part, levels=FOLLOWED, noun="Follow")
        self.miner = Choice(label="The miner", options=_pills(MINER_WORDS), joined=True)
        self.check = Switch(text="respondents make the extra check", tip=CHECK_WORDS, margin=(6, 0, 0, 0))
        self.target = dropdown("The one question to watch", [""])
        self.label = dropdown("Class to be learnt", [""])
        self.value = dropdown("which value, against all others", [""])
        self.mu = Slider(label="Leave out directions below this share of the strongest", stops=list(MUS), scale=100.0)
        self.mu.readout = "%"
        self.mu.tip = "μ in the paper, which takes 15 % as a rule of thumb and 2.5 % where errors must be small"
        self.every = Slider(label="New guidance after so many answers", stops=list(INTERVALS))
        self.order = Choice(label="Order of the directions", label_shown=True, options=_pills(ORDER_WORDS))
        self.rival = Switch(text="show a randomisation beside it", tip=RIVAL_WORDS, margin=(8, 0, 0, 0))
        self.seed = WholeNumber(label="Seed of what is drawn", margin=(8, 0, 0, 0))
        self.goal = TargetFold(SurveyPurpose(), self.change)
        self._miner_words = sidebar_text(below=4)
        self._kinds_words = sidebar_text(f"<p>{DIRECTION_WORDS}</p>", below=4)

    def _fields(self):
        yield Field("settings.parts", self.mixer, settled="settled")
        yield Field("settings.miner", self.miner)
        yield Field("settings.extra_check", self.check)
        yield Field("settings.target", self.target)
        yield Field("data.label", self.label)
        yield Field("data.value", self.value)
        yield slider("settings.mu", self.mu, read=float)
        yield slider("settings.update_every", self.every, read=int)
        yield Field("settings.order", self.order)
        yield Field("settings.rival", self.rival)
        yield Field("seed", self.seed)
        yield self.goal.field

    def follow(self, scenario, path):
        if path == "data.label":  # another class: its values, and what it tells of the questions, are others
            return scenario.replace({"data.value": "", "settings.target": "", "view.own.of_class": ""})
        return scenario

    # What is said

    def load(self, people):
        """Other people: what can be learnt of them is offered, and no value that only rows with gaps have."""
        self.people = people
        self.label.options = list(dict.fromkeys((people.label, *people.labels)))
        self.value.options = list(dict.fromkeys((people.names[0], *people.values[:MOST_VALUES])))
        self.value.visible = len(self.value.options) > 2
        self.target.options = list(people.encoding.questions)

    def describe(self, scenario):
        settings = scenario.settings
        self._miner_words.object = f"<p>{MINER_WORDS[settings.miner][1]}</p>"
        self.guidance_fold.line = (
            f"{ORDER_WORDS[settings.order][0]}, new after {counted(settings.update_every, 'answer')}"
        )
        if self.people is None:
            return
        self.goal.describe(scenario, self.people)
        for box, value in (
            (self.label, scenario.data.label),
            (self.value, scenario.data.value),
            (self.target, settings.target),
        ):
            if value not in box.options:  # not yet fitted to the people
                box.options = [*box.options, value]
        self.target_fold.line = brief(settings.target, 60)
        encoding = self.people.encoding
        self.data_fold.line = (
            f"{self.desk.title}, {count(len(self.people.codes))} people · "
            f"{counted(len(encoding.questions), 'question')}, learning {brief(scenario.data.label, 24)}"
        )

    # Layout

    def _lay_out(self):
        self.data_fold = Fold("Data", self.desk, self.label, self.value)
        self.target_fold = Fold("The question to watch", self.target)
        self.guidance_fold = Fold("Guidance", self.mu, self.every, self.order, self.rival, self.seed)
        self._layout = self.laid_out({
            "data": [self.data_fold],
            "respondents": [heading("Respondents"), self._kinds_words, self.mixer],
            "miner": [heading("The miner"), self.miner, self._miner_words, self.check],
            "question": [self.target_fold],
            "goal": [self.goal],
            "guidance_settings": [self.guidance_fold],
        })  # fmt: skip
