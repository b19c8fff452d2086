"""The fold "Target" of a page: requirements, the answer to them, and applying it; solved beside the loop."""

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import panel as pn

from trustscope.app.controls import Field
from trustscope.app.dashboard import Dashboard
from trustscope.app.problem import explain_error
from trustscope.app.work import TaskSlot, compute
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.solve.requirement import MOST
from trustscope.scenarios.solve.solution import Solution
from trustscope.scenarios.words import count
from trustscope.widgets.controls.choice import Choices
from trustscope.widgets.controls.recipients import Recipients
from trustscope.widgets.controls.targets import Targets
from trustscope.widgets.frame.fold import Fold

NOTHING = "No target yet: say what must hold"


class Purpose(Protocol):
    """What one page can be asked for."""

    kinds: list[tuple[str, str]]
    rule: str
    # What stands on the page, and a model of its data.
    _scenario: Any = None
    _model: Any = None

    def make(self, what: str) -> Any:
        """A requirement of this kind."""

    def edit(self, requirement: Any, name: str, value: Any) -> Any:
        """The requirement with one field changed; a ValueError with a sentence where that cannot be."""

    def describe(self, requirement: Any) -> dict:
        """Its line and its fields, as `Targets` draws them."""

    def follow(self, scenario: Scenario, model: Any) -> None:
        """What stands on the page: what can be chosen depends on it."""
        self._scenario, self._model = scenario, model

    def solver(self, model: Any, scenario: Scenario) -> Callable[[], Solution]:
        """What finds, in a thread, what keeps the requirements; it holds all that it needs, as it stands now."""

    def since(self, asked: Scenario, now: Scenario) -> str:
        """What has changed since it was solved without being solved anew, in a sentence; empty where nothing has."""
        return ""


class TargetFold(pn.viewable.Viewer):
    """The controls and the answer.

    Parameters
    ----------
    purpose : Purpose
    apply : called with the scenario that keeps the target
    extra : further controls, such as who is locked
    """

    def __init__(self, purpose: Purpose, apply: Callable[[Scenario], None], *extra):
        super().__init__()
        self.purpose, self._apply = purpose, apply
        self.targets = Targets(
            purpose.make, purpose.edit, purpose.describe, kinds=[list(one) for one in purpose.kinds], most=MOST,
            note=purpose.rule,
        )  # fmt: skip
        self.fold = Fold("Target", self.targets, *extra, line=NOTHING)
        self._extra = extra
        self._slot = TaskSlot(self._failed)
        self._solution: Solution | None = None
        self._dashboard: Dashboard | None = None
        self._asked: tuple = ()
        self.targets.param.watch(lambda event: self._clicked(), "applies")

    @property
    def field(self) -> Field:
        """The requirements, as a control of the page."""
        return Field("settings.requirements", self.targets)

    def describe(self, scenario: Scenario, model: Any) -> None:
        """Bring what can be chosen, and what is said, up to a scenario."""
        self.purpose.follow(scenario, model)
        self.targets.draw()
        required = scenario.settings.requirements
        lines = [self.purpose.describe(one)["line"] for one in required]
        self.fold.line = NOTHING if not lines else lines[0] if len(lines) == 1 else f"{count(len(lines))} requirements"
        for one in self._extra:
            one.visible = bool(required)
        if not required:
            self._forget()
        elif self._solution is not None:
            self._show(self._solution, scenario)

    def solve(self, model: Any, scenario: Scenario) -> None:
        """Find what keeps the target of a settled scenario, in a thread; nothing where it has been found."""
        if model is None or not scenario.settings.requirements:
            self._forget()
            return
        asked = (model, scenario.data, scenario.seed, scenario.settings)
        if asked == self._asked:
            return
        self._asked, self._solution = asked, None
        self.targets.answers = [_line("working", "Solving …", "", working=True)]

        solver = self.purpose.solver(model, scenario)

        async def work():
            found = await compute(solver)
            await self._slot.show(partial(self._found, found))

        self._slot.start(work)

    def attach(self, dashboard: Dashboard) -> None:
        """Solve whenever something has been let go on a page, or its data have arrived."""
        self._dashboard = dashboard

        def asked(*events):
            if dashboard.loaded:  # otherwise the model is of other data
                self.solve(dashboard.model, dashboard.scenario)

        dashboard.param.watch(asked, ["settled", "loads"])

    def _found(self, solution):
        self._solution = solution
        self._show(solution, solution.asked)

    def _show(self, solution, scenario):
        since = self.purpose.since(solution.asked, scenario)
        self.targets.answers = [
            _line(
                one.key, one.title, one.text if one.hint else f"{one.text} {since}".strip(), can=one.found,
                hint=one.hint,
                stands=bool(one.changes) and all(scenario.at(path) == value for path, value in one.changes.items()),
            )
            for one in solution.answers
        ]  # fmt: skip

    def _forget(self):
        self._slot.stop()
        self._solution, self._asked = None, ()
        if self.targets.answers:
            self.targets.answers = []

    def _clicked(self):
        if self._solution is None:
            return
        found = self._solution.scenario(self.targets.applied)
        if found.page == self._solution.asked.page:
            self._apply(found)
        elif self._dashboard is not None:  # what was found stands on another page
            self._dashboard.wanted = (found.page, {"data": found.data, "seed": found.seed, "settings": found.settings})
            self._dashboard.wanted = None

    def _failed(self, error):
        self._asked = ()
        self.targets.answers = [_line("failed", *explain_error(error, "target"))]

    def __panel__(self):
        return self.fold


