"""Models of built-in data, remembered for everybody who asks: pages, figures, reports, studies and lessons.

Attackers learn on a model for a while, and what they have learned stays with it. Nothing in a model can be changed from
outside, so one serves all. A model of somebody's own data is not remembered here: it goes with whoever brought them.
"""

from collections.abc import Callable

from trustscope.scenarios.memo import Memo
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.whole import Loaded

shared = Memo(24)  # data and model, by page and `model_key`


def remembered(scenario: Scenario, make: Callable[[], Loaded]) -> Loaded:
    """Data and model of a scenario: those that are there, or new ones by `make()`."""

    def make_for_both() -> Loaded:
        """Also for the scenario as it fits the data, which names the columns that were left to the page."""
        made = make()
        return shared((scenario.page, made.model.fitted(scenario).model_key), lambda: made)

    return make() if scenario.data.name == OWN else shared((scenario.page, scenario.model_key), make_for_both)
