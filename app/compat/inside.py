"""What is read of the inside of Bokeh's server and of Tornado, where neither offers it by another way.

Nothing is replaced here, and nothing can be left out; `PARTS` is what `tests/app/test_compat.py` watches.
"""

from typing import Any, cast

from bokeh.application.application import SessionContext
from bokeh.document import Document
from bokeh.server.contexts import ApplicationContext, BokehSessionContext
from bokeh.server.session import ServerSession
from bokeh.server.tornado import BokehTornado
from tornado.httputil import HTTPServerRequest

from trustscope.app.compat.patch import Part


def document_of(context: SessionContext) -> Document:
    """The document of a session that is being made or taken down: it cannot be had by the session then."""
    return cast(BokehSessionContext, context)._document


def sockets(application: BokehTornado) -> list[Any]:
    """The open websockets of all pages."""
    return [connection._socket for connection in application._clients]


def close_codes(session: ServerSession) -> list[int | None]:
    """With which codes those connections of a session were closed that are closed by now."""
    every = [connection._socket for connection in session._subscribed_connections]
    return [one.close_code for one in every if one.ws_connection is None]


async def clear_away(context: ApplicationContext) -> None:
    """End all sessions of an application that nobody is connected to, now."""
    await context._cleanup_sessions(0)


async def end(context: ApplicationContext, session: ServerSession) -> None:
    """End a session now, unless somebody is connected to it by then."""
    if session.connection_count:  # Bokeh says "should not be discarding" then, and raises
        return
    await context._discard_session(session, lambda one: one.connection_count == 0)


def close_when_answered(request: HTTPServerRequest) -> None:
    """Close the connection of one request after its answer; Tornado's own option would close websockets too."""
    request.connection._disconnect_on_finish = True  # type: ignore[union-attr]


PARTS = (
    Part("bokeh.server.contexts:BokehSessionContext.__init__", "8d84c5c0025f"),
    Part("bokeh.server.contexts:ApplicationContext._cleanup_sessions", "8efe005ebed3"),
    Part("bokeh.server.contexts:ApplicationContext._discard_session", "8221d39fea9b", "68acd3a58374"),
    Part("bokeh.server.tornado:BokehTornado.new_connection", "836c5c0b4c4e", "f95daeb0836d"),
    Part("bokeh.server.tornado:BokehTornado.client_lost", "d3f00ed8292b"),
    Part("bokeh.server.session:ServerSession.subscribe", "62aacc2bc4e1", "342689622046"),
    Part("bokeh.server.connection:ServerConnection.__init__", "232634ef6335", "153b181ec88b"),
    Part("tornado.http1connection:HTTP1Connection.finish", "06764160f2a9"),
)
