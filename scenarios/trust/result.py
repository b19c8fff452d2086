"""What the views of the Trust page show: pictures of a scenario, and of copies in the making."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from trustscope.engine import measures
from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.reconstruction import Spectrum
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.copies import RowsResult, neighbours
from trustscope.scenarios.trust.exposed import Exposed
from trustscope.scenarios.trust.judge import Judged
from trustscope.scenarios.trust.scenario import Settings, TrustScenario
from trustscope.scenarios.twenty import Twenty

NINE_IN_TEN = 1.6448536269514722  # standard deviations of a normal law
HEAP = np.exp(-0.5 * (np.arange(-5, 6) / 1.6) ** 2)
HEAP /= HEAP.sum()
ENOUGH = 30  # rows below which nothing is said about agreement
STANDARD_ERRORS = 4  # within so many a measurement agrees with theory: a false alarm in 16 000


@dataclass(frozen=True)
class Attack:
    """One guess at the data: by whom, on copies of which scheme, by which attacker."""

    who: tuple[Recipient, ...]
    scheme: str
    attacker: str = "perfect"


@dataclass
class AttackResult:
    """How well an attack did: theory where there is a closed form, and measurement.

    `slack` is what one drawn learning sample may add to what theory expects of many; an `approximate` theory (for
    normal data, or as if nothing had to be estimated) is shown, but judges nothing. `informed` is what theory would be
    if nothing had to be estimated. `level` is that of the one copy that the
    strongest attacker looks at, `doubt` the standard error of what is read off its curve.
    """

    attack: Attack
    theory: float | None
    theory_breach: float | None
    tally: measures.AttackTally
    slack: float = 0.0
    approximate: bool = False
    informed: float | None = None
    level: float | None = None
    doubt: float = 0.0

    @property
    def error(self) -> float:
        """The expected error, or the measured one where theory does not judge."""
        return self.tally.error if self.theory is None or self.approximate else self.theory

    @property
    def hits(self) -> float:
        """The expected share of hits, or the measured one where there is no closed form."""
        return self.tally.breach_rate if self.theory_breach is None else self.theory_breach

    @property
    def hits_tolerance(self) -> float:
        """How far measured and expected hits may lie apart and still agree; the expectation is itself an average."""
        chance = self.hits
        return (
            STANDARD_ERRORS * float(np.sqrt(max(chance * (1 - chance), 0.0) / max(self.tally.rows, 1)))
            + 0.005
            + (STANDARD_ERRORS * self.doubt)
        )

    @property
    def tolerance(self) -> float:
        """How far measurement and theory may lie apart and still agree."""
        return STANDARD_ERRORS * self.tally.standard_error + self.slack + 1e-9

    @property
    def agrees(self) -> bool | None:
        """Whether they do; None where there is no theory that judges, or too few rows to tell."""
        if self.theory is None or self.approximate or self.tally.rows < ENOUGH:
            return None
        return bool(abs(self.tally.error - self.theory) <= self.tolerance)


@dataclass(frozen=True)
class Baseline:
    """The best that a constant guess does, without any copy: its share of hits, and what is guessed."""

    rate: float
    guess: float
    name: str


@dataclass(frozen=True)
class Joining:
    """As more of them pool: the share of hits of ever larger coalitions, best copy first, by scheme.

    `rates[scheme][k]` belongs to the first k + 1 of `order`. No entry is below `without`, what a constant guess
    gives: nobody has to use a copy that does not help.
    """

    order: tuple[Recipient, ...]
    rates: dict[str, tuple[float, ...]]
    without: float


@dataclass(frozen=True)
class Belief:
    """What is believed of one value: the mean and the standard deviation.

    Attributes
    ----------
    guess, sd : float
    ends : pair of float, optional
        The range that holds nine in ten; by default that of a normal law.
    values : pair of arrays, optional
        Values in ascending order and their probabilities; by default the law is normal.
    """

    guess: float
    sd: float
    ends: tuple[float, float] | None = None
    values: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """The range that holds nine in ten."""
        half = NINE_IN_TEN * self.sd
        return self.ends or (self.guess - half, self.guess + half)

    def density(self, x: np.ndarray) -> np.ndarray:
        """The density at these evenly spaced values; of single values, that of the heap that each of them makes."""
        if self.values is None:
            found: np.ndarray = np.exp(-0.5 * ((x - self.guess) / self.sd) ** 2) / (self.sd * np.sqrt(2 * np.pi))
            return found
        step = float(x[1] - x[0])
        # Each value is shared between the two places beside it: whole numbers would fall on some and not on others.
        exact = np.minimum(np.maximum((self.values[0] - x[0]) / step, 0), len(x) - 1.001)
        places, part = exact.astype(int), exact % 1
        heights = np.bincount(places, (1 - part) * self.values[1], minlength=len(x))
        heights += np.bincount(places + 1, part * self.values[1], minlength=len(x))
        return np.convolve(heights / step, HEAP, mode="same")


@dataclass(frozen=True)
class Person:
    """One person: the truth, what each recipient was given, what is believed, and the path of the value.

    `paths` has the value on its way from full trust to little: one path for all, or one for each recipient by number.
    """

    number: int
    truth: float
    seen: dict[int, float]
    alone: Belief | None
    together: Belief | None
    paths: dict[int, np.ndarray]
    shared_path: bool


@dataclass(frozen=True)
class Held:
    """What each one holds, of the attribute that is looked at: histograms, and some rows of all attributes."""

    edges: np.ndarray
    original: np.ndarray
    copies: dict[int, np.ndarray]
    guess: np.ndarray
    sample: dict[str | int, np.ndarray]


@dataclass(frozen=True)
class Statistic:
    """One figure of the data: its true value, and what each recipient's copy gives, by number.

    `kept` says whether a copy gives it without correction, on average over the noise.
    """

    name: str
    true: float
    copies: dict[int, float]
    kept: bool


@dataclass(frozen=True)
class Usefulness:
    """The statistics of an attribute, and the rows that they were taken from."""

    statistics: tuple[Statistic, ...]
    rows: int


@dataclass
class TrustResult(RowsResult[Settings]):
    """All that the views show. What is not looked at is None: it has not been computed."""

    scenario: TrustScenario
    rows: int
    total: int
    together: dict[str, AttackResult]
    alone: dict[str, AttackResult]
    rival: AttackResult | None
    guess: AttackResult | None
    baseline: Baseline
    joining: Joining | None
    person: Person | None
    held: Held | None = None
    coalitions: dict[str, np.ndarray] | None = None
    spectrum: Spectrum | None = None
    usefulness: Usefulness | None = None
    # Rows that the reconstructing attackers were given: of very large data not all.
    reconstructed: int = 0
    # What the strongest attacker achieves, where it is ticked, and beside it what a linear guess of the coalition hits.
    judged: Judged | None = None
    linear: float | None = None
    # Twenty people beside the one.
    twenty: Twenty | None = None
    # Who is exposed, where that is looked at.
    exposed: Exposed | None = None
    # The coalition by attackers that are not ticked, where somebody wants all of them.
    unticked: dict[str, AttackResult] = field(default_factory=dict)


@dataclass(frozen=True)
class Copying:
    """Copies in the making: the histograms so far (shares of all rows), and what is going on, in words."""

    settings: Settings
    edges: np.ndarray
    original: np.ndarray
    copies: dict[int, np.ndarray] = field(default_factory=dict)
    fraction: float = 0.0
    text: str = ""
    where: str = ""

    def with_copy(self, recipient: Recipient, heights: Floats, done: float, rows: str) -> Copying:
        """The next step: this recipient's copy has these heights by now."""
        return replace(
            self,
            copies=self.copies | {recipient.number: heights},
            fraction=min(done / len(self.settings.recipients), 1.0),
            text=f"{recipient.name}'s copy: {rows}",
            where=_where(recipient, self.settings),
        )


def _where(recipient: Recipient, settings: Settings) -> str:
    """How a new copy comes to stand among those made before it."""
    if settings.scheme != "nested":
        return {
            "independent": f"{recipient.name}'s noise is drawn afresh, whatever the others hold.",
            "proportional": f"{recipient.name} gets the common noise at their own strength.",
        }.get(settings.scheme, f"{recipient.name}'s noise is drawn given that of those before.")
    left, right = neighbours(recipient, settings)
    if right is None:
        return f"{recipient.name}'s level drops onto the path beyond {left}: more noise on top."
    return f"{recipient.name}'s level drops onto the path between {left} and {right}: a bridge."
