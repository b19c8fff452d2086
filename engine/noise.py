"""What the noise of a copy is shaped by: levels, schemes, covariances and their factors.

Notation, as in Li, Chen, Li, Zhang (2012), "Enabling multilevel trust in privacy preserving data mining":
X is the data with mean mu and covariance K_X; a copy at level s is Y = X + Z with Cov(Z) = s K_X (s is the
paper's sigma_Z^2); Sigma is the M x M matrix with Cov(Z_i, Z_j) = Sigma_ij K_X. Three schemes:

=============  ==================  ====================================================================
nested         min(s_i, s_j)       corner-wave, Eq. 15: one Brownian path per record, read at s; safe
independent    s_i if i = j        Sec. 4.2.1: averaging the copies takes the noise away
proportional   sqrt(s_i s_j)       Sec. 4.2.2: any two different copies give the data away
=============  ==================  ====================================================================

Others can be registered (`trustscope.schemes`): they have no closed forms, and are computed from Sigma.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy.linalg.blas import daxpy, drotm

from trustscope import schemes
from trustscope.engine.arrays import ArrayLike, Floats, Numbers
from trustscope.engine.tables import as_numbers
from trustscope.errors import TrustscopeError, WrongType

SCHEMES = schemes.HOUSE

# Numbers added by one call of BLAS; OpenBLAS starts its threads above 10 000.
_BLAS_PIECE = 8_192


def level_from_trust(trust: ArrayLike) -> Numbers:
    """Noise level s = (1 - tau) / tau of trust 100 tau in per cent, from 1 to 100, elementwise.

    >>> float(level_from_trust(50))
    1.0
    """
    given = np.asarray(trust)
    if given.dtype.kind not in "iuf":
        raise WrongType(f"Trust is a number of per cent, such as 50, not {trust!r}.")
    if given.dtype.kind == "f" and given.size and given.min() > 0 and given.max() <= 1:
        raise TrustscopeError(f"Trust is in per cent: write {_written(100 * given)} where {_written(given)} is given.")
    if not np.all((given >= 1) & (given <= 100)):
        raise TrustscopeError(f"Trust must lie between 1 and 100 per cent, but it is {_written(given)}.")
    share = given.astype(float) / 100
    return ((1 - share) / share)[()]


def trust_from_level(level: ArrayLike) -> Numbers:
    """Trust 100 / (1 + s) in per cent of noise level s >= 0: the share of variance that the best guess explains."""
    return (100 / (1 + check_levels(level)))[()]


def named_levels(
    unnamed: tuple[ArrayLike, ...], level: ArrayLike | None, trust: ArrayLike | None, call: str, word: str
) -> Floats:
    """Levels that were given by name, as levels or as trusts; a sentence where nobody can tell which they are.

    Parameters
    ----------
    unnamed : tuple
        What was given without a name.
    level, trust : array-like, optional
    call, word : str, str
        What was called, and how its levels are named there.
    """
    if unnamed:
        shown = ", ".join(_written(np.asarray(one)) for one in unnamed)
        raise WrongType(
            f"Say what {shown} is: write {call}(trust=...) for a trust in per cent, or {call}({word}=...) for a level "
            "of noise."
        )
    if trust is not None and level is None:
        return np.asarray(level_from_trust(trust))
    if level is None or trust is not None:
        raise WrongType(f"Write either {call}(trust=...), in per cent, or {call}({word}=...).")
    return check_levels(level)


def _written(values: Floats) -> str:
    """Numbers as a person writes them; of many the first."""
    if not values.ndim:
        return f"{values:g}" if values.dtype.kind in "iuf" else repr(values.item())
    shown = ", ".join(f"{one:g}" if values.dtype.kind in "iuf" else repr(one) for one in values.ravel()[:4].tolist())
    return f"[{shown}{', ...' if values.size > 4 else ''}]"


def check_levels(levels: ArrayLike) -> Floats:
    """Return levels as a float array, after checking that all are finite and not negative."""
    array = as_numbers(levels, "levels")
    # Neither holds for what is no number.
    if array.size and not (array.min() >= 0 and array.max() < np.inf):
        raise TrustscopeError(
            f"A level must be a finite number that is not negative, but got {levels}."  # type: ignore[str-bytes-safe]
        )
    return array


def check_scheme(scheme: str) -> str:
    """Return the scheme's name, or say which ones there are."""
    return schemes.of(scheme).name


def noise_covariance(levels: ArrayLike, scheme: str = "nested") -> Floats:
    """Sigma, with Cov(Z_i, Z_j) = Sigma_ij K_X.

    Parameters
    ----------
    levels : array-like, shape (M,)
    scheme : {"nested", "independent", "proportional"}, or one that was registered

    Returns
    -------
    numpy.ndarray, shape (M, M)
        Eq. 15 of Li et al. (2012) for the nested scheme.
    """
    return np.asarray(schemes.of(scheme).covariance(np.atleast_1d(check_levels(levels))), dtype=float)


def factor(covariance: ArrayLike) -> Floats:
    """Lower triangular L with L L' = K, for singular K too.

    Parameters
    ----------
    covariance : array-like, shape (N, N)
        Symmetric, positive semi-definite.

    Returns
    -------
    numpy.ndarray, shape (N, N)
    """
    matrix = np.asarray(covariance, dtype=float)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise TrustscopeError(f"A covariance must be a square matrix, but its shape is {matrix.shape}.")
    if not np.all(np.isfinite(matrix)):
        raise TrustscopeError("The covariance holds values that are not finite numbers.")
    if not np.allclose(matrix, matrix.T, rtol=1e-8, atol=1e-12 * np.abs(matrix).max(initial=0)):
        raise TrustscopeError("A covariance must be symmetric, and this one is not.")
    lower, lowest = _factor(matrix)
    if lowest < -1e-8:
        raise TrustscopeError("A covariance must not have negative eigenvalues, and this one has.")
    return lower


