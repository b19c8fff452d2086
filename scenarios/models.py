"""Models of data, remembered: attackers learn on a model for a while, and what they have learned stays with it.

Nothing in a model can be changed from outside, so one of built-in data serves everybody who asks: pages, figures,
reports, studies and lessons. A model of somebody's own data goes with these data: it is there as long as they are.
"""

from trustscope.datasets import Dataset
from trustscope.registry import Registry
from trustscope.scenarios import pages
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.whole import Loaded

OF_OWN_DATA = 2  # models that are remembered with somebody's own data

shared = Memo(24)  # data and model, by page and `model_key`


def registrations() -> int:
    """How often an attacker, a scheme or a measure was registered: a picture that names one may be of another since."""
    return Registry.changes


def of_own(data: Dataset) -> Memo:
    """What is remembered with somebody's own data, as `shared`."""
    memo: Memo = data.__dict__.setdefault("_models", Memo(OF_OWN_DATA))
    return memo


def make_model(scenario: Scenario, own: Dataset | None = None) -> Loaded:
    """Data and model of a scenario: those that are there, or new ones, which are remembered."""
    loading = pages.loading_of(scenario.page)
    theirs = loading.fetch(scenario, own) if scenario.data.name == OWN else None
    memo = shared if theirs is None else of_own(theirs)

    def make() -> Loaded:
        """Also for the scenario as it fits the data, which names the columns that were left to the page."""
        data = loading.fetch(scenario) if theirs is None else theirs
        made = Loaded(data, loading.load(data, scenario))
        return memo((scenario.page, made.model.fit_to_data(scenario).model_key), lambda: made)

    loaded: Loaded = memo((scenario.page, scenario.model_key), make)
    return loaded
