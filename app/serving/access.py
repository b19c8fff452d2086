"""Who may come in: the token of the link or the password, kept in a cookie afterwards, with limited tries."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import inspect
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from tornado.web import RequestHandler

from trustscope.app.serving.arrivals import neighbourhood
from trustscope.app.serving.plan import Plan

LIFETIME = 12 * 3600  # seconds for which a cookie lets its browser in
WINDOW = 60.0  # seconds over which tries are counted
TRIES = 10  # wrong ones from one address within the window, after which each further try has to wait
TRIES_OF_ALL = 200  # the same for all addresses together
FIRST_WAIT, LONGEST_WAIT = 0.25, 5.0  # seconds; it doubles with each try
# Tries of one address that may wait at one time: a whole class behind one router, and fewer than one address may have
# connections. With the longest wait this is also how many guesses can be made: 80 a second.
MOST_WAITING = 400


class Access:
    """Checks secrets.

    Parameters
    ----------
    plan : holds the token and the password
    clock : seconds, for the tests
    """

    def __init__(self, plan: Plan, clock=time.time):
        self._token, self._password = plan.token, plan.password
        self._clock = clock
        # Cookies do not know ports: two servers on one machine must not take each other's.
        self.cookie = f"trustscope-{plan.port}"
        # The cookie's key comes from the secrets themselves, so that visitors stay in when the server is restarted.
        # scrypt, because a password may be weak and a cookie may be seen by somebody.
        both = f"{plan.token or ''}\n{plan.password or ''}".encode()
        self._key = hashlib.scrypt(both, salt=b"trustscope cookie", n=2**14, r=8, p=1)
        # Each process counts its own tries: together they must not allow more than one would.
        each, together = max(1, TRIES // plan.processes), max(2, TRIES_OF_ALL // plan.processes)
        waiting = max(1, MOST_WAITING // plan.processes)
        self._tries = Tries(each, together, clock, waiting)
        self._bearers = Tries(each, together, clock)  # programs, which cannot be made to wait
        self.room_tries = Tries(each, together, clock, waiting)  # of codes: a class that mistypes keeps nobody else out

    @property
    def needed(self) -> bool:
        """Whether anything has to be shown at all."""
        return self._token is not None or self._password is not None

    @property
    def has_password(self) -> bool:
        """Whether visitors can come in by a password."""
        return self._password is not None

    def new_cookie(self) -> str:
        """The value that lets a browser in for `LIFETIME` seconds."""
        until = f"{int(self._clock()) + LIFETIME}.{secrets.token_hex(8)}"  # no two browsers have the same
        return f"{until}.{self._sign(until)}"

    def good_cookie(self, value: str | None) -> bool:
        """Whether a cookie was made by `new_cookie` and still holds."""
        signed, dot, signature = (value or "").rpartition(".")
        until = signed.partition(".")[0]
        if not dot or not until.isascii() or not until.isdigit() or len(until) > 12:
            return False
        return _same(signature, self._sign(signed)) and int(until) > self._clock()

    def browser(self, cookie: str | None) -> str:
        """What tells one browser from another without giving its cookie away."""
        return self._sign(f"browser {cookie or ''}")

    async def try_token(self, given: str, who: str | None, gone: asyncio.Event | None = None) -> bool | None:
        """Whether the token is right; None says that it is not, and that this address has tried too often."""
        return await self._tries.attempt(who, lambda: _right(self._token, given), gone)

    async def try_password(self, given: str, who: str | None, gone: asyncio.Event | None = None) -> bool | None:
        """Whether the password is right; None says that it is not, and that this address has tried too often."""
        return await self._tries.attempt(who, lambda: _right(self._password, given), gone)

    def try_bearer(self, given: str, who: str | None) -> bool:
        """Whether a program that shows the token at once may come in; after too many wrong ones, none may."""
        if self._bearers.exhausted(who):
            return False
        good = _right(self._token, given)
        if not good:
            self._bearers.failed(who)
        return good

    def _sign(self, text):
        digest = hmac.new(self._key, f"cookie {text}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


class Tries:
    """Counts wrong tries over the last minute, for each address and for all together.

    Nobody is refused because others were wrong: a whole class comes from the address of its router, and one who
    mistypes on purpose must not keep the others out. After too many wrong tries each further one, right or wrong, is
    looked at only after a wait, which grows: whoever knows the secret comes in some seconds later, and whoever guesses
    has time for few. A right one is not looked at sooner: who is let in at once where others wait could be told from
    them, and guessing would be as fast as asking.

    What waits is bounded. Whoever hangs up does not wait any more, so that there are no more of them than connections;
    and above `waiting` of one address a new one is not looked at.

    Parameters
    ----------
    each, together : wrong tries of one address and of all together, after which one has to wait
    clock : seconds, for the tests
    waiting : tries of one address that may wait at one time
    """

    def __init__(self, each: int, together: int, clock=time.time, waiting: int = MOST_WAITING):
        self._each, self._together, self._clock = each, together, clock
        self._most_waiting = waiting
        self._all: deque[tuple[float, str | None]] = deque()
        self._of: Counter[str | None] = Counter()  # how many of them each address has
        self._waiting: Counter[str | None] = Counter()

    async def attempt(self, who: str | None, right: Callable[[], Any], gone: asyncio.Event | None = None) -> Any:
        """What `right` gives when this address has its turn; None in place of what is false, after too many of them.

        Parameters
        ----------
        right : may give something to wait for
        gone : set when nobody waits for the answer any more; then nothing is looked at
        """
        who = _whose(who)
        if self._waiting[who] >= self._most_waiting:
            return None
        seconds = self.wait(who)
        self._waiting[who] += 1
        try:
            if seconds > 0 and await _hung_up(seconds, gone):
                return None
            found = right()
            if inspect.isawaitable(found):
                found = await found
        finally:
            _less(self._waiting, who)
        if found:
            return found
        often = self.exhausted(who)
        self.failed(who)
        return None if often else found

    def wait(self, who: str | None) -> float:
        """Seconds after which the next try of this address is looked at."""
        who = _whose(who)
        self._forget()
        own = self._of[who] + self._waiting[who] - self._each
        all_ = len(self._all) + self._waiting.total() - self._together
        beyond = max(own, all_)
        return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(beyond, 20)) if beyond >= 0 else 0.0

    def failed(self, who: str | None) -> None:
        """One more wrong try; beyond what makes everybody wait for longest they need not be counted."""
        who = _whose(who)
        self._forget()
        if len(self._all) < 2 * self._together:
            self._all.append((self._clock(), who))
            self._of[who] += 1

    def exhausted(self, who: str | None) -> bool:
        """Whether there were too many wrong tries, of this address or of everybody together."""
        self._forget()
        return len(self._all) >= self._together or self._of[_whose(who)] >= self._each

    def _forget(self):
        while self._all and self._all[0][0] <= self._clock() - WINDOW:
            _less(self._of, self._all.popleft()[1])


class TryHandler(RequestHandler):
    """A handler that looks at a secret, perhaps after a wait; `gone` is set when its visitor hangs up meanwhile."""

    def __init__(self, *arguments: Any, **options: Any):
        self.gone = asyncio.Event()
        super().__init__(*arguments, **options)

    def on_connection_close(self) -> None:
        """The visitor has hung up."""
        self.gone.set()
        super().on_connection_close()


async def _hung_up(seconds: float, gone: asyncio.Event | None) -> bool:
    """Wait; whether the visitor hung up meanwhile."""
    if gone is None:
        await asyncio.sleep(seconds)
        return False
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(gone.wait(), seconds)
    return gone.is_set()


def _less(counted: Counter, who: str | None) -> None:
    """One less; nobody who has none is remembered."""
    counted[who] -= 1
    if not counted[who]:
        del counted[who]


def _whose(address: str | None) -> str | None:
    return address and neighbourhood(address)


def _right(secret: str | None, given: str) -> bool:
    return secret is not None and _same(given, secret)


def _same(given: str, secret: str) -> bool:
    """Compared in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode(), secret.encode())
