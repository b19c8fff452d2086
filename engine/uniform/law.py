"""The laws of uniform perturbation as arrays, and the checks that its other modules share.

Between two retention probabilities p_1 > p_2 of one path the value is not redrawn with probability p_2 / p_1
(Eq. 10 of Xiao et al. 2009): in the clock t = ln(1 / p) redraws come at unit rate.
"""

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trustscope.engine.arrays import ArrayLike, Floats, Integers, Numbers
from trustscope.errors import TrustscopeError, WrongType

SCHEMES = ("nested", "independent")


def check_scheme(scheme: str) -> str:
    """Return `scheme`, or say which there are."""
    if scheme not in SCHEMES:
        raise TrustscopeError(f"The scheme must be one of {', '.join(SCHEMES)}, not {scheme!r}.")
    return scheme


def check_size(size: int) -> int:
    """Return the domain size as an int of at least 2, or say what is wrong with it."""
    try:
        value = operator.index(size)
    except TypeError:
        raise WrongType(f"The domain size must be a whole number, not {type(size).__name__}.") from None
    if value < 2:
        raise TrustscopeError(
            f"The domain needs at least two values, but it has {value}: "
            "where everyone has the same value there is nothing to perturb."
        )
    if value > 2**31:
        raise TrustscopeError(f"A domain of {value:,} values is too large: at most {2**31:,} can be handled.")
    return value


def check_retention(p: ArrayLike) -> Floats:
    """Return retention probabilities as an array of floats in (0, 1], or say what is wrong with them."""
    try:
        array = np.asarray(p, dtype=float)
    except (TypeError, ValueError):
        raise WrongType(f"A retention probability must be a number, not {p!r}.") from None
    wrong = array[~((array > 0) & (array <= 1))]
    if wrong.size:
        raise TrustscopeError(f"A retention probability must be above 0 and at most 1, but one is {wrong.flat[0]:g}.")
    return array


def one_retention(p: ArrayLike) -> float:
    """Return one retention probability as a float."""
    array = check_retention(p)
    if array.ndim:
        raise WrongType(f"A copy has one retention probability, but got {array.size}.")
    return float(array)


def check_coalition(ps: ArrayLike) -> Floats:
    """Return the retention probabilities of a coalition, shape (M,)."""
    array = np.atleast_1d(check_retention(ps))
    if array.ndim != 1 or not array.size:
        raise TrustscopeError("A coalition needs a list of at least one retention probability.")
    return array


def check_codes(codes: ArrayLike, size: int) -> Integers:
    """Return codes as an array of integers in 0..size-1, shape (rows,), or say what is wrong with them."""
    array = np.asarray(codes)
    if array.ndim != 1:
        raise TrustscopeError(f"Codes must be one column, not an array of shape {array.shape}.")
    if array.dtype.kind not in "iub":
        if array.size == 0:
            return array.astype(np.int64)
        if array.dtype.kind in "fO" and any(value is None or value != value for value in _some(array)):
            raise TrustscopeError("The codes have missing values; fill them or give them a category of their own.")
        raise WrongType("Codes must be whole numbers from 0 up; encode the categories first.")
    if array.dtype.kind == "b":
        array = array.astype(np.uint8)
    if array.size:
        low, high = int(array.min()), int(array.max())
        if low < 0:
            raise TrustscopeError(f"A code is {low}, below 0: negative codes often stand for missing values.")
        if high >= size:
            raise TrustscopeError(f"A code is {high}, but the codes of a domain of {size} are 0 to {size - 1}.")
    return array


def _some(array: NDArray[Any]) -> list[Any]:
    """The values that are missing, where that can be told without a loop; all of them otherwise."""
    if array.dtype.kind == "f":
        return list(array[np.isnan(array)][:1])
    # pandas.NA refuses to be compared, and is a missing value all the same.
    return [None if type(value).__name__ in ("NAType", "NaTType") else value for value in array]


def replacement(p: float, size: int) -> Floats:
    """The law of a copy given the value, Eq. 1: matrix[x, y] = P(Y = y | X = x), shape (size, size)."""
    return transition(1.0, p, size)


def transition(above: float, below: float, size: int) -> Floats:
    """The law of the copy at `below` given the one at `above`, Eq. 10, shape (size, size).

    Parameters
    ----------
    above, below : float
        Retention probabilities, above >= below.
    size : int
    """
    kept = one_retention(below) / one_retention(above)
    if kept > 1:
        raise TrustscopeError(f"The path runs from {above:g} downwards, so it cannot pass to {below:g}.")
    size = check_size(size)
    return kept * np.eye(size) + (1 - kept) / size


