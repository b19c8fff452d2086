"""Memory of a process that serves pages: what the collector need not look at, and what visitors leave behind.

An open page is many thousands of objects. Looking through those of fifty visitors takes the collector half a second
in which nobody is served, and it would do that every few seconds. So pages that stand are put aside, and are looked at
again only when visitors have left: then their circles of objects are freed.
"""

import contextlib
import ctypes
import functools
import gc
import sys
from collections.abc import Iterator

SEVERAL = 5  # visitors who have left, or a quarter of those who are there: time to look for what they left
FORGET = 30.0  # seconds after which it is looked for where fewer have left, or where a page was still held
ALONE = 10.0  # seconds after which a page that was still held is looked for where nobody would have to wait


class Memory:
    """Watches who is there."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._gone, self._looked, self._wait = 0, -FORGET, FORGET

    def check(self, sessions: set[str], documents: int, now: float) -> None:
        """These sessions, and pages in memory, are there now, at this time in seconds.

        Work that was under way for a visitor may hold their page when it is looked for. It is looked for again then, at
        growing distances: should something hold it for good, the others are not made to wait for that every time.
        """
        came, left = sessions - self._known, self._known - sessions
        self._known = set(sessions)
        self._gone += len(left)
        behind = documents > len(sessions)
        due = now - self._looked >= (FORGET if self._gone else self._wait)
        many = self._gone >= max(SEVERAL, len(sessions) // 4)
        if self._gone and (many or not sessions or due):
            self._gone, self._looked, self._wait = 0, now, FORGET if sessions else ALONE
            return_memory()
        elif behind and due:
            self._looked, self._wait = now, 2 * self._wait
            return_memory()
        elif came:
            freeze_gc()


@contextlib.contextmanager
def importing() -> Iterator[None]:
    """Modules are imported here, which stay: to look through them again and again takes a tenth of a server's start."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def freeze_gc() -> None:
    """What is there stays for a while: the collector need not look at it."""
    gc.collect(1)
    gc.freeze()


def return_memory() -> None:
    """Give what departed visitors used back to the system: their circles of objects, and the C library's free pages."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    with contextlib.suppress(OSError, AttributeError):  # another C library
        _c_library().malloc_trim(0)


@functools.cache
def _c_library() -> ctypes.CDLL:
    """Once for all: ctypes makes classes for each library that is opened, and each look at it would leave some."""
    if sys.platform != "linux":
        raise OSError("only there it is known to have it")
    return ctypes.CDLL(None)
