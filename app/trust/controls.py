"""The controls of the Trust page: recipients and noise in sight, everything else as one line that opens."""

import panel as pn

from trustscope.app.controls import Controls, Field, slider
from trustscope.app.target import TargetFold, lock_field, locks, offer_locks, without_strangers
from trustscope.app.trust.generator import Generator
from trustscope.app.trust.target import TrustPurpose
from trustscope.engine.attacks import reconstruction
from trustscope.scenarios.coalition import MOST, NAMES, Recipient
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.order import EXPERIMENTS, trust
from trustscope.scenarios.trust.scenario import (
    KINDS,
    LEVELS,
    LINEAR,
    MADE,
    RECONSTRUCTIONS,
    SAMPLES,
    TrustScenario,
)
from trustscope.scenarios.trust.threshold import threshold
from trustscope.scenarios.words import count, counted, listed, plain
from trustscope.widgets.action import Action
from trustscope.widgets.card import TEXT_CSS, heading
from trustscope.widgets.choice import Choice, Choices, Switch
from trustscope.widgets.fold import Fold
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.number import WholeNumber
from trustscope.widgets.recipients import Recipients
from trustscope.widgets.slider import Slider
from trustscope.widgets.task import Task

SCHEMES = [(name, name, sentence) for name, sentence in words.SCHEME_WORDS.items()]
ATTACKER_TIPS = {
    "perfect": "Knows the data's mean and covariance and every level",
    "structured": "Knows the levels and the covariance; estimates the mean from a sample",
    "raw": "Knows the levels; estimates the covariance of all copies from a sample",
}
PILLS = {
    "noise_distribution": "as it is",
    "univariate": "each attribute alone",
    "principal_components": "components",
    "spectral_filter": "filter",
    "bayes": "Bayes",
}
KIND_TIPS = {
    "absolute": "The guess of the attribute looked at is close, in its own units",
    "euclidean": "The guess of the whole record is close, relative to the record's length",
    "entry": "The guess of at least one value of the record is close, relative to that value",
    "cosine": "The guess points in the record's direction: one minus the cosine is small",
}


def _tip(name: str) -> str:
    attacker = reconstruction.ATTACKERS[name]
    return f"{attacker.title} ({attacker.name}). {attacker.assumes}"


def _detail(trust: int) -> str:
    return "original" if trust == 100 else f"noise {plain(LEVELS[trust])} × variance"


def _line() -> pn.pane.HTML:
    return pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(3, 0, 0, 0))


