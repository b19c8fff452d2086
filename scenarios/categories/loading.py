"""From the data that a Categories scenario names to a model of the sensitive column."""

from trustscope.datasets import Dataset
from trustscope.datasets.patients import TITLES as EXAMPLES
from trustscope.datasets.patients import patients
from trustscope.scenarios.categories.column import column_of, without_gaps
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.preparation import prepared
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.scenario import OWN
from trustscope.scenarios.source import PEOPLE, dataset_of

MANY = 50  # different values; a column with more of them is not chosen unless it is asked for


def fetch(scenario: CategoriesScenario, own: Dataset | None = None) -> Dataset:
    """The data."""
    return patients(scenario.data.name) if scenario.data.name in EXAMPLES else dataset_of(scenario, own)


def candidates(data: Dataset, own: bool) -> list[str]:
    """Columns that may be sensitive, the likeliest first.

    Of a person's own data those with few different values come first: a column with many, such as a name, tells records
    apart rather than something about them.
    """
    names = [*data.categorical, *data.numeric]
    few = [one for one in data.categorical if not own or data.frame[one].nunique() <= MANY]
    return [*few, *(one for one in names if one not in few)]


def load(data: Dataset, scenario: CategoriesScenario) -> Model:
    """A model of the column that the scenario names, or of the likeliest; Unusable where none can be perturbed."""
    data = prepared(data, scenario.data.preparation)
    names = candidates(data, scenario.data.name == OWN)
    if not names:
        raise Unusable(
            "There is nothing here to perturb.",
            "These data have no column with categories or numbers. Choose another dataset, or drop a file.",
        )
    name = scenario.data.column if scenario.data.column in names else names[0]
    data = without_gaps(data, name)
    column = column_of(data, name, scenario.data.bins)
    if column.problem is not None:
        raise Unusable("There is nothing here to perturb.", column.problem)
    return Model(data, column, scenario.seed, "people" if data.name in PEOPLE | EXAMPLES.keys() else "records")
