"""The linear attackers of Li et al. (2012): the best linear estimate of the data from a coalition's copies.

Notation: levels s_1..s_M, Sigma the noise covariance of the scheme (`engine.noise.noise_covariance`), 1 a
vector of ones. Noise is shaped by K_X, so K_X cancels out of Eq. 6 and every attribute is attacked alike:

    w = (1 1' + Sigma)^-1 1,   estimate = mu + sum_i w_i (Y_i - mu),   W = sum_i w_i,

with normalised error 1 - W (error variance over variance of the attribute, between 0 and 1). Given the data,
the error has mean -(1 - W)(x - mu) and variance w' Sigma w = W (1 - W) times the attribute's. A singular
K_X needs nothing special in this form.

Three attackers: `perfect` knows mu and the levels, `structured` knows the levels and estimates mu, `raw`
knows the levels and estimates the mean and the covariance of all its copies. Each gives an object with
`estimate`.
"""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Several
from trustscope.engine.attacks.combining import check_coalition, check_count, combined, effective_levels, weights
from trustscope.engine.attacks.combining import expected_error as expected_error  # also by this name
from trustscope.engine.noise import SCHEMES, check_scheme, named_levels
from trustscope.engine.tables import aligned, as_numbers
from trustscope.errors import TrustscopeError

MOST_RECIPIENTS = 20


def expected_error_structured(levels: ArrayLike, scheme: str = "nested", n: int = 1) -> float:
    """Normalised error of the structured attacker with a sample of n rows: (1 - W) + (1 - W)^2 / (n W).

    The estimated mean has variance K_X / (n W), and enters the estimate with factor 1 - W; it is uncorrelated
    with the error of the perfect attacker, which is orthogonal to every copy. Exact for data drawn from a law
    with covariance K_X. What it leaves out: when a finite table is the whole population and the sample is a
    large part of it, the sample's own mean is closer to the table's than 1 / n says.
    """
    if n < 1:
        raise TrustscopeError(f"A sample needs at least one row, not {n}.")
    error = expected_error(levels, scheme)
    return error + error**2 / (n * (1 - error))


@dataclass(frozen=True, eq=False)
class LinearAttack:
    """Estimate mu + sum_i w_i (Y_i - mu).

    Attributes
    ----------
    weights : numpy.ndarray, shape (M,)
    mean : numpy.ndarray, shape (N,)
        mu, as the attacker knows or estimates it.
    expected : float
        Normalised error with a perfectly known mean, 1 - W.
    """

    weights: Floats
    mean: Floats
    expected: float

    @property
    def shrink(self) -> float:
        """W: the estimate of x is on average mu + W (x - mu)."""
        return 1 - self.expected

    @property
    def noise_variance(self) -> float:
        """Variance w' Sigma w of the noise in the estimate, as a multiple of the attribute's variance."""
        return self.expected * (1 - self.expected)

    def estimate(self, copies: Several) -> Floats:
        """Estimate of the rows of `copies`.

        Parameters
        ----------
        copies : sequence of M array-likes, or an array, shape (M, rows, N) or (M, rows)

        Returns
        -------
        numpy.ndarray, shape (rows, N) or (rows,)
        """
        total = combined(aligned(copies), self.weights)
        columns = total.shape[1] if total.ndim > 1 else 1
        if len(self.mean) not in (1, columns):
            raise TrustscopeError(f"The mean has {len(self.mean)} values, but the copies have {columns} columns.")
        total += self.expected * (self.mean if total.ndim > 1 else self.mean[0])
        return total


