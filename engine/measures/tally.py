"""How well one attack does, gathered chunk by chunk without keeping the errors."""

from functools import lru_cache

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.measures.breach import breached

ROUNDING = 1e-9


def even_counts(values: Floats, edges: Floats) -> Integers:
    """Counts of numbers between evenly spaced edges (`numpy.linspace`), the last edge included.

    As `numpy.histogram` counts them, in half of its time for some thousand numbers.
    """
    bins, first, last = len(edges) - 1, edges[0], edges[-1]
    if not last > first:
        return np.histogram(values, bins, (first, last))[0]
    inside = values[(values >= first) & (values <= last)]
    place = ((inside - first) * (bins / (last - first))).astype(np.intp)
    np.minimum(place, bins - 1, out=place)
    # Rounding may have put a number beside its place.
    place -= inside < edges[place]
    place += (inside >= edges[place + 1]) & (place < bins - 1)
    return np.bincount(place, minlength=bins)


@lru_cache(64)
def _edges(top: float, bins: int) -> Floats:
    edges = np.linspace(0.0, top, bins + 1)
    edges.flags.writeable = False
    return edges


class AttackTally:
    """Normalised error with its standard error, one attribute's error distribution, and the share of breaches.

    Parameters
    ----------
    weights : array-like, shape (N,)
        What a squared error of each attribute counts. With weights that give the variances the sum 1 the error is
        normalised: 0 for the data itself, 1 for guessing the mean. 1 / Tr(K_X) for all of them is N D / Tr(K_X);
        1 / (N variance) counts attributes alike whatever their units.
    attribute : int
        The attribute whose errors are counted in the histogram.
    top, bins : float, int
        The histogram of the size of the error runs from 0 to `top`; larger errors count as seen, in no bin.
    eps, kind : float, str
        When an estimate is a breach, as in `engine.measures.breached`; "absolute" looks at `attribute` alone.

    Attributes
    ----------
    rows : int
        Rows seen.
    counts : numpy.ndarray, shape (bins,)
    """

    def __init__(self, *, weights: ArrayLike, attribute: int, top: float, bins: int, eps: float, kind: str) -> None:
        self._weights = np.asarray(weights, dtype=float)
        self._attribute = attribute
        self._breach = (eps, kind)
        self.edges = _edges(float(top), bins)
        self.counts = np.zeros(bins, dtype=int)
        self.rows = 0
        self._sum = self._squares = 0.0
        self._breached = 0

    def add(self, x: Floats, estimate: Floats, guess: Floats | None = None) -> None:
        """Take in the estimates of a chunk of rows, both of shape (rows, N).

        `guess` are other guesses of the attribute, of shape (rows,), or of whole records, of shape (rows, N): those of
        somebody who wants to hit, while the estimates are those of somebody who wants to err little.
        """
        a = self._attribute
        error = estimate - x
        by_row = error**2 @ self._weights
        self.rows += len(x)
        self._sum += by_row.sum()
        self._squares += by_row @ by_row
        guessed = estimate if guess is None else guess
        size = np.abs((guessed if guessed.ndim == 1 else guessed[:, a]) - x[:, a])
        self.counts += even_counts(size, self.edges)
        eps, kind = self._breach
        if kind == "absolute":
            # What is exactly eps away is a hit, whatever the rounding.
            self._breached += int(np.count_nonzero(size <= eps + ROUNDING * (np.abs(x[:, a]) + eps)))
        else:
            self._breached += int(np.count_nonzero(breached(x, guessed, eps, kind)))

    @property
    def error(self) -> float:
        """Measured normalised error."""
        return self._sum / self.rows

    @property
    def standard_error(self) -> float:
        """Standard error of `error` over independent rows."""
        return float(np.sqrt(max(self._squares / self.rows - self.error**2, 0.0) / self.rows))

    @property
    def cumulative(self) -> Floats:
        """Share of rows whose error is at most each edge, shape (bins + 1,)."""
        return np.concatenate([[0.0], np.cumsum(self.counts) / self.rows])

    @property
    def breach_rate(self) -> float:
        """Share of rows that are breached."""
        return self._breached / self.rows
