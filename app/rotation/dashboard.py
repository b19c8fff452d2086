"""The Rotation page: a release that keeps every distance, and those who undo it."""

from typing import ClassVar

import panel as pn

from trustscope.app.controls import Field, slider
from trustscope.app.dashboard import Dashboard
from trustscope.app.desk import TITLES, Desk
from trustscope.app.parts import CARD, COMPARE, CONTROLS, Part
from trustscope.app.rotation.controls import RotationControls
from trustscope.app.rotation.stage import PLANS, Stage
from trustscope.app.showing import closer_field
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.rotation.verdict import headline
from trustscope.scenarios.rotation.why import why
from trustscope.scenarios.solve.rotation import standings
from trustscope.scenarios.solve.standing import binding
from trustscope.scenarios.words import count
from trustscope.widgets.frame.card import TOOL_CSS

OFFERED = {name: title for name, title in TITLES.items() if name != "votes"}  # sets with numbers
FOR_TRUST = "census"  # what the command opens with unless told otherwise: two attributes are too few to turn
NO_NUMBERS = (
    "None of the chosen columns holds numbers, and only numbers can be turned: choose a numeric column, or another "
    "file."
)


class RotationDashboard(Dashboard):
    """Rotation, what it keeps, two attackers and a remedy."""

    page = "rotation"
    kind = RotationScenario
    groups: ClassVar = {
        "steps": "The four steps", "data": "Data", "attacker": "Who works with the release",
        "release": "How the records are released", "hit": "A guess counts as a hit", "goal": "Target",
        "more": "More",
    }  # fmt: skip

    @classmethod
    def opens_with(cls, dataset):
        return dataset in OFFERED and dataset != FOR_TRUST

    # Layout

    def make_controls(self, scenario):
        self.desk = Desk(self.own, OFFERED, lambda data: None if data.numeric else NO_NUMBERS)
        return RotationControls(scenario, self.desk)

    def build(self):
        self.stages: dict[str, Stage] = {}
        self.body = pn.Column(sizing_mode="stretch_width", margin=0)
        self.steps_bar = pn.Column(
            self.controls.story, sizing_mode="stretch_width", margin=(0, 0, 4, 0), stylesheets=[TOOL_CSS]
        )
        first = [self.desk.wizard.view, *([self.steps_bar] if "steps" in self.shown else [])]
        self.main = pn.Column(*first, self.headline, self.body, sizing_mode="stretch_width", margin=0)
        self.follow_desk()
        self.param.watch(lambda event: self._turn(), "scenario")
        self.controls.target.attach(self)
        self._turn()

    @classmethod
    def parts(cls):
        found = {part.key: part.title for plan in PLANS.values() for part in plan.parts}
        cards = [Part(key, title, CARD) for key, title in found.items()]
        return [*cards, *(Part(key, title, CONTROLS) for key, title in cls.groups.items()), COMPARE]

    def stage(self, story: str) -> Stage:
        """The step of this name, made when it is first turned to."""
        if story not in self.stages:
            stage = self.stages[story] = Stage(PLANS[story].only(self.shown), self._made, self.view_made)
            if self.seen is not self.shown:
                stage.only(self.seen)
            self.body.append(stage)
            self.controls.add(closer_field(stage.closer))
        return self.stages[story]

    def only(self, keys):
        super().only(keys)
        self.steps_bar.visible = "steps" in keys
        with self.controls.silent():
            for stage in self.stages.values():
                stage.only(keys)

    def _turn(self):
        """Show the step that the scenario names."""
        self.headline.stale |= self.picture is not None and self.picture.view.story != self.scenario.view.story
        shown = self.stage(self.scenario.view.story)
        # Hidden, not removed: a figure that is put back is built anew by the browser, and trips over what it is sent.
        for stage in self.stages.values():
            stage.visible = stage is shown

    def _made(self, key, view):
        """A view that has just been made: what can be chosen in it becomes part of the controls."""
        if self.seen is not self.shown:
            self._shorten()
        if key == "links":
            view.param.watch(lambda event: event.new >= 0 and self._clicked(event.new), "clicked")
        if key in ("record", "sphere"):
            self.controls.add(Field("view.record_as", view.pick))
        if key == "map":
            view.bind(self)
        if key == "printed":
            self.controls.add(slider("view.freedom", view.freedom, read=int))

    def views(self):
        stages = self.stages.items()
        return {f"{story} {key}": view for story, stage in stages for key, view in stage.views.items()}

    def view(self, key):
        return self.views().get(f"{self.scenario.view.story} {key}")

    def _clicked(self, place):
        self.controls.toggle(self.model.records.number(place))

    # Data

    def moved_to(self, scenario, data):
        return scenario.replace({
            "data": data, "settings.known": None, "settings.then": (), "settings.sample": None, "settings.block": 1,
            "settings.dimensions": None, "view.across": "", "view.upwards": "",
        })  # fmt: skip

    def arrived(self):
        self.info = f"{self.data.title}, {count(self.data.rows)} rows"
        records = self.model.records
        more = f"{count(records.rows)} are released; samples come from {count(len(records.pool))} others."
        self.desk.load(self.data, self.scenario.data.name, more)
        self.controls.load(self.model)
        self.body.visible = True

    # Pictures

    def bound(self, model, scenario, picture):
        return binding(standings(picture, scenario.settings.requirements))

    def draw_picture(self, picture):
        if picture.view.story != self.scenario.view.story:  # the step that was turned to is on its way
            self.headline.stale = True
            return
        self.headline.say(**vars(headline(picture, self.model)), why=why(picture, self.model, self.binding))
        if not picture.waiting:
            self.stage(picture.view.story).show_picture(picture, self.model)
