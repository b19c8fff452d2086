"""The Categories page: one sensitive value a person, kept or replaced, and what coalitions make of the copies."""

import asyncio
from functools import partial
from typing import ClassVar

import panel as pn

from trustscope.app.cards import pictures, tabs
from trustscope.app.categories.controls import CategoriesControls
from trustscope.app.categories.differential import DifferentialView
from trustscope.app.categories.pictures import JoiningView, PersonView
from trustscope.app.categories.promises import PromisesView
from trustscope.app.categories.tradeoff import MapView, TradeoffView
from trustscope.app.categories.views import (
    CoalitionsView,
    EveryoneView,
    EvidenceView,
    ExposedView,
    FurtherView,
    MemoryView,
    UsefulnessView,
)
from trustscope.app.controls import Field, slider
from trustscope.app.dashboard import Dashboard
from trustscope.app.desk import TITLES, Desk
from trustscope.app.target import Tracks
from trustscope.app.work import TaskSlot, compute
from trustscope.datasets.patients import TITLES as EXAMPLES
from trustscope.datasets.patients import patients
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.loading import load
from trustscope.scenarios.categories.scenario import PAPER, CategoriesData, CategoriesScenario
from trustscope.scenarios.categories.verdict import headline
from trustscope.scenarios.categories.why import why
from trustscope.scenarios.release.scenario import carried_over
from trustscope.scenarios.scenario import OWN
from trustscope.scenarios.solve.categories import handles, slow, standings
from trustscope.scenarios.solve.standing import binding
from trustscope.scenarios.words import rows_used

OFFERED = {"everyone", "promises", "usefulness"}  # views whose choices depend on the data
WATCHED = 10  # steps in which one copy streams in when it is watched
PAUSE = 0.12  # seconds between two of them
NO_COLUMNS = "None of the chosen columns holds categories or numbers: choose one that does, or another file."


VIEWS = {
    "everyone": EveryoneView, "exposed": ExposedView, "coalitions": CoalitionsView, "promises": PromisesView,
    "usefulness": UsefulnessView, "evidence": EvidenceView, "tradeoff": TradeoffView, "map": MapView,
    "differential": DifferentialView, "joining": FurtherView, "memory": MemoryView,
}  # fmt: skip


