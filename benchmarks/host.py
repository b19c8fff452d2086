"""How much of the processors the host of a virtual machine gave to others: figures taken meanwhile say little."""

import psutil

NOTED = 0.02  # share of the processors' time from which on it is said


class Host:
    """Watches the host from the moment when it is made."""

    def __init__(self) -> None:
        self._begin = psutil.cpu_times()

    def taken(self) -> float:
        """The share of the processors' time that was taken away since then; 0 on a system that does not count it."""
        passed = [end - begin for end, begin in zip(psutil.cpu_times(), self._begin, strict=True)]
        return passed[self._begin._fields.index("steal")] / (sum(passed) or 1.0) if hasattr(self._begin, "steal") else 0

    def note(self) -> str:
        """What is said of it beside a figure; nothing where it took little."""
        taken = self.taken()
        return f"the host took {100 * taken:.0f} % of the processors away: measure again" if taken >= NOTED else ""
