"""Ending well: visitors are told, and their work ends."""

import asyncio
import contextlib
import weakref
from collections.abc import Callable

import panel as pn

from trustscope.app.serving import log

GOODBYE = 1001  # websocket code "going away"
REASON = "The server is stopping."
PATIENCE = 3.0  # seconds for telling all visitors, and again for ending their sessions
SENDING = 0.1  # seconds for what was changed to be sent

_callbacks: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def on_goodbye(callback: Callable[[], None]) -> None:
    """Call back, with the document's lock held, when the server is about to stop: the page can still say so.

    Afterwards the page's websocket is closed with code 1001 and the reason "The server is stopping.".
    """
    document = pn.state.curdoc
    if document is None or document.session_context is None:
        return
    if document not in _callbacks:  # the callbacks know the page, which knows the document: forget them with it
        document.on_session_destroyed(lambda context: _callbacks.pop(context._document, None))
    _callbacks.setdefault(document, []).append(callback)


async def say_goodbye(tornado_app) -> None:
    """Tell all visitors, close their connections, and end their sessions with all that runs for them."""
    sessions = [session for context in tornado_app.applications.values() for session in context.sessions]
    log.get(__name__).info("stopping; %d sessions are open", len(sessions))
    await _all(_tell(session) for session in sessions)
    await asyncio.sleep(SENDING)
    for connection in list(tornado_app._clients):
        connection._socket.close(GOODBYE, REASON)
    await _until(lambda: not tornado_app._clients)
    for session in sessions:
        session.request_expiration()
    await _all(context._cleanup_sessions(0) for context in tornado_app.applications.values())


async def _tell(session):
    for callback in _callbacks.get(session.document, []) if not session.destroyed else []:
        try:
            await _on_page(session.document, callback)
        except Exception as error:
            log.report_error(error, "saying goodbye")


async def _on_page(document, callback):
    """Change a page, as a callback of its own: Panel puts off what is changed elsewhere until too late."""
    told = asyncio.get_running_loop().create_future()

    def run():
        if told.done():  # patience ended before this page had its turn
            return
        try:
            with pn.io.hold(document):
                callback()
        except Exception as error:
            told.set_exception(error)
        else:
            told.set_result(None)

    document.add_next_tick_callback(run)
    await told


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
