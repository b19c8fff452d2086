"""What can go wrong, as one sentence: what is wrong, where, and what to do."""

import errno

from trustscope.errors import TrustscopeError
from trustscope.release.types import Cancel


class Problem(TrustscopeError):
    """A request that cannot be fulfilled; nothing was changed by it."""


class InUse(Problem):
    """Somebody else writes to the ledger just now."""


class Cancelled(Exception):
    """A long call was called off; nothing of it is left behind."""


def from_os_error(error: OSError, doing: str) -> Problem:
    """A `Problem` for an error of the operating system, in words."""
    where = f" ({error.filename})" if error.filename else ""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return Problem(f"There is no room left on the disk for {doing}{where}; free some and try again.")
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return Problem(f"The folder for {doing} cannot be written to{where}; choose another or change its rights.")
        case errno.ENOENT:
            return Problem(f"There is no file or folder for {doing}{where}.")
        case _:
            return Problem(f"The system refused {doing}{where}: {error.strerror or error}.")


def stop_if(cancel: Cancel | None) -> None:
    """Raise `Cancelled` if `cancel` says so."""
    if cancel is not None and cancel.is_set():
        raise Cancelled("The work was called off; nothing of it is left behind.")
