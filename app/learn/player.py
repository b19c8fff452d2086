"""A lesson being taken: its present step beside the page that it is about.

`step` is the one value that says where the learner is, and `predictions` holds plain JSON values by name: whoever leads
a class sets the one and reads the other.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

import panel as pn
import param

from trustscope.app.dashboard import Dashboard
from trustscope.app.learn.questions import widget_of
from trustscope.app.own import OwnData
from trustscope.app.pages import PAGES
from trustscope.app.parts import EVERYTHING, Shown
from trustscope.app.problem import explain_error
from trustscope.app.sharing import single_flight
from trustscope.app.work import TaskSlot
from trustscope.lessons import ending, prediction
from trustscope.lessons import text as texts
from trustscope.lessons.code import code_of
from trustscope.lessons.facts import Facts
from trustscope.lessons.lesson import CurveQuestion, Explain, Lesson, Look, Predict, Reveal, Try
from trustscope.lessons.stage import only_at, page_at, scenario_at
from trustscope.scenarios.parts import HEADLINE
from trustscope.scenarios.scenario import Scenario
from trustscope.widgets.beside import plots_of
from trustscope.widgets.esm import Control
from trustscope.widgets.lessons.lessonroom import LessonRoom
from trustscope.widgets.term import explained

NEXT, FINISH, SKIP, SEE = "Next", "Finish", "Skip this one", "See what happens"
HOME = "All lessons"
# The figures of scenarios that learners tried last, for all of them: a class begins to try in the same scenario.
facts = Facts(40)


class Player(pn.viewable.Viewer):
    """One lesson.

    Parameters
    ----------
    lesson : Lesson
    own : the visitor's own data, for the dashboards
    """

    step = param.Integer(default=1, bounds=(1, None), doc="The present step, counted from 1.")
    predictions = param.Dict(default={}, doc="What was predicted: plain JSON values by the names of the predictions.")
    free = param.Boolean(default=False, doc="Whether the whole page is there to play with.")
    closed = param.List(default=[], item_type=str, doc="The names of predictions that are not taken any more.")
    alone = param.Boolean(default=True, doc="Whether the learner goes on and back alone; in a class the teacher does.")
    at_home = param.Boolean(default=True, doc="Whether free play and all lessons are near; in a class they are not.")
    asks = param.Boolean(default=True, doc="Whether predictions are asked here; a teacher's page shows the class's.")
    ends = param.Boolean(default=True, doc="Whether there is a page after the last step.")
    large = param.Boolean(default=False, doc="Whether the step is to be read from the back row.")
    teachable = param.Boolean(default=False, doc="Whether a room can be opened to teach this lesson.")
    following = param.String(default="", doc="The title of the lesson that comes next; empty: there is none.")
    done = param.Boolean(default=False, doc="Whether what the present step asks for was done.")
    reached = param.List(default=[], doc="The steps, counted from 1, at which what they ask for was done.")
    arrivals = param.Integer(default=0, doc="Counts how often data of the page inside have arrived.")
    finished = param.Integer(default=0, doc="Counts how often the lesson was gone through to its end.")
    onwards = param.Integer(default=0, doc="Counts how often the learner wanted to go on after the end.")
    worksheets = param.Integer(default=0, doc="Counts how often the person wanted the lesson on paper.")
    teaches = param.Integer(default=0, doc="Counts how often the person wanted to teach the lesson.")
    left = param.Integer(default=0, doc="Counts how often the learner wanted to leave.")
    wanted = param.Tuple(default=None, length=2, allow_None=True, doc="Another page to turn to, as dashboards have it.")

    def __init__(self, lesson: Lesson, own: OwnData | None = None, **params):
        super().__init__(**params)
        self.lesson, self._own = lesson, own or OwnData()
        self._judging = TaskSlot(self._fail)
        self.dashboard: Dashboard | None = None  # the one that is seen
        self._kept: Dashboard | None = None  # the one that was made, for the steps of a page and for free play or not
        self._laid_over: list[Any] = []  # plots with a curve that was predicted
        self.question: Control | None = None
        self._question = pn.Column(sizing_mode="stretch_width", margin=0)
        self._side, self._page = (pn.Column(sizing_mode="stretch_width", margin=0) for _ in range(2))
        self.room = LessonRoom(question=self._question, side=self._side, page=self._page)
        room = self.room.param
        # A browser can send what it has no button for: whoever is led goes nowhere alone.
        room.watch(lambda event: self._go(1) if self.alone else None, "nexts")
        room.watch(lambda event: self._go(-1) if self.alone else None, "backs")
        room.watch(lambda event: self.at_home and self.param.update(free=not self.free), "frees")
        room.watch(lambda event: self.at_home and self.param.update(left=self.left + 1), "leaves")
        room.watch(lambda event: self.teachable and self.param.update(teaches=self.teaches + 1), "teaches")
        room.watch(lambda event: self.at_home and self.param.update(worksheets=self.worksheets + 1), "worksheets")
        self.param.watch(lambda event: self.param.update(free=False), "step")
        self.param.watch(
            lambda *events: self._turn(), ["step", "free", "alone"]
        )  # one event for each that changes at once
        self.param.watch(lambda event: self._close_question(), "closed")
        self._turn()

    # Where the learner is

    @property
    def place(self) -> int:
        """The present step, counted from 0; the page after the last step is a place of its own."""
        return min(self.step, len(self.lesson.steps) + self.ends) - 1

    @property
    def ended(self) -> bool:
        """Whether the page after the last step is shown."""
        return self.place == len(self.lesson.steps)

    @property
    def present(self) -> Look | Try | Predict | Reveal | Explain | None:
        """The present step; None after the last one."""
        return None if self.ended else self.lesson.steps[self.place]

    def _go(self, by: int) -> None:
        to = self.place + 1 + by
        if to > len(self.lesson.steps) + self.ends:
            self.onwards += 1
        elif to >= 1:
            self.step = to
            self.finished += self.ended

    def recall(self, predictions: dict[str, Any], reached: Iterable[int] = ()) -> None:
        """Take up what an earlier visit left; what cannot be a prediction or a step to try is left out."""
        tries = {number for number, step in enumerate(self.lesson.steps, 1) if isinstance(step, Try)}
        self.reached = sorted(tries & {one for one in (*reached, *self.reached) if isinstance(one, int)})
        found = {}
        for step in self.lesson.steps:
            if isinstance(step, Predict):
                value = prediction.usable(step.question, predictions.get(step.name))
                if value is not None:
                    found[step.name] = value
        if found != self.predictions:
            self.predictions = found
            self._ask()
            self._lay_over()
            self._say()
            self._steer()
        self._end()

    # Showing a step

    def _turn(self) -> None:
        step = self.present
        self.done = False
        self._embed()
        self._ask()
        self._lay_over()
        self._end()
        self.room.param.update(
            step=self._words(), top=step is None or not (self.free or HEADLINE in step.cards),
            free=self.free, can_go_back=self.place > 0, steps_shown=self.alone, ways_out=self.at_home,
            large=self.large, teachable=self.teachable,
        )  # fmt: skip
        self._say()
        self._steer()

    def _words(self) -> dict[str, Any]:
        """What is read of the step."""
        title, kind, text = ending.TITLE, "end", self.lesson.learnt
        if self.present is not None:
            title, kind, text = texts.plain_text(self.present.title), self.present.kind, self.present.text
        return {
            "lesson": self.lesson.title, "title": title, "kind": kind, "html": explained(texts.html(text)),
            "number": self.place + 1, "of": len(self.lesson.steps),
        }  # fmt: skip

    def _embed(self) -> None:
        """The page of the step, with only what the step names; in free play all of it.

        One dashboard serves all steps of a page: making it takes a tenth of a second, and in a class sixty are asked
        for in one moment.
        """
        keys = frozenset[str]() if self.ended else only_at(self.lesson, self.place)
        self.room.page_shown = not self.ended and (self.free or bool(keys))
        if self._kept is not None:
            self._kept.main.visible = self.room.page_shown
        if not self.room.page_shown:  # nothing of the page is there: nothing is computed either
            self._close()
            self.dashboard = None
            self.room.param.update(side_shown=False, working=False)
            return
        page, scenario = page_at(self.lesson, self.place), scenario_at(self.lesson, self.place)
        kept = self._kept
        if kept is not None and kept.page == page and kept.shown.limited is not self.free:
            self.dashboard = kept
            self._limit(keys)
            self.dashboard.open(self.dashboard.fit_if_loaded(scenario), common=True)
            self.room.working = self.dashboard.headline.working
            self.arrivals += bool(self.dashboard.loads)
        else:
            self._close()
            self.dashboard = self._kept = self._made(page, scenario)
            self._limit(keys)
            self._side[:], self._page[:] = [self.dashboard.sidebar], [self.dashboard.main]
        if self.dashboard.loads:  # what is known already stands at once
            self._judge()
        self.room.side_shown = self.free or bool(self.present and self.present.controls)

    def _limit(self, keys: frozenset[str]) -> None:
        """Show what the step names; whoever plays freely sees everything."""
        if not self.free and self.dashboard is not None:
            self.dashboard.only(keys)

    def _made(self, page: str, scenario: Scenario) -> Dashboard:
        places = [place for place in range(len(self.lesson.steps)) if page_at(self.lesson, place) == page]
        ever = frozenset().union(*(only_at(self.lesson, place) for place in places))
        dashboard = PAGES[page].kind()(scenario, own=self._own, shown=EVERYTHING if self.free else Shown(ever))
        # What an overtaken dashboard still has to say is not heard any more.
        dashboard.param.watch(
            lambda *events: self._judge() if dashboard is self.dashboard else None, ["settled", "loads"]
        )
        dashboard.param.watch(lambda event: self._lay_over() if dashboard is self.dashboard else None, "drawn")
        dashboard.param.watch(
            lambda event: dashboard is self.dashboard and self.param.update(arrivals=self.arrivals + 1), "loads"
        )
        dashboard.param.watch(lambda event: event.new and self.param.update(wanted=event.new), "wanted")
        dashboard.headline.param.watch(
            lambda event: dashboard is self.dashboard and self.room.param.update(working=event.new), "working"
        )
        self.room.working = dashboard.headline.working
        return dashboard

    def _close(self) -> None:
        if self._kept is not None:
            self._kept.stop()

    def stop(self) -> None:
        """End all work: the learner has gone."""
        self._judging.stop()
        self._close()

    def _end(self) -> None:
        """What the page after the last step shows beside what was learnt."""
        if not self.ended:
            self.room.ending = {}
            return
        taken_home = self.alone and self.at_home
        self.room.ending = {
            "rows": ending.rows(self.lesson, self.predictions),
            "code": code_of(self.lesson, self.predictions, self.reached) if taken_home else "",
        }

    # Predicting

    def _ask(self) -> None:
        step = self.present
        name = step.name if isinstance(step, Predict) else step.of if isinstance(step, Reveal) else None
        if name is None or self.free or not self.asks:
            self.question, self._question[:] = None, []
            self.room.asked = False
            return
        asked = self.lesson.question(name)
        truth = prediction.truth(asked) if isinstance(step, Reveal) else None
        self.question = question = widget_of(asked, self.predictions.get(name), truth)
        question.param.watch(lambda event: self._predicted(name, event.new), "value")
        self._question[:] = [self.question]
        self.room.asked = True
        self._close_question()

    def _close_question(self) -> None:
        step = self.present
        self.room.closed = isinstance(step, Predict) and step.name in self.closed
        self._steer()

    def _lay_over(self) -> None:
        """Where the page's own plot has the curve that was predicted, the prediction is drawn there too."""
        step = self.present
        while self._laid_over:  # of an earlier step
            self._laid_over.pop().expect()
        if not isinstance(step, Reveal) or self.free or self.dashboard is None or not self.asks:
            return
        asked = self.lesson.question(step.of)
        if not isinstance(asked, CurveQuestion) or not asked.card:
            return
        view, drawn = self.dashboard.view(asked.card), self.predictions.get(step.of, [])
        plots: list[Any] = [] if view is None else [plot for _, plot in plots_of(view)]
        for plot in plots:
            plot.expect([point.x for point in asked.points] if drawn else [], drawn)
            self._laid_over.append(plot)

    def _predicted(self, name: str, value: Any) -> None:
        usable = prediction.usable(self.lesson.question(name), value)
        if usable is not None and name not in self.closed:
            self.predictions = {**self.predictions, name: usable}
            self._steer()

    # Trying

    def _judge(self) -> None:
        """Look whether what was to be tried has been done; figures are computed beside the page."""
        step, dashboard = self.present, self.dashboard
        if not isinstance(step, Try) or self.free or self.done or dashboard is None or not dashboard.loaded:
            return  # what was settled last may be of the step before
        scenario = dashboard.settled

        async def work():
            judge = partial(facts.evaluate, step.goal, scenario)
            reached = await single_flight(("goal", step.goal, scenario), judge, kind="goal")
            await self._judging.show(lambda: self._judged(step, reached))

        self._judging.start(work)

    def _judged(self, step: Try, reached: Any) -> None:
        if reached is True and step is self.present and not self.free:
            self.done = True
            self.reached = sorted({*self.reached, self.place + 1})
            self._say()
            self._steer()

    def _fail(self, error: Exception) -> None:
        title, text = explain_error(error, "learn")
        self.room.said = {"html": explained(texts.html(f"{title} {text}")), "tone": "far"}

    # What is said

    def _say(self) -> None:
        step, text, tone = self.present, "", ""
        if isinstance(step, Try):
            text, tone = (step.done, "close") if self.done else (step.hint, "hint")
        if isinstance(step, Reveal) and step.of in self.predictions:
            asked = self.lesson.question(step.of)
            close = prediction.is_close(asked, self.predictions[step.of])
            text, tone = (asked.said.close, "close") if close else (asked.said.far, "far")
        self.room.said = {"html": explained(texts.html(text)), "tone": tone} if text else {}

    def _steer(self) -> None:
        step, last = self.present, self.place + 1 == len(self.lesson.steps)
        if step is None:
            onward = f"Next lesson: {self.following}" if self.following else HOME
            self.room.param.update(next_text=onward if self.at_home else "", next_primary=True)
            return
        waits = isinstance(step, Predict) and step.name not in (*self.predictions, *self.closed)
        waits = waits or (isinstance(step, Try) and not self.done)
        if last and not self.ends:
            self.room.param.update(next_text="")
            return
        text = FINISH if last else SKIP if waits else SEE if isinstance(step, Predict) else NEXT
        self.room.param.update(next_text=text, next_primary=not waits)

    def __panel__(self):
        return self.room
