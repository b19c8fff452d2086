"""Websockets: silence, what is sent and how much of it, what is answered, and who has to go when memory is full."""

import asyncio
import json
import weakref
from types import SimpleNamespace

import pytest
from bokeh.document import Document
from bokeh.protocol import Protocol
from bokeh.protocol.messages.error import error
from bokeh.protocol.receiver import Receiver
from panel.io.server import WSHandler

from trustscope.app.serving import contents, inbox, share, sockets
from trustscope.app.serving.inbox import Inbox
from trustscope.app.serving.sockets import Socket


@pytest.fixture
def silent(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(sockets.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(WSHandler, "__init__", lambda self: None)
    socket = Socket()
    socket.ws_connection = None
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


def test_a_slow_line_is_not_given_up_in_the_middle_of_a_large_part(silent):
    """A browser cannot answer before it has sent the whole part, which may take minutes."""
    socket, now = silent
    stream = SimpleNamespace(_read_buffer_size=0)
    socket.ws_connection = SimpleNamespace(stream=stream)
    for _ in range(20):
        now[0] += 16
        stream._read_buffer_size += 100
        socket.check(15, may_close=True)
    assert "close" not in socket.did
    now[0] += 31  # and then nothing more of it comes
    socket.check(15, may_close=True)
    assert socket.did[-1] == "close"


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
    socket = Socket.__new__(Socket)
    socket.application_context = SimpleNamespace(sessions=[])
    socket.application = SimpleNamespace(refusal=lambda address: None)
    socket.request = SimpleNamespace(remote_ip="10.0.0.1")
    socket.open()
    assert did == [True, "open"]


def test_an_error_reaches_the_browser_without_its_cause(monkeypatch):
    """Bokeh sends the exception's text and a traceback, with the paths of the server."""

    async def failed(self, message):
        try:
            raise KeyError("a value of somebody")
        except KeyError as problem:
            return error.create("1", repr(problem))

    monkeypatch.setattr(WSHandler, "_handle", failed)
    monkeypatch.setattr(WSHandler, "__init__", lambda self: None)
    reply = asyncio.run(Socket()._handle(PATCH))
    assert reply.msgtype == "ERROR"
    said = reply.header_json + reply.content_json
    assert "The server could not do that" in said
    for inside in ("Traceback", "KeyError", "somebody", ".py"):
        assert inside not in said


PATCH = SimpleNamespace(msgtype="PATCH-DOC", content={"events": []})


@pytest.mark.parametrize(("apart", "ended"), [(1.0, True), (10.0, False)])
def test_a_connection_of_which_all_fails_is_ended(silent, monkeypatch, apart, ended):
    """Each failure is written down with its traceback, which takes time and fills the disk."""
    socket, now = silent
    said = closing(socket)

    async def failed(self, message):
        return error.create("1", "failed")

    monkeypatch.setattr(WSHandler, "_handle", failed)

    async def story():
        for _ in range(sockets.MOST_ERRORS - 1):
            assert await socket._handle(PATCH) is not None
            now[0] += apart
        return await socket._handle(PATCH)

    assert (asyncio.run(story()) is None) == ended
    assert [code for code, _ in said] == ([1011] if ended else [])


def closing(socket):
    """What a socket was closed with."""
    said = []
    socket.close = lambda code=None, reason=None: said.append((code, reason))
    return said


@pytest.fixture
def listening(monkeypatch):
    """A socket that takes parts of messages, of three parts each unless they name more."""
    monkeypatch.setattr(WSHandler, "__init__", lambda self: None)
    monkeypatch.setattr(inbox, "_all", weakref.WeakSet())

    def make():
        socket = Socket()
        socket.application = SimpleNamespace(look_at_memory=lambda: None)
        socket.receiver, socket.got = Receiver(Protocol()), []

        async def handle(message):
            socket.got.append(message)

        socket._handle = handle
        return socket, closing(socket)

    return make


async def give(socket, *parts):
    for part in parts:
        await socket.on_message(part)


HEADER = '{"msgid": "1", "msgtype": "PATCH-DOC", "num_buffers": %d}'
BEGINNING = ("{}", '{"events": []}')


def pieces(count, size):
    return [part for number in range(count) for part in (json.dumps({"id": number}), b"x" * size)]


def test_a_file_in_pieces_comes_through(listening):
    socket, said = listening()
    for _ in range(20):
        asyncio.run(give(socket, HEADER % 1, *BEGINNING, *pieces(1, 1_000_000)))
    assert len(socket.got) == 20
    assert said == []


@pytest.mark.parametrize(("count", "size"), [(10, 4_000_000), (1000, 1)])
def test_a_message_without_end_is_not_kept(listening, count, size):
    socket, said = listening()
    asyncio.run(give(socket, HEADER % 1_000_000, *BEGINNING, *pieces(count, size)))
    assert said == [(1009, inbox.TOO_LARGE)]
    assert socket.receiver is None
    assert socket._inbox.size == 0


def test_all_together_are_limited_and_the_largest_goes(listening, monkeypatch):
    monkeypatch.setattr(inbox, "MOST_OF_ALL", 5_000)
    small, large, last = listening(), listening(), listening()

    async def story():
        await give(small[0], HEADER % 2, *BEGINNING, *pieces(1, 1_000))
        await give(large[0], HEADER % 2, *BEGINNING, *pieces(1, 3_000))
        await give(last[0], HEADER % 2, *BEGINNING, *pieces(1, 1_500))

    asyncio.run(story())
    assert [said for _, said in (small, large, last)] == [[], [(1013, inbox.TOO_MUCH)], []]


def test_what_came_lately_is_counted_by_seconds():
    """Somebody who drags for hours, or sends parts of no bytes, must not make the server remember each of them."""
    now = [0.0]
    owner = Document()  # any that can be referred to
    box = Inbox(owner, lambda: now[0])
    for _ in range(50_000):
        now[0] += 0.01
        box.add(b"12")
        box.clear()
    assert len(box._lately) < 130
    assert box.lately() == pytest.approx(2 * 100 * inbox.LATELY, rel=0.02)
    now[0] += 2 * inbox.LATELY
    assert box.lately() == 0


@pytest.mark.parametrize("kind", ["PUSH-DOC", "ACK", "nothing"])
def test_a_page_sends_only_what_pages_send(listening, kind):
    socket, said = listening()
    del socket._handle
    asyncio.run(socket._handle(SimpleNamespace(msgtype=kind, content={})))
    assert said[0][0] == 1008


def told(**data):
    """The document's change with which a control's script tells something, as the browser writes it."""
    data = {"type": "map", "entries": [[name, value] for name, value in data.items()]}
    values = {"type": "map", "entries": [["model", {"id": "p1"}], ["data", data]]}
    event = {"type": "event", "name": "data_event", "values": values}
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}


def change(new, name="inner_width"):
    return {"kind": "ModelChanged", "model": {"id": "p1"}, "attr": name, "new": new}


def nested(depth):
    return json.loads("[" * depth + "]" * depth)


HONEST = {
    "a step of a slider": told(value=0.4, done=False, n=3),
    "a piece of a file": told(kind="piece", first=True, content={"type": "bytes", "data": {"id": "1"}}, n=1),
    "what no number says": told(value={"type": "number", "value": "+inf"}, n=2),
    "what the browser kept": told(found={"type": "map"}, n=1),
    "the size of a plot": change(420),
    "a typed line": change("type", "value"),
}
PACKED = {"type": "bytes", "data": "H4sIAAAAAAAAA"}
HARMFUL = {
    "packed bytes": change(PACKED),
    "packed bytes inside": told(found=[{"a": [PACKED]}]),
    "a wide table": change({"type": "ndarray", "array": ["a"], "dtype": "U1000000", "shape": [1], "order": "little"}),
    "a set": change({"type": "set", "entries": [2**61 - 1]}),
    "numbers as keys": change({"type": "map", "entries": [[2**61 - 1, 0]]}),
    "no pairs": change({"type": "map", "entries": 3}),
    "a value of no model": change({"type": "object", "name": "date", "attributes": {}}),
    "a kind that is none": change({"type": ["map"]}),
    "another change": {"kind": "RootAdded", "model": {"id": "p1"}},
    "no change": 3,
    "depth": change(nested(900)),
}


def handled(listening, monkeypatch, content):
    """What of a message reached Bokeh's server, and with what the connection was closed."""
    reached = []

    async def handle(self, message):
        reached.append(message)

    monkeypatch.setattr(WSHandler, "_handle", handle)
    socket, said = listening()
    del socket._handle
    asyncio.run(socket._handle(SimpleNamespace(msgtype="PATCH-DOC", content=content)))
    return reached, said


@pytest.mark.parametrize("event", HONEST.values(), ids=HONEST)
def test_what_pages_send_is_read(listening, monkeypatch, event):
    kept = json.dumps(event)
    reached, said = handled(listening, monkeypatch, {"events": [event]})
    assert [json.dumps(one.content["events"]) for one in reached] == [f"[{kept}]"]
    assert said == []


@pytest.mark.parametrize("event", HARMFUL.values(), ids=HARMFUL)
def test_what_grows_when_it_is_read_is_not_read(listening, monkeypatch, event):
    reached, said = handled(listening, monkeypatch, {"events": [event]})
    assert reached == []
    assert [code for code, _ in said] == [1008]


def test_a_model_that_is_sent_whole_is_named(listening, monkeypatch):
    """Without the patch `known_models` browsers send what the server has made; nothing is made or set by that."""
    tags = {"type": "set", "entries": [1]}
    whole = {"type": "object", "name": "Figure", "id": "p9", "attributes": {"tags": tags, "above": [PACKED]}}
    reached, said = handled(listening, monkeypatch, {"events": [told(found=[whole])]})
    assert [one.content for one in reached] == [{"events": [told(found=[{"id": "p9"}])]}]
    assert said == []


@pytest.mark.parametrize(
    "event",
    [
        change("x" * 10_001, "value"),
        change("x"),
        change([1]),
        change(1, "tags"),
        change("x", "name"),
        change({}, "styles"),
    ],
)
def test_what_nobody_looks_at_is_left_out(listening, monkeypatch, event):
    """Bokeh's server takes over whatever a browser sets, keeps it, and logs each attribute that a model lacks."""
    reached, said = handled(listening, monkeypatch, {"events": [event, change(420)]})
    assert [one.content for one in reached] == [{"events": [change(420)]}]
    assert said == []


@pytest.mark.parametrize("event", [change(420), told(value=0.4, done=True, n=1)], ids=["sizes", "steps"])
def test_one_message_holds_few_changes(listening, monkeypatch, event):
    """Each step of a slider makes a picture; thousands in one message would keep everybody waiting."""
    most = contents.MOST_EVENTS if event["kind"] == "ModelChanged" else contents.MOST_DONE
    assert handled(listening, monkeypatch, {"events": [event] * most})[1] == []
    reached, said = handled(listening, monkeypatch, {"events": [event] * (most + 1)})
    assert reached == []
    assert [code for code, _ in said] == [1008]


LESSON = json.dumps({"text": '{"a": "b, c"}, ' * 60_000})  # many commas, in one text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" + "[]," * 150_000 + "[]]", 1009),
        ("[" + '"",' * 150_000 + "0]", 1009),
        ('"' + "x" * 4_000_000 + '"', 1009),
        ("[" + '"\\\\",' * 150_000 + "0]", 1009),  # what looks like a quote within a text is its end
        (json.dumps({"text": "x" * 2_100_000}), None),
        (LESSON, None),
        (json.dumps({"text": LESSON}), None),
    ],
    ids=["lists", "texts", "long", "backslashes", "kept lessons", "a lesson", "a lesson within"],
)
def test_a_text_of_too_many_values_is_not_parsed(listening, monkeypatch, text, code):
    parsed = []
    monkeypatch.setattr(Receiver, "_CONTENT", lambda self, part: parsed.append(part))
    socket, said = listening()
    asyncio.run(give(socket, HEADER % 0, "{}", text))
    assert [code for code, _ in said] == ([] if code is None else [code])
    assert len(parsed) == (code is None)


