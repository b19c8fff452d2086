"""Sending changes to the browser: Panel's way, without the one gap in which it forgets a message."""

from collections.abc import Callable, Coroutine
from functools import wraps

from bokeh.document import Document
from panel.io import document as panel_document


def lose_nothing() -> None:
    """See to it that a change which has to wait for its turn is sent when the one before it has gone.

    Panel lets messages wait while another is being written to the socket, and marks the document as blocked. Whichever
    message is written takes the mark away when it is through, even if more have been put behind it meanwhile; and those
    look for the mark before anything else, do not find it, and stay behind until something else changes. In one of
    thirty openings a page went on saying that it computes. Here the mark stands as long as a message waits.

    Panel looks every 10 ms whether Bokeh is through with writing; here the message goes as soon as that is so.
    """
    if not hasattr(panel_document._dispatch_msgs, "__wrapped__"):
        panel_document._dispatch_msgs = _keeping_the_mark(panel_document._dispatch_msgs)


def _keeping_the_mark(dispatch: Callable[[Document], Coroutine]) -> Callable[[Document], Coroutine]:
    @wraps(dispatch)
    async def send_waiting(doc: Document) -> None:
        for connection in list(panel_document._WRITE_MSGS.get(doc, ())):
            if hasattr(connection._socket, "write_lock"):
                with await connection._socket.write_lock.acquire():
                    pass  # Bokeh is through with what it was writing
        if doc in panel_document._WRITE_MSGS:
            panel_document._WRITE_BLOCK[doc] = True
        await dispatch(doc)

    return send_waiting
