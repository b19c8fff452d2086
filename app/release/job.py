"""A long call on a ledger, in a thread: how far it is, and a way to call it off."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from trustscope.app.problem import told
from trustscope.app.work import Lane, compute
from trustscope.release import Cancelled, Problem
from trustscope.scenarios.release import words
from trustscope.widgets.task import Task

TICK = 0.1  # seconds between two looks at how far it is
CALLED_OFF = "Called off: nothing of it is left behind."


class Job:
    """Shows one call at a time in a task's bar; leaving the page calls it off, and nothing of it is left behind.

    Parameters
    ----------
    task : where it is shown
    what : what is done, in words
    """

    def __init__(self, task: Task, what: str):
        self._task, self._what = task, what
        self._lane = Lane(self._broken)
        self._cancel: threading.Event | None = None
        self._far: tuple[int, int | None] = (0, None)
        task.param.watch(lambda event: self.stop(), "stops")

    @property
    def running(self) -> bool:
        """Whether something is under way."""
        return self._cancel is not None

    def start(self, call: Callable[..., Any], finished: Callable[[Any], str]) -> None:
        """Do `call(progress=, cancel=)` in a thread, and `finished(result)` on the page; the latter says what to write.

        While something is under way nothing else is begun.
        """
        if self.running:
            return
        self._cancel, self._far = threading.Event(), (0, None)
        self._show()
        self._lane.start(partial(self._work, call, finished, self._cancel))

    def stop(self) -> None:
        """Call it off."""
        if self._cancel is not None:
            self._cancel.set()
        elif self._task.running:  # it ended while the connection was lost, when nothing could be shown
            self._task.param.update(running=False, fraction=0.0, text=CALLED_OFF)

    async def _work(self, call, finished, cancel):
        thread = asyncio.ensure_future(compute(partial(call, progress=self._note, cancel=cancel), kind="release"))
        # If the visitor leaves nobody asks for its end any more, and asyncio would complain of that.
        thread.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            while not thread.done():
                await asyncio.wait([thread], timeout=TICK)
                await self._lane.show(self._show)
            await self._lane.show(partial(self._ended, thread, finished))
        finally:
            cancel.set()
            if self._cancel is cancel:
                self._cancel = None

    def _note(self, done: int, total: int | None) -> None:
        self._far = (done, total)

    def _show(self) -> None:
        done, total = self._far
        text = words.making(done, total, self._what)
        self._task.param.update(running=True, fraction=min(done / total, 1.0) if total else 0.0, text=text)

    def _ended(self, thread, finished) -> None:
        self._cancel = None
        self._task.param.update(running=False, fraction=0.0)
        try:
            self._task.text = finished(thread.result())
        except Cancelled:
            self._task.text = CALLED_OFF
        except Problem as problem:
            self._task.text = str(problem)

    def _broken(self, error: Exception) -> None:
        self._cancel = None
        self._task.param.update(running=False, fraction=0.0, text=" ".join(told(error, "release")))
