"""Whether processes still turn: each counts up a number in its loop, and one whose number stands still is silent."""

import time
from collections.abc import Callable, Sequence

BEAT = 0.25  # seconds from one beat of a process to the next
SILENT = 1.5  # seconds without a beat, after which a process gets no new visitors
HUNG = 30.0  # seconds without a beat, after which it is replaced
LATE = 1.0  # seconds from one look to the next, beyond which the one who looks was stopped too


class Pulse:
    """Watches the numbers of several processes.

    Parameters
    ----------
    count : how many processes
    clock : seconds, for the tests
    """

    def __init__(self, count: int, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._looked = clock()
        self._beats: list[int | None] = [None] * count
        self._heard = [self._looked] * count

    def look(self, beats: Sequence[int]) -> None:
        """These are the numbers now.

        Who has not looked for a while cannot say that the others were silent: all may have been stopped together, by
        Ctrl-Z or because the machine slept.
        """
        now = self._clock()
        late = now - self._looked > LATE
        self._looked = now
        for number, beat in enumerate(beats):
            if late or beat != self._beats[number]:
                self._beats[number], self._heard[number] = beat, now

    def forget(self, number: int) -> None:
        """Another process has this number from now on."""
        self._beats[number], self._heard[number] = None, self._clock()

    def silence(self, number: int) -> float:
        """For how many seconds a process has been silent."""
        return self._looked - self._heard[number]
