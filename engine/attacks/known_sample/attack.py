"""The attacker who knows a sample of the same population (Giannella et al. 2009, Sec. V)."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.attacks.known_sample.axes import eigen_ratio, principal_axes
from trustscope.engine.attacks.known_sample.rehearsal import steadier_about_origin
from trustscope.engine.attacks.known_sample.signs import MOST_EXACT, Misfit, exact, marginal_cross, polynomial
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError

__all__ = ["METHODS", "SEARCHES", "KnownSampleAttack", "attack"]

METHODS = ("paper", "improved")
SEARCHES = ("auto", "exact", "polynomial")
# The most dimensions in which the search "auto" tries all patterns of signs.
AUTO_EXACT = 8
# How many pairs of rows are compared: at least, at most, and in total over all patterns of signs.
LEAST_PAIRS, MOST_PAIRS, ALL_PAIRS = 250_000, 1_000_000, 32_000_000


@dataclass(frozen=True, eq=False)
class KnownSampleAttack:
    """The release as the attacker believes it to be.

    Attributes
    ----------
    sample_axes, released_axes : numpy.ndarray, shapes (n, n) and (l, n)
        Z and W, principal axes in columns.
    sample_eigenvalues, released_eigenvalues : numpy.ndarray, shape (n,)
        Variances along these axes; second moments where `about_origin`.
    signs : numpy.ndarray, shape (n,)
        The diagonal of D: +1 or -1.
    margins : numpy.ndarray, shape (n,)
        How much worse sample and release match with one axis flipped, about in the units of a chi-squared:
        below 4 or so the sign is a guess.
    shift : numpy.ndarray, shape (l,)
        What is taken off the released rows before they are turned back (Eq. 10); zero without translation.
    search : {"exact", "polynomial"}
    evaluations : int
        Sign patterns that were tried.
    about_origin : bool
        Whether the axes are those of the second moments about the origin.
    eigen_ratio : float
        Least ratio of neighbouring eigenvalues of the sample's covariance, the paper's diagnostic whichever axes
        were matched: near 1 axes are mixed up.
    """

    sample_axes: Floats
    released_axes: Floats
    sample_eigenvalues: Floats
    released_eigenvalues: Floats
    signs: Floats
    margins: Floats
    shift: Floats
    search: str
    evaluations: int
    about_origin: bool
    eigen_ratio: float

    @property
    def matrix(self) -> Floats:
        """The estimate of M_T: W D Z', shape (l, n)."""
        return (self.released_axes * self.signs) @ self.sample_axes.T

    def estimate(self, released: ArrayLike) -> Floats:
        """The records behind released rows, shape (rows, n)."""
        table = as_table(released, "released data")
        if table.shape[1] != len(self.shift):
            raise TrustscopeError(
                f"The attack was on {len(self.shift)} released columns, but here are {table.shape[1]}."
            )
        return (table - self.shift) @ self.matrix


def attack(
    sample: ArrayLike,
    released: ArrayLike,
    *,
    translated: bool = False,
    method: str = "improved",
    search: str = "auto",
    pairs: int | None = None,
    projected: bool = False,
) -> KnownSampleAttack:
    """Match the principal axes of the sample with those of the release, and choose their signs.

    Parameters
    ----------
    sample : array-like, shape (q, n)
        Records of the same population, not of the data.
    released : array-like, shape (rows, n), or (rows, l) if `projected`
    translated : bool
        Whether there may have been a shift.
    method : {"paper", "improved"}
        Signs are those that bring sample and release nearest, by the energy distance of all axes together.
        paper: Algorithm V-B.1, or with translation the differences of disjoint pairs of Sec. V-E; these are
        symmetric whatever the data, so their signs are guesses. improved: with translation both sides less their
        means; without, the axes of the second moments about the origin where a rehearsal on the release shows
        that they are clearly better known from so small a sample, or where they bring a projection nearer. (A
        large mean leaks from one axis into others that are badly estimated, unless its direction is an axis.)
    search : {"auto", "exact", "polynomial"}
        All 2^n sign patterns, or axis by axis with refinement; "auto" takes the former up to 8 axes.
    pairs : int, optional
        Pairs of rows over which distances are averaged, at most; by default up to a million, fewer for many
        sign patterns.
    projected : bool
        Whether the release is a random projection, of l >= n columns.

    Returns
    -------
    KnownSampleAttack
    """
    s, y = _checked(sample, released, method, search, pairs, projected)
    # Squares of numbers beyond 1e154 overflow.
    scale = max(np.abs(s).max(), np.abs(y).max()) or 1.0
    s, y = s / scale, y / scale
    ratio = eigen_ratio(principal_axes(s)[0])
    mean_s, mean_y = s.mean(axis=0), y.mean(axis=0)
    about: tuple[bool, ...] = (False,)
    used = s, y
    if translated:
        used = (s - mean_s, y - mean_y) if method == "improved" else (_differences(s), _differences(y))
    elif method == "improved":
        # A projection bends the axes of all its records alike, which no rehearsal on these shows: try both.
        about = (False, True) if s.shape[1] < y.shape[1] else (steadier_about_origin(y, len(s)),)
    found = [_matched(*used, one, method, search, pairs) for one in about]
    _, about_origin, z, w, values_s, values_y, signs, margins, search, evaluations = min(found, key=lambda one: one[0])
    # Eq. 10: what the means say once the axes are matched.
    shift = mean_y - (w * signs) @ (z.T @ mean_s) if translated else np.zeros(y.shape[1])
    with np.errstate(over="ignore"):
        values_s, values_y = values_s * scale * scale, values_y * scale * scale
    return KnownSampleAttack(
        z, w, values_s, values_y, signs, margins, shift * scale, search, evaluations, about_origin, ratio
    )


