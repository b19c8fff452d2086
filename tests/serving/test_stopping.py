"""Saying goodbye: a page whose turn comes after patience has ended is left alone, and nothing is logged."""

import asyncio
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from trustscope.app.serving import stopping


class Document:
    """One whose next tick comes when a test says so."""

    def __init__(self):
        self.session_context, self.asked = self, asyncio.Event()

    def on_session_destroyed(self, callback):
        pass

    def add_next_tick_callback(self, callback):
        self.tick = callback
        self.asked.set()


class Server:
    """One with a single page, and no connections that would have to be closed."""

    def __init__(self, document):
        self.document, self.destroyed, self.ended = document, False, False
        self.applications, self.sessions, self._clients = {"/": self}, [self], set()

    def request_expiration(self):
        self.ended = True

    async def _cleanup_sessions(self, seconds):
        assert self.ended


@pytest.fixture
def page(monkeypatch):
    """The server, its page, and what the page is told."""
    told, document = [], Document()
    monkeypatch.setattr(stopping.pn, "state", SimpleNamespace(curdoc=document))
    monkeypatch.setattr(stopping.pn.io, "hold", lambda document: nullcontext())
    monkeypatch.setattr(stopping, "SENDING", 0)
    stopping.on_goodbye(lambda: told.append("goodbye"))
    return Server(document), document, told


def test_a_page_that_comes_too_late_is_not_told(page, monkeypatch, caplog):
    server, document, told = page
    monkeypatch.setattr(stopping, "PATIENCE", 0.01)

    async def main():
        await stopping.say_goodbye(server)
        document.tick()

    asyncio.run(main())
    assert server.ended
    assert not told
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_a_page_is_told_in_its_turn(page):
    server, document, told = page

    async def main():
        goodbye = asyncio.ensure_future(stopping.say_goodbye(server))
        await document.asked.wait()
        document.tick()
        await goodbye

    asyncio.run(main())
    assert server.ended
    assert told == ["goodbye"]
