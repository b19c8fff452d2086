"""Who holds a copy, and who of them collude: what all scenarios with recipients have in common."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field, field_serializer, field_validator

from trustscope import colours
from trustscope.scenarios.value import Value

MOST = 12  # recipients
NAMES = (
    "Ministry", "University", "Insurer", "Bank", "Press", "Start-up", "Hospital", "City", "Retailer", "Charity",
    "Agency", "Public",
)  # fmt: skip


def in_tenths(trust: float) -> float:
    """To a tenth; an int where it is whole."""
    rounded = round(trust, 1)
    return int(rounded) if rounded == int(rounded) else rounded


class Recipient(Value):
    """One holder of a copy.

    Attributes
    ----------
    number : int
        Never changes: it carries the colour, and the noise where each recipient has their own.
    name : str
    trust : int or float
        In per cent: of the variance that a best linear guess explains, or the retention probability. To a tenth; whole
        per cents are whole numbers.
    member : bool
        Whether they collude.
    """

    number: int = Field(ge=0, lt=MOST)
    name: str = Field(min_length=1, max_length=24)
    trust: Annotated[float, AfterValidator(in_tenths)] = Field(ge=1, le=100)
    member: bool = True

    @field_serializer("trust")
    def _short(self, trust: float) -> float:
        return trust  # as it is: whole numbers stay whole in links

    @property
    def initial(self) -> str:
        """One letter for small places."""
        return self.name[:1].upper()[:1]

    @property
    def colour(self) -> str:
        """The recipient's colour in every view."""
        return colours.recipient(self.number)


def recipients(*trusts: int) -> tuple[Recipient, ...]:
    """Recipients with the usual names at these trusts, all of them in the coalition."""
    return tuple(Recipient(number=i, name=NAMES[i], trust=trust) for i, trust in enumerate(trusts))


def most_trusted(recipients: tuple[Recipient, ...]) -> Recipient:
    """The one whose copy is the same under every scheme; of equals the one who comes first."""
    return max(recipients, key=lambda r: r.trust)


def in_order(recipients: tuple[Recipient, ...]) -> tuple[Recipient, ...]:
    """The most trusted one first, then by number: under a scheme that was registered copies are made in this order."""
    first = most_trusted(recipients)
    return first, *sorted((r for r in recipients if r != first), key=lambda r: r.number)


def coalition_rows(recipients: tuple[Recipient, ...]) -> list[tuple[int, dict[str, Any]]]:
    """Every coalition, the small ones first: its bit mask, and how a row of a table begins that is about it."""
    rows = []
    for mask in sorted(range(1, 2 ** len(recipients)), key=lambda mask: (mask.bit_count(), mask)):
        names = [r.name for place, r in enumerate(recipients) if mask >> place & 1]
        rows.append((mask, {"coalition": " + ".join(names), "members": len(names)}))
    return rows


class CoalitionSettings(Value):
    """Who holds a copy, who colludes, and how the copies hang together.

    Attributes
    ----------
    recipients : tuple of Recipient
        Who holds a copy, and who is in the coalition.
    scheme : str
        How the copies hang together.
    locked : tuple of int
        Numbers of the recipients whose trust a solved target does not change: they already hold their copy.
    """

    recipients: tuple[Recipient, ...] = Field(min_length=1, max_length=MOST)
    scheme: str = "nested"
    locked: tuple[int, ...] = Field(default=(), max_length=MOST)

    @field_validator("recipients")
    @classmethod
    def _apart(cls, value: tuple[Recipient, ...]) -> tuple[Recipient, ...]:
        for what in ("number", "name"):
            if len({getattr(one, what) for one in value}) < len(value):
                raise ValueError(f"two recipients have the same {what}")
        return value

    @property
    def coalition(self) -> tuple[Recipient, ...]:
        """Those who put their copies together."""
        return tuple(r for r in self.recipients if r.member)

    @property
    def best(self) -> Recipient | None:
        """The most trusted member of the coalition."""
        return max(self.coalition, key=lambda r: r.trust, default=None)

    @property
    def first(self) -> Recipient:
        """The most trusted of all, pooling or not: their copy is the same under every scheme."""
        return most_trusted(self.recipients)

    @property
    def mask(self) -> int:
        """The coalition as a bit mask over the recipients."""
        return sum(1 << i for i, r in enumerate(self.recipients) if r.member)

    @property
    def beside_nested(self) -> str:
        """The scheme that nested copies are compared with: the one at work, where it is another one."""
        return self.rival if self.scheme == "nested" else self.scheme

    @property
    def rival(self) -> str:
        """The scheme that this one is compared with."""
        return "independent" if self.scheme == "nested" else "nested"
