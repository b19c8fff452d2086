"""Columns guessed by the records of others who are alike in what is told of a record.

Something is told of the record that is attacked, exactly or up to normal noise, and the same can be worked out of every
reference record. So the posterior of a column x_t is that of `engine.attacks.optimal.mixture` for records (told, x_t),
without a copy of x_t. How far the references are smoothed, and whether the mean or the window with most of the
posterior is guessed, the attacker finds out on the sample, for each column by itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.optimal.cells import ROUNDING, Cells, cells_of
from trustscope.engine.attacks.optimal.mixture import Moments, Windows, mixture_of, moments_of

__all__ = ["FEWEST", "REFERENCES", "ColumnGuesses"]

SMOOTHING = ((0.0, 0.12), (0.0, 0.25), (0.0, 0.5), (0.0, 1.0), (0.25, 0.5), (1.0, 1.0))  # (h_t, h_o)
REFERENCES = 1_536  # records of others that are computed with
TRIED = 384  # of them on whom is tried how to guess
FEWEST = 8  # records of others below which nothing is believed of them
UNSEEN = 1e6  # variances of a column: noise on what was not released at all


@dataclass(frozen=True)
class _Manner:
    """How one column is guessed: by which shares references are smoothed (None: plainly, without them), and whether
    the mean or the best window is taken."""

    smoothing: tuple[float, float] | None = None
    mean: bool = True


@dataclass(frozen=True)
class _View:
    """The references as a column is guessed from them: rows (told, x_t), their moments, noise on both; and the
    distance of a hit with its cells (None: the guess is that of least square error)."""

    records: Floats
    moments: Moments
    noise: Floats
    within: Floats | None
    cells: Cells | None


class ColumnGuesses:
    """Who knows others, and something of a record.

    Parameters
    ----------
    others : numpy.ndarray, shape (known, n)
        Records of other people.
    told : numpy.ndarray, shape (known, k)
        What would be told of each of them, without noise.
    plain : callable
        The guess without others, shape (rows, n), from what is told of some rows.
    within : numpy.ndarray, shape (n,), optional
        How close a guess of each column must come to count, where the attacker finds out how to guess; without it the
        guess is that of least square error.
    noise : numpy.ndarray, shape (k,), optional
        Variances of the noise on what is told of the record attacked.
    """

    def __init__(
        self,
        others: Floats,
        told: Floats,
        plain: Callable[[Floats], Floats],
        within: Floats | None = None,
        noise: Floats | None = None,
    ) -> None:
        self._others, self._told, self._plain, self._within = others, told, plain, within
        self._noise = np.zeros(told.shape[1]) if noise is None else noise
        # What is tried must not differ from call to call.
        self._heard = told + keys.rng(0, "what is told").standard_normal(told.shape) * np.sqrt(self._noise)
        useful = len(others) >= FEWEST
        self._manners = [self._chosen(c) if useful else _Manner() for c in range(others.shape[1])]

    def guess(self, told: Floats, within: Floats | None = None) -> Floats:
        """The guess of records of which this is told, shape (rows, n); `within` as in `KnowsOthers.estimate`."""
        reach, everybody = self._within if within is None else within, slice(None)
        out = self._plain(told)
        for c, manner in enumerate(self._manners):
            if manner.smoothing is not None:
                out[:, c] = dict(_guesses(self._view(c, reach), everybody, told, manner.smoothing))[manner]
        return out

    def _chosen(self, column: int) -> _Manner:
        """What does best if one half of the references is guessed from the other, both ways."""
        half = len(self._others) // 2
        parts = slice(0, half), slice(half, None)
        scores: dict[_Manner, float] = {}
        view = self._view(column, self._within)
        for known, attacked in (parts, parts[::-1]):
            told, truth = self._heard[attacked][:TRIED], self._others[attacked][:TRIED, column]
            tried = [(_Manner(), self._plain(told)[:, column])]
            for smoothing in SMOOTHING:
                tried += _guesses(view, known, told, smoothing)
            for manner, guess in tried:
                scores[manner] = scores.get(manner, 0.0) + self._score(guess, truth, column)
        return max(scores, key=scores.__getitem__)

    def _view(self, column: int, reach: Floats | None) -> _View:
        """What guesses of a column begin with, whatever is tried."""
        records = np.column_stack([self._told, self._others[:, column]])
        moments = moments_of(records)
        noise = np.diag([*self._noise, UNSEEN * max(float(moments.covariance[-1, -1]), 1e-300)])
        if reach is None:
            return _View(records, moments, noise, None, None)
        within = reach[[column]]
        return _View(records, moments, noise, within, cells_of(self._others[:, column], within))

    def _score(self, guess: Floats, truth: Floats, column: int) -> float:
        """How often guesses are right, or how near they are."""
        if self._within is None:
            return -float(((guess - truth) ** 2).sum())
        within = self._within[column]
        return float(np.count_nonzero(np.abs(guess - truth) <= within + ROUNDING * (np.abs(truth) + within)))


def _guesses(
    view: _View, known: slice, told: Floats, smoothing: tuple[float, float]
) -> Iterator[tuple[_Manner, Floats]]:
    """Guesses of a column by some of the references, for those of whom this is told."""
    target = view.records.shape[1] - 1
    seen = np.column_stack([told, np.full(len(told), view.moments.mean[target])])
    mixture = mixture_of(view.records[known], view.noise, view.moments, smoothing, target)
    if view.within is None or view.cells is None:
        yield _Manner(smoothing), mixture.means(seen)[:, 0]
        return
    found = Windows(mixture, view.cells, view.within).guess(seen)
    yield _Manner(smoothing), found.means
    yield _Manner(smoothing, mean=False), found.windows[:, 0]
