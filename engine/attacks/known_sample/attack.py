"""The attacker who knows a sample of the same population (Giannella et al. 2009, Sec. V)."""

from dataclasses import dataclass, replace

import numpy as np

from engine.attacks.known_sample.axes import eigen_ratio, principal_axes
from engine.attacks.known_sample.signs import Misfit, exact, marginal_cross, polynomial
from engine.rotation import as_table

__all__ = ["METHODS", "SEARCHES", "KnownSampleAttack", "attack"]

METHODS = ("paper", "improved")
SEARCHES = ("auto", "exact", "polynomial")
# Dimensions up to which "auto" tries all sign patterns.
AUTO_EXACT = 8
PAIRS = 250_000


@dataclass(frozen=True, eq=False)
class KnownSampleAttack:
    """The release as the attacker believes it to be.

    Attributes
    ----------
    sample_axes, released_axes : numpy.ndarray, shapes (n, n) and (l, n)
        Z and W, principal axes in columns.
    sample_eigenvalues, released_eigenvalues : numpy.ndarray, shape (n,)
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
    """

    sample_axes: np.ndarray
    released_axes: np.ndarray
    sample_eigenvalues: np.ndarray
    released_eigenvalues: np.ndarray
    signs: np.ndarray
    margins: np.ndarray
    shift: np.ndarray
    search: str
    evaluations: int

    @property
    def matrix(self):
        """The estimate of M_T: W D Z', shape (l, n)."""
        return (self.released_axes * self.signs) @ self.sample_axes.T

    @property
    def eigen_ratio(self):
        """Least ratio of neighbouring eigenvalues of the sample: near 1 axes are mixed up."""
        return eigen_ratio(self.sample_eigenvalues)

    def estimate(self, released):
        """The records behind released rows, shape (rows, n)."""
        table = as_table(released, "released data")
        return (table - self.shift) @ self.matrix


def attack(sample, released, *, translated=False, method="improved", search="auto", pairs=PAIRS):
    """Match the principal axes of the sample with those of the release, and choose their signs.

    Parameters
    ----------
    sample : array-like, shape (q, n)
        Records of the same population, not of the data.
    released : array-like, shape (rows, l)
        l >= n columns: more than n are a random projection's.
    translated : bool
        Whether there may have been a shift.
    method : {"paper", "improved"}
        paper: Algorithm V-B.1, or with translation the differences of disjoint pairs of Sec. V-E; these are
        symmetric whatever the data, so their signs are guesses. improved: signs by the energy distance of all
        axes together and of each; with translation both sides less their means; without, also the axes of the
        second moments about the origin, and of the two matches the one that makes sample and release more
        alike. (A large mean leaks from one axis into others that are badly estimated, unless its direction is
        an axis itself.)
    search : {"auto", "exact", "polynomial"}
        All 2^n sign patterns, or axis by axis with refinement; "auto" takes the former up to 8 axes.
    pairs : int
        Pairs of rows over which distances are averaged, at most.

    Returns
    -------
    KnownSampleAttack
    """
    s, y = _checked(sample, released, method, search)
    options = {"alone": method == "improved", "search": search, "pairs": pairs}
    if not translated:
        about = (False, True) if method == "improved" else (False,)
        return min((_matched(s, y, about_origin=one, **options) for one in about), key=lambda found: found[1])[0]
    mean_s, mean_y = s.mean(axis=0), y.mean(axis=0)
    used = (_differences(s), _differences(y)) if method == "paper" else (s - mean_s, y - mean_y)
    found, _ = _matched(*used, about_origin=False, **options)
    # Eq. 10: what the means say once the axes are matched.
    return replace(found, shift=mean_y - found.matrix @ mean_s)


def _matched(s, y, *, about_origin, alone, search, pairs):
    """Axes of both and their signs, and the mean distance between sample and release that is left."""
    n = s.shape[1]
    values_s, z = principal_axes(s, about_origin=about_origin)
    values_y, w = principal_axes(y, n, about_origin=about_origin)
    along_s, along_y = s @ z, y @ w
    each = _chi_squared(marginal_cross(along_s, along_y), len(s), len(y))
    misfit = Misfit(along_s, along_y, pairs=pairs, separate=each if alone else None)
    if search == "auto":
        search = "exact" if n <= AUTO_EXACT else "polynomial"
    start = np.where(each[0] <= each[1], 1.0, -1.0)
    signs, value = exact(misfit) if search == "exact" else polynomial(misfit, start)
    evaluations = misfit.evaluations
    margins = np.array([misfit(np.where(np.arange(n) == axis, -signs, signs)) - value for axis in range(n)])
    shift = np.zeros(y.shape[1])
    found = KnownSampleAttack(z, w, values_s, values_y, signs, margins, shift, search, evaluations)
    return found, misfit.cross(signs)


def _chi_squared(cross, q, m):
    """Energy statistics of single axes in units of their mean distance."""
    least = cross.min(axis=0)
    return 2 * q * m / (q + m) * np.divide(cross, least, out=np.zeros_like(cross), where=least > 0)


def _differences(table):
    """Differences of disjoint pairs of rows; an odd last row is left out."""
    half = len(table) // 2
    return table[:half] - table[half : 2 * half]


def _checked(sample, released, method, search):
    if method not in METHODS:
        raise ValueError(f"The method must be one of {', '.join(METHODS)}, not {method!r}.")
    if search not in SEARCHES:
        raise ValueError(f"The search must be one of {', '.join(SEARCHES)}, not {search!r}.")
    # Pair differences of fewer than four rows leave no covariance.
    s, y = as_table(sample, "sample", rows=4), as_table(released, "released data", rows=4)
    if s.shape[1] > y.shape[1]:
        raise ValueError(
            f"The sample has {s.shape[1]} columns, but only {y.shape[1]} were released: it must have the same "
            "attributes as the data."
        )
    return s, y
