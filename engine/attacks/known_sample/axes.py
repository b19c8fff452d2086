"""Principal axes of sample and release, and what says how well they can be matched (Giannella et al. 2009, Sec. V)."""

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError

__all__ = ["eigen_ratio", "invariance", "principal_axes"]

# In tables with more columns, a few axes are computed without the covariance of all columns.
WIDE = 100


def principal_axes(table: ArrayLike, count: int | None = None, *, about_origin: bool = False) -> tuple[Floats, Floats]:
    """Eigenvalues of the sample covariance from the largest down, and their eigenvectors in columns.

    Parameters
    ----------
    table : array-like, shape (rows, n), of at least two rows
    count : int, optional
        Only the first so many.
    about_origin : bool
        Second moments about the origin instead of the mean: the direction of a large mean becomes an axis.

    Returns
    -------
    values : numpy.ndarray, shape (count,)
    axes : numpy.ndarray, shape (n, count)
    """
    table = as_table(table, "data", rows=2)
    count = table.shape[1] if count is None else count
    centred, rows = (table, len(table)) if about_origin else (table - table.mean(axis=0), len(table) - 1)
    if table.shape[1] > WIDE and 4 * count <= min(table.shape):
        from sklearn.utils.extmath import randomized_svd  # see `engine.utility`

        # A projection has few axes in many columns: found without the covariance of all of them.
        _, sizes, right = randomized_svd(centred, count, n_iter=8, random_state=0)
        return sizes**2 / rows, right.T
    if len(table) < table.shape[1]:
        # With fewer rows than columns their Gram matrix is the smaller one.
        _, sizes, right = np.linalg.svd(centred, full_matrices=count > len(table))
        values = np.zeros(len(right))
        values[: len(sizes)] = sizes**2 / rows
        return values[:count], right[:count].T
    values, vectors = np.linalg.eigh(centred.T @ centred / rows)
    return np.maximum(values[::-1][:count], 0), vectors[:, ::-1][:, :count]


def eigen_ratio(eigenvalues: ArrayLike) -> float:
    """The smallest ratio of an eigenvalue to the next smaller one, lambda_i / lambda_{i+1}.

    Near 1 two axes cannot be told apart. (The paper takes the least ratio over all pairs, but its figures are
    these: 19.60 for its Gaussian set.)

    Parameters
    ----------
    eigenvalues : array-like, shape (n,)

    Returns
    -------
    float
        Infinite for one axis, or if only zeros follow.
    """
    values = np.sort(np.asarray(eigenvalues, dtype=float))[::-1]
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values)) or values[-1] < 0:
        raise TrustscopeError("Eigenvalues must be finite numbers that are not negative, and at least one.")
    if len(values) == 1:
        return float("inf")
    # Two zeros are equal.
    ratios = np.divide(
        values[:-1], values[1:], out=np.where(values[:-1] > 0, np.inf, 1.0), where=values[1:] > 1e-12 * values[0]
    )
    return float(ratios.min())


def invariance(mean: ArrayLike, covariance: ArrayLike) -> float:
    """How far normal data are from not changing when one principal axis is flipped: Inv(f), Eq. 8 and 9.

    The symmetric Kullback-Leibler divergence between the data and their best mirror image,

        Inv(f) = 4 min_i (z_i' mu)^2 / lambda_i.

    At 0 the right flip cannot be told from the wrong one.

    Parameters
    ----------
    mean : array-like, shape (n,)
    covariance : array-like, shape (n, n)

    Returns
    -------
    float
    """
    mu, matrix = np.atleast_1d(np.asarray(mean, dtype=float)), np.atleast_2d(np.asarray(covariance, dtype=float))
    if not (np.all(np.isfinite(mu)) and np.all(np.isfinite(matrix))):
        raise TrustscopeError("Mean and covariance must be finite numbers.")
    if mu.ndim != 1 or matrix.shape != (mu.size, mu.size):
        raise TrustscopeError(
            f"A mean of {mu.size} values needs a {mu.size} x {mu.size} covariance, not {matrix.shape}."
        )
    values, axes = np.linalg.eigh(matrix)
    if values[0] <= 0:
        raise TrustscopeError("The covariance must be invertible.")
    return float(4 * np.min((axes.T @ mu) ** 2 / values))
