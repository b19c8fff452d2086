"""Work beside the page: computed in threads, shown on the page's own loop.

One thread serves the sockets of all visitors. Whatever takes longer than a message is therefore computed in a pool of
threads that all visitors share, in pieces, and each visitor has at most one piece of each kind under way: somebody who
drags without pause waits for nobody, and nobody waits for them.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache, partial
from typing import Any

import panel as pn
from panel.io.state import set_curdoc

from trustscope.app.serving import log
from trustscope.app.serving.leaving import on_last_connection_lost
from trustscope.app.serving.loops import call_on, change_page, loop_of, running_loop

CORES = os.cpu_count() or 1
MOMENT = 0.1  # seconds for which the controls may wait for a picture
AT_ONCE = 0.01  # seconds for which the loop may wait for a preview while no other one is under way


@cache
def _pool(kind: str) -> ThreadPoolExecutor:
    """Previews have threads of their own, and so have jobs: a long one of somebody else never stands before them."""
    return ThreadPoolExecutor(max(2, CORES), thread_name_prefix=f"trustscope-{kind}")


# Previews that threads are computing, of all visitors of this process.
_previews: set[Future] = set()


def begin(function: Callable, *arguments: Any, kind: str = "pass") -> asyncio.Future:
    """Let a function run in a thread, from now on; what can be waited for is its result."""
    return asyncio.get_running_loop().run_in_executor(_pool(kind), log.carry(partial(function, *arguments)))


async def compute(function: Callable, *arguments: Any, kind: str = "pass") -> Any:
    """Run a function in a thread and wait for it."""
    return await begin(function, *arguments, kind=kind)


async def _to_the_end(work: Awaitable) -> None:
    """Do the work, and whatever other work it started."""
    await work
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.gather(*others, return_exceptions=True)


class TaskSlot:
    """One kind of work of one visitor: starting another piece ends the one before.

    Parameters
    ----------
    on_error : called, on the page, with the exception of work that failed
    kind : of the threads for `latest`
    early : whether it begins before the page stands in a browser. What is shown before a browser has connected is there
        when the page opens; but somebody who only fetches the page has work done for nothing.
    """

    def __init__(self, on_error: Callable[[Exception], object], *, kind: str = "preview", early: bool = False):
        self._on_error, self._kind = on_error, kind
        self._doc: Any = pn.state.curdoc  # without one, changes are made at once
        self._task: asyncio.Task | None = None
        self._next: tuple[Callable, Callable, Callable | None] | None = None
        self._waiting: Callable[[], Awaitable] | None = None
        self._early = early
        # Changes that reach a page while a browser puts it together are lost: wait until it stands.
        self._standing = not self._served
        self._stood = asyncio.Event()
        if not self._standing:
            pn.state.onload(self._stands)
            on_last_connection_lost(self.stop)  # nobody is left to work for

    @property
    def _served(self) -> bool:
        return self._doc is not None and self._doc.session_context is not None

    @property
    def has_loop(self) -> bool:
        """Whether work goes on beside whoever starts it, as time passes."""
        return running_loop() is not None or loop_of(self._doc) is not None

    @property
    def busy(self) -> bool:
        """Whether something is under way."""
        return self._waiting is not None or (self._task is not None and not self._task.done())

    def start(self, work: Callable[[], Awaitable]) -> None:
        """Begin `work()`, a coroutine; where no loop runs (a script, a plain test) it is done at once."""
        self._cancel()
        if not self._standing and not self._early:
            self._waiting = work
        elif (loop := running_loop()) is not None:
            self._task = loop.create_task(self._guarded(work))
        elif (home := loop_of(self._doc)) is not None:  # the page is built, or has its messages handled, in a thread
            self._waiting = work
            home.call_soon_threadsafe(self._resume)
        else:
            asyncio.run(_to_the_end(self._guarded(work)))

    def _resume(self) -> None:
        """Begin what has waited, unless it was stopped."""
        if self._waiting is not None:
            self.start(self._waiting)

    def latest(
        self, make: Callable[[], Any], show: Callable[[Any], None], then: Callable[[], None] | None = None,
        *, soon: bool = False,
    ) -> None:  # fmt: skip
        """Compute `make()` in a thread and show it; while one is being computed only the last one asked for waits.

        This is for what follows a drag: nothing queues, the last position is always shown, and a slow machine shows
        fewer positions instead of late ones. What `then()` changes is sent after that; where that takes more than a
        moment (`MOMENT`), before it as well: it must not do anything twice.

        `soon` is for a caller to whom the page belongs just now. Where no other preview is under way, of whomever, it
        waits for the thread for as long as a short preview takes, and shows it: to come back to it later would take
        about as long again, because the loop first ends what it is doing, in turns with the thread.
        """
        self._next = (make, show, then)
        if not self.busy:
            soon = soon and not _previews and self._served and not self._coming and self._doc is pn.state.curdoc
            begun = self._begun() if self._may_begin else None
            if begun is None or not soon or not self._shown_at_once(*begun):
                self.start(partial(self._follow, begun))

    def _shown_at_once(self, made: Future, show: Callable, then: Callable | None) -> bool:
        """Wait for a preview for a little, and show it; whether it was there in time."""
        if not wait([made], AT_ONCE).done or made.exception() is not None:
            return False  # it is shown, or its failure told, as always
        try:
            with pn.io.hold(self._doc):
                show(made.result())
        except Exception as error:
            self.fail(error)
            return True

        async def rest() -> None:
            if then is not None:
                await self.show(then)
            await self._follow(None)

        if not self.busy:  # to show it may have asked for another one, which goes on instead
            self.start(rest)
        return True

    @property
    def _may_begin(self) -> bool:
        """Whether a thread can work for it from this moment on; a task would begin after all that is done just now."""
        return running_loop() is not None and (self._standing or self._early)

    def _begun(self) -> tuple[Future, Callable, Callable | None] | None:
        """Begin what waits, if something does."""
        if self._next is None:
            return None
        (make, show, then), self._next = self._next, None
        made = _pool(self._kind).submit(log.carry(make))
        _previews.add(made)
        made.add_done_callback(_previews.discard)
        return made, show, then

    async def _follow(self, begun: tuple[Future, Callable, Callable | None] | None) -> None:
        while begun := begun or self._begun():
            made, show, then = begun
            future = asyncio.wrap_future(made)
            if then is not None and not (await asyncio.wait([future], timeout=MOMENT))[0]:
                await self.show(then)
            try:
                result = await future
            except Exception:
                if self._next is None:
                    raise
                begun = None  # nobody waits for it any more: the last one asked for is shown
                continue
            await self.show(partial(show, result))
            if then is not None:
                await self.show(then)
            begun = None

    async def each(self, steps: Iterator, show: Callable[[Any], None]) -> None:
        """Compute one step after the other in threads, and show each."""
        while (step := await compute(next, steps, None)) is not None:
            await self.show(partial(show, step))

    def build(
        self, make: Callable[[], Any], show: Callable[[Any], None], drop: Callable[[Any], None] = lambda made: None
    ) -> None:
        """Build something large for the page in a thread, such as another page, and show it; everything else waits.

        The document's lock is held all the time, so that nothing happens to this page meanwhile; other visitors are
        served. What was built and is not wanted any more is given to `drop`, so that it can end what it began. Where
        nobody is served, in a script or a plain test, it is built and shown at once.
        """
        if not self._served:
            show(make())
            return

        def made():
            with set_curdoc(self._doc):
                return make()

        def unwanted(building):
            if not building.cancelled() and building.exception() is None:
                drop(building.result())

        async def locked():
            building = _pool("page").submit(log.carry(made))
            try:
                result = await asyncio.wrap_future(building)
            except asyncio.CancelledError:
                building.add_done_callback(unwanted)
                raise
            with set_curdoc(self._doc), pn.io.hold(self._doc):
                show(result)

        async def work():
            if self._coming:
                await self._stood.wait()
            await self._doc.session_context.session.with_document_locked(locked)

        self.start(work)

    def fail(self, error: Exception) -> None:
        """Say on the page what went wrong outside of the slot."""

        async def work():
            raise error

        self.start(work)

    async def finished(self) -> None:
        """Wait until nothing is under way."""
        while self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    def stop(self) -> None:
        """End what is under way; what a thread is computing is finished there and thrown away."""
        self._cancel()
        self._next = None

    def _cancel(self) -> None:
        if self._task is not None and not self._task.done():
            call_on(self._task.get_loop(), self._task.cancel)
        self._task = self._waiting = None

    @property
    def _gone(self) -> bool:
        """Whether the visitor has left for good."""
        session = self._doc.session_context.session if self._served else None
        return session is not None and session.destroyed

    @property
    def _coming(self) -> bool:
        """Whether a browser is putting the page together just now."""
        session = self._doc.session_context.session if self._served else None
        return not self._standing and session is not None and session.connection_count > 0

    def _stands(self) -> None:
        self._standing = True
        call_on(loop_of(self._doc), self._stood.set)
        self._resume()

    async def _guarded(self, work: Callable[[], Awaitable]) -> None:
        try:
            await work()
        except Exception as error:
            self._next = None
            if not self._gone:  # a page that was left half built fails because it is not there any more
                await self.show(partial(self._on_error, error))

    async def show(self, change: Callable[[], object]) -> None:
        """Change the page: under the document's lock, and done when this returns."""
        doc = self._doc
        if not self._served:
            change()
            return
        if self._coming:
            await self._stood.wait()
        if not await change_page(doc, change, put_off=lambda: self._coming):  # a browser came just now
            await self.show(change)
