"""Releases that keep distances: rotation with a shift, and random projection (Giannella et al. 2009, Sec. III, VI).

Rows are records. In the paper's notation, where records are columns, a rotation releases
``y_pi(i) = M_T x_i + v_T`` with an orthogonal M_T; here ``released[pi[i]] = data[i] @ M.T + v``. A projection
releases ``R x`` with random R of l rows, each entry normal with variance 1 / l.
"""

from dataclasses import dataclass

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError

__all__ = ["Projection", "RotationRelease", "Secret", "haar", "random_projection"]

# Rows of a projection that are drawn at once where every record has its own R.
BLOCK = 4_096


def haar(dimension: int, rng: np.random.Generator) -> Floats:
    """An orthogonal matrix, uniform over all of them, reflections included.

    Parameters
    ----------
    dimension : int
        0 gives the empty matrix.
    rng : numpy.random.Generator

    Returns
    -------
    numpy.ndarray, shape (dimension, dimension)
    """
    basis, upper = np.linalg.qr(rng.standard_normal((dimension, dimension)))
    # Uniform only once the signs that QR leaves open are fixed.
    return basis * np.where(np.diag(upper) < 0, -1.0, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class Secret:
    """What the owner keeps: whoever has it undoes the release.

    Attributes
    ----------
    matrix : numpy.ndarray, shape (n, n)
        M_T, orthogonal.
    shift : numpy.ndarray, shape (n,)
        v_T.
    permutation : numpy.ndarray of int, shape (rows,)
        pi: record i is row ``permutation[i]`` of what is released.
    """

    matrix: Floats
    shift: Floats
    permutation: Integers

    def undo(self, released: ArrayLike) -> Floats:
        """The data, in their own order."""
        return (np.asarray(released, dtype=float)[self.permutation] - self.shift) @ self.matrix

    @property
    def origin(self) -> Integers:
        """The record behind every released row: the inverse of `permutation`, shape (rows,)."""
        origin = np.empty_like(self.permutation)
        origin[self.permutation] = np.arange(len(origin))
        return origin


class RotationRelease:
    """Data turned by a secret orthogonal matrix, shifted and shuffled: every distance stays as it was.

    Parameters
    ----------
    data : array-like, shape (rows, n)
    translation : float or array-like, shape (n,)
        v_T: a number is the length of a shift in a random direction, n numbers are the shift itself. 0 keeps
        the lengths of the records too.
    permute : bool
        Whether the rows are shuffled.
    key : int
        The same key gives the same release.

    Attributes
    ----------
    released : numpy.ndarray, shape (rows, n)
        All that leaves the house.
    secret : Secret
        All that must not.
    """

    def __init__(self, data: ArrayLike, *, translation: ArrayLike = 0.0, permute: bool = True, key: int) -> None:
        table = as_table(data)
        rows, columns = table.shape
        stream = keys.stream(key, "rotation")
        matrix = haar(columns, keys.generator(stream, 0))
        shift = _shift(translation, columns, keys.generator(stream, 1))
        order = keys.generator(stream, 2).permutation(rows) if permute else np.arange(rows)
        self.secret = Secret(matrix, shift, order)
        self.released = np.empty_like(table, order="C")
        self.released[order] = table @ matrix.T + shift


def _shift(translation: ArrayLike, columns: int, rng: np.random.Generator) -> Floats:
    given = np.asarray(translation)
    fits = given.dtype.kind in "biuf" and given.shape in ((), (columns,))
    if not fits or not np.all(np.isfinite(given)):
        raise TrustscopeError(f"The translation must be one finite number, its length, or {columns} of them.")
    given = given.astype(float)
    if given.shape:
        return given.copy()
    direction = rng.standard_normal(columns)
    return given * direction / np.linalg.norm(direction)


@dataclass(frozen=True, eq=False, repr=False)
class Projection:
    """What `random_projection` made.

    Attributes
    ----------
    released : numpy.ndarray, shape (rows, l)
    matrix : numpy.ndarray, shape (l, n), or None
        R, the secret; None where every record had one of its own.
    """

    released: Floats
    matrix: Floats | None


def random_projection(data: ArrayLike, dimensions: int, *, fresh: bool = False, key: int) -> Projection:
    """Release R x instead of M_T x (Sec. VI).

    With one R for all, distances are kept about as well as `dimensions` is large, and the covariance of what is
    released is R Sigma R': it still shows the principal axes. Only over a fresh R for every record it is a
    multiple of the identity, as the paper has it, and then the distances are lost.

    Parameters
    ----------
    data : array-like, shape (rows, n)
    dimensions : int
        l, the number of released columns.
    fresh : bool
        A new R for every record.
    key : int

    Returns
    -------
    Projection
    """
    table = as_table(data)
    if (
        not isinstance(dimensions, int | float | np.integer | np.floating)
        or dimensions < 1
        or dimensions != int(dimensions)
    ):
        raise TrustscopeError(
            f"There must be at least one dimension to project to, a whole number, not {dimensions!r}."
        )
    dimensions = int(dimensions)
    stream = keys.stream(key, "projection", bool(fresh))
    if not fresh:
        matrix = keys.generator(stream, 0).standard_normal((dimensions, table.shape[1])) / np.sqrt(dimensions)
        return Projection(table @ matrix.T, matrix)
    out = np.empty((len(table), dimensions))
    # R x is normal with covariance ||x||^2 / l times the identity, independent for different records: no need
    # to draw the l x n numbers of each R.
    for block, start in enumerate(range(0, len(table), BLOCK)):
        keys.normals(stream, block, out[start : start + BLOCK])
    out *= (np.linalg.norm(table, axis=1) / np.sqrt(dimensions))[:, None]
    return Projection(out, None)
