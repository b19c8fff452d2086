"""The loop on which a page lives, and how a page is changed from there.

Bokeh and Panel handle what happens to a page on the loop of their server; newer versions of them do it in threads
beside the loop. What belongs to the loop, such as tasks and futures, is touched on it alone (`call_on`).
"""

import asyncio
from collections.abc import Callable
from typing import Any

import panel as pn


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop that runs in this thread; None in a script, and in a thread beside it."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def loop_of(document: Any) -> asyncio.AbstractEventLoop | None:
    """The loop of the server on which a page lives; None where no server has the page."""
    server = getattr(document and document.session_context, "server_context", None)
    application = getattr(server, "application_context", None)
    home = getattr(application, "io_loop", None)
    return getattr(home, "asyncio_loop", home)


def call_on(loop: asyncio.AbstractEventLoop | None, function: Callable, *arguments: Any) -> None:
    """Call a function on a loop: now where that is possible, else in its next turn."""
    if loop is None or loop is running_loop():
        function(*arguments)
    else:
        loop.call_soon_threadsafe(function, *arguments)


async def change_page(document: Any, change: Callable[[], object], put_off: Callable[[], bool] = lambda: False) -> bool:
    """Change a page as a callback of its own, under its lock: Panel puts off what is changed elsewhere until too late.

    Done when this returns; whoever does not wait any longer has the page left as it is. Where `put_off` says so when
    the page has its turn, nothing is changed, and the answer is False.
    """
    loop = asyncio.get_running_loop()
    changed: asyncio.Future[bool] = loop.create_future()

    def settle(done: bool, error: Exception | None = None) -> None:
        if error is None:
            if not changed.done():  # the change itself may have ended who waits for it
                changed.set_result(done)
        elif changed.done():
            raise error
        else:
            changed.set_exception(error)

    def run() -> None:
        if changed.cancelled():  # an old change must not overtake a new one
            return
        if put_off():
            call_on(loop, settle, False)
            return
        try:
            with pn.io.hold(document):
                change()
        except Exception as error:
            call_on(loop, settle, False, error)
        else:
            call_on(loop, settle, True)

    document.add_next_tick_callback(run)
    return await changed
