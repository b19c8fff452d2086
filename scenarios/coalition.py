"""What the settings of every dashboard with recipients have in common."""

from dataclasses import dataclass

from trustscope import colours


@dataclass(frozen=True)
class Recipient:
    """One holder of a copy. `number` never changes: it carries the colour and the independent noise."""

    number: int
    name: str
    trust: int
    member: bool = True

    @property
    def initial(self) -> str:
        """One letter for small places."""
        return self.name[:1].upper()[:1]

    @property
    def colour(self) -> str:
        """The recipient's colour in every view."""
        return colours.recipient(self.number)


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
