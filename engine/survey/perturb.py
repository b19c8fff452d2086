"""What respondents send: the two-step perturbation, up to what each accepts (Zhang et al. 2005, Section 4.2).

    t~ = t V V'          (Eq. 7)
    P(bit j is 1) = min(1, t~_j^2)          (Eq. 8, where t~_j^2 may exceed 1)

Bits are drawn independently given t, so a question may come out with no answer, or with two. A respondent who
accepts k_i follows the first min(k_i, k*) columns of V.
"""

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Bits, Floats, Integers
from trustscope.engine.survey.guidance import Guidance, check_guidance, weight_bound
from trustscope.errors import TrustscopeError

__all__ = ["check_followed", "probabilities", "respond"]

_CHUNK = 16_384


def probabilities(tuples: ArrayLike, basis: ArrayLike, disclosure: ArrayLike | None = None) -> Floats:
    """Chance of every bit to be sent as 1.

    Parameters
    ----------
    tuples : array-like of 0 and 1, shape (rows, dimension)
    basis : array-like, shape (dimension, k*)
        V_k*.
    disclosure : int or array-like of int, shape (rows,), optional
        k_i; all columns by default. With 0 nothing is sent but zeros.

    Returns
    -------
    numpy.ndarray, shape (rows, dimension)
    """
    tuples, basis = np.atleast_2d(np.asarray(tuples, dtype=float)), np.asarray(basis, dtype=float)
    if tuples.shape[1] != basis.shape[0]:
        raise TrustscopeError(f"Tuples of {tuples.shape[1]} bits do not fit guidance for {basis.shape[0]}.")
    coordinates = tuples @ basis
    if disclosure is not None:
        limits = _limits(disclosure, len(tuples))
        coordinates *= np.arange(basis.shape[1]) < limits[:, None]
    chances: Floats = coordinates @ basis.T
    np.square(chances, out=chances)
    return np.minimum(chances, 1.0, out=chances)


def check_followed(basis: Floats, dimension: int, questions: int, extra_check: bool = True) -> None:
    """What a respondent checks of the columns that they would follow; raises `GuidanceRefused`.

    Parameters
    ----------
    basis : numpy.ndarray, shape (dimension, k)
        The columns followed.
    dimension, questions : int
        Bits, and questions.
    extra_check : bool
        Whether to bound the weight of single answers. Who follows as many columns as there are bits sends everything
        anyway, and leaves it out.
    """
    bounded = extra_check and basis.shape[1] < dimension
    check_guidance(basis, dimension, bound=weight_bound(basis.shape[1], questions) if bounded else None)


def respond(
    tuples: ArrayLike,
    guidance: Guidance | ArrayLike,
    disclosure: ArrayLike,
    key: int,
    *,
    extra_check: bool = True,
    first: int = 0,
) -> Bits:
    """What respondents send who got this guidance.

    The columns that a respondent follows are checked before anything is computed from an answer: if one respondent
    refuses, nothing is sent by anyone in the block (`engine.survey.check_guidance` tells beforehand).

    Parameters
    ----------
    tuples : array-like of 0 and 1, shape (rows, dimension)
        The true answers.
    guidance : Guidance or array-like, shape (dimension, k*)
    disclosure : int or array-like of int, shape (rows,)
        k_i, the most columns that each one follows.
    key : int
        The secret of the draws. Respondent i draws the same whatever block they come in.
    extra_check : bool
        Bound the weight of single answers by `engine.survey.weight_bound`; the paper does not.
    first : int
        Number of the first respondent, from 0.

    Returns
    -------
    numpy.ndarray of uint8, shape (rows, dimension)

    Raises
    ------
    GuidanceRefused
        With the reason.
    """
    tuples, questions = _tuples(tuples)
    dimension = tuples.shape[1]
    limits = _limits(disclosure, len(tuples))
    if first < 0:
        raise TrustscopeError(f"Respondents are numbered from 0; there is no number {first}.")
    basis = check_guidance(getattr(guidance, "basis", guidance), dimension)  # type: ignore[arg-type]
    followed = np.unique(np.minimum(limits, basis.shape[1]))
    for level in followed[followed > 0]:
        check_followed(basis[:, :level], dimension, questions, extra_check)
    return perturbed(tuples, basis, limits, key, first)


def perturbed(tuples: np.ndarray, basis: Floats, limits: Integers, key: int, first: int = 0) -> Bits:
    """What is sent, without any check: for who has checked already. The parameters are those of `respond`."""
    dimension = tuples.shape[1]
    stream = keys.stream(key, "respond", dimension)
    sent = np.empty(tuples.shape, dtype=np.uint8)
    for start in range(0, len(tuples), _CHUNK):
        part = slice(start, start + _CHUNK)
        chances = probabilities(tuples[part], basis, limits[part])
        drawing = keys.generator(stream, 0)
        # One 64-bit draw a number: a respondent's draws start at their place in the stream.
        keys.advance(drawing, (int(first) + start) * dimension)
        sent[part] = drawing.random(chances.shape) < chances
    return sent


def _tuples(tuples: ArrayLike) -> tuple[np.ndarray, int]:
    """Honest tuples, and the number of questions: one bit is set for each."""
    tuples = np.atleast_2d(np.asarray(tuples))
    if not tuples.shape[1]:
        raise TrustscopeError("There is nobody to respond: the block of tuples is empty.")
    if not len(tuples):
        return tuples, 1
    if tuples.ndim != 2 or tuples.dtype.kind not in "biuf" or not np.isin(tuples, (0, 1)).all():
        raise TrustscopeError("The bits of a tuple are 0 or 1.")
    ones = tuples.sum(axis=1)
    if ones[0] < 1 or (ones != ones[0]).any():
        row = int(np.flatnonzero((ones != ones[0]) | (ones < 1))[0])
        raise TrustscopeError(
            f"A tuple sets one bit for each question, as many as all others; number {row + 1} sets {int(ones[row])}."
        )
    return tuples, int(ones[0])


def _limits(disclosure: ArrayLike, rows: int) -> Integers:
    limits = np.asarray(disclosure)
    if limits.dtype.kind not in "iu" or limits.ndim > 1 or (limits.ndim == 1 and len(limits) != rows):
        raise TrustscopeError("What respondents accept is one whole number, or one for each of them.")
    if limits.size and limits.min() < 0:
        raise TrustscopeError("Nobody can disclose less than nothing: the limits must not be negative.")
    return np.broadcast_to(limits, rows)
