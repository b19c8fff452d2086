"""Which way each axis points: the sign matrix D that makes sample and release most alike (Sec. V-B).

The energy distance between D s and w is 2 E|Ds - w| - E|s - s'| - E|w - w'|; its last two terms do not depend on D,
so the mean distance between the two, the *cross term*, decides. A `Misfit` is the weighted cross term and, where asked
for, a little of what each axis says by itself: enough to settle an axis so short that it hardly shows in distances,
too little to overrule all axes together.
"""

import itertools
from collections.abc import Iterator
from math import prod

import numpy as np

from trustscope.engine.arrays import Floats, Integers
from trustscope.errors import TrustscopeError

__all__ = ["MOST_EXACT", "Misfit", "exact", "marginal_cross", "polynomial"]

# The most dimensions in which all 2^n patterns of signs may be tried.
MOST_EXACT = 16
# The number of least certain axes whose signs are tried in pairs at the end of the polynomial search.
TOGETHER = 5
# The sign of an axis is certain, and is not tried in pairs, if flipping it costs more than this, in units of a
# chi-squared.
CERTAIN = 30.0
# Weight of the misfit of single axes beside the joint misfit; both are in units of a chi-squared.
TIE_BREAK = 0.002
# Distances are worked out for so many pairs of rows at a time: what stays in the processor's cache is several times
# faster than what goes through memory.
CELLS = 32_768


