"""One experiment of one visitor, run in a process of its own, and watched from the page."""

import asyncio
from collections.abc import Callable
from functools import partial

import pandas as pd

from trustscope.app.serving.budget import visitor
from trustscope.app.work import Lane, compute
from trustscope.scenarios.papers.worker import ExperimentJob

LOOK = 0.2  # seconds between two looks at how far it is


class Runner:
    """Runs one experiment at a time; starting another ends the one before.

    Parameters
    ----------
    on_progress : called, on the page, while it runs
    on_finished : called with the job and its table, or None if it was stopped
    on_failed : called with the job and the exception
    """

    def __init__(
        self,
        on_progress: Callable[[], None],
        on_finished: Callable[[ExperimentJob, pd.DataFrame | None], None],
        on_failed: Callable[[ExperimentJob, Exception], None],
    ):
        self.job: ExperimentJob | None = None
        self._budget = visitor()
        self._progress, self._finished, self._failed = on_progress, on_finished, on_failed
        self._lane = Lane(lambda error: self._ended(on_failed, self.job, error))

    def start(self, job: ExperimentJob) -> None:
        """Run this one."""
        self.job = job
        self._lane.start(partial(self._work, job))
        self._progress()

    def stop(self) -> None:
        """End what runs; that it has ended is told as soon as it has."""
        if self.job is not None:
            self.job.stop()

    def leave(self) -> None:
        """End what runs and tell nobody: the visitor has gone."""
        self._lane.stop()

    async def _work(self, job):
        try:
            with self._budget.experiment():
                await self._watch(job)
        except Exception as error:
            await self._lane.show(partial(self._ended, self._failed, job, error))
        finally:  # another one was started, or the page was left
            job.stop()

    async def _watch(self, job):
        # Threads of their own: a run may take hours, and no picture waits for it.
        waiting = asyncio.ensure_future(compute(job, kind="experiment"))
        # One that was stopped before it found a free processor has nothing that could end.
        while not (waiting.done() or (job.stopped and job.pid is None)):
            await asyncio.wait([waiting], timeout=LOOK)
            await self._lane.show(self._progress)
        table = waiting.result() if waiting.done() else None
        await self._lane.show(partial(self._ended, self._finished, job, table))

    def _ended(self, tell, job, outcome):
        self.job = None
        tell(job, outcome)
