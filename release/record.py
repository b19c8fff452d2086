"""What the events of a ledger add up to: the data, the copies that are out, the policy, and what was left undone."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from trustscope.release.chain import Event
from trustscope.release.problems import Problem
from trustscope.release.types import Approval, Created, DataRecord, Made, Request, Rules, Setting


class Variant(NamedTuple):
    """What the values of a copy hang on, beside the data: two copies with the same variant hold the same bytes."""

    trust: int | None
    retention: int | None
    fingerprint: str = ""

    def source(self, place: int) -> tuple[int, str]:
        """What its numbers (place 0) or its categories (1) hang on; only of a ledger that has such columns."""
        return cast(int, self[:2][place]), self.fingerprint


@dataclass(frozen=True)
class Copy:
    """One issued copy.

    Attributes
    ----------
    number : int
        Of the event that announced it.
    to, purpose, by, group : str
    trust, retention : int or None
        In thousandths, of numbers and of categories.
    out, form : str
        Where it was written, and as what.
    version, rows : int
        The event that recorded the data, and its rows.
    time : str
        When it was issued.
    sha256, content, probe, writer : str
        Digests of the file, of its values and of the probed noise, and the program that wrote the file.
    bytes : int
    reissue : int or None
        The copy that this one repeats.
    notes : sequence of str
        What the maker was told.
    fingerprint : str
        Whose fingerprint it carries; empty for nobody's.
    contact, expires : str
        Whom to ask about it, and until which day it may be used; empty in older ledgers.
    """

    number: int
    to: str
    trust: int | None
    retention: int | None
    purpose: str
    by: str
    group: str
    out: str
    form: str
    version: int
    rows: int
    time: str = ""
    sha256: str = ""
    content: str = ""
    probe: str = ""
    writer: str = ""
    bytes: int = 0
    reissue: int | None = None
    notes: Sequence[str] = ()
    fingerprint: str = ""
    contact: str = ""
    expires: str = ""

    @property
    def setting(self) -> Setting:
        """Trust and retention."""
        return self.trust, self.retention

    @property
    def variant(self) -> Variant:
        """What the values hang on: trust, retention, and whose fingerprint."""
        return Variant(self.trust, self.retention, self.fingerprint)

    def describe(self) -> str:
        """Trust and retention in words."""
        named = {"trust": self.trust, "retention": self.retention}
        return ", ".join(f"{word} {value / 10:g} %" for word, value in named.items() if value)


@dataclass
class Record:
    """The state of a ledger after all its events."""

    events: list[Event]
    created: Created = field(default_factory=lambda: cast(Created, {}))
    versions: list[int] = field(default_factory=list)
    data: DataRecord = field(default_factory=lambda: cast(DataRecord, {}))
    copies: list[Copy] = field(default_factory=list)
    pending: dict[int, tuple[Request, Made | None]] = field(default_factory=dict)
    policy: Rules = field(default_factory=Rules)
    approvals: list[Approval] = field(default_factory=list)
    withdrawn: str | None = None

    def __post_init__(self) -> None:
        announced: dict[int, Request] = {}
        made: dict[int, Any] = {}
        for event in self.events:
            body = event.body
            match event.kind:
                case "created" | "appended":
                    self.created = self.created or body
                    self.data = body["data"]
                    self.versions.append(event.number)
                case "intended":
                    announced[event.number] = body
                case "made":
                    made[body["copy"]] = body
                case "issued":
                    number = body["copy"]
                    facts = {key: value for key, value in made[number].items() if key != "copy"}
                    self.copies.append(Copy(number=number, time=event.time, **announced.pop(number), **facts))
                case "abandoned":
                    announced.pop(body["copy"], None)
                case "policy":
                    self.policy = body["policy"]
                case "approved":
                    self.approvals.append(body)
                case "withdrawn":
                    self.withdrawn = event.time
        self.pending = {number: (body, made.get(number)) for number, body in announced.items()}

    @property
    def head(self) -> str:
        """Digest of the last event."""
        return self.events[-1].digest

    @property
    def version(self) -> int:
        """The event that recorded the data as it is now."""
        return self.versions[-1]

    def holders(self) -> dict[str, list[Copy]]:
        """Copies by recipient, in the order of first issue; copies issued again count once."""
        held: dict[str, list[Copy]] = {}
        for copy in self.copies:
            if copy.reissue is None:
                held.setdefault(copy.to, []).append(copy)
        return held

    def held_copy(self, to: str, trust: int | None, retention: int | None, fingerprint: str = "") -> Copy | None:
        """The copy of the present data that `to` already has at this setting, or None."""
        mine = self.holders().get(to, [])
        wanted = Variant(trust, retention, fingerprint)
        return next((c for c in mine if c.variant == wanted and c.version == self.version), None)


def recipient(name: str, known: Iterable[str]) -> str:
    """A recipient's name, or what is wrong with it."""
    name = " ".join(str(name).split())
    if not name:
        raise Problem("A copy needs a recipient; give a name.")
    for other in known:
        if other != name and bare(other) == bare(name):
            raise Problem(f"“{name}” looks like “{other}”, who is already known; write the same name, or another one.")
    return name


def bare(name: str) -> str:
    """A name without what does not tell people apart: capitals, spaces, and how letters are put together."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def thousandths(value: float | None, word: str, needed: bool) -> int | None:
    """A percentage as a whole number of thousandths.

    Parameters
    ----------
    value : float or None
    word : {"trust", "retention"}
    needed : bool
        Whether the data has columns that it is for.
    """
    columns = "numbers" if word == "trust" else "categories"
    if not needed:
        if value is not None:
            raise Problem(f"This ledger releases no {columns}, so a {word} has no meaning; leave it out.")
        return None
    if value is None:
        raise Problem(f"This ledger releases {columns}; say at what {word}, in per cent.")
    try:
        exact = float(value) * 10
    except (TypeError, ValueError):
        raise Problem(f"The {word} must be a number of per cent, not {value!r}.") from None
    if exact == 0:
        raise Problem(f"At {word} 0 a copy is noise alone and tells nothing; choose from 0.1 to 99.9 per cent.")
    if exact == 1000:
        raise Problem(f"At {word} 100 a copy is the data itself and hides nothing; choose from 0.1 to 99.9 per cent.")
    if not 0 < exact < 1000:
        raise Problem(f"The {word} is {value} per cent, but it must lie between 0.1 and 99.9.")
    if abs(exact - round(exact)) > 1e-6 or not round(exact):
        raise Problem(f"The {word} is {value} per cent, but it is counted in tenths of a per cent: 0.1 to 99.9.")
    return round(exact)
