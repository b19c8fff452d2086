"""What a benchmark is, how two things are timed against each other, and how the table is printed.

A module ``benchmarks/bench_<name>.py`` exposes ``BENCHMARKS``, a list of `Benchmark`; nothing else has to be
registered. Limits are on ratios, never on seconds: both sides run alternately in the same process, so a slow
or busy machine slows both.
"""

import gc
import importlib
import pkgutil
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from threadpoolctl import threadpool_limits

from benchmarks.host import Host

__all__ = ["Benchmark", "discover", "fastest", "report", "run", "select", "speed_ratio"]


@dataclass(frozen=True)
class Benchmark:
    """One line of the table.

    Attributes
    ----------
    title : str
        What is compared with what.
    function : callable
        Without arguments, returns the ratio. One that raises counts as broken.
    limit : float
        The bound that the ratio has to keep.
    direction : {"at most", "at least"}
        On which side of the limit the ratio has to be.
    goal : float, optional
        What is hoped for; shown, never enforced.
    tags : tuple of str
        Words by which ``python -m benchmarks <word>`` finds it, beside the module's name.
    """

    title: str
    function: Callable[[], float]
    limit: float
    direction: str = "at most"
    goal: float | None = None
    tags: tuple[str, ...] = ()

    def __post_init__(self):
        if self.direction not in ("at most", "at least"):
            raise ValueError(f"direction is “at most” or “at least”, not “{self.direction}”.")
        if not (self.title and callable(self.function) and self.limit > 0):
            raise ValueError("A benchmark needs a title, a function and a positive limit.")

    def holds(self, ratio):
        """Whether the ratio keeps the limit; a NaN does not."""
        return ratio <= self.limit if self.direction == "at most" else ratio >= self.limit


def speed_ratio(first, second, *, repetitions=7):
    """Time of `first` over time of `second`: the fastest run of each, the two sides alternating.

    Either side is a callable, or a pair ``(prepare, work)``: what ``prepare()`` returns is handed to
    ``work`` and only ``work`` is timed.
    """
    times = fastest(first, second, repetitions=repetitions)
    return times[0] / times[1]


def fastest(*sides, repetitions=7):
    """Fastest run of each side in seconds; rounds go forwards and backwards in turn, after one warm-up.

    Numeric libraries are held to one thread: how many cores are free changes while a busy machine runs this,
    and a library's idle threads spin on for a while and slow the other side down.
    """
    best = [float("inf")] * len(sides)
    with threadpool_limits(1):
        for turn in range(repetitions + 1):
            order = range(len(sides)) if turn % 2 else range(len(sides) - 1, -1, -1)
            for side in order:
                seconds = _timed(sides[side])
                if turn:
                    best[side] = min(best[side], seconds)
    return best


def _timed(side):
    prepare, work = side if isinstance(side, tuple) else (None, side)
    arguments = () if prepare is None else (prepare(),)
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        kept = work(*arguments)
        seconds = time.perf_counter() - start
    finally:
        if collecting:
            gc.enable()
    del kept, arguments
    return seconds


def discover(package="benchmarks"):
    """Benchmarks by module: ``{"gaussian": [...], ...}`` for every ``bench_gaussian.py``, ... found."""
    found = {}
    folder = importlib.import_module(package).__path__
    for module in sorted(entry.name for entry in pkgutil.iter_modules(folder)):
        if module.startswith("bench_"):
            benchmarks = importlib.import_module(f"{package}.{module}").BENCHMARKS
            found[module.removeprefix("bench_")] = list(benchmarks)
    return found


def select(found, words):
    """Benchmarks that every given word names, by module, tag or a word of the title; all without words."""
    chosen = []
    for name, benchmarks in found.items():
        for benchmark in benchmarks:
            known = {name, *benchmark.tags, *re.findall(r"\w+", benchmark.title.lower())}
            if all(word.lower() in known for word in words):
                chosen.append(benchmark)
    return chosen


def run(benchmarks, write=print):
    """Run and print one line each; returns how many broke their limit."""
    width = max(len(benchmark.title) for benchmark in benchmarks)
    write(f"{'what':<{width}}  {'ratio':>9}  {'limit':>15}  {'goal':>6}")
    broken = 0
    for benchmark in benchmarks:
        host = Host()
        line, ok = report(benchmark, width)
        write(line)
        if note := host.note():
            write(f"    {note}")
        broken += not ok
    return broken


def report(benchmark, width=0):
    """The line of one benchmark, and whether its limit held."""
    try:
        ratio = float(benchmark.function())
    except Exception as error:  # the rest of the table is still wanted
        return f"{benchmark.title:<{width}}  FAILED: {type(error).__name__}: {error}", False
    ok = benchmark.holds(ratio)
    limit = f"{benchmark.direction} {benchmark.limit:g}"
    goal = "" if benchmark.goal is None else f"{benchmark.goal:g}"
    verdict = "ok" if ok else "TOO SLOW"
    return f"{benchmark.title:<{width}}  {ratio:>9.3g}  {limit:>15}  {goal:>6}  {verdict}", ok
