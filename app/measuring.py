"""What a card does that is drawn at once where there is a closed form, and step by step where something is measured."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import panel as pn

from trustscope.app.abstract import Abstract
from trustscope.app.controls import Field
from trustscope.app.jobs import Job
from trustscope.app.problem import explain_error
from trustscope.app.work import TaskSlot
from trustscope.widgets.controls.task import Task


class Measuring(pn.viewable.Viewer, metaclass=Abstract):
    """A view with a task: its progress, and a button that ends it or lets it go on.

    A subclass says in `_show` how a step is drawn: anything with `done`, `total` and `complete`.

    Parameters
    ----------
    what : what is measured, for the progress bar and for the log where it fails
    """

    def __init__(self, what: str):
        super().__init__()
        self._what, self._shown, self._stopped = what, None, False
        self._key: Hashable = None
        self._make: Callable[[], Iterator[Any]] | None = None
        self._slot, self._job = TaskSlot(self._failed), Job(self._failed)
        self._page: Any = None
        self.task = Task(label=f"{what}: measured", start_text="Go on measuring", stop_text="Stop", away=True)
        self.task.param.watch(lambda event: self._start(), "starts")
        self.task.param.watch(lambda event: self._stop(), "stops")

    def bind(self, page: Any) -> None:
        """The page that it stands on: what is chosen here becomes part of its controls."""
        self._page = page
        for field in self.fields():
            page.controls.add(field)

    def fields(self) -> Iterator[Field]:
        """The choices, and the parts of the scenario that they stand for."""
        return iter(())

    def draw(self, make: Callable[[], Iterator[Any]], key: Hashable, *, measured: bool, settled: bool) -> None:
        """Draw something else.

        Parameters
        ----------
        make : gives the steps; they are computed in threads
        key : of all that they depend on: what is drawn already is not drawn again
        measured : whether it takes long; it is then begun only when nothing moves
        settled : whether nothing moves
        """
        complete = self._shown is not None and self._shown.complete
        if key == self._key and (self._slot.busy or self._job.running or complete or self._stopped):
            return
        if measured and not settled:
            return
        self._key, self._make = key, make
        if measured:
            self._start()
        else:
            self._job.drop()
            self.task.param.update(running=False, away=True)
            self._slot.latest(lambda: next(make()), self._step)

    def hide(self) -> None:
        """Nobody looks: end what is under way."""
        self._end()
        self.task.running, self._key = False, None

    def _start(self) -> None:
        if self._make is None:
            return
        self._end()
        self._stopped = False
        self.task.param.update(running=True, away=False, text="Measuring …", fraction=0.0)
        self._job.each(self._make(), self._step)

    def _stop(self) -> None:
        self._end()
        self._stopped = True
        self.task.param.update(running=False, text="Stopped. What is drawn was measured.")

    def _end(self) -> None:
        self._slot.stop()
        self._job.drop()

    def _step(self, step: Any) -> None:
        self._shown = step
        running = not step.complete
        text = f"{step.done} of {step.total} measured" if running else "All is measured."
        self.task.param.update(running=running, away=not running, fraction=step.done / max(step.total, 1), text=text)
        self._show(step)

    @abstractmethod
    def _show(self, step: Any) -> None:
        """Draw one step."""

    def _failed(self, error: Exception) -> None:
        self._key = None
        self.task.param.update(running=False, away=False, text=" ".join(explain_error(error, self._what)))
