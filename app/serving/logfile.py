"""The file of the log: begun anew when it is large, so that whoever causes errors cannot fill a disk.

All processes of a server write into one file. Python's handler would have each of them begin a new one by itself, and
put away what the others had just begun.
"""

import contextlib
import logging.handlers
import os
import sys
from pathlib import Path
from typing import Any

LARGEST = 20_000_000  # bytes, after which a new file is begun
KEPT = 4  # older files, called .1 to .4


class LogFile(logging.handlers.RotatingFileHandler):
    """Writes lines into a file of at most so many bytes, and keeps some older ones beside it.

    Parameters
    ----------
    path : of the file; others may write into it, and put it away, at the same time
    """

    def __init__(self, path: str | Path, largest: int = LARGEST, kept: int = KEPT):
        super().__init__(path, maxBytes=largest, backupCount=kept, encoding="utf-8")
        self._can_begin_anew = True

    def shouldRollover(self, record: logging.LogRecord) -> bool:
        """Whether the file is full; the record is not written out for that, which would take time."""
        if self.stream is not None and not self._is_current():  # another process has begun one
            self.stream.close()
            self.stream = None
        if self.stream is None:
            self.stream = self._open()
        return self._can_begin_anew and os.fstat(self.stream.fileno()).st_size >= self.maxBytes

    def doRollover(self) -> None:
        """Put the file away and begin another; one process does so, and the others find that it is done."""
        stream: Any = self.stream
        with _locked(stream.fileno()):
            if not self._is_current():
                return
            try:
                super().doRollover()
            except OSError:  # a folder in which nothing can be renamed: better a long file than none
                self._can_begin_anew = False
                self.stream = self._open()

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
