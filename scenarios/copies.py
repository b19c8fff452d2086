"""What pictures of copies at many levels of trust have in common, on Trust and on Categories."""

from typing import Any, Generic, TypeVar

from trustscope.scenarios.coalition import CoalitionSettings, Recipient

S = TypeVar("S", bound=CoalitionSettings)


class RowsResult(Generic[S]):
    """A picture of a scenario from so many `rows` of those that it is made of, `total`."""

    scenario: Any
    rows: int
    total: int

    @property
    def settings(self) -> S:
        """What was set."""
        settings: S = self.scenario.settings
        return settings

    @property
    def complete(self) -> bool:
        """Whether all rows are in it."""
        return self.rows == self.total

    def settled(self, model: Any) -> bool:
        """Whether all rows of the data are in it: previews are of fewer."""
        return self.total == model.rows and self.complete


def neighbours(recipient: Recipient, settings: CoalitionSettings) -> tuple[str, str | None]:
    """Between whose copies a new one comes to stand on the path, of those made before; None where no copy is below."""
    before = settings.recipients[: settings.recipients.index(recipient)]
    above = [r for r in before if r.trust >= recipient.trust]
    below = [r for r in before if r.trust < recipient.trust]
    left = min(above, key=lambda r: r.trust).name if above else "the truth"
    return left, max(below, key=lambda r: r.trust).name if below else None
