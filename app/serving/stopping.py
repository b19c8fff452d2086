"""Ending well: visitors are told why, and their work ends."""

import asyncio
import contextlib
import weakref
from collections.abc import Callable

import panel as pn

from trustscope.app.compat import inside
from trustscope.app.serving import log
from trustscope.app.serving.loops import change_page

GOODBYE = 1001  # websocket code "going away"
REASON = "The server is stopping."
PATIENCE = 3.0  # seconds for telling all visitors, and again for ending their sessions
SENDING = 0.1  # seconds for what was changed to be sent

# Why a page is told that it will end.
STOPPED, TOO_MUCH = "the server stops", "the page takes too much memory"

_callbacks: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def on_goodbye(callback: Callable[[], None], why: str = STOPPED) -> None:
    """Call back, with the document's lock held, when the page is about to end for this reason: it can still say so.

    Afterwards the page's websocket is closed; when the server stops, with code 1001 and "The server is stopping.".
    """
    document = pn.state.curdoc
    if document is None or document.session_context is None:
        return
    if document not in _callbacks:  # the callbacks know the page, which knows the document: forget them with it
        document.on_session_destroyed(lambda context: _callbacks.pop(inside.document_of(context), None))
    _callbacks.setdefault(document, []).append((why, callback))


async def say_goodbye(tornado_app) -> None:
    """Tell all visitors, close their connections, and end their sessions with all that runs for them."""
    sessions = [session for context in tornado_app.applications.values() for session in context.sessions]
    log.get(__name__).info("stopping; %d sessions are open", len(sessions))
    await _all(tell(session, STOPPED) for session in sessions)
    await asyncio.sleep(SENDING)
    for socket in inside.sockets(tornado_app):
        socket.close(GOODBYE, REASON)
    await _until(lambda: not inside.sockets(tornado_app))
    for session in sessions:
        session.request_expiration()
    await _all(inside.clear_away(context) for context in tornado_app.applications.values())


async def tell(session, why: str) -> None:
    """Have a page say why it ends."""
    for reason, callback in _callbacks.get(session.document, []) if not session.destroyed else []:
        if reason != why:
            continue
        try:
            await change_page(session.document, callback)
        except Exception as error:
            log.report_error(error, "saying goodbye")


async def _all(coroutines):
    """Run all of them, but not for longer than patience lasts: one page that hangs must not keep the server up."""
    tasks = [asyncio.ensure_future(one) for one in coroutines]
    if tasks:
        _, late = await asyncio.wait(tasks, timeout=PATIENCE)
        for task in late:
            task.cancel()


async def _until(condition):
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.02)
