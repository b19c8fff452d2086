"""One column as cells: the values it can have, few enough to add up over, and the windows that a guess covers.

A guess within d is right for all values in a closed window of width 2 d. So the best guess is the window that holds
most of a distribution, and only windows that begin at a value need be looked at. Columns of few values are their own
cells, to the last bit. Others are rounded to cells much narrower than d.
"""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import ArrayLike, Bools, Floats, Integers, Weights

MOST = 640  # cells: those of a column of more values are as wide as that needs
FINE = 12  # cells in one distance d, where there are not too many
ROUNDING = 1e-9  # of a window: a value exactly 2 d away lies inside
COMMON = 0.5  # of the hits of the best constant guess: what such a guess is right for is called common
STRANGE = 5.0  # standard deviations of the noise, which takes one copy in two million so far from its value
ALL = 1e-6  # of what is believed: a window that leaves less than this outside holds all
REPEATED = 0.5  # distinct values per row, below which a column is taken to have values that repeat


@dataclass(frozen=True)
class Cells:
    """Values in ascending order, and the width of a cell (0: values are exact).

    Attributes
    ----------
    values : numpy.ndarray, shape (cells,)
    width : float
    """

    values: Floats
    width: float

    def place(self, x: ArrayLike) -> Integers:
        """The cell nearest to each value."""
        middle = (self.values[1:] + self.values[:-1]) / 2
        return np.searchsorted(middle, np.asarray(x, dtype=float))

    def shares(self, x: ArrayLike) -> Floats:
        """The share of the values in each cell."""
        counts = np.bincount(self.place(x), minlength=len(self.values))
        return np.asarray(counts / max(counts.sum(), 1))

    def room(self, within: float) -> float:
        """How far from a guess a cell may lie: its values reach half its width to either side."""
        return max(within - self.width / 2, 0.0)

    def reach(self, within: float) -> Integers:
        """For the window that begins at each cell, the first cell beyond it, shape (cells,)."""
        end = self.values + 2 * self.room(within)
        end += ROUNDING * (np.abs(self.values) + within)
        return np.searchsorted(self.values, end, side="right")


def cells_of(x: ArrayLike, within: float | ArrayLike = 0.0, *, most: int = MOST) -> Cells:
    """The cells of a column, as far as guesses within some distance can tell them apart.

    Parameters
    ----------
    x : array-like, shape (rows,)
    within : float or array-like
        The distance d of guesses, or several: the smallest above 0 decides how fine cells must be.
    most : int
        Cells at most, where values are not exact.

    Returns
    -------
    Cells
        The values themselves where no more than `most` of them are there and they repeat. Otherwise cells of one
        width, those in which nobody stands among them if they are not too many: somebody else may.
    """
    x = np.asarray(x, dtype=float)
    if not x.size:
        raise ValueError("A column without rows has no values to guess.")
    values = np.unique(x)
    if len(values) <= max(min(most, REPEATED * len(x)), 1):
        return Cells(values, 0.0)
    distances = np.atleast_1d(np.asarray(within, dtype=float))
    distances = distances[distances > 0]
    width = float(distances.min()) / FINE if distances.size else float(x.std()) / 100
    while len(places := np.unique(np.round(values / width))) > most:
        width *= 1.5
    first, last = places[0], places[-1]
    if last - first < 2 * most:
        places = np.arange(first, last + 1)
    return Cells(places * width, width)


def possible_range(values: Floats, grown: Weights) -> tuple[Floats, Floats]:
    """The least and the greatest value that is believed possible, given each copy.

    Parameters
    ----------
    values : numpy.ndarray, shape (cells,)
        In ascending order.
    grown : numpy.ndarray, shape (cells + 1, copies)
        What is believed of the cells up to each, with 0 in front.
    """
    low, high = grown[1:] > ALL * grown[-1], grown[1:] >= (1 - ALL) * grown[-1]
    return values[low.argmax(axis=0)], values[high.argmax(axis=0)]


def nearest_guess(guess: Floats, low: Floats, high: Floats, room: float, linear: Floats) -> Floats:
    """Guesses; where one window holds all that is believed possible, which it often does where there is little noise,
    the one of such windows that is nearest to the linear guess.

    Any of them is as good by what is believed. But somebody's value need not be among those that are known of others,
    and the linear guess is the one that knows of no values.

    Parameters
    ----------
    guess : numpy.ndarray, shape (copies,)
        Where several values that lie apart are believed possible.
    low, high : numpy.ndarray, shape (copies,)
        `possible_range`.
    room : float
        How far from a guess a cell may lie.
    linear : numpy.ndarray, shape (copies,)
    """
    inside = high - low <= 2 * room * (1 + ROUNDING)
    found: Floats = np.where(inside, np.minimum(np.maximum(linear, high - room), low + room), guess)
    return found


def is_strange(copies: Floats, possible: Floats, sigma: float) -> Bools:
    """Which copies are further from all values that are believed possible than noise takes them: somebody has a value
    that nobody knew of, and the copy itself tells best which.

    Parameters
    ----------
    copies : numpy.ndarray, shape (copies,)
    possible : numpy.ndarray, shape (values,)
        In ascending order.
    sigma : float
        Standard deviation of the noise.
    """
    strange: Bools = apart(copies, possible) > STRANGE * sigma
    return strange


def apart(copies: Floats, possible: Floats) -> Floats:
    """How far each copy is from the nearest of some values, which ascend."""
    after = np.searchsorted(possible, copies)
    near = possible[[np.maximum(after - 1, 0), np.minimum(after, len(possible) - 1)]]
    return np.asarray(np.abs(near - copies).min(axis=0))


def common_window(values: ArrayLike, within: float) -> tuple[float, float]:
    """The window of width 2 d that holds most values, and the share of them that it holds."""
    ordered = np.sort(np.asarray(values, dtype=float))
    reach = ordered + 2 * within + ROUNDING * (np.abs(ordered) + within)
    inside = np.searchsorted(ordered, reach, side="right") - np.arange(len(ordered))
    first = int(np.argmax(inside))
    return float((ordered[first] + ordered[first + inside[first] - 1]) / 2), float(inside[first] / len(ordered))


def is_common(values: ArrayLike, shares: ArrayLike, within: float) -> Bools:
    """Which values are so common that somebody who sees no copy may well guess them.

    Parameters
    ----------
    values, shares : array-like, shape (values,)
    within : float
        The distance d of a guess.

    Returns
    -------
    numpy.ndarray of bool, shape (values,)
        Whether a constant guess that is right for the value is right for half as many people as the best one.
    """
    v, p = np.asarray(values, dtype=float), np.asarray(shares, dtype=float)
    order = np.argsort(v, kind="stable")
    ordered, grown = v[order], np.concatenate([[0.0], np.cumsum(p[order])])
    slack = ROUNDING * (np.abs(ordered) + within)
    beyond = np.searchsorted(ordered, ordered + 2 * within + slack, side="right")
    held = grown[beyond] - grown[:-1]
    # Each window that holds enough makes all values in it common.
    much = np.flatnonzero(held >= COMMON * held.max())
    marks = np.zeros(len(v) + 1)
    np.add.at(marks, much, 1.0)
    np.add.at(marks, beyond[much], -1.0)
    common = np.empty(len(v), dtype=bool)
    common[order] = np.cumsum(marks)[:-1] > 0.5
    return common
