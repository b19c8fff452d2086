"""What stood on a page before, and what was taken back."""

from trustscope.scenarios.scenario import Scenario

MOST = 200  # scenarios that are remembered


class History:
    """Settled scenarios of one page, and where among them the page stands."""

    def __init__(self) -> None:
        self._kept: list[Scenario] = []
        self._place = -1

    def add(self, scenario: Scenario) -> None:
        """Another scenario stands: what had been taken back is forgotten."""
        if self._kept and self._kept[self._place] == scenario:
            return
        self._kept = [*self._kept[: self._place + 1], scenario][-MOST:]
        self._place = len(self._kept) - 1

    @property
    def can_undo(self) -> bool:
        """Whether there is something before."""
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back."""
        return self._place < len(self._kept) - 1

    def undo(self) -> Scenario:
        """Step back; the scenario that stands then."""
        self._place = max(self._place - 1, 0)
        return self._kept[self._place]

    def redo(self) -> Scenario:
        """Step forward again."""
        self._place = min(self._place + 1, len(self._kept) - 1)
        return self._kept[self._place]
