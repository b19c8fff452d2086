"""Differential privacy on the Categories page."""

from trustscope.app.differential import DifferentialView as View
from trustscope.scenarios.categories import differential
from trustscope.scenarios.differential import DELTAS


class DifferentialView(View):
    """Any two values of the sensitive column."""

    def __init__(self):
        super().__init__("categories", (0, *DELTAS))

    def notes(self, picture, model):
        """As the page says it."""
        return differential.notes(differential.differential(model, picture.scenario))