class Misfit:
    """How unlike sample and release are under a choice of signs.

    Parameters
    ----------
    sample, released : numpy.ndarray, shapes (q, n) and (m, n)
        Coordinates along the axes.
    pairs : int
        The cross term is taken over about so many pairs of rows at most, evenly spread.
    alone : numpy.ndarray, shape (2, n), optional
        `marginal_cross` of all rows, to settle what the cross term leaves open.
    """

    def __init__(self, sample: Floats, released: Floats, *, pairs: int, alone: Floats | None = None) -> None:
        pairs = int(pairs)
        few, many = sorted((len(sample), len(released)))
        few = min(few, max(int(np.sqrt(pairs)), 1))
        many = min(many, max(pairs // few, 1))
        short, long = (few, many) if len(sample) <= len(released) else (many, few)
        s, w = _spread(sample, short), _spread(released, long)
        # |s - w|^2 as one product, of (-2 s, |s|^2, 1) and (w, 1, |w|^2), the second one with a row for each axis.
        self._s = np.column_stack([-2 * s, np.sum(s**2, axis=1), np.ones(len(s))])
        self._w = np.vstack([w.T, np.ones(len(w)), np.sum(w**2, axis=1)])
        # Memory that is new each time takes as long as the roots.
        self._room = np.empty((2, max(1, min(CELLS // self._w.shape[1], len(s))), self._w.shape[1]))
        self._alone = np.zeros((2, sample.shape[1]))
        if alone is not None:
            least = alone.min(axis=0)
            relative = np.divide(alone, least, out=np.zeros_like(alone), where=least > 0)
            self._alone = TIE_BREAK * 2 * len(sample) * len(released) / (len(sample) + len(released)) * relative
        self._rows = self._pairs / sum(self._sizes)
        self._known: dict[bytes, float] = {}
        self.evaluations = 0
        # An energy statistic in units of the mean distance is about a chi-squared.
        start = self.cross(np.ones(sample.shape[1]))
        self.weight = 2 * self._rows / start if start > 0 else 0.0

    @property
    def dimensions(self) -> int:
        """n."""
        return int(self._s.shape[1]) - 2

    def __call__(self, signs: Floats) -> float:
        """The misfit of one choice of signs, shape (n,)."""
        self.evaluations += 1
        return self.weight * self.cross(signs) + float(np.where(signs > 0, self._alone[0], self._alone[1]).sum())

    def cross(self, signs: Floats) -> float:
        """The mean distance between sample and release under one choice of signs, shape (n,)."""
        pattern = _pattern(signs)
        if pattern not in self._known:
            turned = self._s * np.append(signs, [1, 1])
            total = sum(_summed_distances(squares, squares) for _, squares, _ in self._parts(turned))
            self._known[pattern] = total / self._pairs
        return self._known[pattern]

    def all_signs(self) -> Iterator[tuple[Floats, float]]:
        """Every choice of signs with its misfit; neighbours differ in one axis, which costs one update (Gray code)."""
        flips = [(step & -step).bit_length() - 1 for step in range(1, 2**self.dimensions)]
        totals = np.zeros(2**self.dimensions)
        for s, squares, distances in self._parts(self._s):
            totals[0] += _summed_distances(squares, distances)
            changes = [np.multiply.outer(-2 * s[:, axis], self._w[axis]) for axis in range(self.dimensions)]
            positive = [True] * self.dimensions
            for step, axis in enumerate(flips, start=1):
                (np.add if positive[axis] else np.subtract)(squares, changes[axis], out=squares)
                positive[axis] = not positive[axis]
                totals[step] += _summed_distances(squares, distances)
        signs = np.ones(self.dimensions)
        for step, total in enumerate(totals / self._pairs):
            if step:
                signs[flips[step - 1]] *= -1
            self._known[_pattern(signs)] = float(total)
            yield signs.copy(), self(signs)

    @property
    def _sizes(self) -> tuple[int, int]:
        return len(self._s), self._w.shape[1]

    @property
    def _pairs(self) -> int:
        return prod(self._sizes)

    def _parts(self, s: Floats) -> Iterator[tuple[Floats, Floats, Floats]]:
        """Some rows of the sample at a time, the squared distance of each pair, and room for as many numbers."""
        rows = self._room.shape[1]
        for start in range(0, len(s), rows):
            part = s[start : start + rows]
            squares, distances = self._room[:, : len(part)]
            yield part, np.matmul(part, self._w, out=squares), distances


def _pattern(signs: Floats) -> bytes:
    return np.signbit(signs).tobytes()


def _summed_distances(squares: Floats, out: Floats) -> float:
    """The sum of the roots; rounding may leave a square a little below zero."""
    if squares.min() < 0:  # found in an eighth of the time that it takes to mend it
        squares = np.maximum(squares, 0, out=out)
    return float(np.sqrt(squares, out=out).sum())


def exact(misfit: Misfit) -> tuple[Floats, float]:
    """The best of all 2^n sign patterns.

    Returns
    -------
    signs : numpy.ndarray, shape (n,)
    value : float
    """
    if misfit.dimensions > MOST_EXACT:
        raise TrustscopeError(
            f"{misfit.dimensions} axes have 2^{misfit.dimensions} sign patterns, too many to try all: "
            f"at most {MOST_EXACT} axes, or take the polynomial route."
        )
    return min(misfit.all_signs(), key=lambda one: one[1])


def polynomial(misfit: Misfit, start: Floats) -> tuple[Floats, float]:
    """Signs axis by axis, then refined: flip single axes while that helps, then pairs of the least certain ones.

    About n + 10 evaluations instead of 2^n.

    Parameters
    ----------
    misfit : Misfit
    start : numpy.ndarray, shape (n,)
        What each axis says by itself.

    Returns
    -------
    signs : numpy.ndarray, shape (n,)
    value : float
    """
    signs, value = np.array(start, dtype=float), misfit(start)
    while True:
        signs, value, costs = _flipped(misfit, signs, value)
        doubtful = np.argsort(costs, kind="stable")[:TOGETHER]
        doubtful = doubtful[costs[doubtful] < CERTAIN]
        better = _together(misfit, signs, value, doubtful)
        if better is None:
            return signs, value
        signs, value = better


def _flipped(misfit: Misfit, signs: Floats, value: float) -> tuple[Floats, float, Floats]:
    """Single flips until none helps, and what each would cost."""
    costs, axis, unchanged = np.zeros(len(signs)), 0, 0
    while unchanged < len(signs):
        other = signs.copy()
        other[axis] *= -1
        found = misfit(other)
        costs[axis] = abs(found - value)
        unchanged += 1
        if found < value:
            signs, value, unchanged = other, found, 1
        axis = (axis + 1) % len(signs)
    return signs, value, costs


def _together(misfit: Misfit, signs: Floats, value: float, axes: Integers) -> tuple[Floats, float] | None:
    """A better choice that flips two of some axes, or None."""
    for chosen in itertools.combinations(axes, 2):
        other = signs.copy()
        other[list(chosen)] *= -1
        found = misfit(other)
        if found < value:
            return other, found
    return None


def marginal_cross(sample: Floats, released: Floats) -> Floats:
    """Mean distance |s - w| along each axis by itself, with the sample as it is and with it flipped.

    By sorting, over all pairs of rows.

    Returns
    -------
    numpy.ndarray, shape (2, n)
    """
    ordered = np.sort(released.T)
    sums = np.hstack([np.zeros((len(ordered), 1)), np.cumsum(ordered, axis=1)])
    # For each axis the values of the sample and their mirror images; each is above `below` of the released ones and
    # under the others.
    alike = np.sort(sample.T)  # their places are found in half the time where they come in order
    both = np.hstack([alike, -alike[:, ::-1]])
    below = np.array([np.searchsorted(w, s) for w, s in zip(ordered, both, strict=True)])
    total = both * (2 * below - len(released)) + sums[:, -1:] - 2 * np.take_along_axis(sums, below, axis=1)
    return np.asarray(total.reshape(len(both), 2, len(sample)).mean(axis=2).T / len(released))


def _spread(table: Floats, count: int) -> Floats:
    return table if count >= len(table) else table[np.linspace(0, len(table) - 1, count).astype(int)]
