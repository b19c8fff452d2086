"""What the model hands to the views: counts, figures with their sampling error, and the whole picture."""

from dataclasses import dataclass, field

import numpy as np

from trustscope.scenarios.categories.settings import Settings


@dataclass
class Tally:
    """Mean and standard error of figures that come in portions."""

    rows: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, mean: float, standard_error: float, rows: int) -> None:
        """Take in the mean and standard error over this many rows."""
        self.rows += rows
        self.total += rows * mean
        self.squares += rows * (standard_error**2 * rows + mean**2)

    @property
    def mean(self) -> float:
        """Over all rows so far."""
        return self.total / max(self.rows, 1)

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return float(np.sqrt(max(self.squares / max(self.rows, 1) - self.mean**2, 0) / max(self.rows, 1)))

    def agrees(self, theory: float, theory_error: float = 0.0) -> bool | None:
        """Whether theory lies within sampling error (4 standard errors) of the mean; None without rows."""
        if not self.rows:
            return None
        return bool(abs(self.mean - theory) <= 4 * np.hypot(self.standard_error, theory_error) + 1e-9)


@dataclass
class Result:
    """How often some recipients find the truth: theory (and the error of its draws, if any), and measurement."""

    who: tuple
    scheme: str
    theory: float
    theory_error: float = 0.0
    tally: Tally = field(default_factory=Tally)
    right: Tally = field(default_factory=Tally)
    sure: Tally = field(default_factory=Tally)

    @property
    def agrees(self) -> bool | None:
        """Whether the measured figure lies within sampling error of theory."""
        return self.tally.agrees(self.theory, self.theory_error)


@dataclass(frozen=True)
class Held:
    """What one recipient holds, counted: how often each value, and how often where the condition holds."""

    rows: int
    counts: np.ndarray
    met: np.ndarray

    def plus(self, codes, where, size) -> "Held":
        """With these rows as well."""
        counts = np.bincount(codes, minlength=size)
        met = counts if where is None else np.bincount(codes[where], minlength=size)
        return Held(self.rows + len(codes), self.counts + counts, self.met + met)


@dataclass(frozen=True)
class Joining:
    """The race: expected figures as recipients join, in the order of the list, and the measured ones of those here."""

    theory: dict[str, np.ndarray]
    measured: dict[str, list[Tally]]
    here: int
    error: float


@dataclass(frozen=True)
class Memory:
    """Values kept for a person: measured and expected on the path, the paper's history list, and its bound."""

    stored: float
    expected: float
    history: float
    bound: float
    rows: int

    @property
    def agrees(self) -> bool:
        """Whether what is stored is what was expected; redraws come as a Poisson process does."""
        return abs(self.stored - self.expected) <= 4 * np.sqrt(self.expected / self.rows) + 1e-9


@dataclass
class Picture:
    """All that the views show, but for the person."""

    settings: Settings
    rows: int
    total: int
    original: Held
    held: dict[int, Held]
    results: dict[str, Result]
    joining: Joining | None
    coalitions: dict[str, np.ndarray]
    memory: Memory


@dataclass(frozen=True)
class Copying:
    """Copies in the making, and what is going on, in words."""

    settings: Settings
    recipient: object
    held: dict[int, Held]
    fraction: float
    text: str
    where: str
