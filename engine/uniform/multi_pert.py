"""The algorithms of the paper as they stand: uni-pert, and multi-pert with its history list.

What is corrected: the update of the history. As printed (Sec. 6 of Xiao et al. 2009) a new element is entered
and the next one removed if equal, but a copy below the new one whose value was implied by an element above
it would then change: 0.5: A holds also for 0.3, and entering 0.4: B makes 0.3 read B. Here the value at the
next lower level is entered as well where it differs from the new one and was implied, and an element is
removed only if it stands at that level.
"""

import bisect
from collections.abc import Sequence

import numpy as np

from trustscope.engine.arrays import ArrayLike, Bools, Floats, Integers
from trustscope.engine.uniform.law import check_codes, check_size, coin, one_retention
from trustscope.errors import TrustscopeError, WrongType


def uni_pert(codes: ArrayLike, size: int, p: float, *, rng: np.random.Generator) -> Integers:
    """Uniform perturbation at one level (Figure 2): each code is kept with probability p, or drawn anew.

    Parameters
    ----------
    codes : array-like of int, shape (rows,)
    size : int
        Size of the domain.
    p : float
    rng : numpy.random.Generator

    Returns
    -------
    numpy.ndarray of int, shape (rows,)
    """
    size, p = check_size(size), one_retention(p)
    codes = check_codes(codes, size)
    _check_rng(rng)
    return np.where(rng.random(len(codes)) < p, codes, rng.integers(size, size=len(codes)))


class History:
    """Every copy released so far, as a short list of (p, value) for each record (Sec. 6).

    A list begins at the highest level released; after that it has an element only where the value differs
    from the one at the next higher level. The value at a level is that of the lowest element not below it.

    Parameters
    ----------
    codes : array-like of int, shape (rows,)
    size : int
        Size of the domain.

    Attributes
    ----------
    codes : numpy.ndarray of int, shape (rows,)
    size : int
    """

    def __init__(self, codes: ArrayLike, size: int) -> None:
        self.size = check_size(size)
        self.codes = check_codes(codes, self.size).astype(np.int64)
        self._ascending: list[float] = []
        # Elements in descending order of p, padded by p = 0.
        self._p = np.zeros((len(self.codes), 4))
        self._y = np.zeros((len(self.codes), 4), dtype=np.int64)

    @property
    def levels(self) -> tuple[float, ...]:
        """The retention probabilities released so far, from the most trusted down."""
        return tuple(reversed(self._ascending))

    @property
    def lengths(self) -> Integers:
        """Number of elements in every record's list, shape (rows,)."""
        return np.asarray(np.count_nonzero(self._p, axis=1))

    def released(self, p: float) -> bool:
        """Whether a copy at p was released before; the data, p = 1, always were."""
        place = bisect.bisect_left(self._ascending, p)
        return p == 1 or (place < len(self._ascending) and self._ascending[place] == p)

    def neighbours(self, p: float) -> tuple[float, float | None]:
        """The next higher level released (1, the data, if there is none) and the next lower one (or None)."""
        low, high = bisect.bisect_left(self._ascending, p), bisect.bisect_right(self._ascending, p)
        above = self._ascending[high] if high < len(self._ascending) else 1.0
        return above, self._ascending[low - 1] if low else None

    def read(self, p: float) -> Integers:
        """The copy released at p, shape (rows,); p = 1 is the data."""
        p = one_retention(p)
        if p == 1:
            return self.codes.copy()
        if not self.released(p):
            raise TrustscopeError(f"No copy was released at {p:g}.")
        return np.take_along_axis(self._y, self._count(p)[:, None] - 1, axis=1)[:, 0]

    def insert(self, p: float, values: Integers) -> None:
        """Enter the copy at a new level p below 1; no other copy changes."""
        above, below = self.neighbours(p)
        first = not self._ascending or p > self._ascending[-1]
        enter = np.ones(len(self.codes), bool) if first else values != self.read(above)
        place = self._count(p)
        if below is None:
            enter_below = stood = np.zeros(len(self.codes), bool)
            lower = values
        else:
            lower = self.read(below)
            enter_below = lower != values
            stood = np.take_along_axis(self._widened(), place[:, None], axis=1)[:, 0] == below
        self._splice(place, stood, [(enter, p, values), (enter_below, below or 0.0, lower)])
        bisect.insort(self._ascending, p)

    def _count(self, p: float) -> Integers:
        """How many elements stand at p or above, shape (rows,)."""
        return np.asarray(np.count_nonzero(self._p >= p, axis=1))

    def _widened(self) -> Floats:
        """The levels of the elements, with at least two columns of padding at the end."""
        if self._p[:, -2:].any():
            more = ((0, 0), (0, 4))
            self._p, self._y = np.pad(self._p, more), np.pad(self._y, more)
        return self._p

    def _splice(self, place: Integers, removed: Bools, entered: Sequence[tuple[Bools, float, Integers]]) -> None:
        """In every list: remove the element at `place` if `removed`, and put there those of `entered`."""
        columns = np.arange(self._widened().shape[1])
        added = np.sum([mask for mask, _, _ in entered], axis=0)
        moved = columns - (added - removed)[:, None]
        source = np.where(columns < place[:, None], columns, np.clip(moved, 0, columns[-1]))
        # Lists that grow shorter are padded from the padding at the end: it is never used up.
        self._p = np.take_along_axis(self._p, source, axis=1)
        self._y = np.take_along_axis(self._y, source, axis=1)
        place = place.copy()
        for mask, p, values in entered:
            rows = np.flatnonzero(mask)
            self._p[rows, place[rows]] = p
            self._y[rows, place[rows]] = values[rows]
            place += mask


def multi_pert(history: History, p: float, *, rng: np.random.Generator) -> Integers:
    """A copy at p that is useless to collude with, given all that was released before (Figure 3).

    Parameters
    ----------
    history : History
        Takes up the new copy.
    p : float
    rng : numpy.random.Generator

    Returns
    -------
    numpy.ndarray of int, shape (rows,)
        The stored copy if p was released before, and the data at p = 1. Otherwise the value at the next
        higher level with probability u, at the next lower one with v, or a draw from the domain (Eq. 3, 4).
    """
    p = one_retention(p)
    _check_rng(rng)
    if history.released(p):
        return history.read(p)
    above, below = history.neighbours(p)
    higher = history.read(above)
    lower = higher if below is None else history.read(below)
    (same_u, same_v), (other_u, other_v) = coin(p, above, below, history.size)
    equal = higher == lower
    u, v = np.where(equal, same_u, other_u), np.where(equal, same_v, other_v)
    toss = rng.random(len(higher))
    drawn = rng.integers(history.size, size=len(higher))
    copy = np.where(toss < u, higher, np.where(toss < u + v, lower, drawn))
    history.insert(p, copy)
    return copy


def _check_rng(rng: object) -> None:
    if not isinstance(rng, np.random.Generator):
        raise WrongType(f"rng must be a numpy.random.Generator, not {type(rng).__name__}.")
