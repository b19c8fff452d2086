"""One writer at a time: a lock that the system takes back when its holder dies, however it dies."""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from trustscope.release.problems import InUse, from_os_error
from trustscope.release.store import PRIVATE

FILE = "ledger.lock"
LOOK = 0.05  # seconds between two tries


@contextlib.contextmanager
def hold(folder: Path, wait: float = 0) -> Iterator[None]:
    """Hold the lock of a ledger's folder; wait so many seconds for whoever holds it, then say that somebody does."""
    try:
        file = open(folder / FILE, "a+b", opener=lambda name, flags: os.open(name, flags, PRIVATE))  # noqa: SIM115
    except OSError as error:
        raise from_os_error(error, "the ledger") from None
    try:
        end = time.monotonic() + wait
        while not _take(file):
            if time.monotonic() >= end:
                waited = f", also after {wait:g} seconds" if wait else ""
                raise InUse(f"The ledger is in use by another program or page{waited}; try again when that has ended.")
            time.sleep(LOOK)
        yield
    finally:
        file.close()


def _take(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
