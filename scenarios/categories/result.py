"""What the views of the Categories page show: pictures of a scenario, and of copies in the making."""

from dataclasses import dataclass, field, replace

import numpy as np

from trustscope.engine.attacks.agreement import Insight
from trustscope.engine.attacks.optimal.beforehand import Exposed
from trustscope.scenarios.categories.scenario import CategoriesScenario, Settings
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.copies import RowsResult, neighbours
from trustscope.scenarios.twenty import Twenty

ENOUGH = 30  # rows below which nothing is said about agreement
RARE = 25  # expected records that are wrong (or right) below which their measured spread is not relied on
STANDARD_ERRORS = 4  # within so many a measurement agrees with theory: a false alarm in 16 000


@dataclass(frozen=True)
class Tally:
    """Mean and standard error of a figure that comes in portions."""

    rows: int = 0
    total: float = 0.0
    squares: float = 0.0

    def plus(self, values: np.ndarray) -> "Tally":
        """With these values as well."""
        values = np.asarray(values, dtype=float)
        return Tally(self.rows + len(values), self.total + values.sum(), self.squares + (values**2).sum())

    @property
    def mean(self) -> float:
        """Over all values so far."""
        return self.total / max(self.rows, 1)

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return float(np.sqrt(max(self.squares / max(self.rows, 1) - self.mean**2, 0) / max(self.rows, 1)))


@dataclass(frozen=True)
class Measure:
    """One figure, expected and measured."""

    expected: float
    error: float
    tally: Tally = Tally()

    @property
    def tolerance(self) -> float:
        """How far measurement and theory may lie apart and still agree."""
        chance, rows = min(max(self.expected, 0.0), 1.0), max(self.tally.rows, 1)
        own, rare = self.tally.standard_error, rows * chance * (1 - chance)
        if rare < RARE:  # the measured spread rests on a few records, or on none: the widest possible one is taken
            own = max(own, np.sqrt(rare) / rows)
        # One record more or less must not decide.
        return STANDARD_ERRORS * (float(np.hypot(own, self.error)) + 1 / rows)

    @property
    def agrees(self) -> str | bool | None:
        """Whether they do; "few" where there are too few rows to tell, None where nothing was measured."""
        if not self.tally.rows:
            return None
        if self.tally.rows < ENOUGH:
            return "few"
        return bool(abs(self.tally.mean - self.expected) <= self.tolerance)


@dataclass(frozen=True)
class CoalitionResult:
    """How well some recipients do: how often their best guess is right, and what they believe of the truth."""

    who: tuple[Recipient, ...]
    scheme: str
    figures: Insight
    right_tally: Tally = Tally()
    belief_tally: Tally = Tally()

    @property
    def right(self) -> Measure:
        """The share of best guesses that are right."""
        return Measure(self.figures.right, self.figures.right_error, self.right_tally)

    @property
    def belief(self) -> Measure:
        """The mean belief in the true value."""
        return Measure(self.figures.belief, self.figures.belief_error, self.belief_tally)


@dataclass(frozen=True)
class Joining:
    """As more of them pool: figures of ever larger coalitions, best copy first, by scheme.

    `figures[scheme][k]` belongs to the first k + 1 of `order`; `without` is what is possible without any copy: naming
    the most frequent value, and what is believed beforehand.
    """

    order: tuple[Recipient, ...]
    figures: dict[str, tuple[Insight, ...]]
    without: Insight

    def last(self, scheme: str) -> Insight:
        """All together."""
        return self.figures[scheme][-1]

    @property
    def alone(self) -> Insight:
        """The best copy alone: the same in both schemes."""
        return self.figures["nested"][0]


@dataclass(frozen=True)
class Further:
    """Belief as ever more recipients join, beyond those who are here: expected by scheme (from nobody on), and the
    measured tallies of those who are here."""

    expected: dict[str, tuple[float, ...]]
    measured: dict[str, tuple[Tally, ...]]
    errors: tuple[float, ...]
    here: int


@dataclass(frozen=True)
class Person:
    """One person: the truth, what each recipient was given, what is believed beforehand, alone and together.

    `path` has the retention probabilities at which the value was redrawn, and what it was from there on: the one path
    of nested copies; None where each copy is drawn on its own. `otherwise` is the belief under the other scheme.
    """

    number: int
    truth: int
    seen: dict[int, int]
    before: np.ndarray
    alone: np.ndarray | None
    together: np.ndarray | None
    path: tuple[np.ndarray, np.ndarray] | None


@dataclass(frozen=True)
class Held:
    """What one recipient holds, counted: how often each value, and how often where the condition holds."""

    rows: int
    counts: np.ndarray
    met: np.ndarray

    def plus(self, codes: np.ndarray, where: np.ndarray | None) -> "Held":
        """With these rows as well."""
        size = len(self.counts)
        counts = np.bincount(codes, minlength=size)
        met = counts if where is None else np.bincount(codes[where], minlength=size)
        return Held(self.rows + len(codes), self.counts + counts, self.met + met)


@dataclass(frozen=True)
class Memory:
    """Values kept for a person: measured and expected on the path, the paper's history list, and its bound."""

    stored: float
    expected: float
    history: float
    bound: float
    rows: int

    @property
    def tolerance(self) -> float:
        """How far the two may lie apart and still agree: redraws come as a Poisson process does."""
        return STANDARD_ERRORS * float(np.sqrt(self.expected / max(self.rows, 1))) + 1e-9

    @property
    def agrees(self) -> str | bool:
        """Whether what is stored is what was expected; "few" where there are too few rows to tell."""
        return "few" if self.rows < ENOUGH else bool(abs(self.stored - self.expected) <= self.tolerance)


@dataclass(frozen=True)
class CategoriesResult(RowsResult[Settings]):
    """All that the views show. What is not looked at is None or empty: it has not been computed."""

    scenario: CategoriesScenario
    rows: int
    total: int
    joining: Joining | None
    person: Person | None
    results: dict[str, CoalitionResult] = field(default_factory=dict)
    original: Held | None = None
    held: dict[int, Held] = field(default_factory=dict)
    coalitions: dict[str, list[Insight]] | None = None
    further: Further | None = None
    memory: Memory | None = None
    exposed: Exposed | None = None
    twenty: Twenty | None = None  # people beside the one


@dataclass(frozen=True)
class Copying:
    """Copies in the making: what is counted so far, and what is going on, in words."""

    scenario: CategoriesScenario
    original: Held
    held: dict[int, Held] = field(default_factory=dict)
    recipient: Recipient | None = None
    fraction: float = 0.0
    text: str = ""
    where: str = ""

    def with_copy(self, recipient: Recipient, held: Held, done: float, rows: str) -> "Copying":
        """The next step: this recipient's copy has come so far."""
        settings = self.scenario.settings
        return replace(
            self,
            held=self.held | {recipient.number: held},
            recipient=recipient,
            fraction=min(done / len(settings.recipients), 1.0),
            text=f"{recipient.name}'s copy: {rows}",
            where=_where(recipient, settings),
        )


def _where(recipient: Recipient, settings: Settings) -> str:
    """How a new copy comes to stand among those made before it."""
    if settings.scheme != "nested":
        return f"{recipient.name}'s copy is drawn afresh, whatever the others hold."
    left, right = neighbours(recipient, settings)
    if right is None:
        return f"{recipient.name} reads the path beyond {left}: more values are redrawn."
    return f"{recipient.name} reads the path between {left} and {right}: the redraws are there already."
