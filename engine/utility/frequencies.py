"""Shares and counts estimated back from a copy under uniform perturbation, with intervals.

Notation: p the retention probability, s the size of the domain, q = (1 - p) / s. A row whose value belongs to
a set of k values is released as one of them with probability a = p + k q, any other row with b = k q (Eq. 1
of Xiao et al. 2009). So if a share f of n rows belongs to the set, the released share o has mean p f + k q:

    f^ = (o - k q) / p,   n var(o) = f a (1 - a) + (1 - f) b (1 - b).

That is the variance for *these* rows, whose values are fixed: the noise alone. If the rows are a sample and f
the share in the population, n var(o) = m (1 - m) with m = p f + k q. Intervals hold the f whose o would be no
further off than z standard deviations of their own (score intervals): a quadratic in f, sound near 0 and 1.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import ndtri

from trustscope.engine.arrays import ArrayLike, Floats, Integers, Numbers
from trustscope.engine.uniform.law import check_codes, check_retention, check_size, one_retention
from trustscope.errors import TrustscopeError

METHODS = ("inversion", "likelihood")


@dataclass(frozen=True)
class Count:
    """How many rows have a property, estimated from a copy.

    Attributes
    ----------
    estimate : float
        May be negative or exceed `rows` by chance: unbiased.
    standard_error : float
    low, high : float
        Between 0 and `rows`.
    seen : int
        The count in the copy, as it stands.
    rows : int
        Rows that meet the condition, which is not perturbed.
    """

    estimate: float
    standard_error: float
    low: float
    high: float
    seen: int
    rows: int


def frequencies(
    copy: ArrayLike,
    size: int,
    p: float,
    *,
    method: str = "inversion",
    confidence: float = 0.95,
    population: bool = False,
) -> pd.DataFrame:
    """The share of every value, estimated back from a copy.

    Parameters
    ----------
    copy : array-like of int, shape (rows,)
    size : int
    p : float
        The retention probability of the copy.
    method : {"inversion", "likelihood"}
        Inversion is unbiased, and may fall below 0. Maximum likelihood is the nearest to it that consists of
        shares: the same wherever inversion has no negative ones.
    confidence : float
    population : bool
        Whether the shares are those of a population that the rows are a sample of, not of the rows alone.

    Returns
    -------
    DataFrame
        code, released (share in the copy), estimate, standard_error, low, high; one row for a value.
        Standard error and interval are those of inversion, for either method.
    """
    size, p = check_size(size), one_retention(p)
    copy = check_codes(copy, size)
    if method not in METHODS:
        raise TrustscopeError(f"The method must be one of {', '.join(METHODS)}, not {method!r}.")
    if not len(copy):
        raise TrustscopeError("A copy without rows has no shares to estimate.")
    counts = np.bincount(copy, minlength=size)
    released = counts / len(copy)
    inverted, error, low, high = _score(released, len(copy), p, 1, size, confidence, population)
    estimate = inverted if method == "inversion" else _likeliest(counts, p, size)
    columns = {"released": released, "estimate": estimate, "standard_error": error, "low": low, "high": high}
    return pd.DataFrame({"code": np.arange(size), **columns})


def count(
    copy: ArrayLike, size: int, p: float, values: ArrayLike, *, where: ArrayLike | None = None, confidence: float = 0.95
) -> Count:
    """How many rows have one of some sensitive values and meet a condition on the other columns.

    Parameters
    ----------
    copy : array-like of int, shape (rows,)
    size : int
    p : float
    values : int or sequence of int
        Codes that count.
    where : array-like of bool, shape (rows,), optional
        The condition; other columns are carried along unchanged, so it is known for certain.
    confidence : float

    Returns
    -------
    Count
    """
    size, p = check_size(size), one_retention(p)
    copy = check_codes(copy, size)
    wanted = np.unique(check_codes(np.atleast_1d(values), size))
    if where is not None:
        where = np.asarray(where)
        if where.dtype != bool or where.shape != copy.shape:
            raise TrustscopeError(f"The condition must be a yes or no for each of the {len(copy):,} rows.")
        copy = copy[where]
    seen, rows = int(np.isin(copy, wanted).sum()), len(copy)  # type: ignore[arg-type]
    if not rows or len(wanted) == size:
        # Nobody is asked about, or everybody has one of the values: nothing is uncertain.
        return Count(float(rows), 0.0, float(rows), float(rows), seen, rows)
    shares = _score(np.array(seen / rows), rows, p, len(wanted), size, confidence, False)
    estimate, error, low, high = (float(rows * share) for share in shares)
    return Count(estimate, error, low, high, seen, rows)


def count_error(rows: ArrayLike, share: ArrayLike, p: ArrayLike, size: int, values: int = 1) -> Numbers:
    """Standard error of a count estimated from a copy at p: how wrong it is, before looking at any copy.

    Parameters
    ----------
    rows : int or array-like
        Rows that meet the condition.
    share : float or array-like
        Share of them that has one of the wanted values.
    p : float or array-like
    size : int
    values : int
        How many values are wanted.

    Returns
    -------
    float or numpy.ndarray
        In rows.
    """
    p = check_retention(p)
    one, other = _noise(p, values, check_size(size))
    share = np.asarray(share, dtype=float)
    return np.sqrt(np.asarray(rows) * (share * one + (1 - share) * other)) / p


def _noise(p: Numbers, values: int, size: int) -> tuple[Numbers, Numbers]:
    """Variances a (1 - a) and b (1 - b) of one row's membership after perturbation."""
    chance = values * (1 - p) / size
    return (p + chance) * (1 - p - chance), chance * (1 - chance)


