"""The map of the Rotation page: what is recovered, by how close a guess must come and by what the attacker has.

The second parameter is that of the story: records that the insider knows, records of the competitor's sample, columns
of the projection. Every value of it is an attack of its own; how close a guess must come is then soon tried.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from trustscope.scenarios.grid import Axis, Grid, MapFigure, along, pair
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.scenario import CLOSEST, FURTHEST, RotationScenario
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, share

CLOSE = tuple(np.round(np.linspace(CLOSEST, FURTHEST, 24), 3).tolist())
FIGURES = {
    "recovered": MapFigure("recovered", "what is recovered", measured=True),
    "exposed": MapFigure("the most exposed", "what is recovered of the most exposed record", measured=True),
}
PARAMETERS = {"known": "known", "sample": "sample", "remedy": "dimensions"}  # by story
NAMES = {
    "eps": "closeness of a guess",
    "known": "known records",
    "sample": "records in the sample",
    "dimensions": "released columns",
}


def offered(scenario: RotationScenario) -> tuple[list[str], list[str]]:
    """The figures and the parameters of a story; none where it has no attacker."""
    story = scenario.view.story
    if story not in PARAMETERS:
        return [], []
    return ["recovered", *(["exposed"] if story == "known" else [])], ["eps", PARAMETERS[story]]


def figure_of(scenario: RotationScenario) -> str:
    """The figure that is drawn."""
    return scenario.view.map.figure if scenario.view.map.figure in offered(scenario)[0] else "recovered"


def grid(model: Model, scenario: RotationScenario, limit: float | None = None) -> Iterator[Grid]:
    """The map, attack by attack; `limit` is where the line of a requirement is drawn."""
    view = scenario.view.map
    _, axes = offered(scenario)
    across, upwards = (axis(model, scenario, key) for key in pair(view.across, view.upwards, axes))
    figure = figure_of(scenario)
    values = np.full((len(upwards.values), len(across.values)), np.nan)
    table = values if across.key == "eps" else values.T  # a view: attacks by closeness
    attacks = upwards if across.key == "eps" else across
    for place, value in enumerate(attacks.values):
        yield Grid(FIGURES[figure], across, upwards, values.copy(), place, len(attacks.values), limit=limit)
        table[place] = [_figure(model, scenario, figure, attacks.key, value, eps) for eps in CLOSE]
    yield Grid(FIGURES[figure], across, upwards, values.copy(), len(attacks.values), len(attacks.values), limit=limit)


def _figure(model: Model, scenario: RotationScenario, figure: str, key: str, value: int, eps: float) -> float:
    settings = scenario.settings.replace({"eps": eps})
    if key == "known":
        places = model.known.order(scenario)[:value]
        return model.known.recovered(places, settings)[figure == "exposed"]
    story = model.sample if key == "sample" else model.remedy
    return story.recovered(settings, value)


def placed(model: Model, scenario: RotationScenario, values: dict[str, Any]) -> RotationScenario:
    """The scenario with these values of parameters."""
    changes = {f"settings.{key}": values[key] for key in ("eps", "sample", "dimensions") if key in values}
    if "known" in values:
        order = model.order(scenario.settings)
        changes |= {"settings.known": order[: values["known"]], "settings.then": order[values["known"] :]}
    found = scenario.replace(changes)
    block = min(found.settings.block, model.sample.samples(not_none(found.settings.sample)))
    return found.replace({"settings.block": block})


def axis(model: Model, scenario: RotationScenario, key: str) -> Axis:
    """One parameter with its values."""
    settings = scenario.settings
    if key == "eps":
        return along(key, NAMES[key], CLOSE, share, settings.eps)
    if key == "known":
        return along(key, NAMES[key], range(len(model.order(settings)) + 1), str, len(not_none(settings.known)))
    if key == "sample":
        return along(key, NAMES[key], model.sample.sizes(), count, settings.sample)
    return along(key, NAMES[key], model.remedy.lengths(), count, settings.dimensions)
