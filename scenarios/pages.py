"""The pages by name, and where their parts are; nothing of a page is imported before it is asked for."""

from importlib import import_module
from types import ModuleType
from typing import Any

from trustscope.scenarios.base import BaseScenario
from trustscope.scenarios.problem import ScenarioProblem

_KINDS = {
    "trust": "TrustScenario",
    "categories": "CategoriesScenario",
    "rotation": "RotationScenario",
    "survey": "SurveyScenario",
    "papers": "PapersScenario",
    "release": "ReleaseScenario",
}
NAMES = tuple(_KINDS)
LEDGER = (
    "The figures of a release are those of its ledger, which a scenario only names: "
    "`trustscope release --help` shows how to list and check them."
)


def kind_of(name: object) -> type[Any]:
    """The kind of scenario that a page has."""
    if not isinstance(name, str) or name not in _KINDS:
        shown = name[:40] if isinstance(name, str) else type(name).__name__
        raise ScenarioProblem(f"There is no page called {shown!r}; a scenario is of one of {', '.join(NAMES)}.")
    kind: type[Any] = getattr(import_module(f"trustscope.scenarios.{name}.scenario"), _KINDS[name])
    return kind


def loading_of(page: str) -> ModuleType:
    """The module that gets a page's data and a model of them: `fetch(scenario, own)` and `load(data, scenario)`."""
    return import_module(f"trustscope.scenarios.{page}.loading")


def work_of(scenario: BaseScenario) -> ModuleType:
    """The module that works out a page's figures: `whole(scenario, own)`, `metrics_of(whole)`, and
    `figures_alone(scenario, own)` where tables take long."""
    if scenario.page == "release":
        raise ScenarioProblem(LEDGER)
    return import_module(f"trustscope.scenarios.{scenario.page}.metrics")
