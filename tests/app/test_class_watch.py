"""Those who watch a room: they outlive what fails, and tell nothing that is older than what was done."""

import asyncio
import sqlite3
import threading

import pytest

from trustscope.app.classroom import student, watch
from trustscope.app.classroom.store import Store
from trustscope.lessons.course import course_of
from trustscope.lessons.reader import find

COURSE = course_of(find("two-copies"))


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def test_a_watch_outlives_whatever_fails_and_says_it(store, monkeypatch):
    code, _ = store.open(COURSE)
    heard, said = [], []
    monkeypatch.setattr(watch, "PAUSE", 0.001)
    monkeypatch.setattr(watch.log, "report_error", lambda error, where: said.append(type(error)))
    failing = iter([RuntimeError(), sqlite3.OperationalError()])

    class Broken:
        seat = there = None

        def tell(self, room, found):
            raise RuntimeError

    class Hearing(Broken):
        def tell(self, room, found):
            heard.append(room)
            if room is not None:
                store.close(code)

    async def story():
        gone = asyncio.Event()
        watching = watch.Watch(store, code, gone.set)
        look = watching._look

        def looks(*arguments):
            for problem in failing:
                raise problem
            return look(*arguments)

        monkeypatch.setattr(watching, "_look", looks)
        watching.add(Broken())
        watching.add(Hearing())
        await asyncio.wait_for(gone.wait(), 60)

    asyncio.run(story())
    assert [room is not None for room in heard] == [True, False]
    assert said[:2] == [RuntimeError, sqlite3.OperationalError]
    assert len(said) == 4  # and twice the page that could not be told


def test_who_comes_to_a_watch_that_has_just_ended_hears_of_the_room(store, monkeypatch):
    """A page that is built in a thread finds the watch there, and is added to it later."""
    code, _ = store.open(COURSE)
    monkeypatch.setattr(watch, "PAUSE", 0.001)
    heard = []

    class Hearing:
        seat = there = None

        def tell(self, room, found):
            heard.append(room)
            watching.remove(self)

    async def story():
        for _ in range(2):
            watching.add(Hearing())
            await asyncio.wait_for(watching._task, 60)

    watching = watch.Watch(store, code, lambda: None)
    asyncio.run(story())
    assert len(heard) == 2


def test_a_look_that_is_older_than_what_the_teacher_did_is_told_to_nobody(store, monkeypatch):
    """The wall went back a step, and the teacher's next click did nothing: it was counted from there."""
    code, _ = store.open(COURSE)
    store.sit(code, "somebody")
    monkeypatch.setattr(watch, "PAUSE", 0.001)
    read, looking, led = store.class_of, threading.Event(), threading.Event()

    def slowly(code):
        found = read(code)
        looking.set()
        assert led.wait(60)
        return found

    monkeypatch.setattr(store, "class_of", slowly)
    heard = []

    class Wall:
        seat = there = None

        def tell(self, room, found):
            heard.append((room.step, found.here))
            watching.remove(self)

    async def story():
        watching.add(Wall())
        await asyncio.to_thread(looking.wait, 60)
        store.lead(code, step=1)
        watching.changed()
        led.set()
        await asyncio.wait_for(watching._task, 60)

    watching = watch.Watch(store, code, lambda: None)
    asyncio.run(story())
    assert heard == [(1, 1)]


def test_a_goal_that_is_reached_while_another_is_written_loses_neither(store, monkeypatch):
    code, _ = store.open(COURSE)
    gate = threading.Event()
    monkeypatch.setattr(student, "listen", lambda *arguments: None)

    async def story():
        one = student.Student(store, code, "somebody")
        await one._arriving.finished()
        written = []
        monkeypatch.setattr(one, "_store", Writes(written))
        one._reach({1, 2})
        await asyncio.sleep(0.05)
        one._reach({1, 2, 3})
        gate.set()
        await one._reaching.finished()
        assert set(written) == {1, 2, 3}

    class Writes:
        def __init__(self, written):
            self.written = written

        def reach(self, code, seat, step):
            gate.wait(60)
            self.written.append(step)

    asyncio.run(story())
