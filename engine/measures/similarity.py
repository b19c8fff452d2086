"""How differently data and noise are correlated (Huang et al. 2005, Definition 8.1)."""

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.tables import as_numbers
from trustscope.errors import TrustscopeError

KINDS = ("printed", "rms")


def correlation_dissimilarity(
    x: ArrayLike, noise: ArrayLike, *, kind: str = "printed", covariances: bool = False
) -> float:
    """Difference between the correlations of data and of noise.

    With C_X and C_R the correlation matrices of m attributes and S the sum over i != j of
    (C_X(i, j) - C_R(i, j))^2,

        printed  sqrt(S) / (m^2 - m),    rms  sqrt(S / (m^2 - m)).

    The first is the definition as it is printed; it shrinks as attributes are added. The second is the root
    mean square difference of two correlations.

    Parameters
    ----------
    x, noise : array-like, shape (rows, m)
        Need not have as many rows as each other.
    kind : {"printed", "rms"}
    covariances : bool
        Whether `x` and `noise` are covariance matrices, shape (m, m), not rows.

    Returns
    -------
    float
        An attribute without variance is correlated with nothing. One attribute has no correlations: 0.
    """
    if kind not in KINDS:
        raise TrustscopeError(f"The kind of dissimilarity must be one of {', '.join(KINDS)}, not {kind!r}.")
    first, second = (_correlations(given, covariances) for given in (x, noise))
    if first.shape != second.shape:
        raise TrustscopeError(f"Data and noise must have as many attributes, not {len(first)} and {len(second)}.")
    size = len(first)
    if size < 2:
        return 0.0
    # The diagonals are 1, or 0 without variance, and do not count.
    difference = (first - second)[~np.eye(size, dtype=bool)]
    root, pairs = np.sqrt(np.sum(difference**2)), size**2 - size
    return float(root / pairs if kind == "printed" else root / np.sqrt(pairs))


def _correlations(given: ArrayLike, covariances: bool) -> Floats:
    matrix = as_numbers(given, "rows")
    if matrix.ndim != 2 or not matrix.size or not np.all(np.isfinite(matrix)):
        raise TrustscopeError("Correlations need two dimensions and finite numbers.")
    if not covariances:
        if len(matrix) < 2:
            raise TrustscopeError("One row has no correlations: give more rows, or covariances.")
        matrix = np.atleast_2d(np.cov(matrix, rowvar=False))
    elif matrix.shape[0] != matrix.shape[1]:
        raise TrustscopeError(f"A covariance must be a square matrix, but its shape is {matrix.shape}.")
    scale = np.sqrt(np.maximum(np.diag(matrix), 0))
    # What rounding leaves of a constant column is not variance.
    there = scale > 1e-12 * scale.max(initial=0)
    safe = np.where(there, scale, 1)
    return np.where(np.outer(there, there), matrix / np.outer(safe, safe), 0.0)
