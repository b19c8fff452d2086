"""The randomisation that guided perturbation is compared with (Agrawal and Srikant 2000).

Every answer is a number, x_j, and is sent as y_j = x_j + r_j with noise of one law for everybody. The analyst
reconstructs the distribution of every attribute in every class (ByClass), and puts the released values, in their order,
into the intervals that the reconstructed distribution gives their numbers of; a classifier is built on the
intervals.
"""

from collections.abc import Sequence

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers, Several
from trustscope.engine.distributions import LAWS, reconstruct_columns
from trustscope.engine.measures.disclosure import Disclosure, measured_information
from trustscope.errors import TrustscopeError

__all__ = ["corrected", "noise_for_disclosure", "randomisation_disclosure", "randomise"]

# How many values of each interval are used to represent all values in it.
_SAMPLE = 64


def randomise(values: ArrayLike, scale: float, *, law: str = "gaussian", key: int = 1) -> tuple[Floats, Floats]:
    """Add noise to every attribute.

    Parameters
    ----------
    values : array-like, shape (rows, n)
    scale : float
        Standard deviation of the noise, in standard deviations of each attribute.
    law : {"gaussian", "uniform"}
    key : int

    Returns
    -------
    released : numpy.ndarray, shape (rows, n)
    variances : numpy.ndarray, shape (n,)
        Of the noise.
    """
    values = np.asarray(values, dtype=float)
    _check_law(law)
    if not np.isfinite(values).all():
        raise TrustscopeError("Noise is added to finite values only.")
    if not 0 <= scale < np.inf:
        raise TrustscopeError(f"Noise has a scale that is not negative, but this one is {scale}.")
    deviations = scale * values.std(axis=0)
    rng = keys.rng(key, "randomise", law)
    return values + deviations * _standard(rng, values.shape, law), deviations**2


def corrected(
    released: ArrayLike,
    classes: ArrayLike,
    variances: Sequence[float] | Floats,
    edges: Several,
    *,
    law: str = "gaussian",
) -> Integers:
    """The released values by interval, corrected by the reconstructed distributions (ByClass).

    Parameters
    ----------
    released : array-like, shape (rows, n)
    classes : array-like, shape (rows,)
    variances : sequence of float or numpy.ndarray, shape (n,)
        Of the noise.
    edges : sequence of array-like
        Inner edges of every attribute's intervals, ascending.
    law : {"gaussian", "uniform"}

    Returns
    -------
    numpy.ndarray of int, shape (rows, n)
        Number of the interval.
    """
    released, classes = np.asarray(released, dtype=float), np.asarray(classes)
    _check_law(law)
    if released.ndim != 2 or not np.isfinite(released).all() or classes.shape != released.shape[:1]:
        raise TrustscopeError(
            f"Released values must be finite, with a class for each row; classes have {classes.shape}."
        )
    if not len(variances) == len(edges) == released.shape[1]:
        raise TrustscopeError(
            f"There are {released.shape[1]} attributes: each needs a variance of its noise, and edges."
        )
    out = np.empty(released.shape, dtype=np.int64)
    noisy = np.asarray(variances) > 0
    columns = iter(reconstruct_columns(released[:, noisy], classes, np.asarray(variances)[noisy], law=law))
    for j in range(released.shape[1]):
        if not noisy[j]:
            out[:, j] = np.searchsorted(edges[j], released[:, j], side="right")
            continue
        found = next(columns)
        for name, distribution in found.items():
            members = np.flatnonzero(classes == name)
            interval = np.searchsorted(edges[j], distribution.points, side="right")
            shares = np.bincount(interval, weights=distribution.shares, minlength=len(edges[j]) + 1)
            # The lowest values into the first interval, as many as belong there, and so on.
            upto = np.rint(np.cumsum(shares) * len(members)).astype(int)[:-1]
            ranks = np.argsort(np.argsort(released[members, j], kind="stable"), kind="stable")
            out[members, j] = np.searchsorted(upto, ranks, side="right")
    return out


def randomisation_disclosure(
    values: ArrayLike, codes: ArrayLike, scale: float, *, law: str = "gaussian", draws: int = 1_000, key: int = 1
) -> Disclosure:
    """l_p of the randomisation: the share of the information on the answers that noisy values give away.

    The answers are those that guided perturbation would protect, and their law is empirical, as in
    `engine.measures.degree_of_disclosure`; within an answer, a value may be any that was given with it. The attacker
    takes the values of different questions as independent given the answers. Where they are not (a salary and its
    commission within their quartiles), more could be learnt: this is then a lower bound.

    Parameters
    ----------
    values : array-like, shape (rows, n)
    codes : array-like of int, shape (rows, n)
        Number of every answer.
    scale : float
        As in `randomise`.
    law : {"gaussian", "uniform"}
    draws, key : int

    Returns
    -------
    engine.measures.Disclosure
    """
    return _Randomisation(values, codes, law, draws, key).disclosure(scale)


