"""Who has a sample of the population guesses the records behind a random projection (Giannella et al. 2009, Sec. VI).

One matrix for all is a linear map, y = R x, and no rotation; matched axes take it for one. But the covariances of
sample and release tell of the map all but a rotation: in coordinates in which both are the unit matrix the release is
turned, and can be laid over the sample (`known_sample.overlay`). There the distance of a record from the mean is known,
whatever R is. And since R is random, the length of R x is that of x times the root of a chi-square over its degrees of
freedom, l: the logarithm of the length is told with noise whose law is known. With a fresh matrix for each record that
is all that is told.
"""

from dataclasses import replace

import numpy as np
from scipy.special import digamma, polygamma

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.attacks import known_sample
from trustscope.engine.attacks.known_input.columns import ColumnGuesses
from trustscope.engine.tables import as_table

__all__ = ["KnowsSample"]

REFERENCES = 512  # records of others by which columns are guessed
PAIRS = 60_000  # pairs of rows behind every choice of signs of axes
NOTHING = 1e-9  # of the largest variance: directions in which nothing varies
SHORTEST = 1e-3  # of a typical length: what is shorter counts as that, since logarithms of nothing are endless


class KnowsSample:
    """A competitor with a sample, against projections to so many columns.

    What may be told of a record, and how to guess by that, is found out once, and holds for every release.

    Parameters
    ----------
    sample : array-like, shape (q, n)
        Records of the same population, not of the data.
    dimensions : int
        l, the columns that were released.
    fresh : bool
        Whether every record has a matrix of its own.
    within : array-like, shape (n,), optional
        How close a guess of each column must come to count, where the attacker finds out how to guess; without it the
        guess is that of least square error.
    """

    def __init__(
        self, sample: ArrayLike, dimensions: int, *, fresh: bool = False, within: ArrayLike | None = None
    ) -> None:
        self._sample, self._fresh = as_table(sample, "sample", rows=2), fresh
        self._mean = self._sample.mean(axis=0)
        half = dimensions / 2
        # Mean and variance of the logarithm of the root of a chi-square over its degrees of freedom.
        self._bias = float(digamma(half) - np.log(half)) / 2
        lengths = np.linalg.norm(self._sample, axis=1)
        self._shortest = SHORTEST * (float(np.median(lengths)) or float(lengths.max()) or 1.0)
        self._white = _Whitening(self._sample)
        noise = np.array([float(polygamma(1, half)) / 4, *([] if fresh else [0.0])])
        others = self._sample[:REFERENCES]
        self._columns = ColumnGuesses(
            others, self._told(others, self._white), self._middle,
            None if within is None else np.asarray(within, dtype=float), noise,
        )  # fmt: skip

    def guesses(self, released: ArrayLike, rows: int | None = None, within: ArrayLike | None = None) -> list[Floats]:
        """All that may be guessed of the first so many records of a release, each of shape (rows, n): who judges takes
        the best (see `KnowsOthers.guesses`)."""
        return [self.alike(released, rows, within), *self.laid(released, rows)]

    def alike(self, released: ArrayLike, rows: int | None = None, within: ArrayLike | None = None) -> Floats:
        """The guess by records of the sample that are alike in what is told; `within` as in `KnowsOthers.estimate`."""
        y = as_table(released, "released data", rows=2)
        white = None if self._fresh else _Whitening(y, self._sample.shape[1])
        reach = None if within is None else np.asarray(within, dtype=float)
        return self._columns.guess(self._told(y[:rows], white, self._bias), reach)

    def laid(self, released: ArrayLike, rows: int | None = None) -> list[Floats]:
        """Guesses by laying the release over the sample, none of which depends on how close it must come; none at all
        where every record has a matrix of its own.

        It is done as if the map were a rotation, and from there in coordinates in which it is one.
        """
        if self._fresh:
            return []
        y, own, sample = as_table(released, "released data", rows=2), self._white, self._sample
        white = _Whitening(y, sample.shape[1])
        starts = [
            known_sample.attack(sample, y, search="polynomial", pairs=PAIRS, translated=centred)
            for centred in (False, True)
        ]
        rough, k = known_sample.overlay(sample, y, *starts), min(own.rank, white.rank)
        if not k:
            return [rough.turn_back(y[:rows])]
        turned = []
        for matrix in (rough.matrix, starts[1].matrix):
            left, _, right = np.linalg.svd(white.back[:k] @ matrix @ own.into[:, :k])
            start = replace(starts[1], sample_axes=np.eye(k), released_axes=left @ right, signs=np.ones(k))
            turned.append(replace(start, margins=starts[1].margins[:k]))
        fine = known_sample.overlay(own.of(sample)[:, :k], white.of(y)[:, :k], *turned)
        found = self._mean + fine.turn_back(white.of(y[:rows])[:, :k]) @ own.back[:k]
        return [rough.turn_back(y[:rows]), found]

    def _told(self, some: Floats, white: "_Whitening | None", bias: float = 0.0) -> Floats:
        """Logarithms of lengths, and how far records are from the mean where the covariance is the unit matrix."""
        lengths = np.log(np.maximum(np.linalg.norm(some, axis=1), self._shortest)) - bias
        if self._fresh or white is None:
            return np.asarray(lengths[:, None])
        return np.column_stack([lengths, np.linalg.norm(white.of(some), axis=1)])

    def _middle(self, told: Floats) -> Floats:
        """The guess of whoever is told nothing."""
        found: Floats = np.tile(self._mean, (len(told), 1))
        return found


class _Whitening:
    """Coordinates about the mean, along principal axes, in which the covariance is the unit matrix."""

    def __init__(self, table: Floats, most: int | None = None) -> None:
        self.mean = table.mean(axis=0)
        values, axes = np.linalg.eigh(np.atleast_2d(np.cov(table, rowvar=False)))
        values, axes = values[::-1][:most], axes[:, ::-1][:, :most]
        kept = values > NOTHING * max(float(values[0]), 0.0)
        roots = np.sqrt(values[kept])
        self.into, self.back, self.rank = axes[:, kept] / roots, (axes[:, kept] * roots).T, int(kept.sum())

    def of(self, table: Floats) -> Floats:
        """These rows in the coordinates."""
        found: Floats = (table - self.mean) @ self.into
        return found
