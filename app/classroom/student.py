"""A student's page: the present step of the lesson as the player shows it, and nothing else."""

from typing import Any

import panel as pn

from trustscope.app.classroom.room import LOBBY, Class, Room, RoomProblem, Seat, asked_at, place_of
from trustscope.app.classroom.store import Seated, Store
from trustscope.app.classroom.watch import KIND, listen
from trustscope.app.learn.player import Player
from trustscope.app.problem import told
from trustscope.app.work import Lane, compute
from trustscope.lessons.lesson import Predict
from trustscope.widgets.esm import css
from trustscope.widgets.greeting import Greeting

NAME = "<p>Trustscope</p>"
ARRIVED = "Your prediction has arrived. You can change it until the answer is shown."
ASKED = "What do you expect? Your teacher sees what the class predicts, and no names."
LEADS = "Your teacher leads: the next step comes by itself."
ALONE = "Go on at your own pace."
FINISHED = "This was the last step."


class Student(pn.viewable.Viewer):
    """One student.

    Parameters
    ----------
    store : the rooms
    code, seat : the room, and where this student sits in it
    """

    def __init__(self, store: Store, code: str, seat: str):
        super().__init__()
        self._store, self._code, self._name = store, code, seat
        self.player: Player | None = None
        self._seat, self._room = Seat(), None
        self._kept: dict[str, Any] = {}  # what the room has of this student
        self._pending: dict[str, Any] = {}  # what it has yet to get
        self.greeting = Greeting(title="Coming in …")
        self.strip = pn.pane.HTML(NAME, sizing_mode="stretch_width", margin=0, stylesheets=[css("strip.css")])
        self.body = pn.Column(self.greeting, sizing_mode="stretch_width", margin=0)
        self._arriving, self._sending, self._walking = (Lane(self._fail) for _ in range(3))
        self._arriving.start(self._arrive)

    # Coming in

    async def _arrive(self) -> None:
        try:
            seated = await compute(self._store.sit, self._code, self._name, kind=KIND)
        except RoomProblem as problem:
            sentence = str(problem)
            await self._arriving.show(lambda: self._end(sentence))
            return
        await self._arriving.show(lambda: self._begin(seated))

    def _begin(self, seated: Seated) -> None:
        self._seat, self._kept = seated.seat, dict(seated.predictions)
        self._hear(seated.room, Class())
        listen(self._store, self._code, self._hear, self._name)

    # Following the room

    def _hear(self, room: Room | None, found: Class) -> None:
        if room is None:
            self._end("This room is closed.")
            return
        if self._room is not None and self._room.together and not room.together:
            self._seat = Seat(room.step, self._seat.furthest)  # everybody begins to run where they stand
        self._room = room
        step = place_of(room, self._seat)
        if step == LOBBY:
            self._leave()
            self.greeting.param.update(
                title="You are in.", text="The lesson begins when your teacher starts it.", about=room.lesson.title
            )
            self.body[:] = [self.greeting]
        elif self.player is None:
            self.player = self._made(room, step)
            self.body[:] = [self.player]
        else:
            self.player.param.update(step=step, alone=not room.together)
        self._say()

    def _made(self, room: Room, step: int) -> Player:
        player = Player(room.lesson, step=step, alone=not room.together, at_home=False)
        player.recall(self._kept)
        player.param.watch(lambda event: self._stepped(event.new), "step")
        player.param.watch(lambda event: self._predicted(event.new), "predictions")
        player.param.watch(lambda event: self._say(FINISHED), "finished")
        return player

    def _leave(self) -> None:
        if self.player is not None:
            self.player.stop()
        self.player = None

    def _end(self, sentence: str) -> None:
        self._leave()
        self.greeting.param.update(title=sentence, text="Nothing of what was predicted is kept.", about="")
        self.body[:] = [self.greeting]
        self.strip.object = NAME

    # What the student does

    def _stepped(self, step: int) -> None:
        if self._room.together or step == self._seat.step:
            return
        self._seat = self._seat.moved(self._room.lesson, step)
        self._say()

        async def walk():
            await compute(self._store.walk, self._code, self._name, self._seat.step, kind=KIND)

        self._walking.start(walk)

    def _predicted(self, predictions: dict[str, Any]) -> None:
        news = {name: value for name, value in predictions.items() if value != self._kept.get(name)}
        self._pending |= news
        if self._pending and not self._sending.busy:
            self._sending.start(self._send)

    async def _send(self) -> None:
        while self._pending:
            name, value = self._pending.popitem()
            try:
                self._kept[name] = await compute(self._store.predict, self._code, self._name, name, value, kind=KIND)
            except RoomProblem as problem:
                sentence = str(problem)
                await self._sending.show(lambda said=sentence: self._refused(said))
            else:
                await self._sending.show(self._say)

    def _refused(self, sentence: str) -> None:
        """What was not taken is not shown as if it were."""
        if self.player is not None:
            self.player.recall(self._kept)
        self._say(sentence)

    # What is said

    def _say(self, sentence: str = "") -> None:
        player, room = self.player, self._room
        if player is None:
            self.strip.object = NAME
            return
        if not sentence and isinstance(player.present, Predict):
            sentence = ARRIVED if asked_at(room.lesson, player.place + 1) in self._kept else ASKED
        self.strip.object = f'<p role="status">{sentence or (LEADS if room.together else ALONE)}</p>'

    def _fail(self, error: Exception) -> None:
        self.strip.object = f'<p role="status">{" ".join(told(error, "class"))}</p>'

    def __panel__(self):
        return pn.Column(self.strip, self.body, sizing_mode="stretch_width", margin=0)
