"""`/preview.png`: the picture that a link shows where it is sent, for programs that preview links.

Such a program reads the answer of a page and follows its `og:image`. The picture is drawn beside the loop, one at a
time, kept for whoever asks next, and given up after a while; then, where too many ask, and where the scenario is of
somebody's own data, a picture of the app as such is given.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import cast

from trustscope.app.serving import gate, log
from trustscope.app.work import compute
from trustscope.scenarios import pages
from trustscope.scenarios.link import page_of, query_of, scenario_of
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.trust.scenario import TrustScenario

ADDRESS = "/preview.png"
KEPT = 64  # pictures, of some 30 kB each
WAITING = 4  # who may wait for their turn
SECONDS = 20.0  # after which one is given up
LASTS = 24 * 3600  # seconds for which others may keep it


def scenario_in(query: str) -> Scenario | None:
    """The scenario that a query names; None where there is no picture of it, or it is of somebody's own data."""
    page = page_of(query)
    if page not in pages.NAMES or page == "release":
        return None
    found = scenario_of(query, pages.kind_of(page)).scenario
    return None if getattr(getattr(found, "data", None), "name", "") == OWN else found


def address(host: str, query: str, origins: Sequence[str]) -> str:
    """Where the picture of a page is, in full; nothing where the server has no origin of this host.

    The scenario is written anew: what a visitor wrote into the address does not come back in the page.
    """
    own = [origin for origin in origins if origin.partition("://")[2].lower() == host.lower()]
    if not own:
        return ""
    origin = next((one for one in own if one.startswith("https:")), own[0])
    scenario = scenario_in(query)
    return f"{origin}{ADDRESS}" if scenario is None else f"{origin}{ADDRESS}?{query_of(scenario)}"


class Pictures:
    """Makes pictures, each once, one at a time.

    Parameters
    ----------
    make : called in a thread with a scenario (None: of the app as such) and what says whether to give up
    """

    def __init__(self, make: Callable[[Scenario | None, Callable[[], bool]], bytes]):
        self._make, self._kept = make, Memo(KEPT)
        self._turn, self._asked = asyncio.Lock(), 0

    async def of(self, query: str) -> bytes:
        """The picture for a query."""
        scenario = scenario_in(query)
        key = "" if scenario is None else query_of(scenario)
        known = self._kept.get(key)
        if known is None and self._asked < WAITING:
            self._asked += 1
            try:
                async with self._turn:
                    known = self._kept.get(key) or await self._made(key, scenario)
            finally:
                self._asked -= 1
        return known if known is not None else cast(bytes, await self._made("", None))

    async def _made(self, key: str, scenario: Scenario | None) -> bytes | None:
        if (known := self._kept.get(key)) is not None:
            return known
        end = time.monotonic() + SECONDS
        try:
            made = await compute(self._make, scenario, lambda: time.monotonic() > end, kind="picture")
        except Exception as error:  # whatever a link asks for: the app as such can always be shown
            if scenario is None:
                raise
            log.report_error(error, "a picture of a link")
            return None
        return self._kept(key, lambda: made)


def make(scenario: Scenario | None, cancel: Callable[[], bool]) -> bytes:
    """A picture of a scenario, or of the app as such: what the page Trust opens with."""
    from trustscope.handouts.film import poster

    return poster(TrustScenario() if scenario is None else scenario, cancel)


class Preview(gate.RequestHandler):
    """The picture, behind the same gate as the pages."""

    def initialize(self, pictures: Pictures) -> None:
        """Keep where pictures are made."""
        self._pictures = pictures

    async def get(self) -> None:
        """The picture of the scenario in the query."""
        made = await self._pictures.of(self.request.query)
        self.set_header("Content-Type", "image/png")
        self.set_header("Cache-Control", f"private, max-age={LASTS}")  # a proxy would show it to others
        self.finish(made)
