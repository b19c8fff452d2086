"""How a coalition's copies become one: the weights, the level of what comes out, and the sum.

Notation as in `engine.noise`. With weights w = (1 1' + Sigma)^-1 1 and W = sum w, the best linear estimate is
mu + sum w_i (Y_i - mu) with normalised error 1 - W (Eq. 6 of Li et al. 2012). The same weights over W make one copy
that says about the data all that the copies say together.
"""

from typing import overload

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Numbers, Several
from trustscope.engine.noise import SCHEMES, check_levels, check_scheme, named_levels, noise_covariance
from trustscope.errors import TrustscopeError

SOME = 4_096  # coalitions that are handled at a time, so that little room is needed
RIDGE = 1e-12

__all__ = [
    "check_coalition",
    "check_count",
    "combined",
    "combining_weights",
    "effective_level",
    "effective_levels",
    "expected_error",
    "growing_levels",
    "level_of_error",
    "weights",
]


def check_coalition(levels: ArrayLike | None, trust: ArrayLike | None = None) -> Floats:
    """The levels of a coalition's copies, an array of at least one; or those of trusts in per cent."""
    s = np.atleast_1d(check_levels(levels) if trust is None and levels is not None
                      else named_levels((), levels, trust, "it", "levels"))  # fmt: skip
    if s.ndim != 1 or not s.size:
        raise TrustscopeError("A coalition needs a list of at least one level.")
    return s


def weights(levels: ArrayLike, scheme: str = "nested") -> Floats:
    """The weights w of the joint linear attack, in closed form.

    Parameters
    ----------
    levels : array-like, shape (M,)
        Not negative, in any order. Equal levels are separate draws in the independent scheme, and one and the
        same copy in the others.
    scheme : {"nested", "independent", "proportional"}, or one that was registered

    Returns
    -------
    numpy.ndarray, shape (M,)
        Nested: all on the first of the best copies, the others exactly 0 (Theorem 4). Independent:
        (1 / s_i) / (1 + sum 1 / s) (Theorem 3). Proportional with different levels: the shortest w with
        sum w = 1 and sum w sqrt(s) = 0, since that one amplifies rounding least; for two copies it is
        (sigma_2, -sigma_1) / (sigma_2 - sigma_1), Sec. 4.2.2. A level 0 takes all the weight.
    """
    s, check = check_coalition(levels), check_scheme(scheme)
    if check not in SCHEMES:
        return _weights(noise_covariance(s, check))
    best = int(np.argmin(s))
    if check == "independent" and s[best] > 0:
        # Relative to the best level: 1 / s would overflow for tiny levels.
        relative = s[best] / s
        return np.asarray(relative / (s[best] + relative.sum()))
    sigma = np.sqrt(s)
    if check == "proportional" and s[best] > 0 and s.max() > s[best]:
        spread = sigma - sigma.mean()
        return np.asarray(1 / len(s) - sigma.mean() * spread / (spread @ spread))
    out = np.zeros(len(s))
    out[best] = 1 / (1 + s[best])
    return out


def _weights(sigma: Floats) -> Floats:
    """w = (1 1' + Sigma)^-1 1, the shortest where copies repeat each other."""
    count = len(sigma)
    return np.linalg.pinv(np.ones((count, count)) + sigma, hermitian=True) @ np.ones(count)


def expected_error(levels: ArrayLike | None = None, scheme: str = "nested", *, trust: ArrayLike | None = None) -> float:
    """Normalised error 1 - W of the joint linear attack, without cancellation.

    Parameters
    ----------
    levels : array-like, shape (M,)
        Or, by name, `trust` in per cent.
    scheme : {"nested", "independent", "proportional"}

    Returns
    -------
    float
        Nested: s / (1 + s) at the smallest level (Theorem 4). Independent: 1 / (1 + sum 1 / s) (Theorem 3).
        Proportional: 0 as soon as two levels differ.
    """
    s, check = check_coalition(levels, trust), check_scheme(scheme)
    if check not in SCHEMES:
        return float(np.clip(1 - _weights(noise_covariance(s, check)).sum(), 0, 1))
    best = float(s.min())
    if check == "proportional" and s.max() > best:
        return 0.0
    if check == "independent" and best > 0:
        return float(best / (best + (best / s).sum()))
    return best / (1 + best)


def effective_level(levels: ArrayLike, scheme: str = "nested") -> float:
    """The level of the one copy that says as much as a coalition's copies together.

    Parameters
    ----------
    levels : array-like, shape (M,)
    scheme : {"nested", "independent", "proportional"}

    Returns
    -------
    float
    """
    return level_of_error(expected_error(levels, scheme))


