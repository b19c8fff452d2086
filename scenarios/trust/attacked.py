"""What one attacker makes of a coalition's copies, row by row: the guesses behind the figures of the page."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine import measures
from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.combining import combined, combining_weights
from trustscope.scenarios.measures import measured, registered
from trustscope.scenarios.trust.judge import STRONGEST, judged
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.noise import Noise, combines, reconstructs
from trustscope.scenarios.trust.own_attackers import guesses, is_own
from trustscope.scenarios.trust.result import Attack
from trustscope.scenarios.trust.run import ATTACKED, ERROR_BINS, LEARNT
from trustscope.scenarios.trust.scenario import Settings, levels
from trustscope.scenarios.value import not_none


@dataclass(frozen=True, eq=False)
class Guesses:
    """What an attacker makes of some rows.

    Attributes
    ----------
    rows : numpy.ndarray of int, shape (n,)
        Which rows of the data they are: who learns from people does not attack those.
    estimates : numpy.ndarray, shape (n, columns)
        Guesses of least square error.
    guesses : numpy.ndarray, shape (n,)
        Guesses of the attribute that is looked at, which hit most often.
    tally : AttackTally
        Error and hits.
    measures : dict of str to float
        What measures that were registered say of the estimates.
    """

    rows: np.ndarray
    estimates: np.ndarray
    guesses: np.ndarray
    tally: measures.AttackTally
    measures: dict[str, float]


def attacked(model: Model, settings: Settings, attacker: str) -> Guesses:
    """What an attacker makes of the copies of the coalition.

    Parameters
    ----------
    model : Model
    settings : Settings
        Fitted to the data, with somebody in the coalition.
    attacker : str
        One of `ATTACKERS`.
    """
    people, noise = model.population, model.noise(settings.similarity)
    attack = Attack(settings.coalition, settings.scheme, attacker)
    attribute = people.index(settings.attribute)
    if is_own(attack):
        attacked, every = guesses(model, settings, attack, min(people.rows, ATTACKED[True]), LEARNT[True])
        mine, estimates = np.flatnonzero(attacked), every[attacked]
        guessed = estimates
    elif combines(attack):
        mine, estimates, guessed = _together(model, settings, attack)
    else:
        mine, estimates = np.arange(people.rows), _linear(noise, settings, attack)
        guessed = estimates
    tally = measures.AttackTally(
        weights=people.weights, attribute=attribute, top=people.error_range(attribute), bins=ERROR_BINS,
        eps=not_none(settings.eps), kind=settings.kind,
    )  # fmt: skip
    tally.add(people.values[mine], estimates, guessed)
    guessed = guessed if guessed.ndim == 1 else guessed[:, attribute]
    order = np.argsort(people.order[mine])  # in the order of the data
    told = {name: measured(name, people.values[mine], estimates, attribute) for name in registered()}
    return Guesses(people.order[mine][order], estimates[order], guessed[order], tally, told)


def _linear(noise: Noise, settings: Settings, attack: Attack) -> Floats:
    rows = noise.population.rows
    sample = min(settings.sample, rows)
    linear = noise.fit(
        attack, lambda: [noise.copy(r, attack.scheme, 0, sample, among=settings.recipients) for r in attack.who]
    )
    uses = getattr(linear, "weights", np.ones(len(attack.who)))
    # Copies of no weight need not exist: nested coalitions rest on their best copy.
    copies = [
        noise.copy(r, attack.scheme, 0, rows, among=settings.recipients) if use else None
        for r, use in zip(attack.who, uses, strict=True)
    ]
    return np.broadcast_to(linear.estimate(copies), noise.population.values.shape)


def _together(model: Model, settings: Settings, attack: Attack) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whoever works on the copies put together: who is attacked, the estimates, and the guesses, of the attribute or
    of whole records."""
    people, noise = model.population, model.noise(settings.similarity)
    whole = reconstructs(attack)
    rows = min(people.rows, model.whole_rows if whole else ATTACKED[True])
    weights = combining_weights(levels(attack.who), attack.scheme)
    copies = [
        noise.copy(r, attack.scheme, 0, rows, among=settings.recipients) if use else None
        for r, use in zip(attack.who, weights, strict=True)
    ]
    released = combined(copies, weights)
    if whole:
        estimates = noise.reconstruct(attack, released, settings.informed)
        return np.arange(rows), estimates, estimates
    level = noise.level(attack.who, attack.scheme)
    if attack.attacker == STRONGEST:
        seen = judged(model, settings, wait=True)
        found = model.judge.guesses(seen, level, np.arange(rows), released, not_none(settings.eps))
    else:
        question = model.judge.question(settings)
        found = model.judge.learned(
            question, attack.attacker, level, np.arange(rows), released, not_none(settings.eps), LEARNT[True]
        )
    mine, estimates, windows = found
    return np.flatnonzero(mine), estimates[mine], windows[mine]
