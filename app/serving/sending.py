"""Changes on their way to the browser and back: Panel's and Bokeh's way, without what hinders them."""

from collections.abc import Callable, Coroutine
from functools import wraps

from bokeh.document import Document
from bokeh.events import ModelEvent
from bokeh.util.callback_manager import EventCallbackManager
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


def ask_only_the_one_that_is_meant() -> None:
    """Bring what happened to one part of a page to that part alone.

    Bokeh brings it to every part that listens to such events, which finds out by itself that another one is meant: to
    thirty controls for each movement of a slider, and to two hundred when all pages have been visited.
    """
    if not hasattr(EventCallbackManager._trigger_event, "__wrapped__"):
        EventCallbackManager._trigger_event = _of_its_own(EventCallbackManager._trigger_event)


def _of_its_own(trigger: Callable[[EventCallbackManager, ModelEvent], None]) -> Callable:
    @wraps(trigger)
    def trigger_own(self: EventCallbackManager, event: ModelEvent) -> None:
        if event.model is self:
            trigger(self, event)

    return trigger_own


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
