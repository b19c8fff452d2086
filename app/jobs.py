"""Work that takes long, and ends: it shows how far it is, can be called off, has a bound, and stops when nobody waits.

A job runs in threads of its own kind, so that no picture waits behind it. What it computes has to look now and then
whether it is still wanted (`Run.cancelled`): a thread cannot be ended from outside.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from trustscope.app.problem import Unusable
from trustscope.app.work import TaskSlot, begin

LOOK = 0.2  # seconds between two looks at how far it is
LONGEST = 1_800.0  # seconds of work after which a job is called off
PATIENCE = 10.0  # seconds that one has to notice that
NOTHING = nullcontext()
WAITING = "Waiting for its turn …"


class TooLong(Unusable):
    """A job came to its bound."""

    def __init__(self, seconds: float):
        super().__init__("It was ended.", f"It took more than {seconds / 60:.0f} minutes: ask for less at once.")


class Run:
    """One piece of work, as its thread sees it.

    Attributes
    ----------
    fraction, text : how far it is, from 0 to 1, and in words
    stopping : set when it is not wanted any more, for whoever wants an event to look at
    """

    def __init__(self, stop: Callable[[], None] | None = None):
        self.fraction, self.text = 0.0, WAITING
        self.stopping = threading.Event()
        self.seconds = 0.0  # for which it has been at work, without the piece that is under way
        self._stop = stop
        self._since: float | None = None

    @property
    def cancelled(self) -> bool:
        """Whether nobody wants it any more."""
        return self.stopping.is_set()

    @property
    def begun(self) -> bool:
        """Whether it has found a thread."""
        return self._since is not None or self.seconds > 0

    @property
    def spent(self) -> float:
        """Seconds for which it has been at work."""
        since = self._since
        return self.seconds + (0.0 if since is None else time.monotonic() - since)

    def progress(self, fraction: float, text: str = "") -> None:
        """Say how far it is; called in its thread."""
        self.fraction, self.text = min(max(fraction, 0.0), 1.0), text

    def cancel(self) -> None:
        """It is not wanted any more; once is as good as twice."""
        first = not self.stopping.is_set()
        self.stopping.set()
        if first and self._stop is not None:
            self._stop()

    def measured(self, call: Callable[[], Any]) -> Any:
        """Do a piece of it, in its thread, and note how long that takes."""
        if self.cancelled:
            return None
        if self.text == WAITING:
            self.text = ""
        self._since = time.monotonic()
        try:
            return call()
        finally:
            self.seconds, self._since = self.spent, None


class Job:
    """One kind of long work of one visitor; starting another piece calls off the one before.

    Whatever happens (it ends, fails, is called off, takes too long, its visitor leaves) the thread is told that nobody
    waits any more, and nothing of it is shown afterwards.

    Parameters
    ----------
    on_error : called, on the page, with the exception of what failed, `TooLong` included
    show : called, on the page, with the run while it is under way
    kind : of the threads
    longest : seconds of work after which it is called off
    """

    def __init__(
        self, on_error: Callable[[Exception], None], show: Callable[[Run], None] = lambda run: None, *,
        kind: str = "job", longest: float = LONGEST,
    ):  # fmt: skip
        self._show, self._kind, self._longest = show, kind, longest
        self._slot = TaskSlot(on_error)
        self._run: Run | None = None

    @property
    def running(self) -> bool:
        """Whether something is under way."""
        # Where no loop runs it is done at once, and the slot has no task; what has begun runs until it is through.
        return self._run is not None and (self._slot.busy or self._run.begun)

    def start(
        self, call: Callable[[Run], Any], ended: Callable[[Run, Any], None], stop: Callable[[], None] | None = None,
        within: AbstractContextManager = NOTHING,
    ) -> None:  # fmt: skip
        """Do `call(run)` in a thread, and `ended(run, result)` on the page, also where it was called off.

        Parameters
        ----------
        stop : called once when it is not wanted any more, for what cannot look by itself, such as a process
        within : what is held as long as it waits or runs
        """
        self._begin(Run(stop), partial(self._once, call, ended), within)

    def each(self, steps: Iterator[Any], show: Callable[[Any], None]) -> None:
        """Compute one step after the other, and show each; between two of them others have their turn."""
        self._begin(Run(), partial(self._steps, steps, show))

    def cancel(self) -> None:
        """Call it off; that it has ended is told as soon as it has."""
        if self._run is not None:
            self._run.cancel()

    def drop(self) -> None:
        """Call it off, and tell nobody."""
        self.cancel()
        self._run = None
        self._slot.stop()

    def _begin(self, run: Run, work: Callable, within: AbstractContextManager = NOTHING) -> None:
        self.drop()
        self._run = run

        async def guarded():
            try:
                with within:
                    await work(run)
            finally:  # the visitor has left, another one was started, or it is through
                run.cancel()
                if self._run is run:
                    self._run = None

        self._slot.start(guarded)

    async def _once(self, call: Callable[[Run], Any], ended: Callable[[Run, Any], None], run: Run) -> None:
        result = await self._computed(run, partial(call, run), shown=True)
        await self._slot.show(partial(self._ended, ended, run, result))

    def _ended(self, ended: Callable[[Run, Any], None], run: Run, result: Any) -> None:
        if self._run is run:
            self._run = None
        ended(run, result)

    async def _steps(self, steps: Iterator[Any], show: Callable[[Any], None], run: Run) -> None:
        while (step := await self._computed(run, partial(next, steps, None))) is not None:
            await self._slot.show(partial(show, step))

    async def _computed(self, run: Run, call: Callable[[], Any], shown: bool = False) -> Any:
        """Compute a piece of it; None where it was called off before it found a thread.

        Raises
        ------
        TooLong
        """
        future = begin(run.measured, call, kind=self._kind)
        # If the visitor leaves nobody asks for its end any more, and asyncio would complain of that.
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            while not future.done() and not (run.cancelled and not run.begun):
                await asyncio.wait([future], timeout=LOOK)
                if run.spent > self._longest:
                    run.cancel()
                if run.spent > self._longest + PATIENCE:
                    break
                if shown:
                    await self._slot.show(partial(self._show, run))
        finally:
            future.cancel()  # if it has not begun
        if run.spent > self._longest:
            raise TooLong(self._longest)
        return future.result() if future.done() and not future.cancelled() else None
