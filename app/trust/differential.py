"""Differential privacy on the Trust page."""

from trustscope.app.controls import Field, slider
from trustscope.app.differential import DifferentialView as View
from trustscope.numbers import plain
from trustscope.scenarios.differential import DELTAS
from trustscope.scenarios.trust import differential, words
from trustscope.scenarios.trust.threshold import threshold
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.slider import Slider

ABOUT = [
    ("values", "two values", "Two values of the attribute that is looked at"),
    ("range", "whole range", "The smallest and the largest value of the attribute"),
    ("row", "whole rows", "Any two rows within the ranges of all columns"),
]


class DifferentialView(View):
    """Two values of an attribute, its whole range, or whole rows."""

    def __init__(self):
        self.about = Choice(label="What must not be told apart", label_shown=True, options=ABOUT)
        self.apart = Slider(label="Two values")
        self._usual = 1.0
        super().__init__("trust", DELTAS, self.about, self.apart)

    def fields(self):
        """What is told apart, and the parts of the scenario that the controls stand for."""
        yield Field("view.differential.about", self.about)
        yield slider("view.differential.apart", self.apart, write=lambda apart: self._usual if apart is None else apart)
        yield from super().fields()

    def show_picture(self, picture, model):
        """Bring the slider up to the attribute, then draw."""
        scenario, people = picture.scenario, model.population
        attribute = people.index(scenario.settings.attribute)
        scale = threshold(people, scenario.settings.attribute, "absolute")
        low, high = differential.between(model, scenario)
        self._usual = differential.usual(model, scenario)
        unit = words.subject_of(people, scenario.settings.attribute).unit
        self.apart.visible = scenario.view.differential.about == "values"
        self.apart.put(start=0.0, end=differential.widest(model, attribute) or 1.0, step=scale.step)
        self.apart.put(
            label=f"Two values: {plain(low)} or {plain(high)} {unit}".strip(), readout=f"{unit} apart".strip()
        )
        if scenario.view.differential.apart is None:
            with self._dashboard.controls.silent():
                self.apart.value = self._usual
        super().show_picture(picture, model)

    def notes(self, picture, model):
        """As the page says it."""
        told = differential.differential(model, picture.scenario)
        return differential.notes(told, words.subject_of(model.population, picture.settings.attribute))
