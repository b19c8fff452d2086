"""The copies of the Trust page in terms of differential privacy: two values that somebody must not tell apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape

import numpy as np

from trustscope import schemes
from trustscope.engine.measures import differential as dp
from trustscope.numbers import plain, share
from trustscope.scenarios.differential import ALARMS, LIMITS, UNBOUNDED, Growth, at, pooled
from trustscope.scenarios.metrics import Metric
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import Settings, TrustScenario, levels
from trustscope.scenarios.trust.threshold import threshold
from trustscope.scenarios.trust.words import Subject

STRONG = 1.0  # an epsilon that is often asked for
SHARE = "share"


@dataclass(frozen=True, eq=False)
class Differential(Growth):
    """What copies let somebody tell apart.

    Attributes
    ----------
    about : str
        What is told apart: two "values" of the attribute, the ends of its "range", or two whole rows ("row").
    low, high : float
        The two values; the ends of the attribute's range otherwise.
    distance : float
        How far the two rows lie apart in units of the noise of level 1.
    exact : bool
        Whether that is the farthest that two rows can lie apart, or a bound from above.
    alone_released : float
        The distance if the attribute were released without the other columns.
    mu : dict of str to array, (recipients,)
        By scheme, as `epsilon`.
    strong_trust : float
        The trust of a copy, from 0 to 1, with epsilon `STRONG`.
    """

    about: str
    low: float
    high: float
    distance: float
    exact: bool
    alone_released: float
    mu: dict[str, np.ndarray]
    strong_trust: float


def differential(model: Model, scenario: TrustScenario) -> Differential | None:
    """In terms of differential privacy; None where nobody pools."""
    settings, view = scenario.settings, scenario.view.differential
    if not settings.coalition:
        return None
    order = tuple(sorted(settings.coalition, key=lambda r: -r.trust))
    low, high = between(model, scenario)
    distance, exact = _distance(model, scenario, high - low)
    compared, delta = _schemes(settings), 10.0**-view.delta
    mu = np.array([dp.growing_mu(levels(order), scheme, distance) for scheme in compared])
    epsilon = np.asarray(dp.epsilon_of_delta(mu, delta))
    alone, together = (np.asarray(dp.misses(one, ALARMS)) for one in (mu[-1, 0], mu[:, [-1]]))
    misses = {"alone": alone} | dict(zip(compared, together, strict=True))
    column = model.population.index(settings.attribute)
    return Differential(
        order, dict(zip(compared, epsilon, strict=True)), misses, view.delta, view.about, low, high, distance, exact,
        float(_distances(model, settings).alone(column, high - low)), dict(zip(compared, mu, strict=True)),
        float(1 / (1 + dp.level_for_mu(distance, _strong(delta)))),
    )  # fmt: skip


@lru_cache(maxsize=32)
def _strong(delta: float) -> float:
    return float(dp.mu_for_epsilon(STRONG, delta))


def _schemes(settings: Settings) -> tuple[str, str]:
    """Nested copies beside those of the scheme at work, or beside the independent ones."""
    return settings.beside_nested, "nested"


def ends(model: Model, attribute: int) -> tuple[float, float]:
    """The smallest and the largest value of a column."""
    column = model.population.values[:, attribute]
    return model.distances(("ends", attribute), lambda: (float(column.min()), float(column.max())))


def widest(model: Model, attribute: int) -> float:
    """The distance of the ends."""
    low, high = ends(model, attribute)
    return high - low


def usual(model: Model, scenario: TrustScenario) -> float:
    """Two values that are worth asking about: twice as far apart as a hit may be."""
    attribute = scenario.settings.attribute
    scale = threshold(model.population, attribute, "absolute")
    return min(2 * scale.usual, widest(model, model.population.index(attribute)))


def between(model: Model, scenario: TrustScenario) -> tuple[float, float]:
    """The two values: around the median, where most people are, and within the range."""
    settings, view, people = scenario.settings, scenario.view.differential, model.population
    attribute = people.index(settings.attribute)
    low, high = ends(model, attribute)
    if view.about != "values":
        return low, high
    apart = min(usual(model, scenario) if view.apart is None else view.apart, high - low)
    middle = float(people.sorted(attribute)[people.rows // 2])
    if np.isclose(middle, round(middle)) and np.isclose(apart, round(apart)):
        start = middle - apart // 2
    else:
        start = middle - apart / 2
    start = min(max(start, low), high - apart)
    return start, start + apart


def _distances(model: Model, settings: Settings) -> dp.Distances:
    noise = model.noise(settings.similarity)
    return model.distances(("distances", noise.similarity), lambda: dp.Distances(noise.shape))


def _distance(model: Model, scenario: TrustScenario, apart: float) -> tuple[float, bool]:
    settings, people = scenario.settings, model.population
    distances = _distances(model, settings)
    if scenario.view.differential.about != "row":
        return float(distances.within_row(people.index(settings.attribute), apart)), True
    widths = np.array([widest(model, column) for column in range(people.columns)])
    key = ("box", model.noise(settings.similarity).similarity)
    return model.distances(key, lambda: distances.box(widths))


# In words


def question_in_words(told: Differential, subject: Subject) -> str:
    """What must not be told apart, as a question of HTML."""
    what, unit = escape(subject.attribute), escape(subject.unit)
    ends = f"{plain(told.low)} and {plain(told.high)} {unit}".strip()
    if told.about == "row":
        return "Any two rows whose values lie within the ranges of this table."
    more = " (the whole range of this table)" if told.about == "range" else ""
    return f"Whether {what} is the one or the other of <b>{ends}</b>{more}, to whoever knows the rest of the row."


def caption(told: Differential | None, subject: Subject) -> str:
    """Above the card."""
    if told is None:
        return "Tick recipients: they put their copies together."
    bound = "" if told.exact else " With so many columns this is a bound from above."
    return f"{question_in_words(told, subject)} {pooled(told, 'their noise is')}{bound}"


def notes(told: Differential | None, subject: Subject) -> tuple[str, ...]:
    """Below the card: what else follows, and what it does not say."""
    if told is None:
        return LIMITS
    mu = {name: float(told.mu[name][-1]) for name in ("nested", told.rival)}
    together = ", ".join(f"{plain(one)} if {schemes.adjective(name)}" for name, one in mu.items())
    rho = " and ".join(plain(float(dp.rho_of_mu(one))) for one in mu.values())
    also = f"Gaussian μ: {plain(mu['nested'])} alone; together {together}. Zero-concentrated ρ = μ²/2: {rho}."
    if len(told.order) == 1:
        also = f"Gaussian μ: {plain(mu['nested'])}. Zero-concentrated ρ = μ²/2: {rho.partition(' and ')[0]}."
    strong = f"A copy with ε = 1{at(told.delta)} could have a trust of {share(told.strong_trust)} at most."
    bare = (
        f"If {subject.attribute} were released without the other columns, μ would be "
        f"{plain(float(dp.mu_of_coalition(levels(told.order[:1]), 'nested', told.alone_released)))} alone: "
        "who knows the other values knows part of the noise."
    )
    shown = told.about != "row" and told.alone_released < 0.995 * told.distance
    first = (also, strong, *((bare,) if shown else ()))
    return (*first, *LIMITS, *(() if told.about == "values" else (UNBOUNDED,)))


def figures(model: Model, scenario: TrustScenario) -> Iterator[Metric]:
    """All of it by name."""
    told = differential(model, scenario)
    if told is None:
        return
    yield Metric("differential.low", "the lower one of two values that are told apart", told.low)
    yield Metric("differential.high", "the higher one of two values that are told apart", told.high)
    yield Metric("differential.delta", "delta", 10.0**-told.delta)
    for name, scheme, place in (("alone", "nested", 0), *((scheme, scheme, -1) for scheme in told.mu)):
        who = "the best copy alone" if name == "alone" else f"all who pool, {schemes.adjective(name)} noise"
        mu = float(told.mu[scheme][place])
        yield Metric(f"differential.mu.{name}", f"Gaussian differential privacy of {who}", mu)
        yield Metric(f"differential.rho.{name}", f"zero-concentrated privacy of {who}", float(dp.rho_of_mu(mu)))
        epsilon = float(told.epsilon[scheme][place])
        yield Metric(f"differential.epsilon.{name}", f"epsilon of {who}", epsilon)
        finds = 1 - float(dp.misses(mu, 0.05))
        yield Metric(f"differential.finds.{name}", f"found with one false alarm in 20 by {who}", finds, SHARE)
    yield Metric("differential.strong", "trust of a copy with epsilon 1", told.strong_trust, SHARE)
