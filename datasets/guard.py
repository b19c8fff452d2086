"""Read what could harm its reader in a process of its own, with a bound on its memory and its time."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from trustscope.datasets import wanted
from trustscope.datasets.guarded import child
from trustscope.datasets.log import log
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.texts import spaced

# Of processor time: a file is refused for what it asks for, not for how busy the machine is.
SECONDS = 20
# By the clock, for a reader that waits for ever instead of working, and where processor time cannot be bounded.
PATIENCE = 90
MEMORY_BYTES = 2 << 30
# The first line of an answer holds at most a few hundred rows of short texts.
_LINE_BYTES = 100_000_000
# No more of these processes at once than there are cores: each may take its full share of memory.
_TURN = threading.BoundedSemaphore(os.cpu_count() or 1)
# What the reader's process needs of its parent's environment. Everything else stays behind: a file that takes its
# reader over finds no passphrase, token or password there.
_NEEDED = (
    "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "SYSTEMROOT", "WINDIR", "TMPDIR",
    "TEMP", "TMP", "LANG", "LC_ALL", "LC_CTYPE",
)  # fmt: skip
# One thread and one heap: both would only take address space from the file. Large pieces get pages of their own: Arrow
# asks for a whole block for each column of texts and gives back what it did not need, which the C library's heap would
# keep. 200 columns of 100 KB each took 2 GB of addresses in that way, and a twentieth of it in memory.
_ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 17),
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


# How a process ends that has used up its processor time; Windows has no such signal.
_OUT_OF_TIME = (-signal.SIGXCPU,) if hasattr(signal, "SIGXCPU") else ()


@dataclass(frozen=True)
class ReadResult:
    """What a guarded reader found: its account of the file, and tables."""

    about: Mapping[str, Any]
    tables: list[pa.Table]


def read_apart(
    reader: str,
    data: bytes,
    options: Mapping[str, object],
    filename: str,
    what: str,
    advice: str = "save the table as CSV",
) -> ReadResult:
    """Run one of the guarded readers on a file.

    Parameters
    ----------
    reader : {"workbook", "parquet", "text"}
        A module of ``datasets.guarded``.
    data : bytes
        The file.
    options : mapping
        What the reader needs to know; see there. Here the most bytes that the columns may keep (`kept`).
    filename, what : str
        How the file is called, and what it is ("Parquet file"), for the sentences.
    advice : str
        What to do with one that takes too long, or ends its reader.

    Raises
    ------
    DataProblem
        If the process dies, needs too much memory or takes too long, or what it found would; if nobody waits for it
        any more (`wanted`).
    """
    # -P: the folder of the program is not one to import from; its modules have common names.
    command = [sys.executable, "-P", str(child.__file__), reader, str(MEMORY_BYTES), str(SECONDS)]
    command.append(json.dumps(dict(options)))
    awaited = wanted.current()
    with awaited.turn(_TURN, filename), _process(command, data) as (process, late), awaited.ended_by(process.kill):
        answer, code = _received(process, options, filename), process.wait()
    awaited.check(filename)
    if answer is not None and code == 0:
        return answer
    log.info("The reader of a %s ended early: exit code %s%s.", what, code, ", no answer" if late.is_set() else "")
    if late.is_set() or code in _OUT_OF_TIME:
        raise DataProblem(f"{filename} takes more than {SECONDS} seconds to read: {advice}.")
    if code == child.TOO_LARGE:
        raise DataProblem(
            f"{filename} needs more than {spaced(MEMORY_BYTES >> 30)} GB of memory to read: leave out rows or columns."
        )
    if code < 0:
        raise DataProblem(
            f"{filename} stopped its reader, being a damaged {what} or one that needs too much memory: "
            f"open it and save it again, or {advice}."
        )
    raise damaged(filename, what)


def damaged(filename: str, what: str) -> DataProblem:
    """Say that a file is damaged."""
    return DataProblem(f"{filename} is a damaged {what}: fetch it again, or open it and save it again.")


@contextmanager
def _process(command: list[str], data: bytes) -> Iterator[tuple["subprocess.Popen[bytes]", threading.Event]]:
    """Start the process, hand it the file, and end it when its time is over or nobody waits for it any more."""
    late = threading.Event()
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(PATIENCE, end)
    writer = threading.Thread(target=_hand_over, args=(process, data), daemon=True)
    timer.daemon = True
    timer.start()
    writer.start()
    try:
        yield process, late
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        writer.join()
        if process.stdout is not None:
            process.stdout.close()


def environment() -> dict[str, str]:
    """The environment of a guarded reader."""
    return {name: os.environ[name] for name in _NEEDED if name in os.environ} | _ENVIRONMENT


def _hand_over(process: "subprocess.Popen[bytes]", data: bytes) -> None:
    # A process that has died, or that has seen enough, no longer listens.
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.write(data)
        with suppress(OSError):
            process.stdin.close()


def _received(process: "subprocess.Popen[bytes]", options: Mapping[str, Any], filename: str) -> ReadResult | None:
    """Read an answer while it is being written: it never stands in memory twice. None if it is broken off.

    Raises
    ------
    DataProblem
        If the tables are said to keep more than they may: none of them has been read then.
    """
    if process.stdout is None:
        return None
    try:
        about = json.loads(process.stdout.readline(_LINE_BYTES))
        number, kept = int(about["tables"]), int(about["kept"])
    except (ValueError, KeyError, TypeError, OSError):
        return None
    if kept > options["kept"]:
        raise DataProblem(
            f"{filename} would take {_megabytes(kept)} MB of memory or more, and the limit is "
            f"{_megabytes(options['kept'])} MB: leave out rows or columns."
        )
    try:
        return ReadResult(about, [pa.ipc.open_stream(process.stdout).read_all() for _ in range(number)])
    except (ValueError, OSError, pa.ArrowException):
        return None


def _megabytes(size: int) -> str:
    return spaced(-(-size // 10**6))
