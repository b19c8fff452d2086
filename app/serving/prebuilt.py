"""Pages that are built after their answer has gone out, and before a browser fetches them.

A browser that has the answer first reads Bokeh's and Panel's scripts. Meanwhile the page is built, in a thread, so that
the scripts go out at the same time, and is written down as the browser will get it. Whoever connects sooner waits until
it is built. For an address that asks for many pages and connects to none, nothing is built until a browser comes.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.document.events import DocumentChangedEvent, SessionCallbackAdded, SessionCallbackRemoved
from bokeh.protocol.messages.pull_doc_reply import pull_doc_reply
from bokeh.server.session import ServerSession
from panel.io.state import set_curdoc

from trustscope.app.compat import page_written_before
from trustscope.app.serving import budget
from trustscope.app.serving.loops import call_on, loop_of
from trustscope.app.work import TaskSlot, compute

ANSWER = 0.02  # seconds in which the answer is written
_prebuilt: dict = {}  # what is built before somebody fetches it, by its document


class PrebuiltPage:
    """What is built for a document, the slot in which that is done, and in the end the page as a message."""

    def __init__(self, begin: Callable[[], None], slot: TaskSlot):
        self._begin, self._slot = begin, slot
        self._document: Any = pn.state.curdoc
        self._begun = False
        self.reply: pull_doc_reply | None = None  # none as long as it would not be what stands in the document

    def begin(self) -> None:
        """Begin, once."""
        if not self._begun:
            self._begun = True
            with set_curdoc(self._document):
                try:
                    self._begin()
                except Exception as error:
                    self._slot.fail(error)
            self._task = asyncio.get_running_loop().create_task(self._write())

    async def wait(self) -> None:
        """Wait until it is built; begin at once if it was not begun."""
        self.begin()
        await self._slot.finished()

    async def _write(self) -> None:
        await self._slot.finished()
        session = self._document.session_context.session if self._document.session_context else None
        if page_written_before.PATCH.on and session is not None and self._document in _prebuilt:
            await session.with_document_locked(self._written)

    async def _written(self) -> None:
        self._forget_when_changed()
        self.reply = await compute(page_written_before.write_page, self._document, kind="page")

    def _forget_when_changed(self) -> None:
        """From now on any change of the document makes the message useless."""
        page_written_before.watch(self._document, self._changed)

    def _changed(self, event: DocumentChangedEvent) -> None:
        if not isinstance(event, SessionCallbackAdded | SessionCallbackRemoved):
            self.reply = None

    def stop(self) -> None:
        """It was fetched."""
        page_written_before.unwatch(self._document)


def build_soon(begin: Callable[[], None], slot: TaskSlot) -> None:
    """Call `begin` as soon as the answer for the present document has gone out; what it builds is built in the slot."""
    document: Any = pn.state.curdoc
    page = _prebuilt[document] = PrebuiltPage(begin, slot)
    document.on_session_destroyed(lambda context: _prebuilt.pop(document, None))
    session = document.session_context.id

    def ahead() -> None:
        if not budget.server().unconnected.crowded(session):
            page.begin()

    loop: Any = loop_of(document)
    call_on(loop, loop.call_later, ANSWER, ahead)


async def build_now(session: ServerSession) -> None:
    """Wait until what belongs to the page is built: a browser is about to fetch it."""
    if (page := _prebuilt.get(session.document)) is not None:
        await page.wait()


async def fetched(session: ServerSession, request: str) -> pull_doc_reply | None:
    """The page as a message, for the browser that asks for it first; None where it has changed since it was written."""
    if (page := _prebuilt.pop(session.document, None)) is None:
        return None
    reply = await session.with_document_locked(lambda: page.reply)
    page.stop()
    return None if reply is None else page_written_before.answering(reply, request)
