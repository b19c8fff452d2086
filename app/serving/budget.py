"""What one visitor may use, and what all may use together; a limit that is met is said in one sentence.

A page asks before it takes: `visitor().upload(size)`, `with visitor().experiment():`, `visitor().own_data(size)`,
`visitor().claim().take(size)`.
`BudgetMet` carries the sentence for the page.
"""

import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import panel as pn
import psutil

from trustscope.app.serving import responses
from trustscope.app.serving.board import Board
from trustscope.app.serving.responses import Response
from trustscope.app.serving.unconnected import Unconnected

__all__ = ["LIMITS", "BudgetMet", "Limits", "Server", "Visitor", "server", "visitor"]

WANTED = 120_000  # milliseconds for which somebody who was refused an experiment is taken to want it still
MB = 1_000_000


@dataclass(frozen=True)
class Limits:
    """What a visitor, and the server, may use."""

    uploads: int = 50  # files in one visit
    upload_bytes: int = 500 * MB  # all of them together
    own_data_bytes: int = 400 * MB  # tables that are loaded at one time
    coming_bytes: int = 400 * MB  # files that are arriving, and what was read of them and is not in use
    experiments: int = 2  # running at one time, for one visitor
    experiments_of_all: int = 8  # running at one time, for all


LIMITS = Limits()


class BudgetMet(RuntimeError):
    """A limit is met; the text says which, and what to do."""


class Server:
    """What all visitors use together, over all processes.

    Parameters
    ----------
    max_sessions, max_memory : above them nobody new is let in
    board, process : where the numbers of all processes stand, and which of them this is
    """

    def __init__(self, max_sessions: int, max_memory: int, board: Board, process: int = 0, limits: Limits = LIMITS):
        self.max_sessions, self.max_memory, self.limits = max_sessions, max_memory, limits
        self._board, self._process = board, process
        self._this = psutil.Process()
        self._lock = threading.Lock()
        self._experiments = 0
        self.stopping = False
        self.unconnected = Unconnected()

    def memory(self) -> int:
        """The bytes that this process has."""
        return self._this.memory_info().rss

    def note(self, sessions: int) -> int:
        """Write down how many sessions this process has, and its memory, which is also given back."""
        memory = self.memory()
        self._board.write(self._process, "sessions", sessions)
        self._board.write(self._process, "memory", memory)
        return memory

    def refusal(
        self, sessions: Callable[[], int], address: str = "", end: Callable[[str], bool] = lambda session: False
    ) -> Response | None:
        """The answer to somebody new if there is no room for them; None if there is.

        When all seats are taken, a page that no browser has connected to may have to make room (`Unconnected`).

        Parameters
        ----------
        sessions : gives how many this process has
        address : of whoever comes
        end : ends a session of this process that nobody is connected to; False if there is none
        """
        if self.stopping:
            return responses.STOPPING
        count = sessions()
        self.note(count)
        if self._board.total("memory") >= self.max_memory:
            return responses.NO_MEMORY
        full = self._board.total("sessions") >= self.max_sessions
        if full and not self.unconnected.make_room(address, end):
            return responses.FULL
        self._board.write(self._process, "sessions", count + (not full))  # counted while it is being opened
        return None

    def begin_experiment(self) -> None:
        """One more experiment runs."""
        with self._lock:
            if self._board.total("experiments") >= self.limits.experiments_of_all:
                self._board.write(self._process, "refused", self._now())
                raise BudgetMet(
                    f"{_count(self.limits.experiments_of_all, 'experiment')} of other visitors are running, which is "
                    "all that the server runs at one time; try again in a minute."
                )
            self._experiments += 1
            self._board.write(self._process, "experiments", self._experiments)

    def makes_way(self) -> bool:
        """Whether an experiment that has had its time ends now, because another was refused; one does for each."""
        with self._lock:
            refused = self._board.latest("refused")
            wanted = refused > max(self._board.latest("made_way"), self._now() - WANTED)
            if wanted:
                self._board.write(self._process, "made_way", self._now())
            return wanted

    @staticmethod
    def _now() -> int:
        """Milliseconds, the same in all processes of a machine."""
        return round(time.monotonic() * 1_000)

    def end_experiment(self) -> None:
        """One experiment less runs."""
        with self._lock:
            self._experiments -= 1
            self._board.write(self._process, "experiments", self._experiments)


