"""The chain of events: each one's digest covers the one before it, and a seal shows who could have written it.

digest = SHA-256(digest of the event before, event), which anybody can check; the head of the chain, printed in every
report, fixes all that came before. seal = HMAC-SHA-256(digest) under a key derived from the release's key: whoever
edits an event and computes all later digests anew cannot make the seals.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from trustscope.release.problems import Problem

START = "0" * 64


class Event(NamedTuple):
    """One line of the ledger's history."""

    number: int
    time: str
    kind: str
    body: Any  # plain values; which ones hangs on the kind
    digest: str
    seal: str


def text(value: object) -> str:
    """A plain value as JSON with one possible spelling."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(previous: str, number: int, time: str, kind: str, body: str) -> str:
    """Digest of an event after the one with digest `previous`; `body` as text."""
    return hashlib.sha256(text([previous, number, time, kind, body]).encode()).hexdigest()


def seal(key: bytes | None, digest: str) -> str:
    """The seal of a digest under the 32 bytes of the release's key; empty without a key."""
    if key is None:
        return ""
    sealing = hashlib.blake2b(b"seal", digest_size=32, key=key, person=b"trustscope seal").digest()
    return hmac.new(sealing, digest.encode(), hashlib.sha256).hexdigest()


def follow(
    rows: Iterable[tuple[int, str, str, str, str, str]], key: bytes | None = None, before: Sequence[Event] = ()
) -> list[Event]:
    """Rows of the event table as events, after following the chain.

    Parameters
    ----------
    rows : iterable of tuple
        (number, time, kind, body as text, digest, seal), by number.
    key : bytes, optional
        If given, seals are checked as well.
    before : sequence of Event
        Events that come before these rows, checked already.
    """
    events: list[Event] = []
    previous = before[-1].digest if before else START
    for place, (number, time, kind, body, found, mark) in enumerate(rows, start=len(before) + 1):
        if number != place:
            raise Problem(f"The ledger has been changed: event {place} is missing from its chain.")
        if found != digest(previous, number, time, kind, body):
            raise Problem(f"The ledger has been changed: event {number} is not what its digest says.")
        if key is not None and not hmac.compare_digest(mark, seal(key, found)):
            raise Problem(f"The ledger has been changed: event {number} was not written with this ledger's key.")
        events.append(Event(number, time, kind, json.loads(body), found, mark))
        previous = found
    return events
