"""Copies of numeric data at many trust levels, by additive Gaussian noise.

`GaussianRelease` makes copies on demand, keyed and fast. `parallel`, `sequential` and `on_demand` are the
algorithms 1, 2 and 3 of Li, Chen, Li, Zhang (2012), "Enabling multilevel trust in privacy preserving data
mining", the reference that it is tested against. Notation and schemes: see `engine.noise`.
"""

import bisect
import threading

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.noise import (
    SCHEMES,
    _factor,
    add_multiple,
    as_covariance,
    bridge,
    check_levels,
    check_scheme,
    colour,
    dresser,
    factor,
    level_from_trust,
    named_levels,
    noise_covariance,
    trust_from_level,
)
from trustscope.engine.remembers import Remembers
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError, WrongType

__all__ = [
    "BLOCK",
    "SCHEMES",
    "GaussianRelease",
    "bridge",
    "conditional",
    "factor",
    "level_from_trust",
    "noise_covariance",
    "on_demand",
    "parallel",
    "sequential",
    "trust_from_level",
]

# 8 192 rows: a block and its neighbours stay in the processor's cache through all passes, 100 000 rows make
# 13 blocks to share between threads, and starting a block costs 1 % of drawing it.
BLOCK = 8_192


class GaussianRelease(Remembers):
    """Perturbed copies of one dataset, made on demand, each at a level that need not be known before.

    The nested scheme draws the copy between its two released neighbours (`bridge`), which is what the paper's
    Algorithm 3 computes, in one pass over the rows however many copies exist. The copies themselves serve as
    the path, which starts at the data: Y_0 = X.

    The key and the order of the requests determine every copy; threads do not matter. A level asked again, to
    the last bit, returns the stored copy: a fresh draw at the same level would leak. K_X is fixed here, since
    levels shaped by different estimates of it need not have a valid covariance. Use a key for one release
    only: the same noise on other data, or in another order, gives information away.

    Parameters
    ----------
    data : array-like, shape (rows,) or (rows, N), or a DataFrame or Series
        Finite numbers. Copied.
    scheme : {"nested", "independent", "proportional"}, or one that was registered
    covariance : array-like, shape (N, N), optional
        K_X, or the sample covariance. May be singular.
    key : int
        The secret that the noise is made from.
    threads : int, optional
        At most so many at once; as many as there are processors by default.

    Attributes
    ----------
    scheme : str
    covariance : numpy.ndarray, shape (N, N)
    mean : numpy.ndarray, shape (N,)
    """

    def __init__(
        self,
        data: ArrayLike,
        *,
        scheme: str = "nested",
        covariance: ArrayLike | None = None,
        key: int,
        threads: int | None = None,
    ) -> None:
        self.scheme = check_scheme(scheme)
        self._key = keys.check_key(key)
        self._table = as_table(data, flat=True, own=True)
        self.mean = self._table.mean(axis=0)
        self.covariance = as_covariance(covariance, self._table)
        self._lower = factor(self.covariance)
        self._dress = dresser(data)
        self._threads = threads
        self._lock = threading.Lock()
        self._levels: list[float] = []
        self._copies: dict[float, Floats] = {}
        for array in (self._table, self.mean, self.covariance):
            array.flags.writeable = False

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels released so far, from the most to the least trusted."""
        return tuple(self._levels)

    def copy(
        self, *unnamed: float, trust: float | None = None, level: float | None = None
    ) -> Floats | pd.DataFrame | pd.Series:
        """The copy at this trust in per cent, or at this level, like the data, read-only.

        Trust 100 and level 0 are the data itself.
        """
        return self._dress(self._released(named_levels(unnamed, level, trust, "copy", "level")))

    def noise(
        self, *unnamed: float, trust: float | None = None, level: float | None = None
    ) -> Floats | pd.DataFrame | pd.Series:
        """What that copy adds to the data (releases that copy, if it was not yet)."""
        return self._dress(self._released(named_levels(unnamed, level, trust, "noise", "level")) - self._table)

    def __repr__(self) -> str:
        rows, columns = self._table.shape
        held = ", ".join(f"{100 / (1 + level):.3g} %" for level in self._levels) or "none yet"
        return f"<GaussianRelease of {rows} rows and {columns} columns, {self.scheme}; copies at trust {held}>"

    def _released(self, array: Floats) -> Floats:
        if array.ndim:
            raise WrongType(f"A copy has one level, but got {array.size}.")
        level = float(array)
        with self._lock:
            # One at a time: a copy is drawn given all that was released before it.
            if level not in self._copies:
                made = self._make(level) if level > 0 else self._table
                made.flags.writeable = False
                self._copies[level] = made
                bisect.insort(self._levels, level)
            return self._copies[level]

    def _make(self, level: float) -> Floats:
        """A new copy, block by block."""
        if self.scheme not in SCHEMES:
            return self._given_all(level)
        out = np.empty_like(self._table)
        if self.scheme == "nested":
            below, above, fraction, variance = self._neighbours(level)
        else:
            below, above, fraction, variance = self._table, None, 0.0, level
        # Proportional noise is one draw for all levels, scaled.
        purpose = ("common",) if self.scheme == "proportional" else ("level", level)
        stream = keys.stream(self._key, *purpose)
        lower = np.sqrt(variance) * self._lower

        def one(block: int) -> None:
            rows = slice(block * BLOCK, (block + 1) * BLOCK)
            target = colour(keys.swift_normals(stream, block, out[rows]), lower)
            if above is None:
                target += below[rows]
            else:
                add_multiple(target, below[rows], 1 - fraction)
                add_multiple(target, above[rows], fraction)

        keys.each_block(one, range(-(-len(out) // BLOCK)), self._threads)
        return out

    def _given_all(self, level: float) -> Floats:
        """A new copy of a scheme that was registered, given all copies that are out: normal noise, conditioned."""
        before = [one for one in self._levels if one > 0]
        sigma = noise_covariance([*before, level], self.scheme)
        beside = sigma[:-1, -1]
        weights = np.linalg.pinv(sigma[:-1, :-1], hermitian=True) @ beside
        variance = max(float(sigma[-1, -1] - beside @ weights), 0.0)
        stream, lower = keys.stream(self._key, "level", level), np.sqrt(variance) * self._lower
        out = np.empty_like(self._table)

        def one(block: int) -> None:
            rows = slice(block * BLOCK, (block + 1) * BLOCK)
            target = colour(keys.swift_normals(stream, block, out[rows]), lower)
            target += self._table[rows]
            for other, weight in zip(before, weights, strict=True):
                target += weight * (self._copies[other][rows] - self._table[rows])

        keys.each_block(one, range(-(-len(out) // BLOCK)), self._threads)
        return out

    def _neighbours(self, level: float) -> tuple[Floats, Floats | None, float, float]:
        """The copies next to `level`, and the bridge between them."""
        place = bisect.bisect(self._levels, level)
        lower = self._levels[place - 1] if place else 0.0
        upper = self._levels[place] if place < len(self._levels) else None
        below = self._copies.get(lower, self._table)
        above = None if upper is None else self._copies[upper]
        return below, above, *bridge(level, lower, upper)


def parallel(
    data: ArrayLike, levels: ArrayLike, *, covariance: ArrayLike | None = None, rng: np.random.Generator
) -> Floats:
    """Algorithm 1: all copies at once, nested.

    Parameters
    ----------
    data : array-like, shape (rows,) or (rows, N)
    levels : array-like, shape (M,)
        Positive and different, in any order.
    covariance : array-like, shape (N, N), optional
        K_X, or the sample covariance.
    rng : numpy.random.Generator

    Returns
    -------
    numpy.ndarray, shape (M, rows, N) or (M, rows)
        Copies in the order of `levels`. For each record vec(L_X G diag(v) U'), Eq. 25 of Li et al. (2012):
        the Kronecker form of Lemma 1, in which the Cholesky factor of Sigma is U diag(v) with U the lower
        triangle of ones, so that multiplying by it is a cumulative sum.
    """
    table, matrix = _inputs(data, covariance)
    s = _distinct(levels)
    order = np.argsort(s)
    noise = _normals(rng, (len(s), *table.shape))
    noise *= np.sqrt(np.diff(s[order], prepend=0))[:, None, None]
    noise = noise @ factor(matrix).T
    np.cumsum(noise, axis=0, out=noise)
    copies = np.empty_like(noise)
    copies[order] = noise
    copies += table
    return _dressed(copies, data)


def sequential(
    data: ArrayLike, levels: ArrayLike, *, covariance: ArrayLike | None = None, rng: np.random.Generator
) -> Floats:
    """Algorithm 2: each copy from the next less perturbed one, by independent steps (Theorem 5).

    Parameters and result as those of `parallel`; only one copy's noise is held at a time.
    """
    table, matrix = _inputs(data, covariance)
    s = _distinct(levels)
    lower = factor(matrix)
    copies = np.empty((len(s), *table.shape))
    previous, reached = table, 0.0
    for i in np.argsort(s):
        step = _normals(rng, table.shape) @ (np.sqrt(s[i] - reached) * lower).T
        np.add(previous, step, out=copies[i])
        previous, reached = copies[i], s[i]
    return _dressed(copies, data)


def conditional(levels_new: ArrayLike, released_levels: ArrayLike) -> tuple[Floats, Floats]:
    """Law of new nested noise given the released noise, Eq. 17 and 18 without their common factor K_X.

    Parameters
    ----------
    levels_new : array-like, shape (P,)
    released_levels : array-like, shape (L,)
        Together positive and different, in any order.

    Returns
    -------
    coefficients : numpy.ndarray, shape (P, L)
        Sigma'' Sigma'^-1: the mean is this times the released noise.
    covariance : numpy.ndarray, shape (P, P)
    """
    new, released = np.atleast_1d(levels_new), np.atleast_1d(released_levels)
    together = _distinct(np.concatenate([released, new]))
    sigma = noise_covariance(together, "nested")
    known, cross, own = (
        sigma[: len(released), : len(released)],
        sigma[: len(released), len(released) :],
        sigma[len(released) :, len(released) :],
    )
    coefficients = np.asarray(np.linalg.solve(known, cross).T, dtype=np.float64)
    return coefficients, own - coefficients @ cross


def on_demand(
    data: ArrayLike,
    levels_new: ArrayLike,
    *,
    released_levels: ArrayLike,
    released_noise: ArrayLike,
    covariance: ArrayLike | None = None,
    rng: np.random.Generator,
) -> Floats:
    """Algorithm 3: new nested copies given all the noise that was released, by the conditional law.

    Parameters
    ----------
    data : array-like, shape (rows,) or (rows, N)
    levels_new : array-like, shape (P,)
    released_levels : array-like, shape (L,)
        Together positive and different, in any order.
    released_noise : array-like, shape (L, rows, N) or (L, rows)
        Z' = Y' - X.
    covariance : array-like, shape (N, N), optional
        K_X, or the sample covariance.
    rng : numpy.random.Generator

    Returns
    -------
    numpy.ndarray, shape (P, rows, N) or (P, rows)
        Cubic in P + L, and P L operations an entry; the bridge of `GaussianRelease` has the same law.
    """
    released = np.atleast_1d(np.asarray(released_levels, dtype=float))
    if not released.size:
        return parallel(data, levels_new, covariance=covariance, rng=rng)
    table, matrix = _inputs(data, covariance)
    known = np.asarray(released_noise, dtype=float)
    if known.size != released.size * table.size:
        raise TrustscopeError(f"{released.size} released levels need as many arrays of noise, each like the data.")
    coefficients, sigma = conditional(levels_new, released)
    # Lemma 1: vec(L_X G L_Sigma') for each record, as two products over all records at once.
    white = _normals(rng, (len(sigma), *table.shape)) @ factor(matrix).T
    # Rounding may leave the difference of Eq. 18 slightly indefinite: the nearest valid factor is taken.
    copies = _factor(sigma)[0] @ white.reshape(len(sigma), -1)
    copies += coefficients @ known.reshape(len(released), -1)
    copies += table.ravel()
    return _dressed(copies.reshape(white.shape), data)


def _inputs(data: ArrayLike, covariance: ArrayLike | None) -> tuple[Floats, Floats]:
    table = as_table(data, flat=True)
    return table, as_covariance(covariance, table)


def _normals(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    if not isinstance(rng, np.random.Generator):
        raise WrongType(f"rng must be a numpy.random.Generator, not {type(rng).__name__}.")
    return rng.standard_normal(shape)


def _distinct(levels: ArrayLike) -> Floats:
    s = np.atleast_1d(check_levels(levels))
    if s.ndim != 1 or not s.size:
        raise TrustscopeError("Levels must be a list of at least one number.")
    if s.min() <= 0 or len(np.unique(s)) < len(s):
        raise TrustscopeError("These algorithms need levels that are positive and all different.")
    return s


def _dressed(copies: Floats, data: ArrayLike) -> Floats:
    return copies[:, :, 0] if np.ndim(data) == 1 else copies
