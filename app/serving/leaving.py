"""Noticing that a visitor has left: when their last connection goes, long before their session is cleared away."""

import asyncio
from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.events import ConnectionLost
from tornado.websocket import WebSocketClosedError

from trustscope.app.compat import inside
from trustscope.app.serving import log
from trustscope.app.serving.loops import call_on, loop_of

# A browser that closes a tab, or leaves or reloads the page, says so with one of these codes of RFC 6455; the page is
# gone for good then, since a reload opens a new session. Any other end is a lost connection, which may come back.
LEFT = (1000, 1001)
# Seconds. A page that may connect again (`reconnect=True`) tries at once and then after 2 and 4 seconds. A tab that is
# closed while much is being sent to it ends without a code as well, and should not be worked for much longer.
GRACE = 3.0


def on_last_connection_lost(callback: Callable[[], None], grace: float = GRACE) -> None:
    """Call back when the last connection of this visitor's session has gone: to end the work done for them.

    - The tab was closed, or the page was left or reloaded: at once.
    - The connection broke without a word: after `grace` seconds, unless the visitor is back by then. A page that wants
      its work back after a longer break starts it again on Bokeh's event `ClientReconnected`.
    - The session is destroyed without ever having been connected: then, and at the latest.

    It runs on the server's loop without the document's lock, and must not change the page. A visitor who came back and
    leaves again is reported again. Outside of a session (a notebook, a test) nothing is ever lost and nothing happens.
    """
    document = pn.state.curdoc
    if document is None or document.session_context is None:
        return
    watch = _Watch(document, callback, grace)
    document.on_event(ConnectionLost, watch.connection_lost)
    document.on_session_destroyed(watch.session_destroyed)


def ignore_closed_sockets(loop: asyncio.AbstractEventLoop) -> None:
    """Keep tabs that close while they are being sent to out of the log.

    Tornado makes a task of each message that it sends, and Panel starts the messages of one change together. When the
    connection closes among them, the tasks that were started are left behind, end with an error that nobody looks at,
    and asyncio reports each with a traceback. That somebody left is no error: this one kind is passed over, all others
    are reported as before.
    """

    def handle(loop, context):
        if not isinstance(context.get("exception"), WebSocketClosedError):
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle)


class _Watch:
    def __init__(self, document, callback, grace):
        # The context, not the document: the document holds this watch, and a circle would outlive its session.
        self._context = document.session_context
        self._name = log.short_name(self._context.id)
        self._callback, self._grace = callback, grace
        self._reported = False

    def connection_lost(self, event):
        """One connection has gone; the session still counts it while this is called."""
        session = self._context.session
        if session is None:
            return
        codes = inside.close_codes(session)
        wait = 0.0 if any(code in LEFT for code in codes) else self._grace
        loop: Any = loop_of(session.document)  # whoever is connected has one
        call_on(loop, loop.call_later, wait, self._check, session)

    def _check(self, session):
        if session.destroyed or session.connection_count:
            return
        self._report()
        self._reported = True

    def session_destroyed(self, context):
        """The session is cleared away: report it if nothing was reported since the last connection."""
        if not self._reported:
            self._report()
        self._context = None

    def _report(self):
        log.get(__name__).debug("visitor %s has left", self._name)
        try:
            self._callback()
        except Exception as error:
            log.report_error(error, "what is done when a visitor leaves")
