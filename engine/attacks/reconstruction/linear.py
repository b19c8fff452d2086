"""Linear attackers: the released value itself, projections on strong components, the Bayes estimate.

Notation, as in Huang, Du, Chen (2005), "Deriving private information from randomized data": Y = X + R, with
covariances Sigma_y = Sigma_x + Sigma_r and means mu_y = mu_x + mu_r; m attributes, n rows; lambda_1 >= ... >=
lambda_m the eigenvalues of Sigma_x, q_i their eigenvectors.
"""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.attacks.reconstruction.inputs import apply, check, descending, moments
from trustscope.errors import TrustscopeError

# The largest gap between eigenvalues separates large from small ones only if it exceeds this share of the eigenvalue
# before it.
GAP = 0.5


def noise_distribution(
    released: ArrayLike,
    noise_covariance: ArrayLike,
    noise_mean: ArrayLike = 0.0,
    *,
    covariance: ArrayLike | None = None,
    mean: ArrayLike | None = None,
) -> Floats:
    """NDR: take the released value for the true one, x = y - mu_r.

    Parameters
    ----------
    released : array-like, shape (rows, m) or (rows,)
    noise_covariance : float or array-like, shape (m,) or (m, m)
        Sigma_r; one number is the variance of white noise. Not used here, beyond being checked.
    noise_mean : float or array-like, shape (m,)
        mu_r.
    covariance, mean : optional
        What perfect knowledge would be; this attacker has no use for it.

    Returns
    -------
    numpy.ndarray, like `released`
    """
    given = check(released, noise_covariance, noise_mean)
    return given.finish(given.table - given.noise_mean)


def principal_components(
    released: ArrayLike,
    noise_covariance: ArrayLike,
    noise_mean: ArrayLike = 0.0,
    *,
    covariance: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    keep: str | int | float = "gap",
) -> Floats:
    """PCA-DR: keep what lies along the strong components of the data, x = mu_x + Q_p Q_p' (y - mu_y).

    Parameters
    ----------
    released, noise_covariance, noise_mean
        As in `noise_distribution`.
    covariance : float or array-like, optional
        The true Sigma_x (perfect knowledge); otherwise Sigma_y - Sigma_r from the released rows, which is
        right for correlated noise too.
    mean : float or array-like, optional
        The true mu_x; otherwise mu_y - mu_r from the released rows.
    keep : "gap", int or float
        How many components. "gap": those before the largest gap between consecutive eigenvalues; where that
        gap is less than half of the eigenvalue before it no component is small, and all of positive
        eigenvalue are kept. An int: so many. A float in (0, 1]: the fewest that hold this share of variance.

    Returns
    -------
    numpy.ndarray, like `released`
        Where no eigenvalue is positive (noise beyond the data) "gap" and shares keep nothing: mu_x.
    """
    given = check(released, noise_covariance, noise_mean)
    known = moments(given, covariance, mean)
    values, vectors = descending(known.covariance)
    kept = vectors[:, : components_kept(values, keep)]
    return given.finish(apply(given, known, (kept, kept.T)))


def spectral_filter(
    released: ArrayLike,
    noise_covariance: ArrayLike,
    noise_mean: ArrayLike = 0.0,
    *,
    covariance: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    keep: str | int | float = "band",
) -> Floats:
    """SF: keep the components of the released data that stand out of what pure noise would give.

    White noise of variance s2 alone has eigenvalues within s2 (1 -+ sqrt(m / n))^2 (Marchenko and Pastur);
    components of Sigma_y above that band are kept. With more rows the band shrinks to s2, and ever weaker
    components, mostly noise, are kept: this attacker gets worse with more data. For correlated noise s2 is
    the mean variance, as the filter knows no better.

    Parameters
    ----------
    released, noise_covariance, noise_mean, mean
        As in `principal_components`.
    covariance : float or array-like, optional
        The true Sigma_x, whence Sigma_y = Sigma_x + Sigma_r; the band stays that of the released rows.
    keep : "band", int or float
        "band": those above it. Otherwise as in `principal_components`, of the eigenvalues of Sigma_y.

    Returns
    -------
    numpy.ndarray, like `released`
    """
    given = check(released, noise_covariance, noise_mean)
    known = moments(given, covariance, mean)
    values, vectors = descending(known.released)
    if isinstance(keep, str) and keep == "band":
        count = int(np.count_nonzero(values > noise_band(given.noise, len(given.table))[1]))
    else:
        count = components_kept(values, keep, rule="band")
    kept = vectors[:, :count]
    return given.finish(apply(given, known, (kept, kept.T)))