@dataclass(frozen=True, eq=False)
class RawAttack:
    """Estimate mean + (Y - centre) B, with Y the copies of a row side by side.

    Attributes
    ----------
    matrix : numpy.ndarray, shape (M N, N)
    centre : numpy.ndarray, shape (M N,)
    mean : numpy.ndarray, shape (N,)
    """

    matrix: Floats
    centre: Floats
    mean: Floats

    def estimate(self, copies: Several) -> Floats:
        """Estimate of the rows of `copies`, shapes as in `LinearAttack.estimate`."""
        columns = len(self.mean)
        check_count(copies, len(self.centre) // columns)
        total, copies = None, aligned(copies)
        for i, copy in enumerate(copies):
            part = slice(i * columns, (i + 1) * columns)
            rows = np.asarray(copy, dtype=float)
            term = (rows.reshape(len(rows), -1) - self.centre[part]) @ self.matrix[part]
            total = term if total is None else np.add(total, term, out=total)
        assert total is not None  # there is a copy at least
        total += self.mean
        return total[:, 0] if np.ndim(copies[0]) == 1 else total


def perfect(levels: ArrayLike, scheme: str, mean: ArrayLike) -> LinearAttack:
    """The attacker who knows the mean and the levels (Eq. 6).

    Parameters
    ----------
    levels : array-like, shape (M,)
    scheme : {"nested", "independent", "proportional"}
    mean : float or array-like, shape (N,)

    Returns
    -------
    LinearAttack
    """
    mu = np.atleast_1d(as_numbers(mean, "mean"))
    if mu.ndim != 1 or not np.all(np.isfinite(mu)):
        raise TrustscopeError("The mean must be one finite number, or one for each column.")
    return LinearAttack(weights(levels, scheme), mu, expected_error(levels, scheme))


def structured(sample_copies: Several, levels: ArrayLike, scheme: str) -> LinearAttack:
    """The attacker who knows the levels and the scheme, and estimates the mean from a sample of rows.

    Estimating K_X as well changes nothing: it cancels. The mean is the average of the copies' sample means
    with weights w / W, which has the least variance, K_X / (n W).

    Parameters
    ----------
    sample_copies : sequence of M array-likes, or an array, shape (M, n, N) or (M, n)
        The rows of the copies that the attacker estimates from.
    levels : array-like, shape (M,)
    scheme : {"nested", "independent", "proportional"}

    Returns
    -------
    LinearAttack
    """
    w = weights(levels, scheme)
    if not all(len(copy) for copy in sample_copies):
        raise TrustscopeError("A mean cannot be estimated from no row: give a sample of at least one.")
    means = np.stack([_rows(copy).mean(axis=0) for copy in sample_copies])
    check_count(means, len(w))
    return LinearAttack(w, w @ means / w.sum(), expected_error(levels, scheme))


def raw(sample_copies: Several, levels: ArrayLike, shape: ArrayLike | None = None) -> RawAttack:
    """The attacker who knows the levels only, and estimates every moment from a sample of rows.

    The covariance of the stacked copies (M N x M N) is the sample covariance; each copy's block over 1 + s_i
    estimates K_X, and their average stands for K_X in K_XY = K_X H' of Eq. 6; the average of the copies'
    means stands for mu. The error in the inverse of the large matrix makes this attacker worse as M grows.
    With fewer rows than M N + 1 the matrix is singular and its pseudo-inverse is taken. Near that number of
    rows the error may exceed 1: this attacker would do better to guess the mean, and cannot know it.

    Parameters
    ----------
    sample_copies : sequence of M array-likes, or an array, shape (M, n, N) or (M, n)
        n >= 2.
    levels : array-like, shape (M,)
    shape : array-like, shape (N, N), optional
        The shape of the noise, where it is not the data's own: K_X is then each copy's block less s_i times it,
        averaged with weights 1 / (1 + s_i)^2, since the block of a noisy copy is estimated the worse.

    Returns
    -------
    RawAttack
    """
    s = check_coalition(levels)
    check_count(sample_copies, len(s))
    stacked = np.hstack([_rows(copy) for copy in sample_copies])
    if len(stacked) < 2:
        raise TrustscopeError("A covariance cannot be estimated from fewer than two rows.")
    columns = stacked.shape[1] // len(s)
    centre = stacked.mean(axis=0)
    covariance = np.atleast_2d(np.cov(stacked, rowvar=False))
    blocks = covariance.reshape(len(s), columns, len(s), columns)
    diagonal = np.stack([blocks[i, :, i, :] for i in range(len(s))])
    level = s[:, None, None]
    if shape is None:
        own = (diagonal / (1 + level)).mean(axis=0)
    else:
        own = np.average(diagonal - level * np.asarray(shape, dtype=float), axis=0, weights=(1 + s) ** -2.0)
    matrix = np.linalg.pinv(covariance, hermitian=True) @ np.tile(own, (len(s), 1))
    return RawAttack(matrix, centre, centre.reshape(len(s), columns).mean(axis=0))


def reconstruct(
    copies: Several, *unnamed: ArrayLike, trust: ArrayLike | None = None, levels: ArrayLike | None = None, scheme: str,
    mean: ArrayLike,
) -> Floats:  # fmt: skip
    """What the perfect attacker makes of the copies.

    Parameters
    ----------
    copies : sequence of M array-likes, or an array, shape (M, rows, N) or (M, rows)
        Tables of pandas are put together by their index and their names, whatever the order of their rows.
    trust, levels : array-like, shape (M,)
        Trusts in per cent, or levels of noise: one of the two.
    scheme : {"nested", "independent", "proportional"}
    mean : float or array-like, shape (N,)
    """
    at = named_levels(unnamed, levels, trust, "reconstruct", "levels")
    return perfect(at, scheme, mean).estimate(copies)


def reconstruct_structured(
    copies: Several, *unnamed: ArrayLike, trust: ArrayLike | None = None, levels: ArrayLike | None = None, scheme: str,
    sample: int | slice | Several,
) -> Floats:  # fmt: skip
    """What the structured attacker makes of the copies.

    Parameters
    ----------
    copies, trust, levels, scheme : as in `reconstruct`
    sample : int, slice or array of row numbers
        The rows that it estimates from, at least one; an int means the first so many.
    """
    at = named_levels(unnamed, levels, trust, "reconstruct_structured", "levels")
    copies = aligned(copies)
    return structured(_sample(copies, sample), at, scheme).estimate(copies)


def reconstruct_raw(
    copies: Several, *unnamed: ArrayLike, trust: ArrayLike | None = None, levels: ArrayLike | None = None,
    sample: int | slice | Several,
) -> Floats:  # fmt: skip
    """What the raw attacker makes of the copies; arguments as in `reconstruct_structured`, with at least two rows."""
    at = named_levels(unnamed, levels, trust, "reconstruct_raw", "levels")
    copies = aligned(copies)
    return raw(_sample(copies, sample), at).estimate(copies)


def _sample(copies: Several, sample: int | slice | Several) -> list[Floats]:
    """The rows of the copies that an attacker estimates from."""
    if isinstance(sample, int | np.integer) and not isinstance(sample, bool) and sample >= 0:
        sample = slice(sample)
    rows = sample if isinstance(sample, slice) else np.asarray(sample)
    if isinstance(rows, np.ndarray) and (rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iub")):
        raise TrustscopeError(f"A sample is a number of rows, a slice, or an array of row numbers, not {sample!r}.")
    if isinstance(rows, np.ndarray) and not rows.size:
        rows = slice(0)
    try:
        return [np.asarray(copy, dtype=float)[rows] for copy in copies]
    except IndexError:
        raise TrustscopeError("The sample has rows that are not in the copies: count from 0.") from None


def _rows(copy: ArrayLike) -> Floats:
    array = np.asarray(copy, dtype=float)
    return array[:, None] if array.ndim == 1 else array


def coalitions(levels: ArrayLike | None = None, scheme: str = "nested", *, trust: ArrayLike | None = None) -> Floats:
    """Expected normalised error of every coalition, in one pass.

    Parameters
    ----------
    levels : array-like, shape (M,)
        M <= 20. Or, by name, `trust` in per cent.
    scheme : {"nested", "independent", "proportional"}

    Returns
    -------
    numpy.ndarray, shape (2^M,)
        Entry `mask` is the error of the recipients whose bits are set in it; nobody (0) knows the mean alone,
        error 1. Each recipient doubles the table: a coalition with them is one without them, and their level.
    """
    s, check = check_coalition(levels, trust), check_scheme(scheme)
    if len(s) > MOST_RECIPIENTS:
        raise TrustscopeError(f"All coalitions of {len(s)} recipients are too many: at most {MOST_RECIPIENTS}.")
    size = 1 << len(s)
    if check not in SCHEMES:
        held = effective_levels(np.where(np.arange(size)[:, None] >> np.arange(len(s)) & 1, s, np.inf), check)
        return np.where(np.isinf(held), 1.0, held / (1 + np.where(np.isinf(held), 0.0, held)))
    if check == "independent":
        # Sums of unit / s, with a unit that keeps them finite; zero levels reveal everything.
        positive = s > 0
        unit = s[positive].min(initial=1.0)
        precision = _doubled(np.divide(unit, s, out=np.zeros(len(s)), where=positive), np.add, 0.0, size)
        if not positive.all():
            precision[_doubled(s, np.minimum, np.inf, size) == 0] = np.inf
        return np.asarray(unit / (unit + precision))
    lowest = _doubled(s, np.minimum, np.inf, size)
    out = np.empty(size)
    out[0] = 1.0
    np.divide(lowest[1:], 1 + lowest[1:], out=out[1:])
    if check == "proportional":
        out[_doubled(s, np.maximum, -np.inf, size) > lowest] = 0.0
    return out


def _doubled(values: Floats, combine: np.ufunc, nothing: float, size: int) -> Floats:
    """`combine` over every subset of the values, indexed by bit mask, shape (size,)."""
    table = np.empty(size)
    table[0] = nothing
    for i, value in enumerate(values):
        combine(table[: 1 << i], value, out=table[1 << i : 2 << i])
    return table


def members(mask: int, count: int) -> tuple[int, ...]:
    """Places of the recipients in a coalition, from its bit mask."""
    return tuple(i for i in range(count) if mask >> i & 1)
