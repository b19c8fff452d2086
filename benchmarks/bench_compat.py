"""What each patch of the framework gains: what it is for, without it and with it, alternately in one run.

A patch that gains less than a twentieth of what it is for is not worth its risk, and goes. Times are those of the
processor, not of the clock: of the thread that serves everybody, or of the browser's main thread.
``python -m benchmarks.bench_compat [NAME ...]`` prints the table.
"""

import asyncio
import contextlib
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

from bokeh.core.json_encoder import serialize_json
from bokeh.document import Document
from panel.io.state import set_curdoc
from playwright.sync_api import sync_playwright

from benchmarks.bench_browser import served
from benchmarks.harness import Benchmark
from benchmarks.visitors import Visitor
from tests.chromium import FLAGS, find
from tests.serving.visitors import free_port
from trustscope.app import process
from trustscope.app.compat import documents
from trustscope.app.compat.registry import PATCHES, by_name
from trustscope.app.page import Frame, framed
from trustscope.app.serving import ports
from trustscope.app.serving.plan import Plan
from trustscope.app.serving.worker import Worker, prepare

LEAST = 1.05  # without / with
ROUNDS = int(os.environ.get("TRUSTSCOPE_ROUNDS", "9"))
VERBOSE = __name__ == "__main__"


def ratio(without: list[float], having: list[float]) -> float:
    """The median of what neighbouring runs say: how busy the machine is changes, but not much between two of them."""
    pairs = [one / other for one, other in zip(without, having, strict=True)]
    if VERBOSE:
        quarters = statistics.quantiles(pairs, n=4)
        medians = statistics.median(without), statistics.median(having)
        print("    without {:.4g}, with {:.4g}".format(*medians), [round(one, 3) for one in quarters])
    return statistics.median(pairs)


@contextlib.contextmanager
def switched(name: str, on: bool) -> Iterator[None]:
    """A patch on or off for a while; those that were put on after it are put on again, in their order."""
    later = [patch for patch in PATCHES[PATCHES.index(by_name(name)) :] if patch.on]
    for patch in reversed(later):
        patch.take_off()
    for patch in later:
        if on or patch.name != name:
            patch.put_on()
    try:
        yield
    finally:
        for patch in reversed(later):
            patch.take_off()
        for patch in later:
            patch.put_on()


# Without a server


def built(page: str = "trust") -> Document:
    """A page, as it is built for a visitor."""
    document = Document()
    with set_curdoc(document):
        documents.adopt(document)
        frame = Frame(f"page={page}", later=True)
        framed(frame.bar, frame.address, frame.connection, frame.sidebars, frame.mains).server_doc(document)
        frame.begin()
    return document


def answered() -> Document:
    """The frame alone, as it is answered."""
    document = Document()
    with set_curdoc(document):
        documents.adopt(document)
        frame = Frame("page=trust", later=True)
        framed(frame.bar, frame.address, frame.connection, frame.sidebars, frame.mains).server_doc(document)
    return document


def _alternately(name: str, measure: Callable[[], float]) -> float:
    process.prepare()
    found: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(ROUNDS + 1):
        for on in (True, False) if turn % 2 else (False, True):
            with switched(name, on):
                seconds = measure()
            if turn:
                found[on].append(seconds)
    return ratio(found[False], found[True])


