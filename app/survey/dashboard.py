"""The Survey dashboard: respondents stream in, the miner learns what to ask for, each gives away what they accept."""

import asyncio
import time
from contextlib import contextmanager
from functools import partial

import panel as pn
import param

from trustscope.app.background import Background, compute
from trustscope.app.survey.controls import Controls
from trustscope.app.survey.desk import SurveyDesk
from trustscope.app.survey.own import OwnView
from trustscope.app.survey.views import AccuracyView, ArrivalsView, DisclosureView, GuidanceView, LevelView, TargetView
from trustscope.scenarios.survey import verdicts
from trustscope.scenarios.survey.rival import MOST as RIVAL_MOST
from trustscope.scenarios.survey.rival import randomised
from trustscope.scenarios.survey.run import END, Run
from trustscope.scenarios.words import count
from trustscope.widgets.action import Action
from trustscope.widgets.card import TEXT_CSS, grid, heading
from trustscope.widgets.choice import Choice
from trustscope.widgets.verdict import Verdict

FIRST = 200  # people who have answered when the page opens
PREVIEW, ROUGH = 400, 100  # people who answer anew while a control is dragged, and draws to measure by
BREATH = 0.25  # seconds between two frames
MOST_DUE = 4_000  # respondents between two frames
SPEEDS = {"5": "5 a second", "100": "100", "1000": "1 000", "10000": "10 000"}
VIEWS = [
    ("survey", "the survey", "Watch respondents arrive and the classifier get better"),
    ("own", "your own answers", "Fill in the questionnaire, and see what would be sent"),
]
PLAY, PAUSE = "▶ Play", "❚❚ Pause"