class TrustControls(Controls):
    """The table of fields, and what the lines say."""

    def __init__(self, scenario: TrustScenario, desk):
        self.desk = desk
        self.population = self.model = None
        self._make_widgets()
        self._lay_out()
        super().__init__(self._fields(), scenario)

    def _make_widgets(self):
        self.recipients = Recipients(Recipient, _detail, names=list(NAMES), least=1, most=MOST)
        self.scheme = Choice(label="Noise of the copies", options=SCHEMES, joined=True)
        self.columns = Choices(label="Attributes that are released", label_shown=True)
        self.attribute = dropdown("Attribute looked at", [""])
        self.similarity = Slider(label="Shape of the noise", start=-1, end=1, step=0.1, typed=False)
        self.linear = Choices(
            label="On all copies at once, somebody who", label_shown=True,
            options=[(name, text, ATTACKER_TIPS[name]) for name, text in LINEAR.items()],
        )  # fmt: skip
        self.reconstructions = Choices(
            label="On one combined copy", label_shown=True, margin=(10, 0, 0, 0),
            options=[(name, PILLS[name], _tip(name)) for name in RECONSTRUCTIONS],
        )  # fmt: skip
        self.informed = Switch(
            text="they know the data's mean and covariance", margin=(8, 0, 0, 0),
            tip="Otherwise they estimate both from the released rows alone",
        )  # fmt: skip
        self.sample = Slider(label="Rows that they estimate from", stops=list(SAMPLES), margin=(8, 0, 0, 0))
        self.eps = Slider(label="How close a guess must come")
        self.kind = Choice(
            label="What must be guessed", label_shown=True, margin=(8, 0, 0, 0),
            options=[(name, text, KIND_TIPS[name]) for name, text in KINDS.items()],
        )  # fmt: skip
        self.seed = WholeNumber(label="Seed of the noise", margin=(0, 0, 8, 0))
        self.generate = Task(label="Copies generated", start_text="Watch them being made", stop_text="Skip")
        self.make_copies = Action(
            text="Make these copies", tip="Make them for real, on the page Release", margin=(10, 0, 0, 0)
        )
        self.locked = locks()
        self.target = TargetFold(TrustPurpose(), self.change, self.locked)
        self.generator = Generator()
        self._shape_words, self._scheme_words = _line(), _line()

    def _fields(self):
        yield Field("settings.recipients", self.recipients, settled="settled")
        yield Field("settings.scheme", self.scheme)
        yield Field("data.columns", self.columns, read=tuple, write=list)
        yield Field("settings.attribute", self.attribute)
        yield slider("settings.similarity", self.similarity, read=lambda value: round(float(value), 3))
        yield Field("settings.attackers", self.linear, read=self._attacking, write=_among(LINEAR))
        yield Field("settings.attackers", self.reconstructions, read=self._attacking, write=_among(RECONSTRUCTIONS))
        yield Field("settings.informed", self.informed)
        yield slider("settings.sample", self.sample, read=int)
        yield slider("settings.eps", self.eps, read=float, write=lambda eps: eps or 0.0)
        yield Field("settings.kind", self.kind)
        yield Field("seed", self.seed)
        yield self.target.field
        yield lock_field(self.locked)
        yield from self.generator.fields("data.order")

    def _attacking(self, value):
        """Both rows of pills together say who attacks."""
        return (*self.linear.value, *self.reconstructions.value)

    # What else changes

    def follow(self, scenario, path):
        if path == "settings.recipients":
            return without_strangers(scenario)
        if path == "settings.attackers" and not scenario.settings.attackers:
            return self.scenario  # somebody must attack
        if path == "data.columns" and not scenario.data.columns:
            return self.scenario  # something must be released
        if path in ("settings.kind", "settings.attribute") and self.population is not None:
            scale = threshold(self.population, scenario.settings.attribute, scenario.settings.kind)
            return scenario.having({"settings.eps": scale.usual})
        if path == "data.order.experiment" and scenario.data.order.experiment:
            return self._staged(scenario)
        if path.startswith("data.order"):
            order = scenario.data.order
            order = order.having({"components": min(order.components, order.attributes)})
            return _at_most(scenario.having({"data.order": order}))
        return scenario

    def _staged(self, scenario):
        """Set the stage for an experiment: its data, nested noise of its shape, five attackers who must estimate."""
        played = EXPERIMENTS[scenario.data.order.experiment]
        return _at_most(scenario).having({
            "data.order": played.order,
            "settings.scheme": "nested",
            "settings.similarity": played.similarity,
            "settings.attackers": ("perfect", *RECONSTRUCTIONS),
            "settings.informed": False,
        })  # fmt: skip

    # What is said

    def load(self, model, data):
        """Other data."""
        self.model, self.population = model, model.population
        self.target.purpose.load(data)

    def describe(self, scenario):
        settings, people = scenario.settings, self.population
        self._scheme_words.object = f"<p>{words.SCHEME_WORDS[settings.scheme]}</p>"
        self.similarity.readout = words.shape_name(settings.similarity)
        self._shape_words.object = f"<p>{words.shape(settings.similarity)}</p>"
        self.sample.visible = any(a in LINEAR and a != "perfect" for a in settings.attackers)
        self.informed.visible = any(a in RECONSTRUCTIONS for a in settings.attackers)
        self.attack_fold.line = attack_line(settings)
        made = scenario.data.name == MADE
        self.columns.visible = not made
        self.generator.show(made)
        self.generator.describe(scenario.data.order)
        if people is None or settings.eps is None:  # not yet fitted to the data
            return
        offer_locks(self.locked, settings)
        self.target.describe(scenario, self.model)
        subject = words.subject_of(people, settings.attribute)
        several = people.columns > 1
        self.similarity.visible = self._shape_words.visible = several
        self.attribute.options = list(people.names)
        numeric = self.desk.numeric
        self.columns.options = [(name, name, f"Release {name} in every copy") for name in numeric]
        scale = threshold(people, settings.attribute, settings.kind)
        self.eps.put(start=0.0, end=scale.end, step=scale.step)
        per_cent = settings.kind in ("euclidean", "entry")
        self.eps.scale = 100.0 if per_cent else 1.0
        self.eps.readout = "%" if per_cent else subject.unit if settings.kind == "absolute" else ""
        self.sample.readout = people.noun
        self.hit_fold.line = words.hit_line(settings, subject)
        self.data_fold.line = f"{self.desk.title}, {count(people.rows)} {people.noun} · {_some(people.names)}"

    # Layout

    def _lay_out(self):
        self.data_fold = Fold("Data", self.desk, self.columns, self.generator)
        self.attack_fold = Fold("The attacker", self.linear, self.sample, self.reconstructions, self.informed)
        self.hit_fold = Fold("A guess counts as a hit", self.attribute, self.eps, self.kind)
        self.more_fold = Fold("More", self.similarity, self._shape_words, self.seed, self.generate, self.make_copies)
        self.more_fold.line = "shape of the noise, seed, watch or make the copies"
        self._layout = self.laid_out({
            "data": [self.data_fold],
            "recipients": [heading("Who gets a copy, and how much they are trusted"), self.recipients],
            "noise": [heading("Noise of the copies"), self.scheme, self._scheme_words],
            "attacker": [self.attack_fold],
            "hit": [self.hit_fold],
            "goal": [self.target],
            "more": [self.more_fold],
        })  # fmt: skip

    def __panel__(self):
        return self._layout


def _among(names):
    return lambda attackers: [name for name in attackers if name in names]


def _at_most(scenario: TrustScenario) -> TrustScenario:
    """While an experiment is played the best recipient stays at the paper's noise, and nobody is above."""
    if not scenario.data.order.experiment:
        return scenario
    most, who = trust(scenario.data.order), scenario.settings.recipients
    best = max(who, key=lambda r: (r.member, r.trust))
    return scenario.having({
        "settings.recipients": tuple(
            r.having({"trust": most, "member": True} if r is best else {"trust": min(r.trust, most)}) for r in who
        )
    })  # fmt: skip


def _some(names) -> str:
    return listed(names) if len(names) <= 3 else f"{', '.join(names[:2])} and {counted(len(names) - 2, 'other column')}"


def attack_line(settings) -> str:
    """Who attacks, in one line."""
    names = [LINEAR.get(name) or RECONSTRUCTIONS[name] for name in settings.attackers]
    # One line, however many are ticked: a longer one would move the pills away from under the pointer.
    return f"somebody who {names[0]}" if len(names) == 1 else f"{len(names)} attackers, the most successful counts"
