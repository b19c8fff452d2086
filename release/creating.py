"""A new ledger, and new rows for an old one: the passes over the data that look at every value."""

import contextlib
import getpass
import os
import secrets
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

import pyarrow as pa
import pyarrow.compute as pc

from trustscope.engine.preparation import Step
from trustscope.release import households, kept, keystore, steps
from trustscope.release.digests import combine
from trustscope.release.locating import locator_key
from trustscope.release.making import changes, in_order, unit_digests
from trustscope.release.moments import Survey, as_numbers
from trustscope.release.plan import NO_VALUE, UNIT, Data
from trustscope.release.problems import Problem, from_os_error, stop_if
from trustscope.release.recipe import Recipe
from trustscope.release.record import Record
from trustscope.release.roles import Roles
from trustscope.release.store import FILE, Store, sync_folder
from trustscope.release.types import Cancel, Created, DataRecord, Group, Names, PathLike, Progress

# A unit of rows and the digests of its columns: its first row, its rows, digests.
Digested = tuple[int, pa.Table, list[bytes]]


class Options(TypedDict, total=False):
    """What a new ledger may be told; see `Ledger.create`."""

    numbers: Names
    categories: Names
    keep: Names
    drop: Names
    dates: Names
    grids: Mapping[str, str | float] | None
    domains: Mapping[str, Iterable[Any]] | None
    before: Sequence[tuple[str, Step]]
    header: bool
    group: str | None
    shared: Names
    accept_unique: bool
    by: str | None
    progress: Progress | None
    cancel: Cancel | None