def noise_for_disclosure(
    values: ArrayLike,
    codes: ArrayLike,
    share: float,
    *,
    law: str = "gaussian",
    draws: int = 1_000,
    key: int = 1,
    tolerance: float = 0.002,
) -> tuple[float, Disclosure]:
    """The scale of noise at which randomisation gives away a given share.

    Parameters
    ----------
    values, codes, law, draws, key
        As in `randomisation_disclosure`.
    share : float
        Above 0 and below 1.
    tolerance : float
        On the share, which no noise may reach: with few draws, or where there is nothing to give away. That is refused.

    Returns
    -------
    scale : float
    disclosure : engine.measures.Disclosure
    """
    if not 0 < share < 1:
        raise TrustscopeError(f"The share must lie between 0 and 1, but it is {share}.")
    noisy = _Randomisation(values, codes, law, draws, key)
    low, high = np.log(1e-3), np.log(1e3)
    for _ in range(40):
        middle = (low + high) / 2
        found = noisy.disclosure(np.exp(middle))
        if abs(found.share - share) < tolerance:
            break
        low, high = (middle, high) if found.share > share else (low, middle)
    else:
        raise TrustscopeError(
            f"No scale of noise gives away {share:g}: the nearest that was found is {found.share:.3g}."
        )
    return float(np.exp(middle)), found


class _Randomisation:
    """The law of the answers, and draws that do not change with the scale."""

    def __init__(self, values: ArrayLike, codes: ArrayLike, law: str, draws: int, key: int) -> None:
        values, codes = np.asarray(values, dtype=float), np.asarray(codes)
        _check_law(law)
        if values.shape != codes.shape:
            raise TrustscopeError(f"There are values of shape {values.shape} but answers of shape {codes.shape}.")
        if values.ndim != 2 or not values.size or not np.isfinite(values).all():
            raise TrustscopeError("Randomisation is measured on a table of finite values with at least one row.")
        if codes.dtype.kind not in "iu" or codes.min() < 0:
            raise TrustscopeError("Answers are given by their numbers, whole numbers from 0.")
        self.law_of_noise = law
        self.deviations = values.std(axis=0)
        self.distinct, codes_of, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
        self.law = counts / len(codes)
        rng = keys.rng(key, "randomisation disclosure")
        rows = rng.choice(len(values), size=draws)
        self.values, self.picked = values[rows], codes_of.ravel()[rows]
        self.noise = _standard(rng, self.values.shape, law)
        self.within = [
            [np.sort(values[codes[:, j] == v, j]) for v in range(codes[:, j].max() + 1)] for j in range(codes.shape[1])
        ]
        self.standing = [[_standing(given) for given in those] for those in self.within]

    def disclosure(self, scale: float) -> Disclosure:
        """Disclosure at one scale."""
        if not scale >= 0:
            raise TrustscopeError(f"Noise has a scale that is not negative, but this one is {scale}.")
        deviations = np.maximum(scale * self.deviations, 1e-300)
        released = self.values + deviations * self.noise
        tables = [self._densities(j, released[:, j], deviations[j]) for j in range(released.shape[1])]

        def likelihoods(part: slice) -> Floats:
            return np.asarray(sum(table[part][:, self.distinct[:, j]] for j, table in enumerate(tables)))

        return measured_information(self.law, likelihoods, np.arange(len(self.law)), self.picked)

    def _densities(self, j: int, released: Floats, deviation: float) -> Floats:
        """log p(y|answer) up to a constant, of every draw for every answer, shape (draws, s_j)."""
        columns = []
        for given, (points, logs) in zip(self.within[j], self.standing[j], strict=True):
            if not len(given):
                columns.append(np.full(len(released), -np.inf))
            elif self.law_of_noise == "gaussian":
                log = -0.5 * (((released[:, None] - points) / deviation) ** 2 + np.log(2 * np.pi)) + logs
                columns.append(_summed(log))
            else:
                # The share of values within reach; exact, because beyond its edges uniform noise excludes.
                reach = deviation * np.sqrt(3.0) * (1 + 1e-9)
                inside = np.searchsorted(given, released + reach, side="right")
                inside -= np.searchsorted(given, released - reach, side="left")
                columns.append(np.log(np.maximum(inside / len(given), 1e-300)))
        return np.column_stack(columns)


def _summed(log: Floats) -> Floats:
    """Logarithms of the sums of rows that are given as logarithms: scipy's, without its care for signs and weights."""
    top = log.max(axis=1)
    top[np.isneginf(top)] = 0.0
    log -= top[:, None]
    with np.errstate(divide="ignore"):
        return np.asarray(top + np.log(np.exp(log, out=log).sum(axis=1)))


def _standing(given: Floats) -> tuple[Floats, Floats]:
    """Values that stand for all that were given, and the logarithms of their shares.

    Noise smooths: some of many values stand for all. Equal ones, as where an answer is its number, count as one.
    """
    points = np.quantile(given, (np.arange(_SAMPLE) + 0.5) / _SAMPLE) if len(given) > _SAMPLE else given
    distinct, counts = np.unique(points, return_counts=True)
    return distinct, np.log(counts / len(points))


def _standard(rng: np.random.Generator, shape: tuple[int, ...], law: str) -> Floats:
    """Noise of variance 1."""
    return rng.standard_normal(shape) if law == "gaussian" else rng.uniform(-np.sqrt(3), np.sqrt(3), shape)


def _check_law(law: str) -> None:
    if law not in LAWS:
        raise TrustscopeError(f"The law of the noise must be one of {', '.join(LAWS)}, not {law!r}.")
