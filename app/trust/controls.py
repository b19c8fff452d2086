"""The controls of the Trust dashboard, and the settings that they stand for."""

from dataclasses import replace

import panel as pn
import param

from trustscope.engine.attacks import reconstruction
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.trust.settings import KINDS, LEVELS, LINEAR, RECONSTRUCTIONS, Settings
from trustscope.scenarios.trust.words import SCHEME_WORDS, Subject, shape, shape_name
from trustscope.scenarios.words import count, plain, share
from trustscope.widgets.card import TEXT_CSS, heading
from trustscope.widgets.choice import Choice
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.number import WholeNumber
from trustscope.widgets.recipients import Recipients
from trustscope.widgets.slider import Slider
from trustscope.widgets.task import Task

START = (Recipient(0, "Alice", 50), Recipient(1, "Bob", 20))
SAMPLES = (50, 100, 200, 400, 800, 1200, 2000, 5000)
SCHEMES = [(name, name, sentence) for name, sentence in SCHEME_WORDS.items()]
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
    return "original" if trust == 100 else f"s = {plain(LEVELS[trust])}"


class Controls(pn.viewable.Viewer):
    """`live` counts every movement, `settled` every change that was let go; `seed` is the key of the noise."""

    live = param.Integer(default=0, doc="Counts movements.")
    settled = param.Integer(default=0, doc="Counts settled changes.")
    seed = param.Integer(default=12, bounds=(0, 2**31 - 1), doc="The secret key of the noise.")

    def __init__(self, **params):
        super().__init__(**params)
        self.recipients = Recipients(Recipient, _detail, value=START)
        self.scheme = Choice(label="Scheme of the noise", options=SCHEMES, value=["nested"])
        self.similarity = Slider(label="Shape of the noise", start=-1, end=1, step=0.1, value=1)
        self.attackers = Choice(
            label="Attackers on all copies at once, who", label_shown=True, many=True, value=["perfect"],
            options=[(name, text, ATTACKER_TIPS[name]) for name, text in LINEAR.items()],
        )  # fmt: skip
        self.reconstructions = Choice(
            label="Attackers on one combined copy", label_shown=True, many=True, value=[], margin=(10, 0, 0, 0),
            options=[(name, PILLS[name], _tip(name)) for name in RECONSTRUCTIONS],
        )  # fmt: skip
        self.informed = Choice(
            label="Of the data's mean and covariance they have", label_shown=True, value=["no"], margin=(10, 0, 0, 0),
            options=[
                ("no", "an estimate", "Estimated from the released rows alone"),
                ("yes", "perfect knowledge", "The true mean and covariance of the data"),
            ],
        )  # fmt: skip
        self.sample = Slider(label="Records that they estimate from", start=0, end=len(SAMPLES) - 1, step=1, value=3)
        self.attribute = dropdown("Attribute looked at", {"": 0}, value=0)
        self.kind = Choice(
            label="What must be guessed", value=["absolute"],
            options=[(name, text, KIND_TIPS[name]) for name, text in KINDS.items()],
        )  # fmt: skip
        self.eps = Slider(
            label="How close a guess counts as a breach",
            label_shown=False,
            start=0,
            end=10,
            step=0.5,
            value=5,
        )
        self.seed_box = WholeNumber(label="Seed of the noise", value=self.seed, margin=(0, 0, 8, 0))
        self.generate = Task(label="Copies generated", start_text="Watch them being made", stop_text="Skip")
        self._shape_words = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(3, 0, 0, 0))
        self._scheme_words = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(3, 0, 0, 0))
        self._names, self._units, self._sd, self._rows, self._noun = (), {}, (), 0, "records"
        self._quiet = False
        self._wire()
        self._readouts()

    def _wire(self):
        self.recipients.param.watch(self._moved, "value")
        self.recipients.param.watch(self._let_go, "settled")
        for slider in (self.eps, self.sample, self.similarity):
            slider.param.watch(self._moved, "value")
            slider.param.watch(self._let_go, "value_throttled")
        chosen = (self.scheme, self.attackers, self.reconstructions, self.informed, self.attribute, self.kind)
        for choice in chosen:
            choice.param.watch(self._changed, "value")
        self.seed_box.param.watch(self._reseed, "value")

    # Events

    def _moved(self, event):
        if not self._quiet:
            self._readouts()
            self.live += 1

    def _let_go(self, event):
        if not self._quiet:
            self.settled += 1

    def _changed(self, event):
        if self._quiet:
            return
        if event.obj in (self.attackers, self.reconstructions) and not self._attacking:
            event.obj.value = event.old  # somebody must attack
            return
        if event.obj in (self.kind, self.attribute):
            self._reset_threshold()
        self._readouts()
        self.live += 1
        self.settled += 1

    def _reseed(self, event):
        self.seed = event.new

    # State

    def settings(self) -> Settings:
        """What all controls say."""
        return Settings(
            recipients=self.recipients.value,
            scheme=self.scheme.picked,
            attackers=self._attacking,
            sample=min(SAMPLES[int(self.sample.value)], self._rows),
            attribute=self.attribute.value,
            eps=float(self.eps.value),
            kind=self.kind.picked,
            similarity=round(float(self.similarity.value), 3) if len(self._names) > 1 else 1.0,
            informed=self.informed.picked == "yes",
        )

    @property
    def _attacking(self):
        return (*self.attackers.value, *self.reconstructions.value)

    def play(self, similarity: float):
        """Set the stage for an experiment: nested noise of this shape, and five attackers who must estimate."""
        self._quiet = True
        self.similarity.value = similarity
        self.scheme.value, self.informed.value = ["nested"], ["no"]
        self.reconstructions.value = list(RECONSTRUCTIONS)
        self._readouts()
        self._quiet = False

    def trust_at_most(self, trust: int):
        """Put the best recipient at this trust, in the coalition, and nobody above."""
        self._quiet = True
        best = max(self.recipients.value, key=lambda r: (r.member, r.trust)).number
        self.recipients.value = tuple(
            replace(r, trust=trust, member=True) if r.number == best else replace(r, trust=min(r.trust, trust))
            for r in self.recipients.value
        )
        self._quiet = False

    @property
    def subject(self) -> Subject:
        """The attribute that is looked at."""
        return self._subject(self.attribute.value)

    def axis(self, attribute: int) -> str:
        """Label of an axis that shows this attribute."""
        return self._subject(attribute).axis

    def _subject(self, attribute):
        name = self._names[attribute]
        return Subject(name, self._units.get(name, ""), self._noun)

    def attributes(self, names, units, sd, rows: int, noun: str = "records"):
        """Other data: these attributes, with these units and standard deviations, for so many people or records."""
        before = self._names[self.attribute.value] if self._names else None
        self._quiet = True
        self._names, self._units, self._sd = tuple(names), units, tuple(sd)
        self._rows, self._noun = rows, noun
        place = self._names.index(before) if before in self._names else 0
        self.attribute.param.update(options={name: i for i, name in enumerate(names)} or {"": 0}, value=place)
        self.sample.label = f"{noun.capitalize()} that they estimate from"
        self._reset_threshold()
        self._readouts()
        self._quiet = False

    def _reset_threshold(self):
        quiet, self._quiet = self._quiet, True
        if self.kind.picked == "absolute" and self._sd:
            step = _nice(self._sd[self.attribute.value] / 20)
            end, value = step * 30, step * 5
        elif self.kind.picked == "cosine":
            step, end, value = 0.005, 0.2, 0.01
        else:
            step, end, value = 0.01, 0.5, 0.1
        self.eps.param.update(start=0.0, end=end, step=step, value=value)
        self._quiet = quiet

    def _readouts(self):
        kind, eps = self.kind.picked, self.eps.value
        if kind == "absolute":
            text = self.subject.amount(eps) if self._names else plain(eps)
        else:
            text = plain(eps) if kind == "cosine" else share(eps)
        self.eps.readout = text
        self.sample.readout = f"{count(min(SAMPLES[int(self.sample.value)], self._rows))} {self._noun}"
        self.sample.visible = any(a != "perfect" for a in self.attackers.value)
        self.informed.visible = bool(self.reconstructions.value)
        several = len(self._names) > 1
        self.similarity.visible = self._shape_words.visible = several
        self.similarity.readout = shape_name(self.similarity.value)
        self._shape_words.object = f"<p>{shape(self.similarity.value)}</p>"
        self._scheme_words.object = f"<p>{SCHEME_WORDS[self.scheme.picked]}</p>"

    # Layout

    def __panel__(self):
        return pn.Column(
            self.attribute,
            heading("Recipients", "(tick: in the coalition; slider: trust)"),
            self.recipients,
            heading("Noise"),
            self.scheme,
            self._scheme_words,
            self.similarity,
            self._shape_words,
            heading("Attackers"),
            self.attackers,
            self.sample,
            self.reconstructions,
            self.informed,
            heading("A breach is a guess within"),
            self.eps,
            self.kind,
            heading("Generate"),
            self.seed_box,
            self.generate,
            sizing_mode="stretch_width",
            margin=0,
        )


def _nice(step: float) -> float:
    """A round step near this one: 1, 2 or 5 times a power of ten."""
    if not step > 0:
        return 1.0
    power = 10.0 ** int(f"{step:e}".split("e")[1])
    return min((1, 2, 5, 10), key=lambda m: abs(m * power - step)) * power