@pytest.mark.parametrize("parts", [("[" * 100_000, "{}", "{}"), ("{}", b"x"), ('{"msgtype": "x"}', "{}", "{}")])
def test_what_is_not_understood_is_answered_without_what_is_inside(listening, parts):
    socket, said = listening()
    asyncio.run(give(socket, *parts))
    ((code, reason),) = said
    assert code in (1002, 1011)
    assert "Reload it." in reason
    assert len(reason.encode()) <= 123  # what a websocket's last message can hold
    assert not [word for word in ("fragment", "Error", "unhandled") if word in reason]


class Page:
    """A session, as far as memory is concerned."""

    def __init__(self, name, held):
        self.id, self.document, self.destroyed, self.expired = name, Document(), False, False
        self.closed = []
        socket = SimpleNamespace(bytes_held=lambda: held, cut=lambda code, reason: self.closed.append((code, reason)))
        self._subscribed_connections = [SimpleNamespace(_socket=socket)]

    def request_expiration(self):
        self.expired = True


@pytest.mark.parametrize(
    ("memory", "held", "gone"),
    [(90, (60, 30), None), (110, (60, 30), 0), (110, (30, 60), 1), (110, (3, 4), None), (110, (), None)],
)
def test_above_its_share_a_process_closes_its_largest_visitor_and_nobody_else(monkeypatch, memory, held, gone):
    monkeypatch.setattr(share, "LEAST", 10)
    pages, tidied, now = [Page(str(n), size) for n, size in enumerate(held)], [], [0.0]
    looked = share.Share(100, lambda: memory, lambda: pages, lambda: tidied.append(1), lambda: now[0])

    async def story():
        looked.check()
        looked.check()  # memory is not given back at once: nobody else has to go for that
        if looked._task:
            await looked._task

    asyncio.run(story())
    assert [n for n, page in enumerate(pages) if page.closed] == ([] if gone is None else [gone])
    if gone is not None:
        assert pages[gone].closed == [(1013, share.REASON)]
        assert pages[gone].expired
        assert len(share.REASON.encode()) <= 123
    assert len(tidied) == (gone is not None)