class CategoriesDashboard(Dashboard):
    """One sensitive value a person at many levels of trust.

    Parameters
    ----------
    scenario : what to open
    dataset : or the name of a built-in dataset to open it with
    """

    page = "categories"
    kind = CategoriesScenario
    pictures: ClassVar = pictures("categories")
    closers: ClassVar = tabs("categories", VIEWS)
    experts: ClassVar = tabs("categories", VIEWS, expert=True)
    groups: ClassVar = {
        "data": "Data", "recipients": "Who gets a copy", "noise": "How the copies hang together",
        "attacker": "The attacker", "goal": "Target", "more": "More",
    }  # fmt: skip

    def __init__(self, scenario: CategoriesScenario | None = None, dataset: str | None = None, **params):
        if scenario is None and dataset is not None:
            scenario = CategoriesScenario().replace({"data.name": dataset})
        super().__init__(scenario, **params)

    @classmethod
    def scenario_to_open(cls, scenario):
        return scenario or CategoriesScenario()

    # Layout

    def make_controls(self, scenario):
        self.desk = Desk(self.own, EXAMPLES | TITLES, lambda data: None if _usable(data) else NO_COLUMNS)
        return CategoriesControls(scenario, self.desk)

    def build(self):
        self.person, self.joining = PersonView(), JoiningView()
        self._views = {}
        self.closer = self.make_closer()
        pictures = self.make_pictures(self.person, self.joining)
        self.body = pn.Column(pictures, self.closer, sizing_mode="stretch_width", margin=0)
        self.sidebar = pn.Column(self.controls, sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(self.desk.wizard.view, self.headline, self.body, sizing_mode="stretch_width", margin=0)
        self._copying = TaskSlot(self.fail)
        for field in (
            Field("view.person", self.person.number, write=lambda number: number or 1),
            Field("view.person_as", self.person.shown_as),
        ):
            self.controls.add(field)
        self.desk.param.watch(lambda event: self.choose(self.desk.data(CategoriesData, self.desk.asked)), "choices")
        self.controls.paper.param.watch(lambda event: self.controls.change(PAPER), "clicks")
        self.controls.generate.param.watch(lambda event: self._watch(), "starts")
        self.controls.generate.param.watch(lambda event: self._skip(), "stops")
        self.controls.make_copies.param.watch(lambda event: self._make_copies(), "clicks")
        self.controls.target.attach(self)
        self._tracks = Tracks(self, self.controls.recipients, handles, slow)

    def _give(self, settings):
        self.controls.change(self.scenario.replace({"settings": settings}))

    def _made(self, key, kind):
        """A view that was opened for the first time."""
        view = self._views[key] = kind(self._give) if key == "promises" else kind()
        if key in ("tradeoff", "map", "differential"):
            view.bind(self)
        if key in OFFERED:
            self.controls.offers.append(view.offer)
            if self.model is not None:
                view.offer(self.scenario, self.model)
        for field in _fields(key, view):
            self.controls.add(field)
        if self.picture is not None:
            self._show_closer(self.picture)
        self.view_made()
        return view

    def views(self):
        return {"first": self.person, "second": self.joining, **self._views}

    # Data

    def moved_to(self, scenario, data):
        return scenario.replace({
            "data": data, "view.person": None, "view.value": "", "view.among": "", "view.label": "",
        })  # fmt: skip

    def fetch(self, scenario):
        return patients(scenario.data.name) if scenario.data.name in EXAMPLES else self.desk.fetch(scenario)

    def load(self, data, scenario):
        return load(data, scenario)

    def fit_to_data(self, scenario, model):
        return model.fit_to_data(scenario)

    def arrived(self):
        self.info = f"{self.data.title}, {rows_used(self.model.rows, self.data.rows)}"
        self.desk.load(self.data, self.scenario.data.name)
        self.controls.load(self.model)
        self.person.load(self.model.rows)
        self.body.visible = True

    # Pictures

    def preview(self, model, scenario):
        return model.preview(scenario)

    def passes(self, model, scenario):
        return model.stream(scenario)

    def bound(self, model, scenario, picture):
        return binding(standings(model, scenario.settings))

    def draw_picture(self, picture):
        noun = self.model.noun
        self.controls.generate.param.update(
            fraction=picture.rows / picture.total, running=False, text=words.generated(picture, noun)
        )
        if picture.total == self.model.rows and not picture.complete:
            return
        self.headline.say(**vars(headline(picture, noun)), why=why(picture, self.model, self.binding))
        self.person.show_picture(picture, self.model)
        self.joining.show_picture(picture, self.model)
        self._show_closer(picture)

    def _show_closer(self, picture):
        view = self._views.get(picture.scenario.view.closer)
        if view is not None:
            view.show_picture(picture, self.model)

    def say(self, title, text):
        self.controls.generate.param.update(running=False, text="", fraction=0.0)
        super().say(title, text)

    def cleared(self):
        self.body.visible = False

    def _make_copies(self):
        """The same recipients on the page where copies are made for real."""
        settings, name = self.scenario.settings, self.scenario.data.name
        dataset = None if name == OWN else name
        changes = carried_over(settings.recipients, scheme=settings.scheme, dataset=dataset, what="retention")
        self.wanted = ("release", changes)
        self.wanted = None

    # Watching copies being made

    def _watch(self):
        if self.model is None:
            return
        self._passes.stop()
        if self.scenario.view.closer != "everyone":
            self.controls.change(self.scenario.replace({"view.closer": "everyone"}))
            self._passes.stop()
        model = self.model
        steps = model.copying(self.scenario, max(1, -(-model.rows // WATCHED)))

        async def work():
            while (step := await compute(next, steps, None)) is not None:
                await self._copying.show(partial(self._show_copying, step))
                await asyncio.sleep(PAUSE)
            await self._copying.show(self._skip)

        self.controls.generate.running = True
        self._copying.start(work)

    def _show_copying(self, step):
        self.controls.generate.param.update(running=True, fraction=step.fraction, text=step.text)
        if "everyone" in self._views:
            self._views["everyone"].show_copying(step, self.model)
        if self.picture is not None:
            self.person.show_picture(self.picture, self.model, set(step.held), step.where)

    def interrupted(self):
        self._copying.stop()  # its steps are of the data that stood there when it began

    def _skip(self):
        self._copying.stop()
        self.controls.generate.running = False
        self._draw(settled=True)


def _usable(data) -> bool:
    return bool(data.categorical or data.numeric)


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
