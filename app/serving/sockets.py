"""The websocket of a page: Panel's, with its time taken, the server's limits kept, and silence noticed."""

import contextlib
import time

from bokeh.util.token import get_session_id
from panel.io.server import WSHandler
from tornado.websocket import WebSocketClosedError

from trustscope.app.serving import log, metrics
from trustscope.app.serving.beginning import build_now, fetched

TRY_LATER = 1013  # websocket code "try again later"


class Socket(WSHandler):
    """A websocket that has passed the gate."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._heard = self._asked = time.monotonic()

    def check_origin(self, origin: str) -> bool:
        """The gate has compared the whole origin, scheme and port included, before this."""
        return True

    def open(self, *arguments: str, **options: str) -> None:
        """A message is three small parts: held back to be sent together, each waits for the browser to ask for more."""
        self.set_nodelay(True)
        super().open(*arguments, **options)

    async def _async_open(self, token: str) -> None:
        known = get_session_id(token) in {session.id for session in self.application_context.sessions}
        # A page that comes back after its session was cleared away opens a new one, for which there must be room.
        if not known and (answer := self.application.room()) is not None:
            self.close(TRY_LATER, answer.title)
            return
        try:
            await self.application_context.create_session_if_needed(get_session_id(token), self.request, token)
            await build_now(self.application_context.get_session(get_session_id(token)))
            await super()._async_open(token)
        except RuntimeError as error:  # Panel: the token is older than its time
            log.get(__name__).info("a socket was not opened: %s", type(error).__name__)
            self.close(TRY_LATER, "Reload the page.")

    async def on_message(self, fragment) -> None:
        """Handle a part of a message; what it takes is measured."""
        self._heard = time.monotonic()
        with metrics.message():
            await super().on_message(fragment)

    async def _handle(self, message):
        """Who asks for the page gets what was written before, as long as it is what stands there."""
        if message.msgtype == "PULL-DOC-REQ":
            reply = await fetched(self.connection.session, message.header["msgid"])
            if reply is not None:
                return reply
        reply = await super()._handle(message)
        # A browser that reports a change does not wait for "OK": it would only keep both from what follows of it.
        return None if message.msgtype == "PATCH-DOC" and reply is not None and reply.msgtype == "OK" else reply

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
        with contextlib.suppress(WebSocketClosedError):
            if may_close and now - self._heard > 2 * ping:
                self.close(reason="no answer")
            elif now - max(self._heard, self._asked) > ping:
                self._asked = now
                self.ping(b"0")
