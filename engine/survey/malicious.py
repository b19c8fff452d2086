"""A miner who sends guidance that was picked by hand to read one question (Zhang et al. 2005, Section 5.2)."""

import numpy as np
from scipy.fft import dct

from engine.survey.guidance import weight_bound

__all__ = ["hand_picked"]


def hand_picked(encoding, question, *, level=1, checked=False):
    """Orthonormal guidance that reads one question's answers.

    Unchecked, its columns are the unit vectors of the question's bits: bits are then sent as they are. To pass the
    bound on single answers (`weight_bound`) such a column must put the rest of its length elsewhere. The best place
    are contrasts between other questions (weights that are equal within a question and add up to 0 over them): every
    tuple sets one bit a question, so they multiply to 0 with all tuples, and t~_j = w^2 for a bit that is set, where
    w is its weight. More columns of that kind, which say nothing, raise the bound.

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
        raise ValueError(f"Guidance has at least one column, not {level}.")
    bits = encoding.bits_of(question)
    # The last answer is the absence of the others.
    wanted = np.arange(bits.start, max(bits.start + 1, bits.stop - 1))[:level]
    basis = np.zeros((encoding.dimension, len(wanted)))
    basis[wanted, np.arange(len(wanted))] = 1.0
    if not checked:
        return basis
    empty = _contrasts(encoding, encoding.question_of[bits.start])
    fillers = min(level - len(wanted), empty.shape[1] - len(wanted))
    if fillers < 0:
        raise ValueError("There are too few other questions to hide this one among.")
    # A little below, so that rounding does not betray it.
    weight = weight_bound(len(wanted) + fillers, len(encoding.questions)) * (1 - 1e-6)
    basis *= weight
    basis += np.sqrt(1 - weight**2) * empty[:, : len(wanted)]
    return np.hstack([basis, empty[:, len(wanted) : len(wanted) + fillers]])


def _contrasts(encoding, left_out):
    """Orthonormal columns that multiply to 0 with every tuple and leave a question alone, spread evenly."""
    others = np.setdiff1d(np.arange(len(encoding.questions)), left_out)
    # Cosines over the questions: they add up to 0, and none of them sits on few questions.
    waves = dct(np.eye(len(others)), norm="ortho", axis=0)[1:].T
    spread = np.zeros((encoding.dimension, waves.shape[1]))
    for row, j in enumerate(others):
        spread[encoding.bits_of(int(j))] = waves[row]
    return np.linalg.qr(spread)[0] if spread.size else spread
