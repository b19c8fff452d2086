"""Pages that are built after their answer has gone out, and before a browser fetches them.

A browser that has the answer first reads Bokeh's and Panel's scripts. The page is built meanwhile; the scripts go out
before that, because one thread serves both. Whoever connects sooner waits until it is built.
"""

import asyncio
from collections.abc import Callable

import panel as pn
from bokeh.server.session import ServerSession
from panel.io.state import set_curdoc

from trustscope.app.work import Lane

SCRIPTS = 0.1  # seconds in which a browser on the same machine fetches the scripts
_waiting: dict = {}  # what is still to be built, by its document


def build_soon(build: Callable[[], None], fail: Callable[[Exception], None]) -> None:
    """Call `build` for the present document a little later, once; `fail` is told why it could not be done."""
    document = pn.state.curdoc
    lane = Lane(fail, early=True)
    _waiting[document] = lane, build, fail
    document.on_session_destroyed(lambda context: _waiting.pop(document, None))

    async def work():
        await asyncio.sleep(SCRIPTS)
        await lane.show(lambda: _build(document))

    lane.start(work)


async def build_now(session: ServerSession) -> None:
    """Build what is still to be built for a session: a browser is about to fetch it."""
    if session.document in _waiting:
        _waiting[session.document][0].stop()
        await session.with_document_locked(_build, session.document)


def _build(document) -> None:
    """Build what waits for a document; it waits until this moment, so that a browser that comes just now finds it."""
    if document not in _waiting:
        return
    _, build, fail = _waiting.pop(document)
    with set_curdoc(document):
        try:
            build()
        except Exception as error:
            fail(error)
