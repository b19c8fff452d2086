"""A word to whoever waits: the first verdict on somebody's own data can take a while."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trustscope.numbers import count

PATIENCE = 2.0  # seconds of silence
SENTENCE = "Working this out on your {rows} rows; the next answer about these data will be quicker …"


@contextmanager
def notice_if_slow(rows: int) -> Iterator[None]:
    """Say what is done where it takes long: in the cell of a notebook, or on a terminal; otherwise say nothing."""
    notice = _notice()
    if notice is None:
        yield
        return
    timer = threading.Timer(PATIENCE, notice.say, [SENTENCE.format(rows=count(rows))])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # so that nothing is said after it is taken away
        notice.take_away()


class _Cell:
    """A line under a cell of a notebook, which goes when it has served."""

    def __init__(self) -> None:
        self._handle: Any = None

    def say(self, sentence: str) -> None:
        from IPython.display import HTML, display

        self._handle = display(HTML(f"<p role='status'>{sentence}</p>"), display_id=True)

    def take_away(self) -> None:
        from IPython.display import HTML

        if self._handle is not None:
            self._handle.update(HTML(""))


class _Terminal:
    """A line of a terminal, which goes when it has served."""

    def __init__(self) -> None:
        self._length = 0

    def say(self, sentence: str) -> None:
        self._length = len(sentence)
        print(f"\r{sentence}", end="", file=sys.stderr, flush=True)

    def take_away(self) -> None:
        if self._length:
            print(f"\r{' ' * self._length}\r", end="", file=sys.stderr, flush=True)


def _notice() -> _Cell | _Terminal | None:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and hasattr(shell, "kernel"):
        return _Cell()
    return _Terminal() if sys.stderr is not None and sys.stderr.isatty() else None
