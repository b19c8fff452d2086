"""The Categories page: one sensitive value a person, kept or replaced, and what coalitions make of the copies."""

from functools import partial
from typing import ClassVar

from trustscope.app.cards import LinesView, pictures, tabs
from trustscope.app.categories.controls import CategoriesControls
from trustscope.app.categories.differential import DifferentialView
from trustscope.app.categories.pictures import POOLING, PersonView
from trustscope.app.categories.promises import PromisesView
from trustscope.app.categories.tradeoff import MapView, TradeoffView
from trustscope.app.categories.views import EveryoneView, EvidenceView, ExposedView, MemoryView, UsefulnessView
from trustscope.app.controls import Field, slider
from trustscope.app.copied import CoalitionsView, JoiningView
from trustscope.app.copies import CopiesDashboard
from trustscope.app.desk import TITLES, Desk, stands_first
from trustscope.datasets.patients import TITLES as EXAMPLES
from trustscope.datasets.patients import patients
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.loading import candidates
from trustscope.scenarios.categories.scenario import PAPER, CategoriesScenario
from trustscope.scenarios.categories.verdict import headline
from trustscope.scenarios.categories.why import why
from trustscope.scenarios.solve.categories import handles, slow, standings
from trustscope.scenarios.solve.standing import binding

OFFERED = {"everyone", "promises", "usefulness"}  # views whose choices depend on the data
NO_COLUMNS = "None of the chosen columns holds categories or numbers: choose one that does, or another file."


VIEWS = {
    "everyone": EveryoneView, "exposed": ExposedView,
    "coalitions": partial(CoalitionsView, "categories", "What every coalition finds out"), "promises": PromisesView,
    "usefulness": UsefulnessView, "evidence": EvidenceView, "tradeoff": TradeoffView, "map": MapView,
    "differential": DifferentialView,
    "joining": partial(LinesView, "categories", "joining", "Belief in the true value as ever more recipients join"),
    "memory": MemoryView,
}  # fmt: skip


class CategoriesDashboard(CopiesDashboard):
    """One sensitive value a person at many levels of trust."""

    page = "categories"
    kind = CategoriesScenario
    pictures: ClassVar = pictures("categories")
    closers: ClassVar = tabs("categories", VIEWS)
    experts: ClassVar = tabs("categories", VIEWS, expert=True)
    groups: ClassVar = {
        "data": "Data", "recipients": "Who gets a copy", "noise": "How the copies hang together",
        "attacker": "The attacker", "goal": "Target", "more": "More",
    }  # fmt: skip

    # Layout

    def make_controls(self, scenario):
        self.desk = Desk(
            self.own, EXAMPLES | TITLES, _refusal,
            lambda data: stands_first(self.scenario.data.column, candidates(data, own=True)),
        )  # fmt: skip
        return CategoriesControls(scenario, self.desk)

    def build(self):
        joining = JoiningView("categories", "What is found out as more recipients pool their copies", POOLING)
        self.lay_out(PersonView(), joining, handles, slow)
        self.controls.paper.param.watch(lambda event: self.controls.change(PAPER), "clicks")

    def _give(self, settings):
        self.controls.change(self.scenario.replace({"settings": settings}))

    def _made(self, key, kind):
        view = kind(self._give) if key == "promises" else kind()
        if key in OFFERED:
            self.controls.offers.append(view.offer)
            if self.model is not None:
                view.offer(self.scenario, self.model)
        for field in _fields(key, view):
            self.controls.add(field)
        return self.opened(key, view)

    # Data

    def moved_to(self, scenario, data):
        if secret := self.desk.secret(data):
            data = data.replace({"column": secret})
        return scenario.replace({
            "data": data, "view.person": None, "view.value": "", "view.among": "", "view.label": "",
        })  # fmt: skip

    def with_secret(self, scenario):
        if self.desk.secret(scenario.data) in ("", scenario.data.column):
            return scenario
        return self.moved_to(scenario, scenario.data)

    def fetch(self, scenario):
        return patients(scenario.data.name) if scenario.data.name in EXAMPLES else self.desk.fetch(scenario)

    def arrived(self):
        super().arrived()
        self.controls.load(self.model)

    # Pictures

    def bound(self, model, scenario, picture):
        return binding(standings(model, scenario.settings))

    def count_copies(self, picture):
        return words.generated(picture, self.model.noun)

    def verdict_of(self, picture):
        return {**vars(headline(picture, self.model.noun)), "why": why(picture, self.model, self.binding)}

    def carried(self, settings):
        return {"what": "retention"}

    # Watching copies being made

    def steps_of_copying(self, chunk):
        return self.model.copying(self.scenario, chunk)

    def show_step(self, step, everyone):
        if everyone is not None:
            everyone.show_copying(step, self.model)
        if self.picture is not None:
            self.person.show_picture(self.picture, self.model, set(step.held), step.where)


def _refusal(data) -> str | None:
    return None if data.categorical or data.numeric else NO_COLUMNS


def _fields(key: str, view):
    """The controls of a view, and the parts of the scenario that they stand for."""
    if key in ("everyone", "promises"):
        yield Field("view.whose", view.whose)
    if key in ("everyone", "usefulness"):
        yield Field("view.value", view.value)
    if key == "usefulness":
        yield Field("view.among", view.among)
        yield Field("view.label", view.label)
    if key == "promises":
        yield slider("settings.promise.rho1", view.rho1, read=int)
        yield slider("settings.promise.rho2", view.rho2, read=int)
        yield slider("settings.promise.delta", view.delta, read=int)
