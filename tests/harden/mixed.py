"""Heavy work beside people who drag: it must not keep them waiting."""

import asyncio
import json
import statistics

import numpy as np

from benchmarks.bench_load import Served
from benchmarks.visitors import Visitor
from tests.harden.ground import Report
from tests.soak.people import Person, all_of
from trustscope.widgets.controls.dropper import Dropper

PEOPLE = 20
SECONDS = 30.0
MOST = 1.5  # times the 95th percentile of the same people while nothing else is done
LONGEST = 0.5  # seconds for any step while files come in
PIECE = Dropper.param.piece.default  # bytes


def mixed(report: Report) -> None:
    """Twenty people drag while others upload 150 MB, run experiments and surveys, and make copies; then six uploads."""
    served = Served()
    try:
        served.visit(2, 2.0)  # imports and built-in data: once for all
        file = _table(150_000_000)
        heavy = [_uploading(served, file), *(_pressing(served, page) for page in ("papers", "release", "survey"))]
        quiet, busy, done = asyncio.run(_compared(served, PEOPLE, 0.0, heavy))
        report.say(
            f"{PEOPLE} people drag: 95 % of {len(quiet)} steps within {_p95(quiet) * 1e3:.0f} ms with nothing else"
        )
        report.say(f"beside the rest: of {len(busy)} steps in {_p95(busy) * 1e3:.0f} ms; done meanwhile: {done}")
        ratio = _p95(busy) / _p95(quiet)
        report.hold(ratio <= MOST, f"the 95th percentile grows by at most {MOST} times: {ratio:.2f}")

        small = file[: file.rindex(b"\n", 0, 25_000_000) + 1]
        quiet, busy, done = asyncio.run(_compared(served, 1, 0.2, [_uploading(served, small) for _ in range(6)]))
        report.say(f"one person, a step every 0.2 s: median {statistics.median(quiet) * 1e3:.0f} ms; {done}")
        report.hold(max(busy) <= LONGEST, f"no step above {LONGEST} s beside six uploads of 25 MB: {max(busy):.2f} s")
    finally:
        served.end()


def _p95(times) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))]


def _table(size: int) -> bytes:
    """A table of at least so many bytes, of numbers that no two rows share."""
    draw = np.random.default_rng(0)
    rows = "\n".join(",".join(f"{x:.6f}" for x in row) for row in draw.normal(size=(20_000, 10)))
    block = (rows + "\n").encode()
    return b",".join(b"abcdefghij"[i : i + 1] for i in range(10)) + b"\n" + block * (size // len(block) + 1)


async def _compared(served, people, pause, heavy):
    """Times of all steps with nothing else, and beside the heavy work, which is repeated for as long as they drag."""
    quiet = await asyncio.to_thread(served.visit, people, SECONDS, pause)
    done: dict[str, int] = {}
    tasks = [asyncio.ensure_future(_again(one, done)) for one in heavy]
    try:
        await asyncio.sleep(3.0)  # until all of it is under way
        busy = await asyncio.to_thread(served.visit, people, SECONDS, pause)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return quiet["times"], busy["times"], done


async def _again(life, done):
    async for what in life:
        done[what] = done.get(what, 0) + 1


async def _uploading(served, file):
    """Somebody who drops a file, is shown what was understood of it, and drops it again."""
    while True:
        visitor = Visitor(served.address, "?page=trust")
        await visitor.open()
        await Person(served.address, 0).unfold(visitor)
        dropper = visitor.find("Dropper")
        for start in range(0, len(file), PIECE):
            await _piece(visitor, dropper, file[start : start + PIECE], start == 0, start + PIECE >= len(file))
        await _until(visitor, lambda page: any(one["data"].get("rows") for one in all_of(page, "Columns")))
        await visitor.close()
        yield "uploads"


async def _piece(visitor, control, content, first, last):
    """One piece of a file, as bytes beside the message, and the wait until the server has it."""
    number = next(visitor._numbers)
    data = {"kind": "piece", "name": "mixed.csv", "first": first, "last": last, "n": number}
    entries = [*([name, value] for name, value in data.items()), ["content", {"type": "bytes", "data": {"id": "p1"}}]]
    values = [["model", {"id": control["id"]}], ["data", {"type": "map", "entries": entries}]]
    event = {"type": "event", "name": "data_event", "values": {"type": "map", "entries": values}}
    message = {"events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}]}
    header = {"msgid": str(number), "msgtype": "PATCH-DOC", "num_buffers": 1}
    for part in (json.dumps(header), "{}", json.dumps(message), json.dumps({"id": "p1"})):
        await visitor.socket.write_message(part)
    await visitor.socket.write_message(content, binary=True)
    await visitor.barrier()


async def _pressing(served, page):
    """Somebody who runs what a page has to run, again and again."""
    person = Person(served.address, 1)
    visitor = Visitor(served.address, f"?page={page}")
    await visitor.open()
    while True:
        await person.do("run", visitor)
        await _until(visitor, lambda page: not page.find("Task")["data"].get("running"))
        yield f"runs on {page}"


async def _until(visitor, condition):
    """Look now and then, and not more often: browsers do not ask for the whole page, which is work for the server."""
    while not condition(visitor):
        await asyncio.sleep(3.0)
        await visitor.pull()