def create(
    folder: PathLike, data: PathLike, *, numbers: Names = (), categories: Names = (), keep: Names = (),
    drop: Names = (), dates: Names = (), grids: Mapping[str, str | float] | None = None,
    domains: Mapping[str, Iterable[Any]] | None = None, before: Sequence[tuple[str, Step]] = (), header: bool = True,
    group: str | None = None, shared: Names = (), accept_unique: bool = False, store: str | None = None,
    passphrase: str | None = None, by: str | None = None, progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> None:  # fmt: skip
    """Make the folder of a new ledger, whole or not at all; arguments as those of `Ledger.create`."""
    folder = Path(folder).absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Problem(f"There is already something at {folder}; choose another folder for the ledger.")
    if not folder.parent.is_dir():
        raise Problem(f"There is no folder {folder.parent}; create it first.")
    where = keystore.choose(store)
    # Asked for before the long pass over the data, not after it.
    passphrase = keystore.get_passphrase(passphrase, new=True) if where == "file" else None
    found = Data(data, header=header)
    given = {"numbers": numbers, "categories": categories, "keep": keep, "drop": drop, "dates": dates}
    roles = Roles.of(found, **given)
    if before:
        found = Data(found.path, header=header, steps=steps.settle(found, roles, before))
        roles = Roles.of(found, **given)  # a logarithm of whole numbers is none
    household = households.check_group(roles, group, shared)
    ledger, key = secrets.token_hex(16), keystore.new_key()
    survey, units, looked = _survey(found, roles, household, locator_key(key), progress, cancel)
    kept.refuse(looked, accept_unique)
    recipe = Recipe.from_survey(roles, survey, grids=grids, domains=domains, group=household, steps=found.steps)
    body: Created = {
        "ledger": ledger,
        "store": where,
        "mark": keystore.mark(key),
        "by": by or user(),
        "recipe": recipe.record(),
        "data": data_record(found, survey.rows, units),
        "kept": looked.record(),
        "accepted_unique": bool(accept_unique),
    }
    try:
        with _new_folder(folder) as temporary:
            keystore.save(where, temporary, ledger, key, passphrase)
            made = Store(temporary, new=True)
            try:
                with made.writing():
                    number = made.add("created", body, key).number
                    made.add_units(number, enumerate(units))
            finally:
                made.close()
    except BaseException:
        if not (folder / FILE).exists():
            # A key file went with the folder; a key of nothing must not stay in the system's store either.
            keystore.forget(where, folder, ledger)
        raise


def user() -> str:
    """The name of whoever runs this."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def _survey(
    data: Data, roles: Roles, group: Group | None, locator: bytes, progress: Progress | None, cancel: Cancel | None
) -> tuple[Survey, list[list[bytes]], kept.Kept]:
    """One pass: moments and values merged in the order of the rows, digests on several threads."""
    survey, units = Survey(list(roles.numbers), list(roles.categories), list(roles.keep)), []
    same, look = households.Consistency(group), kept.CrowdCounter(roles)

    def one(first: int, table: pa.Table) -> Digested:
        return first, table, unit_digests(roles.read, table, locator)

    for first, table, digests in in_order(one, data.units(roles.read, types=roles.types)):
        stop_if(cancel)
        survey.add(first, table)
        look.add(table)
        same.add(first, table)
        units.append(digests)
        if progress:
            progress(survey.rows, data.rows)
    if not survey.rows:
        raise Problem(f"The data at {data.path} has no rows.")
    same.check()
    if data.kind == "csv":
        survey.texts = [*_read_as_missing(data, survey), *_kept_as_values(survey)]
    return survey, units, look.result()


def _read_as_missing(data: Data, survey: Survey) -> Iterator[str]:
    """Which texts of a CSV file were read as missing numbers, as sentences; looks at the file once more."""
    names = [name for name in survey.numbers if survey.missing[name]]
    if not names:
        return
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    again = Data(data.path, header=data.header)  # without steps: texts as they stand there
    for _, table in again.units(names, types=dict.fromkeys(names, pa.string())):
        for name in names:
            column = table.column(name)
            there = column.filter(pc.is_in(column, value_set=pa.array(NO_VALUE)))
            counts[name].update({one["values"]: one["counts"] for one in pc.value_counts(there).to_pylist()})
    for name, found in counts.items():
        if found:
            listed = ", ".join(f"“{text}” ({count:,})" for text, count in found.most_common())
            yield f"In the numbers of “{name}” these texts were read as missing: {listed}."


def _kept_as_values(survey: Survey) -> Iterator[str]:
    """Which categories of a CSV file may have been meant as missing, as sentences."""
    for name in survey.categories:
        values = survey.values[name]
        found = [] if values is None else [text for text in values.to_pylist() if text in NO_VALUE]
        if found:
            listed = ", ".join(f"“{text}”" for text in sorted(found))
            yield (
                f"The column “{name}” has {listed} among its categories, perturbed like any other; where that means "
                "that nothing is known, leave the cell empty."
            )


def data_record(data: Data, rows: int, units: Sequence[Sequence[bytes]]) -> DataRecord:
    """What is recorded of the data."""
    digest = combine([one for row in units for one in row]).hex()
    return {"path": data.path, "kind": data.kind, "rows": rows, "digest": digest, "header": data.header,
            "reading": data.reading}  # fmt: skip


@contextlib.contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """A folder beside its place, which is moved there at the end, or removed."""
    for old in folder.parent.glob(f".{folder.name}.new-*"):
        if not _alive(old.name.rpartition("-")[2]):
            shutil.rmtree(old)
    temporary = folder.with_name(f".{folder.name}.new-{os.getpid()}")
    try:
        temporary.mkdir(mode=0o700)
        yield temporary
        os.rename(temporary, folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise from_os_error(error, "the ledger") from None
    finally:
        if temporary.exists():
            shutil.rmtree(temporary)


def _alive(number: str) -> bool:
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (ValueError, OSError):
        return True
    return True


def append(
    recipe: Recipe,
    record: Record,
    old: Sequence[Sequence[bytes]],
    data: Data,
    locator: bytes,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> tuple[int, list[tuple[int, list[bytes]]], list[list[bytes]]]:
    """Look through data that holds the old rows and new ones behind them.

    Parameters
    ----------
    recipe : Recipe
    record : Record
    old : list of list of bytes
        Digests of the data so far.
    data : Data
    locator : bytes
        As `locating.locator_key` gives it.

    Returns
    -------
    rows : int
    units : list of (int, list of bytes)
        The digests that are new.
    everything : list of list of bytes
        All digests as they are now.
    """
    before, rows, everything = record.data["rows"], 0, []
    if data.rows is not None and data.rows < before:
        raise _rows_removed(before, data.rows)

    def one(first: int, table: pa.Table) -> Digested:
        known = table.slice(0, max(0, min(before - first, len(table))))
        changed = changes(recipe, old[first // UNIT], first, known, locator) if len(known) else ""
        if changed and not _short(first, len(known), before):
            raise Problem(
                f"The data has changed in {changed}: rows can be added behind the old ones, but not changed, moved or "
                "removed; noise that is out belongs to them."
            )
        fresh = table.slice(len(known))
        if len(fresh):
            for name in recipe.roles.numbers:
                as_numbers(fresh, name, first + len(known))
            if recipe.roles.categories:
                recipe.codes(fresh)
        return first, table, unit_digests(recipe.roles.read, table, locator)

    same = households.Consistency(recipe.group)
    for first, table, digests in in_order(one, data.units(recipe.roles.read, types=recipe.roles.types)):
        stop_if(cancel)
        everything.append(digests)
        same.add(first, table)
        rows = first + len(table)
        if progress:
            progress(rows, data.rows)
    if rows < before:
        raise _rows_removed(before, rows)
    if rows == before:
        raise Problem(f"The data has no new rows: it had {before:,}, and has {rows:,}.")
    same.check()
    return rows, [(n, d) for n, d in enumerate(everything) if n >= len(old) or d != old[n]], everything


def _short(first: int, known: int, before: int) -> bool:
    """Whether the data ends within a unit that reached further: rows were removed, which is said elsewhere."""
    return first + known < min(first + UNIT, before)


def _rows_removed(before: int, now: int) -> Problem:
    return Problem(f"Rows were removed: there were {before:,}, and now {now:,}; noise that is out belongs to them.")
