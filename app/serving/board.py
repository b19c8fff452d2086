"""A few numbers that all processes of one server see: who is ready, how many sessions, how much memory."""

import mmap
import struct
import tempfile
from typing import IO

# `beat` is counted up as long as a process turns. `recalled` says up to which of the connections that it was handed it
# may serve none: they were given to others while it was silent. `refused` and `made_way` are when an experiment was
# refused last because all places were taken, and when one that had had its time ended for that, in milliseconds.
_FIELDS = ("ready", "sessions", "memory", "experiments", "beat", "recalled", "refused", "made_way")
_ROW = struct.Struct(f"={len(_FIELDS)}q")


class Board:
    """One row of whole numbers for each process, in memory that they share.

    Each process writes its own row alone (only `recalled` is the supervisor's), and every number is written in one
    piece, so there is nothing to lock.

    Parameters
    ----------
    processes : how many rows
    descriptor : of the file that another process opened; None opens a new one, unless one process is alone and has
        nobody to share it with
    """

    def __init__(self, processes: int, descriptor: int | None = None):
        self.processes = processes
        size = _ROW.size * processes
        self._file: IO[bytes] | None = None
        if descriptor is not None:
            self._file = open(descriptor, "r+b", buffering=0)  # noqa: SIM115
        elif processes > 1:
            self._file = shared = tempfile.TemporaryFile()  # noqa: SIM115
            shared.truncate(size)
        self._memory = mmap.mmap(self._file.fileno() if self._file else -1, size)

    @property
    def descriptor(self) -> int:
        """The file's descriptor, to be handed to another process."""
        if self._file is None:
            raise ValueError("The board of a single process is in no file.")
        return self._file.fileno()

    def write(self, process: int, name: str, value: int) -> None:
        """Set a number in the row of a process."""
        struct.pack_into("=q", self._memory, self._place(process, name), int(value))

    def read(self, process: int, name: str) -> int:
        """A number of a process."""
        return struct.unpack_from("=q", self._memory, self._place(process, name))[0]

    def total(self, name: str) -> int:
        """The sum of a number over all processes."""
        return sum(self.read(process, name) for process in range(self.processes))

    def latest(self, name: str) -> int:
        """The largest of a number over all processes."""
        return max(self.read(process, name) for process in range(self.processes))

    def clear(self, process: int) -> None:
        """Forget a process that has ended."""
        _ROW.pack_into(self._memory, process * _ROW.size, *[0] * len(_FIELDS))

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()
        if self._file:
            self._file.close()

    def _place(self, process, name):
        return process * _ROW.size + 8 * _FIELDS.index(name)
