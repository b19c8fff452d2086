"""From the data that a Survey scenario names to people who can be asked."""

from trustscope.datasets import Dataset
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.source import dataset_of
from trustscope.scenarios.survey.model import Model
from trustscope.scenarios.survey.population import learnable, population
from trustscope.scenarios.survey.scenario import SurveyScenario


def fetch(scenario: SurveyScenario, own: Dataset | None = None) -> Dataset:
    """The data."""
    return dataset_of(scenario, own)


def load(data: Dataset, scenario: SurveyScenario) -> Model:
    """People whose class is what the scenario names; Unusable where there is nothing to learn."""
    if not data.categorical:
        raise Unusable(
            "There is nobody to ask here.",
            "These data have no column with categories, so there is no class to learn. Choose others.",
        )
    try:
        complete = data.complete().dataset  # of a person's own file only the rows without gaps
        label = _label(data, complete, scenario.data.label)
        return Model(population(complete, label, scenario.data.value or None))
    except ValueError as problem:
        raise Unusable("There is nobody to ask here.", str(problem)) from problem


def _label(data: Dataset, complete: Dataset, named: str) -> str:
    """The column that is learnt: the one that is named, what the data are usually used for, or the first that can be.

    Rows without gaps may all have the same value of a column, as where a question follows on another one's answer. Such
    a column is not chosen unless it is asked for, and is then refused with a sentence.
    """
    left = complete.categorical
    usual = [one for one in (data.label, *left) if one in left]
    offered = learnable(complete)
    best = next((one for one in usual if one in offered), next(iter(usual), None))
    label = named if named in data.categorical else best
    if label in left:
        return label
    raise ValueError(
        f"All rows without a gap have the same value of {label or data.categorical[0]}, so there is nothing to learn. "
        "Choose another class, or fill in missing values."
    )
