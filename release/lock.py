"""One writer at a time: a lock that the system takes back when its holder dies, however it dies."""

import contextlib
import os

from trustscope.release.problems import Problem, of_system

FILE = "ledger.lock"


@contextlib.contextmanager
def held(folder):
    """Hold the lock of a ledger's folder, or say that somebody else does."""
    try:
        file = open(folder / FILE, "a+b")  # noqa: SIM115
    except OSError as error:
        raise of_system(error, "the ledger") from None
    try:
        _take(file)
        yield
    finally:
        file.close()


def _take(file):
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Problem("The ledger is in use by another program; try again when that has ended.") from None
