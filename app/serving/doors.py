"""The doors of rooms for classes: students come in by a code, the teacher by a key; each gets a cookie for that door.

The cookie holds the code of the room and a random seat, signed: whoever reloads has the same seat, and nobody can take
another's. It names nobody, goes with the browser's session, and means nothing once the server has stopped.
"""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import secrets
from typing import Any, NamedTuple

from trustscope.app.classroom.room import typed_code
from trustscope.app.classroom.store import Busy, Store
from trustscope.app.serving import log, responses
from trustscope.app.serving.access import Tries, TryHandler
from trustscope.app.serving.cookies import cookie_of
from trustscope.app.serving.plan import Plan

STUDENTS, TEACHER = "/class", "/teach"
GIVEN = {STUDENTS: "code", TEACHER: "key"}  # what the address brings along the first time
# A header that the gate writes itself: the page learns from it, through its signed token, whose page it is.
PLACE = "Trustscope-Place"
MOST_GIVEN = 100  # characters of a code or a key
LOOKS, PAUSE = 20, 0.1  # how often a room is looked for while another process writes, and the seconds between two looks


class Place(NamedTuple):
    """A seat in a room."""

    code: str
    seat: str


class Doors:
    """Checks codes, keys and cookies.

    Parameters
    ----------
    plan : its session secret signs the cookies
    store : the rooms
    tries : counts wrong codes and keys
    """

    def __init__(self, plan: Plan, store: Store, tries: Tries):
        self._store, self.tries = store, tries
        self._key = hashlib.sha256(f"rooms {plan.session_secret}".encode()).digest()
        self._port = plan.port

    def cookie(self, door: str) -> str:
        """The name of a door's cookie; cookies do not know ports, so it says which server it is for."""
        return f"trustscope-{self._port}-{door[1:]}"

    def place(self, request, door: str) -> Place | None:
        """The seat that a request's cookie gives at a door."""
        code, _, rest = (cookie_of(request, self.cookie(door)) or "").partition(".")
        seat, _, signature = rest.partition(".")
        good = hmac.compare_digest(signature.encode(), self._sign(door, code, seat).encode())
        return Place(code, seat) if good else None

    def anywhere(self, request) -> bool:
        """Whether somebody is in a room, by whichever door."""
        return any(self.place(request, door) for door in GIVEN)

    def question(self, door: str) -> responses.Response:
        """What somebody is answered who comes to a door with nothing."""
        return responses.ASK_CODE if door == STUDENTS else responses.NO_KEY

    def find(self, door: str, given: str) -> str | None:
        """The code of the room that a code or a key opens; `Busy` where another process is just writing."""
        if len(given) > MOST_GIVEN or not given:
            return None
        if door == TEACHER:
            return self._store.look_up(key=given)
        code = typed_code(given)
        return self._store.look_up(code=code) if code else None

    async def find_soon(self, door: str, given: str) -> str | None:
        """The same, as soon as nobody writes; `Busy` where that takes long. Others are served meanwhile."""
        for _ in range(LOOKS - 1):
            with contextlib.suppress(Busy):
                return self.find(door, given)
            await asyncio.sleep(PAUSE)
        return self.find(door, given)

    def value(self, door: str, place: Place) -> str:
        """The value of a cookie."""
        return f"{place.code}.{place.seat}.{self._sign(door, *place)}"

    def _sign(self, door: str, code: str, seat: str) -> str:
        digest = hmac.new(self._key, f"{door} {code} {seat}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


class DoorHandler(TryHandler):
    """Takes the code or the key out of the address, into a cookie: nobody reads the teacher's key off the wall."""

    application: Any  # the gate's, which knows these doors

    def initialize(self, door: str, given: str) -> None:
        """Keep what was given."""
        self._door, self._given = door, given

    async def get(self) -> None:
        """Let in whoever has a code or a key; looking it up is one read by a key of a small file."""
        doors: Doors = self.application.doors

        async def found() -> str:
            return await doors.find_soon(self._door, self._given) or ""

        try:
            code = await doors.tries.attempt(self.request.remote_ip, found, self.gone)
        except Busy:
            log.get(__name__).warning("a room could not be looked for: its file is held by another process")
            responses.give(self, responses.BUSY)
            return
        if code is None:
            responses.give(self, responses.TOO_OFTEN)
            return
        if not code:
            responses.give(self, responses.WRONG_CODE if self._door == STUDENTS else responses.NO_KEY)
            return
        before = doors.place(self.request, self._door)
        place = before if before and before.code == code else Place(code, secrets.token_urlsafe(16))
        self.set_cookie(
            doors.cookie(self._door), doors.value(self._door, place), expires_days=None, httponly=True,
            secure=self.request.protocol == "https", samesite="Lax",
        )  # fmt: skip
        self.set_header("Cache-Control", "no-store")
        self.redirect(self._door, status=303)


def door_of(path: str) -> str | None:
    """The door that a path belongs to."""
    first = "/" + path.lstrip("/").partition("/")[0]
    return first if first in GIVEN else None
