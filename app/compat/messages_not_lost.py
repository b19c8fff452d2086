"""A change that has to wait for its turn is sent when the one before it has gone.

Panel lets messages wait while another is being written to the socket, and marks the document as blocked. Whichever
message is written takes the mark away when it is through, even if more have been put behind it meanwhile; and those
look for the mark before anything else, do not find it, and stay behind until something else changes. In one of thirty
openings a page went on saying that it computes. Here the mark stands as long as a message waits.

Panel looks every 10 ms whether Bokeh is through with writing; here the message goes as soon as that is so.
"""

from collections.abc import Callable, Coroutine
from functools import wraps

from bokeh.document import Document
from panel.io import document as panel_document

from trustscope.app.compat.documents import ours
from trustscope.app.compat.patch import Part, Patch


def keeping_the_mark(dispatch: Callable[[Document], Coroutine]) -> Callable[[Document], Coroutine]:
    """Panel's way to send what waits, for as long as something does."""

    @wraps(dispatch)
    async def send_waiting(doc: Document) -> None:
        if ours(doc):
            for connection in list(panel_document._WRITE_MSGS.get(doc, ())):
                if hasattr(connection._socket, "write_lock"):
                    with await connection._socket.write_lock.acquire():
                        pass  # Bokeh is through with what it was writing
            if doc in panel_document._WRITE_MSGS:
                panel_document._WRITE_BLOCK[doc] = True
        await dispatch(doc)

    return send_waiting


PATCH = Patch(
    name="messages_not_lost",
    gain="no speed: without it the last change of 1 in 30 openings stays behind",
    versions={"panel": ("1.9", "1.10"), "bokeh": ("3.9", "3.10")},
    parts=(
        Part("panel.io.document:_dispatch_msgs", "06084fe04469"),
        Part("panel.io.document:schedule_write_events", "1373bb4356d5"),
        Part("panel.io.document:_run_write_futures", "19362a2eec9e"),
        Part("bokeh.server.views.ws:WSHandler.write_message", "4982285fd102"),
    ),
    replace={(panel_document, "_dispatch_msgs"): keeping_the_mark},
)
