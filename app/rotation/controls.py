"""The controls of the Rotation page: the attacker of the present step in sight, everything else a line that opens."""

import numpy as np

from trustscope.app.controls import DeskControls, Field, slider
from trustscope.app.rotation.target import RotationPurpose
from trustscope.app.target import TargetFold
from trustscope.scenarios.rotation.scenario import CLOSEST, FURTHEST, KINDS, SAMPLES, USUAL, WIDEST, RotationScenario
from trustscope.scenarios.rotation.words import common as words
from trustscope.scenarios.words import count, counted, listed, number_word, sentence
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice, Choices, Switch
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.controls.number import WholeNumber
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import heading, sidebar_text
from trustscope.widgets.frame.fold import Fold
from trustscope.widgets.frame.place import Later

STORIES = [
    ("kept", "1 What is kept", "An honest analyst finds the same clusters and neighbours"),
    ("known", "2 An insider knows a few", "Finds them in the release, and others with them"),
    ("sample", "3 A competitor has a sample", "Matches principal axes, knowing nobody in the data"),
    ("remedy", "4 The remedy", "A random projection instead, and what becomes of it"),
]
SHIFTS = [
    ("turned", "turned", "A secret rotation: distances and lengths stay as they are"),
    ("shifted", "turned and shifted", "A shift by a secret vector as well: only distances stay"),
]
SHIFT_WORDS = {
    False: "All records are turned together by one secret rotation, and shuffled.",
    True: "They are moved by a secret vector as well, so that only distances, also from their mean, show.",
}
METHODS = [
    (
        "improved",
        "improved",
        "Axes about the mean or the origin, whichever fits better; signs by each axis and by all; "
        "all rows laid over the sample, and lengths, too",
    ),
    ("paper", "as in the paper", "Axes of the covariance, signs by the energy distance of all axes together"),
]
CLUSTERINGS = [
    ("k-means", "k-means", "Gathers records around means"),
    ("single link", "single link", "Joins whatever is nearest, step by step: a cluster is a chain of neighbours"),
]
KIND_OPTIONS = [(name, text, words.KIND_WORDS[name]) for name, text in KINDS.items()]
STOPS = 24  # of the sliders that grow by factors
CHIPS = 12  # records that are offered by number, at least


