"""Who is exposed on the Trust page: the risks of single people, and what makes them stand out."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.attacks.optimal import Exposure, Reidentified
from trustscope.scenarios.trust.judge import ModelWithJudge
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.scenario import Settings
from trustscope.scenarios.value import not_none

BINS = 20  # of the histogram of risks
TOLD = 3  # values of the most exposed people that are told of
FAR = 3.0  # standard deviations from the average that are called far out
HIGH = 0.5  # risks above which somebody counts as recognised more often than not


@dataclass(frozen=True)
class Outstanding:
    """A value that gives away whoever has it.

    Attributes
    ----------
    value, risk : float, float
    people : int
        Who have just this value.
    gap : float
        To the nearest other value; infinite where there is none.
    away : float
        From the average, in standard deviations.
    """

    value: float
    risk: float
    people: int
    gap: float
    away: float


@dataclass(frozen=True)
class Exposed:
    """Who is exposed with all copies.

    Attributes
    ----------
    edges, common, others : numpy.ndarray
        The histogram of risks: of people whose value is common, and of all others, as shares of all.
    exposure : Exposure
    uncommon : float
        Average risk of those whose value is not common; nan where everybody has a common one.
    values : tuple of Outstanding
        The most exposed first.
    found : Reidentified
    """

    edges: np.ndarray
    common: np.ndarray
    others: np.ndarray
    exposure: Exposure
    uncommon: float
    values: tuple[Outstanding, ...]
    found: Reidentified


def exposed(model: ModelWithJudge, settings: Settings, level: float) -> Exposed | None:
    """Who is exposed with copies of this level; None where there is no noise: then everybody is."""
    if not level > 0 or not np.isfinite(level):
        return None
    judge, people = model.judge, model.population
    question = judge.question(settings)
    seen = judge.exposed(question, level, not_none(settings.eps))
    edges = np.linspace(0, 1, BINS + 1)
    common, others = (
        np.histogram(seen.risks[some], edges, weights=seen.weights[some])[0] for some in (seen.common, ~seen.common)
    )
    rare = seen.weights[~seen.common].sum()
    uncommon = float(seen.weights[~seen.common] @ seen.risks[~seen.common] / rare) if rare > 0 else float("nan")
    values = _outstanding(seen, people, question.attribute)
    return Exposed(edges, common, others, seen, uncommon, values, judge.found_again(question, level))


def _outstanding(seen: Exposure, people: Population, attribute: int) -> tuple[Outstanding, ...]:
    """The values of the most exposed people whose value is not common, each told once."""
    values = people.values[:, attribute]
    mine = np.flatnonzero(~seen.common)
    order = mine[np.argsort(-seen.risks[mine], kind="stable")]
    known = people.sorted(attribute)
    told: dict[float, Outstanding] = {}
    for place in order:
        value, risk = float(values[seen.people[place]]), float(seen.risks[place])
        if risk < HIGH or len(told) == TOLD:
            break
        if value in told:
            continue
        first, beyond = np.searchsorted(known, [value, value], side="left")[0], np.searchsorted(known, value, "right")
        below = value - known[first - 1] if first else np.inf
        above = known[beyond] - value if beyond < len(known) else np.inf
        away = abs(value - people.mean[attribute]) / (people.sd[attribute] or 1.0)
        told[value] = Outstanding(value, risk, int(beyond - first), float(min(below, above)), float(away))
    return tuple(told.values())
