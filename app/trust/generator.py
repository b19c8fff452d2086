"""Data to order: how many attributes, on how few components, and how small the rest (Huang's experiments, by hand)."""

from dataclasses import dataclass

import panel as pn
import param

from trustscope import datasets
from trustscope.engine.experiments.huang import principal_eigenvalues
from trustscope.scenarios.words import count, plain
from trustscope.widgets.card import TEXT_CSS
from trustscope.widgets.choice import Choice
from trustscope.widgets.slider import Slider

MEAN_VARIANCE, LARGE, NOISE_VARIANCE = 100.0, 400.0, 25.0
RECORDS = (200, 500, 1_000, 2_000, 5_000, 10_000, 50_000)
SMALL = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 18.0, 25.0, 35.0, 50.0, 70.0, 99.0)


@dataclass(frozen=True)
class Experiment:
    """Where the sliders stand at the beginning, what is held fixed, and what to drag then."""

    title: str
    attributes: int
    components: int
    small: float
    records: int
    drag: str
    large: float | None = None  # held at this; otherwise the mean variance is held at 100
    similarity: float = 0.0


EXPERIMENTS = {
    "1": Experiment("more attributes", 20, 5, 4.0, 10_000, "the attributes"),
    "2": Experiment("more components", 100, 20, 4.0, 10_000, "the components"),
    "3": Experiment("smaller remainder", 100, 20, 12.0, 10_000, "the variance of the others", LARGE),
    "4": Experiment("shape of the noise", 100, 50, 4.0, 2_000, "the shape of the noise", LARGE, 1.0),
}


class Generator(pn.viewable.Viewer):
    """`changed` counts other data, `played` the experiments that were chosen."""

    changed = param.Integer(default=0, doc="Counts other data.")
    played = param.Integer(default=0, doc="Counts the experiments chosen.")

    def __init__(self, **params):
        super().__init__(**params)
        self.experiment = Choice(
            label="Play an experiment of Huang", label_shown=True, value=[], margin=(0, 0, 8, 0),
            options=[(k, f"{k} {e.title}", f"Then drag {e.drag}") for k, e in EXPERIMENTS.items()],
        )  # fmt: skip
        self.attributes = Slider(label="Attributes", start=2, end=100, step=1, value=20)
        self.components = Slider(label="Strong components", start=1, end=20, step=1, value=5)
        self.small = Slider(label="Variance of the other components", start=0, end=len(SMALL) - 1, step=1, value=4)
        self.records = Slider(label="Records", start=0, end=len(RECORDS) - 1, step=1, value=5)
        self._words = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(4, 0, 0, 0))
        self._quiet = False
        for slider in (self.attributes, self.components, self.small, self.records):
            slider.param.watch(self._moved, "value")
            slider.param.watch(self._let_go, "value_throttled")
        self.experiment.param.watch(self._play, "value")
        self._layout = pn.Column(
            self.experiment, self.attributes, self.components, self.small, self.records, self._words,
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip
        self._readouts()

    @property
    def chosen(self) -> Experiment | None:
        """The experiment that is played, if one is."""
        return EXPERIMENTS[self.experiment.picked] if self.experiment.value else None

    def eigenvalues(self):
        """The variances of the components, the strongest first."""
        attributes, components = int(self.attributes.value), int(self.components.value)
        small, large = SMALL[int(self.small.value)], self.chosen.large if self.chosen else None
        mean = MEAN_VARIANCE if large is None else (components * large + (attributes - components) * small) / attributes
        return principal_eigenvalues(attributes, components, small=small, mean_variance=mean)

    def dataset(self) -> datasets.Dataset:
        """The data as ordered."""
        return datasets.load("gaussian", rows=RECORDS[int(self.records.value)], eigenvalues=self.eigenvalues())

    def trust(self) -> int:
        """The trust at which noise has the variance of the experiments, 25."""
        return round(100 / (1 + NOISE_VARIANCE / self.eigenvalues().mean()))

    def _moved(self, event):
        if not self._quiet:
            self._fit()
            self._readouts()

    def _fit(self):
        """There are no more components than attributes."""
        quiet, self._quiet = self._quiet, True
        most = int(self.attributes.value)
        self.components.param.update(end=most, value=min(int(self.components.value), most))
        self._quiet = quiet

    def _let_go(self, event):
        if not self._quiet:
            self.changed += 1

    def _play(self, event):
        start = self.chosen
        self._quiet = True
        self.attributes.value = start.attributes
        self.components.param.update(end=start.attributes, value=start.components)
        self.small.value = SMALL.index(start.small)
        self.records.value = RECORDS.index(start.records)
        self._quiet = False
        self._readouts()
        self.played += 1

    def _readouts(self):
        values = self.eigenvalues()
        self.attributes.readout = f"{int(self.attributes.value)}"
        self.components.readout = f"{int(self.components.value)} of {plain(values[0])}"
        self.small.readout = plain(SMALL[int(self.small.value)])
        self.records.readout = count(RECORDS[int(self.records.value)])
        now = f" Now drag <b>{self.chosen.drag}</b>; trust follows, to hold it there." if self.chosen else ""
        self._words.object = (
            f"<p>Attributes vary by {plain(values.mean())} on average: trust {self.trust()} % adds noise of variance "
            f"about 25, as in the paper.{now}</p>"
        )

    def __panel__(self):
        return self._layout