class Tracks:
    """The bands on the trust sliders of a page: what each position would mean, computed beside the loop.

    Parameters
    ----------
    dashboard : Dashboard
    recipients : the control with the sliders
    handles : called with the model and the settings, in a thread; returns a `Handle` for each recipient's number
    slow : whether that takes too long to follow a drag: then there are no bands until the slider is let go
    """

    def __init__(
        self, dashboard: Dashboard, recipients: Recipients, handles: Callable,
        slow: Callable[[Any], bool] = lambda settings: False,
    ):  # fmt: skip
        self._recipients, self._handles, self._slow = recipients, handles, slow
        self._slot = TaskSlot(dashboard.fail)

        def moved(*events):
            if not dashboard.loaded:
                return
            moving = dashboard.scenario.settings != dashboard.settled.settings
            self._follow(dashboard.model, dashboard.scenario.settings, moving)

        dashboard.param.watch(moved, ["scenario", "settled", "loads"])

    def _follow(self, model, settings, moving):
        if model is None or not settings.requirements or (moving and self._slow(settings)):
            self._slot.stop()
            self._recipients.risks = {}
        else:
            self._slot.latest(lambda: self._handles(model, settings), self._show)

    def _show(self, found):
        self._recipients.risks = {
            number: {"runs": [list(run) for run in one.runs], "said": one.said, "told": one.told}
            for number, one in found.items()
        }


# Who is locked


def locks() -> Choices:
    """Whose trust a solved target leaves alone."""
    return Choices(
        label="Already hold their copy: their trust stays", label_shown=True, margin=(8, 0, 0, 0), visible=False
    )


def lock_field(widget: Choices) -> Field:
    """The locked recipients, as a control of the page."""
    return Field(
        "settings.locked", widget, read=lambda value: tuple(int(one) for one in value),
        write=lambda numbers: [str(number) for number in numbers],
    )  # fmt: skip


def offer_locks(widget: Choices, settings: Any) -> None:
    """Offer the recipients."""
    widget.options = [
        (str(r.number), r.name, f"{r.name} keeps {r.trust} % whatever is solved") for r in settings.recipients
    ]


def without_strangers(scenario: Scenario) -> Scenario:
    """Recipients have changed: whoever is gone is not locked any more."""
    there = {r.number for r in scenario.settings.recipients}
    locked = tuple(number for number in scenario.settings.locked if number in there)
    return scenario if locked == scenario.settings.locked else scenario.replace({"settings.locked": locked})


def _line(key, title, text, *, can=False, stands=False, working=False, hint=False) -> dict:
    return {"key": key, "title": title, "text": text, "can": can, "stands": stands, "working": working, "hint": hint}
