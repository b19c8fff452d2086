"""The best guess of one column from one noisy copy of it alone: exact, by adding up over values and over copies.

Notation: the copy y = v + noise of standard deviation sigma; q(v) the shares of the values as the attacker takes them
to be. Given y the posterior is q(v) phi((y - v) / sigma) over its sum, and the guess within d is the window with most
of it. For somebody whose value is v it is right with probability

    integral phi((y - v) / sigma) / sigma  1[v in window(y)] dy,

the integral taken over a grid of copies. With q the true shares nobody who sees this copy alone does better on average.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.attacks.optimal.cells import ROUNDING, Cells, apart, is_strange, nearest_guess, possible_range
from trustscope.engine.attacks.optimal.mixture import Guesses

STEPS = 8  # copies looked at in one standard deviation of the noise
REACH = 5.0  # standard deviations beyond which no copy is looked for: one in two million
BEYOND = 9.0  # standard deviations beyond which nothing is seen of a value: 1 in 10^18
MOST = 6_000  # copies looked at; of a column with a long tail, those near some value
BLOCK = 2**16  # weights held at a time: as many as a core has at hand


@dataclass(frozen=True)
class Single:
    """What the best guess of one column achieves.

    Attributes
    ----------
    values, shares : numpy.ndarray, shape (values,)
        What people have, and how many of them.
    risks : numpy.ndarray, shape (distances, values)
        For somebody with this value: the chance that it is guessed to within each distance.
    squares : numpy.ndarray, shape (values,)
        For somebody with this value: the expected square error of the conditional mean.
    """

    values: Floats
    shares: Floats
    risks: Floats
    squares: Floats

    @property
    def hits(self) -> Floats:
        """Share of the people guessed to within each distance, shape (distances,)."""
        return self.risks @ self.shares

    @property
    def error(self) -> float:
        """Mean square error of the conditional mean."""
        return float(self.squares @ self.shares)


def single(
    cells: Cells, believed: ArrayLike, values: ArrayLike, shares: ArrayLike, sigma: float, within: ArrayLike
) -> Single:
    """The best guess of a column from one copy of it.

    Parameters
    ----------
    cells, believed : Cells and array-like, shape (cells,)
        The values that the attacker takes to be possible, and their shares q.
    values, shares : array-like, shape (values,)
        The values that people have, and their shares.
    sigma : float
        Standard deviation of the noise; 0: the copy is exact. Infinite: there is no copy.
    within : array-like, shape (distances,)

    Returns
    -------
    Single
    """
    v, p = np.asarray(values, dtype=float), np.asarray(shares, dtype=float)
    distances = np.atleast_1d(np.asarray(within, dtype=float))
    risks, squares = np.zeros((len(distances), len(v))), np.zeros(len(v))
    if sigma == 0:
        return Single(v, p, np.ones_like(risks), squares)
    guesser = ByItself(cells, believed, sigma, distances)
    for copies, step in _copies(v, sigma, max(len(v), len(cells.values))):
        # Of what lies far from all these copies nothing is seen in them: with little noise that is nearly everything.
        mine = _around(v, copies, BEYOND * sigma)
        people = v[mine]
        chance = _chances(copies, people, sigma, step)
        guess, windows, _ = guesser.of_sorted(copies)
        off = people - guess[:, None]
        off *= off
        squares[mine] += np.einsum("cv,cv->v", chance, off)
        seen = np.zeros((len(copies) + 1, len(people)))
        np.cumsum(chance, axis=0, out=seen[1:])
        for d, distance in enumerate(distances):
            risks[d, mine] += _guessed(people, distance, windows[d], chance, seen)
    return Single(v, p, np.clip(risks, 0, 1), squares)


class ByItself:
    """The best guesses of one column from the copies of it alone: those that `single` counts.

    Parameters
    ----------
    cells, believed : Cells and array-like, shape (cells,)
        The values that the attacker takes to be possible, and their shares q.
    sigma : float
        Standard deviation of the noise.
    within : numpy.ndarray, shape (distances,)
    column : int
        Which it is in copies of whole rows.
    """

    def __init__(self, cells: Cells, believed: ArrayLike, sigma: float, within: Floats, column: int = 0) -> None:
        self.cells, self.sigma, self.within, self.column = cells, sigma, within, column
        self.believed = q = np.asarray(believed, dtype=float)
        self._mean = float(q @ cells.values)
        variance = float(q @ (cells.values - self._mean) ** 2)
        self._linear = variance / (variance + sigma**2) if variance else 0.0
        self._reaches = [cells.reach(d) for d in within]

    def guess(self, rows: Floats) -> Guesses:
        """The guesses from copies of whole rows; what has no noise is itself the guess."""
        y = rows[:, self.column]
        windows, chances = np.repeat(y[:, None], len(self.within), axis=1), np.ones((len(y), len(self.within)))
        means, order = y.copy(), np.argsort(y, kind="stable")
        size = max(1, BLOCK // len(self.cells.values))
        for start in range(0, len(y) if self.sigma > 0 else 0, size):
            some = order[start : start + size]
            means[some], found, held = self.of_sorted(y[some])
            windows[some], chances[some] = np.transpose(found), np.transpose(held)
        return Guesses(windows, chances, means)

    def believed_from(self, copy: float) -> Floats:
        """What is believed of each cell from one copy, shape (cells,)."""
        if self.sigma == 0 or is_strange(np.array([copy]), self.cells.values[self.believed > 0], self.sigma)[0]:
            return np.asarray(np.arange(len(self.cells.values)) == self.cells.place(copy), dtype=float)
        mass = self.believed * _chances(np.array([copy]), self.cells.values, self.sigma, 1.0)[0]
        return np.asarray(mass / mass.sum())

    def of_sorted(self, copies: Floats) -> tuple[Floats, list[Floats], list[Floats]]:
        """From copies in ascending order the conditional means, the windows for each distance, and how much of what is
        believed these hold; above `sigma` 0."""
        cells, q, sigma = self.cells, self.believed, self.sigma
        near = _believed_around(cells.values, q, copies, sigma)
        here = cells.values[near]
        mass = q[near] * _chances(copies, here, sigma, 1.0)
        total = mass.sum(axis=1)
        lost = is_strange(copies, cells.values[q > 0], sigma) | ~(total > 0)
        means = np.divide(mass @ here, total, out=copies.copy(), where=~lost)
        grown = np.zeros((len(mass), len(here) + 1))
        np.cumsum(mass, axis=1, out=grown[:, 1:])
        low, high = possible_range(here, grown.T)
        windows, chances = [], []
        for reach, distance in zip(self._reaches, self.within, strict=True):
            begin, end = _beginnings(reach[near] - near.start, len(here))
            held = grown[:, end] - grown[:, begin]
            first = np.argmax(held, axis=1)
            last = (first + end.start if isinstance(end, slice) else end[first]) - 1
            middle = (here[first] + here[last]) / 2
            if self._linear:  # there is a copy
                straight = self._mean + self._linear * (copies - self._mean)
                middle = nearest_guess(middle, low, high, cells.room(distance), straight)
            windows.append(np.where(lost, copies, middle))
            chances.append(np.divide(held[np.arange(len(held)), first], total, out=np.ones(len(held)), where=~lost))
        return means, windows, chances


def _around(values: Floats, copies: Floats, reach: float) -> slice:
    """Which of some values, in ascending order, lie within reach of copies in ascending order."""
    low, high = copies[0] - reach, copies[-1] + reach
    if low <= values[0] and values[-1] <= high:
        return slice(0, len(values))
    return slice(*np.searchsorted(values, [low, high]))


def _believed_around(values: Floats, q: Floats, copies: Floats, sigma: float) -> slice:
    """Which of the values that are believed possible matter to what is believed, given these copies.

    With the nearest of them at a distance a from a copy, one at sqrt(a^2 + b^2) weighs exp(-b^2 / (2 sigma^2)) of it.
    """
    near = _around(values, copies, BEYOND * sigma)
    if near.stop - near.start == len(values):
        return near
    return _around(values, copies, float(np.hypot(apart(copies, values[q > 0]).max(), BEYOND * sigma)))


def _beginnings(reach: Integers, cells: int) -> tuple[slice, slice | Integers]:
    """Where windows begin and end among the sums up to each cell. Of those that reach the last cell only the first is
    looked at, which holds the most; where cells have one width, all windows are equally long: slices, which are quick.
    """
    reach = reach[: int(np.searchsorted(reach, cells)) + 1]
    if reach[-1] > cells:
        reach[-1] = cells
    length = int(reach[0])
    if np.array_equal(reach, np.arange(length, length + len(reach))):
        return slice(len(reach)), slice(length, length + len(reach))
    return slice(len(reach)), reach


def _guessed(v: Floats, d: float, middle: Floats, chance: Floats, seen: Floats) -> Floats:
    """For each value, the sum of the chances of those copies whose window holds it.

    `seen` has the sums of the chances up to each copy: a window moves up with the copy, so a value is held by copies
    that follow one another, and two of the sums say how much that is.
    """
    slack = ROUNDING * np.abs(v)
    reach = d + ROUNDING * d
    low, high = np.searchsorted(v + slack, middle - reach), np.searchsorted(v - slack, middle + reach, side="right")
    places = np.arange(len(v))
    if (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all():
        begun, over = np.searchsorted(low, places, side="right"), np.searchsorted(high, places, side="right")
        return np.asarray(seen[begun, places] - seen[over, places])
    held = (low[:, None] <= places) & (places < high[:, None])
    return np.asarray(np.einsum("cv,cv->v", chance, held))


def _chances(copies: Floats, values: Floats, sigma: float, step: float) -> Floats:
    """Probability of a copy in the piece of the axis around each of these, shape (copies, values)."""
    if not np.isfinite(sigma):
        return np.ones((1, len(values)))
    chances = copies[:, None] - values
    chances /= sigma
    chances *= chances
    chances *= -0.5
    np.exp(chances, out=chances)
    chances *= step / (sigma * np.sqrt(2 * np.pi))
    return chances


def _copies(values: Floats, sigma: float, wide: int) -> Iterator[tuple[Floats, float]]:
    """Copies to look at, some at a time, and the length of the piece of the axis that each stands for."""
    if not np.isfinite(sigma):
        yield np.zeros(1), 1.0
        return
    step = sigma / STEPS
    reach = int(np.ceil(REACH * STEPS))
    near = np.unique(np.round(values / step))
    places = np.arange(near[0] - reach, near[-1] + reach + 1) if near[-1] - near[0] + 2 * reach <= MOST else None
    if places is None:  # a long tail: only copies near some value matter
        places = np.unique((near[:, None] + np.arange(-reach, reach + 1)).ravel())
    size = max(1, BLOCK // wide)
    for start in range(0, len(places), size):
        yield places[start : start + size] * step, step


def smoothed(cells: Cells, shares: ArrayLike, share: float) -> Floats:
    """Shares of the cells, smoothed without moving mean or variance: each value becomes a normal law around it.

    Parameters
    ----------
    cells : Cells
    shares : array-like, shape (cells,)
    share : float
        h, from 0 (as they are) to 1 (one normal law).
    """
    q = np.asarray(shares, dtype=float)
    mean = float(q @ cells.values)
    sd = float(np.sqrt(q @ (cells.values - mean) ** 2))
    if share == 0 or sd == 0:
        return q
    used = np.flatnonzero(q)
    centres = mean + np.sqrt(1 - share**2) * (cells.values[used] - mean)
    edges = np.concatenate([[-np.inf], (cells.values[1:] + cells.values[:-1]) / 2, [np.inf]])
    below = ndtr((edges - centres[:, None]) / (share * sd))
    return np.asarray(q[used] @ np.diff(below, axis=1))
