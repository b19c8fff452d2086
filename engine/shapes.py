"""Shapes of noise: its covariance between the data's own, white, and the opposite (Huang et al. 2005, Sec. 8).

Notation: Sigma_x = Q diag(lambda) Q' with lambda_1 >= ... >= lambda_m; noise along the same eigenvectors,
Sigma_r = Q diag(nu) Q', with a total sum(nu) that does not depend on the shape. One number, the similarity t
between -1 and 1, sets nu, with w the mean of lambda and lambda' the eigenvalues in reverse:

    t >= 0:  nu = t lambda + (1 - t) w          1: the data's own shape,  0: white
    t <= 0:  nu = -t lambda' + (1 + t) w       -1: the opposite, most noise where the data vary least

all times total / sum(lambda). A shape is what `GaussianRelease` and `PathRelease` take as ``covariance``: with
the default total, level s adds as much noise in all as s K_X would.
"""

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.noise import factor
from trustscope.errors import TrustscopeError


def noise_shape(
    covariance: ArrayLike, similarity: float = 1.0, *, total: float | None = None, standardised: bool = False
) -> Floats:
    """Noise covariance of a given similarity to the data, at constant total noise.

    Parameters
    ----------
    covariance : array-like, shape (m, m)
        Sigma_x.
    similarity : float
        Between -1 (the opposite) and 1 (the data's own shape); 0 is white.
    total : float, optional
        Trace of the result; by default that of `covariance`. With `standardised`, the sum over attributes of
        noise variance over variance, by default m.
    standardised : bool
        Shape the noise by the correlations, and give it back in the units of the attributes: for attributes
        in different units, whose eigenvectors would mean nothing. Attributes without variance get no noise.

    Returns
    -------
    numpy.ndarray, shape (m, m)
    """
    matrix = np.atleast_2d(np.asarray(covariance, dtype=float))
    factor(matrix)  # says what is wrong with it, if anything is
    if not standardised:
        return _shaped(matrix, similarity, total)
    scale = np.sqrt(np.diag(matrix))
    there = scale > 0
    if not there.any():
        raise TrustscopeError("Data without variance have no correlations to shape noise by.")
    out = np.zeros_like(matrix)
    used = np.ix_(there, there)
    units = np.outer(scale[there], scale[there])
    out[used] = _shaped(matrix[used] / units, similarity, total) * units
    return out


def white(covariance: ArrayLike, *, total: float | None = None, standardised: bool = False) -> Floats:
    """White noise of the same total: similarity 0. Parameters as in `noise_shape`."""
    return noise_shape(covariance, 0.0, total=total, standardised=standardised)


def own(covariance: ArrayLike, *, total: float | None = None, standardised: bool = False) -> Floats:
    """Noise of the data's own shape: similarity 1. Parameters as in `noise_shape`."""
    return noise_shape(covariance, 1.0, total=total, standardised=standardised)


def opposite(covariance: ArrayLike, *, total: float | None = None, standardised: bool = False) -> Floats:
    """Noise of the opposite shape: similarity -1. Parameters as in `noise_shape`."""
    return noise_shape(covariance, -1.0, total=total, standardised=standardised)


def shaped_eigenvalues(eigenvalues: ArrayLike, similarity: float, *, total: float | None = None) -> Floats:
    """The noise's eigenvalues nu for the data's, in the same order of eigenvectors.

    Parameters
    ----------
    eigenvalues : array-like, shape (m,)
        lambda, descending, not negative, not all zero.
    similarity : float
    total : float, optional
        Sum of the result, by default that of the eigenvalues.

    Returns
    -------
    numpy.ndarray, shape (m,)
    """
    values = np.asarray(eigenvalues, dtype=float)
    if values.ndim != 1 or not values.size or not np.all(np.isfinite(values) & (values >= 0)) or values.sum() <= 0:
        raise TrustscopeError("Eigenvalues must be finite and not negative, and at least one above zero.")
    if np.any(np.diff(values) > 0):
        raise TrustscopeError("Eigenvalues must go from the largest down.")
    similarity = float(similarity)
    if not -1 <= similarity <= 1:
        raise TrustscopeError(f"The similarity must lie between -1 and 1, but it is {similarity:g}.")
    amount: float = values.sum() if total is None else float(total)
    if not (np.isfinite(amount) and amount >= 0):
        raise TrustscopeError(f"The total noise must be a finite number that is not negative, but it is {amount:g}.")
    target = values if similarity >= 0 else values[::-1]
    mixed: Floats = abs(similarity) * target + (1 - abs(similarity)) * values.mean()
    mixed *= amount / values.sum()
    return mixed


def _shaped(covariance: Floats, similarity: float, total: float | None) -> Floats:
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    noise = shaped_eigenvalues(np.maximum(values[::-1], 0), similarity, total=total)[::-1]
    matrix: Floats = (vectors * noise) @ vectors.T
    return (matrix + matrix.T) / 2
