"""Copies of numbers in terms of differential privacy: how well two rows can be told apart by whoever holds them.

Notation as in `engine.noise`: a coalition's copies say as much as one copy with noise of covariance s R, where s is
its effective level (`engine.attacks.combining`) and R the shape of the noise, K_X by default. Rows x and x' are told
apart by the most powerful test, that of two normals at distance

    mu = |R^-1/2 (x - x')| / sqrt(s),

so the copies are mu-Gaussian differentially private for these two rows (Dong, Roth, Su 2022, "Gaussian differential
privacy"), exactly: no test does better, and this one is available to anybody. From mu follow

=====================  ==============================================================================
misses, false alarms   T(a) = Phi(Phi^-1(1 - a) - mu), Sec. 2.2
zero-concentrated      rho = mu^2 / 2 (Bun and Steinke 2016, Prop. 6)
(epsilon, delta)       delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) (Balle and Wang 2018, Theorem 8)
together               sqrt(sum of mu^2) for separate draws; nested copies have the mu of the best one alone
=====================  ==============================================================================

A level of 0 (the original, or two different copies of the proportional scheme) makes mu infinite. So does a difference
in a direction in which a singular R adds no noise.
"""

import math

import numpy as np
from scipy.special import erfcx, ndtr, ndtri

from trustscope.engine.arrays import ArrayLike, Floats, Numbers
from trustscope.engine.attacks.combining import effective_level, growing_levels
from trustscope.engine.noise import factor
from trustscope.errors import TrustscopeError

__all__ = [
    "Distances",
    "composed",
    "delta_of_epsilon",
    "epsilon_of_delta",
    "growing_mu",
    "level_for_mu",
    "misses",
    "mu_at",
    "mu_for_epsilon",
    "mu_of_coalition",
    "rho_of_mu",
]

MOST_CORNERS = 16  # columns up to which all corners of the box of differences are tried
_BLOCK = 4_096  # corners tried at once
_OUTSIDE = 1e-9  # share of a difference that may lie where there is no noise: rounding
_SMALL = 1e-4  # mu below which two Mills ratios are so close that their difference is expanded
_HALVINGS = 200  # more than enough to reach the last bit


class Distances:
    """How far two rows lie apart in units of the noise of level 1: |R^-1/2 (x - x')|.

    Parameters
    ----------
    shape : array-like, shape (N, N)
        R, the covariance of the noise of level 1; may be singular.

    Attributes
    ----------
    columns : int
        N.
    sd : numpy.ndarray, shape (N,)
        Standard deviations of the noise of level 1.
    """

    def __init__(self, shape: ArrayLike) -> None:
        matrix = np.atleast_2d(np.asarray(shape, dtype=float))
        factor(matrix)  # says what is wrong with it, if anything is
        self.columns = len(matrix)
        self.sd = np.sqrt(np.maximum(np.diag(matrix), 0))
        self._unit = np.where(self.sd > 0, self.sd, 1.0)
        # Correlations first, and the same threshold as in `noise.factor`: what is left out there has no noise.
        values, vectors = np.linalg.eigh((matrix + matrix.T) / 2 / np.outer(self._unit, self._unit))
        noisy = values > len(values) * np.finfo(float).eps * np.abs(values).max(initial=0)
        self._into = vectors[:, noisy] / np.sqrt(values[noisy])
        self._silent = vectors[:, ~noisy]

    def of(self, differences: ArrayLike) -> Numbers:
        """The distance of differences x - x', shape (..., N); infinite where a part of one has no noise on it."""
        apart = np.asarray(differences, dtype=float)
        if apart.shape[-1:] != (self.columns,):
            raise TrustscopeError(f"A difference needs {self.columns} values, one for each column.")
        scaled = apart / self._unit
        length = np.linalg.norm(scaled, axis=-1)
        bare = np.linalg.norm(scaled @ self._silent, axis=-1) > _OUTSIDE * length
        with np.errstate(invalid="ignore"):  # infinite differences
            far = np.linalg.norm(scaled @ self._into, axis=-1)
        return np.where(bare | np.isinf(length), np.inf, far)[()]

    def within_row(self, column: int, width: Numbers) -> Numbers:
        """Of two rows that differ by `width` in one column and agree in all others, which are released too.

        The noise of the other columns is related to the noise of this one, and known to who knows their values: so
        the distance is at least that of `alone`.
        """
        unit = np.zeros(self.columns)
        unit[column] = 1.0
        return _times(np.abs(width), self.of(unit))

    def alone(self, column: int, width: Numbers) -> Numbers:
        """Of two values that differ by `width`, where their column is released without the others."""
        sd = self.sd[column]
        return _times(np.abs(width), 1 / sd if sd > 0 else np.inf)

    def box(self, widths: ArrayLike) -> tuple[float, bool]:
        """The largest distance of any two rows whose columns differ by at most `widths`, and whether it is exact.

        Parameters
        ----------
        widths : array-like, shape (N,)
            Infinite for a column without bounds.

        Returns
        -------
        float
            The distance is convex, so the farthest rows are opposite corners of a box: all are tried for up to
            `MOST_CORNERS` columns. For more of them it is a bound, from above: d'Pd <= |d|'|P||d|.
        bool
            Whether all corners were tried, or the result is infinite anyway.
        """
        wide = np.abs(np.asarray(widths, dtype=float))
        if wide.shape != (self.columns,):
            raise TrustscopeError(f"A box needs {self.columns} widths, one for each column.")
        used = np.flatnonzero(wide > 0)
        if not used.size:
            return 0.0, True
        if np.isinf(wide).any() or np.any(np.abs(self._silent[used]) > _OUTSIDE):
            return np.inf, True
        root = self._into[used] * (wide / self._unit)[used, None]
        if used.size > MOST_CORNERS:
            return float(np.sqrt(np.abs(root @ root.T).sum())), False
        return max(_farthest(root, start) for start in range(0, 2 ** (used.size - 1), _BLOCK)), True


