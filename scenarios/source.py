"""The data that a scenario names: built in, or a person's own file, which is recognised by its digest."""

from trustscope import datasets
from trustscope.datasets import DataProblem, Dataset
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.words import count

# Where a row stands for a person.
PEOPLE = {"census", "adult", "breast", "breast-original", "diabetes", "patients"}


def noun_of(data: Dataset) -> str:
    """What the rows of a dataset stand for."""
    return "people" if data.name in PEOPLE else "records"


def dataset_of(scenario: Scenario, own: Dataset | None = None) -> Dataset:
    """The data that a scenario names.

    Parameters
    ----------
    scenario : Scenario
    own : Dataset, optional
        The person's own file, where the scenario names one.

    Raises
    ------
    ScenarioProblem
        Where there is no such dataset, or the file is missing or another one.
    """
    name, file = scenario.data.name, scenario.data.file
    if name != OWN:
        try:
            return datasets.built_in(name)
        except DataProblem as problem:
            raise ScenarioProblem(str(problem)) from None
    named = "a file of a person's own" if file is None else f"the file {file.name} ({count(file.size)} bytes)"
    if own is None:
        raise ScenarioProblem(f"This scenario was made with {named}, which is not part of it: give that file as well.")
    here = own.origin
    if file is not None and file.digest != here.digest:
        raise ScenarioProblem(
            f"This scenario was made with {named}, and {here.name} ({count(here.size or 0)} bytes) is another file: "
            "give the one that it was made with."
        )
    return own
