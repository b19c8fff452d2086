"""A long call on a ledger, in a thread: how far it is, and a way to call it off."""

from collections.abc import Callable
from typing import Any

from trustscope.app import jobs
from trustscope.app.problem import explain_error
from trustscope.app.release.telling import without_paths
from trustscope.release import Cancelled, Problem
from trustscope.scenarios.release import words
from trustscope.widgets.controls.task import Task

LONGEST = 24 * 3_600.0  # seconds: large files are written for hours
CALLED_OFF = "Called off: nothing of it is left behind."


class Job:
    """Shows one call at a time in a task's bar; leaving the page calls it off, and nothing of it is left behind.

    Parameters
    ----------
    task : where it is shown
    what : what is done, in words
    of : what is counted
    """

    def __init__(self, task: Task, what: str, of: str = "rows"):
        self._task, self._what, self._of = task, what, of
        self._told: Callable[[object], str] = without_paths
        self._job = jobs.Job(self._broken, self._show, kind="release", longest=LONGEST)
        task.param.watch(lambda event: self.stop(), "stops")

    @property
    def running(self) -> bool:
        """Whether something is under way."""
        return self._job.running

    def start(
        self, call: Callable[..., Any], finished: Callable[[Any], str], told: Callable[[object], str] = without_paths
    ) -> None:
        """Do `call(progress=, cancel=)` in a thread, and `finished(result)` on the page; the latter says what to write.

        While something is under way nothing else is begun. What goes wrong is said as `told` says it.
        """
        if self.running:
            return
        self._told = told

        def work(run: jobs.Run) -> tuple[Any, str]:
            def note(done: int, total: int | None) -> None:
                run.progress(done / total if total else 0.0, words.making(done, total, self._what, self._of))

            note(0, None)
            try:
                return call(progress=note, cancel=run.stopping), ""
            except Cancelled:
                return None, CALLED_OFF
            except Problem as problem:
                return None, str(problem)

        self._task.param.update(running=True, fraction=0.0, text=words.making(0, None, self._what))
        self._job.start(work, lambda run, made: self._ended(made or (None, CALLED_OFF), finished))

    def stop(self) -> None:
        """Call it off."""
        if self.running:
            self._job.cancel()
        elif self._task.running:  # it ended while the connection was lost, when nothing could be shown
            self._task.param.update(running=False, fraction=0.0, text=CALLED_OFF)

    def _show(self, run: jobs.Run) -> None:
        self._task.param.update(running=True, fraction=run.fraction, text=run.text)

    def _ended(self, made: tuple[Any, str], finished: Callable[[Any], str]) -> None:
        result, sentence = made
        self._task.param.update(running=False, fraction=0.0)
        try:
            self._task.text = self._told(sentence or finished(result))
        except Problem as problem:
            self._task.text = self._told(problem)

    def _broken(self, error: Exception) -> None:
        self._task.param.update(running=False, fraction=0.0, text=" ".join(explain_error(error, "release")))