class SurveyDashboard(pn.viewable.Viewer):
    """Guided perturbation as it happens.

    Parameters
    ----------
    dataset : name of the built-in dataset to start with; the app's first one stands for the votes
    """

    info = param.String(default="", doc="What is loaded, for the bar.")
    playing = param.Boolean(default=False, doc="Whether respondents stream in.")

    def __init__(self, dataset: str = "votes", **params):
        super().__init__(**params)
        self.desk = SurveyDesk("votes" if dataset in ("census", "gaussian", "diabetes") else dataset)
        self.controls = Controls()
        self.verdict = Verdict(least=139)
        self.run = self.frame = self.rival = None
        self._goal = None  # how many are to answer anew before the page is up to date; None: it is
        self._anew = None  # the run in which they do, once it is under way
        self._background = Background(self._failed)
        self._beside = Background(self._failed)
        self._build()
        self._load(at_once=True)
        self._wire()

    # Layout

    def _build(self):
        self.which = Choice(label="What to look at", options=VIEWS, value="survey")
        self.play = Action(text=PLAY, primary=True, tip="Let respondents stream in", margin=(0, 6, 0, 0))
        self.step = Action(text="One more", tip="One respondent", margin=(0, 6, 0, 0))
        self.restart = Action(text="Restart", tip="From the beginning", margin=(0, 14, 0, 0))
        self.speed = Choice(
            label="Respondents a second", value="100",
            options=[(key, text, f"{count(int(key))} respondents a second") for key, text in SPEEDS.items()],
        )  # fmt: skip
        self.status = pn.pane.HTML("", stylesheets=[TEXT_CSS], css_classes=["ts-status"], margin=(0, 0, 0, 12))
        self.transport = (self.play, self.step, self.restart, self.speed, self.status)
        self.which.margin = (0, 18, 0, 0)
        for choice in (self.which, self.speed):
            choice.sizing_mode = None
        shown = {"flex-wrap": "wrap", "align-items": "center", "gap": "8px 0"}
        bar = pn.Row(self.which, *self.transport, margin=(12, 0, 0, 0), styles=shown, sizing_mode="stretch_width")
        self.arrivals, self.guidance = ArrivalsView(), GuidanceView()
        self.level, self.accuracy = LevelView(), AccuracyView()
        self.disclosure, self.target, self.own = DisclosureView(), TargetView(), OwnView()
        self._grid = grid(self.arrivals, self.guidance, self.accuracy, self.level, self.disclosure, self.target)
        self._own = pn.Column(self.own, sizing_mode="stretch_width", margin=(12, 0), visible=False)
        self._body = pn.Column(bar, self._grid, self._own, sizing_mode="stretch_width", margin=0)
        self.sidebar = pn.Column(heading("Data"), self.desk, self.controls, sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(self.desk.import_view, self.verdict, self._body, sizing_mode="stretch_width", margin=0)

    def __panel__(self):
        side = pn.Column(self.sidebar, width=290, margin=(0, 14, 0, 0))
        return pn.Row(side, self.main, sizing_mode="stretch_width")

    def _wire(self):
        self.desk.param.watch(lambda e: self._load(), "changed")
        self.controls.param.watch(lambda e: self._live(), "live")
        self.controls.param.watch(lambda e: self._settle(), "settled")
        self.play.param.watch(lambda e: setattr(self, "playing", not self.playing), "clicks")
        self.step.param.watch(lambda e: self._advance(1), "clicks")
        self.restart.param.watch(lambda e: self._restart(), "clicks")
        self.param.watch(self._play_or_pause, "playing")
        self.which.param.watch(lambda e: self._switch(), "value")
        self.own.param.watch(lambda e: self._say(), "shown")

    # What changes

    def _load(self, at_once=False):
        """Other people: the first of them are asked at once, or beside the page."""
        data, people = self.desk.dataset, self.desk.people
        self.run = self.frame = None
        self._stop()
        self.info = f"{data.title}, {count(data.rows)} rows"
        self._body.visible = people is not None and at_once
        if people is None:
            self.verdict.say("There is nobody to ask here.", self.desk.problem)
            return
        self.controls.ask(people.encoding.questions, _telling(people))
        self.own.load(people)
        if at_once:
            self._begin(FIRST)
            return
        self.verdict.say(f"{data.title}: the first {FIRST} are being asked …", "This takes a moment.")
        self._settle()

    def _begin(self, arrived):
        """A new run of the same people, up to so many; at once."""
        self.run = Run(self.desk.people, self.controls.settings())
        self.rival = self._goal = None
        with self._told():
            self._show(self.run.advance(arrived))
            self._compare()

    @contextmanager
    def _told(self):
        """What goes wrong is told on the page."""
        try:
            yield
        except Exception as error:
            self._failed(error)

    def _stop(self):
        self._background.stop()
        self._beside.stop()
        self._goal = None
        self.playing = False

    def _restart(self):
        if self.run is not None:
            self._stop()
            self._begin(0)

    def _live(self):
        """While something is dragged: the first few answer anew."""
        if self.desk.people is None:
            return
        self._background.stop()
        self._aim()
        self.run = Run(self.desk.people, self.controls.settings(), ROUGH)
        with pn.io.hold(), self._told():
            self._show(self.run.advance(min(PREVIEW, self._goal)))

    def _settle(self):
        """When it is let go: as many as before, beside the page; and on, if respondents were streaming in."""
        if self.desk.people is None:
            return
        self._aim()
        run = self.run = self._anew = Run(self.desk.people, self.controls.settings())
        self.rival = None

        async def work():
            while (arrived := await compute(run.approach, self._goal)) < self._goal:
                await self._background.show(partial(self._count, arrived, self._goal))
            frame = await compute(run.advance, 0)
            await self._background.show(partial(self._arrive, frame))
            if self.playing:
                await self._stream(run)

        self._background.start(work)

    def _aim(self):
        """As many as were there before the first of several changes are to answer anew."""
        if self._goal is None:
            self._goal = FIRST if self.frame is None else self.frame.arrived

    def _hurry(self):
        """Those who answer anew come first, and what was pressed after them; a preview alone calls nobody."""
        if self._anew is not self.run:
            self._settle()

    def _arrive(self, frame):
        self._goal = None
        self._body.visible = True
        self._show(frame)
        self._compare()

    def _advance(self, number):
        """So many more, now; or after those who are on their way."""
        if self._goal is not None:
            self._goal = min(self._goal + number, END)
            self._hurry()
        elif self.run is not None:
            self.playing = False
            with self._told():
                self._show(self.run.advance(number))
                self._compare()

    def _play_or_pause(self, event):
        self.play.text = PAUSE if self.playing else PLAY
        if self.run is None:
            return
        if self._goal is not None:
            self._hurry()
            return
        if not self.playing:
            self._background.stop()
            with self._told():
                self._show(self.run.advance(0))
                self._compare()
            return
        if self.run.over:
            self._begin(0)
        try:
            asyncio.get_running_loop()
        except RuntimeError:  # a script, or a plain test: no time passes there
            self._advance(int(self.speed.value))
            return
        self._background.start(partial(self._stream, self.run))

    async def _stream(self, run):
        """Frames, a few a second, each with as many respondents as are due."""
        last = time.monotonic()
        while not run.over:
            speed = int(self.speed.value)
            await asyncio.sleep(max(BREATH, 1 / speed))
            now = time.monotonic()
            # A slow page gets fewer frames, not fewer respondents; a stalled one must not drown afterwards.
            due = min(max(1, round(speed * (now - last))), MOST_DUE)
            last = now
            frame = await compute(partial(run.advance, due, streaming=True))
            await self._background.show(partial(self._show, frame))
        await self._background.show(partial(setattr, self, "playing", False))

    def _compare(self):
        """The randomisation that gives away as much, beside the page; it takes a second or two."""
        self._beside.stop()
        frame, run = self.frame, self.run
        if not self.controls.rival or frame is None or frame.settings.malicious or frame.disclosed <= 0:
            self.rival = None
            self._redraw()
            return
        if self.rival is None:
            self.rival = "Randomisation is being computed …"
            self._redraw()
        rows = run.survey.people(run.survey.clear, min(max(frame.arrived, 30), RIVAL_MOST))

        async def work():
            try:
                rival = await compute(randomised, run.population, rows, frame.disclosed)
            except ValueError as refusal:  # no noise gives away just as much
                rival = str(refusal)
            await self._beside.show(partial(self._compared, rival))

        self._beside.start(work)

    def _compared(self, rival):
        self.rival = rival
        self._redraw()

    def _switch(self):
        own = self.which.value == "own"
        self._own.visible, self._grid.visible = own, not own
        for part in self.transport:
            part.visible = not own
        if own:
            self.playing = False
            if self.frame is not None:
                self.own.follow(self.run)
        self._say()

    # Drawing

    def _redraw(self):
        if self.frame is not None:
            self._draw()

    def _show(self, frame):
        self.frame = frame
        self._draw()
        if self.which.value == "own":
            self.own.follow(self.run)

    def _draw(self):
        frame, people = self.frame, self.run.population
        with pn.io.hold():
            self._say()
            self.arrivals.show(frame, people)
            self.guidance.show(frame, people)
            self.level.show(frame)
            self.accuracy.show(frame, people, self.rival)
            self.disclosure.show(frame, people, self.rival)
            self.target.show(frame, people)
            self._count(frame.arrived)

    def _count(self, arrived, goal=None):
        """How many have answered; of how many, while they answer anew."""
        text = f"<b>{count(arrived)}</b> respondent{'' if arrived == 1 else 's'}"
        if goal is not None:
            text = f"<b>{count(arrived)}</b> of {count(goal)} respondents answer anew …"
        self.status.object = f'<p role="status">{text}</p>'

    def _say(self):
        if self.frame is None:
            return
        if self.which.value == "own" and self.own.result is not None:
            label = self.run.population.label
            self.verdict.say(**verdicts.own(self.own.result, int(self.own.level.value), label))
        else:
            self.verdict.say(**verdicts.verdict(self.frame, self.run.population))

    def _failed(self, error):
        self._goal = None
        self.playing = False
        told = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}."
        self.verdict.say("This cannot be shown.", f"{told} Change a setting to try again.", tone="leak")


def _telling(people) -> int:
    """The question whose answers differ most between the classes: the one worth being after."""
    tuples, classes = people.test
    gap = abs(tuples[classes == 0].mean(axis=0) - tuples[classes == 1].mean(axis=0))
    return int(people.encoding.question_of[int(gap.argmax())])
