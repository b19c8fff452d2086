"""What the person has set: immutable, and all that the picture depends on."""

from dataclasses import dataclass

from app.settings import CoalitionSettings
from engine.gaussian import level_from_trust

# Every place a trust slider can stand at has its level: trust 99 % to 1 % on the path, 100 % is the original.
LEVELS = {100: 0.0} | {trust: float(level_from_trust(trust / 100)) for trust in range(99, 0, -1)}
LADDER = tuple(LEVELS[trust] for trust in range(99, 0, -1))

ATTACKERS = {
    "perfect": "knows the statistics",
    "structured": "learns the mean",
    "raw": "learns everything",
}
KINDS = {
    "absolute": "this value",
    "euclidean": "whole record",
    "entry": "any one value",
    "cosine": "direction",
}


@dataclass(frozen=True)
class Settings(CoalitionSettings):
    """One state of the controls.

    Parameters
    ----------
    recipients : who holds a copy, and who is in the coalition
    scheme : how the noise of the copies hangs together
    attackers : which linear attackers are at work, of `ATTACKERS`
    sample : rows from which the partial-knowledge attackers estimate
    attribute : index of the attribute that is looked at
    eps, kind : when a guess is a breach
    """

    attackers: tuple[str, ...] = ("perfect",)
    sample: int = 400
    attribute: int = 0
    eps: float = 5.0
    kind: str = "absolute"


def levels(recipients) -> list[float]:
    """The recipients' noise levels."""
    return [LEVELS[r.trust] for r in recipients]