def _farthest(root: Floats, start: int) -> float:
    """The longest of some signed sums of rows; the last row has sign +, since d and -d are equally long."""
    many = len(root)
    which = np.arange(start, min(start + _BLOCK, 2 ** (many - 1)))
    signs = 1 - 2.0 * ((which[:, None] >> np.arange(many)) & 1)
    return float(np.sqrt(((signs @ root) ** 2).sum(axis=1).max()))


# From a distance to mu


def mu_at(distance: ArrayLike, level: ArrayLike) -> Numbers:
    """distance / sqrt(s): 0 where the rows are equal or the level is infinite, infinite where the level is 0."""
    far, s = np.broadcast_arrays(np.asarray(distance, dtype=float), np.asarray(level, dtype=float))
    if np.any(far < 0) or np.any(s < 0) or np.isnan(far).any() or np.isnan(s).any():
        raise TrustscopeError("A distance and a level must not be negative.")
    nothing = (far == 0) | np.isinf(s)
    safe = np.where(nothing | (s == 0), 1.0, s)
    return np.where(nothing, 0.0, np.where(s == 0, np.inf, far / np.sqrt(safe)))[()]


def mu_of_coalition(levels: ArrayLike, scheme: str, distance: ArrayLike) -> Numbers:
    """mu of a coalition's copies together, for rows at these distances (`Distances`).

    Parameters
    ----------
    levels : array-like, shape (M,)
    scheme : {"nested", "independent", "proportional"}
    distance : float or array-like
    """
    return mu_at(distance, effective_level(levels, scheme))


def growing_mu(levels: ArrayLike, scheme: str, distance: float) -> Floats:
    """mu of the first copy, of the first two, and so on, shape (M,)."""
    return np.atleast_1d(mu_at(distance, growing_levels(levels, scheme)))


def level_for_mu(distance: ArrayLike, mu: ArrayLike) -> Numbers:
    """The level at which rows at this distance have this mu: (distance / mu)^2; 0 where mu may be infinite."""
    far, much = np.broadcast_arrays(np.asarray(distance, dtype=float), np.asarray(mu, dtype=float))
    free = np.isinf(much) | (far == 0)
    with np.errstate(divide="ignore"):
        return np.where(free, 0.0, (far / np.where(free, 1.0, much)) ** 2)[()]


def composed(mus: ArrayLike) -> float:
    """mu of separate draws together: sqrt(sum mu^2) (Dong, Roth, Su 2022, Corollary 3.3)."""
    return math.hypot(*np.atleast_1d(np.asarray(mus, dtype=float)).ravel().tolist())


# What mu says


def rho_of_mu(mu: ArrayLike) -> Numbers:
    """rho of zero-concentrated differential privacy: mu^2 / 2."""
    return (_checked(mu) ** 2 / 2)[()]


def misses(mu: ArrayLike, false_alarms: ArrayLike) -> Numbers:
    """The least share of misses of a test with this share of false alarms: Phi(Phi^-1(1 - a) - mu)."""
    a = np.asarray(false_alarms, dtype=float)
    if not np.all((a >= 0) & (a <= 1)):
        raise TrustscopeError("A share of false alarms lies between 0 and 1.")
    much, a = np.broadcast_arrays(_checked(mu), a)
    finite = np.where(np.isinf(much), 0.0, much)
    return np.where(np.isinf(much), 0.0, ndtr(-ndtri(a) - finite))[()]


