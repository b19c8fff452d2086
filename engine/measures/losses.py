"""Copies of categories in terms of differential privacy: the law of the likelihood ratio of two values.

Notation as in `engine.measures.guarantees`: m the size of the domain, p the retention probability. Whoever holds
copies tells two values x and x' apart best by the ratio of what each would have made likely. In one copy it is
gamma = 1 + m p / (1 - p) where the copy says x, 1 / gamma where it says x', and 1 for any other value. So

==================  ====================================================================================
one copy            epsilon = ln gamma, for any two values and with delta 0
nested copies       epsilon of the best one: the others are made from it without another look at the data
separate draws      the sum of theirs, reached when all of them say x
several columns     the sum over columns, each of which is drawn on its own
==================  ====================================================================================

With a delta above 0, and for the curve of false alarms against misses, the whole law of the ratio counts: `Losses`.
"""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Numbers
from trustscope.engine.uniform.law import check_coalition, check_retention, check_scheme, check_size
from trustscope.errors import TrustscopeError

__all__ = ["Losses", "epsilon_of_retention", "epsilon_of_row", "growing_epsilon", "losses", "retention_for_epsilon"]

_DIGITS = 12  # of two losses that are one
_Atoms = tuple[Floats, Floats, Floats]  # losses, and their probabilities under x and under x'


def epsilon_of_retention(p: ArrayLike, size: int) -> Numbers:
    """epsilon = ln(1 + m p / (1 - p)) of one copy; infinite at p = 1."""
    kept, size = check_retention(p), check_size(size)
    with np.errstate(divide="ignore"):
        epsilon: Numbers = np.log1p(size * np.divide(kept, 1 - kept))[()]
    return epsilon


def retention_for_epsilon(epsilon: ArrayLike, size: int) -> Numbers:
    """The p of one copy with this epsilon above 0: (e^eps - 1) / (e^eps - 1 + m), the inverse."""
    eps, size = np.asarray(epsilon, dtype=float), check_size(size)
    if not np.all(eps > 0):
        raise TrustscopeError("epsilon must be above 0: at 0 a copy would hold no information at all.")
    with np.errstate(over="ignore"):
        p: Numbers = (1 / (1 + size / np.expm1(eps)))[()]
    return p


def growing_epsilon(ps: ArrayLike, size: int, scheme: str = "nested") -> Floats:
    """epsilon, with delta 0, of the first copy, of the first two together, and so on, shape (M,)."""
    each = np.atleast_1d(epsilon_of_retention(check_coalition(ps), size))
    return np.maximum.accumulate(each) if check_scheme(scheme) == "nested" else np.cumsum(each)


def epsilon_of_row(ps: ArrayLike, sizes: ArrayLike, scheme: str = "nested") -> float:
    """epsilon, with delta 0, of a coalition for whole rows: any two rows, each of whose columns is drawn on its own.

    Parameters
    ----------
    ps : array-like, shape (M,)
    sizes : array-like, shape (N,)
        The size of each column's domain. Columns that are perturbed as one have one domain, their product.
    scheme : {"nested", "independent"}
    """
    return float(sum(growing_epsilon(ps, int(size), scheme)[-1] for size in np.atleast_1d(np.asarray(sizes))))


