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

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.attacks.optimal.cells import ROUNDING, Cells

STEPS = 8  # copies looked at in one standard deviation of the noise
REACH = 5.0  # standard deviations beyond which no copy is looked for: one in two million
MOST = 6_000  # copies looked at; of a column with a long tail, those near some value
BLOCK = 2**21  # weights held at a time


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
    q, distances = np.asarray(believed, dtype=float), np.atleast_1d(np.asarray(within, dtype=float))
    risks, squares = np.zeros((len(distances), len(v))), np.zeros(len(v))
    if sigma == 0:
        return Single(v, p, np.ones_like(risks), squares)
    beyond = [cells.reach(d) for d in distances]
    for copies, step in _copies(v, sigma):
        chance = _chances(copies, v, sigma, step)
        mass = q * _chances(copies, cells.values, sigma, 1.0)
        total = mass.sum(axis=1)
        # A copy that lies far from all that is believed possible tells itself what to guess.
        lost = ~(total > 0)
        guess = np.divide(mass @ cells.values, total, out=copies.copy(), where=~lost)
        squares += (chance * (v - guess[:, None]) ** 2).sum(axis=0)
        grown = np.zeros((len(mass), len(q) + 1))
        np.cumsum(mass, axis=1, out=grown[:, 1:])
        for d, reach in enumerate(beyond):
            first = np.argmax(grown[:, reach] - grown[:, :-1], axis=1)
            middle = np.where(lost, copies, (cells.values[first] + cells.values[reach[first] - 1]) / 2)
            risks[d] += (chance * (np.abs(v - middle[:, None]) <= distances[d] + _slack(v, distances[d]))).sum(axis=0)
    return Single(v, p, np.clip(risks, 0, 1), squares)


def _slack(values: Floats, d: float) -> Floats:
    return ROUNDING * (np.abs(values) + d)


def _chances(copies: Floats, values: Floats, sigma: float, step: float) -> Floats:
    """Probability of a copy in the piece of the axis around each of these, shape (copies, values)."""
    if not np.isfinite(sigma):
        return np.ones((1, len(values)))
    apart = (copies[:, None] - values) / sigma
    return np.asarray(np.exp(-0.5 * apart**2) * (step / (sigma * np.sqrt(2 * np.pi))))


def _copies(values: Floats, sigma: float) -> Iterator[tuple[Floats, float]]:
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
    size = max(1, BLOCK // len(values))
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
