"""The copies of the Categories page in terms of differential privacy: any two values of the sensitive column."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from trustscope.engine.measures import losses as dp
from trustscope.numbers import share
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.scenario import SCHEMES, CategoriesScenario, retentions
from trustscope.scenarios.differential import ALARMS, LIMITS, Growth, pooled
from trustscope.scenarios.metrics import SHARE, Metric

STRONG = 1.0  # an epsilon that is often asked for


@dataclass(frozen=True, eq=False)
class Differential(Growth):
    """What copies let somebody tell apart.

    Attributes
    ----------
    size : int
        Of the domain.
    strong_retention : float
        The retention probability of a copy with epsilon `STRONG`.
    """

    size: int
    strong_retention: float


def differential(model: Model, scenario: CategoriesScenario) -> Differential | None:
    """In terms of differential privacy; None where nobody pools."""
    settings, power = scenario.settings, scenario.view.differential.delta
    if not settings.coalition:
        return None
    order = tuple(sorted(settings.coalition, key=lambda r: -r.trust))
    ps = retentions(order)
    misses = {"alone": np.asarray(_law(model, ps[:1], "nested").misses(ALARMS))}
    misses |= {scheme: np.asarray(_law(model, ps, scheme).misses(ALARMS)) for scheme in SCHEMES}
    epsilon = {scheme: _growing(model, ps, scheme, power) for scheme in SCHEMES}
    return Differential(order, epsilon, misses, power, model.size, float(dp.retention_for_epsilon(STRONG, model.size)))


def _growing(model: Model, ps: list[float], scheme: str, power: int) -> np.ndarray:
    """epsilon of the first copy, of the first two, and so on; with a delta the whole law counts."""
    if not power:
        return dp.growing_epsilon(ps, model.size, scheme)
    laws = [_law(model, ps[: place + 1], scheme) for place in range(len(ps))]
    return np.array([law.epsilon_of_delta(10.0**-power) for law in laws])


def _law(model: Model, ps: Sequence[float], scheme: str) -> dp.Losses:
    key = ("losses", tuple(ps), scheme)
    return model.losses(key, lambda: dp.losses(ps, model.size, scheme))


# In words


def caption(told: Differential | None, column: str) -> str:
    """Above the card."""
    if told is None:
        return "Tick recipients: they put their copies together."
    what = f"Which of any two of the {told.size} values of {escape(column)} somebody has."
    return f"{what} {pooled(told, 'their copies are')}"


def notes(told: Differential | None) -> tuple[str, ...]:
    """Below the card: what else follows, and what it does not say."""
    if told is None:
        return LIMITS
    strong = (
        f"A copy with ε = 1 and no δ could have a trust of {share(told.strong_retention)} at most: ε of one copy is "
        f"ln(1 + {told.size} p / (1 − p)), with p the probability that a value is kept."
    )
    adds = "Copies that are drawn on their own add up their ε; nested ones are made from the best one alone."
    return (strong, adds, *LIMITS)


def figures(model: Model, scenario: CategoriesScenario) -> Iterator[Metric]:
    """All of it by name."""
    told = differential(model, scenario)
    if told is None:
        return
    yield Metric("differential.delta", "delta", 10.0**-told.delta if told.delta else 0.0)
    for name, scheme, place in (("alone", "nested", 0), *((scheme, scheme, -1) for scheme in told.epsilon)):
        who = "the best copy alone" if name == "alone" else f"all who pool, {name} copies"
        yield Metric(f"differential.epsilon.{name}", f"epsilon of {who}", float(told.epsilon[scheme][place]))
        finds = 1 - float(np.interp(0.05, ALARMS, told.misses[name]))
        yield Metric(f"differential.finds.{name}", f"found with one false alarm in 20 by {who}", finds, SHARE)
    yield Metric("differential.strong", "retention of a copy with epsilon 1", told.strong_retention, SHARE)