def _factor(matrix: Floats) -> tuple[Floats, float]:
    """Lower factor of the nearest semi-definite matrix, and the lowest eigenvalue of the correlations."""
    scale = np.sqrt(np.maximum(np.diag(matrix), 0))
    safe = np.where(scale > 0, scale, 1)
    # Correlations first: columns in very different units would otherwise drown in each other's rounding.
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2 / np.outer(safe, safe))
    keep = values > len(values) * np.finfo(float).eps * np.abs(values).max(initial=0)
    root = safe[:, None] * vectors * np.sqrt(np.where(keep, values, 0))
    # Any root R of K has R' = Q U with K = U'U: the triangular one needs half of the multiplications.
    upper = np.asarray(np.linalg.qr(root.T, mode="r"))
    lower = np.tril((upper * np.where(np.diag(upper) < 0, -1, 1)[:, None]).T)
    return lower, values.min(initial=0)


def bridge(level: float, below: float, above: float | None = None) -> tuple[float, float]:
    """The nested path at `level`, given its two neighbours: Z = (1 - f) Z_below + f Z_above + sqrt(v) L n.

    Parameters
    ----------
    level, below : float
        below < level; below = 0 where nothing lower was released.
    above : float, optional
        The next higher released level; None above all of them.

    Returns
    -------
    fraction, variance : float
        f and v. Equal to Eq. 17 and 18 of Li et al. (2012), without inverting the covariance of all that was
        released, whose condition number explodes near ties.
    """
    if above is None:
        return 0.0, level - below
    fraction = (level - below) / (above - below)
    return fraction, fraction * (above - level)


def colour(white: Floats, lower: Floats) -> Floats:
    """Turn rows of independent normals into rows with covariance L L', in place.

    Parameters
    ----------
    white : numpy.ndarray, shape (rows, N)
        Overwritten by white @ L'.
    lower : numpy.ndarray, shape (N, N)
        L, lower triangular.

    Returns
    -------
    numpy.ndarray
        `white`.
    """
    columns = len(lower)
    if columns > 4:
        white[...] = white @ lower.T
        return white
    if columns == 2 and white.flags.c_contiguous:
        # One pass of 0.6 ns an entry by BLAS's modified rotation; a matrix product costs 3.3, what follows 1.6.
        flat = white.reshape(-1)
        turn = np.array([-1.0, lower[0, 0], lower[1, 0], 0.0, lower[1, 1]])
        drotm(flat, flat, turn, n=len(white), incx=2, offy=1, incy=2, overwrite_x=1, overwrite_y=1)
        return white
    # What goes from one column into another is computed first, because the scaling of all columns overwrites it.
    pairs = [(j, k) for j in range(columns) for k in range(j) if lower[j, k]]
    parts = [white[:, k] * lower[j, k] for j, k in pairs]
    white *= _repeated(tuple(np.diag(lower).tolist()), len(white))
    for (j, _), part in zip(pairs, parts, strict=True):
        white[:, j] += part
    return white


@lru_cache(maxsize=8)
def _repeated(scales: tuple[float, ...], rows: int) -> Floats:
    """The factors of the columns, repeated for every row: multiplying by a table avoids short inner loops."""
    table = np.tile(scales, (rows, 1))
    table.flags.writeable = False
    return table


def add_multiple(target: Floats, array: Floats, factor: float) -> None:
    """Add `factor` times `array` to `target`, in place and in one pass.

    Parameters
    ----------
    target, array : numpy.ndarray of float64, of one shape, C-contiguous
    factor : float
    """
    target, array = target.reshape(-1), array.reshape(-1)
    # Short pieces: longer ones BLAS would share between threads of its own, which then wait for each other.
    for start in range(0, len(target), _BLAS_PIECE):
        piece = slice(start, start + _BLAS_PIECE)
        daxpy(array[piece], target[piece], a=factor)


def as_covariance(covariance: ArrayLike | None, table: Floats) -> Floats:
    """K_X as an (N, N) array: the given one, or the sample covariance of the table (divisor rows - 1)."""
    columns = table.shape[1]
    if covariance is None:
        if len(table) < 2:
            raise TrustscopeError("One row has no covariance: give one, or more rows.")
        return np.atleast_2d(np.cov(table, rowvar=False))
    matrix = np.atleast_2d(np.array(covariance, dtype=float))
    if matrix.shape != (columns, columns):
        raise TrustscopeError(f"The covariance must be {columns} x {columns} as the data, not {matrix.shape}.")
    return matrix


def dresser(data: ArrayLike) -> Callable[[Floats], Floats | pd.DataFrame | pd.Series]:
    """A function that dresses an array (rows, N) as `data` is: frame, series, one or two dimensions."""
    if isinstance(data, pd.DataFrame):
        index, columns = data.index, data.columns
        return lambda array: pd.DataFrame(array, index=index, columns=columns, copy=False)
    if isinstance(data, pd.Series):
        index, name = data.index, data.name
        return lambda array: pd.Series(array[:, 0], index=index, name=name, copy=False)
    if np.ndim(data) == 1:
        return lambda array: array[:, 0]
    return lambda array: array