def _processor(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def building(name: str) -> float:
    """Building a page and writing it down."""
    return _alternately(name, lambda: _processor(lambda: serialize_json(built().to_json())))


def answering(name: str) -> float:
    """Making the frame that is answered."""
    return _alternately(name, lambda: _processor(answered))


def turning(name: str) -> float:
    """Putting a page that was built into its place, which the loop does."""
    turn, spent = Frame._turn, []

    def timed(*arguments):
        spent.append(_processor(lambda: turn(*arguments)))

    def measure() -> float:
        spent.clear()
        built()
        return sum(spent)

    Frame._turn = timed  # type: ignore[method-assign]
    try:
        return _alternately(name, measure)
    finally:
        Frame._turn = turn  # type: ignore[method-assign]


def size(name: str) -> float:
    """Bytes of a page."""
    return _alternately(name, lambda: float(len(serialize_json(built().to_json()))))


# On a server


class Loop:
    """How long the thread that serves everybody was at work, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[float] = []

    def __enter__(self) -> "Loop":
        self._run = run = asyncio.Handle._run
        pieces, server = self.pieces, threading.get_ident()

        def timed(handle):
            if threading.get_ident() != server:
                return run(handle)
            start = time.thread_time()
            run(handle)
            pieces.append(time.thread_time() - start)

        asyncio.Handle._run = timed  # type: ignore[method-assign]
        return self

    def __exit__(self, *_) -> None:
        asyncio.Handle._run = self._run  # type: ignore[method-assign]


def _with_server(visit: Callable[[str, Loop], float]) -> float:
    plan = Plan.from_options(port=free_port())
    result: list[float] = []

    async def serve(loop: Loop) -> None:
        worker, stop = Worker(plan), asyncio.Event()
        prepare()
        serving = asyncio.ensure_future(worker.run(ports.bind(plan.address, plan.port), stop=stop))
        try:
            result.append(await asyncio.to_thread(visit, f"http://127.0.0.1:{plan.port}/", loop))
        finally:
            stop.set()
            await serving

    with Loop() as loop:
        asyncio.run(serve(loop))
    return result[0]


def _turns() -> Iterator[bool]:
    for turn in range(ROUNDS + 1):
        yield from (True, False) if turn % 2 else (False, True)


def opening(name: str, take: Callable[[Loop, Visitor], float] = lambda loop, person: sum(loop.pieces)) -> float:
    """What the loop does from a page's address to its message; or something else that `take` finds there."""

    def visit(address: str, loop: Loop) -> float:
        found: dict[bool, list[float]] = {True: [], False: []}
        for on in _turns():
            with switched(name, on):
                found[on].append(asyncio.run(visitor(address, loop)))
        return ratio(found[False][1:], found[True][1:])

    async def visitor(address: str, loop: Loop) -> float:
        person = Visitor(address, "?page=trust")
        loop.pieces.clear()
        await person.open()
        taken = take(loop, person)
        await person.settle(0.3)
        await person.close()
        return taken

    return _with_server(visit)


# In a browser


@contextlib.contextmanager
def _servers(name: str) -> Iterator[dict[bool, str]]:
    """The addresses of two servers: one with the patch, one without it."""
    before = os.environ.get("TRUSTSCOPE_PLAIN")
    with contextlib.ExitStack() as stack:
        found = {}
        for on, plain in ((True, ""), (False, name)):
            os.environ["TRUSTSCOPE_PLAIN"] = plain
            found[on] = stack.enter_context(served())
        os.environ["TRUSTSCOPE_PLAIN"] = before or ""
        yield found


def first_message(name: str) -> float:
    """Bytes of the first message of a control that came after the page was opened."""

    def measure(browser, url: str) -> float:
        sent: list[int] = []
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(url)
        page.get_by_role("heading", level=1).first.wait_for()
        page.get_by_role("button", name="SVG").first.wait_for()
        page.wait_for_timeout(1500)
        page.get_by_role("tab", name="Papers").or_(page.get_by_role("button", name="Papers")).first.click()
        page.get_by_role("heading", name="published figures").or_(page.get_by_role("heading", level=1)).first.wait_for()
        page.wait_for_timeout(2000)
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.webSocketFrameSent", lambda event: sent.append(len(event["response"]["payloadData"])))
        page.get_by_role("radio").nth(1).click(force=True)
        page.wait_for_timeout(1000)
        context.close()
        return float(sum(sent))

    found = {}
    with _servers(name) as addresses, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find(), args=FLAGS)
        for on, address in addresses.items():
            found[on] = [measure(browser, f"{address}/app?page=trust") for _ in range(2)]
        browser.close()
    return ratio(found[False], found[True])


# What each is for

MEASURES: dict[str, Callable[[str], float]] = {
    "defaults_remembered": building,
    "controls_described_once": building,
    "config_untouched": answering,
    "sheets_shared": size,
    "models_made_before": turning,
    "page_written_before": opening,
    "pages_built_after": partial(opening, take=lambda loop, person: max(loop.pieces)),
    "controls_in_one_module": partial(opening, take=lambda loop, person: person.size),
    "known_models": first_message,
}

BENCHMARKS = [
    Benchmark(f"patch {name}: without / with", partial(measure, name), limit=LEAST, direction="at least", tags=("app",))
    for name, measure in MEASURES.items()
    if name in {patch.name for patch in PATCHES}
]

if __name__ == "__main__":
    for wanted in sys.argv[1:] or MEASURES:
        print(f"{wanted:<26}{MEASURES[wanted](wanted):.3f}", flush=True)
