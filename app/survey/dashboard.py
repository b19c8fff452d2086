"""The Survey page: respondents stream in, the miner learns what to ask for, each gives away what they accept."""

import asyncio
import time
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import panel as pn
import param

from trustscope import datasets
from trustscope.app.cards import LinesView, pictures, tabs
from trustscope.app.controls import Field
from trustscope.app.dashboard import Dashboard
from trustscope.app.desk import TITLES, Desk
from trustscope.app.survey.controls import SurveyControls
from trustscope.app.survey.own import OwnView
from trustscope.app.survey.tradeoff import MapView, TradeoffView
from trustscope.app.survey.views import ArrivalsView, DisclosureView, GuidanceView, TargetView
from trustscope.app.work import TaskSlot, compute
from trustscope.scenarios.solve.standing import binding
from trustscope.scenarios.solve.survey import standings
from trustscope.scenarios.survey.model import Progress, SurveyResult
from trustscope.scenarios.survey.population import MOST_ROWS
from trustscope.scenarios.survey.scenario import END, SPEEDS, SurveyScenario
from trustscope.scenarios.survey.verdict import headline
from trustscope.scenarios.survey.why import why
from trustscope.scenarios.words import count, counted
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.frame.card import TEXT_CSS, TOOL_CSS

UNFIT = ("gaussian", "diabetes", "census")  # built-in sets without a class to learn
FRAME = 0.25  # seconds between two frames while respondents stream in
MOST_DUE = 4_000  # respondents between two frames
PLAY, PAUSE = "▶ Play", "❚❚ Pause"
NO_CLASS = "None of the chosen columns holds categories, so there is no class to learn: choose another file."


VIEWS = {
    "accuracy": partial(
        LinesView, "survey", "accuracy", "Share of people whose class is found, by answers received", log=True
    ),
    "disclosure": DisclosureView, "own": OwnView, "tradeoff": TradeoffView, "map": MapView, "guidance": GuidanceView,
    "level": partial(
        LinesView, "survey", "level", "Directions asked for, by answers received", log=True, shares=False
    ),
}  # fmt: skip


