"""What the person has set: immutable, and all that the picture depends on."""

from dataclasses import dataclass

from trustscope.engine.gaussian import level_from_trust
from trustscope.scenarios.coalition import CoalitionSettings

# Every place a trust slider can stand at has its level: trust 99 % to 1 % on the path, 100 % is the original.
LEVELS = {100: 0.0} | {trust: float(level_from_trust(trust / 100)) for trust in range(99, 0, -1)}
LADDER = tuple(LEVELS[trust] for trust in range(99, 0, -1))

# What they do, to follow "an attacker who".
LINEAR = {
    "perfect": "knows the statistics",
    "structured": "learns the mean",
    "raw": "learns everything",
}
RECONSTRUCTIONS = {
    "noise_distribution": "takes it as it is",
    "univariate": "takes each attribute alone",
    "principal_components": "keeps the strong components",
    "spectral_filter": "filters the spectrum",
    "bayes": "weighs by Bayes' rule",
}
ATTACKERS = LINEAR | RECONSTRUCTIONS
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
    attackers : which attackers are at work, of `ATTACKERS`
    sample : rows from which the linear partial-knowledge attackers estimate
    attribute : index of the attribute that is looked at
    eps, kind : when a guess is a breach
    similarity : of the noise's shape to the data's: 1 its own, 0 white, -1 the opposite
    informed : whether the reconstructing attackers know the data's mean and covariance, or estimate them
    """

    attackers: tuple[str, ...] = ("perfect",)
    sample: int = 400
    attribute: int = 0
    eps: float = 5.0
    kind: str = "absolute"
    similarity: float = 1.0
    informed: bool = False


def levels(recipients) -> list[float]:
    """The recipients' noise levels."""
    return [LEVELS[r.trust] for r in recipients]
