"""The websocket of a page: Panel's, with its time taken and the server's limits kept."""

from bokeh.util.token import get_session_id
from panel.io.server import WSHandler

from trustscope.app.serving import log, metrics

TRY_LATER = 1013  # websocket code "try again later"


class Socket(WSHandler):
    """A websocket that has passed the gate."""

    def check_origin(self, origin: str) -> bool:
        """The gate has compared the whole origin, scheme and port included, before this."""
        return True

    async def _async_open(self, token: str) -> None:
        known = get_session_id(token) in {session.id for session in self.application_context.sessions}
        # A page that comes back after its session was cleared away opens a new one, for which there must be room.
        if not known and (answer := self.application.room()) is not None:
            self.close(TRY_LATER, answer.title)
            return
        try:
            await super()._async_open(token)
        except RuntimeError as error:  # Panel: the token is older than its time
            log.get(__name__).info("a socket was not opened: %s", type(error).__name__)
            self.close(TRY_LATER, "Reload the page.")

    async def on_message(self, fragment) -> None:
        """Handle a part of a message; what it takes is measured."""
        with metrics.message():
            await super().on_message(fragment)
