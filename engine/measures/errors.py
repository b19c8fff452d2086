"""How far an estimate is from the data: mean squares, and the distribution of the error.

Missing and infinite values are refused by all of them. Two tables of pandas are compared by their index and their
names, whatever the order of their rows; where one of the two is an array, row by row as they stand.
"""

from typing import Literal, overload

import numpy as np
import pandas as pd

from trustscope.engine.arrays import ArrayLike, Floats, Numbers
from trustscope.engine.tables import aligned, as_numbers, as_table
from trustscope.errors import TrustscopeError


def pair(x: ArrayLike, estimate: ArrayLike) -> tuple[Floats, Floats]:
    """Data and estimate as float arrays of one shape (rows, N), which hold finite numbers.

    Gaps are refused: whatever a measure said of them would be of other rows than was asked for.
    """
    if isinstance(x, pd.DataFrame | pd.Series) and isinstance(estimate, pd.DataFrame | pd.Series):
        x, estimate = aligned([x, estimate], "Data and estimate")
    a, b = as_table(x, "data", flat=True), as_table(estimate, "estimate", flat=True)
    if a.shape != b.shape:
        raise TrustscopeError(f"Data and estimate must have one shape, not {np.shape(x)} and {np.shape(estimate)}.")
    return a, b


def distortion(x: ArrayLike, y: ArrayLike) -> float:
    """Mean square difference over rows and attributes, the D(X, Y) of Li et al. (2012), Sec. 3.3.1.

    Parameters
    ----------
    x, y : array-like, shape (rows, N) or (rows,)

    Returns
    -------
    float
    """
    a, b = pair(x, y)
    return float(np.mean((a - b) ** 2))


@overload
def normalised_error(
    x: ArrayLike, estimate: ArrayLike, variance: ArrayLike | None = None, *, per_attribute: Literal[False] = False
) -> float: ...


@overload
def normalised_error(
    x: ArrayLike, estimate: ArrayLike, variance: ArrayLike | None = None, *, per_attribute: Literal[True]
) -> Floats: ...


def normalised_error(
    x: ArrayLike, estimate: ArrayLike, variance: ArrayLike | None = None, *, per_attribute: bool = False
) -> Numbers:
    """Mean square error relative to the variance of the data: 0 is the data, 1 is guessing the mean.

    Parameters
    ----------
    x, estimate : array-like, shape (rows, N) or (rows,)
    variance : float or array-like, shape (N,), optional
        Variances of the attributes, the diagonal of K_X; those of `x` by default.
    per_attribute : bool
        False: N D / Tr(K_X), all squares over all variances, so attributes with large units weigh more (Li et
        al. print D / Tr(K_X), whose top is 1 / N). True: each attribute's own ratio.

    Returns
    -------
    float or numpy.ndarray, shape (N,)
        Attributes without variance: 0 if recovered exactly, otherwise infinite.
    """
    a, b = pair(x, estimate)
    var = a.var(axis=0) if variance is None else _variances(variance, a.shape[1])
    square = np.mean((a - b) ** 2, axis=0)
    if not per_attribute:
        square, var = square.sum(), var.sum()
    ratio = np.divide(square, var, out=np.where(np.asarray(square) > 0, np.inf, 0.0), where=np.asarray(var) > 0)
    return ratio if per_attribute else float(ratio)


def _variances(variance: ArrayLike, columns: int) -> Floats:
    """A variance for each attribute, shape (N,)."""
    given = as_numbers(variance, "variances")
    if given.shape not in ((), (1,), (columns,)):
        raise TrustscopeError(f"Give one variance, or {columns}, one for each attribute: not the shape {given.shape}.")
    if not np.all(np.isfinite(given) & (given >= 0)):
        raise TrustscopeError(f"A variance must be a finite number that is not negative, but it is {variance}.")  # type: ignore[str-bytes-safe]
    return np.broadcast_to(given, (columns,))


def error_histogram(
    errors: ArrayLike, bins: ArrayLike = 50, range: tuple[float, float] | None = None
) -> tuple[Floats, Floats, Floats]:
    """Histogram of the size of the errors and its cumulative, as in Fig. 3 of Li et al. (2012).

    Parameters
    ----------
    errors : array-like
        Errors of any sign; their absolute values count.
    bins : int or array-like
        Number of bins, or their edges.
    range : tuple of float, optional
        Lowest and highest edge; from 0 to the largest error by default.

    Returns
    -------
    counts : numpy.ndarray, shape (B,)
    edges : numpy.ndarray, shape (B + 1,)
    cumulative : numpy.ndarray, shape (B,)
        Share of all errors at most as large as each bin's upper edge, those outside the edges included.
    """
    size = np.abs(as_numbers(errors, "errors")).ravel()
    if not size.size or not np.all(np.isfinite(size)):
        raise TrustscopeError("A histogram needs at least one error, and finite ones.")
    if np.ndim(bins) == 0 and range is None:
        range = (0.0, size.max() or 1.0)
    counts, edges = np.histogram(size, bins=bins, range=range)
    return counts, edges, (np.count_nonzero(size < edges[0]) + np.cumsum(counts)) / size.size
