"""One experiment of one visitor, run in a process of its own, and watched from the page."""

from collections.abc import Callable

import pandas as pd

from trustscope.app.jobs import Job
from trustscope.app.serving.budget import server, visitor
from trustscope.app.serving.plan import current
from trustscope.scenarios.papers.worker import ExperimentJob

LONGEST = 24 * 3_600.0  # seconds: the longest experiments take hours
TURN = 1_800.0  # seconds after which a run ends as soon as another one waits or was refused, where others are served


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
        # Threads of their own: a run may take hours, and no picture waits for it.
        self._job = Job(self._broken, lambda run: on_progress(), kind="experiment", longest=LONGEST)

    def start(self, job: ExperimentJob) -> None:
        """Run this one."""
        plan = current()
        job.turn, job.wanted = TURN if plan is not None and plan.for_others else None, server().makes_way
        self.job = job
        self._job.start(
            lambda run: job(), lambda run, table: self._ended(self._finished, job, table), job.stop,
            self._budget.experiment(),
        )  # fmt: skip
        self._progress()

    def stop(self) -> None:
        """End what runs; that it has ended is told as soon as it has."""
        self._job.cancel()

    def leave(self) -> None:
        """End what runs and tell nobody: the visitor has gone."""
        self._job.drop()

    def _broken(self, error: Exception) -> None:
        if self.job is not None:
            self._ended(self._failed, self.job, error)

    def _ended(self, tell, job, outcome):
        self.job = None
        tell(job, outcome)