def bayes(
    released: ArrayLike,
    noise_covariance: ArrayLike,
    noise_mean: ArrayLike = 0.0,
    *,
    covariance: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    clip: bool = True,
) -> Floats:
    """BE-DR: the Bayes estimate for normal data and normal noise of any covariance.

    Eq. 13 of Huang et al. (2005) in a form that inverts neither Sigma_x nor Sigma_r,

        x = y - mu_r - Sigma_r Sigma_y^-1 (y - mu_y).

    In the basis that whitens Sigma_y and makes Sigma_r diagonal (k_1, ..., k_m) this multiplies coordinate i
    by its gain 1 - k_i. An estimated Sigma_y gives k_i > 1 where it has fallen below Sigma_r: such gains are
    clipped to 0.

    Parameters
    ----------
    released, noise_covariance, noise_mean, covariance, mean
        As in `principal_components`.
    clip : bool
        False takes negative gains literally, as the printed formula does.

    Returns
    -------
    numpy.ndarray, like `released`
        With fewer rows than columns Sigma_y is singular, and everything happens within its range.
    """
    given = check(released, noise_covariance, noise_mean)
    known = moments(given, covariance, mean)
    into, back, ratios = whitened(known.released, given.noise)
    gains = 1 - ratios
    if clip:
        gains = np.maximum(gains, 0)
    return given.finish(apply(given, known, ((into * gains) @ back,)))


