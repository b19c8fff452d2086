"""The Trust page: numbers at many trust levels, and what coalitions make of them."""

import asyncio
from functools import partial
from typing import ClassVar

import panel as pn

from trustscope.app.cards import pictures, tabs
from trustscope.app.controls import Field
from trustscope.app.dashboard import Dashboard
from trustscope.app.desk import TITLES, Desk
from trustscope.app.target import Tracks
from trustscope.app.trust.controls import TrustControls
from trustscope.app.trust.differential import DifferentialView
from trustscope.app.trust.pictures import JoiningView, PersonView
from trustscope.app.trust.tradeoff import MapView, TradeoffView
from trustscope.app.trust.utility import UtilityView
from trustscope.app.trust.views import (
    AttackersView,
    ClosenessView,
    CoalitionsView,
    EveryoneView,
    ExposedView,
    SpectrumView,
)
from trustscope.app.work import TaskSlot, compute
from trustscope.scenarios.release.scenario import carried_over
from trustscope.scenarios.scenario import OWN
from trustscope.scenarios.solve.handles import handles, standings
from trustscope.scenarios.solve.standing import binding
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.loading import load
from trustscope.scenarios.trust.order import make_dataset
from trustscope.scenarios.trust.scenario import MADE, TrustData, TrustScenario
from trustscope.scenarios.trust.verdict import headline
from trustscope.scenarios.trust.why import why
from trustscope.scenarios.words import rows_used

LOADED = {"usefulness", "tradeoff"}  # views that need the data themselves
WATCHED = 10  # steps in which one copy streams in when it is watched
PAUSE = 0.12  # seconds between two of them
NO_NUMBERS = (
    "None of the chosen columns holds numbers, and noise can only be added to numbers: choose a numeric column, or "
    "another file."
)


VIEWS = {
    "everyone": EveryoneView, "exposed": ExposedView, "closeness": ClosenessView, "coalitions": CoalitionsView,
    "attackers": AttackersView, "usefulness": UtilityView, "tradeoff": TradeoffView, "map": MapView,
    "differential": DifferentialView, "spectrum": SpectrumView,
}  # fmt: skip


class TrustDashboard(Dashboard):
    """Numbers at many trust levels.

    Parameters
    ----------
    scenario : what to open
    dataset : or the name of a built-in dataset to open it with
    """

    page = "trust"
    kind = TrustScenario
    pictures: ClassVar = pictures("trust")
    closers: ClassVar = tabs("trust", VIEWS)
    experts: ClassVar = tabs("trust", VIEWS, expert=True)
    groups: ClassVar = {
        "data": "Data", "recipients": "Who gets a copy", "noise": "Noise of the copies", "attacker": "The attacker",
        "hit": "A guess counts as a hit", "goal": "Target", "more": "More",
    }  # fmt: skip

    def __init__(self, scenario: TrustScenario | None = None, dataset: str | None = None, **params):
        if scenario is None and dataset is not None:
            scenario = TrustScenario().replace({"data.name": dataset})
        super().__init__(scenario, **params)

    @classmethod
    def scenario_to_open(cls, scenario):
        return scenario or TrustScenario()

    # Layout

    def make_controls(self, scenario):
        self.desk = Desk(self.own, TITLES, lambda data: None if data.numeric else NO_NUMBERS)
        return TrustControls(scenario, self.desk)

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
        self.desk.param.watch(lambda event: self.choose(self.desk.data(TrustData, self.desk.asked)), "choices")
        self.controls.generate.param.watch(lambda event: self._watch(), "starts")
        self.controls.generate.param.watch(lambda event: self._skip(), "stops")
        self.controls.make_copies.param.watch(lambda event: self._make_copies(), "clicks")
        self.controls.target.attach(self)
        self._tracks = Tracks(self, self.controls.recipients, handles)

    def _made(self, key, kind):
        """A view that was opened for the first time."""
        view = self._views[key] = kind()
        if key == "everyone":
            self.controls.add(Field("view.copies_as", view.shown_as))
            self.controls.add(Field("view.cloud_of", view.cloud_of, write=lambda name: name or view.cloud_of.value))
        if key == "closeness":
            self.controls.add(Field("view.errors_as", view.shown_as))
        if key in ("tradeoff", "map", "differential"):
            view.bind(self)
        if key in LOADED and self.model is not None:
            view.load(self.model, self.data)
        if self.picture is not None:
            self._show_closer(self.picture)
        self.view_made()
        return view

    def views(self):
        return {"first": self.person, "second": self.joining, **self._views}

    # Data

    def moved_to(self, scenario, data):
        return scenario.replace({"data": data, "view.person": None, "settings.eps": None, "settings.attribute": ""})

    def fetch(self, scenario):
        return make_dataset(scenario.data.order) if scenario.data.name == MADE else self.desk.fetch(scenario)

    def load(self, data, scenario):
        return load(data, scenario)

    def fit_to_data(self, scenario, model):
        return model.fit_to_data(scenario)

    def arrived(self):
        self.info = f"{self.data.title}, {rows_used(self.model.rows, self.data.rows)}"
        self.desk.load(self.data, self.scenario.data.name)
        self.controls.load(self.model, self.data)
        self.person.load(self.model.rows)
        self.body.visible = True
        for key in LOADED & self._views.keys():
            self._views[key].load(self.model, self.data)

    # Pictures

    def preview(self, model, scenario):
        return model.preview(scenario)

    def passes(self, model, scenario):
        return model.stream(scenario)

    def bound(self, model, scenario, picture):
        found = standings(model, scenario.settings)
        return binding(found, len(scenario.settings.requirements) - len(found))

    def draw_picture(self, picture):
        subject = words.subject_of(self.model.population, picture.settings.attribute)
        self.controls.generate.put(
            fraction=picture.rows / picture.total, running=False, text=words.generated(picture, subject.noun)
        )
        if picture.total == self.model.rows and not picture.complete:
            return
        self.headline.say(**vars(headline(picture, subject)), why=why(picture, self.model, self.binding))
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
        self.wanted = (
            "release",
            carried_over(
                settings.recipients, scheme=settings.scheme, dataset=dataset, keep_order=settings.given == "scaled"
            ),
        )
        self.wanted = None

    # Watching copies being made

    def _watch(self):
        if self.model is None:
            return
        self._passes.stop()
        if self.scenario.view.closer != "everyone":
            self.controls.change(self.scenario.replace({"view.closer": "everyone"}))
        model, settings = self.model, self.scenario.settings
        steps = model.copying(settings, max(1, -(-model.rows // WATCHED)))

        async def work():
            while (step := await compute(next, steps, None)) is not None:
                await self._copying.show(partial(self._show_copying, step))
                await asyncio.sleep(PAUSE)
            await self._copying.show(self._skip)

        self.controls.generate.running = True
        self._copying.start(work)

    def _show_copying(self, step):
        self.controls.generate.param.update(running=True, fraction=step.fraction, text=step.text)
        subject = words.subject_of(self.model.population, step.settings.attribute)
        if "everyone" in self._views:
            self._views["everyone"].show_copying(step, subject)
        if self.picture is not None:
            self.person.show_picture(self.picture, self.model, set(step.copies), step.where)

    def interrupted(self):
        self._copying.stop()  # its steps are of the data that stood there when it began

    def _skip(self):
        self._copying.stop()
        self.controls.generate.running = False
        self._draw(settled=True)
