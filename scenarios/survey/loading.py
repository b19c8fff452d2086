"""From the data that a Survey scenario names to people who can be asked."""

from trustscope.datasets import Dataset
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.source import dataset_of
from trustscope.scenarios.survey.model import Model
from trustscope.scenarios.survey.population import population
from trustscope.scenarios.survey.scenario import SurveyScenario


def fetch(scenario: SurveyScenario, own: Dataset | None = None) -> Dataset:
    """The data."""
    return dataset_of(scenario, own)


def load(data: Dataset, scenario: SurveyScenario) -> Model:
    """People whose class is what the scenario names; Unusable where there is nothing to learn."""
    named = scenario.data.label if scenario.data.label in data.categorical else ""
    label = named or data.label or next(iter(data.categorical), None)
    if label is None:
        raise Unusable(
            "There is nobody to ask here.",
            "These data have no column with categories, so there is no class to learn. Choose others.",
        )
    try:
        return Model(population(data.complete().dataset, label, scenario.data.value or None))
    except ValueError as problem:
        raise Unusable("There is nobody to ask here.", str(problem)) from problem
