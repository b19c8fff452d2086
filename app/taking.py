"""What can be taken along from a page: report, slides, explorable, film, script, notebook; made beside the page."""

from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import Any

from trustscope.app.jobs import Job, Run
from trustscope.app.own import OwnData
from trustscope.app.problem import explain_error
from trustscope.datasets import Dataset
from trustscope.extras import MissingExtra, require
from trustscope.handouts.explorable.levers import PAGES as EXPLORED
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.whole import Stopped

MAKING = "It is being made …"
POWERPOINT = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
MOST_POSITIONS = 2_400  # of an explorable that is asked for on a page: others wait for the same machine


@dataclass(frozen=True)
class File:
    """A file for the person: its name, its content, its kind."""

    name: str
    content: str | bytes
    kind: str


@dataclass(frozen=True)
class _Order:
    """What is to be made, of what, and the run that makes it."""

    what: str
    scenarios: Sequence[Scenario]
    own: Dataset | None
    run: Run

    def make(self) -> File | None:
        """Make it, in a thread; None where it was given up."""
        try:
            return MAKERS[self.what](self)
        except Stopped:
            return None

    @property
    def how(self) -> dict[str, Any]:
        """How far it is goes there, and whether it is still wanted is asked here."""
        return {"progress": self.run.progress, "cancel": lambda: self.run.cancelled, "own": self.own}


def _report(order: _Order) -> File:
    from trustscope.handouts.report import report

    text = report(order.scenarios, **order.how)
    return File(f"trustscope-{order.scenarios[-1].page}-report.html", text, "text/html")


def _pdf(order: _Order) -> File:
    from trustscope.app.desktop.printing import found_browser, pdf
    from trustscope.handouts.report import report

    found_browser()
    made = pdf(report(order.scenarios, **order.how))
    return File(f"trustscope-{order.scenarios[-1].page}-report.pdf", made, "application/pdf")


def _script(order: _Order) -> File:
    from trustscope.scenarios.code import script

    scenario = order.scenarios[-1]
    return File(f"trustscope_{scenario.page}.py", script(scenario, order.own), "text/x-python")


def _notebook(order: _Order) -> File:
    from trustscope.scenarios.code import notebook

    scenario = order.scenarios[-1]
    return File(f"trustscope_{scenario.page}.ipynb", notebook(scenario, order.own), "application/x-ipynb+json")


def _slides(order: _Order) -> File:
    from trustscope.handouts.report import slides

    text = slides(order.scenarios, **order.how)
    return File("trustscope-slides.html", text, "text/html")


def _powerpoint(order: _Order) -> File:
    require("paper")
    from trustscope.handouts.report.powerpoint import powerpoint

    return File("trustscope-slides.pptx", powerpoint(order.scenarios, **order.how), POWERPOINT)


def _explorable(order: _Order) -> File:
    from trustscope.app.explorable import explorable

    scenario = order.scenarios[-1]
    # A page of its own, which nobody sees: it must not take itself for a part of the visitor's.
    text = Context().run(partial(explorable, scenario, most=MOST_POSITIONS, **order.how))
    return File(f"trustscope-{scenario.page}-explorable.html", text, "text/html")


def _film(order: _Order) -> File:
    from trustscope.handouts.film import film

    scenario = order.scenarios[-1]
    # A GIF also plays in slides and in mail, where an APNG stands still.
    return File(f"trustscope-{scenario.page}-film.gif", film(scenario, ".gif", **order.how), "image/gif")


MAKERS: dict[str, Callable[[_Order], File]] = {
    "report": _report, "pdf": _pdf, "slides": _slides, "powerpoint": _powerpoint, "explorable": _explorable,
    "film": _film, "script": _script, "notebook": _notebook,
}  # fmt: skip


def offered_on(page: str) -> list[str]:
    """What can be taken along from a page."""
    pooling = page in EXPLORED  # the same pages are filmed: those with recipients who pool
    return [what for what in MAKERS if pooling or what not in ("explorable", "film")]


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
        self, own: OwnData, show: Callable[[dict[str, Any]], object], give: Callable[[File], None],
        say: Callable[[str], None],
    ):  # fmt: skip
        self._own, self._show, self._give, self._say = own, show, give, say
        self._what = ""
        self._job = Job(self._failed, self._progress)

    def start(self, what: str, scenarios: Sequence[Scenario]) -> None:
        """Make it; where something else is being made, that is given up."""
        if what not in MAKERS:
            return
        self.cancel()
        self._what, own = what, self._own.dataset
        self._show({"what": what, "fraction": 0.0, "text": MAKING})
        self._job.start(lambda run: _Order(what, scenarios, own, run).make(), self._ended)

    def cancel(self) -> None:
        """It is not wanted any more."""
        self._job.drop()
        self._show({})

    def _progress(self, run: Run) -> None:
        self._show({"what": self._what, "fraction": run.fraction, "text": run.text or MAKING})

    def _ended(self, run: Run, file: File | None) -> None:
        self._show({})
        if file is not None:
            self._give(file)

    def _failed(self, error: Exception) -> None:
        self._show({})
        self._say(
            str(error)
            if isinstance(error, ScenarioProblem | MissingExtra)
            else " ".join(explain_error(error, "take along"))
        )
