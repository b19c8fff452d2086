"""From the data that a Trust scenario names to a model of them."""

from trustscope.datasets import Dataset
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.source import dataset_of, noun_of
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.order import made
from trustscope.scenarios.trust.scenario import MADE, TrustScenario

FIRST = 6  # attributes released at first; more on request


def fetch(scenario: TrustScenario, own: Dataset | None = None) -> Dataset:
    """The data."""
    return made(scenario.data.order) if scenario.data.name == MADE else dataset_of(scenario, own)


def load(data: Dataset, scenario: TrustScenario) -> Model:
    """A model of the columns that the scenario names, or of the first ones; Unusable where there is none."""
    order = scenario.data.name == MADE
    asked = [name for name in scenario.data.columns if name in data.numeric]
    columns = data.numeric if order else tuple(asked) or data.numeric[:FIRST]
    if not columns or data.rows < 2:
        raise Unusable(
            "There is nothing here to add noise to.",
            "This dataset has no numeric column, or a single row. Choose another dataset, or drop a file.",
        )
    kept = data.complete(columns).dataset  # of a person's own file only the rows without gaps in these columns
    columns = tuple(kept.frame)
    values = kept.frame.to_numpy(dtype=float)
    return Model(values, columns, scenario.seed, units=data.units, noun=noun_of(data), common_unit=order)
