"""Closed forms of the Trust page for many levels at once: what a map, a curve, or the track of a slider is made of.

Whatever copies a coalition holds, they act as one copy of a certain level
(`engine.attacks.combining.effective_levels`); error and hits follow from it.
"""

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.measures import normal_breach
from trustscope.scenarios.trust.judge import STRONGEST, judged
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.noise import Noise, OtherShape
from trustscope.scenarios.trust.scenario import Settings
from trustscope.scenarios.value import not_none

QUANTILES = 64  # values of one attribute that stand for all, where a figure is wanted at very many levels
ROWS = 128  # the same for noise of another shape, where whole records matter
SOME = 64  # levels that are handled at a time, so that little room is needed


def judged_errors(model: Model, settings: Settings, levels: ArrayLike) -> Floats:
    """Normalised error of who judges the page, from copies of these levels: of the strongest attacker, if it is ticked
    and its curve stands, otherwise of the best linear guess."""
    if STRONGEST in settings.attackers:
        found = judged(model, settings, wait=False).error_at(levels)
        if found is not None:
            return found
    return errors(model.noise(settings.similarity), levels)


def judged_hits(model: Model, settings: Settings, levels: ArrayLike, attribute: int, eps: ArrayLike) -> Floats:
    """The same for the share of one attribute's values guessed to within `eps`, which broadcasts."""
    if STRONGEST not in settings.attackers:
        return hits(model.noise(settings.similarity), levels, attribute, eps)
    curve = judged(model, settings, wait=False).hits
    s, bound = np.broadcast_arrays(np.asarray(levels, dtype=float), np.asarray(eps, dtype=float))
    found = np.empty(s.shape)
    for one in np.unique(bound):
        found[bound == one] = not_none(curve).hits_at(s[bound == one], float(one))
    return found


def errors(noise: Noise, levels: ArrayLike) -> Floats:
    """Expected normalised error of the best linear guess from copies of these levels, (...)."""
    s = np.asarray(levels, dtype=float)
    if isinstance(noise, OtherShape):
        return noise.joint.errors(s) @ noise.population.weights
    return np.where(np.isinf(s), 1.0, s / (1 + np.where(np.isinf(s), 0.0, s)))


def learnt(noise: Noise, levels: ArrayLike, rows: ArrayLike) -> Floats:
    """The same for whoever learns the mean from so many rows of the copies: arrays that broadcast."""
    s, n = np.broadcast_arrays(np.asarray(levels, dtype=float), np.asarray(rows, dtype=float))
    found: Floats
    perfect = errors(noise, s)
    if not isinstance(noise, OtherShape):
        found = np.minimum(perfect + perfect**2 / (n * np.maximum(1 - perfect, 1e-300)), 1.0)
        return found
    different, place = np.unique(s, return_inverse=True)
    excess = np.array([noise.joint.mean_excess(one, 1) @ noise.population.weights for one in different])
    found = np.minimum(perfect + excess[place].reshape(s.shape) / n, 1.0)
    return found


def hits(noise: Noise, levels: ArrayLike, attribute: int, eps: ArrayLike) -> Floats:
    """Expected share of one attribute's values guessed to within `eps` by the best linear guess, (...).

    As `Noise.breach`, but for fewer values that stand for all, and for many levels at once. `eps` broadcasts.
    """
    s, bound = np.broadcast_arrays(np.asarray(levels, dtype=float), np.asarray(eps, dtype=float))
    flat, bounds = s.ravel(), bound.ravel()
    found = np.empty(flat.shape)
    for start in range(0, len(flat), SOME):
        part = slice(start, start + SOME)
        bias, variance = _bias_and_variance(noise, flat[part], attribute)
        found[part] = normal_breach(bias, np.maximum(variance, 0.0), bounds[part])
    return found.reshape(s.shape)


def _bias_and_variance(noise: Noise, levels: Floats, attribute: int) -> tuple[Floats, Floats]:
    """Of the guess of one attribute: (records, L) and (L,)."""
    people = noise.population
    finite = np.where(np.isinf(levels), 1e300, levels)
    if isinstance(noise, OtherShape):
        return noise.joint.bias_and_variance(
            people.records(attribute, ROWS), people.mean, attribute, np.minimum(finite, 1e12)
        )
    shrink = 1 / (1 + finite)
    values = people.quantiles(attribute, QUANTILES) - people.mean[attribute]
    return -np.outer(values, 1 - shrink), shrink**2 * np.minimum(finite, 1e200) * noise.shape[attribute, attribute]
