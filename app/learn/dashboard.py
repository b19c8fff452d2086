"""The Learn page: where the app opens for whoever comes without a link."""

from typing import Any

import panel as pn

from trustscope.app.classroom.room import RoomProblem
from trustscope.app.classroom.store import shared
from trustscope.app.controls import Controls
from trustscope.app.dashboard import Dashboard
from trustscope.app.learn.home import Home
from trustscope.app.learn.player import Player
from trustscope.app.problem import told
from trustscope.app.serving.plan import current
from trustscope.app.work import Lane, compute
from trustscope.lessons import reader
from trustscope.lessons import text as texts
from trustscope.lessons.film import film
from trustscope.lessons.place import LearnScenario
from trustscope.widgets.progress import Progress


class LearnControls(Controls):
    """There are none: each step brings those of its own page."""

    def __init__(self, scenario: LearnScenario):
        self._layout = self.laid_out({})
        super().__init__((), scenario)

    def __panel__(self):
        return self._layout


class LearnDashboard(Dashboard):
    """The home of the lessons, or one of them at its present step.

    Parameters
    ----------
    scenario : which lesson and which step
    dataset : taken like every page's, and not used: lessons have their own data
    """

    page = "learn"
    kind = LearnScenario

    def __init__(self, scenario: LearnScenario | None = None, dataset: str | None = None, **params):
        super().__init__(scenario, **params)

    @classmethod
    def fitting(cls, scenario):
        return _existing(scenario or LearnScenario())

    # Layout

    def make_controls(self, scenario):
        return LearnControls(scenario)

    @classmethod
    def parts(cls):
        return []  # a lesson says itself what may be seen

    def build(self):
        self.player: Player | None = None
        plan = current()
        # Rooms are there only where the server was started for classes; a teacher's link shows one page and no more.
        rooms = plan.rooms if plan is not None and not self.shown.limited else None
        self._store, self._teaching = (shared(rooms) if rooms else None), Lane(self._refused)
        self.progress: dict[str, dict[str, Any]] = {}
        self.home, self.browser = Home(reader.shelf()), Progress()
        self._notice = pn.pane.HTML("", visible=False, sizing_mode="stretch_width", margin=(0, 0, 8, 0))
        self.body = pn.Column(sizing_mode="stretch_width", margin=0)
        self.sidebar = self.controls
        self.main = pn.Column(self.browser, self._notice, self.body, sizing_mode="stretch_width", margin=0)
        self.browser.param.watch(lambda event: self._remembered(event.new), "found")
        self.home.shelf.param.watch(lambda event: self._chosen(*event.new[:2]), "chosen")
        self.param.watch(lambda event: self._turn(), "scenario")
        self._turn()

    def place(self, scenario):
        return f"{scenario.view.lesson}/{scenario.view.step}" if scenario.view.lesson else ""

    # Presenting

    @property
    def presented(self):
        inside = self.player.dashboard if self.player is not None else None
        return self if inside is None else inside

    def steps(self):
        """The steps of the lesson; whoever plays freely presents the page that they play with."""
        player = self.player
        if player is None or player.free:
            return []
        return [
            (texts.shown(step.title), self.settled.having({"view.step": number}))
            for number, step in enumerate(player.lesson.steps, 1)
        ]

    # Data: the film

    def model_key(self, scenario):
        return self.page

    def fetch(self, scenario):
        return None

    def load(self, data, scenario):
        return film()

    def adapt(self, scenario, model):
        return _existing(scenario)

    def arrived(self):
        self.home.show(self.model)

    def preview(self, model, scenario):
        return None  # a step is turned to at once; its own dashboard computes

    def passes(self, model, scenario):
        return iter(())

    def show(self, picture):
        """There is nothing to draw but the film, which is drawn when it has arrived."""

    def say(self, title, text):
        self._notice.object = f'<p role="status"><b>{title}</b> {text}</p>'
        self._notice.visible = True

    # Turning

    def _to(self, lesson: str, step: int = 1) -> None:
        self.controls.change(self.scenario.having({"view.lesson": lesson, "view.step": step}))

    def _chosen(self, kind: str, name: str) -> None:
        if kind == "door":
            self.wanted = (name, {})
            self.wanted = None
            return
        kept = self.progress.get(name, {})
        self._to(name, 1 if kept.get("done") else kept.get("step", 1))

    def _turn(self) -> None:
        """Show what the scenario names: the home, or a step of a lesson."""
        view = self.scenario.view
        lesson = reader.find(view.lesson)
        if lesson is None:
            self._leave()
            self.info = ""
            self.body[:] = [self.home]
            return
        if self.player is None or self.player.lesson is not lesson:
            self._leave()
            self.player = self._enter(lesson, view.step)
            self.body[:] = [self.player]
        else:
            self.player.step = view.step
        self.info = lesson.title
        self._keep()

    def _enter(self, lesson, step: int) -> Player:
        player = Player(lesson, self.own, step=step, teachable=self._store is not None)
        player.recall(self.progress.get(lesson.id, {}).get("predictions", {}))
        player.param.watch(lambda event: self._stepped(player), "step")
        player.param.watch(lambda event: self._keep(), "predictions")
        # Recipients are known when the data inside are here: who presents may toggle them.
        player.param.watch(lambda event: self.param.update(loads=self.loads + 1), "arrivals")
        player.param.watch(lambda event: self._finished(player), "finished")
        player.param.watch(lambda event: self._to(""), "left")
        player.param.watch(lambda event: self._teach(player), "teaches")
        player.param.watch(lambda event: event.new and self._passed_on(event.new), "wanted")
        return player

    def _teach(self, player: Player) -> None:
        """Open a room for the lesson, and send the teacher there."""

        async def work():
            opened = await compute(self._store.open, player.lesson)
            await self._teaching.show(lambda: player.room.go(f"/teach?key={opened.key}"))

        self._teaching.start(work)

    def _refused(self, error: Exception) -> None:
        title, text = ("No room was opened.", str(error)) if isinstance(error, RoomProblem) else told(error, self.page)
        self.say(title, text)

    def _stepped(self, player: Player) -> None:
        if player is self.player and player.step != self.scenario.view.step:
            self._to(player.lesson.id, player.step)

    def _passed_on(self, wanted) -> None:
        self.wanted = wanted
        self.wanted = None

    def _leave(self) -> None:
        if self.player is not None:
            self.player.stop()
        self.player = None

    def _finished(self, player: Player) -> None:
        self._note(player.lesson.id, step=1, done=True, predictions=player.predictions)
        self._to("")

    def stop(self):
        super().stop()
        self._leave()

    # What the browser remembers

    def _remembered(self, found: Any) -> None:
        """What the browser has kept: only what fits the lessons is believed."""
        kept, player = _checked(found), self.player
        self.progress = kept | self.progress
        self.home.shelf.progress = dict(self.progress)
        if player is not None:  # it was opened by a link, before the browser had said what it knows
            before = kept.get(player.lesson.id, {})
            player.recall({**before.get("predictions", {}), **player.predictions})
            self.progress[player.lesson.id]["done"] |= before.get("done", False)
            self._keep()

    def _keep(self) -> None:
        player = self.player
        if player is not None:
            done = self.progress.get(player.lesson.id, {}).get("done", False)
            self._note(player.lesson.id, step=player.step, done=done, predictions=player.predictions)

    def _note(self, lesson: str, **kept: Any) -> None:
        self.progress = {**self.progress, lesson: kept}
        self.home.shelf.progress = dict(self.progress)
        if self.browser.found is not None:  # before that it would overwrite what is there
            self.browser.kept = dict(self.progress)


def _existing(scenario: LearnScenario) -> LearnScenario:
    """The scenario with a lesson and a step that there are."""
    lesson = reader.find(scenario.view.lesson)
    if lesson is None:
        return scenario.having({"view.lesson": "", "view.step": 1})
    return scenario.having({"view.step": min(scenario.view.step, len(lesson.steps))})


def _checked(found: Any) -> dict[str, dict[str, Any]]:
    """Of what a browser sent, the part that can be progress."""
    kept = {}
    for lesson in reader.shelf():
        one = found.get(lesson.id) if isinstance(found, dict) else None
        if isinstance(one, dict) and isinstance(one.get("step"), int) and not isinstance(one["step"], bool):
            predictions = one.get("predictions")
            kept[lesson.id] = {
                "step": min(max(one["step"], 1), len(lesson.steps)),
                "done": one.get("done") is True,
                "predictions": predictions if isinstance(predictions, dict) else {},
            }
    return kept
