"""The Trust page: numbers at many trust levels, and what coalitions make of them."""

from functools import partial
from typing import ClassVar

from trustscope.app.cards import LinesView, pictures, tabs
from trustscope.app.controls import Field
from trustscope.app.copied import CoalitionsView, JoiningView
from trustscope.app.copies import CopiesDashboard
from trustscope.app.desk import TITLES, Desk, stands_first
from trustscope.app.trust.controls import TrustControls
from trustscope.app.trust.differential import DifferentialView
from trustscope.app.trust.pictures import PersonView
from trustscope.app.trust.tradeoff import MapView, TradeoffView
from trustscope.app.trust.utility import UtilityView
from trustscope.app.trust.views import AttackersView, ClosenessView, EveryoneView, SpectrumView
from trustscope.scenarios.solve.handles import handles, standings
from trustscope.scenarios.solve.standing import binding
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.order import make_dataset
from trustscope.scenarios.trust.scenario import MADE, TrustScenario
from trustscope.scenarios.trust.verdict import headline
from trustscope.scenarios.trust.why import why

JOINING = 300  # pixels of the second picture
LOADED = {"usefulness", "tradeoff"}  # views that need the data themselves
NO_NUMBERS = (
    "None of the chosen columns holds numbers, and noise can only be added to numbers: choose a numeric column, or "
    "another file."
)


VIEWS = {
    "everyone": EveryoneView,
    "exposed": partial(
        LinesView, "trust", "exposed", "Histogram of how often people's values are guessed", share_places=True
    ),
    "closeness": ClosenessView,
    "coalitions": partial(CoalitionsView, "trust", "Share of the variance that every coalition can explain"),
    "attackers": AttackersView, "usefulness": UtilityView, "tradeoff": TradeoffView, "map": MapView,
    "differential": DifferentialView, "spectrum": SpectrumView,
}  # fmt: skip


class TrustDashboard(CopiesDashboard):
    """Numbers at many trust levels."""

    page = "trust"
    kind = TrustScenario
    pictures: ClassVar = pictures("trust")
    closers: ClassVar = tabs("trust", VIEWS)
    experts: ClassVar = tabs("trust", VIEWS, expert=True)
    groups: ClassVar = {
        "data": "Data", "recipients": "Who gets a copy", "noise": "Noise of the copies", "attacker": "The attacker",
        "hit": "A guess counts as a hit", "goal": "Target", "more": "More",
    }  # fmt: skip

    # Layout

    def make_controls(self, scenario):
        self.desk = Desk(
            self.own, TITLES, lambda data: None if data.numeric else NO_NUMBERS,
            lambda data: stands_first(self.scenario.settings.attribute, data.numeric),
        )  # fmt: skip
        return TrustControls(scenario, self.desk)

    def build(self):
        joining = JoiningView("trust", "Share of hits as more recipients pool their copies", JOINING)
        self.lay_out(PersonView(), joining, handles)

    def _made(self, key, kind):
        view = kind()
        if key == "everyone":
            self.controls.add(Field("view.copies_as", view.shown_as))
            self.controls.add(Field("view.cloud_of", view.cloud_of, write=lambda name: name or view.cloud_of.value))
        if key == "closeness":
            self.controls.add(Field("view.errors_as", view.shown_as))
        if key in LOADED and self.model is not None:
            view.load(self.model, self.data)
        return self.opened(key, view)

    # Data

    def moved_to(self, scenario, data):
        secret = self.desk.secret(data)
        return scenario.replace({"data": data, "view.person": None, "settings.eps": None, "settings.attribute": secret})

    def with_secret(self, scenario):
        if self.desk.secret(scenario.data) in ("", scenario.settings.attribute):
            return scenario
        return self.moved_to(scenario, scenario.data)

    def fetch(self, scenario):
        return make_dataset(scenario.data.order) if scenario.data.name == MADE else self.desk.fetch(scenario)

    def arrived(self):
        super().arrived()
        self.controls.load(self.model, self.data)
        for key in LOADED & self._views.keys():
            self._views[key].load(self.model, self.data)

    # Pictures

    def bound(self, model, scenario, picture):
        found = standings(model, scenario.settings)
        return binding(found, len(scenario.settings.requirements) - len(found))

    def _subject(self, settings):
        return words.subject_of(self.model.population, settings.attribute)

    def count_copies(self, picture):
        return words.generated(picture, self._subject(picture.settings).noun)

    def verdict_of(self, picture):
        said = headline(picture, self._subject(picture.settings))
        return {**vars(said), "why": why(picture, self.model, self.binding)}

    def carried(self, settings):
        return {"keep_order": settings.given == "scaled"}

    # Watching copies being made

    def steps_of_copying(self, chunk):
        return self.model.copying(self.scenario.settings, chunk)

    def show_step(self, step, everyone):
        if everyone is not None:
            everyone.show_copying(step, self._subject(step.settings))
        if self.picture is not None:
            self.person.show_picture(self.picture, self.model, set(step.copies), step.where)
