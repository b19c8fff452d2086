"""What the miner asks for, and what respondents check before they follow it (Zhang et al. 2005, Sections 4.1, 4.2).

Notation: A = A_0 - A_1, the difference of the two classes' matrices T_c' T_c; V the eigenvectors of A in
columns. The paper orders them by signed eigenvalue. Its own claim that the first k make the best approximation of A
of rank k holds for the order by magnitude only, which is the default here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.errors import TrustscopeError

__all__ = ["ORDERS", "Guidance", "GuidanceRefused", "check_guidance", "guidance_of", "weight_bound", "weights"]

ORDERS = ("magnitude", "signed")
# The highest weight of an answer that is allowed for any number of columns. A weight of 1 would ask for the answer
# itself.
CEILING = 0.97
_TOLERANCE = 1e-6


class GuidanceRefused(TrustscopeError):
    """The respondent does not follow this guidance, and has sent nothing."""


@dataclass(frozen=True, eq=False)
class Guidance:
    """The level k* and the basis V_k*.

    Attributes
    ----------
    basis : numpy.ndarray, shape (dimension, k*)
        Orthonormal columns, the most important first.
    eigenvalues : numpy.ndarray, shape (dimension,)
        Of A, in the order used.
    received : int
        How many tuples it was learnt from.
    order : {"magnitude", "signed"}
    """

    basis: Floats
    eigenvalues: Floats
    received: int
    order: str = "magnitude"

    @property
    def level(self) -> int:
        """k*, the number of columns."""
        return int(self.basis.shape[1])

    def __iter__(self) -> Iterator[Any]:
        """k* and V_k*, so that ``level, basis = miner.guidance()``."""
        return iter((self.level, self.basis))


def guidance_of(
    difference: ArrayLike, mu: float, *, order: str = "magnitude", received: int = 0, most: int | None = None
) -> Guidance:
    """Level and basis for a matrix A (Eq. 5 and 6).

    k* is the smallest number with sigma_{k*+1} <= mu sigma_1, at least 1; with order "magnitude" sigma stands for
    absolute eigenvalues.

    Parameters
    ----------
    difference : array-like, shape (dimension, dimension)
        A, symmetric.
    mu : float
        From 0 to 1; a smaller one keeps more.
    order : {"magnitude", "signed"}
    received : int
    most : int, optional
        No more columns than this.

    Returns
    -------
    Guidance
    """
    check_settings(mu, order)
    difference = np.asarray(difference, dtype=float)
    if difference.ndim != 2 or difference.shape[0] != difference.shape[1] or not difference.size:
        raise TrustscopeError(
            f"The difference of the classes' matrices must be square, not of shape {difference.shape}."
        )
    # Mostly it is symmetric to the last bit, which is seen far sooner than how nearly it is.
    symmetric = np.array_equal(difference, difference.T) or np.allclose(difference, difference.T)
    if not np.isfinite(difference).all() or not symmetric:
        raise TrustscopeError("The difference of the classes' matrices must be symmetric and hold finite numbers only.")
    values, vectors = np.linalg.eigh(difference)
    ranks = np.abs(values) if order == "magnitude" else values
    # Stable, and from the top: eigh sorts upwards.
    place = len(values) - 1 - np.argsort(ranks[::-1], kind="stable")[::-1]
    ranks = ranks[place]
    # What rounding leaves of an eigenvalue 0 asks for nothing.
    floor = max(mu * ranks[0], len(values) * np.finfo(float).eps * np.abs(values).max())
    level = max(1, int(np.count_nonzero(ranks > floor)))
    level = level if most is None else max(1, min(level, int(most)))
    basis = vectors[:, place[:level]]
    # The sign of an eigenvector means nothing; fixed, so that two computations look alike.
    signs = np.where(basis[np.abs(basis).argmax(axis=0), np.arange(level)] < 0, -1.0, 1.0)
    return Guidance(np.ascontiguousarray(basis * signs), values[place], int(received), order)


def weights(basis: ArrayLike) -> Floats:
    """||V' e_j||, how much the guidance asks of every single answer, from 0 to 1, shape (dimension,)."""
    return np.asarray(np.linalg.norm(np.asarray(basis, dtype=float), axis=1))


def weight_bound(level: int, questions: int) -> float:
    """The most that one answer may weigh: sqrt(k / n), and never quite 1.

    The squared weights add up to k, and a tuple gives n answers: no answer may weigh more than its equal part. What was
    learnt honestly may exceed that, and is then moderated (`Miner`), which costs naive Bayes a point or two of accuracy
    on the votes. With twice as much allowed, guidance picked by hand already reads any answer with two columns.

    What it protects is a respondent who follows few columns, from being asked for one answer alone. On the votes
    (n = 16) asking outright reads it whole with a single column; the best guidance known to pass (`hand_picked`) learns
    0.2 of the information on it with one column, 0.5 with two, 0.75 with three and nearly all with five. Who follows a
    third of n columns is not protected.

    Parameters
    ----------
    level : int
        k, the columns that are followed.
    questions : int
        n.

    Returns
    -------
    float
    """
    return float(min(CEILING, np.sqrt(level / questions)))


def check_guidance(basis: ArrayLike, dimension: int, *, bound: float | None = None) -> Floats:
    """Refuse a basis that an honest miner would not send.

    The paper has respondents check the shape and V'V = I. That admits V = e_j, which reads one answer in the
    clear, so they also bound the weight of every single answer, max_j ||V' e_j||.

    Parameters
    ----------
    basis : array-like, shape (dimension, k)
    dimension : int
        Bits of the respondent's tuple.
    bound : float, optional
        The most that a single answer may weigh, as from `weight_bound`; without it that check is left out, as in
        the paper.

    Returns
    -------
    numpy.ndarray
        The basis.

    Raises
    ------
    GuidanceRefused
        With the reason.
    """
    try:
        basis = np.asarray(basis)
    except ValueError:
        raise GuidanceRefused("Guidance must be one table of numbers; its rows are not equally long.") from None
    if basis.ndim != 2 or basis.shape[0] != dimension or not 1 <= basis.shape[1] <= dimension:
        raise GuidanceRefused(
            f"Guidance for {dimension} bits must have {dimension} rows and 1 to {dimension} columns, "
            f"not the shape {basis.shape}."
        )
    if not np.issubdtype(basis.dtype, np.number) or np.iscomplexobj(basis) or not np.isfinite(basis).all():
        raise GuidanceRefused("Guidance must hold finite numbers only.")
    basis = basis.astype(float, copy=False)
    off = np.abs(basis.T @ basis - np.eye(basis.shape[1])).max()
    if off > _TOLERANCE:
        raise GuidanceRefused(f"The columns of the guidance are not orthonormal: V'V differs from I by {off:.2g}.")
    if bound is not None:
        weight = weights(basis)
        worst = int(weight.argmax())
        if weight[worst] > bound:
            raise GuidanceRefused(
                f"The guidance singles out one answer (bit {worst + 1}): it weighs {weight[worst]:.2f}, and "
                f"{bound:.2f} is the most that is accepted."
            )
    return basis


def check_settings(mu: float, order: str) -> None:
    """Refuse a mu or an order that makes no sense."""
    if not isinstance(mu, float | int | np.floating | np.integer) or not 0 <= mu <= 1:
        raise TrustscopeError(f"mu must lie between 0 and 1, but it is {mu}.")
    if order not in ORDERS:
        raise TrustscopeError(f"Eigenvalues are ordered by {' or '.join(ORDERS)}, not by {order!r}.")
