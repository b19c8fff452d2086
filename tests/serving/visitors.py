"""Visitors without a browser: they fetch the page and speak Bokeh's protocol over a real websocket."""

import asyncio
import contextlib
import http.client
import json
import re
import socket
import subprocess
import sys
import threading
import urllib.request

from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

TIMEOUT = 180  # seconds for anything that must come in the end, on a machine with much else to do


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(url, headers=None, data=None, method=None):
    """Status, headers and body of one request; redirects are not followed, bad statuses are answers too."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *arguments):
            return None

    request = urllib.request.Request(url, headers=headers or {}, data=data, method=method)
    try:
        answer = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay).open(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        return answer.status, answer.headers, answer.read()


def token_in(page: bytes) -> str:
    """The session's token in a page."""
    return re.search(rb'"token":"([^"]+)"', page).group(1).decode()


async def connect(address, token, headers=None):
    """An open websocket of the page; the caller closes it."""
    url = address.replace("http", "ws").rstrip("/") + "/ws"
    sent = {"Origin": address.rstrip("/"), **(headers or {})}
    request = HTTPRequest(url, headers={name: value for name, value in sent.items() if value is not None})
    return await websocket_connect(request, subprotocols=["bokeh", token], max_message_size=200_000_000)


async def hang_up(connection):
    """Close a connection and wait until it is closed."""
    connection.close()
    await asyncio.wait_for(hung_up(connection), TIMEOUT)


async def hung_up(connection):
    """Wait, for as long as it takes, until a connection is closed; with which code, and why."""
    while await connection.read_message() is not None:
        pass
    said = connection.close_code, connection.close_reason
    connection.close()  # for the client's own book-keeping
    return said


def knock(address, token, headers=None, path="/ws") -> int:
    """The status with which a websocket's handshake is answered: 101 opens it."""
    host = address.removeprefix("http://").rstrip("/")
    sent = {
        "Host": host,
        "Origin": address.rstrip("/"),
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Protocol": f"bokeh, {token}",
        **(headers or {}),
    }
    connection = http.client.HTTPConnection(host, timeout=TIMEOUT)
    try:
        connection.request("GET", path, headers={name: value for name, value in sent.items() if value is not None})
        return connection.getresponse().status
    finally:
        connection.close()


async def receive(connection):
    """The next message: its kind and its content."""
    header = json.loads(await asyncio.wait_for(connection.read_message(), TIMEOUT))
    await connection.read_message()
    content = json.loads(await connection.read_message())
    for _ in range(header.get("num_buffers", 0)):
        await connection.read_message()
        await connection.read_message()
    return header["msgtype"], content


class Server:
    """A process that serves, with the lines that it prints."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", **options
        )
        self.lines = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self.lines.append(None)
            self._news.notify_all()

    def wait_for(self, text, count=1, timeout=TIMEOUT):
        """Wait until so many lines hold the text, and give the last of them."""

        def found():
            hits = [line for line in self.lines if line is not None and text in line]
            if len(hits) < count and self.lines and self.lines[-1] is None:
                raise AssertionError(f"the server ended without saying {text!r}: " + "\n".join(self.lines[:-1]))
            return len(hits) >= count and hits[-1]

        with self._news:
            assert self._news.wait_for(found, timeout), f"no {text!r} in:\n" + "\n".join(map(str, self.lines))
            return found()

    @property
    def said(self):
        return "\n".join(line for line in self.lines if line is not None)

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()
        self.process.stdout.close()


@contextlib.contextmanager
def serving(*command, **options):
    """A server that is ended at the end; the command starts with a module's name."""
    server = Server([sys.executable, "-m", *command], **options)
    try:
        yield server
    finally:
        server.end()


@contextlib.contextmanager
def serving_pages(**options):
    """A server of the small pages in `tests/serving/pages.py`, with its address."""
    port = free_port()
    with serving("tests.serving.pages", str(port), **options) as server:
        server.wait_for("ready")
        server.address = f"http://127.0.0.1:{port}"
        yield server
