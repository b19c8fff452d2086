"""What can be taken along from a page: a report, slides, a script, a notebook; made beside the page, with progress."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from trustscope.app.own import OwnData
from trustscope.app.problem import told
from trustscope.app.work import Lane, compute
from trustscope.datasets import Dataset
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.whole import Stopped

LOOK = 0.2  # seconds between two looks at the progress


@dataclass(frozen=True)
class File:
    """A file for the person: its name, its text, its kind."""

    name: str
    text: str
    kind: str


class _Order:
    """One thing that is being made, in a thread: how far it is, and whether it is still wanted."""

    def __init__(self, what: str, scenarios: Sequence[Scenario], own: Dataset | None):
        self.what, self.scenarios, self.own = what, scenarios, own
        self.fraction, self.text, self.cancelled = 0.0, "", False

    def __call__(self) -> File | None:
        try:
            return MAKERS[self.what](self)
        except Stopped:
            return None

    def progress(self, fraction: float, text: str) -> None:
        self.fraction, self.text = fraction, text


def _report(order: _Order) -> File:
    from trustscope.scenarios.report import report

    text = report(order.scenarios, progress=order.progress, cancel=lambda: order.cancelled, own=order.own)
    return File(f"trustscope-{order.scenarios[-1].page}-report.html", text, "text/html")


def _script(order: _Order) -> File:
    from trustscope.scenarios.code import script

    scenario = order.scenarios[-1]
    return File(f"trustscope_{scenario.page}.py", script(scenario, order.own), "text/x-python")


def _notebook(order: _Order) -> File:
    from trustscope.scenarios.code import notebook

    scenario = order.scenarios[-1]
    return File(f"trustscope_{scenario.page}.ipynb", notebook(scenario, order.own), "application/x-ipynb+json")


def _slides(order: _Order) -> File:
    from trustscope.scenarios.report import slides

    text = slides(order.scenarios, progress=order.progress, cancel=lambda: order.cancelled, own=order.own)
    return File("trustscope-slides.html", text, "text/html")


MAKERS: dict[str, Callable[[_Order], File]] = {
    "report": _report, "slides": _slides, "script": _script, "notebook": _notebook,
}  # fmt: skip


class Taking:
    """Makes what is asked for, one thing at a time.

    Parameters
    ----------
    own : the visitor's own data
    show : called with what is under way: what, fraction, text; empty when nothing is
    give : called with a file
    say : called with a sentence where there is none
    """

    def __init__(
        self, own: OwnData, show: Callable[[dict[str, Any]], None], give: Callable[[File], None],
        say: Callable[[str], None],
    ):  # fmt: skip
        self._own, self._show, self._give, self._say = own, show, give, say
        self._lane = Lane(self._failed)
        self._order: _Order | None = None

    def start(self, what: str, scenarios: Sequence[Scenario]) -> None:
        """Make it; where something else is being made, that is given up."""
        if what not in MAKERS:
            return
        self.cancel()
        order = self._order = _Order(what, scenarios, self._own.dataset)
        self._show({"what": what, "fraction": 0.0, "text": "It is being made …"})

        async def work():
            job = asyncio.ensure_future(compute(order))
            while not job.done():
                await asyncio.wait([job], timeout=LOOK)
                seen = {"what": what, "fraction": order.fraction, "text": order.text or "It is being made …"}
                await self._lane.show(lambda seen=seen: self._show(seen))
            await self._lane.show(lambda: self._done(job.result()))

        self._lane.start(work)

    def cancel(self) -> None:
        """It is not wanted any more."""
        if self._order is not None:
            self._order.cancelled = True
        self._order = None
        self._lane.stop()
        self._show({})

    def _done(self, file: File | None) -> None:
        self._order = None
        self._show({})
        if file is not None:
            self._give(file)

    def _failed(self, error: Exception) -> None:
        self._order = None
        self._show({})
        self._say(str(error) if isinstance(error, ScenarioProblem) else " ".join(told(error, "take along")))
