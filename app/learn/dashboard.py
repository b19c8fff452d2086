"""The Learn page: where the app opens for whoever comes without a link."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import panel as pn

from trustscope.app.classroom.room import RoomProblem
from trustscope.app.classroom.store import shared
from trustscope.app.controls import Controls
from trustscope.app.dashboard import Dashboard
from trustscope.app.learn.editor import LessonEditor
from trustscope.app.learn.home import Home
from trustscope.app.learn.library import Library, keepable, not_shown, offered, read_kept, read_own
from trustscope.app.learn.player import Player
from trustscope.app.problem import explain_error
from trustscope.app.serving.plan import current
from trustscope.app.work import TaskSlot, compute
from trustscope.lessons import text as texts
from trustscope.lessons.course import Course, course_of
from trustscope.lessons.draft import blank, is_small
from trustscope.lessons.film import film
from trustscope.lessons.lesson import Lesson
from trustscope.lessons.place import LearnScenario
from trustscope.lessons.plan import course, plans
from trustscope.lessons.reader import LARGEST, LessonProblem
from trustscope.lessons.worksheet import worksheet
from trustscope.widgets.lessons.progress import Progress


class LearnControls(Controls):
    """There are none: each step brings those of its own page."""

    def __init__(self, scenario: LearnScenario):
        self._layout = self.laid_out({})
        super().__init__((), scenario)


class LearnDashboard(Dashboard):
    """The home of the lessons, or one of them at its present step.

    Parameters
    ----------
    scenario : which lesson and which step
    """

    page = "learn"
    kind = LearnScenario

    def __init__(self, scenario: LearnScenario | None = None, **params):
        # An own lesson is known when the browser has said what it keeps: until then the home is shown.
        named = scenario is not None and scenario.view.lesson and offered(scenario.view.lesson) is None
        self._awaited = scenario if named else None
        self._drafted = self._aside = ""  # what was written last in this visit, and what it took the place of
        self._later: list[Callable[[], Any]] = []  # what waits for the browser to say what it keeps
        self._removed: tuple[Lesson, str] | None = None
        self._recalled = False  # whether what the browser had kept was taken up
        self._unread: list[tuple[str, str, Any]] = []  # files that were opened: name, text, and where the person was
        self._reading, self._recalling = TaskSlot(self._not_taken), TaskSlot(self._not_recalled)
        self.library = Library()
        super().__init__(scenario, **params)
        if self.own.step:  # somebody went on with something before this page was made
            self._write_step(self.own.step[0])
        if self.own.lesson[1]:
            self._opened(*self.own.lesson[:2])

    @classmethod
    def scenario_to_open(cls, scenario):
        scenario = scenario or LearnScenario()
        return _existing(scenario, offered(scenario.view.lesson))

    # Layout

    def make_controls(self, scenario):
        return LearnControls(scenario)

    @classmethod
    def parts(cls):
        return []  # a lesson says itself what may be seen

    def build(self):
        self.player: Player | None = None
        self.editor: LessonEditor | None = None  # made when somebody writes a lesson
        plan = current()
        # Rooms are there only where the server was started for classes; a teacher's link shows one page and no more.
        rooms = plan.rooms if plan is not None and not self.shown.limited else None
        self._store, self._teaching = (shared(rooms) if rooms else None), TaskSlot(self._refused)
        self.progress: dict[str, dict[str, Any]] = {}
        own = not self.shown.limited
        self.home, self.browser = Home(self.library, teachable=bool(rooms), writable=own), Progress()
        self._notice = pn.pane.HTML("", visible=False, sizing_mode="stretch_width", margin=(0, 0, 8, 0))
        self.body = pn.Column(sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(self.browser, self._notice, self.body, sizing_mode="stretch_width", margin=0)
        self.browser.param.watch(lambda event: self._remembered(event.new), "found")
        self.home.shelf.param.watch(lambda event: self._chosen(*event.new[:2]), "chosen")
        self.home.shelf.param.watch(lambda event: self._teach_these(event.new[0]), "teaches")
        self.home.shelf.param.watch(lambda event: self._opened(*event.new[:2]), "opened")
        self.own.param.watch(lambda event: self._opened(*event.new[:2]), "lesson")
        self.own.param.watch(lambda event: self._write_step(event.new[0]), "step")
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
            (texts.plain_text(step.title), self.settled.replace({"view.step": number}))
            for number, step in enumerate(player.lesson.steps, 1)
        ]

    # Data: the film

    def model_key(self, scenario):
        return self.page

    def fetch(self, scenario):
        return None

    def load(self, data, scenario):
        return film()

    def fit_to_data(self, scenario, model):
        return _existing(scenario, self.library.find(scenario.view.lesson))

    def arrived(self):
        self.home.show_film(self.model)

    def preview(self, model, scenario):
        return None  # a step is turned to at once; its own dashboard computes

    def passes(self, model, scenario):
        return iter(())

    def draw_picture(self, picture):
        """There is nothing to draw but the film, which is drawn when it has arrived."""

    def say(self, title, text):
        self._notice.object = f'<p role="status"><b>{title}</b> {text}</p>'
        self._notice.visible = True

    # Turning

    def _to(self, lesson: str, step: int = 1) -> None:
        self.controls.change(self.scenario.replace({"view.lesson": lesson, "view.step": step}))

    def _chosen(self, kind: str, name: str) -> None:
        self.home.shelf.said = []
        if kind == "door":
            self.wanted = (name, {})
            self.wanted = None
            return
        if kind == "remove":
            self._removed = self.library.remove(name)
            self._keep_lessons()
            self._renew()
            return
        if kind == "restore":
            if self._removed is not None:
                self._take(*self._removed, "the lesson", None)
            return
        if kind in ("write", "edit"):
            draft = json.loads(self.library.texts[name]) if kind == "edit" else None
            self._when_known(lambda: self._write(draft))
            return
        kept = self.progress.get(name, {})
        self._to(name, 1 if kept.get("done") else kept.get("step", 1))

    def _turn(self) -> None:
        """Show what the scenario names: the home, or a step of a lesson."""
        view = self.scenario.view
        lesson = self.library.find(view.lesson)
        if lesson is None:
            self._leave()
            self.info = ""
            self.body[:] = [self.home] if self.editor is None else [self.editor]
            return
        if self.player is None or self.player.lesson is not lesson:
            self._leave()
            self.player = self._enter(lesson, view.step)
            self.body[:] = [self.player]
        else:
            self.player.step = view.step
        self.info = lesson.title
        self._keep()

    def _enter(self, lesson: Lesson, step: int) -> Player:
        after = self.library.after(lesson)
        player = Player(
            lesson, self.own, step=step, teachable=self._store is not None, following=after.title if after else ""
        )
        kept = self.progress.get(lesson.id, {})
        player.recall(kept.get("predictions", {}), kept.get("reached", ()))
        player.param.watch(lambda event: self._stepped(player), "step")
        player.param.watch(lambda *events: self._keep(), ["predictions", "reached"])
        # Recipients are known when the data inside are here: who presents may toggle them.
        player.param.watch(lambda event: self.param.update(loads=self.loads + 1), "arrivals")
        player.param.watch(lambda event: self._to(after.id) if after else self._go_home(), "onwards")
        player.param.watch(lambda event: self._go_home(), "left")
        player.param.watch(lambda event: self._teach(course_of(lesson)), "teaches")
        player.param.watch(lambda event: self._print(player), "worksheets")
        player.param.watch(lambda event: self._passed_on(event.new) if event.new else None, "wanted")
        return player

    def _print(self, player: Player) -> None:
        player.room.give(f"{player.lesson.id}-worksheet.html", worksheet(player.lesson))

    # Own lessons

    def _opened(self, name: str, text: str) -> None:
        """A lesson file was opened here, or dropped anywhere."""
        if self.shown.limited:
            return

        self._unread.append((name, text, self._stage))

        async def work():  # beside the loop: a long text takes a while
            while self._unread:
                name, text, stage = self._unread.pop(0)
                try:
                    lesson = await compute(read_own, text, name, kind="lesson")
                except Exception as error:
                    await self._reading.show(partial(self._not_taken, error, stage))
                else:
                    await self._reading.show(partial(self._take, lesson, text, name, stage))

        if not self._reading.busy:
            self._reading.start(work)

    def _take(self, lesson: Lesson, text: str, name: str, stage: Any) -> None:
        """A lesson was read: it stands on the shelf from then on, and begins, unless the person has gone on since."""
        try:
            self.library.add(lesson, text, name)
        except LessonProblem as problem:
            self._not_taken(problem, stage)
            return
        self._keep_lessons()
        self._renew()
        if self._stage == stage:
            self._to(lesson.id)

    def _not_taken(self, error: Exception, stage: Any = None) -> None:
        sentences = error.sentences if isinstance(error, LessonProblem) else explain_error(error, self.page)
        self._renew(*sentences)
        if self._stage == stage:
            self._to("")

    def _renew(self, *said: str) -> None:
        """Show the lessons on offer; what was removed last can be brought back until a lesson takes its place."""
        removed = "" if self._removed is None or self.library.find(self._removed[0].id) else self._removed[0].title
        self.home.renew(self.library, *said, removed=removed)

    @property
    def _stage(self) -> tuple[Any, Any]:
        """What the person is at: a lesson, or writing one."""
        return self.player, self.editor

    # Writing a lesson

    def _write(self, draft: dict[str, Any] | None = None) -> LessonEditor | None:
        """Turn to the editor: with this draft, or with what was written last."""
        if self.shown.limited:
            return None
        if self.editor is None:
            self.editor = LessonEditor(
                self._keep_draft, self._play, self._stop_writing, self._set_aside, self.library.taken,
                _draft(self._drafted or self.browser.draft), _draft(self._aside or self.browser.before),
            )  # fmt: skip
        if draft is not None:
            self.editor.open(draft)
        if self.scenario.view.lesson:
            self._to("")
        else:
            self._turn()
        return self.editor

    def _write_step(self, scenario: Any) -> None:
        """What stands on another page becomes a step."""

        def add():
            editor = self._write()
            if editor is not None:
                editor.add(scenario)

        self._when_known(add)

    def _when_known(self, act: Callable[[], Any]) -> None:
        """Do something once the browser has said what was written last: before that it would take its place."""
        if self.browser.found is None:
            self._later.append(act)
        else:
            act()

    def _keep_draft(self, text: str) -> None:
        self._drafted = text
        self.browser.kept_draft = text

    def _set_aside(self, text: str) -> None:
        self._aside = text
        self.browser.kept_before = text

    def _stop_writing(self) -> None:
        if self.editor is not None:
            self.editor.stop()
        self.editor = None
        self._turn()

    def _go_home(self) -> None:
        """Turn to all lessons; a draft that was left by Undo waits there."""
        self._stop_writing()
        self._to("")

    def _play(self, text: str) -> None:
        """Take what was written: it stands on the shelf from then on."""
        self._stop_writing()
        self._opened("the lesson", text)

    # Teaching

    def _teach_these(self, names: tuple[str, ...]) -> None:
        """Open a room for a plan, or for the lessons that were ticked."""
        plan = next((one for one in plans() if one.id in names), None)
        lessons = [one for one in map(self.library.find, names) if one is not None]
        if plan is not None or lessons:
            self._teach(course(plan) if plan is not None else course_of(*lessons))

    def _teach(self, taught: Course) -> None:
        """Open a room, and send the teacher there."""
        if self._store is None:
            return
        store = self._store

        async def work():
            opened = await compute(store.open, taught)
            await self._teaching.show(lambda: self.browser.go(f"/teach?key={opened.key}"))

        self._teaching.start(work)

    def _refused(self, error: Exception) -> None:
        title, text = (
            ("No room was opened.", str(error)) if isinstance(error, RoomProblem) else explain_error(error, self.page)
        )
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

    def stop(self):
        super().stop()
        self._leave()
        self._reading.stop()
        self._recalling.stop()
        if self.editor is not None:
            self.editor.stop()

    # What the browser remembers

    def _remembered(self, found: Any) -> None:
        """What the browser has kept; its own lessons are read first, beside the loop."""
        later, self._later = self._later, []
        for act in later:
            act()
        texts = [] if self.shown.limited else keepable(self.browser.lessons.values())
        texts = [text for text in texts if not self.library.known(text)]
        if not texts:
            self._recall(found, [])
            return

        async def work():
            read = await compute(read_kept, texts, kind="lesson")
            await self._recalling.show(partial(self._recall, found, read))

        self._recalling.start(work)

    def _not_recalled(self, error: Exception) -> None:
        """What the browser keeps cannot be read: whatever else it remembers is taken up all the same."""
        self._not_taken(error)
        self._recall(self.browser.found, [])

    def _recall_again(self) -> None:
        """Take up what the browser has kept if that was ended halfway, as a lost connection ends it."""
        if self.browser.found is not None and not self._recalled and not self._recalling.busy:
            self._remembered(self.browser.found)

    def _recall(self, found: Any, lessons: list[tuple[Lesson, str]]) -> None:
        """Take up what the browser has kept: only what fits the lessons is believed."""
        self._recall_lessons(lessons)
        kept, player = _checked(found, self.library), self.player
        self.progress = kept | self.progress
        self._recalled = True
        self.home.shelf.progress = dict(self.progress)
        if player is not None:  # it was opened by a link, before the browser had said what it knows
            before = kept.get(player.lesson.id, {})
            player.recall({**before.get("predictions", {}), **player.predictions}, before.get("reached", ()))
            self.progress[player.lesson.id]["done"] |= before.get("done", False)
            self._keep()
        if not self.library.texts.items() <= self.browser.lessons.items():  # one was opened meanwhile
            self._keep_lessons()
        awaited, self._awaited = self._awaited, None
        if awaited is not None and self.player is None and awaited.view.lesson in self.library.own:
            self._to(awaited.view.lesson, awaited.view.step)

    def _recall_lessons(self, lessons: list[tuple[Lesson, str]]) -> None:
        """Own lessons of an earlier visit; those that cannot be shown stay in the browser, and are named."""
        if self.shown.limited:
            return
        for lesson, text in lessons:
            if lesson.id not in self.library.own:  # what was opened meanwhile is newer
                with suppress(LessonProblem):
                    self.library.add(lesson, text, "a lesson of this browser")
        unread = self.library.leave(self.browser.lessons)
        self._renew(*dict.fromkeys((*self.home.shelf.said, *not_shown(unread))))

    def _keep_lessons(self) -> None:
        """Have the browser keep the own lessons that there are now."""
        if self.shown.limited:
            return
        if self._recalled:  # before that it would overwrite what is there
            self.browser.kept_lessons = self.library.kept()
        else:
            self._recall_again()

    def _keep(self) -> None:
        player = self.player
        if player is not None:
            done = self.progress.get(player.lesson.id, {}).get("done", False) or player.ended
            self._note(
                player.lesson.id, step=1 if player.ended else player.step, done=done, predictions=player.predictions,
                reached=list(player.reached),
            )  # fmt: skip

    def _note(self, lesson: str, **kept: Any) -> None:
        self.progress = {**self.progress, lesson: kept}
        self.home.shelf.progress = dict(self.progress)
        if self._recalled:  # before that it would overwrite what is there
            self.browser.kept = dict(self.progress)
        else:
            self._recall_again()


def _existing(scenario: LearnScenario, lesson: Lesson | None) -> LearnScenario:
    """The scenario with a lesson and a step that there are."""
    if lesson is None:
        return scenario.replace({"view.lesson": "", "view.step": 1})
    return scenario.replace({"view.step": min(scenario.view.step, len(lesson.steps) + 1)})


def _draft(text: str) -> dict[str, Any]:
    """The draft that a browser kept; a new one where it is none."""
    with suppress(ValueError, RecursionError):
        found = json.loads(text) if len(text) <= LARGEST else None
        if isinstance(found, dict) and isinstance(found.get("steps"), list) and is_small(found):
            return found
    return blank()


def _checked(found: Any, library: Library) -> dict[str, dict[str, Any]]:
    """Of what a browser sent, the part that can be progress."""
    kept = {}
    for lesson in library.all():
        one = found.get(lesson.id) if isinstance(found, dict) else None
        if isinstance(one, dict) and isinstance(one.get("step"), int) and not isinstance(one["step"], bool):
            predictions, reached = one.get("predictions"), one.get("reached")
            kept[lesson.id] = {
                "step": min(max(one["step"], 1), len(lesson.steps)),
                "done": one.get("done") is True,
                "predictions": predictions if isinstance(predictions, dict) else {},
                "reached": [step for step in reached if isinstance(step, int)] if isinstance(reached, list) else [],
            }
    return kept
