"""Who may come in: the token of the link or the password, kept in a cookie afterwards, with limited tries."""

import base64
import hashlib
import hmac
import secrets
import time
from collections import deque

from trustscope.app.serving.plan import Plan

LIFETIME = 12 * 3600  # seconds for which a cookie lets its browser in
WINDOW = 60.0  # seconds over which tries are counted
TRIES = 10  # wrong ones from one address within the window
TRIES_OF_ALL = 200  # wrong ones from all addresses together


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

    def try_token(self, given: str, who: str) -> bool | None:
        """Whether the token is right; None says that this address has tried too often."""
        return self._try(self._token, given, who)

    def try_password(self, given: str, who: str) -> bool | None:
        """Whether the password is right; None says that this address has tried too often."""
        return self._try(self._password, given, who)

    def _try(self, secret, given, who):
        if self._tries.exhausted(who):
            return None
        good = secret is not None and _same(given, secret)
        if not good:
            self._tries.failed(who)
        return good

    def _sign(self, text):
        digest = hmac.new(self._key, f"cookie {text}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


class Tries:
    """Counts wrong tries over the last minute, for each address and for all together."""

    def __init__(self, each: int, together: int, clock=time.time):
        self._each, self._together, self._clock = each, together, clock
        self._all: deque[tuple[float, str]] = deque()

    def failed(self, who: str) -> None:
        """One more wrong try."""
        self._forget()
        self._all.append((self._clock(), who))

    def exhausted(self, who: str) -> bool:
        """Whether this address, or everybody together, has to wait."""
        self._forget()
        return len(self._all) >= self._together or sum(1 for _, w in self._all if w == who) >= self._each

    def _forget(self):
        while self._all and self._all[0][0] <= self._clock() - WINDOW:
            self._all.popleft()


def _same(given: str, secret: str) -> bool:
    """Compared in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode(), secret.encode())
