"""A change that waits for its turn reaches the browser, whatever the message before it does meanwhile."""

import asyncio
from types import SimpleNamespace

import pytest
from bokeh.document import Document
from panel.io import document as panel_document
from tornado.locks import Lock

from tests.app.patches import needs, patched
from trustscope.app.compat import documents, messages_not_lost

pytestmark = needs(messages_not_lost.PATCH)


class Connection:
    """To a browser, as Panel sees it; of a message only its first event is written."""

    def __init__(self):
        self._socket = Wire()
        self.protocol = SimpleNamespace(create=lambda kind, events: events[0])


class Wire:
    """The socket of a browser: a message is through when `take` says so; whoever holds its lock is writing."""

    def __init__(self):
        self.written, self._open = [], []
        self.write_lock = Lock()

    def write(self, message):
        """As Panel's handlers do: what is to be waited for."""
        self.written.append(message)
        self._open.append(asyncio.get_running_loop().create_future())
        return self._open[-1:]

    def take(self):
        """The browser has taken what was written first."""
        self._open.pop(0).set_result(None)


@pytest.fixture
def line(monkeypatch):
    monkeypatch.setitem(
        panel_document.extra_socket_handlers, Wire, lambda connection, msg: connection._socket.write(msg)
    )
    document = Document()
    documents.adopt(document)
    return SimpleNamespace(doc=document, connection=Connection())


async def _turns(many=5):
    for _ in range(many):
        await asyncio.sleep(0)


async def _behind_one_that_has_just_gone(line):
    wire = line.connection._socket
    panel_document.schedule_write_events(line.doc, [line.connection], ["first"])
    await _turns()
    wire.take()
    panel_document.schedule_write_events(line.doc, [line.connection], ["second"])
    await _turns()
    return wire.written


async def _while_bokeh_writes(line):
    wire = line.connection._socket
    panel_document.schedule_write_events(line.doc, [line.connection], ["first"])
    await _turns()
    writing = await wire.write_lock.acquire()
    panel_document.schedule_write_events(line.doc, [line.connection], ["second"])
    await _turns()
    wire.take()
    await _turns()
    assert wire.written == ["first"]
    with writing:
        pass
    await _turns()  # at once, and not when Panel looks again
    return wire.written


@pytest.mark.parametrize("happens", [_behind_one_that_has_just_gone, _while_bokeh_writes])
def test_a_message_that_waits_is_sent(line, happens):
    with patched(messages_not_lost.PATCH):
        assert asyncio.run(happens(line)) == ["first", "second"]
    assert line.doc not in panel_document._WRITE_MSGS


def test_panel_by_itself_forgets_it(line):
    """When this fails, Panel has been mended, and the patch `messages_not_lost` can go."""
    with patched(messages_not_lost.PATCH, on=False):
        assert asyncio.run(_behind_one_that_has_just_gone(line)) == ["first"]
    assert line.doc in panel_document._WRITE_MSGS


def test_pages_of_other_apps_are_sent_as_panel_sends_them(line):
    line.doc = Document()
    with patched(messages_not_lost.PATCH):
        assert asyncio.run(_behind_one_that_has_just_gone(line)) == ["first"]