@dataclass(frozen=True, eq=False)
class Losses:
    """The law of the logarithm of the likelihood ratio of two values, x over x', as a few atoms.

    Attributes
    ----------
    loss : numpy.ndarray, shape (K,)
        Descending; infinite where only one of the two is possible.
    under, other : numpy.ndarray, shape (K,)
        The probability of each where the value is x, and where it is x'.
    """

    loss: Floats
    under: Floats
    other: Floats

    @property
    def epsilon(self) -> float:
        """epsilon with delta 0."""
        return float(self.loss[0])

    def delta(self, epsilon: ArrayLike) -> Numbers:
        """The least delta with which (epsilon, delta) holds: the sum of P - e^eps P' where it is positive."""
        eps = np.asarray(epsilon, dtype=float)
        with np.errstate(over="ignore", invalid="ignore"):
            more = -np.expm1(np.minimum(eps[..., None] - self.loss, 0.0))
        return (np.where(np.isnan(more), 0.0, more) @ self.under)[()]

    def epsilon_of_delta(self, delta: float) -> float:
        """The least epsilon with which (epsilon, delta) holds, without a search: delta is a sum of exponentials."""
        if not 0 <= delta <= 1:
            raise TrustscopeError("delta lies between 0 and 1.")
        if delta == 0:
            return self.epsilon
        # With the first k atoms above epsilon, delta = A_k - e^eps B_k: the right k is where that epsilon lies.
        above, beside = np.cumsum(self.under), np.cumsum(self.other)
        if above[-1] <= delta:
            return 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = np.log((above - delta) / beside)  # nan where delta is more than all of it
        lower = np.append(self.loss[1:], -np.inf)
        fits = (wanted >= lower) & (above > delta)
        return max(0.0, float(wanted[np.argmax(fits)]))

    def curve(self) -> tuple[Floats, Floats]:
        """False alarms and misses of the best tests for x against x', from none to all alarms, shape (K + 1,) each.

        Between these points the least share of misses is a straight line (Neyman and Pearson: a test that says x
        from some ratio on, and tosses a coin at that ratio). A false alarm says x where the value is x'.
        """
        alarms = np.minimum(np.append(0.0, np.cumsum(self.other)), 1.0)
        return alarms, np.maximum(1 - np.append(0.0, np.cumsum(self.under)), 0.0)

    def misses(self, false_alarms: ArrayLike) -> Numbers:
        """The least share of misses of a test with this share of false alarms."""
        alarms, missed = self.curve()
        first = int(np.searchsorted(alarms, 0.0, side="right")) - 1  # certain finds cost no false alarm
        least: Numbers = np.interp(np.asarray(false_alarms, dtype=float), alarms[first:], missed[first:])[()]
        return least


def losses(ps: ArrayLike, size: int, scheme: str = "nested") -> Losses:
    """The law of the ratio for a coalition's copies.

    Parameters
    ----------
    ps : array-like, shape (M,)
    size : int
    scheme : {"nested", "independent"}
        Nested copies say what the best one says; separate draws multiply their ratios.

    Returns
    -------
    Losses
        At most 3^M atoms, and 2 M + 1 where all p are equal.
    """
    kept, size = check_coalition(ps), check_size(size)
    if check_scheme(scheme) == "nested":
        kept = kept[[int(np.argmax(kept))]]
    found = np.zeros(1), np.ones(1), np.ones(1)
    # Equal ones after each other: their atoms fall together, and few are carried along.
    for p in np.sort(kept):
        found = _merged(*_joined(found, _one(float(p), size)))
    order = np.argsort(-found[0], kind="stable")
    return Losses(*(part[order] for part in found))


def _one(p: float, size: int) -> _Atoms:
    """The atoms of one copy: it says x, another value, x'."""
    stray = (1 - p) / size
    far = float(epsilon_of_retention(p, size))
    under = np.array([p + stray, (size - 2) * stray, stray])
    return np.array([far, 0.0, -far]), under, under[::-1]


def _joined(first: _Atoms, second: _Atoms) -> _Atoms:
    """Of two separate draws: losses add, probabilities multiply; what cannot happen at all is left out."""
    under, other = (np.multiply.outer(first[i], second[i]).ravel() for i in (1, 2))
    there = (under > 0) | (other > 0)
    with np.errstate(invalid="ignore"):  # one copy is certain of x and another of x': never
        loss = np.add.outer(first[0], second[0]).ravel()
    return loss[there], under[there], other[there]


def _merged(loss: Floats, under: Floats, other: Floats) -> _Atoms:
    """Atoms of equal loss as one."""
    _, first, which = np.unique(np.round(loss, _DIGITS), return_index=True, return_inverse=True)
    under, other = (np.bincount(which, part).astype(float) for part in (under, other))
    return loss[first], under, other
