"""What a retention probability guarantees, and the largest one that guarantees it.

Notation: s the size of the domain, p the retention probability, q the prior probability of any statement
about a value. gamma bounds how much likelier a copy's value is under one original than under another
(Evfimievski, Gehrke, Srikant 2003), and everything else follows from it. Guarantees hold for every prior, and
for nested copies also under collusion, with the p of the best copy (Xiao et al. 2009, Sec. 3 and 4).

All functions take arrays as well as numbers. At p = 1 gamma is infinite and nothing is guaranteed.
"""

import numpy as np

from trustscope.engine.arrays import Bools, Floats, Numbers
from trustscope.engine.uniform.law import check_retention, check_size
from trustscope.errors import TrustscopeError


def amplification(p: Numbers, size: int) -> Numbers:
    """gamma = 1 + s p / (1 - p): how much likelier a value is to be released as itself than any other is."""
    p, size = check_retention(p), check_size(size)
    with np.errstate(divide="ignore"):
        return 1 + size * np.divide(p, 1 - p)[()]


def retention_for_amplification(gamma: Numbers, size: int) -> Numbers:
    """The largest p with this gamma: (gamma - 1) / (gamma - 1 + s); the inverse of `amplification`."""
    gamma, size = np.asarray(gamma, dtype=float), check_size(size)
    if not np.all(gamma > 1):
        raise TrustscopeError("gamma must be above 1: at 1 a copy would hold no information at all.")
    finite = np.where(np.isinf(gamma), 2.0, gamma)
    return np.where(np.isinf(gamma), 1.0, (finite - 1) / (finite - 1 + size))[()]


def worst_posterior(prior: Numbers, p: Numbers, size: int) -> Numbers:
    """The most that a statement of prior probability q can come to be believed.

    gamma q / (1 + (gamma - 1) q), reached by the statement that the value is the one in the copy.

    Parameters
    ----------
    prior : float or array-like
        q, from 0 to 1.
    p : float or array-like
    size : int
    """
    return _raised(_share(prior, "The prior probability"), amplification(p, size))


def lowest_posterior(prior: Numbers, p: Numbers, size: int) -> Numbers:
    """The least that a statement of prior probability q can come to be believed: q / (q + gamma (1 - q))."""
    return 1 - worst_posterior(1 - _share(prior, "The prior probability"), p, size)


def rho_amplification(rho1: Numbers, rho2: Numbers) -> Numbers:
    """The gamma up to which rho1-to-rho2 privacy holds: rho2 (1 - rho1) / (rho1 (1 - rho2))."""
    low, high = _rhos(rho1, rho2)
    with np.errstate(divide="ignore"):
        return (high * (1 - low) / (low * (1 - high)))[()]


def rho2_of_retention(rho1: Numbers, p: Numbers, size: int) -> Numbers:
    """The rho2 that p guarantees: what was believed less than rho1 is never believed more than this."""
    return worst_posterior(rho1, p, size)


def rho1_of_retention(rho2: Numbers, p: Numbers, size: int) -> Numbers:
    """The rho1 that p guarantees: what is believed less than this beforehand is never believed up to rho2."""
    rho2 = _share(rho2, "rho2")
    return 1 - _raised(1 - rho2, amplification(p, size))


def rho_holds(p: Numbers, size: int, rho1: Numbers, rho2: Numbers) -> bool | Bools:
    """Whether p keeps rho1-to-rho2 privacy, upwards and downwards; rounding at the limit is allowed for."""
    return amplification(p, size) <= rho_amplification(rho1, rho2) * (1 + 1e-12)


def retention_for_rho(rho1: Numbers, rho2: Numbers, size: int) -> Numbers:
    """The largest p that keeps rho1-to-rho2 privacy; for 0.1 and 0.5 gamma is 9, so 0.138 at s = 50."""
    return retention_for_amplification(rho_amplification(rho1, rho2), size)


def growth(prior: Numbers, p: Numbers, size: int) -> Numbers:
    """The most by which the belief in a statement of prior probability q can grow."""
    return worst_posterior(prior, p, size) - _share(prior, "The prior probability")


def delta_of_retention(p: Numbers, size: int) -> Numbers:
    """The delta that p guarantees over all priors: (sqrt gamma - 1) / (sqrt gamma + 1), at `worst_prior`."""
    root = np.sqrt(amplification(p, size))
    finite = np.where(np.isinf(root), 1.0, root)
    return np.where(np.isinf(root), 1.0, (finite - 1) / (finite + 1))[()]


def worst_prior(p: Numbers, size: int) -> Numbers:
    """The prior probability at which belief can grow most, 1 / (1 + sqrt gamma)."""
    return 1 / (1 + np.sqrt(amplification(p, size)))


def retention_for_delta(delta: Numbers, size: int, prior: Numbers | None = None) -> Numbers:
    """The p up to which belief never grows by delta or more: below it delta-growth holds strictly.

    Parameters
    ----------
    delta : float or array-like
        Above 0 and below 1.
    size : int
    prior : float or array-like, optional
        For statements of this prior probability; by default for all, where gamma = ((1 + d) / (1 - d))^2.
    """
    delta = _open_share(delta, "delta")
    if prior is None:
        return retention_for_amplification(((1 + delta) / (1 - delta)) ** 2, size)
    prior = _open_share(prior, "The prior probability")
    after = prior + delta
    safe = np.where(after < 1, after, 0.5)
    gamma = np.where(after < 1, safe * (1 - prior) / (prior * (1 - safe)), np.inf)
    return retention_for_amplification(gamma, size)


def _raised(prior: Numbers, gamma: Numbers) -> Numbers:
    """gamma q / (1 + (gamma - 1) q), also for an infinite gamma, where only 0 is not raised to 1."""
    prior, gamma = np.broadcast_arrays(prior, gamma)
    finite = np.where(np.isinf(gamma), 1.0, gamma)
    return np.where(np.isinf(gamma), prior > 0, finite * prior / (1 + (finite - 1) * prior))[()]


def _share(value: Numbers, name: str) -> Floats:
    array = np.asarray(value, dtype=float)
    if not np.all((array >= 0) & (array <= 1)):
        raise TrustscopeError(f"{name} must lie between 0 and 1.")
    return array


def _open_share(value: Numbers, name: str) -> Floats:
    array = np.asarray(value, dtype=float)
    if not np.all((array > 0) & (array < 1)):
        raise TrustscopeError(f"{name} must lie between 0 and 1, without being either.")
    return array


def _rhos(rho1: Numbers, rho2: Numbers) -> tuple[Floats, Floats]:
    rho1, rho2 = _share(rho1, "rho1"), _share(rho2, "rho2")
    if not np.all((rho1 > 0) & (rho1 < rho2)):
        raise TrustscopeError("rho1 must be above 0 and below rho2: it is what becomes rho2 at the most.")
    return rho1, rho2
