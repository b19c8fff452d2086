"""The memory of a process: above its share, whoever uses the most of it has to go, and nobody else.

Nobody can say what one visitor's page takes. What can be said is what they have brought: tables of their own, parts of
messages that are not whole, what they have sent lately, and answers that they do not read.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from bokeh.server.session import ServerSession

from trustscope.app.serving import budget, log, stopping

if TYPE_CHECKING:
    from trustscope.app.serving.sockets import Socket

LEAST = 20_000_000  # bytes below which nobody is to blame
PATIENCE = 10.0  # seconds for memory to be given back before another one has to go
TELLING = 1.0  # seconds for the page to say it
CODE = 1013  # websocket code "try again later"
REASON = "The server's memory is full, and this page used the most of it. Reload it and use less data."


class Share:
    """Looks after the memory of a process.

    Parameters
    ----------
    most : bytes
    memory : gives the bytes that the process has
    sessions : gives the sessions of the process
    tidy : called when somebody has gone, to give memory back
    """

    def __init__(
        self,
        most: int,
        memory: Callable[[], int],
        sessions: Callable[[], Iterable[ServerSession]],
        tidy: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ):
        self._most, self._memory, self._sessions, self._tidy = most, memory, sessions, tidy
        self._clock = clock
        self._until = -PATIENCE
        self._task: asyncio.Task | None = None

    def check(self) -> None:
        """If there is too much, close the largest visitor."""
        if self._clock() < self._until or self._memory() <= self._most:
            return
        weighed = [(weight(session), session) for session in self._sessions()]
        heaviest, session = max(weighed, key=lambda pair: pair[0], default=(0, None))
        if session is None or heaviest < LEAST:
            return
        self._until = self._clock() + PATIENCE
        name = log.short_name(session.id)
        log.get(__name__).warning("memory is above its share; visitor %s has %d MB", name, heaviest // 1_000_000)
        self._task = asyncio.ensure_future(self._close(session))

    async def _close(self, session):
        try:
            async with asyncio.timeout(TELLING):
                await stopping.tell(session, stopping.TOO_MUCH)
                await asyncio.sleep(stopping.SENDING)
        except TimeoutError:
            pass  # one who does not read is not waited for
        for connection in list(session._subscribed_connections):
            connection._socket.cut(CODE, REASON)
        session.request_expiration()
        self._tidy()


def weight(session: ServerSession) -> int:
    """What a visitor is known to use, in bytes."""
    held = sum(cast("Socket", connection._socket).bytes_held() for connection in session._subscribed_connections)
    return held + budget.own_bytes(session.document)
