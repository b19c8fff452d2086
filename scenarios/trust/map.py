"""The map of the Trust page: a figure in closed form over two of its parameters, many cells at once."""

from typing import Any

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.combining import effective_levels
from trustscope.scenarios.coalition import MOST
from trustscope.scenarios.grid import Axis, Grid, MapFigure, along, pair
from trustscope.scenarios.moving import moved_to, moved_trusts, pivot
from trustscope.scenarios.trust import closed
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import LEVELS, SAMPLES, TrustScenario
from trustscope.scenarios.trust.threshold import threshold
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, plain

TRUSTS = tuple(np.unique(np.linspace(1, 99, 40).round().astype(int)).tolist())
SHAPES = tuple(np.round(np.linspace(-1, 1, 21), 1).tolist())
FIGURES = {
    "explained": MapFigure("variance explained", "variance of the data that the coalition explains"),
    "hits": MapFigure("hits", "values that the coalition guesses"),
    "gain": MapFigure("gain by pooling", "values guessed beyond what the best copy alone gives"),
    "learnt": MapFigure("explained, mean learnt", "variance explained by who learns the mean from a sample"),
}
NAMES = {
    "trust": "trust of the best",
    "recipients": "recipients who pool",
    "similarity": "likeness of noise to data",
    "eps": "closeness of a guess",
    "sample": "rows learnt from",
}
# Whose guess it is.
BY = {
    True: "All of it is by the best guess of somebody who knows other people's records.",
    False: "All of it is by the best linear guess of somebody who knows the statistics.",
}
BY_LEARNING = "All of it is by the best linear guess of somebody who learns the mean from a sample and knows the rest."
NEEDS = {"hits": ("eps",), "gain": ("eps",), "learnt": ("sample",), "explained": ()}


def offered(model: Model, scenario: TrustScenario) -> tuple[list[str], list[str]]:
    """The figures and the parameters that there are here."""
    one = scenario.settings.kind == "absolute"  # hits have a closed form for one attribute only
    known = [key for key in FIGURES if one or key not in ("hits", "gain")]
    figure = figure_of(scenario)
    axes = ["trust", "recipients"] + (["similarity"] if model.population.columns > 1 else []) + [*NEEDS[figure]]
    return known, axes


def figure_of(scenario: TrustScenario) -> str:
    """The figure that is drawn."""
    wanted = scenario.view.map.figure
    return "explained" if wanted in ("hits", "gain") and scenario.settings.kind != "absolute" else wanted


def grid(model: Model, scenario: TrustScenario, limit: float | None = None) -> Grid:
    """The map; `limit` is where the line of a requirement is drawn."""
    _, axes = offered(model, scenario)
    keys = pair(scenario.view.map.across, scenario.view.map.upwards, axes)
    across, upwards = (axis(model, scenario, key) for key in keys)
    figure = figure_of(scenario)
    found = values(model, scenario, figure, across, upwards)
    note = BY_LEARNING if figure == "learnt" else BY["strongest" in scenario.settings.attackers]
    return Grid(FIGURES[figure], across, upwards, found, note=note, limit=limit)


def placed(scenario: TrustScenario, values: dict[str, Any]) -> TrustScenario:
    """The scenario with these values of parameters."""
    who = moved_to(scenario.settings.recipients, values)
    others = {f"settings.{key}": values[key] for key in ("similarity", "eps", "sample") if key in values}
    return scenario.replace({"settings.recipients": who} | others)


