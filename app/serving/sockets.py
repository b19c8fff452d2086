"""The websocket of a page: Panel's, with its time taken, the server's limits kept, and silence noticed."""

import contextlib
import itertools
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from bokeh.util.token import get_session_id
from panel.io.server import WSHandler
from tornado.websocket import WebSocketClosedError

from trustscope.app.serving import budget, contents, inbox, log, metrics
from trustscope.app.serving.inbox import Inbox

if TYPE_CHECKING:
    from trustscope.app.serving.gate import GatedTornado

# Codes of RFC 6455.
TRY_LATER, TOO_BIG, NOT_ALLOWED, NOT_UNDERSTOOD, FAILED = 1013, 1009, 1008, 1002, 1011
# What a page sends. Bokeh's server would also take a whole document in place of the page's own.
KINDS = ("PULL-DOC-REQ", "PATCH-DOC", "SERVER-INFO-REQ")
MOST_ERRORS = 20  # of one connection within a minute: each is written down
MOST_CONNECTIONS = 4  # of one page: it has one, and for a while a lost one that is not given up yet
WORTH_A_LOOK = 100_000  # bytes of a part, after which the memory of the process is looked at
_opened = itertools.count()


class Socket(WSHandler):
    """A websocket that has passed the gate."""

    application: "GatedTornado"

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._heard = self._asked = time.monotonic()
        self._inbox, self._ended = Inbox(self), False
        self._seen = 0  # bytes of a part that were there at the last look
        self._errors: deque[float] = deque(maxlen=MOST_ERRORS)  # when they were
        self.opened = next(_opened)  # which of all that this process has had

    def check_origin(self, origin: str) -> bool:
        """The gate has compared the whole origin, scheme and port included, before this."""
        return True

    _session: str | None = None  # the identifier in the token

    def select_subprotocol(self, subprotocols: list[str]) -> str | None:
        """Bokeh's protocol; what stands behind its name is the token of the session."""
        self._session = get_session_id(subprotocols[1]) if len(subprotocols) == 2 else None
        return super().select_subprotocol(subprotocols)

    def open(self, *arguments: str, **options: str) -> None:
        """A message is three small parts: held back to be sent together, each waits for the browser to ask for more."""
        budget.server().unconnected.forget(self._session)
        known = self._session in {session.id for session in self.application_context.sessions}
        # A page that comes back after its session was cleared away opens a new one, for which there must be room.
        if not known and (answer := self.application.refusal(self.request.remote_ip or "")) is not None:
            self.close(TRY_LATER, answer.title)
            return
        self.set_nodelay(True)
        super().open(*arguments, **options)

    async def _async_open(self, token: str) -> None:
        await super()._async_open(token)
        if self.connection is not None:
            self._close_others(self.connection.session)

    def _close_others(self, session):
        """A page may have only so many connections: the oldest go."""
        own = [one._socket for one in session._subscribed_connections]
        for other in sorted(own, key=lambda one: one.opened)[:-MOST_CONNECTIONS]:
            other.end(TRY_LATER, "This page is connected more often than it needs.")

    async def on_message(self, fragment) -> None:
        """Handle a part of a message; what it takes is measured."""
        self._heard = time.monotonic()
        if self._ended:
            return
        if not self._inbox.add(fragment):
            self.end(TOO_BIG, inbox.TOO_LARGE)
            return
        if (fullest := inbox.fullest()) is not None:
            fullest.end(TRY_LATER, inbox.TOO_MUCH)
        if len(fragment) > WORTH_A_LOOK:
            self.application.look_at_memory()
        with metrics.message():
            await super().on_message(fragment)

    async def _receive(self, fragment):
        message = await super()._receive(fragment)
        if message is not None:
            self._inbox.clear()
        return message

    def end(self, code: int, reason: str) -> None:
        """Close the connection with a sentence; what still comes until the other end closes too is passed over."""
        if self._ended:
            return
        log.get(__name__).warning("a connection is closed: %s", reason)
        self._ended = True
        self.close(code, reason)
        self._inbox.clear()
        self.receiver = None  # what it keeps of an unfinished message goes with it

    def cut(self, code: int, reason: str) -> None:
        """Close the connection, and let its session go without waiting for the other end."""
        self.end(code, reason)
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.session.notify_connection_lost()
            self.application.client_lost(connection)

    def on_close(self) -> None:
        """It is closed."""
        self._ended = True
        self._inbox.clear()
        super().on_close()

    def bytes_held(self) -> int:
        """Bytes that are kept for this connection: parts of messages, what came lately, and what is not read."""
        wire = self.ws_connection
        if wire is None:
            return self._inbox.lately()
        stream: Any = wire.stream
        unread = stream._total_write_index - stream._total_write_done_index
        return self._inbox.lately() + self._arriving() + unread

    def _arriving(self) -> int:
        """Bytes that are here of a part that is not whole."""
        wire: Any = self.ws_connection
        if wire is None:
            return 0
        return len(getattr(wire, "_fragmented_message_buffer", None) or b"") + wire.stream._read_buffer_size

    async def _handle(self, message):
        """Only what a page sends is taken, and no answer says what is inside."""
        if message.msgtype not in KINDS or not contents.allowed(message.content):
            self.end(NOT_ALLOWED, "A page does not send such messages. Reload it.")
            return None
        reply = await super()._handle(message)
        if reply is None or reply.msgtype != "ERROR":
            return reply
        self._errors.append(time.monotonic())
        if len(self._errors) == MOST_ERRORS and self._errors[-1] - self._errors[0] < 60:
            self.end(FAILED, "Too much of what this page sends fails. Reload it.")
            return None
        return _without_causes(reply)

    def _internal_error(self, message: str) -> None:
        """Bokeh would send the text of the error, which names what is inside."""
        self.end(FAILED, f"The server could not handle what this page has sent ({log.reference()}). Reload it.")

    def _protocol_error(self, message: str) -> None:
        self.end(NOT_UNDERSTOOD, "The server does not understand what this page has sent. Reload it.")

    def on_pong(self, data: bytes) -> None:
        """The browser is there."""
        self._heard = time.monotonic()

    def check(self, ping: float, may_close: bool) -> None:
        """Ask a browser that is silent whether it is there, and close the connection of one that does not answer.

        Parameters
        ----------
        ping : seconds of silence after which it is asked; after twice as many it is taken to be gone
        may_close : not right after the server itself was too busy to listen: an answer may be waiting
        """
        now = time.monotonic()
        here = self._arriving()
        if here not in (0, self._seen):  # a large part on a slow line: no browser can answer in the middle of it
            self._heard = now
        self._seen = here
        with contextlib.suppress(WebSocketClosedError):
            if may_close and now - self._heard > 2 * ping:
                self.close(reason="no answer")
            elif now - max(self._heard, self._asked) > ping:
                self._asked = now
                self.ping(b"0")


def _without_causes(reply):
    """An error as the browser gets it: Bokeh's has the exception's text, and a traceback with the server's paths."""
    reference = log.reference()
    log.get(__name__).warning("error %s: a message of the page failed, see above", reference)
    reply.content = {"text": f"The server could not do that ({reference}).", "traceback": None}
    return reply
