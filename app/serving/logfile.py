"""The file of the log: begun anew when it is large, so that whoever causes errors cannot fill a disk.

All processes of a server write into one file. Python's handler would have each of them begin a new one by itself, and
put away what the others had just begun.
"""

import contextlib
import logging.handlers
import os
import sys
import time
from pathlib import Path
from typing import Any

LARGEST = 20_000_000  # bytes, after which a new file is begun
KEPT = 4  # older files, called .1 to .4
AGAIN = 60.0  # seconds after which it is tried again to put a file away, where that failed


class LogFile(logging.handlers.RotatingFileHandler):
    """Writes lines into a file of at most so many bytes, and keeps some older ones beside it.

    Parameters
    ----------
    path : of the file; others may write into it, and put it away, at the same time
    """

    def __init__(self, path: str | Path, largest: int = LARGEST, kept: int = KEPT):
        super().__init__(path, maxBytes=largest, backupCount=kept, encoding="utf-8")
        self._next_try = 0.0

    def shouldRollover(self, record: logging.LogRecord) -> bool:
        """Whether the file is full; the record is not written out for that, which would take time."""
        if self.stream is not None and not self._is_current():  # another process has begun one
            self.stream.close()
            self.stream = None
        if self.stream is None:
            self.stream = self._open()
        full = os.fstat(self.stream.fileno()).st_size >= self.maxBytes
        return full and time.monotonic() >= self._next_try

    def doRollover(self) -> None:
        """Put the file away and begin another; one process does so, and the others find that it is done."""
        stream: Any = self.stream
        try:
            with _locked(stream.fileno()):
                if self._is_current():
                    super().doRollover()
        except OSError:
            # Nothing can be renamed or locked there, or no file opened just now: better a long file than none.
            self._next_try = time.monotonic() + AGAIN
            if self.stream is None:
                self.stream = self._open()

    def handleError(self, record: logging.LogRecord) -> None:
        """A line that cannot be written is lost. Python would print it on the terminal, with all that it quotes."""

    def _is_current(self):
        """Whether what is open here still stands under its name."""
        with contextlib.suppress(FileNotFoundError):
            stream: Any = self.stream
            return os.path.samestat(os.stat(self.baseFilename), os.fstat(stream.fileno()))
        return False


@contextlib.contextmanager
def _locked(descriptor):
    """Hold a file's lock until the end, also if the file is closed meanwhile."""
    if sys.platform == "win32":  # one process alone
        yield
        return
    import fcntl

    held = os.dup(descriptor)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
