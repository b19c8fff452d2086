"""Connections that have come and have not said yet what they want.

A connection costs its sender nothing and the server a file, of which there are only so many. So one that says nothing
is not waited for long, one address may have only so many that wait, and when there are too many the oldest of whoever
has most of them goes: somebody who opens a thousand and never finishes a request loses their own.

The head of a request is looked at without taking it (MSG_PEEK): whoever gets the connection reads it as it came.
"""

import asyncio
import contextlib
import errno
import ipaddress
import socket
from collections.abc import Awaitable, Callable

LARGEST_HEAD = 16_384  # bytes of a request's first line and headers
FIRST_LINE, HEAD_TIME = 5.0, 10.0  # seconds for the first line to come, and for the whole head
EACH, TOGETHER = 200, 500  # connections that may wait: of one address, and of all
AT_ONCE = 64  # connections that are taken before others have their turn
GLANCE = 0.1  # seconds from one look to the next where there is nothing to wait on but the clock
PAUSE = 0.1  # seconds without new connections when no file can be opened
READING = 0.2  # seconds for a refusal to be read
END = b"\r\n\r\n"
TOO_LONG = "The address and the headers of this request are longer than 16 KB. Shorten the link, or delete cookies."


class Arrivals:
    """Accepts connections and hands each on when the head of its request is there.

    Parameters
    ----------
    take : called with a connection and the head; from then on the connection is its own, and has to be closed by it.
        As long as it waits for something the connection counts as one that waits.
    behind_proxy : all connections are those of one address then
    """

    def __init__(self, take: Callable[[socket.socket, bytes], Awaitable[None]], behind_proxy: bool = False):
        self._take, self._each = take, TOGETHER if behind_proxy else EACH
        self._waiting: dict[str, dict[asyncio.Task, None]] = {}  # of each address, the oldest first
        self._count = 0
        self._sockets: list[socket.socket] = []

    def listen(self, sockets: list[socket.socket]) -> None:
        """Take connections on these from now on."""
        self._sockets = list(sockets)
        for listening in self._sockets:
            asyncio.get_running_loop().add_reader(listening, self._accept, listening)

    def stop(self) -> None:
        """Take no more, and close those that wait."""
        for listening in self._sockets:
            asyncio.get_running_loop().remove_reader(listening)
            listening.close()
        self._sockets = []
        for tasks in list(self._waiting.values()):
            for task in list(tasks):
                task.cancel()

    def _accept(self, listening):
        for _ in range(AT_ONCE):
            try:
                connection, where = listening.accept()
            except OSError as problem:
                if problem.errno in (errno.EMFILE, errno.ENFILE):
                    self._pause(listening)
                return  # there are no more, or it is gone again
            connection.setblocking(False)
            self._admit(connection, neighbourhood(where[0]))

    def _pause(self, listening):
        """No file can be opened. The oldest that waits goes, and the loop does not spin meanwhile."""
        self._drop_oldest(self._most())
        loop = asyncio.get_running_loop()
        loop.remove_reader(listening)
        loop.call_later(
            PAUSE, lambda: listening in self._sockets and loop.add_reader(listening, self._accept, listening)
        )

    def _admit(self, connection, who):
        if len(self._waiting.get(who, ())) >= self._each:
            self._drop_oldest(who)
        elif self._count >= TOGETHER:
            self._drop_oldest(self._most())
        task = asyncio.ensure_future(self._receive(connection))
        self._waiting.setdefault(who, {})[task] = None
        self._count += 1
        task.add_done_callback(lambda task: self._forget(who, task, connection))

    def _most(self):
        return max(self._waiting, key=lambda who: len(self._waiting[who]), default=None)

    def _drop_oldest(self, who):
        for task in list(self._waiting.get(who, ()))[:1]:
            task.cancel()
            self._forget(who, task)

    def _forget(self, who, task, connection=None):
        if connection is not None and task.cancelled():  # also one that never had its turn
            connection.close()
        if task in self._waiting.get(who, ()):
            del self._waiting[who][task]
            self._count -= 1
            if not self._waiting[who]:
                del self._waiting[who]

    async def _receive(self, connection):
        try:
            head = await head_of(connection)
        except (TimeoutError, OSError):  # too slow, or gone
            head = b""
        if END in head:
            await self._take(connection, head)
            return
        if len(head) >= LARGEST_HEAD:
            await refuse(connection, "431 Request Header Fields Too Large", TOO_LONG)
        connection.close()


def neighbourhood(address: str) -> str:
    """Whose address it is: of the newer kind everybody has a whole range."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if number.version == 4:
        return address
    return str(number.ipv4_mapped or ipaddress.ip_network((number, 64), strict=False))


async def head_of(connection: socket.socket) -> bytes:
    """The head of the request on a connection, which stays there; as much as came, if it was too long or ended."""
    loop = asyncio.get_running_loop()
    data = b""
    end = loop.time() + HEAD_TIME
    first = loop.time() + FIRST_LINE
    while True:
        async with asyncio.timeout_at(end if b"\n" in data else first):
            data = await _more(loop, connection, len(data))
        if data is None or END in data or len(data) >= LARGEST_HEAD:
            _wait_for_bytes(connection, 1)
            return data or b""


async def _more(loop, connection, known):
    """What is there when it is more than what is known; None at its end."""
    _wait_for_bytes(connection, known + 1)
    while True:
        with contextlib.suppress(BlockingIOError):
            data = connection.recv(LARGEST_HEAD, socket.MSG_PEEK)
            if len(data) > known:
                return data
            if not data:
                return None
            await asyncio.sleep(GLANCE)  # the other end has closed in the middle, or this system does not wait for more
        await _readable(loop, connection)


def _wait_for_bytes(connection, count):
    """A part of a head would keep a connection readable all the time: it counts as readable when there is more."""
    with contextlib.suppress(OSError, AttributeError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, count)


async def _readable(loop, connection):
    news = loop.create_future()
    loop.add_reader(connection, lambda: news.done() or news.set_result(None))
    try:
        await news
    finally:
        loop.remove_reader(connection)


async def refuse(connection: socket.socket, status: str, sentence: str) -> None:
    """Answer before anything else has looked at a request; what cannot be sent at once is not sent."""
    body = sentence.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    with contextlib.suppress(OSError):
        connection.send(head.encode() + b"Cache-Control: no-store\r\nConnection: close\r\n\r\n" + body)
        connection.shutdown(socket.SHUT_WR)
        await asyncio.sleep(READING)
        connection.recv(4 * LARGEST_HEAD)  # closed with something unread, it would take the answer back
