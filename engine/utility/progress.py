"""Long work that says how far it is and can be stopped between two steps."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Cancelled", "Cancelling", "Progress", "Ticker", "keeping"]

# Called as progress(done, total, label) after every step.
Progress = Callable[[int, int, str], object]
# Called before every step: a true answer stops the work.
Cancelling = Callable[[], object]


class Cancelled(Exception):
    """The work was stopped on request.

    Attributes
    ----------
    result : object
        What was finished before the stop (for the functions that return a table, the rows so far), or None.
    """

    def __init__(self, message: str = "Stopped on request.", result: Any = None) -> None:
        super().__init__(message)
        self.result = result


class Ticker:
    """Counts the steps of a long task.

    Parameters
    ----------
    total : int
        How many steps there are.
    progress : callable, optional
        Called as ``progress(done, total, label)`` after every step.
    cancelled : callable, optional
        Called without arguments before every step; a true answer raises `Cancelled`.
    """

    def __init__(self, total: int, progress: Progress | None = None, cancelled: Cancelling | None = None) -> None:
        self.done = 0
        self.total = int(total)
        self._progress = progress
        self._cancelled = cancelled

    def check(self) -> None:
        """Raise `Cancelled` if a stop was asked for."""
        if self._cancelled is not None and self._cancelled():
            raise Cancelled(f"Stopped on request after {self.done} of {self.total} steps.")

    def step(self, label: str = "") -> None:
        """Count one finished step and say so."""
        self.done += 1
        if self._progress is not None:
            self._progress(self.done, self.total, label)


@contextmanager
def keeping(result: Callable[[], object]) -> Iterator[None]:
    """Work that may be stopped: `Cancelled` then carries what was finished before.

    Parameters
    ----------
    result : callable
        Gives what is finished so far; called only if the work is stopped.
    """
    try:
        yield
    except Cancelled as stop:
        stop.result = result()
        raise
