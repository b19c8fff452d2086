"""A change that waits for its turn reaches the browser, whatever the message before it does meanwhile."""

import asyncio
import inspect
from types import SimpleNamespace

import pytest
from bokeh.document import Document
from bokeh.events import ButtonClick
from bokeh.models import Button
from bokeh.util.callback_manager import EventCallbackManager
from panel.io import document as panel_document
from tornado.locks import Lock

from trustscope.app.serving import sending

PANELS_OWN = inspect.unwrap(panel_document._dispatch_msgs)


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
    monkeypatch.setattr(panel_document, "_dispatch_msgs", PANELS_OWN)
    monkeypatch.setitem(
        panel_document.extra_socket_handlers, Wire, lambda connection, msg: connection._socket.write(msg)
    )
    return SimpleNamespace(doc=Document(), connection=Connection())


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
    sending.lose_nothing()
    assert asyncio.run(happens(line)) == ["first", "second"]
    assert line.doc not in panel_document._WRITE_MSGS


def test_panel_by_itself_forgets_it(line):
    """When this fails, Panel has been mended, and `lose_nothing` can go."""
    assert asyncio.run(_behind_one_that_has_just_gone(line)) == ["first"]
    assert line.doc in panel_document._WRITE_MSGS


def test_it_is_mended_once(line):
    sending.lose_nothing()
    mended = panel_document._dispatch_msgs
    sending.lose_nothing()
    assert panel_document._dispatch_msgs is mended is not PANELS_OWN


def test_what_happened_to_one_part_is_brought_to_that_part_alone(monkeypatch):
    """When the first half fails, Bokeh does so by itself, and `ask_only_the_one_that_is_meant` can go."""
    bokehs_own = inspect.unwrap(EventCallbackManager._trigger_event)
    monkeypatch.setattr(EventCallbackManager, "_trigger_event", bokehs_own)
    document, heard, asked = Document(), [], []
    buttons = [Button() for _ in range(5)]
    for number, button in enumerate(buttons):
        button.on_event("button_click", lambda event, number=number: heard.append(number))
        document.add_root(button)
    notify = document.callbacks.notify_event
    monkeypatch.setattr(
        document.callbacks, "notify_event", lambda model, *more: (asked.append(model), notify(model, *more))
    )
    document.callbacks.trigger_event(ButtonClick(buttons[3]))
    assert (heard, len(asked)) == ([3], 5)
    for _ in range(2):  # once is as good as twice
        sending.ask_only_the_one_that_is_meant()
    document.callbacks.trigger_event(ButtonClick(buttons[2]))
    assert (heard, asked[5:]) == ([3, 2], [buttons[2]])
