"""Mean square errors of the attackers in closed form, where there is one.

All take Sigma_x and Sigma_r and return the mean over the attributes, or one error for each. For white noise of
variance s2, eigenvalues lambda of Sigma_x and variances a of the attributes they become

    NDR  s2;   UDR  mean of a s2 / (a + s2);   PCA  (p s2 + sum of the dropped lambda) / m;
    BE   mean of lambda s2 / (lambda + s2).
"""

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Numbers
from trustscope.engine.attacks.reconstruction.inputs import as_matrix, descending
from trustscope.engine.attacks.reconstruction.linear import components_kept, whitened


def noise_distribution_error(
    covariance: ArrayLike, noise_covariance: ArrayLike, *, per_attribute: bool = False
) -> Numbers:
    """Error of NDR: the variances of the noise, whatever the data.

    Parameters
    ----------
    covariance : array-like, shape (m, m)
        Sigma_x.
    noise_covariance : float or array-like, shape (m,) or (m, m)
        Sigma_r.
    per_attribute : bool

    Returns
    -------
    float or numpy.ndarray, shape (m,)
    """
    _, noise = _both(covariance, noise_covariance)
    return _given(np.diag(noise), per_attribute)


def univariate_error(covariance: ArrayLike, noise_covariance: ArrayLike, *, per_attribute: bool = False) -> Numbers:
    """Error of UDR for normal data, a s2 / (a + s2) for an attribute of variance a.

    For other data of that variance the error is at most this: the best estimate is no worse than the best
    linear one. Parameters as in `noise_distribution_error`.
    """
    own, noise = (np.diag(matrix) for matrix in _both(covariance, noise_covariance))
    total = own + noise
    return _given(np.divide(own * noise, total, out=np.zeros(len(own)), where=total > 0), per_attribute)


def principal_components_error(
    covariance: ArrayLike, noise_covariance: ArrayLike, *, keep: str | int | float = "gap", per_attribute: bool = False
) -> Numbers:
    """Error of PCA-DR with the true eigenvectors: the noise that is kept and the data that are dropped.

    With P the projection on the kept components, the diagonal of P Sigma_r P + (I - P) Sigma_x (I - P). For
    white noise the first part is s2 p / m on average (Theorem 5.2 of Huang et al. 2005). Parameters as in
    `noise_distribution_error`, and `keep` as in `principal_components`.
    """
    own, noise = _both(covariance, noise_covariance)
    values, vectors = descending(own)
    count = components_kept(values, keep)
    kept, dropped = vectors[:, :count], vectors[:, count:]
    errors = np.einsum("ij,ij->i", kept @ (kept.T @ noise @ kept), kept) + dropped**2 @ np.maximum(values[count:], 0)
    return _given(errors, per_attribute)


def bayes_error(
    covariance: ArrayLike, noise_covariance: ArrayLike, *, rows: int | None = None, per_attribute: bool = False
) -> Numbers:
    """Error of BE-DR, the diagonal of Sigma_r - Sigma_r Sigma_y^-1 Sigma_r, and what estimation adds.

    Parameters
    ----------
    covariance, noise_covariance, per_attribute
        As in `noise_distribution_error`.
    rows : int, optional
        n: the attacker estimates mean and covariance from so many released rows, which adds `bayes_excess`.
        None: it knows them.

    Returns
    -------
    float or numpy.ndarray, shape (m,)
        With `rows`, for gains that are not clipped; clipping makes it less.
    """
    own, noise = _both(covariance, noise_covariance)
    removed = _removed(own + noise, noise)
    errors = np.maximum(np.diag(noise) - removed, 0) + (0 if rows is None else _factor(len(own), rows) * removed)
    return _given(errors, per_attribute)


def bayes_excess(
    covariance: ArrayLike, noise_covariance: ArrayLike, rows: int, *, per_attribute: bool = False
) -> Numbers:
    """What estimating mean and covariance from n released rows adds to the error of BE-DR.

    With D = Sigma_r Sigma_y^-1 Sigma_r, exactly (normal data, gains not clipped)

        diag(D) ((n - 1) / n (m + 1) / (n - m - 2) + 1 / n),

    since the error of the perfect attacker is independent of all that was released, and the sample covariance
    S of n rows has E[S^-1] = (n - 1) / (n - m - 2) Sigma_y^-1. Where the noise is large beside most of the
    eigenvalues D is nearly Sigma_r, and this is about s2 m / n: with many attributes and few rows the Bayes
    estimate falls behind PCA-DR, which estimates only a few directions.

    Returns
    -------
    float or numpy.ndarray, shape (m,)
        Infinite unless n > m + 2.
    """
    own, noise = _both(covariance, noise_covariance)
    return _given(_factor(len(own), rows) * _removed(own + noise, noise), per_attribute)


def guess_error(covariance: ArrayLike, noise_covariance: ArrayLike = 0.0, *, per_attribute: bool = False) -> Numbers:
    """Error of guessing the mean, without looking at the copy: the variances of the data."""
    own, _ = _both(covariance, noise_covariance)
    return _given(np.diag(own), per_attribute)


def _removed(released: Floats, noise: Floats) -> Floats:
    """Diagonal of Sigma_r Sigma_y^-1 Sigma_r."""
    _, back, ratios = whitened(released, noise)
    return (back**2).T @ ratios**2


def _factor(columns: int, rows: int) -> float:
    if rows <= columns + 2:
        return np.inf
    return (rows - 1) / rows * (columns + 1) / (rows - columns - 2) + 1 / rows


def _both(covariance: ArrayLike, noise_covariance: ArrayLike) -> tuple[Floats, Floats]:
    own = np.atleast_2d(np.asarray(covariance, dtype=float))
    own = as_matrix(own, len(own))
    return own, as_matrix(noise_covariance, len(own), "noise covariance")


def _given(errors: Floats, per_attribute: bool) -> Numbers:
    return errors.copy() if per_attribute else float(errors.mean())
