"""News of a room: one look at the file for all pages of a process, a few times a second.

Processes do not tell one another what has changed; each looks. A look is a read of one row by its key, so that a
prediction is on the teacher's page a fifth of a second after it was written, in whichever process that was.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import panel as pn

from trustscope.app.classroom.room import Class, Room
from trustscope.app.classroom.store import Store
from trustscope.app.serving import log
from trustscope.app.serving.loops import call_on, loop_of
from trustscope.app.work import compute

PAUSE = 0.2  # seconds between two looks
LONGEST_PAUSE = 5.0  # seconds, while they fail: the log would fill with one sentence
BEAT = 1.5  # seconds between two signs that students are there
KIND = "class"  # of threads: a look never waits for a picture that is being computed

Hear = Callable[[Room | None, Class], None]


class Listener:
    """A page that hears of its room, on its own document, as long as its session lasts.

    Parameters
    ----------
    hear : called with the room, None when it is closed, and with what the class predicted, which only a teacher gets
    seat : the student's; None for a teacher
    """

    def __init__(self, hear: Hear, seat: str | None):
        self._doc: Any = pn.state.curdoc  # there is one: a page is being made
        self._hear, self.seat = hear, seat

    @property
    def there(self) -> bool:
        """Whether somebody is looking at the page; a session outlives its browser by a few seconds."""
        session = self._doc.session_context and self._doc.session_context.session
        return session is not None and session.connection_count > 0

    def tell(self, room: Room | None, found: Class) -> None:
        """Show the news."""

        def run():
            with pn.io.hold(self._doc):
                self._hear(room, found)

        self._doc.add_next_tick_callback(run)


class Watch:
    """Looks after one room for all pages of this process."""

    def __init__(self, store: Store, code: str, gone: Callable[[], object]):
        self._store, self._code, self._gone = store, code, gone
        self._listeners: list[Listener] = []
        self._seen: tuple[Room | None, Class] | None = None
        self._news: int | None = None
        self._task: asyncio.Task | None = None
        self._changes = 0  # how often somebody here has changed the room

    def changed(self) -> None:
        """The room was changed here: what a look that is under way has seen is older than what is known."""
        self._changes += 1

    def add(self, listener: Listener) -> None:
        """Tell this page too, from now on."""
        self._listeners.append(listener)
        self._news = self._seen = None  # it has to be told everything
        if self._task is None or self._task.done():  # it ends when nobody listens, also just before this one came
            self._task = asyncio.ensure_future(self._run())

    def remove(self, listener: Listener) -> None:
        """Tell this page no more."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    async def _run(self) -> None:
        """Look as long as somebody listens; whatever fails once (the disk is full, perhaps), the next look may do."""
        loop, beaten, pause = asyncio.get_running_loop(), float("-inf"), PAUSE
        try:
            while self._listeners:
                due = loop.time() - beaten > BEAT
                beaten = loop.time() if due else beaten
                try:
                    seats = [one.seat for one in self._listeners if one.seat is not None and one.there] if due else None
                    teacher = any(one.seat is None for one in self._listeners)
                    changes = self._changes
                    seen = await compute(self._look, seats, teacher, kind=KIND)
                    if changes != self._changes:
                        self._news = None  # nobody has been told of what it found
                        continue
                    self._tell(seen)
                    pause = PAUSE
                    if seen[0] is None:
                        break
                except Exception as error:
                    log.report_error(error, "looking after a room")
                    self._seen, pause = None, min(2 * pause, LONGEST_PAUSE)
                await asyncio.sleep(pause)
        finally:
            self._gone()

    def _look(self, seats: list[str] | None, teacher: bool) -> tuple[Room | None, Class]:
        if seats is not None:
            self._store.beat(self._code, seats)
        room, before = self._store.room(self._code), self._seen
        if room is None or not teacher:
            return room, Class()
        news = self._store.news(self._code)
        if before is None or news != self._news:
            self._news = news
            return room, self._store.class_of(self._code)
        return room, replace(before[1], places=self._store.places(self._code))

    def _tell(self, seen: tuple[Room | None, Class]) -> None:
        if seen == self._seen:
            return
        same_room = self._seen is not None and self._seen[0] == seen[0]
        self._seen = seen
        for one in list(self._listeners):
            if one.seat is None or not same_room:
                try:
                    one.tell(*seen)
                except Exception as error:  # a page that is just going must not keep the news from the others
                    log.report_error(error, "telling a page of its room")


_watches: dict[tuple[Store, str], Watch] = {}


def changed(store: Store, code: str) -> None:
    """A room was changed by a page of this process, which shows what came of it by itself."""
    if (watch := _watches.get((store, code))) is not None:
        watch.changed()


def listen(store: Store, code: str, hear: Hear, seat: str | None = None) -> None:
    """Have the present page told of a room, until its session ends."""
    key = (store, code)
    if key not in _watches:
        _watches[key] = Watch(store, code, lambda: _watches.pop(key, None))
    watch, listener = _watches[key], Listener(hear, seat)
    document: Any = pn.state.curdoc
    call_on(loop_of(document), watch.add, listener)
    document.on_session_destroyed(lambda context: watch.remove(listener))
