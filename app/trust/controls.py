"""The controls of the Trust page: recipients and noise in sight, everything else as one line that opens."""

from html import escape
from typing import Any

from trustscope import schemes
from trustscope.app.controls import Field, slider
from trustscope.app.copies_controls import CopiesControls
from trustscope.app.preparation import PreparationControl
from trustscope.app.target import TargetFold, offer_locks, without_strangers
from trustscope.app.trust.generator import Generator
from trustscope.app.trust.target import TrustPurpose
from trustscope.scenarios import attackers
from trustscope.scenarios.coalition import MOST, NAMES, Recipient
from trustscope.scenarios.preparation import words as before
from trustscope.scenarios.solve import words as solve_words
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.order import EXPERIMENTS, trust
from trustscope.scenarios.trust.scenario import (
    ATTACKERS,
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
from trustscope.widgets.controls.choice import Choice, Choices, Switch
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.controls.recipients import Recipients
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import heading, sidebar_text
from trustscope.widgets.frame.fold import Fold

TAUGHT = attackers.Words(attackers.LEARNED, attackers.OWN)  # who knows other people's records
KNOWLEDGE = [
    ("sample", "other people", "The records of other people than those who are guessed"),
    ("everybody", "everybody, not who is who", "All records, those of the people who are guessed among them"),
]
GIVEN = [
    ("most", "as much as possible", "As much as possible for everybody, even if all then get the same"),
    ("scaled", "keep the order", "All are scaled together: who is trusted more still gets the better copy"),
    ("lowered", "lower only who must be", "Everybody stays, but those whose trust is too high"),
]
KIND_TIPS = {
    "absolute": "The guess of the attribute looked at is close, in its own units",
    "euclidean": "The guess of the whole record is close, relative to the record's length",
    "entry": "The guess of at least one value of the record is close, relative to that value",
    "cosine": "The guess points in the record's direction: one minus the cosine is small",
}


def _ticks(names) -> list[tuple[str, str, str]]:
    """The ticks of attackers: name, text and what is told of them."""
    return [(name, attackers.of(name).title, attackers.of(name).tip) for name in names]


def _schemes() -> list[tuple[str, str, str]]:
    return [(one.name, schemes.adjective(one.name), one.words) for one in schemes.registered().values()]


def _detail(trust: int) -> str:
    return "original" if trust == 100 else f"noise {plain(LEVELS[trust])} × variance"


class TrustControls(CopiesControls):
    """The table of fields, and what the lines say."""

    @property
    def population(self):
        """Who is in the data; None before they are here."""
        return None if self.model is None else self.model.population

    def _make_widgets(self):
        self._make_shared(
            KNOWLEDGE, "What they know beside the copies", "What they know exactly of everybody", "Seed of the noise"
        )
        self.recipients = Recipients(Recipient, _detail, names=list(NAMES), least=1, most=MOST, quiet=True)
        noise = _schemes()
        self.scheme = Choice(label="Noise of the copies", options=noise, joined=len(noise) <= len(schemes.HOUSE))
        self.columns = Choices(label="Attributes that are released", label_shown=True)
        self.preparation = PreparationControl(self._prepare)
        self.attribute = dropdown("Attribute looked at", [""])
        self.similarity = Slider(label="Shape of the noise", start=-1, end=1, step=0.1, typed=False)
        self.best = Switch(
            text=f"somebody who {attackers.of('strongest').who}", tip=attackers.of("strongest").tip
        )  # fmt: skip
        self.linear = Choices(
            label="Also, linear on all copies at once, somebody who", label_shown=True, margin=(10, 0, 0, 0),
            options=_ticks(LINEAR),
        )  # fmt: skip
        self.reconstructions = Choices(
            label="Also, on one combined copy", label_shown=True, margin=(10, 0, 0, 0),
            options=_ticks(RECONSTRUCTIONS),
        )  # fmt: skip
        self.learned = Choices(
            label="Also, trained on the people they know", label_shown=True, margin=(10, 0, 0, 0),
            options=_ticks(TAUGHT),
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
        self.given = Choice(label="What a target gives", label_shown=True, margin=(8, 0, 0, 0), options=GIVEN)
        self._purpose = TrustPurpose()
        self.target = TargetFold(self._purpose, self.change, self.given, self.locked)
        self.generator = Generator()
        self._shape_words = sidebar_text()

    def _fields(self):
        yield from super()._fields()
        yield Field("data.columns", self.columns, read=tuple, write=list)
        yield Field("settings.attribute", self.attribute)
        yield slider("settings.similarity", self.similarity, read=lambda value: round(float(value), 3))
        yield Field("settings.attackers", self.best, read=self._attacking, write=lambda who: "strongest" in who)
        yield Field("settings.attackers", self.linear, read=self._attacking, write=_among(LINEAR))
        yield Field("settings.attackers", self.reconstructions, read=self._attacking, write=_among(RECONSTRUCTIONS))
        yield Field("settings.attackers", self.learned, read=self._attacking, write=_among(TAUGHT))
        yield Field("settings.informed", self.informed)
        yield slider("settings.sample", self.sample, read=int)
        yield slider("settings.eps", self.eps, read=float, write=lambda eps: eps or 0.0)
        yield Field("settings.kind", self.kind)
        yield Field("settings.given", self.given)
        yield from self.generator.fields("data.order")

    def _attacking(self, value):
        """The switch and both rows of pills together say who attacks."""
        others = (self.linear, self.reconstructions, self.learned)
        return (*(["strongest"] if self.best.value else []), *(name for pills in others for name in pills.value))

    # What else changes

    def follow(self, scenario, path):
        if path == "settings.recipients":
            return without_strangers(scenario)
        if path == "settings.attackers" and not scenario.settings.attackers:
            return self.scenario  # somebody must attack
        if path == "data.columns" and not scenario.data.columns:
            return self.scenario  # something must be released
        if path == "data.preparation":
            return self._with_steps(scenario)
        if path in ("settings.kind", "settings.attribute") and self.population is not None:
            scale = threshold(self.population, scenario.settings.attribute, scenario.settings.kind)
            return scenario.replace({"settings.eps": scale.usual, "view.differential.apart": None})
        if path == "data.order.experiment" and scenario.data.order.experiment:
            return self._staged(scenario)
        if path.startswith("data.order"):
            order = scenario.data.order
            order = order.replace({"components": min(order.components, order.attributes)})
            return _at_most(scenario.replace({"data.order": order}))
        return scenario

    def _prepare(self, scenario):
        """A step that was suggested is taken."""
        self.change(self._with_steps(scenario))

    def _with_steps(self, scenario):
        """Other steps before the noise: a column that comes back is released again, and where the attribute looked at
        has another unit now, the distance of a hit is found anew."""
        steps, now = self.scenario.data.preparation, scenario.data.preparation
        back = _gone(steps) - _gone(now)
        columns = tuple(n for n in self.desk.numeric if n in back or n in scenario.data.columns)
        attribute = scenario.settings.attribute
        changes: dict[str, Any] = {"data.columns": columns}
        if _logarithms(steps, attribute) != _logarithms(now, attribute):
            changes["settings.eps"] = None
        return scenario.replace(changes)

    def _staged(self, scenario):
        """Set the stage for an experiment: its data, nested noise of its shape, five attackers who must estimate."""
        played = EXPERIMENTS[scenario.data.order.experiment]
        return _at_most(scenario).replace({
            "data.order": played.order,
            "settings.scheme": "nested",
            "settings.similarity": played.similarity,
            "settings.attackers": ("perfect", *RECONSTRUCTIONS),
            "settings.informed": False,
        })  # fmt: skip

    # What is said

    def load(self, model, data):
        """Other data."""
        self.model = model
        self._purpose.load(data)
        self.preparation.load(data, data.numeric)

    def describe(self, scenario):
        settings, people = scenario.settings, self.population
        self._scheme_words.object = f"<p>{escape(schemes.of(settings.scheme).words)}</p>"
        self.similarity.readout = words.shape_name(settings.similarity)
        self._shape_words.object = f"<p>{words.shape(settings.similarity)}</p>"
        best = "strongest" in settings.attackers
        self._describe_knowledge(settings, best)
        self.sample.visible = any(a in LINEAR and a != "perfect" for a in settings.attackers)
        self.informed.visible = any(a in RECONSTRUCTIONS for a in settings.attackers)
        self.attack_fold.line = attack_line(settings)
        made = scenario.data.name == MADE
        self.columns.visible = self.preparation.visible = not made
        self.generator.set_visible(made)
        self.generator.describe(scenario.data.order)
        if people is None or settings.eps is None:  # not yet fitted to the data
            return
        offer_locks(self.locked, settings)
        self.target.targets.note = solve_words.RULES[settings.given]
        self.target.describe(scenario, self.model)
        self.preparation.describe(scenario)
        subject = words.subject_of(people, settings.attribute)
        several = people.columns > 1
        self.similarity.visible = self._shape_words.visible = several
        self.attribute.options = list(people.names)
        others = [name for name in people.names if name != settings.attribute]
        self.known.visible = best and bool(others)
        self.known.options = [(name, name, f"They know everybody's {name}") for name in others]
        gone = _gone(scenario.data.preparation)
        numeric = [name for name in self.desk.numeric if name not in gone]
        self.columns.options = [(name, name, f"Release {name} in every copy") for name in numeric]
        scale = threshold(people, settings.attribute, settings.kind)
        self.eps.put(start=0.0, end=scale.end, step=scale.step)
        per_cent = settings.kind in ("euclidean", "entry")
        self.eps.scale = 100.0 if per_cent else 1.0
        self.eps.readout = "%" if per_cent else subject.unit if settings.kind == "absolute" else ""
        self.sample.readout = people.noun
        self.hit_fold.line = words.hit_line(settings, subject)
        done = f" · {before.line(scenario.data.preparation)}" if scenario.data.preparation else ""
        self.data_fold.line = f"{self.desk.title}, {count(people.rows)} {people.noun} · {_some(people.names)}{done}"

    # Layout

    def _lay_out(self):
        self._fold_data(self.columns, self.preparation, self.generator)
        self.attack_fold = Fold(
            "The attacker",
            self.best,
            self.knowledge,
            self.others,
            self.known,
            self.linear,
            self.sample,
            self.reconstructions,
            self.learned,
            self.informed,
        )
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


def _among(names):
    return lambda attackers: [name for name in attackers if name in names]


def _gone(steps) -> set[str]:
    """Columns that are not released as numbers."""
    return {one.column for one in steps if not one.step.keeps_numbers}


def _logarithms(steps, column: str) -> list[float]:
    """Of which units logarithms of a column are taken."""
    return [one.unit for one in steps if one.column == column and one.action == "logarithm"]


def _at_most(scenario: TrustScenario) -> TrustScenario:
    """While an experiment is played the best recipient stays at the paper's noise, and nobody is above."""
    if not scenario.data.order.experiment:
        return scenario
    most, who = trust(scenario.data.order), scenario.settings.recipients
    best = max(who, key=lambda r: (r.member, r.trust))
    return scenario.replace({
        "settings.recipients": tuple(
            r.replace({"trust": most, "member": True} if r is best else {"trust": min(r.trust, most)}) for r in who
        )
    })  # fmt: skip


def _some(names) -> str:
    return listed(names) if len(names) <= 3 else f"{', '.join(names[:2])} and {counted(len(names) - 2, 'other column')}"


def attack_line(settings) -> str:
    """Who attacks, in one line."""
    # One line, however many are ticked: a longer one would move the pills away from under the pointer.
    if len(settings.attackers) > 1:
        return f"{len(settings.attackers)} attackers, the most successful counts"
    if settings.attackers[0] != "strongest":
        return f"somebody who {ATTACKERS[settings.attackers[0]]}"
    whom = "half of the others" if settings.others is None else f"{count(settings.others)} others"
    return f"the best guess of somebody who knows {'everybody' if settings.knowledge == 'everybody' else whom}"
