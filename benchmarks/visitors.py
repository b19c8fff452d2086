"""Visitors without a browser: they open the page, speak Bokeh's protocol over a real websocket, and move controls.

They find controls by the kind and the name that the page's own document gives them, and look at no more of what they
are sent than they must: the server is to be measured, not they. ``python -m benchmarks.visitors`` is the process in
which they run; it prints what it measured as JSON.
"""

import argparse
import asyncio
import itertools
import json
import random
import re
import sys
import time
from collections.abc import Mapping
from types import MappingProxyType

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

LONG = 120.0  # seconds for anything that must come in the end


class Gone(ConnectionError):
    """The server has closed the connection."""


class Visitor:
    """One open page.

    Parameters
    ----------
    address : of the app, with a slash at the end
    path : what follows it, e.g. "?page=survey"
    headers : sent with every request, e.g. a cookie
    """

    def __init__(self, address: str, path: str = "", headers: dict[str, str] | None = None):
        self.address, self.path, self.headers = address, path, headers or {}
        self.models: list[dict] = []
        self.size = 0  # characters of the document, as it was last taken
        self.errors: list[str] = []
        self._numbers = itertools.count(1)
        self._news: asyncio.Queue = asyncio.Queue()
        self.changes = 0  # messages with changes that have come so far
        self.trust = 0.0  # of the first recipient, as it was last moved; 0: it was not

    async def open(self) -> float:
        """Open the page and take its document; the seconds until the server had the page ready."""
        begin = time.perf_counter()
        answer = await AsyncHTTPClient().fetch(
            self.address + self.path, headers=self.headers, request_timeout=LONG, connect_timeout=LONG
        )
        seconds = time.perf_counter() - begin
        self.token = re.search(rb'"token":"([^"]+)"', answer.body).group(1).decode()
        await self.connect()
        await self.pull()
        await self.tell({"type": "event", "name": "document_ready", "values": {"type": "map"}})
        return seconds

    async def connect(self) -> None:
        """Open the websocket; again, after it was lost, finds the same session while the server keeps it."""
        url = self.address.replace("http", "ws", 1) + "ws"
        origin = "/".join(self.address.split("/")[:3])
        request = HTTPRequest(
            url, headers={**self.headers, "Origin": origin}, request_timeout=LONG, connect_timeout=LONG
        )
        protocols = ["bokeh", self.token]
        self._news = asyncio.Queue()  # what is left of an earlier connection is of no interest
        self.socket = await websocket_connect(request, subprotocols=protocols, max_message_size=10**9)
        self.socket.protocol.set_nodelay(True)  # as browsers do
        self.reader = asyncio.ensure_future(self._read(self.socket))
        await self._expect("ACK")

    async def pull(self) -> None:
        """Take the whole document, and list its models."""
        number = await self._send("PULL-DOC-REQ", {})
        reply = await self._expect("PULL-DOC-REPLY", number)
        self.size = len(reply[2])
        self.models = list(_models(json.loads(reply[2])["doc"]))

    def find(self, kind: str, name: str | None = None) -> dict:
        """The control of a kind (the Python class of the widget), with this label if one is given."""
        for model in self.models:
            attributes = model.get("attributes", {})
            if attributes.get("class_name") != kind:
                continue
            data = attributes["data"].get("attributes", {})
            if name is None or name in (data.get("label"), data.get("text"), data.get("name")):
                return {"id": model["id"], "data": data}
        raise LookupError(f"no {kind} called {name} on the page")

    async def move(self, control: dict, **data) -> None:
        """Move a control, and wait until the server has taken it in and has drawn what follows from it."""
        taken = re.compile(rf'"attr": ?"ack", ?"new": ?{(number := next(self._numbers))}\b')
        values = [["model", {"id": control["id"]}], ["data", _map({**data, "n": number})]]
        await self.tell({"type": "event", "name": "data_event", "values": {"type": "map", "entries": values}})
        answered = drawn = False  # of a drag the picture comes first, of everything else the answer
        while not (answered and drawn):
            kind, _, content = await self.next_message()
            if kind != "PATCH-DOC":
                continue
            if taken.search(content):
                answered = True
            else:
                drawn = True

    async def send_control(self, control: dict, **data) -> None:
        """Move a control and wait for nothing."""
        values = [["model", {"id": control["id"]}], ["data", _map({**data, "n": next(self._numbers)})]]
        await self.tell({"type": "event", "name": "data_event", "values": {"type": "map", "entries": values}})

    async def send_piece(self, control: dict, name: str, content: bytes, first: bool = True, last: bool = True) -> None:
        """Send a piece of a file, or the whole of it, beside the message, as browsers do."""
        data = {"kind": "piece", "name": name, "first": first, "last": last, "n": next(self._numbers)}
        held = _map({**data, "content": {"type": "bytes", "data": {"id": "piece"}}})
        values = {"type": "map", "entries": [["model", {"id": control["id"]}], ["data", held]]}
        event = {"type": "event", "name": "data_event", "values": values}
        message = {"events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}]}
        await self._send("PATCH-DOC", message, {"piece": content})

    async def set(self, model: dict, attribute: str, value) -> None:
        """Set a property of one of Bokeh's own models, as its widget in the browser does."""
        change = {"kind": "ModelChanged", "model": {"id": model["id"]}, "attr": attribute, "new": value}
        await self._send("PATCH-DOC", {"events": [change]})

    async def settle(self, quiet: float = 1.0) -> None:
        """Wait until the server has nothing more to say for a while."""
        while True:
            before = self.changes
            await asyncio.sleep(quiet)
            await self.barrier()
            if self.changes == before:
                break

    async def barrier(self) -> None:
        """Wait until the server has handled all that was sent to it, and take in all that came before its answer."""
        number = await self._send("SERVER-INFO-REQ", {})
        await self._expect("SERVER-INFO-REPLY", number)

    async def tell(self, event: dict) -> None:
        """Send an event of the page."""
        await self._send(
            "PATCH-DOC", {"events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}]}
        )

    async def close(self, politely: bool = True) -> None:
        """Leave: close the tab, or vanish without a word."""
        if not politely and self.socket.protocol is not None and self.socket.protocol.stream is not None:
            self.socket.protocol.stream.close()
        self.socket.close(1001)
        await asyncio.wait([self.reader], timeout=LONG)  # until the server has taken note of it
        self.reader.cancel()

    async def _send(self, kind: str, content: dict, beside: Mapping[str, bytes] = MappingProxyType({})) -> str:
        number = str(next(self._numbers))
        header = {"msgid": number, "msgtype": kind, **({"num_buffers": len(beside)} if beside else {})}
        try:
            for text in (header, {}, content):
                await self.socket.write_message(json.dumps(text))
            for name, data in beside.items():
                await self.socket.write_message(json.dumps({"id": name}))
                await self.socket.write_message(data, binary=True)
        except Exception as error:
            raise Gone(str(error)) from error
        return number

    async def _read(self, socket):
        """Take in all messages as they come, in parts: header, metadata, content, and pairs of buffers."""
        try:
            while True:
                header = await _part(socket)
                await _part(socket)
                content = await _part(socket)
                for _ in range(2 * int(m.group(1)) if (m := re.search(r'"num_buffers": ?(\d+)', header)) else 0):
                    await _part(socket)
                kind = re.search(r'"msgtype": ?"([A-Z-]+)"', header).group(1)
                self.changes += kind == "PATCH-DOC"
                if kind == "ERROR":
                    self.errors.append(content[:300])
                await self._news.put((kind, header, content))
        except Gone:
            await self._news.put(None)

    async def next_message(self):
        """What the server says next: kind, header and content."""
        message = await asyncio.wait_for(self._news.get(), LONG)
        if message is None:
            raise Gone("the server has closed the connection")
        return message

    async def _expect(self, kind: str, number: str | None = None):
        while True:
            message = await self.next_message()
            if message[0] == kind and (number is None or f'"reqid":"{number}"' in message[1].replace(" ", "")):
                return message


async def _part(socket):
    """The next part of a message; the end of the connection may come between two of them, and comes once."""
    part = await socket.read_message()
    if part is None:
        raise Gone("the server has closed the connection")
    return part


def _models(value):
    """All models of a document, wherever they stand in it."""
    if isinstance(value, dict):
        if value.get("type") == "object" and "id" in value:
            yield value
        for part in value.values():
            yield from _models(part)
    elif isinstance(value, list):
        for part in value:
            yield from _models(part)


def _map(values: dict) -> dict:
    return {"type": "map", "entries": [[name, value] for name, value in values.items()]}


async def steps(visitor: Visitor, seconds: float, pause: float, times: list[float]) -> None:
    """Move the first recipient's trust for a while, one step after the other, as in a drag that is not let go."""
    control = visitor.find("Recipients")
    recipient = dict(control["data"]["rows"][0]["entries"])
    visitor.trust = visitor.trust or recipient["trust"]
    draw = random.Random(hash(visitor.token))
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        if pause:
            await asyncio.sleep(pause * draw.uniform(0.5, 1.5))
        await visitor.barrier()
        # The same again draws nothing.
        visitor.trust = trust = draw.choice([value for value in range(20, 81) if value != visitor.trust])
        begin = time.perf_counter()
        await visitor.move(control, kind="trust", id=recipient["id"], value=trust, done=False)
        times.append(time.perf_counter() - begin)


async def run(address: str, visitors: int) -> None:
    """Open so many pages, take steps on all of them for each line that comes in, and leave with the last.

    A line has the seconds, and the pause between two steps; what was measured is printed.
    """
    AsyncHTTPClient.configure(None, max_clients=8, max_body_size=10**9)  # as many come in at one time
    people = [Visitor(address, "?page=trust") for _ in range(visitors)]
    begin = time.perf_counter()
    opening = await asyncio.gather(*(person.open() for person in people))
    await asyncio.gather(*(person.settle() for person in people))
    standing = time.perf_counter() - begin
    print("open", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        seconds, pause = map(float, line.split())
        times: list[float] = []
        begin = time.perf_counter()
        if seconds:
            await asyncio.gather(*(steps(person, seconds, pause, times) for person in people))
        busy = time.perf_counter() - begin
        errors = [error for person in people for error in person.errors]
        found = {"times": times, "seconds": busy, "opening": opening, "standing": standing, "errors": errors}
        print(json.dumps(found), flush=True)
    for person in people:
        await person.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.visitors", description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--visitors", type=int, default=1)
    given = parser.parse_args()
    asyncio.run(run(given.address, given.visitors))