def coin(p: float, above: float, below: float | None, size: int) -> Floats:
    """The coin of multi-pert for a copy at p between the copies at its neighbours, Eq. 3 and 4.

    Parameters
    ----------
    p : float
    above : float
        p_l: the next higher retention probability, 1 for the data themselves.
    below : float or None
        p_r: the next lower one, or None where p is lower than all.
    size : int

    Returns
    -------
    numpy.ndarray, shape (2, 2)
        Rows: neighbours equal, neighbours different. Columns: u, the probability to take the value above, and
        v, to take the value below. Otherwise the value is drawn anew from the domain.
    """
    p, above = one_retention(p), one_retention(above)
    if below is None:
        return np.array([[p / above, 0.0], [p / above, 0.0]])
    below, size = one_retention(below), check_size(size)
    if not above >= p >= below or above == below:
        raise TrustscopeError(f"{p:g} does not lie between {above:g} and {below:g}.")
    same = (1 - p / above) * (1 - (1 - below / p) / ((size - 1) * below / above + 1))
    different = below * (above - p) / (p * (above - below))
    return np.array([[p / above, same], [(p - below) / (above - below), different]])


def bridge(p: float, above: float, below: float | None, size: int) -> Floats:
    """The law of the copy at p given both its neighbours, as multi-pert draws it.

    Arguments as those of `coin`. Equal to Eq. 20, which is Bayes' rule on the path; Eq. 7 as printed has
    p_a / p_b + (1 - p_a) / s in its third case, where p_a / p_b + (1 - p_a / p_b) / s makes rows sum to 1.

    Returns
    -------
    numpy.ndarray, shape (size, size, size)
        Entry [a, b, y] = P(Y = y | value a above, value b below); without a neighbour below all b are alike.
    """
    size = check_size(size)
    equal = np.eye(size)
    u, v = (np.where(equal, same, different) for same, different in coin(p, above, below, size).T)
    out = np.broadcast_to(((1 - u - v) / size)[:, :, None], (size,) * 3).copy()
    out += u[:, :, None] * equal[:, None, :]
    out += v[:, :, None] * equal[None, :, :]
    return out


def joint_law(ps: ArrayLike, size: int, *, scheme: str = "nested", prior: ArrayLike | None = None) -> Floats:
    """P(X = x, Y_1 = y_1, ..., Y_M = y_M) by exact enumeration, for small domains.

    Parameters
    ----------
    ps : array-like, shape (M,)
        In any order. Equal ones are one and the same copy in the nested scheme, two draws in the other.
    size : int
    scheme : {"nested", "independent"}
    prior : array-like, shape (size,), optional
        The law of X, uniform by default.

    Returns
    -------
    numpy.ndarray, shape (size,) * (M + 1)
        Axis 0 is X, axis i the copy at ps[i - 1]. Nested: the Markov chain of Eq. 9 and 10.
    """
    ps, size, nested = check_coalition(ps), check_size(size), check_scheme(scheme) == "nested"
    if size ** (len(ps) + 1) > 10**7:
        raise TrustscopeError(f"{len(ps)} copies of a domain of {size} values are too many to enumerate.")
    order = np.argsort(-ps, kind="stable")
    law = np.full(size, 1 / size) if prior is None else np.asarray(prior, dtype=float)
    reached = 1.0
    for place in order:
        kernel = transition(reached, ps[place], size) if nested else replacement(ps[place], size)
        # Axes so far: X, then the copies in descending order; the kernel hangs on the last, or on X.
        start = law.ndim - 1 if nested else 0
        shape = [1] * (law.ndim + 1)
        shape[start], shape[-1] = size, size
        law = law[..., None] * kernel.reshape(shape)
        reached = ps[place] if nested else 1.0
    return law.transpose(0, *(1 + np.argsort(order)))


def history_bound(highest: ArrayLike, lowest: ArrayLike) -> Numbers:
    """Most values that a history holds on average, 1 + ln(p_max / p_min) (Lemma 2, as Sec. 7 tightens it)."""
    highest, lowest = check_retention(highest), check_retention(lowest)
    if np.any(highest < lowest):
        raise TrustscopeError("The highest retention probability is below the lowest.")
    return 1 + np.log(highest / lowest)


def expected_history(ps: ArrayLike, size: int) -> float:
    """Values that a history holds on average, 1 + (s - 1)/s sum(1 - p_{i+1} / p_i) over the sorted levels."""
    ordered = np.unique(check_coalition(ps))
    size = check_size(size)
    return float(1 + (size - 1) / size * (1 - ordered[:-1] / ordered[1:]).sum())
