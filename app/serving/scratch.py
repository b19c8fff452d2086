"""The temporary files of one run: all in one folder, which goes at its end, or at the next start if it was killed.

A process that is killed at once (kill -9, no memory) cannot tidy up, and what lies there may be somebody's data. So the
folder is locked for as long as its run lives. The system takes the lock away with the process, however that ended, and
whoever starts next removes the folders that nobody locks.
"""

import contextlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: there the folder goes at the end of the run alone
    fcntl = None  # type: ignore[assignment]

PREFIX = "trustscope-run-"
LOCK = ".lock"

_run: list[tuple[Path, int, str | None, str | None]] = []  # folder, descriptor of its lock, and what was set before


def begin() -> Path:
    """Have all temporary files of this process, and of those that it starts, in a folder of this run; its path."""
    if _run:
        return _run[0][0]
    remove_left()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    if fcntl is not None:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    _run.append((folder, lock, tempfile.tempdir, os.environ.get("TMPDIR")))
    tempfile.tempdir = str(folder)
    os.environ["TMPDIR"] = str(folder)
    return folder


def end() -> None:
    """Remove the folder of this run; what was set before holds again."""
    while _run:
        folder, lock, directory, variable = _run.pop()
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)
        tempfile.tempdir = directory
        if variable is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = variable


def remove_left() -> list[Path]:
    """Remove the folders of runs that are over, if they are this user's; those that were removed."""
    removed: list[Path] = []
    if fcntl is None:
        return removed
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            found = folder.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and _is_over(folder):
                shutil.rmtree(folder, ignore_errors=True)
                removed.append(folder)
    return removed


def _is_over(folder: Path) -> bool:
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False  # it is just being made
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True