def axis(model: Model, scenario: TrustScenario, key: str) -> Axis:
    """One parameter with its values."""
    settings, people = scenario.settings, model.population
    name = NAMES[key]
    if key == "trust":
        first = pivot(settings.recipients)
        return along(key, name, TRUSTS, lambda t: f"{t} %", None if first is None else first.trust)
    if key == "recipients":
        return along(key, name, range(1, MOST + 1), str, len(settings.coalition) or None)
    if key == "similarity":
        return along(key, name, SHAPES, lambda one: f"{one:.1f}".replace("-", "−"), settings.similarity)
    if key == "eps":
        scale = threshold(people, settings.attribute, "absolute")
        steps = [float(n * scale.step) for n in range(1, round(scale.end / scale.step) + 1)]
        unit = people.unit_names.get(settings.attribute, "")
        return along(key, f"{name}{f' ({unit})' if unit else ''}", steps, plain, settings.eps)
    sizes = [n for n in SAMPLES if n <= people.rows] or [people.rows]
    return along(key, name, sizes, count, settings.sample)


def values(model: Model, scenario: TrustScenario, figure: str, across: Axis, upwards: Axis) -> Floats:
    """The figure in every cell, (rows, columns)."""
    shape = (len(upwards.values), len(across.values))
    parts = {across.key: np.broadcast_to(np.array(across.values), shape),
             upwards.key: np.broadcast_to(np.array(upwards.values)[:, None], shape)}  # fmt: skip
    held = _held(scenario, parts, shape)
    level, alone = effective_levels(held, scenario.settings.scheme), held.min(axis=-1)
    shapes = parts.get("similarity", np.full(shape, scenario.settings.similarity))
    found = np.empty(shape)
    for similarity in np.unique(shapes):
        where = shapes == similarity
        some = {key: part[where] for key, part in parts.items()}
        found[where] = _figure(model, scenario, figure, float(similarity), level[where], alone[where], some)
    return found


def _held(scenario: TrustScenario, parts: dict[str, np.ndarray], shape: tuple[int, int]) -> Floats:
    """The levels that the coalition holds in every cell, (rows, columns, most recipients); infinite: nobody."""
    who = scenario.settings.recipients
    members = [r.member for r in who]
    if "recipients" in parts and not any(members):
        members = [True] * len(who)
    trusts = np.unique(parts["trust"]) if "trust" in parts else None
    moved = np.array([[r.trust for r in who]]) if trusts is None else moved_trusts(who, trusts).astype(int)
    moved = -np.sort(-moved[:, members], axis=1)
    table = np.array([np.inf, *(LEVELS[t] for t in range(1, 101))])
    rows = np.zeros(shape, dtype=int) if trusts is None else np.searchsorted(trusts, parts["trust"])
    if not moved.shape[1]:
        return np.full((*shape, 1), np.inf)
    if "recipients" not in parts:
        held: Floats = table[moved][rows]
        return held
    seats = np.arange(MOST)
    cycled = table[moved[:, seats % moved.shape[1]]][rows]
    return np.where(seats < parts["recipients"][..., None], cycled, np.inf)


def _figure(
    model: Model,
    scenario: TrustScenario,
    figure: str,
    similarity: float,
    level: Floats,
    alone: Floats,
    parts: dict[str, np.ndarray],
) -> Floats:
    """One figure of cells that share their noise's shape."""
    settings = scenario.settings.replace({"similarity": similarity})
    if figure == "explained":
        return 1 - closed.judged_errors(model, settings, level)
    if figure == "learnt":
        rows = np.minimum(parts.get("sample", settings.sample), model.rows)
        return 1 - closed.learnt(model.noise(similarity), level, rows)
    attribute = model.population.index(settings.attribute)
    eps = np.broadcast_to(parts["eps"] if "eps" in parts else not_none(settings.eps), level.shape).astype(float)
    different, place = np.unique(eps, return_inverse=True)
    rates = np.array([model.constants.best(attribute, float(one), "absolute").rate for one in different])
    without = rates[place].reshape(level.shape)
    together: Floats = np.maximum(without, closed.judged_hits(model, settings, level, attribute, eps))
    if figure == "hits":
        return together
    gain: Floats = together - np.maximum(without, closed.judged_hits(model, settings, alone, attribute, eps))
    return np.maximum(gain, 0.0, out=gain)