class RotationControls(DeskControls):
    """The table of fields, and what the lines say."""

    def __init__(self, scenario: RotationScenario, desk):
        super().__init__(scenario, desk)
        self.others.param.watch(lambda event: self._other_records(), "clicks")
        self.add_one.param.watch(lambda event: self._add_one(), "clicks")
        self.strangers.param.watch(lambda event: self._other_sample(), "clicks")

    def _make_widgets(self):
        self.story = Choice(label="Step", options=STORIES)
        self.columns = Choices(label="Attributes that are turned together", label_shown=True)
        self.standardised = Switch(
            text="standardise every attribute first", margin=(8, 0, 0, 0),
            tip="Off: attributes stay in their own units, and the one with the largest numbers decides",
        )  # fmt: skip
        self.shift = Choice(label="How the records are released", options=SHIFTS)
        self.clustering = Choice(label="Clusters by", label_shown=True, options=CLUSTERINGS)
        self.clusters = Slider(label="Clusters", start=2, end=8, step=1, value=3)
        self.number = Slider(label="Records that the insider knows", start=0, end=4, step=1, value=4)
        self.others = Action(text="Other records", tip="As many records, drawn anew", margin=(4, 0, 4, 0))
        self.chips = Choices(label="Known by row number", label_shown=True)
        self.wanted = WholeNumber(label="Row number", value=1, start=1, margin=(8, 0, 0, 0))
        self.add_one = Action(text="Tell it, or take it back", margin=(4, 0, 4, 0))
        self.sample = Slider(label="Records in the sample", stops=[10, 20])
        self.strangers = Action(text="Other sample", tip="As many other records", margin=(4, 0, 4, 0))
        self.block = WholeNumber(label="Sample number", value=1, start=1, end=SAMPLES)
        self.method = Choice(label="How it is used", label_shown=True, options=METHODS, margin=(8, 0, 0, 0))
        self.dimensions = Slider(label="Released columns", stops=[2, 4])
        self.eps = Slider(label="How close a guess must come", start=CLOSEST, end=FURTHEST, step=0.01, value=0.25)
        self.eps.scale, self.eps.readout = 100.0, "%"
        self.kind = Choice(label="What must be guessed", label_shown=True, options=KIND_OPTIONS, margin=(8, 0, 0, 0))
        self.across = dropdown("Drawn across, and recovered", [""])
        self.upwards = dropdown("Drawn upwards", [""])
        self.seed = WholeNumber(label="Seed of the secret", margin=(6, 0, 4, 0))
        self.target = TargetFold(RotationPurpose(), self.change)
        self._shift_words, self._units_words, self._kind_words, self.chip_words = (
            sidebar_text(below=6) for _ in range(4)
        )

    def _fields(self):
        yield Field("view.story", self.story)
        yield Field("data.columns", self.columns, read=tuple, write=list)
        yield Field("settings.standardised", self.standardised)
        yield Field("settings.shifted", self.shift, read=lambda v: v == "shifted", write=lambda v: SHIFTS[v][0])
        yield Field("settings.clustering", self.clustering)
        yield slider("settings.clusters", self.clusters, read=int)
        yield slider("settings.known", self.number, read=self._told, write=lambda known: len(known or ()))
        yield Field(
            "settings.known", self.chips, read=lambda v: tuple(map(int, v)), write=lambda v: list(map(str, v or ()))
        )
        yield slider("settings.sample", self.sample, read=int, write=lambda size: size or self.sample.value)
        yield Field("settings.block", self.block)
        yield Field("settings.method", self.method)
        yield slider("settings.dimensions", self.dimensions, read=int, write=lambda n: n or self.dimensions.value)
        yield slider("settings.eps", self.eps, read=lambda v: round(float(v), 4), write=lambda v: v or self.eps.value)
        yield Field("settings.kind", self.kind)
        yield Field("view.across", self.across)
        yield Field("view.upwards", self.upwards)
        yield Field("seed", self.seed)
        yield self.target.field

    # Who is known

    def _told(self, number) -> tuple[int, ...]:
        """The records that are known when so many are: the first of those known, then those that come next."""
        if self.model is None:
            return self.scenario.settings.known or ()
        return self.model.order(self.scenario.settings)[: int(number)]

    def toggle(self, number: int) -> None:
        """One record more, or fewer, is known; at most as many as the slider has."""
        known = self.scenario.settings.known or ()
        if number in known:
            self._tell(tuple(one for one in known if one != number))
        elif (
            self.model is not None
            and len(known) < self.model.most_known
            and self.model.records.place(number) is not None
        ):
            self._tell((*known, number))

    def _tell(self, known: tuple[int, ...]) -> None:
        self.change(self.follow(self.scenario.replace({"settings.known": known}), "settings.known"))

    def _other_records(self) -> None:
        """As many records, drawn anew."""
        if self.model is None:
            return
        number = len(self.scenario.settings.known or ())
        drawn = np.random.default_rng(self.others.clicks).permutation(self.model.usual_order)[:number]
        known = tuple(int(one) for one in drawn)
        self.change(self.scenario.replace({"settings.known": known, "settings.then": ()}))

    def _add_one(self) -> None:
        """The record whose number was typed."""
        if self.model is None:
            return
        number = self.wanted.value
        if self.model.records.place(number) is None:
            self.chip_words.object = f"<p>{_absent(number, self.model.records)}</p>"
        else:
            self.toggle(number)

    def _other_sample(self) -> None:
        """The next sample of this size."""
        settings = self.scenario.settings
        if self.model is not None:
            block = settings.block % self.model.sample.samples(settings.sample) + 1
            self.change(self.scenario.replace({"settings.block": block}))

    # What else changes

    def follow(self, scenario, path):
        if path == "data.columns" and not scenario.data.columns:
            return self.scenario  # something must be released
        if path == "view.story":
            return scenario.replace({"view.closer": ""})
        if path == "settings.kind":
            return scenario.replace({"settings.eps": USUAL[scenario.settings.kind]})
        if path == "settings.known":
            before, now = self.scenario.settings, scenario.settings.known
            # Taken back, a record is the first to be told again.
            later = [one for one in (*(before.known or ()), *before.then) if one not in now]
            most = 0 if self.model is None else max(self.model.most_known - len(now), 0)
            return scenario.replace({"settings.then": tuple(dict.fromkeys(later))[:most]})
        if path == "settings.sample" and self.model is not None:
            most = self.model.sample.samples(scenario.settings.sample)
            return scenario.replace({"settings.block": min(scenario.settings.block, most)})
        if path == "settings.block" and self.model is not None:
            most = self.model.sample.samples(scenario.settings.sample)
            return scenario.replace({"settings.block": min(scenario.settings.block, most)})
        return scenario

    # What is said

    def load(self, model):
        """Other data, or another secret."""
        self.model, records = model, model.records
        with self._silence:
            self.number.end = model.most_known
            self.sample.stops = _stops(model.sample.least(), len(records.pool))
            self.dimensions.stops = _stops(max(records.columns, 2), WIDEST)
            self.across.options = self.upwards.options = list(records.names)
            self.columns.options = [(name, name, f"Turn {name} together with the others") for name in self.desk.numeric]

    def describe(self, scenario):
        settings, story = scenario.settings, scenario.view.story
        for name, group in self._groups.items():
            group.visible = name == story
        self._hit.visible = story != "kept"
        self._release.visible = story != "remedy"
        self._shift_words.object = f"<p>{SHIFT_WORDS[settings.shifted]}</p>"
        self._units_words.object = f"<p>{words.STANDARDISED[settings.standardised]}</p>"
        self._kind_words.object = f"<p>{words.KIND_WORDS[settings.kind]}</p>"
        self.chip_words.object = ""
        if self.model is None or None in (settings.known, settings.sample):  # not fitted to the data yet
            return
        self._describe_data(scenario)
        self.target.describe(scenario, self.model)
        records, known = self.model.records, settings.known
        offered = self.model.order(settings)[: max(len(known), CHIPS)]
        self.chips.options = [
            (str(n), count(n), f"{sentence(records.one)} {count(n)}") for n in sorted({*offered, *known})
        ]
        self.chips.disabled = [] if len(known) < self.model.most_known else [str(n) for n in offered if n not in known]
        self.who_fold.line = _who(known, records)
        self.number.label = f"{sentence(records.noun)} that the insider knows"
        self.others.disabled = not known
        several = self.model.sample.samples(settings.sample)
        self.block.end = several
        self.strangers.disabled = several < 2
        self.hit_fold.line = words.hit_line(settings, records)

    def _describe_data(self, scenario):
        records = self.model.records
        how = "standardised" if scenario.settings.standardised else "in their own units"
        self.data_fold.line = (
            f"{self.desk.title}, {count(records.rows)} {records.noun} released · "
            f"{counted(records.columns, 'attribute')}, {how}"
        )
        self.more_fold.line = f"{scenario.view.across} and {scenario.view.upwards} drawn, seed {scenario.seed}"

    # Layout

    def _lay_out(self):
        self.data_fold = Fold("Data", self.desk, self.columns, self.standardised, self._units_words)
        self.who_fold = Fold("Which records", self.chips, self.wanted, self.add_one, self.chip_words)
        self.hit_fold = Fold("A guess counts as a hit", self.eps, self.kind, self._kind_words)
        self.more_fold = Fold("More", self.across, self.upwards, self.seed)
        self._groups = {
            "kept": Later(heading("The analyst"), self.clusters, self.clustering),
            "known": Later(heading("The insider"), self.number, self.others, self.who_fold),
            "sample": Later(heading("The competitor"), self.sample, self.block, self.strangers, self.method),
            "remedy": Later(heading("The remedy"), self.dimensions),
        }
        self._release = Later(heading("How the records are released"), self.shift, self._shift_words)
        self._hit = Later(self.hit_fold)
        self._layout = self.laid_out({
            "data": [self.data_fold],
            "attacker": [*self._groups.values()],
            "release": [self._release],
            "hit": [self._hit],
            "goal": [self.target],
            "more": [self.more_fold],
        })  # fmt: skip


def _stops(least: int, most: int) -> list[int]:
    """Numbers that grow by factors, from the least to the most."""
    return sorted({round(float(one)) for one in np.geomspace(least, max(most, least), STOPS)})


def _who(known, records) -> str:
    """The known records by number, in one line."""
    if not known:
        return f"no {records.one}"
    if len(known) > 6:
        return f"{number_word(len(known))} {records.noun}: {', '.join(count(n) for n in known[:5])} …"
    return f"{records.one if len(known) == 1 else records.noun} {listed([count(n) for n in known])}"


def _absent(number: int, records) -> str:
    return (
        f"{sentence(records.one)} {count(number)} is not among the {count(records.rows)} that are released: choose "
        "another number, or click a dot."
    )
