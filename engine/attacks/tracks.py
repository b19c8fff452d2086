"""The linear attack at every place that a recipient could stand at, for all recipients at once.

Notation as in `engine.attacks.combining`. A coalition of independent copies errs by 1 / (1 + P) with P = sum 1 / s_i;
one of nested copies by the same with P = max 1 / s_i; proportional copies of different levels give everything away.
Moving one recipient changes one term, so that all places of all recipients need one sorting of the others.
"""

from itertools import combinations
from math import comb

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.attacks.combining import check_coalition, effective_levels
from trustscope.engine.noise import SCHEMES, check_levels, check_scheme
from trustscope.errors import TrustscopeError


def track_errors(levels: ArrayLike, ladder: ArrayLike, scheme: str = "nested", most: int | None = None) -> Floats:
    """Normalised error of the worst coalition, with each recipient in turn at every level of a ladder.

    Parameters
    ----------
    levels : array-like, shape (M,)
        Where the recipients stand.
    ladder : array-like, shape (G,)
        Levels that one of them might stand at.
    scheme : {"nested", "independent", "proportional"}
    most : int, optional
        Recipients who pool at most; all of them by default.

    Returns
    -------
    numpy.ndarray, shape (M, G)
        Entry (i, g) is the least error over the coalitions of at most `most` recipients where recipient i stands at
        ladder[g] and the others where they are.
    """
    s, check = check_coalition(levels), check_scheme(scheme)
    places = np.atleast_1d(check_levels(ladder))
    size = len(s) if most is None else min(most, len(s))
    if size < 1:
        raise TrustscopeError(f"A coalition has at least one member, not {most}.")
    if check not in SCHEMES:
        return np.array([_joint_track(s, i, places, check, size) for i in range(len(s))])
    with np.errstate(divide="ignore"):
        own, here = 1 / s, 1 / places
    others = own[_others(len(s))]
    if check == "independent" and size > 1:
        best = -np.sort(-others, axis=1)
        # The worst coalition is the best `most` copies, with the one that moves or without it.
        pooled = np.maximum(best[:, : size - 1].sum(axis=1)[:, None] + here, best[:, :size].sum(axis=1)[:, None])
    else:
        pooled = np.maximum(others.max(axis=1, initial=0.0)[:, None], here)
    errors: Floats = 1 / (1 + pooled)
    if check == "proportional" and size > 1 and len(s) > 1:
        apart = (others != others[:, :1]).any(axis=1)[:, None] | (here != others[:, :1])
        errors = np.where(apart, 0.0, errors)
    return errors


def _joint_track(levels: Floats, moved: int, places: Floats, scheme: str, size: int) -> Floats:
    """The track of one recipient under a scheme that was registered: the least error of coalitions of `size`, because
    a larger one never does worse, with this recipient or without."""
    others = np.delete(levels, moved)
    beside = others[_subsets(len(others), size - 1)]
    with_them = np.empty((len(places), len(beside), size))
    with_them[..., 0], with_them[..., 1:] = places[:, None], beside
    least = effective_levels(with_them, scheme).min(axis=1)
    if size <= len(others):
        without = effective_levels(others[_subsets(len(others), size)], scheme)
        least = np.minimum(least, without.min())
    return np.asarray(least / (1 + least))


def worst_coalition(levels: ArrayLike, scheme: str = "nested", most: int | None = None) -> tuple[int, ...]:
    """Who of these learns most together: places of at most `most`, the best copy first.

    Parameters
    ----------
    levels : array-like, shape (M,)
    scheme : {"nested", "independent", "proportional"}, or one that was registered
    most : int, optional
        Recipients who pool at most; all of them by default.
    """
    s, check = check_coalition(levels), check_scheme(scheme)
    size = len(s) if most is None else min(most, len(s))
    if check in SCHEMES or size == len(s):
        return tuple(np.argsort(s, kind="stable")[:size].tolist())
    every = _subsets(len(s), size)
    worst = every[int(effective_levels(s[every], check).argmin())]
    return tuple(worst[np.argsort(s[worst], kind="stable")].tolist())


def _subsets(count: int, size: int) -> Integers:
    """All choices of so many out of `count`, shape (choices, size)."""
    return np.array(list(combinations(range(count), size)), dtype=int).reshape(comb(count, size), size)


def _others(count: int) -> Integers:
    """For each of so many the places of the others, shape (count, count - 1)."""
    places = np.arange(count - 1)
    return places + (places >= np.arange(count)[:, None])
