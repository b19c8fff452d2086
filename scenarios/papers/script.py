"""The Papers page as Python: the experiment that is open, run again."""

from trustscope.datasets import Dataset
from trustscope.scenarios.code import Cell, filled
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.problem import ScenarioProblem

RUN = """
from {module} import {function}

table = {function}({values})
print(table.to_string())
"""
NONE = "Open an experiment first: the gallery of all has no script. `trustscope reproduce` runs them all."


def cells(scenario: PapersScenario, own: Dataset | None = None) -> tuple[list[Cell], PapersScenario]:
    """The cells, and the scenario that fits the experiment."""
    fitted = scenario.fit_to_experiment()
    experiment = fitted.experiment
    if experiment is None:
        raise ScenarioProblem(NONE)
    values = dict(fitted.settings.values) | ({"key": fitted.seed} if "key" in experiment.takes else {})
    given = ", ".join(f"{name}={value!r}" for name, value in values.items())
    function = experiment.function
    code = RUN.replace("{module}", function.__module__).replace("{function}", function.__name__)
    return [Cell(f"{experiment.title} ({experiment.where}).", filled(code.replace("{values}", given)))], fitted
