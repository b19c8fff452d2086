"""How sure an attacker can be of the direction of each axis."""

import numpy as np

MOST = 1_000  # rows of either side that are compared


def certainty(sample: np.ndarray, released: np.ndarray) -> np.ndarray:
    """By how many standard errors sample and release are further apart with one axis mirrored.

    The mean distance between the two is what chooses signs. Mirrored along one axis it changes by a mean over pairs
    of rows, whose standard error is that of a two-sample statistic: the variances over the rows of either side, each
    over its number. Of data that look the same mirrored the result is about normal around 0.

    Parameters
    ----------
    sample, released : numpy.ndarray, shapes (q, n) and (m, n)
        Coordinates along the axes, in the directions that were chosen.

    Returns
    -------
    numpy.ndarray, shape (n,)
        Infinite where there is a difference and no spread.
    """
    s, w = (table[np.linspace(0, len(table) - 1, min(len(table), MOST)).astype(int)] for table in (sample, released))
    squares = np.sum(s**2, axis=1)[:, None] + np.sum(w**2, axis=1) - 2 * s @ w.T
    apart = np.sqrt(np.maximum(squares, 0))
    found = np.empty(s.shape[1])
    for axis in range(s.shape[1]):
        more = np.sqrt(np.maximum(squares + 4 * np.outer(s[:, axis], w[:, axis]), 0)) - apart
        variance = more.mean(axis=1).var(ddof=1) / len(s) + more.mean(axis=0).var(ddof=1) / len(w)
        mean = more.mean()
        found[axis] = mean / np.sqrt(variance) if variance > 0 else np.inf if mean > 0 else 0.0
    return found
