"""What the model finds out, as the views need it. Records go by their place among the private ones."""

from dataclasses import dataclass, field

import numpy as np

from trustscope.engine.attacks.known_input import KnownInputAttack
from trustscope.engine.attacks.known_sample import KnownSampleAttack, eigen_ratio
from trustscope.engine.utility import Clusterings
from trustscope.scenarios.rotation.judge import Hits
from trustscope.scenarios.rotation.scenario import RotationScenario, Settings, View
from trustscope.scenarios.twenty import Twenty
from trustscope.scenarios.value import not_none

GUESSED, SURE = 1.0, 2.0  # standard errors below which a direction is all but a guess, or not sure
CLEARLY = 0.02  # more hits, as a share: less is not worth a sentence
STANDARD_ERRORS = 4.0  # within which a measured mean agrees: a false alarm once in 16 000 times
SLACK = 2e-3  # what rounding of a figure on the page may add to it
WIDE = 0.05  # a tolerance beyond this tells nothing
ENOUGH = 30  # records judged, below which nothing is told either


@dataclass(frozen=True, eq=False)
class RotationResult:
    """Of one scenario; `waiting` says what is being worked out where there is nothing to show yet, `twenty` what is
    recovered of a few."""

    scenario: RotationScenario
    waiting: str = field(default="", kw_only=True)
    twenty: Twenty | None = field(default=None, kw_only=True)

    @property
    def settings(self) -> Settings:
        """What was set."""
        return self.scenario.settings

    @property
    def view(self) -> View:
        """What is looked at."""
        return self.scenario.view


