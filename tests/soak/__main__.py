"""``python -m tests.soak``: visitors come, work and leave for a while, round after round; does anything grow?

First somebody in each process looks at every page with all data, so that whatever all visitors share is there. After
each round all visitors have left and the server is at rest: memory, threads, child processes and documents are then
what they were after the first round, and nothing has gone wrong meanwhile. Exit code 1 says that it is not so.
"""

import argparse
import asyncio
import collections
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import psutil

from tests.soak.people import PAGES, Person

REST = 90.0  # seconds for the server to forget visitors who have gone; it promises a minute
ROUND = 150.0  # seconds of one round, at most
GROWN = {"memory": 1.15, "threads": 1.0, "children": 1.0}  # last over first, at rest
SLACK = {"memory": 15.0, "threads": 4, "children": 2}  # MB and numbers by which they may differ without growing


class Server:
    """The app, with two processes unless another number is given, and how it stands."""

    def __init__(self, log: Path, processes: int = 2):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address, self.log, self.processes = f"http://127.0.0.1:{port}/", log, processes
        options = ["--port", str(port), "--processes", str(processes), "--metrics", "--no-open", "--log-file", str(log)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "trustscope", "serve", *options],
            stdout=subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        deadline = time.monotonic() + 120
        while self._get("health") is None:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the app did not start")
            time.sleep(0.3)

    def _get(self, path):
        try:
            with urllib.request.urlopen(self.address + path, timeout=60) as answer:
                return answer.read().decode()
        except OSError:
            return None

    def figures(self) -> str:
        """What the server counts itself."""
        return self._get("metrics") or ""

    def state(self) -> dict[str, float]:
        """Memory in MB, threads, child processes, and what the server counts itself."""
        text = self.figures()
        own = psutil.Process(self.process.pid)
        workers = own.children() if self.processes > 1 else [own]
        below = [p for worker in workers for p in worker.children(recursive=True)]
        return {
            "memory": sum(p.memory_info().rss for p in workers) / 1e6,
            "threads": sum(p.num_threads() for p in workers),
            "children": len(below),
            **{
                name: float(m.group(1)) if (m := re.search(rf"^trustscope_{key} (\S+)$", text, re.MULTILINE)) else 0.0
                for name, key in (("sessions", "sessions"), ("documents", "documents"), ("errors", "errors_total"))
            },
        }

    def end(self) -> int:
        """Stop it; the exit code."""
        self.process.terminate()
        return self.process.wait(60)


def soak(minutes: float, visitors: int, pages=PAGES, write=print) -> list[str]:
    """Run it; what is wrong, in sentences."""
    return _soaked(2, lambda server: _rounds(server, minutes, visitors, pages, write))


def dip(visitors: int, data=None, write=print) -> list[str]:
    """A short one in one process: so many people come once each, and then do the same again; what is wrong.

    What all visitors share is there after the first time. With `data`, only these are chosen, by their titles.
    """
    return _soaked(1, lambda server: _twice(server, visitors, data, write))


def _soaked(processes, rounds):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "log", processes)
        try:
            problems = rounds(server)
        finally:
            code = server.end()
        text = server.log.read_text() if server.log.exists() else ""
    kinds = collections.Counter(re.findall(r"^(?:\w+\.)*(\w*(?:Error|Exception)\b[^\n]{0,60})$", text, re.MULTILINE))
    if kinds:
        problems.append(f"the log holds errors: {dict(kinds)}")
    if code:
        problems.append(f"the server ended with code {code}")
    return problems


def _rounds(server, minutes, visitors, pages, write):
    rounds = max(2, round(minutes * 60 / (ROUND + 30)))
    seconds = max(15.0, minutes * 60 / rounds - 30)
    write(f"{rounds} rounds of {seconds:.0f} s with {visitors} visitors")

    def crowd(number):
        end = time.monotonic() + seconds
        people = [Person(server.address, 1000 * number + seat, pages) for seat in range(visitors)]
        return people, [person.live(lambda: time.monotonic() > end) for person in people]

    return _seen(server, rounds, crowd, write, first=lambda: _warmed(server, pages, write))