class SurveyDashboard(Dashboard):
    """Guided perturbation as it happens."""

    page = "survey"
    kind = SurveyScenario
    resumes = True
    pictures: ClassVar = pictures("survey")
    closers: ClassVar = tabs("survey", VIEWS)
    experts: ClassVar = tabs("survey", VIEWS, expert=True)
    groups: ClassVar = {
        "data": "Data", "respondents": "Respondents", "miner": "The miner", "question": "The question to watch",
        "goal": "Target", "guidance_settings": "Guidance", "play": "Play, step and restart",
    }  # fmt: skip

    playing = param.Boolean(default=False, doc="Whether respondents stream in.")

    @classmethod
    def opens_with(cls, dataset):
        return dataset not in UNFIT

    # Layout

    def make_controls(self, scenario):
        offered = {name: TITLES[name] for name in ("votes", *datasets.names()) if name not in UNFIT}
        self.desk = Desk(self.own, offered, lambda data: None if data.categorical else NO_CLASS)
        return SurveyControls(scenario, self.desk)

    def build(self):
        self.run: Any = None
        self._streaming = TaskSlot(self.fail)
        self.arrivals, self.target = ArrivalsView(), TargetView()
        self.closer = self.make_closer()
        self.transport = self._make_transport()
        pictures = self.make_pictures(self.arrivals, self.target)
        self.body = pn.Column(
            *([self.transport] if "play" in self.shown else []), pictures, self.closer,
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip
        self.main = pn.Column(self.desk.wizard.view, self.headline, self.body, sizing_mode="stretch_width", margin=0)
        self.controls.add(Field("view.speed", self.speed, read=int, write=str))
        self._wire()

    def only(self, keys):
        super().only(keys)
        self.transport.visible = "play" in keys

    def _make_transport(self):
        self.play = Action(text=PLAY, primary=True, tip="Let respondents stream in", margin=(0, 6, 0, 0))
        self.step = Action(text="One more", tip="One respondent", margin=(0, 6, 0, 0))
        self.restart = Action(text="Restart", tip="From the beginning", margin=(0, 14, 0, 0))
        self.speed = Choice(
            label="Respondents a second", sizing_mode=None,
            options=[(str(n), f"{count(n)} a second", f"{count(n)} respondents a second") for n in SPEEDS],
        )  # fmt: skip
        self.status = pn.pane.HTML("", stylesheets=[TEXT_CSS], css_classes=["ts-status"], margin=(0, 0, 0, 12))
        parts = (self.play, self.step, self.restart, self.speed, self.status)
        styles = {"flex-wrap": "wrap", "align-items": "center", "gap": "8px 0"}
        return pn.Row(*parts, styles=styles, sizing_mode="stretch_width", margin=(8, 0, 0, 0), stylesheets=[TOOL_CSS])

    def _wire(self):
        self.follow_desk()
        self.play.param.watch(lambda event: setattr(self, "playing", not self.playing), "clicks")
        self.step.param.watch(lambda event: self._go_to(self.scenario.view.arrived + 1), "clicks")
        self.restart.param.watch(lambda event: self._go_to(0), "clicks")
        self.param.watch(lambda event: self._play_or_pause(), "playing")
        self.controls.goal.attach(self)

    def _made(self, key, kind):
        view = kind()
        if key == "own" and self.model is not None:
            view.bind(self)
        return self.opened(key, view)

    def alongside(self, kept):
        return kept.replace({"view": self.scenario.view.replace({"arrived": kept.view.arrived})})

    # Data

    def moved_to(self, scenario, data):
        return scenario.replace({"data": data, "settings.target": "", "view.own.answers": (), "view.own.of_class": ""})

    def arrived(self):
        self.run, self.playing = None, False
        self.info = f"{self.data.title}, {count(self.data.rows)} rows"
        people, more = self.model.people, ""
        if people.left_out:
            more = f"{counted(len(people.left_out), 'column')} with too many answers left out."
        if len(people.codes) < self.data.rows:
            some = len(people.codes) == MOST_ROWS
            told = "people, drawn at random, can be asked" if some else "people, who have no gap, can be asked"
            more += f" {count(len(people.codes))} {told}."
        if self.data.name == "votes":
            more += " Where a member took no position, an answer is drawn, as in the paper."
        self.desk.load(self.data, self.scenario.data.name, more)
        self.controls.load(people)
        if "own" in self._views:
            self._views["own"].bind(self)
        self.body.visible = True

    # Pictures

    def _standing(self, model, scenario):
        """The run that stands, where it is one of these people with these settings."""
        run = self.run
        same = run is not None and run.population is model.people and run.key == scenario.seed
        beside = {"rival": False, "requirements": ()}  # what a run does not depend on
        ours = same and run.settings.replace(beside) == scenario.settings.replace(beside)
        return run if ours else None

    def preview(self, model, scenario):
        return model.preview(scenario, self._standing(model, scenario))

    def passes(self, model, scenario):
        return model.passes(scenario, self._standing(model, scenario))

    def keepable(self, picture):
        # A run goes on when its visitor plays it: it is nobody else's.
        return replace(picture, run=None) if isinstance(picture, SurveyResult) else None

    def draw_picture(self, picture):
        if isinstance(picture, Progress):
            self._count(picture.arrived, picture.goal)
            return
        if picture.run is not None:
            self.run = picture.run
        frame, people = picture.frame, self.model.people
        # Figures of the frame itself: nothing is computed here, so that it follows every respondent.
        bound = binding(standings(frame, self.scenario.settings.requirements))
        self.headline.say(**vars(headline(frame, people)), why=why(frame, people, bound))
        self.arrivals.show_picture(picture, self.model)
        self.target.show_picture(picture, self.model)
        self.show_closer(picture)
        self._count(frame.arrived)
        if picture.run is not None and self.play.text == PLAY and self.playing:
            self._play_or_pause()

    def _moved(self):
        if self.playing and self.run is not None:  # what has arrived by now is asked anew, and then it goes on
            self._streaming.stop()
            self.play.text = PLAY
            self.controls.restore(self.controls.scenario.replace({"view.arrived": self._called}))
        super()._moved()

    def _passed(self, picture):
        if isinstance(picture, Progress):  # not yet a picture
            self.draw_picture(picture)
        else:
            super()._passed(picture)

    def _count(self, arrived, goal=None):
        """How many have answered; of how many, while they answer anew."""
        text = f"<b>{count(arrived)}</b> respondent{'' if arrived == 1 else 's'}"
        if goal is not None:
            text = f"<b>{count(arrived)}</b> of {count(goal)} respondents answer anew …"
        self.status.object = f'<p role="status">{text}</p>'

    def fail(self, error):
        self.playing = False
        super().fail(error)

    # Streaming

    def interrupted(self):
        self._streaming.stop()  # its frames are of the run that stood there when it began
        self.play.text = PLAY

    def _go_to(self, arrived):
        """So many have answered, as if the person had set it."""
        if self.model is not None:
            self.playing = False
            self.controls.change(self.scenario.replace({"view.arrived": min(arrived, END)}))

    def _play_or_pause(self):
        self.play.text = PAUSE if self.playing else PLAY
        if self.model is None:
            return
        if not self.playing:
            self._streaming.stop()
            if self.run is not None:  # who was called by now is who has come
                self._go_to(self._called)
            return
        run = self._standing(self.model, self.scenario)
        if run is None:  # those who answer anew come first; `draw_picture` then goes on
            self.play.text = PLAY
            self._pass()
            return
        if run.over:
            self.playing = False
            self._go_to(0)
            return
        if not self._streaming.has_loop:  # a script, or a plain test: no time passes there
            self.playing = False
            self._go_to(run.arrived + self.scenario.view.speed)
            return
        self._streaming.start(partial(self._stream, run))

    @property
    def _called(self):
        """How many will have come when a thread that lets them come is through."""
        return max(self.run.arrived, self.run.called)

    async def _stream(self, run):
        """Frames, a few a second, each with as many respondents as are due."""
        last = time.monotonic()
        while not run.over:
            speed = self.scenario.view.speed
            await asyncio.sleep(max(FRAME, 1 / speed))
            now = time.monotonic()
            # A slow page gets fewer frames, not fewer respondents; a stalled one must not drown afterwards.
            run.call(min(max(1, round(speed * (now - last))), MOST_DUE))
            last = now
            frame = await compute(run.come)
            await self._streaming.show(partial(self._shown, SurveyResult(self.scenario, frame, run)))
        await self._streaming.show(partial(setattr, self, "playing", False))

    def stop(self):
        super().stop()
        self._streaming.stop()