@dataclass(frozen=True)
class Rate:
    """A mean share over several tries, and the tries themselves."""

    tries: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Over all tries."""
        return float(np.mean(self.tries))

    @property
    def error(self) -> float:
        """Its standard error; 0 of a single try, of which none is known."""
        return float(np.std(self.tries, ddof=1) / np.sqrt(len(self.tries))) if len(self.tries) > 1 else 0.0

    @property
    def tolerance(self) -> float:
        """How far theory may be from the mean and still agree."""
        return STANDARD_ERRORS * self.error + SLACK


@dataclass(frozen=True, eq=False)
class One:
    """One record: its true values and the attacker's guesses, both in the data's own units, and which are hits."""

    place: int
    true: np.ndarray
    guess: np.ndarray
    hit: np.ndarray
    how: str = ""


@dataclass(frozen=True, eq=False)
class Kept(RotationResult):
    """What an honest analyst finds.

    `ends` are two records that lie well apart, `apart` their distance before and after, `before` and `after` the
    distances of some pairs; `distance_error` is the largest change, relative to the longest record. `neighbours` is
    the share of records that keep their nearest ones, `by_chance` what a release without any relation would keep.
    """

    ends: tuple[int, int]
    apart: tuple[float, float]
    before: np.ndarray
    after: np.ndarray
    distance_error: float
    by_chance: float
    nearest: int
    rows: int
    neighbours: float | None = None
    clusterings: Clusterings | None = None
    moved: dict[str, int] = field(default_factory=dict)

    @property
    def exact(self) -> bool:
        """Whether distances are the same up to rounding."""
        return self.distance_error < 1e-9


@dataclass(frozen=True, eq=False)
class Growth:
    """Shares of hits by the number of known records: all kinds of guess, and the most exposed record.

    Those with what is known of others are nan as long as they are not worked out.
    """

    known: list[int]
    uniform: list[float]
    projection: list[float]
    others: list[float]
    highest: list[float]

    @property
    def best(self) -> np.ndarray:
        """Of the kind of guess that hits most often."""
        found: np.ndarray = np.fmax.reduce([self.uniform, self.projection, self.others])
        return found

    @property
    def complete(self) -> bool:
        """Whether all is worked out."""
        return not np.isnan(self.others).any()


@dataclass(frozen=True, eq=False)
class Closeness:
    """Shares of hits by how close a guess must come, and the uniform guess as it was really drawn."""

    eps: np.ndarray
    lines: dict[str, np.ndarray]
    drawn: Rate | None
    expected: float
    rows: int


@dataclass(frozen=True, eq=False)
class Known(RotationResult):
    """What the insider who knows records can do.

    `uniform` and `projection` are the expected shares of hits of each record judged, nan for those that are known;
    `others` those of the best guess of an insider who also knows other people, None as long as it is not worked out;
    `attributes` the same by attribute; `residuals` and `norms` are those of all records. Where there is no closed form
    `draws` is how many rotations stand for all of them.
    """

    attack: KnownInputAttack
    linked: dict[int, bool]
    uniform: np.ndarray
    projection: np.ndarray
    others: np.ndarray | None
    attributes: dict[str, np.ndarray]
    without: Hits
    residuals: np.ndarray
    norms: np.ndarray
    exposed: int | None
    typical: int | None
    closed: bool
    draws: int = 0
    growth: Growth | None = None
    closeness: Closeness | None = None
    one: One | None = None

    @property
    def means(self) -> dict[str, float]:
        """Mean share of hits over the records that are not known, by kind of guess."""
        return {guess: mean_of(shares) for guess, shares in self.shares.items()}

    @property
    def shares(self) -> dict[str, np.ndarray]:
        """Shares of hits of each record judged, by kind of guess."""
        paper = {"uniform": self.uniform, "projection": self.projection}
        return paper if self.others is None else paper | {"others": self.others}

    @property
    def best(self) -> np.ndarray:
        """Shares of hits of each record judged, by the guess that is best for it."""
        found: np.ndarray = np.fmax.reduce(list(self.shares.values()))
        return found

    @property
    def leader(self) -> str:
        """The kind of guess that hits more often."""
        means = self.means
        return max(means, key=means.__getitem__)

    @property
    def found(self) -> float:
        """What the insider recovers, who need not use the release: never less than without it."""
        return max(self.without.rate, *self.means.values())

    @property
    def highest(self) -> float:
        """The share of hits of the record that is most exposed."""
        if self.exposed is None:
            return 1.0
        return float(self.best[self.exposed])


@dataclass(frozen=True, eq=False)
class Sampled(RotationResult):
    """What the competitor with a sample recovers.

    `by_axes` is the share of hits of matched axes alone, `alignment` the cosine between each axis and its true image,
    `right` whether its sign is right, `certainty` by how many standard errors the other sign would be worse. `others`
    are the rates of all samples of this size, `curve` by size and method.
    """

    attack: KnownSampleAttack
    hits: Hits
    without: Hits
    estimate: np.ndarray
    by_axes: float
    alignment: np.ndarray
    right: np.ndarray
    samples: int
    others: Rate | None = None
    certainty: np.ndarray | None = None
    curve: dict[str, dict[int, Rate]] = field(default_factory=dict)
    sizes: tuple[int, ...] = ()
    one: One | None = None

    @property
    def ratio(self) -> float:
        """Least ratio of neighbouring eigenvalues of the sample, those of the axes that were matched."""
        return eigen_ratio(np.maximum(self.attack.sample_eigenvalues, 0.0))

    @property
    def found(self) -> float:
        """What the competitor recovers, who need not use the release: never less than without it."""
        return max(self.without.rate, self.hits.rate)

    @property
    def beyond_axes(self) -> bool:
        """Whether other ways tell clearly more than axes alone do, and more than guessing."""
        return self.hits.rate > max(self.by_axes + CLEARLY, self.without.rate)

    @property
    def doubtful(self) -> np.ndarray:
        """Axes along which the data look nearly the same mirrored: their signs are all but guesses."""
        return not_none(self.certainty) < GUESSED


@dataclass(frozen=True, eq=False)
class Projected:
    """One way to project: hits of the attack on it, the attacker's estimate, and distances before and after."""

    hits: Hits
    estimate: np.ndarray
    before: np.ndarray
    after: np.ndarray

    @property
    def spread(self) -> float:
        """Root mean square of the relative change of distances."""
        apart = self.before > 0
        if not apart.any():
            return 0.0
        return float(np.sqrt(np.mean((self.after[apart] / self.before[apart] - 1) ** 2)))


@dataclass(frozen=True, eq=False)
class Remedied(RotationResult):
    """One projection for all and a fresh one for each, beside a plain rotation with the same seed.

    `others` are the rates with several matrices, this one first; `curve` by number of columns and "one" or "fresh";
    `neighbours` the shares of records that keep their nearest ones, where they are looked at.
    """

    one_matrix: Projected
    fresh: Projected
    rotation: Hits
    without: Hits
    sample: int
    others: Rate
    curve: dict[str, dict[int, Rate]] = field(default_factory=dict)
    lengths: tuple[int, ...] = ()
    neighbours: dict[str, float] = field(default_factory=dict)
    one: One | None = None

    @property
    def found(self) -> float:
        """What is recovered through the one matrix: never less than without any release."""
        return max(self.without.rate, self.one_matrix.hits.rate)

    @property
    def rotated(self) -> float:
        """What is recovered from a plain rotation: never less than without any release."""
        return max(self.without.rate, self.rotation.rate)


def mean_of(values: np.ndarray) -> float:
    """Mean of those that are not known; 1 where all are."""
    known = np.isnan(values)
    return 1.0 if known.all() else float(values[~known].mean())
