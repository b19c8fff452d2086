"""What the person has set: immutable, and all that the picture depends on."""

from dataclasses import dataclass

from trustscope.scenarios.coalition import CoalitionSettings, Recipient

SMALLEST = 0.01  # the least retention probability that a slider can be set to
PRIORS = {
    "uniform": "nothing",
    "empirical": "the statistics",
}


@dataclass(frozen=True)
class Settings(CoalitionSettings):
    """One state of the controls.

    Parameters
    ----------
    recipients : who holds a copy, and who is in the coalition; `trust` is the retention probability in per cent
    scheme : whether all copies are read off one path, or drawn apart
    prior : what the coalition knows beforehand, of `PRIORS`
    value : code of the value that is counted and looked at
    column, label : the condition of the count, "those whose column is label"; None for everybody
    """

    prior: str = "uniform"
    value: int = 0
    column: str | None = None
    label: str | None = None


def retention(recipient: Recipient) -> float:
    """The recipient's p."""
    return recipient.trust / 100


def retentions(recipients) -> list[float]:
    """The recipients' p."""
    return [retention(r) for r in recipients]
