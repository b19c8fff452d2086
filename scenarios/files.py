"""Files that are written whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from trustscope.scenarios.problem import ScenarioProblem

PAGE = (".html", ".htm")
REPORT, DECK = (*PAGE, ".pdf"), (*PAGE, ".pptx")  # endings that say what is written


class WriteProblem(OSError):
    """A file could not be written; the text is a sentence for the person who asked for it."""


def ending_of(path: str | Path, endings: tuple[str, ...], what: str) -> str:
    """The ending of a file that is to be written, asked before the work: what it holds is what its name says.

    A pipe or a device, whose name has no ending, is given the first kind.

    Raises
    ------
    ScenarioProblem
        If the ending is none of these.
    WriteProblem
        If its folder is not there.
    """
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        return endings[0]
    ending = path.suffix.lower()
    if ending not in endings:
        known = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise ScenarioProblem(f"The name of {what} ends with {known}, not with {ending or 'nothing'}.")
    check_folder(path)
    return ending


def check_folder(path: Path) -> None:
    """`WriteProblem` if the folder of a file that is to be written is not there."""
    if not path.parent.is_dir():
        raise WriteProblem(f"{path} cannot be written: there is no folder {path.parent}. Make it, or name another one.")


def write(path: Path, content: str | bytes) -> None:
    """Write a file; whoever looks at `path` finds what was there before or all of the content, never a part.

    The content goes to a file of another name beside it, which then takes the name `path`. What is no file, such as a
    pipe or a device, is written into: it must not be replaced by a file.

    Raises
    ------
    WriteProblem
        If its folder is not there, the disk is full, or writing fails for another reason. Nothing is left behind then.
    """
    check_folder(path)
    data = content.encode() if isinstance(content, str) else content
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        with open(beside, "wb") as file:
            file.write(data)
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
