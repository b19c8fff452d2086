"""What every reconstruction attacker is given, checked; moments and linear maps in chunks of rows."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.noise import factor
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError

# Rows worked on at once: what is held beside data and estimate stays small however many rows there are.
CHUNK = 8_192


@dataclass(frozen=True, eq=False)
class Released:
    """Released rows and what is known of their noise.

    Attributes
    ----------
    table : numpy.ndarray, shape (rows, m)
        A view of what was given, where it is an array of floats.
    noise : numpy.ndarray, shape (m, m)
        Sigma_r.
    noise_mean : numpy.ndarray, shape (m,)
        mu_r.
    flat : bool
        Whether one dimension was given, and is to be returned.
    """

    table: Floats
    noise: Floats
    noise_mean: Floats
    flat: bool

    @property
    def columns(self) -> int:
        """How many attributes there are, m."""
        return int(self.table.shape[1])

    def finish(self, estimate: Floats) -> Floats:
        """The estimate in the dimensions of what was released."""
        return estimate[:, 0] if self.flat else estimate


@dataclass(frozen=True, eq=False)
class Moments:
    """What an attacker knows or estimates.

    Attributes
    ----------
    released_mean : numpy.ndarray, shape (m,)
        mu_y.
    mean : numpy.ndarray, shape (m,)
        mu_x = mu_y - mu_r.
    released : numpy.ndarray, shape (m, m)
        Sigma_y.
    covariance : numpy.ndarray, shape (m, m)
        Sigma_x; estimated as Sigma_y - Sigma_r it may have negative eigenvalues.
    """

    released_mean: Floats
    mean: Floats
    released: Floats
    covariance: Floats


def check(released: ArrayLike, noise_covariance: ArrayLike, noise_mean: ArrayLike = 0.0) -> Released:
    """The arguments that all attackers share, as `Released`."""
    table, flat = as_table(released, "released data", flat=True), np.ndim(released) == 1
    columns = table.shape[1]
    noise = as_matrix(noise_covariance, columns, "noise covariance")
    return Released(table, noise, as_vector(noise_mean, columns, "noise mean"), flat)


def as_matrix(given: ArrayLike, columns: int, name: str = "covariance") -> Floats:
    """A covariance from one variance for all, one for each column, or a matrix."""
    array = np.asarray(given, dtype=float)
    if array.shape in ((), (columns,)):
        if not np.all(np.isfinite(array) & (array >= 0)):
            raise TrustscopeError(f"The {name} must be finite and must not be negative.")
        return np.diag(np.broadcast_to(array, columns))
    if array.shape != (columns, columns):
        raise TrustscopeError(
            f"The {name} must be a number, {columns} numbers or {columns} x {columns}, not of shape {array.shape}."
        )
    try:
        factor(array)
    except ValueError as problem:
        raise TrustscopeError(f"The {name} cannot be used. {problem}") from None
    return np.asarray((array + array.T) / 2)


def as_vector(given: ArrayLike, columns: int, name: str = "mean") -> Floats:
    """A mean from one number for all or one for each column."""
    array = np.asarray(given, dtype=float)
    if array.shape not in ((), (columns,)) or not np.all(np.isfinite(array)):
        raise TrustscopeError(f"The {name} must be a finite number or {columns} of them.")
    return np.broadcast_to(array, columns)


def chunks(table: Floats) -> list[slice]:
    """Slices of rows."""
    return [slice(start, start + CHUNK) for start in range(0, len(table), CHUNK)]


def moments(given: Released, covariance: ArrayLike | None = None, mean: ArrayLike | None = None) -> Moments:
    """What the attacker knows (perfect knowledge), or estimates from the released rows.

    Parameters
    ----------
    given : Released
    covariance : float or array-like, optional
        Sigma_x; then Sigma_y = Sigma_x + Sigma_r. Otherwise Sigma_y is the sample covariance (divisor
        rows - 1) and Sigma_x = Sigma_y - Sigma_r (Theorems 5.1 and 8.2 of Huang et al. 2005).
    mean : float or array-like, optional
        mu_x; otherwise the mean of the released rows less the noise's.

    Returns
    -------
    Moments
    """
    columns = given.columns
    if covariance is None:
        centre, sample = sample_moments(given.table)
        released, own = sample, sample - given.noise
    else:
        own = as_matrix(covariance, columns)
        released = own + given.noise
    if mean is not None:
        known = as_vector(mean, columns)
        return Moments(known + given.noise_mean, known, released, own)
    if covariance is not None:
        centre = given.table.mean(axis=0)
    return Moments(centre, centre - given.noise_mean, released, own)


def sample_moments(table: Floats) -> tuple[Floats, Floats]:
    """Mean and covariance (divisor rows - 1) of a table, in one pass over chunks."""
    rows, columns = table.shape
    if rows < 2:
        raise TrustscopeError("One row has no covariance: give the true one, or more rows.")
    # Shifted by a mean of some rows: squares of large values would swamp a small variance.
    shift = table[:CHUNK].mean(axis=0)
    total, gram = np.zeros(columns), np.zeros((columns, columns))
    for part in chunks(table):
        centred = table[part] - shift
        total += centred.sum(axis=0)
        gram += centred.T @ centred
    offset = total / rows
    return shift + offset, (gram - rows * np.outer(offset, offset)) / (rows - 1)


def apply(given: Released, known: Moments, factors: tuple[Floats, ...]) -> Floats:
    """The estimate mu_x + (y - mu_y) A for every row, shape (rows, m).

    Parameters
    ----------
    given : Released
    known : Moments
    factors : tuple of numpy.ndarray
        A, shape (m, m), or two matrices (m, p) and (p, m) whose product it is, where that is less work.
    """
    out = np.empty_like(given.table, order="C")
    for part in chunks(out):
        centred = given.table[part] - known.released_mean
        for one in factors[:-1]:
            centred = centred @ one
        np.matmul(centred, factors[-1], out=out[part])
        out[part] += known.mean
    return out


def descending(matrix: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues from the largest down, and their eigenvectors in columns."""
    values, vectors = np.linalg.eigh(matrix)
    return values[::-1], vectors[:, ::-1]
