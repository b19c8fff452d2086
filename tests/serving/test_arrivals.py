"""Connections that wait: of whom so many are kept, for how long, and that nobody else waits for them."""

import asyncio
import contextlib
import http.cookies
import socket
from types import SimpleNamespace

import pytest
from tornado.httputil import HTTPHeaders

from trustscope.app.serving import arrivals
from trustscope.app.serving.arrivals import Arrivals, neighbourhood
from trustscope.app.serving.cookies import cookie_of, keep_own

REQUEST = b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n"


@pytest.fixture
def story(monkeypatch):
    """Run a story with a port on which arrivals are waited for."""

    def run(told, **limits):
        for name, value in {"FIRST_LINE": 60.0, "HEAD_TIME": 60.0, **limits}.items():
            monkeypatch.setattr(arrivals, name, value)

        async def whole():
            taken = asyncio.Queue()

            async def take(connection, head):
                connection.close()
                await taken.put(head)

            listening = socket.create_server(("127.0.0.1", 0), backlog=100)
            listening.setblocking(False)
            arriving = Arrivals(take)
            arriving.listen([listening])
            port, writers = listening.getsockname()[1], []

            async def opening():
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writers.append(writer)
                return reader, writer

            try:
                async with asyncio.timeout(60):
                    return await told(opening, taken)
            finally:
                arriving.stop()
                for writer in writers:
                    writer.close()
                    with contextlib.suppress(OSError):  # the other end was closed before all was sent
                        await writer.wait_closed()

        return asyncio.run(whole())

    return run


async def ended(reader):
    """What came until the other end closed; with something unread, it closes without a word."""
    with contextlib.suppress(ConnectionResetError):
        return await reader.read()
    return b""


async def begun(opening, text=b"GET / HT"):
    reader, writer = await opening()
    writer.write(text)
    await writer.drain()
    return reader, writer


def test_a_request_is_handed_on_when_its_head_is_there_in_however_many_pieces(story):
    async def told(opening, taken):
        _, writer = await begun(opening, b"")
        for place in range(0, len(REQUEST), 5):
            writer.write(REQUEST[place : place + 5])
            await writer.drain()
            await asyncio.sleep(0)
        return await taken.get()

    assert story(told) == REQUEST


def test_the_oldest_half_request_goes_and_a_whole_one_is_taken(story):
    async def told(opening, taken):
        halves = [await begun(opening) for _ in range(4)]
        await begun(opening, REQUEST)
        head = await taken.get()
        assert await ended(halves[0][0]) == b""  # closed, when the fourth and the whole one came
        halves[3][1].write(REQUEST[11:])  # the newest still may go on
        return head, await taken.get()

    assert story(told, EACH=3) == (REQUEST, b"GET / HT HTTP/1.1\r\nHost: here\r\n\r\n")


@pytest.mark.parametrize(
    ("limits", "text"), [({"FIRST_LINE": 0.1}, b"GET"), ({"HEAD_TIME": 0.1}, b"GET / HTTP/1.1\r\n")]
)
def test_what_says_nothing_is_not_waited_for(story, limits, text):
    async def told(opening, taken):
        reader, _ = await begun(opening, text)
        return await ended(reader), taken.empty()

    assert story(told, **limits) == (b"", True)


def test_a_head_that_is_too_long_gets_a_sentence_and_is_handed_to_nobody(story):
    async def told(opening, taken):
        reader, _ = await begun(opening, b"GET / HTTP/1.1\r\nCookie: " + b"x" * 20_000)
        return await ended(reader), taken.empty()

    answer, nobody = story(told)
    assert answer.startswith(b"HTTP/1.1 431 ")
    assert b"longer than 16 KB" in answer
    assert nobody


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("fe80::1%eth0", "fe80::1%eth0", True),
    ],
)
def test_whose_an_address_is(one, other, same):
    assert (neighbourhood(one) == neighbourhood(other)) == same


def request_with(cookie):
    return SimpleNamespace(headers=HTTPHeaders({"Cookie": cookie}))


def test_pythons_reader_of_cookies_is_never_given_what_somebody_sent(monkeypatch):
    """It takes the square of the length in some versions; `make harden` shows it in a server."""

    def refuse(*_):
        raise AssertionError("read by Python's own reader")

    for name in ("_unquote", "SimpleCookie"):
        monkeypatch.setattr(http.cookies, name, refuse)
    request = request_with('trustscope-1="' + '\\"' * 4000 + '"; other=1; trustscope-2=a.b-c_d;trustscope-2-class=E')
    assert cookie_of(request, "trustscope-1") is None
    assert cookie_of(request, "other") is None
    assert cookie_of(request, "trustscope-2") == "a.b-c_d"
    keep_own(request)
    assert request.headers["Cookie"] == "trustscope-2=a.b-c_d; trustscope-2-class=E"