class Visitor:
    """What one visitor uses."""

    def __init__(self, server: Server):
        self._server, self.limits = server, server.limits
        self._uploads = self._upload_bytes = self._experiments = 0
        self._own: dict[str, int] = {}
        self._coming: weakref.WeakKeyDictionary[Claim, int] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()

    def upload(self, size: int) -> None:
        """Ask to take a file of so many bytes; it counts even if it is refused later for what it holds."""
        limits = self.limits
        with self._lock:
            if self._uploads >= limits.uploads:
                raise BudgetMet(
                    f"You have sent {_count(limits.uploads, 'file')}, which is all that one visit allows; "
                    "reload the page to start a new one."
                )
            if self._upload_bytes + size > limits.upload_bytes:
                raise BudgetMet(
                    f"With this file you would have sent more than {_megabytes(limits.upload_bytes)}, which is all "
                    "that one visit allows; send a smaller file, or reload the page to start a new visit."
                )
            self._uploads += 1
            self._upload_bytes += size

    def own_data(self, size: int, place: str = "") -> None:
        """Ask to keep a table of so many bytes in a place (a page's name), instead of what was there; 0 frees it."""
        with self._lock:
            self._check_own_data(size, place)
            self._own[place] = size

    def could_own(self, size: int, place: str = "") -> None:
        """Raise what `own_data` would, before such a table is made."""
        with self._lock:
            self._check_own_data(size, place)

    def _check_own_data(self, size: int, place: str) -> None:
        together = sum(self._own.values()) - self._own.get(place, 0) + size
        if size and together > self.limits.own_data_bytes:
            raise BudgetMet(
                f"Your own data would take {_megabytes(together)} of memory, and one visitor may use "
                f"{_megabytes(self.limits.own_data_bytes)}; choose fewer columns or rows, or go back to a "
                "built-in dataset on another page."
            )

    def claim(self) -> "Claim":
        """A place for a file that comes in; what it holds is free again when nobody has the place any more."""
        return Claim(self)

    def coming(self, claim: "Claim", size: int) -> None:
        """Ask to keep so many bytes of a file that comes in, instead of what the claim held before; 0 frees it."""
        with self._lock:
            together = sum(self._coming.values()) - self._coming.get(claim, 0) + size
            if size and together > self.limits.coming_bytes:
                raise BudgetMet(
                    f"Files of yours that are not in use yet would take {_megabytes(together)} of memory, and those of "
                    f"one visitor may take {_megabytes(self.limits.coming_bytes)}; leave out rows or columns, or "
                    "cancel the file on the page where another one waits."
                )
            self._coming[claim] = size

    @property
    def own_bytes(self) -> int:
        """All that is kept of what the visitor brought: tables in use, and files that come in."""
        with self._lock:
            return sum(self._own.values()) + sum(self._coming.values())

    @contextmanager
    def experiment(self) -> Iterator[None]:
        """Hold one of the places for running experiments, for as long as it runs."""
        with self._lock:
            if self._experiments >= self.limits.experiments:
                raise BudgetMet(
                    f"{_count(self.limits.experiments, 'experiment')} of yours are running, which is all that one "
                    "visitor may run at one time; wait for one to end, or stop it."
                )
            self._server.begin_experiment()
            self._experiments += 1
        try:
            yield
        finally:
            with self._lock:
                self._experiments -= 1
            self._server.end_experiment()


class Claim:
    """What one part of a page keeps of a file that comes in: its pieces, the whole, what was understood of it."""

    def __init__(self, visitor: Visitor):
        self._visitor = visitor

    @property
    def most(self) -> int:
        """The most bytes that it can ever hold."""
        return self._visitor.limits.coming_bytes

    def take(self, size: int) -> None:
        """Ask to keep so many bytes, instead of what was kept before."""
        self._visitor.coming(self, size)

    def free(self) -> None:
        """Nothing is kept any more."""
        self._visitor.coming(self, 0)

    def refusal(self, size: int) -> str:
        """Take so many bytes; a sentence where that may not be."""
        try:
            self.take(size)
        except BudgetMet as met:
            return str(met)
        return ""


_server: Server | None = None
_visitors: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def start(chosen: Server) -> Server:
    """Use these limits in this process."""
    global _server
    _server = chosen
    return chosen


def server() -> Server:
    """The limits of this process; outside of the command (a notebook, `panel serve`) they are those of one process."""
    if _server is None:
        return start(Server(max_sessions=10**6, max_memory=10**15, board=Board(1)))
    return _server


def visitor() -> Visitor:
    """The budget of the visitor whose page is being worked on; outside of a page, one of its own at each call."""
    document = pn.state.curdoc
    if document is None:
        return Visitor(server())
    if document not in _visitors:
        _visitors[document] = Visitor(server())
    return _visitors[document]


def own_bytes(document) -> int:
    """What is kept of the files that the visitor of a page has brought."""
    found = _visitors.get(document)
    return found.own_bytes if found is not None else 0


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _megabytes(size: int) -> str:
    return f"{size / MB:,.0f} MB".replace(",", " ")
