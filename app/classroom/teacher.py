"""The teacher's page: how many are there, the step, what the class predicts, and the truth over it."""

from typing import Any

import panel as pn

from trustscope.app.classroom.address import address_of, qr
from trustscope.app.classroom.crowd import gathered
from trustscope.app.classroom.room import LOBBY, Class, Room, RoomProblem, asked_at, written_code
from trustscope.app.classroom.store import Store
from trustscope.app.classroom.watch import KIND, listen
from trustscope.app.learn.player import Player
from trustscope.app.problem import told
from trustscope.app.serving.plan import Plan
from trustscope.app.work import Lane, compute
from trustscope.lessons import text as texts
from trustscope.lessons.lesson import Reveal
from trustscope.widgets.conduct import Conduct
from trustscope.widgets.crowd import Crowd
from trustscope.widgets.download import as_csv
from trustscope.widgets.greeting import Greeting


class Led(Player):
    """The step as the class sees it, for the wall; what the class predicts stands where each student is asked.

    Parameters
    ----------
    crowd : the picture of the predictions
    """

    def __init__(self, lesson, crowd: Crowd, **params):
        self._crowd = crowd
        super().__init__(lesson, alone=False, at_home=False, asks=False, large=True, **params)

    def _embed(self) -> None:
        super()._embed()
        views = [view for view in self._page if view is not self._crowd]
        if asked_at(self.lesson, self.place + 1) is not None:
            views = [self._crowd, *views]
            self.room.page_shown = True
        self._page[:] = views


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
        self.player: Led | None = None
        self.conduct, self.crowd = Conduct(), Crowd()
        where = address_of(plan, code)
        self.conduct.param.update(
            code=written_code(code), address=where.shown, others=list(where.others), qr=qr(where.link)
        )
        self.greeting = Greeting(title="Opening the room …")
        self.body = pn.Column(self.greeting, sizing_mode="stretch_width", margin=0)
        self._arriving, self._leading, self._giving = (Lane(self._fail) for _ in range(3))
        self.conduct.param.watch(lambda event: self._asked(event.new[0]), "asked")
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
        name = asked_at(room.lesson, room.step)
        predictions = found.of(name)
        self.conduct.param.update(
            here=found.here, predicted=-1 if name is None else len(predictions),
            places=[] if room.together else [found.places.get(n, 0) for n in range(1, len(room.lesson.steps) + 1)],
        )  # fmt: skip
        if name is not None:
            reveal = isinstance(room.lesson.steps[room.step - 1], Reveal)
            self.crowd.picture = gathered(room.lesson.question(name), predictions, reveal)

    def _turn(self, room: Room) -> None:
        lesson = room.lesson
        following = lesson.steps[room.step] if room.step < len(lesson.steps) else None
        self.conduct.param.update(
            lesson=lesson.title, step=room.step, of=len(lesson.steps), together=room.together, open=True,
            next_text="Start" if room.step == LOBBY else "Show the answer" if isinstance(following, Reveal) else "Next",
            next_title=texts.shown(following.title) if following is not None else "",
        )  # fmt: skip
        if room.step == LOBBY:
            self._leave()
            self.body[:] = []
        elif self.player is None:
            self.player = Led(lesson, self.crowd, step=room.step)
            self.body[:] = [self.player]
        else:
            self.player.step = room.step

    def _leave(self) -> None:
        if self.player is not None:
            self.player.stop()
        self.player = None

    def _end(self) -> None:
        self._leave()
        self._room = None
        self.conduct.param.update(open=False, here=0, predicted=-1)
        self.greeting.param.update(
            title="This room is closed.", text="Nothing of it is kept.", about="", home="To the lessons"
        )
        self.body[:] = [self.greeting]

    # What the teacher asks for

    def _asked(self, what: str) -> None:
        room = self._room
        if room is None:
            return
        match what:
            case "next" if room.step < len(room.lesson.steps):
                self._lead(step=room.step + 1)
            case "back" if room.step > LOBBY:
                self._lead(step=room.step - 1)
            case "together" | "apart":
                self._lead(together=what == "together")
            case "table":
                self._giving.start(self._give)
            case "link":
                self._giving.start(self._give_link)
            case "close":
                self._leading.start(self._close)

    def _lead(self, **to: Any) -> None:
        async def lead():
            try:
                room = await compute(lambda: self._store.lead(self._code, **to), kind=KIND)
                found = await compute(self._store.class_of, self._code, kind=KIND)
            except RoomProblem:
                room, found = None, Class()
            await self._leading.show(lambda: self._hear(room, found))

        self._leading.start(lead)

    async def _give(self) -> None:
        table = await compute(self._store.table, self._code, kind=KIND)
        name = f"trustscope-class-{self._room.lesson.id}.csv"
        await self._giving.show(lambda: self.conduct.give(name, as_csv(table)))

    async def _give_link(self) -> None:
        key = await compute(self._store.key_of, self._code, kind=KIND)
        await self._giving.show(lambda: self.conduct.copy(f"/teach?key={key}"))

    async def _close(self) -> None:
        await compute(self._store.close, self._code, kind=KIND)
        await self._leading.show(self._end)

    def _fail(self, error: Exception) -> None:
        self.conduct.said = str(error) if isinstance(error, RoomProblem) else " ".join(told(error, "class"))

    def __panel__(self):
        return self.body
