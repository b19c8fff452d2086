"""Memory of a process that serves pages: what is put aside, and what is freed when visitors have left."""

import asyncio
import gc
import weakref
from types import SimpleNamespace

import pytest

from trustscope.app.serving import memory, worker
from trustscope.app.serving.memory import FORGET, SEVERAL, Memory
from trustscope.app.serving.unconnected import Unconnected


@pytest.fixture
def did(monkeypatch):
    done = []
    monkeypatch.setattr(memory, "freeze_gc", lambda: done.append("put aside"))
    monkeypatch.setattr(memory, "return_memory", lambda: done.append("returned"))
    return done


def names(*numbers):
    return {f"session {number}" for number in numbers}


def check(watched, sessions, now, documents=None):
    """Where nothing is left behind there are as many pages in memory as there are sessions."""
    watched.check(sessions, len(sessions) if documents is None else documents, now)


def test_the_collector_rests_while_modules_are_imported_and_works_again_also_after_an_error():
    def missing():
        with memory.importing():
            assert not gc.isenabled()
            raise ImportError

    with pytest.raises(ImportError):
        missing()
    assert gc.isenabled()


def test_pages_that_have_come_are_put_aside_once(did):
    watched = Memory()
    check(watched, set(), 0.0)
    check(watched, names(1, 2), 5.0)
    check(watched, names(1, 2), 10.0)
    check(watched, names(1, 2, 3), 15.0)
    assert did == ["put aside", "put aside"]


def test_memory_returns_when_all_or_several_have_left(did):
    watched = Memory()
    check(watched, names(*range(10)), 0.0)
    check(watched, names(*range(9)), 5.0)  # the first to leave
    assert did.pop() == "returned"
    check(watched, names(*range(8)), 10.0)
    assert did == ["put aside"]
    check(watched, names(*range(9 - SEVERAL)), 15.0)
    assert did.pop() == "returned"
    check(watched, set(), 20.0)
    assert did.pop() == "returned"


def test_it_returns_in_time_where_few_leave_and_others_come(did):
    watched = Memory()
    for turn in range(24):  # one comes and one leaves every five seconds: there are always twenty
        check(watched, names(*range(turn, turn + 20)), 5.0 * turn)
    assert did.count("returned") >= 115 // FORGET


def test_a_page_that_was_still_held_is_looked_for_again_at_growing_distances(did):
    watched = Memory()
    check(watched, names(1, 2), 0.0)
    check(watched, names(1), 5.0, documents=2)
    did.clear()
    looked = []
    for now in range(10, 500, 5):
        check(watched, names(1), float(now), documents=2)
        if did:
            looked.append(now)
            did.clear()
    assert looked == [35, 95, 215, 455]
    for now in range(500, 600, 5):  # the other one leaves: at once, and again soon, for nobody has to wait
        check(watched, set(), float(now), documents=1 if now < 570 else 0)
        if did:
            looked.append(now)
            did.clear()
    assert looked[4:] == [500, 510, 530]


def test_what_was_put_aside_is_freed_when_memory_returns():
    class Page:
        pass

    page = Page()
    page.itself = page
    gone = weakref.ref(page)
    try:
        memory.freeze_gc()
        del page
        gc.collect()
        assert gone() is not None  # the collector does not look at it
        memory.return_memory()
        assert gone() is None
    finally:
        gc.unfreeze()


def test_whoever_looks_after_connections_keeps_none(monkeypatch):
    """The last one of a process would hold its page for as long as nobody else comes."""
    monkeypatch.setattr(worker, "CHECK", 0.001)
    monkeypatch.setattr(worker.metrics, "state", lambda *figures: None)

    class Connection:
        _socket = SimpleNamespace(check=lambda ping, may_close: asked.append(ping))

    async def story():
        there = Connection()
        gone = weakref.ref(there)
        serving = worker.Worker.__new__(worker.Worker)
        serving.tornado = SimpleNamespace(_clients={there}, applications={})
        serving.sessions, serving.budget = (
            (lambda: 0),
            SimpleNamespace(note=lambda sessions: 0, unconnected=Unconnected()),
        )
        serving._documents, serving._memory = (), SimpleNamespace(check=lambda *state: None)
        watch = asyncio.ensure_future(serving._watch())
        while not asked:
            await asyncio.sleep(0.001)
        serving.tornado._clients.clear()
        del there
        await asyncio.sleep(0.01)
        watch.cancel()
        assert gone() is None

    asked = []
    asyncio.run(story())
