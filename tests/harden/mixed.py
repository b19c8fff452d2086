"""Heavy work beside people who drag: it must not keep them waiting.

Those who set it going live in a process of their own (``python -m tests.harden.mixed ADDRESS KIND ...``), which takes
its share of the machine too, though their browsers would be on other machines.
"""

import asyncio
import itertools
import json
import re
import statistics
import subprocess
import sys

import numpy as np

from benchmarks.bench_load import Served
from benchmarks.visitors import Visitor
from tests.harden.ground import Report
from tests.soak.people import Person
from trustscope.widgets.controls.dropper import Dropper

PEOPLE = 20
SECONDS = 30.0
MOST = 1.5  # times the 95th percentile of the same people while nothing else is done
LONGEST = 0.5  # seconds for any step while files come in
EXPERIMENTS = ("zhang/fig3", "giannella/fig8")  # the longest: six seconds on a processor of their own
LOOK = 2.0  # seconds for which people look at what came out before they run something anew
PIECE = Dropper.param.piece.default  # bytes


def mixed(report: Report) -> None:
    """Twenty people drag while others upload 150 MB, run experiments and surveys, and make copies; then six uploads."""
    served = Served()
    try:
        served.visit(2, 2.0)  # imports and built-in data: once for all, in each of two processes
        _once(served, ["1", "papers", "release", "survey"] * 2)
        quiet, busy, done = _compared(served, PEOPLE, 0.0, ["150", "papers", "release", "survey"])
        report.say(
            f"{PEOPLE} people drag: 95 % of {len(quiet)} steps within {_p95(quiet) * 1e3:.0f} ms with nothing else"
        )
        report.say(f"beside the rest: of {len(busy)} steps in {_p95(busy) * 1e3:.0f} ms; done meanwhile: {done}")
        ratio = _p95(busy) / _p95(quiet)
        report.hold(ratio <= MOST, f"the 95th percentile grows by at most {MOST} times: {ratio:.2f}")

        quiet, busy, done = _compared(served, 1, 0.2, ["25"] * 6)
        report.say(f"one person, a step every 0.2 s: median {statistics.median(quiet) * 1e3:.0f} ms; {done}")
        report.hold(max(busy) <= LONGEST, f"no step above {LONGEST} s beside six uploads of 25 MB: {max(busy):.2f} s")
    finally:
        served.end()


def _p95(times) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))]


def _compared(served, people, pause, heavy):
    """Times of all steps of the same people with nothing else, and then beside the heavy work.

    That is repeated for as long as they drag. Others who came or left in between would be counted as well.
    """
    with served.people(people) as take_steps:
        quiet = take_steps(SECONDS, pause)
        command = [sys.executable, "-m", "tests.harden.mixed", served.address, *heavy]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as others:
            others.stdout.readline()  # all of it is under way
            busy = take_steps(SECONDS, pause)
            done = json.loads(others.communicate("\n")[0])
    return quiet["times"], busy["times"], done


def _once(served, heavy):
    """Do all of it once, and wait for it."""
    subprocess.run([sys.executable, "-m", "tests.harden.mixed", served.address, "once", *heavy], check=True)


# What is done meanwhile


async def _each_once(address: str, kinds: list[str]) -> None:
    await asyncio.gather(*(anext(life) for life in _lives(address, kinds)))


def _lives(address: str, kinds: list[str]) -> list:
    tables: dict[str, bytes] = {}
    for megabytes in filter(str.isdecimal, kinds):
        tables.setdefault(megabytes, _table(int(megabytes) * 1_000_000))
    lives = {"survey": _surveying, "papers": _pressing, "release": _pressing}
    return [lives[kind](address, kind) if kind in lives else _uploading(address, tables[kind]) for kind in kinds]


async def _others(address: str, kinds: list[str]) -> None:
    """Do all of it, again and again, until a line comes in; say how often each was done."""
    done: dict[str, int] = {}
    tasks = [asyncio.ensure_future(_again(life, done)) for life in _lives(address, kinds)]
    ending = asyncio.ensure_future(asyncio.to_thread(sys.stdin.readline))
    await asyncio.sleep(3.0)  # until all of it is under way
    print("begun", flush=True)
    await asyncio.wait([ending, *tasks], return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        if task.done():  # what ends by itself has failed
            task.result()
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(done), flush=True)


async def _again(life, done):
    async for what in life:
        done[what] = done.get(what, 0) + 1


def _table(size: int) -> bytes:
    """A table of about so many bytes, of numbers that no two rows share."""
    draw = np.random.default_rng(0)
    rows = "\n".join(",".join(f"{x:.6f}" for x in row) for row in draw.normal(size=(20_000, 10)))
    block = (rows + "\n").encode()
    whole = b",".join(b"abcdefghij"[i : i + 1] for i in range(10)) + b"\n" + block * (size // len(block) + 1)
    return whole[: whole.rindex(b"\n", 0, size) + 1]


async def _uploading(address, file):
    """Somebody who drops a file, is shown what was understood of it, and drops it again."""
    visitor = Visitor(address, "?page=trust")
    await visitor.open()
    await Person(address, 0).unfold(visitor)
    dropper = visitor.find("Dropper")
    for turn in itertools.count():
        file = b"xy"[turn % 2 : turn % 2 + 1] + file[1:]  # another name of a column: what is understood changes
        for start in range(0, len(file), PIECE):
            await _piece(visitor, dropper, file[start : start + PIECE], start == 0, start + PIECE >= len(file))
        await _until(visitor, '"attr":"rows","new":\\[\\{')
        yield "uploads"


async def _piece(visitor, control, content, first, last):
    """One piece of a file, as bytes beside the message, and the wait until the server has it."""
    await visitor.send_piece(control, "mixed.csv", content, first, last)
    if not last:  # what follows from the last one is what is waited for
        await visitor.barrier()


async def _pressing(address, page):
    """Somebody who runs what a page has to run, again and again."""
    person = Person(address, 1, experiments=EXPERIMENTS)
    visitor = Visitor(address, f"?page={page}")
    await visitor.open()
    while True:
        await person.do("run", visitor)
        await _until(visitor, '"attr":"running","new":false')
        yield f"runs on {page}"
        await asyncio.sleep(LOOK)


async def _surveying(address, page):
    """Somebody who lets respondents stream in, and begins anew."""
    visitor = Visitor(address, f"?page={page}")
    await visitor.open()
    await visitor.settle()
    await visitor.pull()
    play, restart = visitor.find("Action", "▶ Play"), visitor.find("Action", "Restart")
    while True:
        await visitor.send_control(play)
        await asyncio.sleep(10.0)
        await visitor.send_control(restart)
        await visitor.settle()
        yield "surveys"


async def _until(visitor, pattern):
    """Read what the server says until it says this."""
    said = re.compile(pattern)
    while True:
        kind, _, content = await visitor.next_message()
        if kind == "PATCH-DOC" and said.search(content):
            return


if __name__ == "__main__":
    address, *kinds = sys.argv[1:]
    asyncio.run(_each_once(address, kinds[1:]) if kinds[0] == "once" else _others(address, kinds))
