"""Files that are written whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path


class WriteProblem(OSError):
    """A file could not be written; the text is a sentence for the person who asked for it."""


def write(path: Path, content: str | bytes) -> None:
    """Write a file; whoever looks at `path` finds what was there before or all of the content, never a part.

    The content goes to a file of another name beside it, which then takes the name `path`.

    Raises
    ------
    WriteProblem
        If the disk is full, or writing fails for another reason. Nothing is left behind then.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())  # some disks say only now that they are full
        os.replace(beside, path)
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise WriteProblem(
            f"{path} could not be written ({reason}). Make room there, or name another folder, and run it again."
        ) from problem
    finally:
        with suppress(OSError):  # it is there only if something failed, Ctrl-C included
            beside.unlink()
