"""What an insider gets who also knows the records of other people, or their distribution.

The links tell of a record x behind a released row two things exactly, whatever the rotation does elsewhere: its
coordinates z = U_k' x in the span of the linked records, and r, the length of all else. Of the reference records of
other people both are known too. So the posterior of a column x_t is that of `engine.attacks.optimal.mixture` for
records (z, r, x_t) of which z and r are known exactly and of x_t there is no copy. How far the references are smoothed,
and whether the mean or the window with most of the posterior is guessed, the attacker finds out on the sample, for
each column by itself. The projection, which needs no sample, is among what is tried.

Who has a sample can also match the principal axes of what the links leave open (`engine.attacks.known_sample`), with no
link at all; and whole records are hit by a record that somebody has rather than by the mean of all that are possible.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.attacks import known_sample
from trustscope.engine.attacks.known_input.attack import KnownInputAttack
from trustscope.engine.attacks.optimal.cells import ROUNDING, Cells, cells_of
from trustscope.engine.attacks.optimal.mixture import Moments, Windows, mixture_of, moments_of

__all__ = ["KnowsOthers"]

SMOOTHING = ((0.0, 0.12), (0.0, 0.25), (0.0, 0.5), (0.0, 1.0), (0.25, 0.5), (1.0, 1.0))  # (h_t, h_o)
REFERENCES = 1_536  # records of others that are computed with
TRIED = 384  # of them on whom is tried how to guess
FEWEST = 8  # records of others below which nothing is believed of them
PAIRS = 60_000  # pairs of rows behind every choice of signs of axes
UNSEEN = 1e6  # variances of a column: noise on what was not released at all


@dataclass(frozen=True)
class _Manner:
    """How one column is guessed: by which shares references are smoothed (None: by the projection alone), and whether
    the mean or the best window is taken."""

    smoothing: tuple[float, float] | None = None
    mean: bool = True


@dataclass(frozen=True)
class _View:
    """The references as a column is guessed from them: rows (z, r, x_t), their moments, noise on x_t alone; and the
    distance of a hit with its cells (None: the guess is that of least square error)."""

    records: Floats
    moments: Moments
    noise: Floats
    within: Floats | None
    cells: Cells | None


class KnowsOthers:
    """An insider who has linked records and knows others besides.

    Parameters
    ----------
    found : KnownInputAttack
    sample : array-like, shape (known, n)
        Records of other people, none of whom is behind the rows that are guessed.
    within : array-like, shape (n,), optional
        How close a guess of each column must come to count, where the attacker finds out how to guess; without it the
        guess is that of least square error.
    """

    def __init__(self, found: KnownInputAttack, sample: ArrayLike, within: ArrayLike | None = None) -> None:
        others, columns = np.asarray(sample, dtype=float), found.released.shape[1]
        if others.ndim != 2 or others.shape[1] != columns:
            raise ValueError(
                f"Records of others must have the {columns} columns of the release, not the shape {others.shape}."
            )
        if not found.informed:
            raise ValueError("No known record could be linked, so nothing is known of the shift: there is no estimate.")
        self._found, self._others = found, others[:REFERENCES]
        self._within = None if within is None else np.asarray(within, dtype=float)
        self._told = _told(self._others - found.origin, found.basis)
        self._sample = others - found.origin
        self._useful = bool(found.freedom and len(others) >= FEWEST)
        self._manners = [self._chosen(c) if self._useful else _Manner() for c in range(columns)]

    def estimate(self, rows: slice | Integers | None = None, within: ArrayLike | None = None) -> Floats:
        """The guess of the records behind some released rows, all by default, shape (rows, n).

        `within` is for guesses that must come closer, or less close, than those that were tried.
        """
        found = self._found
        reach = self._within if within is None else np.asarray(within, dtype=float)
        y = (found.released if rows is None else found.released[rows]) - found.origin_image
        out = found.origin + (y @ found.image) @ found.basis.T
        told = _told(y, found.image)
        everybody = slice(None)
        for c, manner in enumerate(self._manners):
            if manner.smoothing is not None:
                out[:, c] = dict(_guesses(self._view(c, reach), everybody, told, manner.smoothing))[manner]
        return out

    def guesses(self, rows: slice | Integers | None = None, within: ArrayLike | None = None) -> list[Floats]:
        """All that may be guessed of the records behind some released rows, `estimate` first, each of shape (rows, n).

        Which of them hits most often no rehearsal tells surely, since axes and signs are right or wrong for all records
        at once: who judges takes the best.
        """
        some = slice(None) if rows is None else rows
        return [self.estimate(rows, within), *(guess[some] for guess in self._whole)]

    @cached_property
    def _whole(self) -> list[Floats]:
        """Guesses of all records behind the release, each as a whole; none depends on how close it must come."""
        if not self._useful:
            return []
        found = self._found
        y = found.released - found.origin_image
        told = _told(y, found.image)
        # What somebody else has who is likest in what the links tell, brought to the right length.
        rest = self._sample[cKDTree(self._told).query(told)[1]] @ found.complement
        length = np.linalg.norm(rest, axis=1, keepdims=True)
        rests = [rest * np.divide(told[:, -1:], length, out=np.ones_like(length), where=length > 0)]
        if len(y) >= FEWEST:
            # Axes of all columns are further apart at times than those of what is open, and at times they are nearer.
            whole = np.eye(len(found.complement))
            frames = [(found.complement, found.complement_image), *([(whole, whole)] if found.basis.size else [])]
            for own, image in frames:
                match = known_sample.attack(self._sample @ own, y @ image, search="polynomial", pairs=PAIRS)
                rests.append(match.estimate(y @ image) @ own.T @ found.complement)
        return [found.origin + told[:, :-1] @ found.basis.T + one @ found.complement.T for one in rests]

    def _chosen(self, column: int) -> _Manner:
        """What does best if one half of the references is guessed from the other, both ways."""
        half = len(self._others) // 2
        parts = slice(0, half), slice(half, None)
        scores: dict[_Manner, float] = {}
        view = self._view(column, self._within)
        for known, attacked in (parts, parts[::-1]):
            told, truth = self._told[attacked][:TRIED], self._others[attacked][:TRIED, column]
            tried = [(_Manner(), self._found.origin[column] + told[:, :-1] @ self._found.basis[column])]
            for smoothing in SMOOTHING:
                tried += _guesses(view, known, told, smoothing)
            for manner, guess in tried:
                scores[manner] = scores.get(manner, 0.0) + self._score(guess, truth, column)
        return max(scores, key=scores.__getitem__)

    def _view(self, column: int, reach: Floats | None) -> _View:
        """What guesses of a column begin with, whatever is tried."""
        records = np.column_stack([self._told, self._others[:, column]])
        moments = moments_of(records)
        noise = np.zeros_like(moments.covariance)
        noise[-1, -1] = UNSEEN * max(float(moments.covariance[-1, -1]), 1e-300)
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
    """Guesses of a column by some of the references, for who is known to have these coordinates and lengths."""
    target = view.records.shape[1] - 1
    seen = np.column_stack([told, np.full(len(told), view.moments.mean[target])])
    mixture = mixture_of(view.records[known], view.noise, view.moments, smoothing, target)
    if view.within is None or view.cells is None:
        yield _Manner(smoothing), mixture.means(seen)[:, 0]
        return
    found = Windows(mixture, view.cells, view.within).guess(seen)
    yield _Manner(smoothing), found.means
    yield _Manner(smoothing, mean=False), found.windows[:, 0]


def _told(x: Floats, basis: Floats) -> Floats:
    """What links tell exactly of records, from the origin: coordinates in a basis, and the length of the rest."""
    z = x @ basis
    left = (x**2).sum(axis=1) - (z**2).sum(axis=1)
    return np.column_stack([z, np.sqrt(np.maximum(left, 0.0))])
