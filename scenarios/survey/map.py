"""The map of the Survey page: a figure over two of its parameters; every place is a survey of its own."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from trustscope.scenarios.grid import Axis, Grid, MapFigure, along, pair
from trustscope.scenarios.survey.model import Model
from trustscope.scenarios.survey.moving import levels_in_words, moved, steps
from trustscope.scenarios.survey.scenario import INTERVALS, MUS, SurveyScenario
from trustscope.scenarios.survey.short import asked_in_words, outcome, outcomes, people_asked
from trustscope.scenarios.words import count

ARRIVED = (20, 50, 100, 200, 500, 1_000, 2_000)
FIGURES = {
    "accuracy": MapFigure("class found", "people whose class is found", measured=True),
    "disclosed": MapFigure("given away", "what respondents give away on average", measured=True),
    "guess": MapFigure("watched answer", "people whose watched answer is guessed", measured=True),
}
NAMES = {
    "accepted": "directions followed",
    "arrived": "respondents",
    "mu": "weakest direction",
    "update_every": "answers per guidance",
}


def grid(model: Model, scenario: SurveyScenario, limit: float | None = None) -> Iterator[Grid]:
    """The map, survey by survey; `limit` is where the line of a requirement is drawn.

    Where the number of respondents is one of the parameters, one survey gives a whole line of the map.
    """
    view = scenario.view.map
    across, upwards = (axis(scenario, key) for key in pair(view.across, view.upwards, tuple(NAMES)))
    values = np.full((len(upwards.values), len(across.values)), np.nan)
    turned = across.key == "arrived"
    outer, inner = (upwards, across) if turned else (across, upwards)
    table = values if turned else values.T  # a view: outer by inner
    done, total = 0, len(outer.values)
    note = _note(scenario, across, upwards)
    yield Grid(FIGURES[view.figure], across, upwards, values.copy(), done, total, note, limit)
    for place, value in enumerate(outer.values):
        table[place] = _line(model, scenario, {outer.key: value}, inner)
        done += 1
        yield Grid(FIGURES[view.figure], across, upwards, values.copy(), done, total, note, limit)


def _line(model: Model, scenario: SurveyScenario, fixed: dict[str, Any], inner: Axis) -> list[float]:
    figure, people = scenario.view.map.figure, model.people
    if inner.key == "arrived":
        there = placed(scenario, fixed)
        every = outcomes(people, there.settings, there.seed, tuple(inner.values))
    else:
        scenarios = [placed(scenario, fixed | {inner.key: value}) for value in inner.values]
        every = tuple(outcome(people, one.settings, one.seed, people_asked(one.view.arrived)) for one in scenarios)
    return [getattr(one, figure) for one in every]


def placed(scenario: SurveyScenario, values: dict[str, Any]) -> SurveyScenario:
    """The scenario with these values of parameters."""
    changes = {f"settings.{key}": values[key] for key in ("mu", "update_every") if key in values}
    if "accepted" in values:
        changes["settings.parts"] = moved(scenario.settings.parts, int(values["accepted"]))
    if "arrived" in values:
        changes["view.arrived"] = int(values["arrived"])
    return scenario.replace(changes)


def axis(scenario: SurveyScenario, key: str) -> Axis:
    """One parameter with its values."""
    settings = scenario.settings
    if key == "accepted":
        moves = steps(settings.parts)
        return along(key, NAMES[key], moves, lambda step: levels_in_words(moved(settings.parts, step)), 0)
    if key == "arrived":
        return along(key, NAMES[key], ARRIVED, count, scenario.view.arrived or None)
    if key == "mu":
        return along(key, NAMES[key], MUS[::2], lambda mu: f"{100 * mu:g} %", settings.mu)
    return along(key, NAMES[key], INTERVALS[::2], str, settings.update_every)


def _note(scenario: SurveyScenario, across: Axis, upwards: Axis) -> str:
    """What the labels of the map mean, and how many respondents it is measured on."""
    parts = [part.name for part in scenario.settings.parts if part.weight]
    kinds = ""
    if "accepted" in (across.key, upwards.key):
        kinds = f"Directions followed by: {' / '.join(parts)}."
    measured = "" if "arrived" in (across.key, upwards.key) else asked_in_words(scenario.view.arrived)
    return " ".join(text for text in (kinds, measured) if text)
