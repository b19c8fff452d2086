"""What the strongest attacker knows, how much is computed for it, and who is known and who attacked."""

from dataclasses import dataclass, replace

import numpy as np

from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.engine.attacks.optimal.mixture import Moments, moments_of

REHEARSED = 1_024  # people of the sample on whom the attacker tries what to do
ENOUGH = 3  # records for each column, from which moments are taken
DRAWN = 4_096  # copies of people in a small table, each under several draws of the noise


@dataclass(frozen=True)
class Knowledge:
    """What the attacker knows beside the copies and how they were made.

    Attributes
    ----------
    sample : int or None
        Records of so many other people; None: of half of the table, which is as good as knowing the distribution.
    everybody : bool
        All records, those of the people who are attacked among them, but not whose they are.
    columns : tuple of int
        Columns that are known exactly of everybody.
    """

    sample: int | None = None
    everybody: bool = False
    columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Limits:
    """How much is computed for one point: most records that stand for what is known, most people who are attacked,
    people of the sample on whom the attacker tries what to do, and copies of the people in a small table.

    A share measured on 10 000 people has a standard error of at most half a point. Twice as many references gain at
    most as much again on the shipped tables.
    """

    references: int = 4_096
    probes: int = 10_000
    rehearsed: int = REHEARSED
    drawn: int = DRAWN

    def attacked(self, known: int) -> int:
        """How many people are attacked by who has so many records, so that a point takes about as long."""
        return int(np.clip(2 * self.probes * self.references // max(known, 1), self.probes // 8, self.probes))


@dataclass(frozen=True)
class Side:
    """Who is known and who is attacked.

    Attributes
    ----------
    sample : numpy.ndarray, shape (known, m)
        All records that the attacker knows.
    references : numpy.ndarray, shape (N, m)
        Those of them that are computed with.
    known : numpy.ndarray of int, shape (N,)
        Rows of these.
    sample_rows : numpy.ndarray of int, shape (known,)
        Rows of the sample.
    people : numpy.ndarray of int, shape (P,)
        Rows of the people who are attacked, one for each copy of theirs.
    normals : numpy.ndarray, shape (P, m)
        The noise of their copies, before it is given a level and a shape.
    moments : Moments
        What the attacker takes mean and covariance to be.
    """

    sample: Floats
    references: Floats
    known: Integers
    sample_rows: Integers
    people: Integers
    normals: Floats
    moments: Moments

    def without(self, tried: Bools) -> "Side":
        """The side as if some of the references were not known, not even by mean and covariance: where these come from
        few people and many columns, whoever is among them would be guessed too well."""
        rest = self.references[~tried]
        all_of_it = len(self.references) == len(self.sample)
        moments = moments_of(rest) if all_of_it and len(rest) >= ENOUGH * rest.shape[1] else self.moments
        return replace(self, references=rest, known=self.known[~tried], moments=moments)
