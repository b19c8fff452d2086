"""Whether somebody still waits for a file that is being read: when nobody does, its reader's process is ended."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from trustscope.datasets.problem import DataProblem

LOOK = 0.1  # seconds between two looks while a file waits for its turn


class Wanted:
    """One file that somebody waits for.

    `call` reads it in one thread, and `stop` is called in another when it is not wanted any more.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = False
        self._end: Callable[[], object] | None = None  # the process that reads it

    def call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Call something that reads the file; a `DataProblem` says that it was called off."""
        token = _current.set(self)
        try:
            return function(*arguments, **options)
        finally:
            _current.reset(token)

    def stop(self) -> None:
        """Nobody waits for it any more."""
        with self._lock:
            self._over = True
            if self._end is not None:
                self._end()

    def check(self, filename: str) -> None:
        """Raise a `DataProblem` if nobody waits for it any more."""
        if self._over:
            raise DataProblem(f"{filename} is not read any more: that was called off.")

    @contextmanager
    def turn(self, places: threading.Semaphore, filename: str) -> Iterator[None]:
        """Hold one of the places; whoever is not wanted any more waits for none."""
        while not places.acquire(timeout=LOOK):
            self.check(filename)
        try:
            yield
        finally:
            places.release()

    @contextmanager
    def ended_by(self, end: Callable[[], object]) -> Iterator[None]:
        """Meanwhile, `end()` is called when it is not wanted any more."""
        with self._lock:
            self._end = end
            if self._over:
                end()
        try:
            yield
        finally:
            with self._lock:
                self._end = None


_current: ContextVar[Wanted | None] = ContextVar("trustscope_wanted", default=None)


def current() -> Wanted:
    """The file that is read in this thread; one that is always wanted where nobody can call it off."""
    return _current.get() or Wanted()
