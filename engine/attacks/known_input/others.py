"""What an insider gets who also knows the records of other people, or their distribution.

The links tell of a record x behind a released row two things exactly, whatever the rotation does elsewhere: its
coordinates z = U_k' x in the span of the linked records, and r, the length of all else. Of the reference records of
other people both are known too, so that columns are guessed by those who are alike in them (`ColumnGuesses`). The
projection, which needs no sample, is among what is tried.

Where a shift hides the origin and nobody is linked, all is measured from the mean: that of the release lies where the
mean of others lies, up to what two halves of a population differ, so a shift hides lengths only by so much.

Who has a sample can also match the principal axes of what the links leave open, and lay all that is released over the
sample (`engine.attacks.known_sample`), with no link at all; and whole records are hit by a record that somebody has
rather than by the mean of all that are possible.
"""

from dataclasses import replace
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.attacks import known_sample
from trustscope.engine.attacks.known_input.attack import KnownInputAttack
from trustscope.engine.attacks.known_input.columns import FEWEST, REFERENCES, ColumnGuesses

__all__ = ["KnowsOthers"]

PAIRS = 60_000  # pairs of rows behind every choice of signs of axes


class KnowsOthers:
    """An insider who knows others besides, and has linked records or none.

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
        self._floating = not found.informed
        if self._floating:
            if not len(others):
                raise ValueError(
                    "No known record could be linked and nobody else is known, so nothing is known of the shift: "
                    "there is no estimate."
                )
            found = replace(found, origin=others.mean(axis=0), origin_image=found.released.mean(axis=0))
        self._found, self._sample = found, others - found.origin
        self._useful = bool(found.freedom and len(others) >= FEWEST)
        self._told = _told(self._sample[:REFERENCES], found.basis)
        reach = None if within is None else np.asarray(within, dtype=float)
        # Where nothing is to be guessed, or from nobody, it is by projection.
        some = slice(0, REFERENCES if self._useful else 0)
        self._columns = ColumnGuesses(others[some], self._told[some], self._projected, reach)

    def estimate(self, rows: slice | Integers | None = None, within: ArrayLike | None = None) -> Floats:
        """The guess of the records behind some released rows, all by default, shape (rows, n).

        `within` is for guesses that must come closer, or less close, than those that were tried.
        """
        found = self._found
        y = (found.released if rows is None else found.released[rows]) - found.origin_image
        return self._columns.guess(_told(y, found.image), None if within is None else np.asarray(within, dtype=float))

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
        rest = self._sample[: len(self._told)][cKDTree(self._told).query(told)[1]] @ found.complement
        length = np.linalg.norm(rest, axis=1, keepdims=True)
        rests = [rest * np.divide(told[:, -1:], length, out=np.ones_like(length), where=length > 0)]
        if len(y) >= FEWEST:
            rests += self._turned_back(y)
        return [found.origin + told[:, :-1] @ found.basis.T + one @ found.complement.T for one in rests]

    def _turned_back(self, y: Floats) -> list[Floats]:
        """What the links leave open of all records, by axes that are matched and by clouds laid over one another."""
        found, sample = self._found, self._sample
        own, image = sample @ found.complement, y @ found.complement_image
        starts = [
            known_sample.attack(own, image, search="polynomial", pairs=PAIRS, translated=centred)
            for centred in (False, True)
        ]
        linked = bool(found.basis.size)
        told = (sample @ found.basis, y @ found.image) if linked else None
        laid = known_sample.overlay(own, image, *starts, told=told, shifted=self._floating)
        rests = [starts[0].estimate(image), laid.turn_back(image)]
        if linked:
            # Axes of all columns are further apart at times than those of what is open, and at times they are nearer.
            match = known_sample.attack(sample, y, search="polynomial", pairs=PAIRS)
            rests.append(match.estimate(y) @ found.complement)
        return rests

    def _projected(self, told: Floats) -> Floats:
        """The guess by projection, which uses no others."""
        found: Floats = self._found.origin + told[:, :-1] @ self._found.basis.T
        return found


def _told(x: Floats, basis: Floats) -> Floats:
    """What links tell exactly of records, from the origin: coordinates in a basis, and the length of the rest."""
    z = x @ basis
    left = (x**2).sum(axis=1) - (z**2).sum(axis=1)
    return np.column_stack([z, np.sqrt(np.maximum(left, 0.0))])
