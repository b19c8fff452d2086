"""Figures of rows with numbers and categories over one parameter, the trust t of one copy.

A copy of trust t has numbers of the level (1 - t) / t and categories of the retention t. As in `curve`, a copy of less
trust cannot help, because whoever holds the better one can make it.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.attacks.optimal.curve import EVERY, THREADS, TRUSTS, Curve, single_curve
from trustscope.engine.attacks.optimal.mixed import NOTHING, Mixed, at_trust


@dataclass(frozen=True)
class CategoryCurve:
    """Figures of one column of categories over the trust of a copy.

    Attributes
    ----------
    trusts : numpy.ndarray, shape (points,)
        Ascending from 0 (no copy) to 1 (the original).
    right, right_error, belief, belief_error : numpy.ndarray, shape (points,)
        As in `Guessed`.
    references, probes : int
    """

    trusts: Floats
    right: Floats
    right_error: Floats
    belief: Floats
    belief_error: Floats
    references: int
    probes: int

    def right_at(self, trusts: ArrayLike) -> Floats:
        """Share of the people whose value is guessed, for copies of these trusts."""
        right: Floats = np.interp(np.asarray(trusts, dtype=float), self.trusts, self.right)
        return right

    def doubt_at(self, trusts: ArrayLike) -> Floats:
        """Its standard error."""
        error: Floats = np.interp(np.asarray(trusts, dtype=float), self.trusts, self.right_error)
        return error

    def belief_at(self, trusts: ArrayLike) -> Floats:
        """Mean belief in the true value, for copies of these trusts."""
        belief: Floats = np.interp(np.asarray(trusts, dtype=float), self.trusts, self.belief)
        return belief


Progress = Callable[[float], object]


def category_curve(
    attacker: Mixed, target: int, *, trusts: ArrayLike = TRUSTS, progress: Progress = lambda share: None
) -> CategoryCurve:
    """The curve of a column of categories.

    Parameters
    ----------
    attacker : Mixed
    target : int
    trusts : array-like
        Between 0 and 1, ascending.
    progress : callable
        Told the share that is done; may raise to stop.
    """
    places = np.asarray(trusts, dtype=float)
    sides = attacker.numbers.sides
    manners = _each(
        lambda at: [attacker.choose_category(side, at_trust(float(places[at])), target) for side in sides],
        range(0, len(places), EVERY), progress, 0.0,
    )  # fmt: skip
    without = attacker.guessed(NOTHING, target)
    points = _each(
        lambda at: attacker.guessed(at_trust(float(places[at])), target, manners[at // EVERY]),
        range(len(places)),
        progress,
        0.5,
    )
    every = [without, *points]
    return CategoryCurve(
        trusts=np.array([0.0, *places, 1.0]),
        right=np.maximum.accumulate([*(one.right for one in every), 1.0]),
        right_error=np.array([*(one.right_error for one in every), 0.0]),
        belief=np.maximum.accumulate([*(one.belief for one in every), 1.0]),
        belief_error=np.array([*(one.belief_error for one in every), 0.0]),
        references=len(sides[0].known),
        probes=sum(len(side.people) for side in sides),
    )


def number_curve(
    attacker: Mixed,
    target: int,
    within: ArrayLike,
    *,
    progress: Progress = lambda share: None,
) -> Curve:
    """The curve of a column of numbers for who sees whole rows, at least what the column alone gives away.

    Parameters
    ----------
    attacker : Mixed
    target : int
    within : array-like, shape (distances,)
        The attacker goes for the middle one.
    progress : callable
    """
    distances = np.sort(np.atleast_1d(np.asarray(within, dtype=float)))
    goal = distances[len(distances) // 2 : len(distances) // 2 + 1]
    base, sides = single_curve(attacker.numbers, target, distances), attacker.numbers.sides
    manners = _each(
        lambda at: [attacker.choose_number(side, at_trust(float(TRUSTS[at])), target, goal) for side in sides],
        range(0, len(TRUSTS), EVERY), progress, 0.0,
    )  # fmt: skip
    points = _each(
        lambda at: attacker.point(at_trust(float(TRUSTS[at])), target, distances, manners[at // EVERY]),
        range(len(TRUSTS)), progress, 0.5,
    )  # fmt: skip
    hits = np.vstack([base.hits[:1], [one.hits for one in points], base.hits[-1:]])
    doubt = np.vstack([base.hits_error[:1], [one.hits_error for one in points], base.hits_error[-1:]])
    error = np.concatenate([base.error[:1], [one.error for one in points], base.error[-1:]])
    error_doubt = np.concatenate([[0.0], [one.error_error for one in points], [0.0]])
    return replace(
        base,
        hits=np.maximum.accumulate(np.maximum(hits, base.hits), axis=0),
        hits_error=np.where(hits > base.hits, doubt, base.hits_error),
        error=np.minimum.accumulate(np.minimum(error, base.error)),
        error_error=np.where(error < base.error, error_doubt, 0.0),
        references=len(sides[0].known),
        probes=sum(len(side.people) for side in sides),
    )


_T = TypeVar("_T")


def _each(function: Callable[[int], _T], places: range, progress: Progress, start: float) -> list[_T]:
    """The function of every place, in threads, with progress said after each."""
    with ThreadPoolExecutor(THREADS) as pool:
        tasks = [pool.submit(function, place) for place in places]
        found = []
        try:
            for task in tasks:
                found.append(task.result())
                progress(start + 0.5 * len(found) / len(tasks))
        finally:
            for task in tasks:
                task.cancel()
    return found
