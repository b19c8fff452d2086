"""A page is built after its answer has gone out, in a thread, while the browser reads Bokeh's and Panel's scripts.

Panel builds it before it answers, on the server's loop. A browser that connects before the page is built waits until
it is (`app/serving/prebuilt.py`).
"""

from collections.abc import Callable
from functools import wraps

from bokeh.util.token import get_session_id

from trustscope.app.compat.patch import Part, Patch
from trustscope.app.serving import log
from trustscope.app.serving.prebuilt import build_now, fetched
from trustscope.app.serving.sockets import TRY_LATER, Socket


def building_first(open_socket: Callable) -> Callable:
    """Open a socket when its page is built."""

    @wraps(open_socket)
    async def opened(self: Socket, token: str) -> None:
        try:
            await self.application_context.create_session_if_needed(get_session_id(token), self.request, token)
            await build_now(self.application_context.get_session(get_session_id(token)))
            await open_socket(self, token)
        except RuntimeError as error:  # Panel: the token is older than its time
            log.get(__name__).info("a socket was not opened: %s", type(error).__name__)
            self.close(TRY_LATER, "Reload the page.")

    return opened


def answering(handle: Callable) -> Callable:
    """Who asks for the page gets what was written before, as long as it is what stands there."""

    @wraps(handle)
    async def handled(self: Socket, message):
        if message.msgtype == "PULL-DOC-REQ" and self.connection is not None:
            reply = await fetched(self.connection.session, message.header["msgid"])
            if reply is not None:
                return reply
        return await handle(self, message)

    return handled


PATCH = Patch(
    name="pages_built_after",
    gain="the longest hold of the server's loop while a page is opened: 67 % less",
    versions={"panel": ("1.9", "1.10"), "bokeh": ("3.9", "3.10")},
    parts=(
        Part("panel.io.server:WSHandler._async_open", "267104ba95d5"),
        Part("bokeh.server.views.ws:WSHandler._async_open", "7ecf497ea1e8"),
        Part("bokeh.server.views.ws:WSHandler._handle", "e97cbe026d38"),
        Part("bokeh.server.views.ws:WSHandler.open", "eee4c788f28b"),
    ),
    replace={(Socket, "_async_open"): building_first, (Socket, "_handle"): answering},
)
