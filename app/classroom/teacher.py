"""The teacher's page: how many are there, the step, what the class predicts, and the truth over it."""

from collections.abc import Callable
from typing import Any

import panel as pn

from trustscope.app.classroom.address import address_of, qr
from trustscope.app.classroom.crowd import covered, gathered, results
from trustscope.app.classroom.room import COUNTDOWNS, LOBBY, Class, Room, RoomProblem, written_code
from trustscope.app.classroom.store import Store
from trustscope.app.classroom.student import countdown_of
from trustscope.app.classroom.watch import KIND, changed, listen
from trustscope.app.learn.player import Player
from trustscope.app.problem import explain_error
from trustscope.app.serving.plan import Plan
from trustscope.app.work import TaskSlot, compute
from trustscope.lessons import text as texts
from trustscope.lessons.course import Section
from trustscope.lessons.lesson import Predict, Reveal, Try
from trustscope.widgets.controls.download import as_csv
from trustscope.widgets.frame.greeting import Greeting
from trustscope.widgets.lessons.conduct import Conduct
from trustscope.widgets.lessons.crowd import Crowd


class Led(Player):
    """The step as the class sees it, for the wall; what the class predicts stands where each student is asked.

    Parameters
    ----------
    crowd : the picture of the predictions
    """

    def __init__(self, lesson, crowd: Crowd, **params):
        self._crowd = crowd
        self._results: list[dict[str, Any]] = []
        super().__init__(lesson, alone=False, at_home=False, asks=False, large=True, **params)

    def _embed(self) -> None:
        super()._embed()
        asks = isinstance(self.present, Predict)
        if asks:  # one picture cannot be taken out of one place after it was put into another
            self._question[:] = []
        views = [view for view in self._page if view is not self._crowd]
        if asks:
            self.room.page_shown = True
        self._page[:] = [self._crowd, *views] if asks else views

    def _ask(self) -> None:
        """When the answer is shown, what the class said stands under the words: the page needs the other side."""
        reveals = isinstance(self.present, Reveal)
        self._question[:] = [self._crowd] if reveals else []
        self.room.asked = reveals
        self._crowd.compact = reveals

    def conclude(self, found: list[dict[str, Any]]) -> None:
        """What the class predicted in this lesson, for the page after its last step."""
        self._results = found
        self._end()

    def _end(self) -> None:
        self.room.ending = {"class": self._results} if self.ended else {}


