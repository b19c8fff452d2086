"""A miner who sends guidance that was picked by hand to read one question (Zhang et al. 2005, Section 5.2)."""

from functools import lru_cache

import numpy as np
from scipy.fft import dct

from trustscope.engine.arrays import Floats
from trustscope.engine.survey.encoding import Encoding
from trustscope.engine.survey.guidance import weight_bound
from trustscope.engine.survey.moderate import contrasts, moderated
from trustscope.errors import TrustscopeError

__all__ = ["hand_picked"]

# The search for the best hidden guidance starts on this coarse grid: shares of the greatest contrast between answers,
# and shares of the greatest constant part.
_CONTRASTS, _CONSTANTS = np.linspace(0.4, 1.0, 7), np.linspace(0.0, 1.0, 11)
# The grid around the best point of the coarse one is this many times finer.
_FINER = 5


def hand_picked(encoding: Encoding, question: int | str, *, level: int = 1, checked: bool = False) -> Floats:
    """Orthonormal guidance that reads one question's answers.

    Unchecked, its columns are the unit vectors of the question's bits: bits are then sent as they are.

    To pass the bound on single answers (`weight_bound`), the columns contrast the answers of the question, some for
    and some against, and put the rest of their length on other questions, in two ways. A weight that is equal on all
    bits of a question adds a constant to t V, as every tuple sets one bit a question: chances are squares, and those of
    (constant + w) and (constant - w) lie far apart. Contrasts between other questions multiply to 0 with every
    tuple: they disturb nothing, and all bits that they weigh carry the news as well. More columns of that kind raise
    the bound. How much goes where is searched for, so that answers are confused as rarely as can be. So the guidance
    is the best of a large family, and not proven to be the best of all; who knows how answers go together
    may do better.

    Parameters
    ----------
    encoding : Encoding
    question : int or str
        What the miner is after.
    level : int
        Columns of the guidance: what the victim accepts.
    checked : bool
        Whether the guidance has to pass the bound.

    Returns
    -------
    numpy.ndarray, shape (dimension, k)
        Fewer than `level` columns where there are no more to fill it with.
    """
    if level < 1:
        raise TrustscopeError(f"Guidance has at least one column, not {level}.")
    bits = encoding.bits_of(question)
    if checked:
        return _hidden(encoding, int(encoding.question_of[bits.start]), int(level)).copy()
    # The last answer is the absence of the others.
    wanted = np.arange(bits.start, max(bits.start + 1, bits.stop - 1))[:level]
    return np.asarray(np.eye(encoding.dimension)[:, wanted])


@lru_cache(maxsize=64)
def _hidden(encoding: Encoding, question: int, level: int) -> Floats:
    """The best guidance found that passes the bound."""
    family = _Family(encoding, question, level)
    best = moderated(hand_picked(encoding, question, level=level), encoding)
    least = family.confused(best)
    if family.possible:
        trials = [(scale, constant) for scale in _CONTRASTS for constant in _CONSTANTS]
        for _ in range(2):
            found = [(family.confused(basis), trial) for trial in trials if (basis := family.basis(*trial)) is not None]
            if not found:
                break
            overlap, (scale, constant) = min(found)
            if overlap < least and (better := family.basis(scale, constant)) is not None:
                best, least = better, overlap
            around = np.linspace(-1, 1, 2 * _FINER + 1)
            trials = [(scale + 0.1 * a, constant + 0.1 * b) for a in around for b in around]
    return best


class _Family:
    """Guidance by how strongly it contrasts the answers to a question, and how large a constant it adds."""

    def __init__(self, encoding: Encoding, question: int, level: int) -> None:
        self.encoding, self.question, self.bits = encoding, question, encoding.bits_of(question)
        self.empty = contrasts(encoding, question)
        size, self.others = self.bits.stop - self.bits.start, encoding.question_of != question
        self.reading = max(1, min(level, size - 1, self.empty.shape[1]))
        self.possible = size > 1 and bool(self.others.any())
        # Orthogonal to the contrasts, and the largest constant for its length.
        self.even = np.where(self.others, 1 / encoding.sizes[encoding.question_of], 0.0)
        self.even /= max(np.linalg.norm(self.even), 1e-9)
        self.fillers = self.empty[:, self.reading :][:, : max(level - self.reading, 0)]
        # A little below, so that rounding does not betray it.
        columns = self.reading + self.fillers.shape[1]
        self.bound = weight_bound(columns, len(encoding.questions)) * (1 - 1e-6)
        # Orthonormal contrasts between the answers.
        self.marks = dct(np.eye(size), norm="ortho", axis=0)[1 : self.reading + 1].T

    def basis(self, scale: float, constant: float) -> Floats | None:
        """Orthonormal columns, or None where there are none that pass; both numbers are shares of the greatest."""
        if not (0 < scale <= 1 and 0 <= constant <= 1):
            return None
        scale *= min(1.0, self.bound / np.linalg.norm(self.marks, axis=1).max())
        left = np.full(self.reading, 1 - scale**2)
        # With two questions there is nothing but a constant to fill up with.
        share = constant**2 if self.empty.shape[1] else 1.0
        columns = np.zeros((self.encoding.dimension, self.reading))
        columns[self.bits] = scale * self.marks
        columns[:, 0] += np.sqrt(left[0] * share) * self.even
        left[0] *= 1 - share
        if self.empty.shape[1]:
            columns += np.sqrt(left) * self.empty[:, : self.reading]
        basis = np.hstack([columns, self.fillers])
        return basis if np.linalg.norm(basis, axis=1).max() <= self.bound else None

    def confused(self, basis: Floats) -> float:
        """How alike what is sent is for different answers, from 0 to 1: the mean overlap (Bhattacharyya) of their laws.

        Others are supposed to answer at random; they all add the same where they are weighed evenly.
        """
        weighed = np.add.reduceat(basis, self.encoding.starts, axis=0) / self.encoding.sizes[:, None]
        constant = np.delete(weighed, self.question, axis=0).sum(axis=0)
        chances = np.minimum(((basis[self.bits] + constant) @ basis.T) ** 2, 1)
        ones, zeros = np.sqrt(chances), np.sqrt(1 - chances)
        first, second = np.triu_indices(len(chances), 1)
        if not len(first):
            return 1.0
        return float(np.mean(np.prod(ones[first] * ones[second] + zeros[first] * zeros[second], axis=1)))