def delta_of_epsilon(mu: ArrayLike, epsilon: ArrayLike) -> Numbers:
    """The least delta with which (epsilon, delta) holds.

    With t = eps / mu, phi the normal density and M its Mills ratio (1 - Phi) / phi the formula at the head of this
    module is phi(t - mu/2) (M(t - mu/2) - M(t + mu/2)), in which nothing overflows and little cancels.
    """
    much, eps = np.broadcast_arrays(_checked(mu), np.asarray(epsilon, dtype=float))
    if not np.all(eps >= 0):
        raise TrustscopeError("epsilon must not be negative.")
    usual = (much > 0) & np.isfinite(much) & np.isfinite(eps)
    safe = np.where(usual, much, 1.0)
    found = _delta(safe, np.where(usual, eps, 0.0) / safe - safe / 2)
    return np.where(usual, found, np.where(np.isinf(much) & np.isfinite(eps), 1.0, 0.0))[()]


def epsilon_of_delta(mu: ArrayLike, delta: ArrayLike) -> Numbers:
    """The least epsilon with which (epsilon, delta) holds: the inverse of `delta_of_epsilon`.

    Parameters
    ----------
    mu : float or array-like
    delta : float or array-like
        From 0 to 1. At 0 epsilon is infinite for every mu above 0: a normal has no bounded likelihood ratio.
    """
    much, d = np.broadcast_arrays(_checked(mu), np.asarray(delta, dtype=float))
    if not np.all((d >= 0) & (d <= 1)):
        raise TrustscopeError("delta lies between 0 and 1.")
    usual = (much > 0) & np.isfinite(much) & (d > 0) & (d < 1)
    safe, want = np.where(usual, much, 1.0), np.where(usual, d, 0.5)
    # t - mu/2 lies between its place at epsilon 0 and the quantile of delta, since delta <= Phi(mu/2 - t).
    low, high = -safe / 2, np.maximum(-ndtri(want), -safe / 2)
    place = low
    for _ in range(_HALVINGS):
        reached, before = _delta(safe, place), place
        above = reached > want
        low, high = np.where(above, place, low), np.where(above, high, place)
        # Newton on the logarithm of delta, whose derivative by t is -mu phi(t) M(t + mu) / delta.
        with np.errstate(divide="ignore", invalid="ignore"):
            place = place + np.log(reached / want) * reached / (safe * _density(place) * _mills(place + safe))
        place = np.where((place >= low) & (place <= high), place, (low + high) / 2)
        if np.all(np.abs(place - before) <= 4 * np.spacing(np.abs(place) + safe)):
            break
    found = np.where(_delta(safe, -safe / 2) <= want, 0.0, safe * np.maximum(place + safe / 2, 0.0))
    return np.where(usual, found, np.where((much > 0) & (d < 1), np.inf, 0.0))[()]


def mu_for_epsilon(epsilon: ArrayLike, delta: ArrayLike) -> Numbers:
    """The largest mu with which (epsilon, delta) holds, by halving: delta grows with mu."""
    eps, d = np.broadcast_arrays(np.asarray(epsilon, dtype=float), np.asarray(delta, dtype=float))
    if not (np.all(eps >= 0) and np.all((d > 0) & (d < 1))):
        raise TrustscopeError("epsilon must not be negative, and delta lies between 0 and 1 without being either.")
    finite = np.where(np.isinf(eps), 0.0, eps)
    # Beyond this mu/2 - eps/mu exceeds the quantile of any delta below 1 - 1e-16.
    low, high = np.zeros(eps.shape), np.sqrt(2 * finite) + 40.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if np.all((middle == low) | (middle == high)):
            break
        holds = np.asarray(delta_of_epsilon(middle, finite)) <= d
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    return np.where(np.isinf(eps), np.inf, low)[()]


def _delta(mu: Floats, t: Floats) -> Floats:
    """phi(t) (M(t) - M(t + mu)), for t = eps / mu - mu / 2."""
    density = _density(t)
    left = ndtr(-t) - density * _mills(t + mu)
    # Above 0 both tails are small, and it is their ratios to the density that can be subtracted.
    right = density * (_mills(t) - _mills(t + mu))
    middle = t + mu / 2
    narrow = density * mu * (1 - middle * _mills(middle))  # -M' in the middle of the two
    return np.where(mu < _SMALL, narrow, np.where(t > 0, right, left))


def _density(t: Floats) -> Floats:
    with np.errstate(over="ignore"):
        density: Floats = np.exp(-(t**2) / 2) / math.sqrt(2 * math.pi)
        return density


def _mills(t: Floats) -> Floats:
    """(1 - Phi(t)) / phi(t) from t = 0 on; below, where it may overflow and nobody uses it, as at 0."""
    ratio: Floats = math.sqrt(math.pi / 2) * erfcx(np.maximum(t, 0.0) / math.sqrt(2))
    return ratio


def _checked(mu: ArrayLike) -> Floats:
    much = np.asarray(mu, dtype=float)
    if not np.all(much >= 0):
        raise TrustscopeError("mu must not be negative.")
    return much


def _times(width: Numbers, distance: Numbers) -> Numbers:
    """A product in which no width is no distance, however little noise there is."""
    wide = np.asarray(width, dtype=float)
    with np.errstate(invalid="ignore"):
        return np.where(wide == 0, 0.0, wide * distance)[()]
