"""A browser that falls silent is asked, and given up only when it had the chance to answer."""

import asyncio
from types import SimpleNamespace

import pytest
from panel.io.server import WSHandler

from trustscope.app.serving import sockets
from trustscope.app.serving.sockets import Socket


@pytest.fixture
def silent(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(sockets.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(WSHandler, "__init__", lambda self: None)
    socket = Socket()
    socket.did = []
    monkeypatch.setattr(Socket, "ping", lambda self, data: self.did.append("ping"))
    monkeypatch.setattr(Socket, "close", lambda self, code=None, reason=None: self.did.append("close"))
    return socket, now


def test_it_is_asked_and_then_given_up(silent):
    socket, now = silent
    for seconds in (5, 5, 5):
        now[0] += seconds
        socket.check(15, may_close=True)
    assert socket.did == []
    now[0] += 1
    socket.check(15, may_close=True)
    assert socket.did == ["ping"]
    now[0] += 15
    socket.check(15, may_close=True)
    assert socket.did == ["ping", "close"]


def test_an_answer_keeps_it(silent):
    socket, now = silent
    for _ in range(10):
        now[0] += 16
        socket.check(15, may_close=True)
        socket.on_pong(b"0")
    assert set(socket.did) == {"ping"}


def test_it_is_not_given_up_while_the_server_could_not_listen(silent):
    socket, now = silent
    now[0] += 300
    socket.check(15, may_close=False)
    assert socket.did == ["ping"]


def test_the_parts_of_a_message_are_not_held_back(monkeypatch):
    """Held back until the browser has acknowledged the part before, a step took 90 ms instead of 20."""
    did = []
    monkeypatch.setattr(Socket, "set_nodelay", lambda self, at_once: did.append(at_once))
    monkeypatch.setattr(WSHandler, "open", lambda self: did.append("open"))
    Socket.__new__(Socket).open()
    assert did == [True, "open"]


@pytest.mark.parametrize(
    ("asked", "answered", "sent"),
    [
        ("PATCH-DOC", "OK", False),
        ("PATCH-DOC", "ERROR", True),
        ("SERVER-INFO-REQ", "OK", True),
        ("PATCH-DOC", None, False),
    ],
)
def test_who_reports_a_change_is_not_told_that_it_arrived(monkeypatch, asked, answered, sent):
    async def handled(self, message):
        return answered and SimpleNamespace(msgtype=answered)

    monkeypatch.setattr(WSHandler, "_handle", handled)
    reply = asyncio.run(Socket.__new__(Socket)._handle(SimpleNamespace(msgtype=asked)))
    assert (reply is not None) == sent