def effective_levels(levels: ArrayLike, scheme: str = "nested") -> Floats:
    """`effective_level` of very many coalitions at once.

    Parameters
    ----------
    levels : array-like, shape (..., M)
        Infinite where a place in the coalition is empty.
    scheme : {"nested", "independent", "proportional"}, or one that was registered

    Returns
    -------
    numpy.ndarray, shape (...)
        Infinite where nobody is there.
    """
    s, check = np.asarray(levels, dtype=float), check_scheme(scheme)
    if check not in SCHEMES:
        rows = s.reshape(-1, s.shape[-1])
        parts = [_joint_levels(rows[start : start + SOME], check) for start in range(0, len(rows), SOME)]
        return np.concatenate(parts or [np.empty(0)]).reshape(s.shape[:-1])
    best = s.min(axis=-1)
    if check == "independent":
        with np.errstate(divide="ignore"):
            return np.where(best > 0, 1 / (1 / np.where(s > 0, s, np.inf)).sum(axis=-1), 0.0)
    if check == "proportional":
        highest = np.where(np.isinf(s), -np.inf, s).max(axis=-1)
        return np.where(highest > best, 0.0, best)
    return np.asarray(best, dtype=np.float64)


def _joint_levels(rows: Floats, scheme: str) -> Floats:
    """The same for a scheme that was registered, of levels of shape (K, M).

    Leaving a copy out leaves its row and column out of Sigma, so that one matrix of all levels that occur, each as
    often as one coalition has it, holds those of all coalitions.
    """
    rows = np.sort(rows, axis=1)
    sizes = np.isfinite(rows).sum(axis=1)
    found = np.full(len(rows), np.inf)
    if not sizes.any():
        return found
    again = np.zeros(rows.shape, dtype=int)  # how often a level stood before in its row
    for place in range(1, rows.shape[1]):
        again[:, place] = np.where(rows[:, place] == rows[:, place - 1], again[:, place - 1] + 1, 0)
    there = np.isfinite(rows)
    values = np.unique(rows[there])
    sigma = noise_covariance(np.tile(values, int(again[there].max()) + 1), scheme)
    index = again * len(values) + np.searchsorted(values, rows)
    for size in np.unique(sizes[sizes > 0]):
        some = index[sizes == size, :size]
        joint = 1 + sigma[some[:, :, None], some[:, None, :]]
        # Copies that repeat each other make the matrix singular: a trace of it on the diagonal parts them evenly.
        joint[:, range(size), range(size)] *= 1 + RIDGE
        told = np.linalg.solve(joint, np.ones((len(some), size, 1)))[:, :, 0].sum(axis=1)
        found[sizes == size] = level_of_error(np.clip(1 - told, 0.0, 1.0))
    return found


def growing_levels(levels: ArrayLike, scheme: str = "nested") -> Floats:
    """`effective_level` of the first copy, of the first two, and so on, shape (M,)."""
    s = check_coalition(levels)
    return effective_levels(np.where(np.tri(len(s), dtype=bool), s, np.inf), scheme)


def combining_weights(levels: ArrayLike, scheme: str = "nested") -> Floats:
    """How that copy is made of theirs: weights that sum to 1, shape (M,)."""
    raw = weights(levels, scheme)
    return np.asarray(raw / raw.sum())


@overload
def level_of_error(error: float) -> float: ...
@overload
def level_of_error(error: ArrayLike) -> Numbers: ...
def level_of_error(error: ArrayLike) -> Numbers:
    """s of an error s / (1 + s); nobody's level is infinite."""
    error = np.asarray(error, dtype=float)
    with np.errstate(divide="ignore"):
        return error / (1 - error) if error.ndim else float(np.divide(error, 1 - error))


def combined(copies: Several, weights: Floats) -> Floats:
    """The copies as one new array, sum_i w_i Y_i; copies of weight 0 are not read.

    Parameters
    ----------
    copies : sequence of M array-likes, or an array, shape (M, rows, N) or (M, rows)
    weights : numpy.ndarray, shape (M,)
    """
    check_count(copies, len(weights))
    first, *others = np.flatnonzero(weights).tolist()
    total: Floats = weights[first] * np.asarray(copies[first], dtype=float)
    for i in others:
        total += weights[i] * np.asarray(copies[i], dtype=float)
    return total


def check_count(copies: Several, expected: int) -> None:
    """Refuse another number of copies than there are levels."""
    if len(copies) != expected:
        raise TrustscopeError(f"There are {expected} levels but {len(copies)} copies.")
