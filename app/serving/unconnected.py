"""Pages that were answered, and to which no browser has connected yet: each holds a seat, and costs one request."""

import time
from collections.abc import Callable, Container

from trustscope.app.serving.arrivals import neighbourhood

FEW = 10  # pages of one address that wait for their browsers; a class that comes in one moment has more for a while
CONNECTING = 5.0  # seconds that a browser may take to connect before its own address takes its seat


class Unconnected:
    """The pages of this process that no browser has connected to yet, by the addresses that asked for them.

    Parameters
    ----------
    clock : seconds, for the tests
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._whose: dict[str, str] = {}  # of each session the address
        self._of: dict[str, dict[str, float]] = {}  # of each address its sessions and since when, the oldest first

    def add(self, session: str, address: str) -> None:
        """A page is sent to an address."""
        who = self._whose[session] = neighbourhood(address)
        self._of.setdefault(who, {})[session] = self._clock()

    def forget(self, session: str | None) -> None:
        """A browser has connected to it, or it is gone."""
        if session is None or (who := self._whose.pop(session, None)) is None:
            return
        del self._of[who][session]
        if not self._of[who]:
            del self._of[who]

    def keep(self, sessions: Container[str]) -> None:
        """Forget all but these."""
        for session in [one for one in self._whose if one not in sessions]:
            self.forget(session)

    def crowded(self, session: str) -> bool:
        """Whether its address has asked for so many that none is worked for before its browser comes."""
        who = self._whose.get(session)
        return who is not None and len(self._of[who]) > FEW

    def make_room(self, address: str, end: Callable[[str], bool]) -> bool:
        """End the page that has waited longest, of the address that has the most; whether there was one to end.

        An address that has few loses none. Nobody takes the seat of somebody of their own address who is just coming:
        whoever comes last of a class, when all seats are taken, is told so, and the others stay.

        Parameters
        ----------
        address : of whoever comes
        end : ends a session that nobody is connected to; False if there is none
        """
        who = max(self._of, key=lambda one: len(self._of[one]), default=None)
        if who is None or len(self._of[who]) <= FEW:
            return False
        own = who == neighbourhood(address)
        for session, since in list(self._of[who].items()):
            if own and self._clock() - since < CONNECTING:
                return False
            self.forget(session)
            if end(session):
                return True
        return False
