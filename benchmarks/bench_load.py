"""Many visitors at once on the Trust page, over real websockets, against one visitor alone on the same server.

``python -m benchmarks load`` has 30 visitors, ``python -m benchmarks load --visitors 50`` fifty.
"""

import contextlib
import functools
import json
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator

import psutil

from benchmarks.harness import Benchmark

VISITORS = int(os.environ.get("TRUSTSCOPE_VISITORS", "30"))
GOING = 100  # visitors who come and leave, twice
SECONDS = 20.0  # of steps, for each figure
PAUSE = 2.0  # seconds between two steps of a visitor who looks at what is drawn
MOST = 9e6  # bytes for one more visitor
FORGOTTEN = 60.0  # seconds after which a visitor who has gone is forgotten


class Served:
    """The app in processes of its own, one for each core, and what they use."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/"
        options = ["--no-open", "--port", str(port), "--processes", str(os.cpu_count() or 1)]
        unlimited = ["--max-sessions", "100000", "--max-memory", "1000000"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "trustscope", "serve", *options, *unlimited],
            stdout=subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        for _ in range(240):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.address}health", timeout=30):
                break
            time.sleep(0.5)

    def memory(self) -> int:
        """Bytes of all processes that serve pages; pages that they share count once for each."""
        return sum(child.memory_info().rss for child in psutil.Process(self._process.pid).children())

    @contextlib.contextmanager
    def people(self, visitors: int) -> Iterator[Callable[[float, float], dict]]:
        """Visitors who have come, in a process of their own; `take_steps(seconds, pause)` has all of them take some."""
        command = [sys.executable, "-m", "benchmarks.visitors", self.address, "--visitors", str(visitors)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as people:
            if people.stdout.readline().strip() != "open":
                raise RuntimeError("the visitors could not open their pages")

            def take_steps(seconds: float, pause: float) -> dict:
                people.stdin.write(f"{seconds} {pause}\n")
                people.stdin.flush()
                found = json.loads(people.stdout.readline())
                if found["errors"]:
                    raise RuntimeError(f"{len(found['errors'])} errors, the first: {found['errors'][0]}")
                return found

            yield take_steps
            people.stdin.close()  # they leave

    def visit(self, visitors: int, seconds: float = 0.0, pause: float = 0.0, meanwhile=lambda: None) -> dict:
        """Have visitors come, take steps and leave."""
        with self.people(visitors) as take_steps:
            meanwhile()
            return take_steps(seconds, pause)

    def end(self):
        """Stop the app."""
        self._process.terminate()
        self._process.wait()


@functools.cache
def measured(visitors: int) -> dict[str, float]:
    """All figures of one run, in seconds and bytes; the table of absolute figures is printed for people."""
    served = Served()
    try:
        served.visit(2, 2.0)  # imports, built-in data: once for all
        alone = {pause: served.visit(1, SECONDS, pause) for pause in (0.0, PAUSE)}
        grown = []
        before = served.memory()
        many = {PAUSE: served.visit(visitors, SECONDS, PAUSE, lambda: grown.append(served.memory() - before))}
        many[0.0] = served.visit(visitors, SECONDS)
        kept = _kept(served)
    finally:
        served.end()
    figures = {
        "visitor": grown[0] / visitors,
        "kept": kept,
    }
    for name, found in (("alone", alone), ("many", many)):
        for mode, pause in (("looking", PAUSE), ("dragging", 0.0)):
            times = sorted(found[pause]["times"])
            figures[f"{name} {mode} p50"] = statistics.median(times)
            figures[f"{name} {mode} p95"] = times[int(0.95 * (len(times) - 1))]
            figures[f"{name} {mode} rate"] = len(times) / found[pause]["seconds"]
    for name, value in figures.items():
        print(f"    {visitors} visitors: {name} = {value:.4g}", file=sys.stderr, flush=True)
    return figures


def _kept(served) -> float:
    """Memory after the second round of visitors has gone, over that after the first."""
    sizes = []
    for _ in range(2):
        for _ in range(GOING // 20):
            served.visit(20)
        deadline = time.monotonic() + FORGOTTEN
        smallest = served.memory()
        while time.monotonic() < deadline:
            time.sleep(2.0)
            smallest = min(smallest, served.memory())
        sizes.append(smallest)
    return sizes[1] / sizes[0]


def ratio(first: str, second: str):
    """A function that gives the ratio of two figures of the run."""

    def found() -> float:
        figures = measured(VISITORS)
        return figures[first] / figures[second]

    return found


WHO = f"{VISITORS} visitors"
BENCHMARKS = [
    Benchmark(
        f"{WHO}, a step every 2 s: median / one visitor alone",
        ratio("many looking p50", "alone looking p50"),
        limit=1.5 if VISITORS <= 50 else 2,
        tags=("visitors",),
    ),
    Benchmark(
        f"{WHO}, a step every 2 s: 95 % are within / median of one visitor alone",
        ratio("many looking p95", "alone looking p50"),
        limit=5 if VISITORS <= 50 else 8,
        tags=("visitors",),
    ),
    Benchmark(
        f"{WHO} dragging without pause: steps a second in all / one visitor alone",
        ratio("many dragging rate", "alone dragging rate"),
        # Those who drag run on the same cores, and one alone keeps more than one of them busy.
        limit=0.65 * (os.cpu_count() or 1),
        direction="at least",
        tags=("visitors",),
    ),
    Benchmark(
        "memory for one more visitor / 9 MB", lambda: measured(VISITORS)["visitor"] / MOST, limit=1, tags=("visitors",)
    ),
    Benchmark(
        f"memory after {GOING} visitors have gone: second round / first",
        lambda: measured(VISITORS)["kept"],
        limit=1.1,
        tags=("visitors",),
    ),
]
