"""From the data that a Trust scenario names to a model of them."""

from trustscope.datasets import Dataset
from trustscope.scenarios.preparation import prepared
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.source import dataset_of, noun_of
from trustscope.scenarios.trust import curves
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.order import make_dataset
from trustscope.scenarios.trust.scenario import MADE, TrustScenario

FIRST = 6  # attributes released at first; more on request


def fetch(scenario: TrustScenario, own: Dataset | None = None) -> Dataset:
    """The data."""
    return make_dataset(scenario.data.order) if scenario.data.name == MADE else dataset_of(scenario, own)


def load(data: Dataset, scenario: TrustScenario, shipped: bool = True) -> Model:
    """A model of the columns that the scenario names, or of the first ones; Unusable where there is none.

    Built-in data come with the curves that are shipped for them, unless these are computed.
    """
    order = scenario.data.name == MADE
    data = prepared(data, scenario.data.preparation)
    asked = [name for name in scenario.data.columns if name in data.numeric]
    columns = data.numeric if order else tuple(asked) or data.numeric[:FIRST]
    if not columns or data.rows < 2:
        raise Unusable(
            "There is nothing here to add noise to.",
            "No numeric column is released, or there is a single row. Choose another dataset, drop a file, or release "
            "one of its columns as numbers.",
        )
    kept = data.complete(columns).dataset  # of a person's own file only the rows without gaps in these columns
    columns = tuple(kept.frame.columns)
    values = kept.frame.to_numpy(dtype=float)
    model = Model(values, columns, scenario.seed, units=data.units, noun=noun_of(data), common_unit=order)
    if shipped and not order:
        curves.take_in(model.judge, model.population, scenario.data.name)
    return model
