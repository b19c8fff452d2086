"""Who may come in: the token of the link or the password, kept in a cookie afterwards, with limited tries."""

import asyncio
import base64
import hashlib
import hmac
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from trustscope.app.serving.plan import Plan

LIFETIME = 12 * 3600  # seconds for which a cookie lets its browser in
WINDOW = 60.0  # seconds over which tries are counted
TRIES = 10  # wrong ones from one address within the window, after which each further try has to wait
TRIES_OF_ALL = 200  # the same for all addresses together
FIRST_WAIT, LONGEST_WAIT = 0.25, 5.0  # seconds; it doubles with each try


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
        self._tries = Tries(each, together, clock)
        self._bearers = Tries(each, together, clock)  # programs, which cannot be made to wait
        self.room_tries = Tries(each, together, clock)  # of codes: a class that mistypes keeps nobody else out

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

    async def try_token(self, given: str, who: str | None) -> bool | None:
        """Whether the token is right; None says that it is not, and that this address has tried too often."""
        return await self._tries.attempt(who, lambda: _right(self._token, given))

    async def try_password(self, given: str, who: str | None) -> bool | None:
        """Whether the password is right; None says that it is not, and that this address has tried too often."""
        return await self._tries.attempt(who, lambda: _right(self._password, given))

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

    Nobody is refused unheard: a whole class comes from the address of its router, and one who mistypes on purpose must
    not keep the others out. After too many wrong tries each further one, right or wrong, is looked at only after a
    wait, which grows: whoever knows the secret comes in some seconds later, and whoever guesses has time for few.
    """

    def __init__(self, each: int, together: int, clock=time.time):
        self._each, self._together, self._clock = each, together, clock
        self._all: deque[tuple[float, str | None]] = deque()
        self._waiting: Counter[str | None] = Counter()

    async def attempt(self, who: str | None, right: Callable[[], Any]) -> Any:
        """What `right` gives when this address has its turn; None in place of what is false, after too many of them."""
        if (seconds := self.wait(who)) > 0:
            self._waiting[who] += 1
            try:
                await asyncio.sleep(seconds)
            finally:
                self._waiting[who] -= 1
                self._waiting += Counter()  # nobody who waits for nothing is remembered
        found = right()
        if found:
            return found
        often = self.exhausted(who)
        self.failed(who)
        return None if often else found

    def wait(self, who: str | None) -> float:
        """Seconds after which the next try of this address is looked at."""
        self._forget()
        own = sum(1 for _, one in self._all if one == who) + self._waiting[who] - self._each
        all_ = len(self._all) + self._waiting.total() - self._together
        beyond = max(own, all_)
        return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(beyond, 20)) if beyond >= 0 else 0.0

    def failed(self, who: str | None) -> None:
        """One more wrong try."""
        self._forget()
        self._all.append((self._clock(), who))

    def exhausted(self, who: str | None) -> bool:
        """Whether there were too many wrong tries, of this address or of everybody together."""
        self._forget()
        return len(self._all) >= self._together or sum(1 for _, w in self._all if w == who) >= self._each

    def _forget(self):
        while self._all and self._all[0][0] <= self._clock() - WINDOW:
            self._all.popleft()


def _right(secret: str | None, given: str) -> bool:
    return secret is not None and _same(given, secret)


def _same(given: str, secret: str) -> bool:
    """Compared in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode(), secret.encode())
