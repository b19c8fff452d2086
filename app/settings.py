"""What the settings of every dashboard with recipients have in common."""

from dataclasses import dataclass

from trustscope.widgets.recipients import Recipient


@dataclass(frozen=True)
class CoalitionSettings:
    """Who holds a copy, who colludes, and how the copies hang together.

    Parameters
    ----------
    recipients : who holds a copy, and who is in the coalition
    scheme : how the copies hang together
    """

    recipients: tuple[Recipient, ...]
    scheme: str = "nested"

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