class Teacher(pn.viewable.Viewer):
    """One teacher's page; several of one room show the same.

    Parameters
    ----------
    store : the rooms
    code : the room
    plan : where students find it
    """

    def __init__(self, store: Store, code: str, plan: Plan):
        super().__init__()
        self._store, self._code = store, code
        self._room: Room | None = None
        self._section = -1  # whose lesson the player plays
        self.player: Led | None = None
        self.conduct, self.crowd = Conduct(countdowns=list(COUNTDOWNS)), Crowd()
        where = address_of(plan, code)
        self.conduct.param.update(
            code=written_code(code), address=where.shown, others=list(where.others), qr=qr(where.link),
            warning=where.warning,
        )  # fmt: skip
        self.greeting = Greeting(title="Opening the room …")
        self.body = pn.Column(self.greeting, sizing_mode="stretch_width", margin=0)
        self._arriving, self._leading, self._giving = (TaskSlot(self._fail) for _ in range(3))
        self.conduct.param.watch(lambda event: self._asked(*event.new[:2]), "asked")
        self.crowd.param.watch(lambda event: self._asked(event.new[0]), "asked")
        self._arriving.start(self._arrive)

    async def _arrive(self) -> None:
        room = await compute(self._store.room, self._code, kind=KIND)
        found = Class() if room is None else await compute(self._store.class_of, self._code, kind=KIND)
        await self._arriving.show(lambda: self._begin(room, found))

    def _begin(self, room: Room | None, found: Class) -> None:
        self._hear(room, found)
        if room is not None:
            listen(self._store, self._code, self._hear)

    # Following the room

    def _hear(self, room: Room | None, found: Class) -> None:
        if room is None:
            self._end()
            return
        if room != self._room:
            self._room = room
            self._turn(room)
        name, step = room.asked, room.course.step(room.step)
        places, first = room.course.sections[room.section].size, room.course.starts[room.section]
        goal = isinstance(step, Try)
        self.conduct.put(
            here=found.here,
            done=len(found.of(name)) if name is not None else found.reached.get(room.step, 0) if goal else -1,
            done_text="have reached the goal" if goal else "have predicted",
            places=[] if room.together else [found.places.get(first + k, 0) for k in range(places)],
        )  # fmt: skip
        if name is not None:
            self._gather(room, name, found)
        elif self.player is not None and self.player.ended and (lesson := room.course.sections[room.section].lesson):
            self.player.conclude(
                results(lesson, lambda one: found.of(room.course.name(room.step, one)),
                        lambda one: found.before.get(room.course.name(room.step, one)))
            )  # fmt: skip

    def _gather(self, room: Room, name: str, found: Class) -> None:
        """What the wall shows of the predictions; while they are covered, the page does not get them at all."""
        question, predictions = room.course.questions[name], found.of(name)
        reveal = isinstance(room.course.step(room.step), Reveal)
        self.crowd.put(
            picture=gathered(question, predictions, reveal, found.before.get(name))
            if room.uncovered
            else covered(question, len(predictions)),
            live=room.live, opened=room.opened, round=room.round_of(name),
            again=not reveal and not room.is_answered(name) and len(predictions) > 0,
        )  # fmt: skip

    def _turn(self, room: Room) -> None:
        course, (section, number) = room.course, room.course.place(room.step)
        here, following = course.sections[section], course.step(room.step + 1)
        leaves = room.step >= 1 and room.step + 1 in course.starts
        coming = course.sections[section + 1] if leaves else None
        last = room.step >= course.size
        text = "Start" if room.step == LOBBY else "Show the answer" if isinstance(following, Reveal) else "Next"
        title = (
            "" if last else coming.title if coming else texts.plain_text(following.title) if following else "The end"
        )
        self.conduct.put(
            title=course.title, sections=[{"title": one.title, "minutes": one.minutes} for one in course.sections],
            section=section, place=room.step, begun=room.step != LOBBY, step=number,
            of=len(here.lesson.steps) if here.lesson is not None else 1, together=room.together, open=True,
            next_text=f"Next: {coming.title}" if coming else text, next_title=title, paused=room.paused,
            countdown=countdown_of(self._store, room), notes=_notes(here),
        )  # fmt: skip
        if room.step == LOBBY:
            self._leave()
            self.body[:] = []
        elif here.lesson is None:
            self._leave()
            self.greeting.param.update(title=here.title, text=here.text, about=f"{here.minutes} minutes", home="")
            self.body[:] = [self.greeting]
        elif self.player is None or self._section != section:
            self._leave()
            self._section = section
            self.player = Led(here.lesson, self.crowd, step=number, ends=here.ends)
            self.body[:] = [self.player]
        else:
            self.player.step = number

    def _leave(self) -> None:
        if self.player is not None:
            self.player.stop()
        self.player = None

    def _end(self) -> None:
        self._leave()
        self._room = None
        self.conduct.put(open=False, here=0, done=-1)
        self.greeting.param.update(
            title="This room is closed.", text="Nothing of it is kept.", about="", home="To the lessons"
        )
        self.body[:] = [self.greeting]

    # What the teacher asks for

    def _asked(self, what: str, number: int = 0) -> None:
        room, store, code = self._room, self._store, self._code
        if room is None:
            return
        match what:
            # A second click, or another window, may have asked before it was seen that the room has gone on.
            case "next" if number == room.step < room.course.size:
                self._lead(lambda: store.lead(code, step=room.step + 1))
            case "back" if number == room.step > LOBBY:
                self._lead(lambda: store.lead(code, step=room.step - 1))
            case "section" if 0 <= number < len(room.course.sections):
                self._lead(lambda: store.lead(code, step=room.course.starts[number]))
            case "together" | "apart":
                self._lead(lambda: store.lead(code, together=what == "together"))
            case "pause" | "resume":
                self._lead(lambda: store.set(code, paused=what == "pause"))
            case "countdown" if number in COUNTDOWNS:
                self._lead(lambda: store.count_down(code, number))
            case "stop-countdown":
                self._lead(lambda: store.count_down(code, None))
            case "open" | "cover":
                self._lead(lambda: store.set(code, opened=what == "open"))
            case "live" | "hold":
                self._lead(lambda: store.set(code, live=what == "live"))
            case "again":
                self._lead(lambda: store.ask_again(code))
            case "table":
                self._giving.start(self._give)
            case "link":
                self._giving.start(self._give_link)
            case "close":
                self._leading.start(self._close)

    def _lead(self, act: Callable[[], Room]) -> None:
        async def lead():
            room: Room | None
            try:
                room = await compute(act, kind=KIND)
                found = await compute(self._store.class_of, self._code, kind=KIND)
            except RoomProblem:
                room, found = await compute(self._store.room, self._code, kind=KIND), Class()
                if room is not None:
                    raise
            changed(self._store, self._code)
            await self._leading.show(lambda: self._hear(room, found))

        self._leading.start(lead)

    async def _give(self) -> None:
        table = await compute(self._store.table, self._code, kind=KIND)
        await self._giving.show(lambda: self.conduct.give("trustscope-class.csv", as_csv(table)))

    async def _give_link(self) -> None:
        key = await compute(self._store.key_of, self._code, kind=KIND)
        await self._giving.show(lambda: self.conduct.copy(f"/teach?key={key}"))

    async def _close(self) -> None:
        await compute(self._store.close, self._code, kind=KIND)
        await self._leading.show(self._end)

    def _fail(self, error: Exception) -> None:
        self.conduct.said = str(error) if isinstance(error, RoomProblem) else " ".join(explain_error(error, "class"))

    def __panel__(self):
        return self.body


def _notes(section: Section) -> dict[str, Any]:
    """What the teacher's page says of a section to the teacher."""
    found: dict[str, Any] = {"title": section.title, "minutes": section.minutes, "more": section.notes}
    notes = section.lesson.notes if section.lesson is not None else None
    if notes is not None:
        found |= {"aim": notes.aim, "misconception": notes.misconception, "questions": list(notes.questions)}
    return found
