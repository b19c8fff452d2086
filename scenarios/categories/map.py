"""The map of the Categories page: a figure over two of its parameters, at once or trust by trust."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from trustscope.engine import measures
from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import MOST
from trustscope.scenarios.grid import Axis, Grid, MapFigure, along, pair
from trustscope.scenarios.moving import moved_to, moved_trusts, pivot

TRUSTS = tuple(np.unique(np.linspace(1, 99, 40).round().astype(int)).tolist())
BELIEFS = tuple(range(1, 41))
FIGURES = {
    "right": MapFigure("right guesses", "values that the coalition guesses", measured=True),
    "belief": MapFigure("belief in the truth", "mean belief in the true value", measured=True),
    "raised": MapFigure("a belief at worst", "what a belief can become at worst"),
    "grown": MapFigure("growth at worst", "by how much any belief can grow at worst"),
}
NAMES = {"trust": "kept by the best", "recipients": "recipients who pool", "rho1": "belief beforehand"}


def offered(scenario: CategoriesScenario) -> list[str]:
    """The parameters that there are for the chosen figure."""
    return ["trust", "recipients", *(["rho1"] if scenario.view.map.figure == "raised" else [])]


def grid(model: Model, scenario: CategoriesScenario, limit: float | None = None) -> Iterator[Grid]:
    """The map, in steps where figures must be listed or drawn; `limit` is where the line of a requirement is drawn."""
    view = scenario.view.map
    across, upwards = (axis(scenario, key) for key in pair(view.across, view.upwards, offered(scenario)))
    figure = FIGURES[view.figure]
    if not figure.measured:
        yield Grid(figure, across, upwards, _closed(model, scenario, across, upwards), limit=limit)
        return
    # Trust by trust: one of them gives all numbers of recipients.
    values = np.full((MOST, len(TRUSTS)), np.nan)
    turned = across.key != "trust"
    order = sorted(range(len(TRUSTS)), key=lambda n: (n % 4 != 0, n % 2 != 0, n))
    for done, column in enumerate(order):
        if done % 4 == 0:
            yield _grid(figure, across, upwards, values, turned, done, len(order), limit)
        values[:, column] = _measured(model, scenario, TRUSTS[column])
    yield _grid(figure, across, upwards, values, turned, len(order), len(order), limit)


def _grid(
    figure: MapFigure,
    across: Axis,
    upwards: Axis,
    values: Floats,
    turned: bool,
    done: int,
    total: int,
    limit: float | None,
) -> Grid:
    return Grid(figure, across, upwards, values.T.copy() if turned else values.copy(), done, total, limit=limit)


def placed(scenario: CategoriesScenario, values: dict[str, Any]) -> CategoriesScenario:
    """The scenario with these values of parameters."""
    who = moved_to(scenario.settings.recipients, values)
    changes: dict[str, Any] = {"settings.recipients": who}
    if "rho1" in values:
        rho1, promise = int(values["rho1"]), scenario.settings.promise
        changes["settings.promise"] = promise.replace({"rho1": rho1, "rho2": max(promise.rho2, rho1 + 1)})
    return scenario.replace(changes)


def axis(scenario: CategoriesScenario, key: str) -> Axis:
    """One parameter with its values."""
    settings = scenario.settings
    if key == "trust":
        first = pivot(settings.recipients)
        return along(key, NAMES[key], TRUSTS, lambda t: f"{t} %", None if first is None else first.trust)
    if key == "recipients":
        return along(key, NAMES[key], range(1, MOST + 1), str, len(settings.coalition) or None)
    return along(key, NAMES[key], BELIEFS, lambda b: f"{b} %", settings.promise.rho1)


def _cycled(scenario: CategoriesScenario, trusts: ArrayLike) -> np.ndarray:
    """The trusts of coalitions that grow, one row for each trust of the best, (trusts, most recipients)."""
    who = scenario.settings.recipients
    members = [r.member for r in who]
    if not any(members):
        members = [True] * len(who)
    moved = -np.sort(-moved_trusts(who, trusts)[:, members], axis=1)
    return moved[:, np.arange(MOST) % moved.shape[1]]


def _measured(model: Model, scenario: CategoriesScenario, trust: int) -> np.ndarray:
    """The figure for coalitions of every size, (most recipients,)."""
    settings = scenario.settings
    ps = (_cycled(scenario, [trust])[0] / 100).tolist()
    every = model.growing(ps, settings.scheme, settings)
    if scenario.view.map.figure == "belief":
        return np.array([min(one.belief, 1.0) for one in every])
    return np.maximum([min(one.right, 1.0) for one in every], model.without(settings).right)


def _closed(model: Model, scenario: CategoriesScenario, across: Axis, upwards: Axis) -> np.ndarray:
    """What follows from how many times odds can grow, (rows, columns)."""
    settings = scenario.settings
    shape = (len(upwards.values), len(across.values))
    parts = {across.key: np.broadcast_to(np.array(across.values), shape),
             upwards.key: np.broadcast_to(np.array(upwards.values)[:, None], shape)}  # fmt: skip
    odds = _odds(model, scenario, parts, shape)
    if scenario.view.map.figure == "raised":
        belief = parts.get("rho1", np.full(shape, settings.promise.rho1)) / 100
        finite = np.where(np.isinf(odds), 1.0, odds)
        return np.where(np.isinf(odds), 1.0, finite * belief / (1 + (finite - 1) * belief))
    root = np.sqrt(np.where(np.isinf(odds), 1.0, odds))
    return np.where(np.isinf(odds), 1.0, (root - 1) / (root + 1))


def _odds(
    model: Model, scenario: CategoriesScenario, parts: Mapping[str, Integers], shape: tuple[int, ...]
) -> np.ndarray:
    settings = scenario.settings
    first = pivot(settings.recipients)
    here = np.array([100 if first is None else first.trust])
    trusts = np.unique(parts["trust"]) if "trust" in parts else here
    held = _cycled(scenario, trusts) if trusts.max() < 100 else np.full((1, MOST), 100)
    gammas = np.asarray(measures.amplification(held / 100, model.size))
    grown = np.maximum.accumulate(gammas, axis=1) if settings.scheme == "nested" else np.cumprod(gammas, axis=1)
    rows = np.searchsorted(trusts, parts["trust"]) if "trust" in parts else np.zeros(shape, dtype=int)
    many = parts.get("recipients", np.full(shape, max(len(settings.coalition), 1)))
    return np.asarray(grown[rows, many - 1])
