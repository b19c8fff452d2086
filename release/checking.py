"""Checks: of what must hold before a copy is made, and of everything that a ledger says."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from trustscope.engine.cipher import CipherSource
from trustscope.release import keystore, probes
from trustscope.release.digests import combine, whole_file
from trustscope.release.locating import locator_key
from trustscope.release.making import Job, check_rows, in_order
from trustscope.release.plan import Data, data_of
from trustscope.release.problems import Problem, stop_if
from trustscope.release.recipe import Recipe
from trustscope.release.record import Record
from trustscope.release.store import Store
from trustscope.release.types import Cancel, PathLike, Progress


@dataclass(frozen=True)
class Finding:
    """One thing that was checked: its name, whether it holds, and a sentence."""

    name: str
    holds: bool
    sentence: str


class Opened(Protocol):
    """What is asked of a `Ledger`."""

    folder: Path
    _store: Store
    _passphrase: str | None
    _moved: PathLike | None


Look = Callable[[str, Callable[[], str]], bool]


def check_generator(recipe: Recipe, source: CipherSource, record: Record) -> None:
    """Refuse to go on if the generator does not make the noise of the copies that are out."""
    settings = sorted({copy.setting for copy in record.copies}, key=str)
    if not settings:
        return
    found = dict(zip(settings, probes.digests(recipe, source, settings), strict=True))
    for copy in record.copies:
        if found[copy.setting] != copy.probe:
            raise Problem(
                f"The generator no longer makes the noise of the copy for “{copy.to}” ({copy.describe()}): a second "
                "version of it would leak. Use the version of Trustscope that made it."
            )


def check_columns(recipe: Recipe, data: Data) -> None:
    """Refuse data whose columns are not those of the ledger."""
    if said := recipe.roles.differences(data):
        raise Problem(f"The data has changed: {', '.join(said)}. Bring back the old file, or start a new ledger.")


def check_shape(job: Job) -> None:
    """Refuse, before any work, data with other columns or rows than recorded."""
    check_columns(job.recipe, job.data)
    if job.data.kind == "parquet":
        check_rows(job, job.data.rows)


def check_all(
    ledger: Opened, *, data: bool = True, progress: Progress | None = None, cancel: Cancel | None = None
) -> list[Finding]:
    """All findings on a ledger, in order; what one check needs from another that failed is left out.

    Parameters
    ----------
    ledger : Ledger
    data : bool
        Whether to read the data, too, which takes as long as it is large.
    """
    findings: list[Finding] = []

    def look(name: str, function: Callable[..., str], *arguments: object) -> bool:
        try:
            findings.append(Finding(name, True, function(*arguments)))
        except Problem as problem:
            findings.append(Finding(name, False, str(problem)))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            # A record that was tampered with can be wrong in any way.
            findings.append(Finding(name, False, f"The record cannot be understood: {type(error).__name__} {error}."))
        return findings[-1].holds

    store = ledger._store
    whole = look("file", lambda: store.intact() or "The ledger's file is whole and is the one that was written last.")
    if not look("chain", lambda: f"{len(store.events(anew=True))} events, each as its digest says."):
        return findings
    look("record", _record, store)
    record = None if not findings[-1].holds else Record(store.events())
    if record is None or not whole:
        return findings
    key = _key(ledger, record, look)
    look("issued files", _files, record)
    if key is not None:
        look("generator", _generator, ledger, record, key)
    if data:
        look("data", _data, ledger, record, key, progress, cancel)
    return findings


def _record(store: Store) -> str:
    record = Record(store.events())
    digest = combine([one for row in store.units(record.versions) for one in row]).hex()
    if digest != record.data["digest"]:
        raise Problem("The digests of the data that the ledger keeps are not those of its events.")
    Recipe.from_record(record.created["recipe"])
    left = len(record.pending)
    return f"{len(record.copies)} copies are out" + (
        f"; {left} interrupted, which the next copy clears up." if left else "."
    )


def _key(ledger: Opened, record: Record, look: Look) -> bytes | None:
    if record.withdrawn:
        day = record.withdrawn[:10]
        look("key", lambda: f"Withdrawn on {day}: the key is destroyed, seals cannot be checked.")
        return None
    found: list[bytes] = []

    def load() -> str:
        key = keystore.load(record.created["store"], ledger.folder, record.created["ledger"], ledger._passphrase)
        if keystore.mark(key) != record.created["mark"]:
            raise Problem("This is the key of another ledger.")
        ledger._store.events(key, anew=True)
        ledger._store.check_seal(key)
        found.append(key)
        return f"The key opens ({record.created['store']} store), and every event carries its seal."

    look("key", load)
    return found[0] if found else None


def _generator(ledger: Opened, record: Record, key: bytes) -> str:
    recipe = Recipe.from_record(record.created["recipe"])
    check_generator(recipe, CipherSource(key), record)
    return f"{record.created['recipe']['generator']} makes the noise of all {len(record.copies)} copies again."


def _files(record: Record) -> str:
    there, gone = 0, 0
    for copy in record.copies:
        path = Path(copy.out)
        if not path.exists():
            gone += 1
        elif whole_file(path) != copy.sha256:
            raise Problem(f"The file {path} is not the copy that was issued to “{copy.to}” there.")
        else:
            there += 1
    return f"{there} issued files are as they were written" + (
        f", {gone} are no longer at their place." if gone else "."
    )


def _data(ledger: Opened, record: Record, key: bytes | None, progress: Progress | None, cancel: Cancel | None) -> str:
    data = data_of(record, ledger._moved)
    recipe = Recipe.from_record(record.created["recipe"], data)
    locator = None if key is None else locator_key(key)
    job = Job(recipe, data, record.data["rows"], ledger._store.units(record.versions), locator=locator)
    check_shape(job)
    changed: list[str] = []
    rows = 0

    def one(first: int, table: pa.Table) -> tuple[int, int, str]:
        return first, len(table), job.changes(first, table)

    for first, count, said in in_order(one, job.units()):
        stop_if(cancel)
        rows = first + count
        changed += [said] if said else []
        if progress:
            progress(rows, job.rows)
    check_rows(job, rows)
    if changed:
        raise Problem(f"Values of the data have changed: {'; '.join(changed)}.")
    return f"All {rows:,} rows of {data.path} are what they were."
