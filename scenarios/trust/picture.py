"""What the views of the Trust dashboard show: pictures of settings, and of copies in the making."""

from dataclasses import dataclass, field, replace

import numpy as np

from trustscope.engine import measures
from trustscope.engine.attacks.reconstruction import Spectrum
from trustscope.scenarios.trust.settings import Settings


@dataclass(frozen=True)
class Attack:
    """One guess at the data: by whom, on copies of which scheme, by which attacker."""

    who: tuple
    scheme: str
    attacker: str = "perfect"


@dataclass
class Result:
    """How well an attack did: theory where there is a closed form, and measurement.

    `slack` is what one drawn learning sample may add to what theory expects of many; an `approximate` theory (for
    normal data, or as if nothing had to be estimated) is shown, but judges nothing. `informed` is what theory would be
    if nothing had to be estimated.
    """

    attack: Attack
    theory: float | None
    theory_breach: float | None
    tally: measures.AttackTally
    slack: float = 0.0
    approximate: bool = False
    informed: float | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether the measured error lies within sampling error (4 standard errors) of theory."""
        if self.theory is None or self.approximate or self.tally.rows < 30:
            return None
        return bool(abs(self.tally.error - self.theory) <= 4 * self.tally.standard_error + self.slack + 1e-9)


@dataclass
class Picture:
    """All that the views show, but for the person."""

    settings: Settings
    rows: int
    total: int
    edges: np.ndarray
    original: np.ndarray
    copies: dict[int, np.ndarray]
    guess: np.ndarray
    results: dict[str, Result]
    coalitions: dict[str, np.ndarray]
    sample: dict[str | int, np.ndarray] = field(default_factory=dict)
    spectrum: Spectrum | None = None
    # Rows that the reconstructing attackers were given: of very large data not all.
    reconstructed: int = 0


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

    def with_copy(self, recipient, heights, done, rows: str):
        """The next step: this recipient's copy has these heights by now."""
        return replace(
            self,
            copies=self.copies | {recipient.number: heights},
            fraction=min(done / len(self.settings.recipients), 1.0),
            text=f"{recipient.name}'s copy: {rows}",
            where=_where(recipient, self.settings),
        )


def _where(recipient, settings) -> str:
    """How a new copy comes to stand among those made before it."""
    before = settings.recipients[: settings.recipients.index(recipient)]
    if settings.scheme != "nested":
        return {
            "independent": f"{recipient.name}'s noise is drawn afresh, whatever the others hold.",
            "proportional": f"{recipient.name} gets the common noise at their own strength.",
        }[settings.scheme]
    above = [r for r in before if r.trust >= recipient.trust]
    below = [r for r in before if r.trust < recipient.trust]
    left = min(above, key=lambda r: r.trust).name if above else "the truth"
    if not below:
        return f"{recipient.name}'s level drops onto the path beyond {left}: more noise on top."
    right = max(below, key=lambda r: r.trust).name
    return f"{recipient.name}'s level drops onto the path between {left} and {right}: a bridge."
