"""Tries of secrets that come in crowds: whoever hangs up leaves nothing behind, and the right secret enters."""

import asyncio
import sqlite3
from types import SimpleNamespace

import pytest
from tornado.httpserver import HTTPServer
from tornado.web import Application

from trustscope.app.classroom.store import FILE, Store
from trustscope.app.serving import access, doors
from trustscope.app.serving.access import Access, Tries
from trustscope.app.serving.doors import DoorHandler, Doors
from trustscope.app.serving.gate import EnterHandler, LoginHandler
from trustscope.app.serving.plan import Plan
from trustscope.lessons.course import course_of
from trustscope.lessons.reader import find

WHO = "127.0.0.1"
ASK = {
    "link": "GET /link HTTP/1.1\r\nHost: here\r\n\r\n",
    "password": "POST /password HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n\r\npassword=x",
    "code": "GET /code HTTP/1.1\r\nHost: here\r\n\r\n",
}


async def until(condition):
    while not condition():
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("way", ASK)
def test_whoever_hangs_up_does_not_wait_any_more(monkeypatch, way):
    """Else they could wait in any number: connections that are closed cost nothing."""
    monkeypatch.setattr(access, "FIRST_WAIT", 1000.0)
    monkeypatch.setattr(access, "LONGEST_WAIT", 1000.0)
    looked = []

    async def story():
        checked = Access(Plan.from_options(token="a" * 20, password="b" * 20))
        tries = checked.room_tries if way == "code" else checked._tries
        served = Application([
            ("/link", EnterHandler, {"token": "x"}), ("/password", LoginHandler),
            ("/code", DoorHandler, {"door": "/class", "given": "x"}),
        ])  # fmt: skip
        served.access = checked
        served.doors = SimpleNamespace(tries=tries, find_soon=lambda *given: looked.append(given))
        for _ in range(access.TRIES):
            tries.failed(WHO)
        server = HTTPServer(served)
        server.listen(0, WHO)
        port = next(iter(server._sockets.values())).getsockname()[1]
        for _ in range(3):
            _, writer = await asyncio.open_connection(WHO, port)
            writer.write(ASK[way].encode())
            await until(lambda: tries._waiting[WHO] == 1)
            writer.close()
            await until(lambda: not tries._waiting)
        server.stop()
        await server.close_all_connections()
        return len(tries._all)

    assert asyncio.run(asyncio.wait_for(story(), 30)) == access.TRIES  # what was not looked at was not wrong
    assert looked == []


def test_a_process_that_stands_still_while_it_writes_holds_nobody_elses_loop(monkeypatch, tmp_path):
    """It has the file of the rooms for itself then; who asks for a room hears of it after a while, or comes in."""
    monkeypatch.setattr(doors, "PAUSE", 0.001)
    plan, store = Plan.from_options(), Store(tmp_path)
    code, key = store.open(course_of(find("two-copies")))
    at_door = Doors(plan, store, Tries(10, 100))
    turns = []

    async def story():
        served = Application([("/code", DoorHandler, {"door": "/class", "given": code})])
        served.doors = at_door
        server = HTTPServer(served)
        server.listen(0, WHO)
        port = next(iter(server._sockets.values())).getsockname()[1]
        writer = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        writer.execute("BEGIN EXCLUSIVE")
        reader, asking = await asyncio.open_connection(WHO, port)
        asking.write(ASK["code"].encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 503 ")
        assert not at_door.tries._all  # that was no wrong code
        coming = asyncio.ensure_future(at_door.find_soon("/teach", key))
        await asyncio.sleep(0)
        turns.append(coming.done())
        writer.execute("ROLLBACK")
        turns.append(await coming)
        writer.close()
        asking.close()
        server.stop()
        await server.close_all_connections()

    asyncio.run(asyncio.wait_for(story(), 15))  # seconds, fewer than a writer waits for another
    assert turns == [False, code]


def test_only_so_many_of_one_address_wait_and_the_right_secret_enters_when_one_of_them_has_gone(monkeypatch):
    tries = Tries(0, 1000, lambda: 0.0, waiting=3)
    looked = []

    async def attempt(right, who="a", gone=None):
        return await tries.attempt(who, lambda: looked.append(right) or right, gone)

    async def story():
        gone = [asyncio.Event() for _ in range(3)]
        waiting = [asyncio.ensure_future(attempt(False, gone=one)) for one in gone]
        await asyncio.sleep(0)
        assert await attempt(True) is None
        assert looked == []  # an answer at once says nothing about the secret
        other = asyncio.ensure_future(attempt(True, "b"))
        gone[0].set()
        assert await waiting[0] is None
        right = asyncio.ensure_future(attempt(True))
        await asyncio.sleep(0)
        for one in gone:
            one.set()
        await asyncio.gather(*waiting)
        return await right, await other

    for name in ("FIRST_WAIT", "LONGEST_WAIT"):
        monkeypatch.setattr(access, name, 0.01)
    assert asyncio.run(asyncio.wait_for(story(), 60)) == (True, True)
    assert not tries._waiting


def test_a_class_may_wait_behind_one_router():
    """Somebody guesses there; then everybody types the right code in one moment."""
    tries = Access(Plan.from_options(processes=1)).room_tries

    async def story():
        gone = asyncio.Event()
        for _ in range(access.TRIES):
            tries.failed("a")
        waiting = [asyncio.ensure_future(tries.attempt("a", lambda: True, gone)) for _ in range(250)]
        await asyncio.sleep(0)
        there = tries._waiting["a"]
        gone.set()
        await asyncio.gather(*waiting)
        return there

    assert asyncio.run(story()) == 250


def test_no_more_wrong_tries_are_counted_than_make_everybody_wait():
    now = [0.0]
    tries = Tries(10, 20, lambda: now[0])
    for number in range(1000):
        tries.failed(f"10.0.0.{number % 250}")
    assert len(tries._all) == sum(tries._of.values()) == 40
    assert tries.wait("elsewhere") == access.LONGEST_WAIT
    now[0] = access.WINDOW
    assert tries.wait("10.0.0.1") == 0
    assert not tries._of


def test_of_the_newer_kind_of_address_everybody_has_many():
    tries = Tries(2, 100, lambda: 0.0)
    for last in range(2):
        tries.failed(f"2001:db8::{last}")
    assert tries.exhausted("2001:db8::ffff")
    assert not tries.exhausted("2001:db8:0:1::1")