def _twice(server, visitors, data, write):
    def crowd(number):
        people = [Person(server.address, seat, data=data) for seat in range(visitors)]
        return people, [person.come() for person in people]

    return _seen(server, 2, crowd, write)


def _seen(server, rounds, crowd, write, first=lambda: []):
    """What is wrong in rounds of people; `crowd(number)` gives them and what they are to do."""
    write(f"{'when':>14} " + " ".join(f"{name:>9}" for name in _NAMES))
    problems, rests, everybody = first(), [], []
    for number in range(rounds):
        people = asyncio.run(_crowd(server, lambda number=number: crowd(number), lambda s: write(_line("at work", s))))
        everybody += people
        rest = _at_rest(server)
        rests.append(rest)
        write(_line(f"at rest {number + 1}", rest))
        failed = [error for person in people for error in person.errors]
        if failed:
            problems.append(f"{len(failed)} errors in round {number + 1}, the first: {failed[0]}")
        done = collections.Counter()
        for person in people:
            done.update(person.done)
        write("               " + ", ".join(f"{count} {name}" for name, count in sorted(done.items())))
    return problems + idle(everybody, everybody[0].acts) + grown(rests)


def _warmed(server, pages, write):
    """Have every page with all data shown in each process: models of built-in data are kept, for all visitors."""
    first = [Person(server.address, seat, pages) for seat in range(server.processes)]

    async def tours():
        # All come before one leaves: a new visitor gets the process with the fewest.
        await asyncio.gather(*(person.tour() for person in first))

    asyncio.run(tours())
    write(_line("all was seen", server.state()))
    return [f"while everything was looked at: {error}" for person in first for error in person.errors]


def idle(people, acts) -> list[str]:
    """What nobody managed to do: acts that do nothing would soak nothing."""
    return [f"nobody managed to {act}" for act in acts if not any(person.done.get(act) for person in people)]


_NAMES = ("memory", "threads", "children", "sessions", "documents", "errors")


def _line(what, state):
    return f"{what:>14} " + " ".join(f"{state[name]:>9.0f}" for name in _NAMES)


async def _crowd(server, crowd, write):
    people, lives = crowd()
    living = [asyncio.ensure_future(life) for life in lives]
    waiting = set(living)
    while waiting:
        _, waiting = await asyncio.wait(waiting, timeout=15)
        write(await asyncio.to_thread(server.state))
    for task in living:
        task.result()
    return people


def _at_rest(server):
    """The state once all visitors are forgotten, or after as long as that may take."""
    deadline = time.monotonic() + REST
    while (state := server.state())["sessions"] or state["documents"]:
        if time.monotonic() > deadline:
            break
        time.sleep(1.0)
    time.sleep(6.0)  # the memory is given back with the next look at it
    return server.state()


def grown(rests) -> list[str]:
    """What is more at the last rest than at the first, and what should not be there at all."""
    first, last = rests[0], rests[-1]
    problems = []
    for name, factor in GROWN.items():
        if last[name] > first[name] * factor + SLACK[name]:
            problems.append(f"{name} grew from {first[name]:.0f} to {last[name]:.0f}")
    for name in ("sessions", "documents"):
        if last[name]:
            problems.append(f"{last[name]:.0f} {name} are left when everybody has gone")
    if last["errors"]:
        problems.append(f"{last['errors']:.0f} errors were written to the log")
    return problems


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--pages", nargs="*", default=list(PAGES), help="which pages are turned to")
    given = parser.parse_args()
    problems = soak(given.minutes, given.visitors, given.pages, lambda line: print(line, flush=True))
    print("\n".join(problems) or "Nothing grew, nothing failed.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
