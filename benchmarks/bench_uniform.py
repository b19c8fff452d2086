"""The categorical engine at a million rows and 50 values (Xiao et al. 2009): copies on demand, and memory.

Both sides have one thread. With more, a copy is faster still: its blocks are shared between cores.
"""

import functools
import tracemalloc

import numpy as np

from benchmarks.harness import Benchmark, speed_ratio
from trustscope.engine.uniform import UniformRelease, history_bound

ROWS, SIZE = 1_000_000, 50
FEW, MANY = 10, 10_000
LEAST, MOST = 0.001, 0.5


@functools.cache
def codes():
    return np.random.default_rng(1).integers(SIZE, size=ROWS)


def levels(number, key=2):
    return np.random.default_rng(key).uniform(LEAST, MOST, number)


@functools.cache
def released(number):
    """A release with so many copies out; ten thousand take most of a minute."""
    release = UniformRelease(codes(), SIZE, key=3, threads=1)
    for p in levels(number):
        release.copy(p)
    return release


class Requests:
    """One fresh level after another, the same for everyone who asks."""

    def __init__(self, number):
        self.release, self.fresh = released(number), iter(levels(1000, key=4))

    def one_more(self):
        """A copy at a level not asked for before."""
        return self.release.copy(next(self.fresh))


def draws():
    """One uniform and one integer for every row: what a single independent copy needs at least."""
    rng = np.random.default_rng(5)
    return lambda: (rng.random(ROWS), rng.integers(SIZE, size=ROWS))


def copy_against_draws():
    return speed_ratio(_typical(Requests(MANY)), _typical_draws(), repetitions=5)


def _typical(requests):
    """Fifteen copies: what one costs depends on its level, so they are timed together."""
    return lambda: [requests.one_more().shape for _ in range(15)]


def _typical_draws():
    work = draws()
    return lambda: [len(work()) for _ in range(15)]


def deepest_copy_against_draws():
    release = released(MANY)
    lowest = release.levels[-1]
    return speed_ratio(lambda: release.copy(lowest), draws(), repetitions=15)


def fresh_copies_against_draws():
    """A release's first ten copies, with all that has to be drawn for them."""
    asked, work = levels(FEW), draws()

    def ten(release):
        return [release.copy(p).shape for p in asked]

    fresh = (lambda: UniformRelease(codes(), SIZE, key=3, threads=1), ten)
    return speed_ratio(fresh, lambda: [len(work()) for _ in asked], repetitions=3)


def many_released_against_few():
    return speed_ratio(_typical(Requests(MANY)), _typical(Requests(FEW)), repetitions=5)


def preview_against_draws():
    """The first 5 000 rows of a copy, as while a slider is dragged, against drawing a whole one."""
    release, fresh = released(FEW), iter(levels(100_000, key=6))
    return speed_ratio(lambda: release.copy(next(fresh), 0, 5_000), draws(), repetitions=15)


def values_stored():
    asked = levels(MANY)
    return released(MANY).values_stored / history_bound(asked.max(), asked.min())


def memory_of_ten_million():
    """Highest memory while ten million rows are held down to p = 0.001 and copied, in units of 4 GiB."""
    many = np.random.default_rng(1).integers(SIZE, size=10_000_000, dtype=np.uint8)
    tracemalloc.start()
    try:
        release = UniformRelease(many, SIZE, key=3)
        for p in (MOST, 0.01, LEAST):
            release.copy(p)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return (peak + many.nbytes) / 2**32


BENCHMARKS = [
    Benchmark(
        "a new copy with 10 000 levels released, against 10 released",
        many_released_against_few,
        limit=1.2,
        tags=("xiao",),
    ),
    Benchmark(
        "a new copy, against drawing one uniform and one integer for every row",
        copy_against_draws,
        limit=3.0,
        goal=1.5,
        tags=("xiao",),
    ),
    Benchmark(
        "the copy at the smallest p, against one uniform and one integer for every row",
        deepest_copy_against_draws,
        limit=3.0,
        goal=1.5,
        tags=("xiao",),
    ),
    Benchmark(
        "the first ten copies of a release, against ten times one uniform and one integer for every row",
        fresh_copies_against_draws,
        limit=6.0,
        goal=3.0,
        tags=("xiao",),
    ),
    Benchmark(
        "5 000 rows of a new copy, against one uniform and one integer for each of a million",
        preview_against_draws,
        limit=0.1,
        tags=("xiao",),
    ),
    Benchmark(
        "values stored for a row at 10 000 levels, against 1 + ln(p_max / p_min)",
        values_stored,
        limit=1.1,
        tags=("xiao", "memory"),
    ),
    Benchmark(
        "memory of 10 million rows down to p = 0.001, against 4 GiB",
        memory_of_ten_million,
        limit=1.0,
        tags=("xiao", "memory"),
    ),
]
