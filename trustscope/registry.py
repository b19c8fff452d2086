"""What can be added by others: records by name, those of the house and those that packages bring."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import entry_points
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from trustscope.errors import TrustscopeError, WrongType

NAME = r"[a-z][a-z0-9_]{0,47}"
DASHES = ("solid", "dashed", "dotted", "dotdash")
LAST = 100  # the rank of what is registered: those of the house come first

log = logging.getLogger("trustscope")


class Named(Protocol):
    """A record."""

    @property
    def name(self) -> str:
        """In code, scenarios and links: it never changes."""


Record = TypeVar("Record", bound=Named)


class Registry(Generic[Record]):
    """Records by name.

    Parameters
    ----------
    group : str
        The entry point under which packages name modules that register some when they are imported.
    word : str
        What a record is, with its article: "an attacker".
    house : iterable
        Those that are always there.
    """

    # How often anything was registered or dropped, in any registry: what is kept under a name may be of another since.
    changes: ClassVar[int] = 0

    def __init__(self, group: str, word: str, house: Iterable[Record] = ()) -> None:
        self.group, self.word = group, word
        self.records: dict[str, Record] = {one.name: one for one in house}
        self.house = tuple(self.records)
        self.plugged = False
        self._lock = threading.RLock()

    def every(self) -> Mapping[str, Record]:
        """All of them, those of the house first. What packages bring is loaded once; one that cannot be loaded is left
        out, and the log says why."""
        with self._lock:
            if not self.plugged:
                self.plugged = True  # before they are loaded: they ask for the registry themselves
                for point in entry_points(group=self.group):
                    try:
                        point.load()
                    except Exception as problem:
                        told = "%s of another package, %s, cannot be used: %s"
                        log.warning(told, self.word.capitalize(), point.name, problem)
        return self.records

    def get(self, name: object) -> Record | None:
        """The record of this name, if there is one; those of the house need no packages."""
        if not isinstance(name, str):
            return None
        return self.records.get(name) or self.every().get(name)

    def put(self, record: Record, rank: Callable[[Record], int] = lambda record: LAST) -> None:
        """Register one. A cell that is run again registers anew."""
        with self._lock:
            if record.name in self.house:
                raise TrustscopeError(f"There is {self.word} of the house called {record.name!r}: choose another name.")
            Registry.changes += 1
            every = {**self.records, record.name: record}
            self.records.clear()
            self.records.update(sorted(every.items(), key=lambda item: rank(item[1])))

    def drop(self, name: str) -> None:
        """Forget one that was registered."""
        with self._lock:
            if name not in self.house:
                Registry.changes += 1
                self.records.pop(name, None)

    def check(self, function: Any, name: str | None, **texts: Any) -> str:
        """The name under which a function is registered, after checking it and the texts that people read."""
        if not callable(function):
            raise WrongType(f"{self.word.capitalize()} is a function, not a {type(function).__name__}.")
        called = str(function.__name__) if name is None else name
        if re.fullmatch(NAME, called) is None:
            what = self.word
            raise TrustscopeError(
                f"The name of {what} has small letters, digits and _, not {called[:48]!r}: write name=."
            )
        for what, text in texts.items():
            if not isinstance(text, str) or not text.strip():
                raise TrustscopeError(f"{self.word.capitalize()} needs a text for `{what}`: people read it.")
        return called


def check_line(colour: str, dash: str) -> None:
    """Refuse a colour or a dash that cannot be drawn."""
    if dash not in DASHES:
        raise TrustscopeError(f"Lines are {', '.join(DASHES)}, not {dash!r}.")
    if re.fullmatch(r"#[0-9a-fA-F]{6}", colour) is None:
        raise TrustscopeError(f"A colour is written as #rrggbb, not {colour!r}.")