def _score(
    released: Numbers, rows: int, p: float, values: int, size: int, confidence: float, population: bool
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Estimate, standard error and interval of shares, from released shares."""
    if not 0 < confidence < 1:
        raise TrustscopeError(f"The confidence must lie between 0 and 1, but it is {confidence:g}.")
    z2 = ndtri((1 + confidence) / 2) ** 2 / rows
    chance = values * (1 - p) / size
    estimate = (released - chance) / p
    c0: Numbers
    c1: Numbers
    if population:
        # n var(o) = m (1 - m), m = chance + p f, as c0 + c1 f + c2 f^2.
        c0, c1, c2 = chance * (1 - chance), p * (1 - 2 * chance), -(p**2)
    else:
        one, other = _noise(p, values, size)
        c0, c1, c2 = other, one - other, 0.0
    plausible = np.clip(estimate, 0, 1)
    error = np.sqrt(np.maximum(c0 + c1 * plausible + c2 * plausible**2, 0) / rows) / p
    # p^2 (estimate - f)^2 = z2 (c0 + c1 f + c2 f^2), solved for f.
    square = p**2 - z2 * c2
    half = p**2 * estimate + z2 * c1 / 2
    root = np.sqrt(np.maximum(half**2 - square * (p**2 * estimate**2 - z2 * c0), 0))
    low, high = (np.clip((half + sign * root) / square, 0, 1) for sign in (-1, 1))
    return estimate, error, low, high


def _likeliest(counts: Integers, p: float, size: int) -> Floats:
    """The shares that maximise sum_y n_y ln(p f_y + q), exactly.

    Where f_y > 0 its slope n_y p / (p f_y + q) is one and the same number c, so f_y = n_y / c - q / p, and
    the others are 0. If the k largest counts, N_k in all, are those, c = N_k / (1 + k q / p); k is the
    largest that leaves every one of them positive.
    """
    floor = (1 - p) / size / p
    order = np.sort(counts)[::-1]
    slope = np.cumsum(order) / (1 + floor * np.arange(1, size + 1))
    last = np.flatnonzero(order > slope * floor)[-1]
    return np.asarray(np.maximum(counts / slope[last] - floor, 0.0))
