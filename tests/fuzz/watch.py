"""Processes that read one hostile file after the other, and are watched while they do."""

import multiprocessing as mp
import random
import resource
import sys
import time
import traceback
from multiprocessing.connection import Connection

from tests.fuzz import archives, check, columnar, tables

MAKERS = {**tables.MAKERS, **archives.MAKERS, **columnar.MAKERS}
CPU_SECONDS = 20
# By the clock, making and reading a file may take much longer on a busy machine: this only ends what waits for ever.
WALL_SECONDS = 600
MEMORY_KB = 2 << 20
# A process whose memory has once grown cannot show how much the next file takes.
GROWN_KB = 600_000


def kind_of(seed: int, number: int) -> str:
    """The kind of the file of this number."""
    return _choice(random.Random(f"{seed}-{number}"))


def make(seed: int, number: int) -> tuple[str, str, bytes, random.Random]:
    """The file of this number: its kind, name and content, and the generator to go on with."""
    rng = random.Random(f"{seed}-{number}")
    kind = _choice(rng)
    return kind, *MAKERS[kind][0](rng), rng


def examine(seed: int, number: int) -> tuple[str, str, float, int]:
    """Make and read a file: its kind, the outcome or what went wrong, seconds and kilobytes."""
    kind, name, data, rng = make(seed, number)
    start = _processor_seconds()
    try:
        outcome = check.check(name, data, rng)
    except BaseException:
        outcome = "failed: " + traceback.format_exc(limit=-3)
    used, memory = _processor_seconds() - start, max(_memory(resource.RUSAGE_SELF), _memory(resource.RUSAGE_CHILDREN))
    if used > CPU_SECONDS:
        outcome = f"failed: it took {used:.0f} s"
    if memory > MEMORY_KB:
        outcome = f"failed: it took {memory // 1024} MB"
    return kind, outcome, used, memory


def work(orders: Connection) -> None:
    """Examine one file after the other, as they are ordered."""
    while True:
        seed, number = orders.recv()
        orders.send(examine(seed, number))


class Watched:
    """A process that examines files, and is replaced when it dies, hangs or has grown."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self.orders, theirs = mp.Pipe()
        self.process = mp.get_context("spawn").Process(target=work, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.number, self.since = -1, 0.0

    def order(self, seed: int, number: int) -> None:
        """Have a file examined."""
        self.number, self.since = number, time.monotonic()
        self.orders.send((seed, number))

    def answer(self, seed: int) -> tuple[str, str, float, int]:
        """What became of it."""
        try:
            result = self.orders.recv()
        except (EOFError, OSError):
            self.process.join()
            result = (kind_of(seed, self.number), f"failed: the reader died ({self.process.exitcode})", 0.0, 0)
            self._start()
            return result
        self.number = -1
        if result[3] > GROWN_KB:
            self.stop()
            self._start()
        return result

    @property
    def late(self) -> bool:
        """Whether its file takes too long."""
        return self.number >= 0 and time.monotonic() - self.since > WALL_SECONDS

    def give_up(self, seed: int) -> tuple[str, str, float, int]:
        """End a process that hangs."""
        kind = kind_of(seed, self.number)
        self.stop()
        self._start()
        return kind, f"failed: no answer in {WALL_SECONDS} s", float(WALL_SECONDS), 0

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.orders.close()


def _choice(rng: random.Random) -> str:
    return rng.choices(list(MAKERS), [weight for _, weight in MAKERS.values()])[0]


def _processor_seconds() -> float:
    return sum(
        u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def _memory(whose: int) -> int:
    """The most kilobytes that this process, or one of its children, has had."""
    most = resource.getrusage(whose).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most
