"""What the person has set: immutable, and all that the picture depends on."""

from dataclasses import dataclass

from widgets.recipients import Recipient

SMALLEST = 0.01  # the least retention probability that a slider can be set to
PRIORS = {
    "uniform": "nothing",
    "empirical": "the statistics",
}


@dataclass(frozen=True)
class Settings:
    """One state of the controls.

    Parameters
    ----------
    recipients : who holds a copy, and who is in the coalition; `trust` is the retention probability in per cent
    scheme : whether all copies are read off one path, or drawn apart
    prior : what the coalition knows beforehand, of `PRIORS`
    value : code of the value that is counted and looked at
    column, label : the condition of the count, "those whose column is label"; None for everybody
    """

    recipients: tuple[Recipient, ...]
    scheme: str = "nested"
    prior: str = "uniform"
    value: int = 0
    column: str | None = None
    label: str | None = None

    @property
    def coalition(self) -> tuple[Recipient, ...]:
        """Those who put their copies together."""
        return tuple(r for r in self.recipients if r.member)

    @property
    def best(self) -> Recipient | None:
        """The most trusted member of the coalition."""
        return max(self.coalition, key=lambda r: r.trust, default=None)

    @property
    def mask(self) -> int:
        """The coalition as a bit mask over the recipients."""
        return sum(1 << i for i, r in enumerate(self.recipients) if r.member)

    @property
    def rival(self) -> str:
        """The scheme that this one is compared with."""
        return "independent" if self.scheme == "nested" else "nested"


def retention(recipient: Recipient) -> float:
    """The recipient's p."""
    return recipient.trust / 100


def retentions(recipients) -> list[float]:
    """The recipients' p."""
    return [retention(r) for r in recipients]
