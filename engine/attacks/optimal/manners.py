"""How the strongest attacker may guess: how far the sample is smoothed, which columns are looked at, and for what."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import Bools, Floats, Integers, Numbers
from trustscope.engine.attacks.optimal.cells import ROUNDING
from trustscope.engine.attacks.optimal.knowledge import Side
from trustscope.engine.attacks.optimal.mixture import Guesses, Mixture, Moments

# Shares (h_t, h_o) by which a sample may be smoothed, of the target and of what it does not tell of the others.
SMOOTHING = (
    (0.0, 0.0), (0.0, 0.12), (0.0, 0.25), (0.0, 0.45), (0.0, 0.7), (0.0, 1.0),
    (0.08, 0.25), (0.08, 0.7), (0.25, 0.7), (1.0, 1.0),
)  # fmt: skip
FINER = ((0.0, 0.02), (0.0, 0.05))  # where columns are known, so that others may be told apart as finely as they are
FEWER = (1, 3)  # other columns that are looked at where those that tell little would make the sample a rough picture
FEWER_SMOOTHING = ((0.0, 0.0), (0.0, 0.25))
CLEARLY = 0.01  # of all people, by which who looks at fewer columns must hit more often on the sample
CLASSES = 8  # of equal shares, by which it is seen what columns tell of each other
TELLING = 4_096  # people by whom that is seen


@dataclass(frozen=True)
class Manner:
    """How the attacker guesses: by which shares the sample is smoothed, whether a hit is looked for around the
    conditional mean (steadier from a small sample) or in the window with most of the posterior, and which columns are
    looked at, the target among them (none named: all)."""

    smoothing: tuple[float, float] = (0.0, 0.0)
    mean: bool = False
    columns: tuple[int, ...] = ()

    @property
    def by_itself(self) -> bool:
        """Whether the target is guessed by its own copy alone."""
        return len(self.columns) == 1

    def guesses(self, found: Guesses) -> Floats:
        """The guesses, shape (rows, distances)."""
        return np.broadcast_to(found.means[:, None], found.windows.shape) if self.mean else found.windows


@dataclass(frozen=True)
class RecordManner:
    """How the attacker guesses whole records that must be close: by the "mean" of what is believed, by the "middle" of
    each column, or by the "likeliest" of the records that are known; and by which share the sample is smoothed."""

    way: str = "mean"
    share: float = 0.0

    def guesses(self, mixture: Mixture, y: Floats) -> Floats:
        """The guesses from these copies, shape (rows, m)."""
        ways = {"mean": mixture.means, "middle": mixture.middles, "likeliest": mixture.likeliest}
        return ways[self.way](y)


def looked_at(
    side: Side, references: Floats, noise: Floats, target: int, manner: Manner
) -> tuple[Floats, Floats, Moments, tuple[float, float], int]:
    """What a `Mixture` of these records is made of, for who guesses the target in a manner."""
    some = list(manner.columns)
    if not some:
        return references, noise, side.moments, manner.smoothing, target
    moments = Moments(side.moments.mean[some], side.moments.covariance[np.ix_(some, some)])
    return references[:, some], noise[np.ix_(some, some)], moments, manner.smoothing, some.index(target)


def classes_of(x: Floats) -> Integers:
    """Classes of a column, of about equally many people."""
    shares = np.arange(1, CLASSES) / CLASSES
    return np.searchsorted(np.unique(np.quantile(x, shares)), x, side="right")


def most_telling(sample: Floats, target: Integers) -> list[int]:
    """The columns, those first that tell most of the target in whatever way: by how far the shares of pairs of classes
    are from those of columns that tell nothing of each other (chi-square). The target is given by its classes."""
    many, told = int(target.max(initial=0)) + 1, np.zeros(sample.shape[1])
    for column, x in enumerate(sample.T):
        pairs = np.bincount(target * CLASSES + classes_of(x), minlength=CLASSES * many).reshape(many, CLASSES)
        expected = np.outer(pairs.sum(axis=1), pairs.sum(axis=0)) / len(sample)
        told[column] = ((pairs - expected) ** 2 / np.where(expected > 0, expected, 1)).sum()
    return [int(column) for column in np.argsort(-told, kind="stable")]


def is_within(guess: Floats, truth: Floats, d: Numbers) -> Bools:
    """Whether guesses are right to within d; what is exactly d away is right whatever the rounding."""
    return np.abs(guess - truth) <= d + ROUNDING * (np.abs(truth) + d)
