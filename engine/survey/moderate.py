"""How an honest miner keeps its guidance within what respondents accept.

Respondents bound what a single answer may weigh (`engine.survey.weight_bound`), and the bound is known to everybody.
What was learnt may exceed it honestly: where one yes-or-no question alone tells the classes apart, each of its answers
weighs 0.5 in the first direction and 0.71 in the first two, however many other questions there are. Were that sent,
everybody would refuse it, nothing new would be learnt, and the survey would stop for good.

So where a direction weighs answers too much, it is cut to what is accepted, and the rest of it is raised to make up for
the length. Where there is no rest, it is filled up with a direction that is spread evenly over other answers: at best
one that multiplies to 0 with every tuple, and says nothing.
"""

from functools import lru_cache

import numpy as np
from scipy.fft import dct

from trustscope.engine.arrays import Floats
from trustscope.engine.survey.encoding import Encoding
from trustscope.engine.survey.guidance import weight_bound

__all__ = ["contrasts", "moderated"]

# Directions of each kind that are tried to replace what was cut away.
_TRIED = 12
# The most rounds in which weights above the bound are cut, and how far below the bound they are cut.
_ROUNDS, _MARGIN = 40, 1e-3
# A remainder of a column counts as a direction of its own if its squared length is at least this.
_REST = 0.02


def moderated(basis: Floats, encoding: Encoding) -> Floats:
    """Guidance like this one, whose first k columns pass the check for every k.

    Parameters
    ----------
    basis : numpy.ndarray, shape (dimension, k*)
        Orthonormal columns.
    encoding : Encoding

    Returns
    -------
    numpy.ndarray
        The very same where it passes already. With fewer columns where there is no room for more.
    """
    n, dimension = len(encoding.questions), encoding.dimension
    bounds = np.array([weight_bound(k, n) for k in range(1, basis.shape[1] + 1)])
    # Who follows as many columns as there are bits sends everything, and does not check.
    bounds[dimension - 1 :] = 1.0 + 1e-6
    if (np.cumsum(basis**2, axis=1) <= bounds**2).all():
        return basis
    waves, columns = _waves(encoding), np.zeros((dimension, 0))
    for direction, bound in zip(basis.T, bounds, strict=True):
        column = _cut(direction, columns, bound, waves)
        if column is None:
            break
        columns = np.column_stack([columns, column])
    # One even column says no more of any answer than of another.
    return columns if columns.size else np.full((dimension, 1), dimension**-0.5)


@lru_cache(maxsize=16)
def _waves(encoding: Encoding) -> Floats:
    """Directions that are spread evenly: those that say nothing, and others where these run out."""
    even = dct(np.eye(encoding.dimension), norm="ortho", axis=0).T
    return np.hstack([contrasts(encoding)[:, :_TRIED], even[:, :_TRIED]])


def _cut(direction: Floats, before: Floats, bound: float, waves: Floats) -> Floats | None:
    """A unit vector like this direction, orthogonal to those before, with which no answer weighs too much, or None."""
    room = bound**2 - (before**2).sum(axis=1)
    most = np.sqrt(np.maximum(room, 0)) * (1 - _MARGIN)
    column, heavy = _apart(direction, before), np.zeros(len(direction), dtype=bool)
    column = column / max(float(np.linalg.norm(column)), 1e-9)
    for _ in range(_ROUNDS):
        if (column**2 <= room).all() and column @ column > 1 - 1e-9:
            return column
        heavy |= np.abs(column) > most
        column = _apart(np.clip(column, -most, most), before)
        # More of the rest of it, where there is a rest.
        free = _apart(np.where(heavy, 0, column), before)
        lacking = float(1 - column @ column)
        if free @ free > _REST:
            along, own = float(free @ column), float(free @ free)
            column = column + free * (np.sqrt(along**2 + own * max(lacking, 0.0)) - along) / own
            continue
        # Elsewhere than on the answers that weigh too much.
        spread = _apart(np.where(heavy[:, None], 0, waves), before)
        spread -= np.outer(column, column @ spread) / max(float(column @ column), 1e-9)
        lengths = np.linalg.norm(spread, axis=0)
        spread = spread[:, lengths > 1e-6] / lengths[lengths > 1e-6]
        if not spread.size:
            return None
        tried = column[:, None] + np.sqrt(max(lacking, 0)) * np.hstack([spread, -spread])
        column = tried[:, (tried**2 - room[:, None]).max(axis=0).argmin()]
    return None


def _apart(vectors: Floats, columns: Floats) -> Floats:
    """What is left of vectors without their parts along orthonormal columns."""
    return vectors - columns @ (columns.T @ vectors)


def contrasts(encoding: Encoding, left_out: int | None = None) -> Floats:
    """Orthonormal columns that multiply to 0 with every tuple: they are spread evenly, and say nothing.

    Their weights are equal within a question, and add up to 0 over the questions; every tuple sets one bit a question.

    Parameters
    ----------
    encoding : Encoding
    left_out : int, optional
        Number of a question that they leave alone.

    Returns
    -------
    numpy.ndarray, shape (dimension, number of questions less 1)
    """
    others = np.setdiff1d(np.arange(len(encoding.questions)), [] if left_out is None else left_out)
    if len(others) < 2:
        return np.zeros((encoding.dimension, 0))
    # Cosines over the questions: they add up to 0, and none of them sits on few questions.
    waves = dct(np.eye(len(others)), norm="ortho", axis=0)[1:].T
    spread = np.zeros((encoding.dimension, waves.shape[1]))
    for row, j in enumerate(others):
        spread[encoding.bits_of(int(j))] = waves[row]
    return np.linalg.qr(spread)[0]
