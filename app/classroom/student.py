"""A student's page: the present step of the lesson as the player shows it, and nothing else."""

from functools import partial
from typing import Any, cast

import panel as pn

from trustscope.app.classroom.room import LOBBY, SHOWN, Class, Room, RoomProblem, Seat, place_of
from trustscope.app.classroom.store import Seated, Store
from trustscope.app.classroom.watch import KIND, listen
from trustscope.app.learn.player import Player
from trustscope.app.problem import explain_error
from trustscope.app.work import TaskSlot, compute
from trustscope.lessons.lesson import Lesson, Predict
from trustscope.widgets.frame.greeting import Greeting
from trustscope.widgets.lessons.strip import Strip

NAME = "Trustscope"
ARRIVED = "Your prediction has arrived. You can change it until the answer is shown."
ASKED = "What do you expect? Your teacher sees what the class predicts, and no names."
AGAIN = "You are asked again: what do you expect after the talk? Your first answer is kept."
REACHED = "You have reached the goal. Your teacher sees how many have, and no names."
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
        self._seat = Seat()
        self._room: Room | None = None
        self._section = -1  # whose lesson the player plays
        self._reached: set[int] = set()
        self._unwritten: set[int] = set()  # of those, what the room has yet to get
        self._kept: dict[str, Any] = {}  # what the room has of this student
        self._pending: dict[str, Any] = {}  # what it has yet to get
        self.greeting = Greeting(title="Coming in …")
        self.strip = Strip(text=NAME)
        self.body = pn.Column(self.greeting, sizing_mode="stretch_width", margin=0)
        self._arriving, self._sending, self._walking, self._reaching = (TaskSlot(self._fail) for _ in range(4))
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
        self._seat, self._kept, self._reached = seated.seat, dict(seated.predictions), set(seated.reached)
        self._hear(seated.room, Class())
        listen(self._store, self._code, self._hear, self._name)

    # Following the room

    def _hear(self, room: Room | None, found: Class) -> None:
        if room is None:
            self._end("This room is closed.")
            return
        before, self._room = self._room, room
        if before is not None:
            self._seat = self._seat.followed(before, room)
            for name in [name for name in self._kept if room.round_of(name) != before.round_of(name)]:
                del self._kept[name]  # asked again: what was said before is kept in the room, and not shown
        self.strip.put(paused=room.paused, countdown=countdown_of(self._store, room))
        step = place_of(room, self._seat)
        section = room.course.section(step)
        if step == LOBBY:
            self._greet("You are in.", "The lesson begins when your teacher starts it.", room.course.title)
        elif section.lesson is None:
            self._greet(section.title, section.text, room.course.title)
        else:
            self._show(room, step)
        self._say()

    def _greet(self, title: str, text: str, about: str) -> None:
        self._leave()
        self.greeting.param.update(title=title, text=text, about=about)
        self.body[:] = [self.greeting]

    def _show(self, room: Room, step: int) -> None:
        section, number = room.course.place(step)
        if self.player is None or self._section != section:
            self._leave()
            self._section = section
            self.player = self._made(room, section, number)
            self.body[:] = [self.player]
            return
        predictions = room.course.of_section(section, self._kept | self._pending)
        closed = self._closed(room, section)
        self.player.param.update(step=number, alone=not room.together, closed=closed)
        if self.player.predictions.keys() != predictions.keys():
            self.player.recall(predictions)

    def _made(self, room: Room, section: int, number: int) -> Player:
        lesson = cast(Lesson, room.course.sections[section].lesson)  # in a break students are greeted
        first = room.course.starts[section]
        player = Player(
            lesson, step=number, alone=not room.together, at_home=False, ends=room.course.sections[section].ends,
            closed=self._closed(room, section),
        )  # fmt: skip
        player.recall(room.course.of_section(section, self._kept), [one - first + 1 for one in self._reached])
        player.param.watch(lambda event: self._stepped(first + event.new - 1), "step")
        player.param.watch(lambda event: self._predicted(section, event.new), "predictions")
        player.param.watch(lambda event: self._reach({first + one - 1 for one in event.new}), "reached")
        return player

    def _closed(self, room: Room, section: int) -> list[str]:
        """The questions of a section that take no predictions of this student any more, as its lesson names them."""
        names = {name: True for name in room.course.questions if room.is_closed(name, self._seat)}
        return list(room.course.of_section(section, names))

    def _leave(self) -> None:
        if self.player is not None:
            self.player.stop()
        self.player = None

    def _end(self, sentence: str) -> None:
        self._leave()
        self.greeting.param.update(title=sentence, text="Nothing of what was predicted is kept.", about="")
        self.body[:] = [self.greeting]
        self.strip.put(text=NAME, paused=False, countdown={})

    # What the student does

    def _stepped(self, step: int) -> None:
        if self._room is None or self._room.together or step == self._seat.step:
            return
        self._seat = self._seat.moved(self._room, step)
        if self.player is not None:
            self.player.closed = self._closed(self._room, self._section)
        self._say()

        async def walk():
            await compute(self._store.walk, self._code, self._name, self._seat.step, kind=KIND)

        self._walking.start(walk)

    def _predicted(self, section: int, predictions: dict[str, Any]) -> None:
        named = {f"{section + 1}.{name}": value for name, value in predictions.items()}
        self._pending |= {name: value for name, value in named.items() if value != self._kept.get(name)}
        if self._pending and not self._sending.busy:
            self._sending.start(self._send)

    def _reach(self, reached: set[int]) -> None:
        news, self._reached = reached - self._reached, self._reached | reached
        self._say()
        self._unwritten |= news
        if self._unwritten and not self._reaching.busy:
            self._reaching.start(self._write)

    async def _write(self) -> None:
        while self._unwritten:
            await compute(self._store.reach, self._code, self._name, self._unwritten.pop(), kind=KIND)

    async def _send(self) -> None:
        while self._pending:
            name, value = next(iter(self._pending.items()))
            try:
                kept = await compute(self._store.predict, self._code, self._name, name, value, kind=KIND)
            except RoomProblem as problem:
                self._pending.pop(name)
                sentence = str(problem)
                await self._sending.show(partial(self._refused, sentence))
            else:
                self._kept[name] = kept
                if self._pending.get(name) == value:  # else it was changed meanwhile
                    self._pending.pop(name)
                await self._sending.show(self._say)

    def _refused(self, sentence: str) -> None:
        """What was not taken is not shown as if it were."""
        if self.player is not None and self._room is not None:
            self.player.recall(self._room.course.of_section(self._section, self._kept))
        self._say(sentence)

    # What is said

    def _say(self, sentence: str = "") -> None:
        player, room = self.player, self._room
        if player is None or room is None:
            self.strip.put(text=NAME)
            return
        place = room.course.starts[self._section] + player.place
        name = room.course.asked_at(place)
        if not sentence and isinstance(player.present, Predict):
            again = name is not None and room.round_of(name) > 1
            sentence = ARRIVED if name in self._kept else AGAIN if again else ASKED
            if name is not None and room.is_closed(name, self._seat):
                sentence = SHOWN
        if not sentence and place in self._reached:
            sentence = REACHED
        self.strip.put(text=sentence or (LEADS if room.together else FINISHED if player.ended else ALONE))

    def _fail(self, error: Exception) -> None:
        self.strip.put(text=" ".join(explain_error(error, "class")))

    def __panel__(self):
        return pn.Column(self.strip, self.body, sizing_mode="stretch_width", margin=0)


def countdown_of(store: Store, room: Room) -> dict[str, float]:
    """What a page is told of the countdown."""
    return {} if room.until is None else {"until": room.until, "left": store.left(room)}
