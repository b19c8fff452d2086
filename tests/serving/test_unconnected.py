"""Pages that nobody connects to: they take the seat of nobody who comes, and are not built for nobody."""

import asyncio
from types import SimpleNamespace

import panel as pn
import pytest
from bokeh.application import Application
from bokeh.document import Document
from bokeh.server.contexts import ApplicationContext
from panel.io.state import set_curdoc
from tornado.ioloop import IOLoop

from trustscope.app.serving import budget, prebuilt, responses
from trustscope.app.serving.board import Board
from trustscope.app.serving.unconnected import CONNECTING, FEW, Unconnected
from trustscope.app.serving.worker import Worker
from trustscope.app.work import TaskSlot

ROUTER, HOME, GUESSER = "10.0.0.1", "10.0.0.2", "10.0.0.3"


class Served:
    """A server without pages: who has a seat, and who was ended."""

    def __init__(self, seats):
        self.now, self.count, self.there, self.ended = 0.0, 0, set(), []
        self.budget = budget.Server(seats, 10**15, Board(1))
        self.budget.unconnected = self.waiting = Unconnected(lambda: self.now)

    def opens(self, address):
        """The session of a page that an address asks for; None where it is refused."""
        answer = self.budget.refusal(lambda: len(self.there), address, self.end)
        if answer is not None:
            assert answer is responses.FULL
            return None
        self.count += 1
        name = f"{address} {self.count}"
        self.there.add(name)
        self.waiting.add(name, address)
        return name

    def end(self, name):
        self.ended.append(name)
        self.there.remove(name)
        return True


def test_nobody_is_ended_for_one_who_is_refused_all_the_same():
    served = Served(20)
    assert all(served.opens(GUESSER) for _ in range(20))
    served.now += 60
    served.budget.max_memory = 0
    assert served.budget.refusal(lambda: 20, HOME, served.end) is responses.NO_MEMORY
    assert served.ended == []


@pytest.mark.parametrize("seats", [60, 200])
def test_a_class_behind_one_router_that_comes_in_one_moment_and_connects_loses_nothing(seats):
    served = Served(seats)
    opened = [served.opens(ROUTER) for _ in range(60)]
    if seats == 60:
        served.now += CONNECTING - 0.1
        assert served.opens(ROUTER) is None  # there is no room, and nobody's seat is taken by the one who comes last
    for one in opened:
        served.waiting.forget(one)
    served.now += 60
    assert all(opened)
    assert not served.ended
    assert (served.opens(HOME) is None) == (seats == 60)


def test_whoever_asks_for_all_seats_and_connects_to_none_keeps_nobody_out():
    served = Served(200)
    taken = [served.opens(GUESSER) for _ in range(200)]
    assert all(taken)
    assert served.opens(GUESSER) is None
    came = [served.opens(ROUTER) for _ in range(60)]
    assert all(came)
    assert served.ended == taken[:60]  # the oldest
    assert len(served.there) == 200
    for one in came:
        served.waiting.forget(one)
    served.now += CONNECTING
    assert served.opens(GUESSER)  # or somebody else of that address
    assert not {*came} & {*served.ended}


def test_few_pages_of_an_address_stay():
    served = Served(FEW)
    assert all(served.opens(ROUTER) for _ in range(FEW))
    served.now += 100
    assert served.opens(HOME) is None
    assert not served.ended


def test_what_is_gone_makes_no_room():
    waiting = Unconnected(lambda: 0.0)
    for number in range(FEW + 3):
        waiting.add(str(number), ROUTER)
    waiting.keep({str(number) for number in range(2, FEW + 3)})
    asked = []
    assert waiting.make_room(HOME, lambda name: asked.append(name) or name == "3")
    assert asked == ["2", "3"]
    assert not waiting.make_room(HOME, lambda name: True)  # few are left
    waiting.keep(())
    assert not waiting._of


def test_a_session_is_ended_at_once_unless_somebody_has_connected():
    async def story():
        context = ApplicationContext(Application(), io_loop=IOLoop.current())
        serving = Worker.__new__(Worker)
        serving.tornado, serving._ending = SimpleNamespace(applications={"/": context}), set()
        for name in ("one", "two"):
            await context.create_session_if_needed(name)
        two = context.get_session("two")
        two.subscribe(object())
        assert serving._end_unconnected("one")
        assert serving.sessions() == 1  # its seat is free before it has gone
        assert not serving._end_unconnected("two")
        assert not serving._end_unconnected("three")
        await asyncio.gather(*serving._ending)
        await asyncio.sleep(0)
        return [session.id for session in context.sessions], serving.sessions()

    assert asyncio.run(story()) == (["two"], 1)


def test_a_page_whose_browser_connects_in_that_moment_stays(monkeypatch):
    failed = []
    monkeypatch.setattr("trustscope.app.serving.worker.log.report_error", lambda *what: failed.append(what))

    async def story():
        context = ApplicationContext(Application(), io_loop=IOLoop.current())
        serving = Worker.__new__(Worker)
        serving.tornado, serving._ending = SimpleNamespace(applications={"/": context}), set()
        await context.create_session_if_needed("one")
        assert serving._end_unconnected("one")
        context.get_session("one").subscribe(object())  # between the order and its turn
        await asyncio.gather(*serving._ending)
        await asyncio.sleep(0)
        return serving.sessions()

    assert asyncio.run(story()) == 1
    assert failed == []


class Context:
    """A session's, as far as a page that is built before it is fetched looks at it."""

    session = None

    def __init__(self, name, loop):
        self.id = name
        self.server_context = SimpleNamespace(application_context=SimpleNamespace(io_loop=loop))


@pytest.mark.parametrize("others", [FEW - 1, FEW])
def test_for_an_address_that_has_many_a_page_is_built_when_its_browser_comes(monkeypatch, others):
    monkeypatch.setattr(prebuilt, "ANSWER", 0.0)
    server = budget.Server(200, 10**15, Board(1))
    monkeypatch.setattr(budget, "_server", server)
    for number in range(others):
        server.unconnected.add(str(number), ROUTER)
    server.unconnected.add("page", ROUTER)
    built = []

    async def story():
        document = Document()
        context = Context("page", asyncio.get_running_loop())
        document._session_context = lambda: context
        with set_curdoc(document):
            slot = TaskSlot(pytest.fail)
            monkeypatch.setattr(slot, "_early", True)
            prebuilt.build_soon(lambda: built.append(pn.state.curdoc), slot)
        for _ in range(3):
            await asyncio.sleep(0.001)
        ahead = list(built)
        await prebuilt._prebuilt.pop(document).wait()
        return ahead, built, document

    ahead, built, document = asyncio.run(story())
    assert ahead == ([document] if others < FEW else [])
    assert built == [document]
