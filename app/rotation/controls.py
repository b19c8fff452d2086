"""The controls of the Rotation dashboard, and the settings that they stand for."""

import numpy as np
import panel as pn
import param

from app.rotation.model import WIDEST
from app.rotation.settings import KINDS, Settings
from app.words import count, share
from widgets.action import Action
from widgets.card import TEXT_CSS, heading
from widgets.choice import Choice
from widgets.inputs import dropdown
from widgets.number import WholeNumber
from widgets.slider import Slider

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
        self._quiet, self._known = False, ()
        self._sizes, self._lengths = [10], [3]
        self.first_known = lambda number: ()
        self.shift = Choice(label="How the data are released", options=SHIFTS, value=["no"])
        self.seed = WholeNumber(label="Seed of the secret", value=12, margin=(6, 0, 4, 0))
        self.pair = [dropdown("Drawn across", {"": 0}, value=0), dropdown("and upwards", {"": 0}, value=0)]
        self.number = Slider(label="Records that she knows", start=0, end=4, step=1, value=4)
        self.others = Action(text="Other records", tip="As many records, drawn anew", margin=(4, 0, 4, 0))
        self.sample = Slider(label="Records in her sample", start=0, end=SIZES - 1, step=1, value=SIZES - 8)
        self.method = Choice(label="How she uses it", options=METHODS, value=["improved"])
        self.dimensions = Slider(label="Released columns", start=0, end=SIZES - 1, step=1, value=SIZES - 2)
        self.clusters = Slider(label="Clusters", start=2, end=8, step=1, value=3)
        self.clustering = Choice(label="Clustering", options=CLUSTERS, value=["k-means"])
        self.eps = Slider(label="A guess is a breach within", start=1, end=60, step=1, value=15)
        self.kind = Choice(
            label="What must come close", value=["euclidean"],
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
            "sample": group(heading("The attacker", "has a sample"), self.sample, self.method),
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
            self._known = self.first_known(int(event.new))
            self._moved()

    def _others(self, event):
        """Other records, as many."""
        known = np.random.default_rng(self.others.clicks).permutation(self.first_known(None))
        self._known = tuple(int(i) for i in known[: len(self._known)])
        self._moved()
        self._let_go()

    def toggle(self, record: int):
        """One record more, or fewer, is known."""
        known = set(self._known) ^ {record}
        if len(known) <= self.number.end:
            self._known = tuple(i for i in self._known if i in known) + tuple(known - set(self._known))
            self._quiet = True
            self.number.value = len(self._known)
            self._quiet = False
            self._moved()
            self._let_go()

    # State

    def load(self, model, names, *, keep: bool):
        """Another model: what can be known, how large a sample can be, which attributes can be drawn."""
        self._quiet = True
        self.first_known = model.first_known
        self.number.end = model.most_known
        # So many that something is left to guess.
        number = int(min(self.number.value if keep else max(1, min(4, model.columns - 1)), model.most_known))
        self.number.value = number
        self._known = model.first_known(number)
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
            known=self._known,
            eps=self.eps.value / 100,
            kind=self.kind.picked,
            sample=self._sizes[int(self.sample.value)],
            method=self.method.picked,
            clusters=int(self.clusters.value),
            method_of_clusters=self.clustering.picked,
            pair=(self.pair[0].value, self.pair[1].value),
            dimensions=self._lengths[int(self.dimensions.value)],
        )

    def readouts(self):
        """What the numbers mean."""
        self.number.readout = count(len(self._known))
        self.sample.readout = count(self._sizes[int(self.sample.value)])
        self.dimensions.readout = count(self._lengths[int(self.dimensions.value)])
        self.clusters.readout = f"{int(self.clusters.value)}"
        self.eps.readout = share(self.eps.value / 100)
        self._kind_words.object = f"<p>{KINDS[self.kind.picked][1]}.</p>"
