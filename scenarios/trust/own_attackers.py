"""Running an attacker that somebody registered: it sees all copies of a coalition, and knows other people's records."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import Bools, Floats
from trustscope.engine.noise import noise_covariance
from trustscope.errors import TrustscopeError
from trustscope.scenarios import attackers
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.trust.noise import ModelWithNoise
from trustscope.scenarios.trust.result import Attack
from trustscope.scenarios.trust.scenario import Settings, levels
from trustscope.scenarios.value import not_none

KEY = 20_261_117  # what own attackers draw is the same for everybody who looks


@dataclass(frozen=True, eq=False)
class KnownNoise:
    """What attackers know of the noise: how the copies were made, but not what was drawn.

    Attributes
    ----------
    scheme : str
    levels : numpy.ndarray, shape (M,)
        Of the copies; 0 is the data themselves.
    sigma : numpy.ndarray, shape (M, M)
        How the noise of the copies hangs together.
    shape : numpy.ndarray, shape (N, N)
        The covariance of the noise of level 1: that of copies i and j is sigma[i, j] * shape.
    """

    scheme: str
    levels: np.ndarray
    sigma: np.ndarray
    shape: np.ndarray


def is_own(attack: Attack) -> bool:
    """Whether the attacker is one that somebody registered."""
    found = attackers.registered().get(attack.attacker)
    return found is not None and found.family == attackers.OWN


def guesses(
    model: ModelWithNoise,
    settings: Settings,
    attack: Attack,
    rows: int,
    most: int,
    *,
    among: tuple[Recipient, ...] = (),
) -> tuple[Bools, Floats]:
    """What a registered attacker makes of the first rows.

    Parameters
    ----------
    model : Model
    settings : Settings
        What is known of other people, and the shape of the noise.
    attack : Attack
    rows, most : int, int
        How many rows are attacked, and of how many people the records are known at most.
    among : tuple of Recipient
        All who hold a copy; by default those of the settings.

    Returns
    -------
    attacked : numpy.ndarray of bool, shape (rows,)
        Who is no acquaintance of the attacker: the others are not attacked.
    estimates : numpy.ndarray, shape (rows, N)
    """
    noise = model.noise(settings.similarity)
    rows = min(rows, model.population.rows)
    copies = np.stack([noise.copy(r, attack.scheme, 0, rows, among=among or settings.recipients) for r in attack.who])
    at = np.array(levels(attack.who))
    known = KnownNoise(attack.scheme, at, noise_covariance(at, attack.scheme), noise.shape.copy())
    strongest = model.judge.attacker(model.judge.question(settings))
    attacked, estimates = np.zeros(rows, dtype=bool), copies[0].copy()
    for place, (side, mine) in enumerate(strongest.strangers(np.arange(rows))):
        if mine.any():
            rng = keys.rng(KEY, "own attacker", attack.attacker, place)
            estimates[mine] = ask(attack.attacker, copies[:, mine], known, side.sample[:most].copy(), rng)
            attacked |= mine
    return attacked, estimates


def ask(name: str, copies: Floats, noise: KnownNoise, known: Floats, rng: np.random.Generator) -> Floats:
    """The estimates of a registered attacker; a sentence where they are no estimates."""
    function = not_none(attackers.of(name).function)
    found = np.asarray(function(copies, noise, known=known, rng=rng))
    if found.shape != copies.shape[1:]:
        raise TrustscopeError(
            f"The attacker {name} must give an estimate of each value, an array of shape {copies.shape[1:]}, and not "
            f"of shape {found.shape}."
        )
    if found.dtype.kind not in "biuf" or not np.isfinite(found).all():
        raise TrustscopeError(f"The attacker {name} gave estimates that are not finite numbers.")
    return found.astype(float)
