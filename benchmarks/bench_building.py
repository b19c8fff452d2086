"""Building a page: how long the loop that serves everybody is held, against what building takes in its thread.

A page is fetched as by a browser, and everything that the loop does between the answer and the page's message is timed.
"""

import asyncio
import statistics
import threading
import time

from benchmarks.harness import Benchmark
from tests.serving.visitors import connect, fetch, free_port, hang_up, receive, token_in
from trustscope.app.page import Frame
from trustscope.app.pages import PAGES
from trustscope.app.serving import ports
from trustscope.app.serving.plan import Plan
from trustscope.app.serving.worker import Worker, prepare

ROUNDS = 5
LOOK = 1.0  # seconds after which nothing of a page is under way any more


class Clock:
    """When the loop was held and for how long, and how long pages were built."""

    def __init__(self):
        self.held: list[tuple[float, float]] = []
        self.built: list[float] = []

    def __enter__(self):
        self._run, self._made = asyncio.Handle._run, Frame._made
        clock, run, made, server = self, self._run, self._made, threading.get_ident()

        def timed_run(handle):
            start = time.perf_counter()
            run(handle)
            if threading.get_ident() == server:  # visitors have loops of their own
                clock.held.append((start, time.perf_counter() - start))

        def timed_made(*arguments):
            start = time.perf_counter()
            try:
                return made(*arguments)
            finally:
                clock.built.append(time.perf_counter() - start)

        asyncio.Handle._run, Frame._made = timed_run, timed_made
        return self

    def __exit__(self, *_):
        asyncio.Handle._run, Frame._made = self._run, self._made


def _visit(address: str, name: str) -> tuple[float, float]:
    """Fetch a page as a browser does; when its answer and when its message were there."""
    page = fetch(f"{address}?page={name}")[2]
    answered = time.perf_counter()

    async def visitor():
        connection = await connect(address, token_in(page))
        await receive(connection)
        for part in ('{"msgid": "1", "msgtype": "PULL-DOC-REQ"}', "{}", "{}"):
            await connection.write_message(part)
        while (await receive(connection))[0] != "PULL-DOC-REPLY":
            pass
        fetched = time.perf_counter()
        await hang_up(connection)
        return fetched

    return answered, asyncio.run(visitor())


def held() -> float:
    """The longest time that the loop is held while a page is built / building it; the sums over all pages."""
    found = {}
    plan = Plan.from_options(port=free_port())

    def visit_all(clock):
        for name in [*PAGES] * (ROUNDS + 1):
            answered, there = _visit(f"http://127.0.0.1:{plan.port}/", name)
            longest = max(seconds for when, seconds in list(clock.held) if answered <= when <= there)
            found.setdefault(name, []).append((longest, clock.built[-1]))
            time.sleep(LOOK)

    async def serve(clock):
        worker, stop = Worker(plan), asyncio.Event()
        prepare()
        serving = asyncio.ensure_future(worker.run(ports.bind(plan.address, plan.port), stop=stop))
        await asyncio.to_thread(visit_all, clock)
        stop.set()
        await serving

    with Clock() as clock:
        asyncio.run(serve(clock))
    loops = threads = 0.0
    for name, times in found.items():
        loop, thread = (statistics.median(one) for one in zip(*times[1:], strict=True))  # the first reads its data
        print(f"    {name}: the loop is held for {1000 * loop:.0f} ms, its thread works for {1000 * thread:.0f} ms")
        loops, threads = loops + loop, threads + thread
    return loops / threads


BENCHMARKS = [
    Benchmark("building a page: the longest hold of the loop / building it", held, limit=0.35, tags=("load",)),
]
