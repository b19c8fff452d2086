"""Data to order: how many attributes, on how few components, and how small the rest (Huang's experiments, by hand)."""

import panel as pn

from trustscope.app.controls import Field, slider
from trustscope.scenarios.trust.order import EXPERIMENTS, RECORDS, SMALL, eigenvalues, trust
from trustscope.scenarios.trust.scenario import Order
from trustscope.scenarios.words import plain
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import TEXT_CSS


class Generator(pn.viewable.Viewer):
    """The controls of an order."""

    def __init__(self, **params):
        super().__init__(**params)
        self.experiment = Choice(
            label="Play an experiment of Huang", label_shown=True, margin=(0, 0, 8, 0),
            options=[(k, f"{k} {e.title}", f"Then drag {e.drag}") for k, e in EXPERIMENTS.items()],
        )  # fmt: skip
        self.attributes = Slider(label="Attributes", start=2, end=100, step=1, value=20)
        self.components = Slider(label="Strong components", start=1, end=20, step=1, value=5)
        self.small = Slider(label="Variance of the other components", stops=list(SMALL), value=4.0)
        self.records = Slider(label="Records", stops=list(RECORDS), value=10_000)
        self._words = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(4, 0, 0, 0))
        self._layout = pn.Column(
            self.experiment, self.attributes, self.components, self.small, self.records, self._words,
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip

    def fields(self, path: str):
        """The fields of an order at this path of a scenario."""
        yield Field(f"{path}.experiment", self.experiment)
        yield slider(f"{path}.attributes", self.attributes, read=int)
        yield slider(f"{path}.components", self.components, read=int)
        yield slider(f"{path}.small", self.small, read=float)
        yield slider(f"{path}.records", self.records, read=int)

    def describe(self, order: Order) -> None:
        """Limits and texts for this order."""
        values = eigenvalues(order)
        self.components.end = order.attributes
        self.components.readout = f"of variance {plain(values[0])}"
        now = f" Now drag <b>{EXPERIMENTS[order.experiment].drag}</b>." if order.experiment else ""
        self._words.object = (
            f"<p>Attributes vary by {plain(values.mean())} on average: trust {trust(order)} % adds noise of variance "
            f"about 25, as in the paper.{now}</p>"
        )

    def set_visible(self, shown: bool) -> None:
        """Show or hide it."""
        self._layout.visible = shown

    def __panel__(self):
        return self._layout