# The distance left, whether about the origin, axes, their variances, signs, margins, the search, patterns tried.
_Match = tuple[float, bool, Floats, Floats, Floats, Floats, Floats, Floats, str, int]


def _matched(s: Floats, y: Floats, about_origin: bool, method: str, search: str, pairs: int | None) -> _Match:
    """The mean distance that is left between sample and release, and the match that leaves it."""
    values_s, z = principal_axes(s, about_origin=about_origin)
    values_y, w = principal_axes(y, s.shape[1], about_origin=about_origin)
    left, signs, margins, used, tried = _signs(s @ z, y @ w, method, search, pairs)
    return left, about_origin, z, w, values_s, values_y, signs, margins, used, tried


def _signs(s: Floats, y: Floats, method: str, search: str, pairs: int | None) -> tuple[float, Floats, Floats, str, int]:
    """The mean distance left, the signs, what flipping each would cost, how they were found, patterns tried."""
    n = s.shape[1]
    if search == "auto":
        search = "exact" if n <= AUTO_EXACT else "polynomial"
    if pairs is None:
        patterns = 2 ** min(n, MOST_EXACT) if search == "exact" else 1
        pairs = min(max(ALL_PAIRS // patterns, LEAST_PAIRS), MOST_PAIRS)
    alone = marginal_cross(s, y)
    misfit = Misfit(s, y, pairs=pairs, alone=alone if method == "improved" else None)
    if search == "exact":
        signs, value = exact(misfit)
    else:
        # Each axis by itself is a start; all of them together decide.
        signs, value = polynomial(misfit, np.where(alone[0] <= alone[1], 1.0, -1.0))
    evaluations = misfit.evaluations
    margins = np.array([misfit(np.where(np.arange(n) == axis, -signs, signs)) - value for axis in range(n)])
    return misfit.cross(signs), signs, margins, search, evaluations


def _differences(table: Floats) -> Floats:
    """Differences of disjoint pairs of rows; an odd last row is left out."""
    half = len(table) // 2
    return table[:half] - table[half : 2 * half]


def _checked(
    sample: ArrayLike, released: ArrayLike, method: str, search: str, pairs: int | None, projected: bool
) -> tuple[Floats, Floats]:
    if method not in METHODS:
        raise TrustscopeError(f"The method must be one of {', '.join(METHODS)}, not {method!r}.")
    if search not in SEARCHES:
        raise TrustscopeError(f"The search must be one of {', '.join(SEARCHES)}, not {search!r}.")
    if pairs is not None and (not isinstance(pairs, int | float | np.integer | np.floating) or not 1 <= pairs < np.inf):
        raise TrustscopeError(f"There must be at least one pair of rows to compare, not {pairs}.")
    # Pair differences of fewer than four rows leave no covariance.
    s, y = as_table(sample, "sample", rows=4), as_table(released, "released data", rows=4)
    if s.shape[1] > y.shape[1]:
        raise TrustscopeError(
            f"The sample has {s.shape[1]} columns, but only {y.shape[1]} were released: it must have the same "
            "attributes as the data."
        )
    if s.shape[1] < y.shape[1] and not projected:
        raise TrustscopeError(
            f"The sample has {s.shape[1]} columns, but {y.shape[1]} were released: it must have the same attributes "
            "as the data, unless the release is a random projection (say so: projected=True)."
        )
    return s, y
