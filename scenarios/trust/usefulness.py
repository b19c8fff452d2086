"""What an honest analyst gets from a copy: means, totals, quantiles, correlations, slopes, beside the true ones."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from trustscope.engine import utility
from trustscope.engine.arrays import Floats
from trustscope.scenarios.trust.noise import ModelWithNoise, Noise
from trustscope.scenarios.trust.result import Statistic, Usefulness
from trustscope.scenarios.trust.scenario import LEVELS, Settings

CLASSIFIED = 20_000  # rows handed over; the classifiers take a fair sample of at most 5 000 of them
Measured = Callable[[Floats], float]  # one figure of a table
QUANTILES = {"lowest tenth": 0.1, "median": 0.5, "highest tenth": 0.9}


def usefulness(
    noise: Noise, settings: Settings, attribute: int, rows: int, held: dict[int, np.ndarray] | None = None
) -> Usefulness:
    """The statistics of one attribute, of the original and of every copy, on the first rows.

    `held` are the copies of these rows by number, where they are there already.
    """
    people = noise.population
    truth = people.values[:rows]
    if held is None:
        everybody = settings.recipients
        held = {r.number: noise.copy(r, settings.scheme, 0, rows, among=everybody) for r in everybody}
    own_shape = noise.similarity == 1
    found = [
        _statistic("mean", truth, held, lambda x: x[:, attribute].mean(), kept=True),
        _statistic("total", truth, held, lambda x: x[:, attribute].sum(), kept=True),
        _statistic("standard deviation", truth, held, lambda x: x[:, attribute].std(ddof=1), kept=False),
    ]
    # The levels are public, so that an analyst takes the noise off the variance again.
    unit = noise.shape[attribute, attribute]
    correct = {
        r.number: _without_noise(held[r.number][:, attribute], LEVELS[r.trust] * unit) for r in settings.recipients
    }
    found.append(Statistic("standard deviation, corrected for the noise", found[-1].true, correct, kept=True))
    places = list(QUANTILES.values())  # all at once: the values are put in order once
    true = np.quantile(truth[:, attribute], places)
    copies = {number: np.quantile(copy[:, attribute], places) for number, copy in held.items()}
    for i, name in enumerate(QUANTILES):
        found.append(Statistic(name, float(true[i]), {n: float(q[i]) for n, q in copies.items()}, kept=False))
    for other in [i for i in range(people.columns) if i != attribute][:3]:
        if people.sd[attribute] > 0 and people.sd[other] > 0:
            name = people.names[other]
            found.append(_statistic(f"correlation with {name}", truth, held, _correlation(attribute, other), own_shape))
            found.append(_statistic(f"slope on {name}", truth, held, _slope(attribute, other), own_shape))
    return Usefulness(tuple(found), rows)


def accuracies(
    model: ModelWithNoise, settings: Settings, labels: np.ndarray, *,
    progress: Callable[[int, int, str], None] | None = None, cancelled: Callable[[], bool] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """How well classifiers predict a column from the original and from every copy, as far as it was not called off.

    Parameters
    ----------
    model : Model
    settings : Settings
    labels : array, (rows,)
        The column, in the order of the data.
    progress, cancelled : as those of `engine.utility.compare`
    """
    people, noise, rows = model.population, model.noise(settings.similarity), min(CLASSIFIED, model.rows)
    copies = {
        f"{r.name}'s copy": noise.copy(r, settings.scheme, 0, rows, among=settings.recipients)
        for r in settings.recipients
    }
    wanted = labels[people.order[:rows]]
    try:
        table = utility.compare(
            people.values[:rows], copies, wanted, key=model.seed, progress=progress, cancelled=cancelled
        )
    except utility.Cancelled as stopped:
        table = stopped.result
    return table.assign(chance=pd.Series(labels).value_counts(normalize=True).max())


def _statistic(name: str, truth: Floats, held: dict[int, Floats], measure: Measured, kept: bool) -> Statistic:
    return Statistic(name, float(measure(truth)), {n: float(measure(copy)) for n, copy in held.items()}, kept)


def _without_noise(values: np.ndarray, variance: float) -> float:
    return float(np.sqrt(max(values.var(ddof=1) - variance, 0.0)))


def _correlation(a: int, b: int) -> Measured:
    return lambda x: np.corrcoef(x[:, a], x[:, b])[0, 1]


def _slope(a: int, b: int) -> Measured:
    """Of a straight line through the values of attribute a, over those of b."""

    def measure(x: Floats) -> float:
        covariance = np.cov(x[:, b], x[:, a])
        found: float = covariance[0, 1] / covariance[0, 0]
        return found

    return measure
