"""The controls of the Rotation dashboard, and the settings that they stand for."""

import numpy as np
import panel as pn
import param

from trustscope.scenarios.rotation.model import WIDEST
from trustscope.scenarios.rotation.settings import KINDS, Settings
from trustscope.scenarios.words import count, share
from trustscope.widgets.action import Action
from trustscope.widgets.card import TEXT_CSS, heading
from trustscope.widgets.choice import Choice
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.number import WholeNumber
from trustscope.widgets.slider import Slider

SHIFTS = [
    ("no", "turned", "An orthogonal matrix turns the records: distances and lengths stay as they are"),
    ("yes", "turned and shifted", "A shift by a secret vector as well: only distances stay"),
]
METHODS = [
    ("improved", "improved", "Axes about the mean or the origin, whichever fits better; signs by each axis and by all"),
    ("paper", "as in the paper", "Axes of the covariance, signs by the energy distance of all axes together"),
]
CLUSTERS = [
    ("k-means", "k-means", "Clusters around means"),
    ("single link", "single link", "Clusters of neighbours of neighbours"),
]
SIZES = 30  # stops of the sliders that grow by factors


class Controls(pn.viewable.Viewer):
    """`live` counts every movement, `settled` every change that was let go; `secret` every new release."""

    live = param.Integer(default=0, doc="Counts movements.")
    settled = param.Integer(default=0, doc="Counts settled changes.")
    secret = param.Integer(default=0, doc="Counts changes of the release.")

    def __init__(self, **params):
        super().__init__(**params)
        self._quiet, self._order, self._told = False, (), 0
        self._sizes, self._lengths = [10], [3]
        self._model = None
        self.shift = Choice(label="How the data are released", options=SHIFTS, value="no")
        self.seed = WholeNumber(label="Seed of the secret", value=12, margin=(6, 0, 4, 0))
        self.pair = [dropdown("Drawn across", {"": 0}, value=0), dropdown("and upwards", {"": 0}, value=0)]
        self.number = Slider(label="Records that she knows", start=0, end=4, step=1, value=4)
        self.others = Action(text="Other records", tip="As many records, drawn anew", margin=(4, 0, 4, 0))
        self.block = 0
        self.strangers = Action(text="Other sample", tip="As many other strangers", margin=(4, 0, 4, 0))
        self.sample = Slider(label="Records in her sample", start=0, end=SIZES - 1, step=1, value=SIZES - 8)
        self.method = Choice(label="How she uses it", options=METHODS, value="improved")
        self.dimensions = Slider(label="Released columns", start=0, end=SIZES - 1, step=1, value=SIZES - 2)
        self.clusters = Slider(label="Clusters", start=2, end=8, step=1, value=3)
        self.clustering = Choice(label="Clustering", options=CLUSTERS, value="k-means")
        self.eps = Slider(label="A guess is a breach within", start=1, end=60, step=1, value=15)
        self.kind = Choice(
            label="What must come close", value="euclidean",
            options=[(key, text, tip) for key, (text, tip) in KINDS.items()],
        )  # fmt: skip
        self._kind_words = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(3, 0, 0, 0))
        self._build()
        self._wire()

    # Layout

    def _build(self):
        def group(*views):
            return pn.Column(*views, sizing_mode="stretch_width", margin=0)

        self._groups = {
            "kept": group(heading("The analyst"), self.clustering, self.clusters),
            "inputs": group(heading("The attacker", "knows some records"), self.number, self.others),
            "sample": group(heading("The attacker", "has a sample"), self.sample, self.strangers, self.method),
            "remedy": group(heading("The remedy", "a random projection"), self.dimensions),
        }
        self._breach = group(heading("What counts as a breach"), self.eps, self.kind, self._kind_words)
        self._release = group(heading("Release"), self.shift, self.seed)
        self._layout = group(
            self._release, *self._groups.values(), self._breach, heading("Drawn", "two attributes"), *self.pair
        )

    def story(self, story: str):
        """Show what belongs to this story."""
        for name, one in self._groups.items():
            one.visible = name == story
        self._breach.visible = story != "kept"
        self._release.visible = story != "remedy"

    def __panel__(self):
        return self._layout

    # Events

    def _wire(self):
        for slider in (self.sample, self.dimensions, self.clusters, self.eps):
            slider.param.watch(self._moved, "value")
            slider.param.watch(self._let_go, "value_throttled")
        self.number.param.watch(self._number_moved, "value")
        self.number.param.watch(self._let_go, "value_throttled")
        for choice in (self.method, self.clustering, self.kind, *self.pair):
            choice.param.watch(self._changed, "value")
        self.shift.param.watch(self._new_secret, "value")
        self.seed.param.watch(self._new_secret, "value")
        self.others.param.watch(self._others, "clicks")
        self.strangers.param.watch(self._other_sample, "clicks")

    def _moved(self, event=None):
        if not self._quiet:
            self.readouts()
            self.live += 1

    def _let_go(self, event=None):
        if not self._quiet:
            self.settled += 1

    def _changed(self, event):
        self._moved()
        self._let_go()

    def _new_secret(self, event):
        if not self._quiet:
            self.secret += 1

    def _number_moved(self, event):
        if not self._quiet:
            self._told = int(event.new)
            self._moved()

    def _others(self, event):
        """Other records, as many."""
        drawn = np.random.default_rng(self.others.clicks).permutation(self._model.first_known(None))
        self._order = tuple(int(i) for i in drawn)
        self._moved()
        self._let_go()

    def _other_sample(self, event):
        """The next sample of this size."""
        self.block += 1
        self._moved()
        self._let_go()

    def toggle(self, record: int):
        """One record more, or fewer, is known; at most as many as the slider has."""
        known, others = self.known, tuple(i for i in self._order if i != record)
        if record in known:
            told = len(known) - 1
            # Taken back, it is the last that she would be told again.
            self._order = (*others, record)
        elif len(known) < self.number.end:
            told = len(known) + 1
            self._order = (*known, record, *others[len(known) :])
        else:
            return
        self._quiet, self._told = True, told
        self.number.value = told
        self._quiet = False
        self._moved()
        self._let_go()

    @property
    def known(self) -> tuple[int, ...]:
        """The records that she knows."""
        return self._order[: self._told]

    # State

    def load(self, model, names, *, keep: bool):
        """Another model: what can be known, how large a sample can be, which attributes can be drawn."""
        self._quiet = True
        self._model = model
        self.number.end = model.most_known
        # So many that something is left to guess.
        number = int(min(self.number.value if keep else max(1, min(4, model.columns - 1)), model.most_known))
        self.number.value = number
        self._told = number
        # Another secret leaves her the records that she has been told, as far as they are still there.
        kept = tuple(i for i in self._order if i < model.rows) if keep else ()
        self._order = (*kept, *(i for i in model.first_known(None) if i not in kept))
        least = min(max(4, model.columns + 1), len(model.pool))
        self._sizes = [round(float(q)) for q in np.geomspace(least, len(model.pool), SIZES)]
        self._lengths = [round(float(l)) for l in np.geomspace(max(model.columns, 2), WIDEST, SIZES)]
        if not keep:
            options = {name: i for i, name in enumerate(names)}
            for which, box in enumerate(self.pair):
                box.param.update(options=options, value=min(which, len(names) - 1))
        self.readouts()
        self._quiet = False

    def settings(self, story: str) -> Settings:
        """What all controls say."""
        return Settings(
            story=story,
            known=self.known,
            then=self._order[self._told : int(self.number.end)],
            eps=self.eps.value / 100,
            kind=self.kind.value,
            sample=self._sizes[int(self.sample.value)],
            block=self.block,
            method=self.method.value,
            clusters=int(self.clusters.value),
            method_of_clusters=self.clustering.value,
            pair=(self.pair[0].value, self.pair[1].value),
            dimensions=self._lengths[int(self.dimensions.value)],
        )

    def readouts(self):
        """What the numbers mean."""
        self.number.readout = count(self._told)
        self.others.disabled = not self._told
        size = self._sizes[int(self.sample.value)]
        self.sample.readout = count(size)
        self.strangers.disabled = self._model is not None and self._model.samples(size) < 2
        self.dimensions.readout = count(self._lengths[int(self.dimensions.value)])
        self.clusters.readout = f"{int(self.clusters.value)}"
        self.eps.readout = share(self.eps.value / 100)
        self._kind_words.object = f"<p>{KINDS[self.kind.value][1]}.</p>"
