"""What a coalition makes of several copies: how they become one, for every attacker.

Copy i is Y_i = X + R_i with covariance Sigma_i of R_i. However the copies were made, if their noise is
Gaussian there is one combination that tells about X all that they tell together:

- nested: R_j = R_i + independent noise for j after i, so X -> Y_1 -> Y_2 is a Markov chain, and the best copy
  says it all, to every attacker, linear or not;
- independent: the average with weights (sum_k Sigma_k^-1)^-1 Sigma_i^-1, whose noise has covariance
  (sum_k Sigma_k^-1)^-1;
- proportional: R_i = sigma_i R, and two different copies give the data away.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from trustscope import schemes
from trustscope.engine.arrays import ArrayLike, Floats, Several
from trustscope.engine.attacks.combining import combined, combining_weights, effective_level
from trustscope.engine.attacks.reconstruction.inputs import as_matrix
from trustscope.engine.noise import check_scheme
from trustscope.errors import TrustscopeError


def combine(copies: Several, noise_covariances: Several, scheme: str = "nested") -> tuple[Floats, Floats]:
    """The one copy that a coalition attacks, and the covariance of its noise.

    Parameters
    ----------
    copies : sequence of array-likes, each of shape (rows, m) or (rows,)
    noise_covariances : sequence of float or array-like, each of shape (m,) or (m, m)
        Sigma_i, as an attacker takes it.
    scheme : {"nested", "independent", "proportional"}

    Returns
    -------
    released : numpy.ndarray, shape (rows, m) or (rows,)
        Nested: the best copy, itself.
    noise_covariance : numpy.ndarray, shape (m, m)
    """
    check_scheme(scheme)
    arrays, matrices = _coalition(copies, noise_covariances)
    traces = np.array([np.trace(matrix) for matrix in matrices])
    best = int(np.argmin(traces))
    if scheme == "nested" or traces[best] == 0 or len(arrays) == 1:
        return arrays[best], matrices[best]
    levels = _multiples(matrices)
    if levels is None and scheme != "independent":
        called = schemes.of(scheme).title
        raise TrustscopeError(f"{called} has one shape for all copies, and these have several.")
    if levels is None:
        return _average(arrays, matrices)
    # Noise of one shape: the weights are numbers, and a singular shape needs no inverse.
    released = combined(arrays, combining_weights(levels, scheme))
    return released, effective_level(levels, scheme) * matrices[0]


def coalition(
    attacker: Callable[..., Floats],
    copies: Several,
    noise_covariances: Several,
    noise_mean: ArrayLike = 0.0,
    *,
    scheme: str = "nested",
    **options: Any,
) -> Floats:
    """What a coalition reconstructs with one of the attackers.

    Parameters
    ----------
    attacker : callable
        ``attacker(released, noise_covariance, noise_mean, **options)``, any of those of this package.
    copies, noise_covariances, scheme
        As in `combine`.
    noise_mean : float or array-like, shape (m,)
        Of every copy.
    **options
        Passed on.

    Returns
    -------
    numpy.ndarray, shape (rows, m) or (rows,)
    """
    released, noise = combine(copies, noise_covariances, scheme)
    return attacker(released, noise, noise_mean, **options)


def _coalition(copies: Several, noise_covariances: Several) -> tuple[list[Floats], list[Floats]]:
    arrays = [np.asarray(copy, dtype=float) for copy in copies]
    if not arrays or len(arrays) != len(noise_covariances):
        raise TrustscopeError(f"There are {len(arrays)} copies but {len(noise_covariances)} noise covariances.")
    shape = arrays[0].shape
    if len(shape) not in (1, 2) or any(array.shape != shape for array in arrays):
        raise TrustscopeError("The copies of a coalition must have the same rows and columns.")
    columns = shape[1] if len(shape) == 2 else 1
    return arrays, [as_matrix(one, columns, "noise covariance") for one in noise_covariances]


def _multiples(matrices: list[Floats]) -> Floats | None:
    """Levels s_i with Sigma_i = s_i Sigma_1, or None."""
    first = matrices[0]
    levels = np.array([np.trace(matrix) for matrix in matrices]) / (np.trace(first) or 1.0)
    scale = np.abs(first).max()
    same = all(
        np.allclose(matrix, level * first, rtol=1e-9, atol=1e-12 * level * scale)
        for matrix, level in zip(matrices, levels, strict=True)
    )
    return levels if same else None


def _average(arrays: list[Floats], matrices: list[Floats]) -> tuple[Floats, Floats]:
    """The average of least noise for noise of different shapes."""
    try:
        precisions = [np.linalg.inv(matrix) for matrix in matrices]
    except np.linalg.LinAlgError:
        raise TrustscopeError(
            "Independent noise of different shapes, one of them singular, cannot be averaged: "
            "leave out that copy, or give noise to every direction."
        ) from None
    noise = np.linalg.inv(sum(precisions))
    noise = (noise + noise.T) / 2
    flat = arrays[0].ndim == 1
    tables = [array[:, None] if flat else array for array in arrays]
    average = np.asarray(sum(table @ (precision @ noise) for table, precision in zip(tables, precisions, strict=True)))
    return (average[:, 0] if flat else average), noise
