"""Work beside the page: computed in a thread, shown on the page's own loop, one piece at a time."""

import asyncio
from collections.abc import Callable
from functools import partial

import panel as pn


class Background:
    """Runs one coroutine at a time for one visitor; starting another ends the one before.

    Parameters
    ----------
    on_error : called, on the page, with the exception of work that failed
    """

    def __init__(self, on_error: Callable[[Exception], None]):
        self._on_error = on_error
        self._task = None
        self._doc = pn.state.curdoc
        self._waiting = None
        # Changes that reach a page while it is still being put together are lost: wait until it stands.
        self._standing = self._doc is None or not self._doc.session_context
        if not self._standing:
            pn.state.onload(self._stands)
            pn.state.on_session_destroyed(lambda context: self.stop())

    def start(self, work: Callable) -> None:
        """Begin `work()`, a coroutine; where no loop runs (a script, a plain test) it is done at once."""
        self.stop()
        if not self._standing:
            self._waiting = work
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            asyncio.run(self._guarded(work))
        else:
            self._task = loop.create_task(self._guarded(work))

    def stop(self) -> None:
        """End what is under way."""
        if self._task is not None:
            self._task.cancel()
        self._task = self._waiting = None

    def _stands(self):
        self._standing = True
        if self._waiting is not None:
            self.start(self._waiting)

    async def _guarded(self, work):
        try:
            await work()
        except Exception as error:
            await self.show(partial(self._on_error, error))

    async def show(self, change: Callable) -> None:
        """Change the page: under the document's lock, and done when this returns."""
        doc = self._doc
        if doc is None or not doc.session_context:
            change()
            return
        finished = asyncio.get_running_loop().create_future()

        def run():
            if finished.cancelled():  # stopped in the meantime: an old change must not overtake a new one
                return
            try:
                with pn.io.hold(doc):
                    change()
            except Exception as error:
                if finished.done():
                    raise
                finished.set_exception(error)
            if not finished.done():  # the change itself may have started other work, which ends this
                finished.set_result(None)

        doc.add_next_tick_callback(run)
        await finished


async def compute(function, *arguments):
    """Run a function in a thread and wait for it."""
    return await asyncio.to_thread(function, *arguments)
