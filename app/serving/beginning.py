"""Pages that are built after their answer has gone out, and before a browser fetches them.

A browser that has the answer first reads Bokeh's and Panel's scripts. The page is built meanwhile, in a thread, so that
the scripts go out at the same time. Whoever connects sooner waits until it is built.
"""

import asyncio
from collections.abc import Callable

import panel as pn
from bokeh.server.session import ServerSession
from panel.io.state import set_curdoc

from trustscope.app.work import Lane

ANSWER = 0.02  # seconds in which the answer is written
_beginnings: dict = {}  # what is still to be built, by its document


class _Beginning:
    """What begins to be built for a document, and the lane in which that is done."""

    def __init__(self, begin: Callable[[], None], lane: Lane):
        self.lane, self._begin = lane, begin
        self._document = pn.state.curdoc
        self._begun = False

    def begin(self) -> None:
        """Begin, once."""
        if not self._begun:
            self._begun = True
            with set_curdoc(self._document):
                self._begin()


def build_soon(begin: Callable[[], None], lane: Lane) -> None:
    """Call `begin` as soon as the answer for the present document has gone out; what it builds is built in the lane."""
    document = pn.state.curdoc
    beginning = _beginnings[document] = _Beginning(begin, lane)
    document.on_session_destroyed(lambda context: _beginnings.pop(document, None))
    asyncio.get_running_loop().call_later(ANSWER, beginning.begin)


async def build_now(session: ServerSession) -> None:
    """Wait until that is built, and begin at once if it was not begun: a browser is about to fetch it."""
    beginning = _beginnings.pop(session.document, None)
    if beginning is not None:
        beginning.begin()
        await beginning.lane.finished()