def whitened(released: ArrayLike, noise: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """The basis in which Sigma_y is the identity and Sigma_r diagonal, on the range of Sigma_y.

    Returns
    -------
    into : numpy.ndarray, shape (m, r)
        (y - mu_y) @ into has covariance I.
    back : numpy.ndarray, shape (r, m)
        into @ back projects on the range.
    ratios : numpy.ndarray, shape (r,)
        k: the share of noise in the variance of every coordinate.
    """
    scale = np.sqrt(np.maximum(np.diag(released), 0))
    safe = np.where(scale > 0, scale, 1)
    # Correlations first: columns in very different units would otherwise drown in each other's rounding.
    values, vectors = np.linalg.eigh(released / np.outer(safe, safe))
    there = values > len(values) * np.finfo(float).eps * np.abs(values).max(initial=0)
    root, vectors = np.sqrt(values[there]), vectors[:, there]
    into = vectors / root / safe[:, None]
    ratios, turn = np.linalg.eigh(into.T @ noise @ into)
    return into @ turn, turn.T @ ((vectors * root).T * safe), np.maximum(ratios, 0)


def noise_band(noise: Floats, rows: int) -> tuple[float, float]:
    """Lowest and highest eigenvalue that pure noise gives, s2 (1 -+ sqrt(m / n))^2.

    Parameters
    ----------
    noise : numpy.ndarray, shape (m, m)
        Sigma_r; s2 is its mean variance.
    rows : int
        n. With fewer rows than columns some eigenvalues are 0: so is the lower end.
    """
    columns = len(noise)
    variance, ratio = np.trace(noise) / columns, np.sqrt(columns / rows)
    return float(variance * max(1 - ratio, 0) ** 2), float(variance * (1 + ratio) ** 2)


def components_kept(values: Floats, keep: str | int | float = "gap", rule: str = "gap") -> int:
    """How many components to keep, of eigenvalues in descending order; see `principal_components`."""
    columns = len(values)
    if isinstance(keep, str) and keep == rule == "gap":
        return _before_gap(values)
    if isinstance(keep, int | np.integer) and not isinstance(keep, bool) and 0 <= keep <= columns:
        return int(keep)
    if isinstance(keep, float) and 0 < keep <= 1:
        held = np.cumsum(np.maximum(values, 0))
        positive = int(np.count_nonzero(values > 0))
        # A hair less than the share: rounding must not ask for one component more.
        return min(int(np.searchsorted(held, keep * held[-1] * (1 - 1e-12))) + 1, positive)
    raise TrustscopeError(
        f"Components to keep: “{rule}”, a whole number up to {columns}, or a share above 0 and at most 1.0, "
        f"not {keep!r}."
    )


def _before_gap(values: Floats) -> int:
    place = _gap(values)
    return int(np.count_nonzero(values > 0)) if place is None else place


def _gap(values: Floats) -> int | None:
    """How many eigenvalues come before the gap that parts large from small, or None."""
    clipped = np.maximum(values, 0)
    if len(values) < 2 or not clipped[0] > 0:
        return None
    gaps = clipped[:-1] - clipped[1:]
    place = int(np.argmax(gaps))
    return place + 1 if gaps[place] > GAP * clipped[place] else None


@dataclass(frozen=True, eq=False)
class Spectrum:
    """What the spectral attackers see.

    Attributes
    ----------
    released : numpy.ndarray, shape (m,)
        Eigenvalues of Sigma_y, descending.
    data : numpy.ndarray, shape (m,)
        Eigenvalues of Sigma_x as known or estimated, descending; estimated ones may be negative.
    noise : numpy.ndarray, shape (m,)
        Variance of the noise along the components of Sigma_x.
    band : tuple of float
        Lowest and highest eigenvalue that pure white noise of the same mean variance gives.
    kept_by_filter, kept_by_components : int
        How many components `spectral_filter` and `principal_components` keep.
    gap : bool
        Whether there is a gap that parts large from small; otherwise all of positive eigenvalue are kept.
    data_within, noise_within : numpy.ndarray, shape (m,)
        Of every eigenvalue of Sigma_y, what the data (as known or estimated) and what the noise contribute.
    components_within : numpy.ndarray, shape (m,)
        Share of every component of Sigma_y that lies in what `principal_components` keeps.
    """

    released: Floats
    data: Floats
    noise: Floats
    band: tuple[float, float]
    kept_by_filter: int
    kept_by_components: int
    gap: bool
    data_within: Floats
    noise_within: Floats
    components_within: Floats


def spectrum(
    released: ArrayLike,
    noise_covariance: ArrayLike,
    *,
    covariance: ArrayLike | None = None,
    keep: str | int | float = "gap",
) -> Spectrum:
    """Eigenvalues, the noise band, and what the two spectral attackers keep by default.

    Parameters
    ----------
    released, noise_covariance, covariance, keep
        As in `principal_components`.

    Returns
    -------
    Spectrum
    """
    given = check(released, noise_covariance)
    known = moments(given, covariance)
    values, vectors = descending(known.covariance)
    (seen, axes), band = descending(known.released), noise_band(given.noise, len(given.table))
    kept = components_kept(values, keep)
    noise_within = _along(given.noise, axes)
    return Spectrum(
        released=seen,
        data=values,
        noise=_along(given.noise, vectors),
        band=band,
        kept_by_filter=int(np.count_nonzero(seen > band[1])),
        kept_by_components=kept,
        gap=_gap(values) is not None,
        data_within=seen - noise_within,
        noise_within=noise_within,
        components_within=((vectors[:, :kept].T @ axes) ** 2).sum(axis=0),
    )


def _along(covariance: Floats, vectors: Floats) -> Floats:
    """The variance in the direction of every column of `vectors`."""
    return np.asarray(np.einsum("ji,ji->i", vectors, covariance @ vectors))
