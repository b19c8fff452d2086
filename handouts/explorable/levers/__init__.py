"""What can be moved on each page: a module for each, with `levers(scenario, model)`, and `ASKED`, the question."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from trustscope.handouts.explorable.lever import MOST_LEVERS, MOST_POSITIONS, Lever, thinned
from trustscope.handouts.explorable.levers.common import usual
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import Scenario

PAGES = ("trust", "categories")


def offered(scenario: Scenario, model: Any) -> dict[str, Lever]:
    """All levers of a page, for a scenario that fits its data, by their keys."""
    if scenario.page not in PAGES:
        raise ScenarioProblem(f"An explorable is of the page {' or '.join(PAGES)}, not of {scenario.page}.")
    found = import_module(f"{__name__}.{scenario.page}").levers(scenario, model)
    return {lever.key: lever for lever in found if len(lever.positions) > 1}


def question_of(page: str) -> str:
    """The question that an explorable of a page answers, wherever its levers stand."""
    return import_module(f"{__name__}.{page}").ASKED


def chosen(scenario: Scenario, model: Any, wanted: Sequence[str] = (), most: int = MOST_POSITIONS) -> tuple[Lever, ...]:
    """The levers of these keys, or those that are usual.

    Parameters
    ----------
    wanted : sequence of str
        Keys, each perhaps with the positions that it is to have: "scheme", "trust:Press=10,30,50".
    most : int
        Positions of all levers together.

    Raises
    ------
    ScenarioProblem
    """
    every = offered(scenario, model)
    keys = wanted or usual(scenario, every)
    if len(keys) > MOST_LEVERS:
        raise ScenarioProblem(f"A reader moves at most {MOST_LEVERS} controls, not {len(keys)}.")
    found: list[Lever] = []
    for asked in keys:
        key, _, values = asked.partition("=")
        if key not in every:
            raise ScenarioProblem(f"There is no control called {key!r}; there are {', '.join(every)}.")
        if any(one.key == key for one in found):
            raise ScenarioProblem(f"The control {key!r} is named twice.")
        found.append(every[key].only(values.split(",")) if values else every[key])
    return thinned(found, most)
