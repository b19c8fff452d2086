"""The work itself: units of rows are read, checked against their digests, perturbed and handed on in order."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa

from trustscope.engine.cipher import CipherSource
from trustscope.release import digests, locating
from trustscope.release.households import SHARED_PART
from trustscope.release.plan import PART, UNIT, Data
from trustscope.release.problems import Problem, stop_if
from trustscope.release.recipe import Maker, Recipe
from trustscope.release.types import Cancel, Progress

# Bytes of units that are worked on or wait to be written, and how many may wait for each other beside those.
MEMORY = 2**27
AHEAD = 2
T = TypeVar("T")
# A unit of a copy: its first row, its rows, and the digest of its values.
Copied = tuple[int, pa.Table, bytes]


@dataclass(frozen=True, eq=False)
class Job:
    """All that the copy of some rows needs, except for keys.

    Attributes
    ----------
    recipe : Recipe
    data : Data
    rows : int
        As recorded; the data may not have more or fewer.
    expected : sequence of list of bytes
        Digests of the data by unit and column; None for units of which a worker of a cluster has none.
    trust, retention : int or None
        In thousandths.
    fingerprint : str
        Of whom the copy carries a fingerprint; empty for nobody.
    locator : bytes or None
        What it takes to name a single cell that has changed; a worker of a cluster does not have it.
    """

    recipe: Recipe
    data: Data
    rows: int
    expected: Sequence[list[bytes] | None]
    trust: int | None = None
    retention: int | None = None
    fingerprint: str = ""
    locator: bytes | None = None

    def units(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, pa.Table]]:
        """The data from row start to row stop, in units."""
        return self.data.units(self.recipe.roles.read, start, stop, self.recipe.roles.types)

    def maker(self, part: int, key: bytes, shared: bytes | None = None) -> Maker:
        """What makes the copy of the rows of one part, with the key of that part and that of what groups share."""
        return Maker(self.recipe, self.trust, self.retention, part, key, self.fingerprint, shared)

    def copy_unit(self, first: int, table: pa.Table, maker: Maker) -> Copied:
        """The copy of one unit and its digest, after checking that the data is what it was."""
        self.check(first, table)
        made = maker.copy(first, table)
        return first, made, digests.combine([digests.column(made.column(name)) for name in made.column_names])

    def check(self, first: int, table: pa.Table) -> None:
        """Refuse a unit that is not what it was."""
        if changed := self.changes(first, table):
            raise Problem(
                f"The data has changed: {changed} no longer hold what they did. A copy of it would contradict those "
                "that are out; bring back the old file, or start a new ledger."
            )

    def changes(self, first: int, table: pa.Table) -> str:
        """Where a unit is not what it was, in words; empty if it is."""
        place = first // UNIT
        expected = self.expected[place] if place < len(self.expected) else None
        return changes(self.recipe, expected, first, table, self.locator)


def changes(
    recipe: Recipe, expected: Sequence[bytes] | None, first: int, table: pa.Table, locator: bytes | None = None
) -> str:
    """Where the unit that starts at row `first` has changed, in words; empty if nowhere.

    Parameters
    ----------
    recipe : Recipe
    expected : list of bytes or None
        What is recorded of its columns; None where there should be no such unit.
    first : int
    table : pyarrow.Table
    locator : bytes, optional
        As `locating.locator_key` gives it: with it, a single cell is named.
    """
    names: Sequence[str] = recipe.roles.read
    if expected is not None:
        found = zip(names, expected, strict=True)
        names = [name for name, known in found if digests.column(table.column(name)) != known[: locating.DIGEST]]
    by_place: dict[int | None, list[str]] = {}
    for name in names:
        known = None if expected is None else expected[recipe.roles.read.index(name)]
        row = None if known is None else locating.changed_row(known, table.column(name), locator)
        by_place.setdefault(row, []).append(f"“{name}”")
    several = f"rows {first + 1:,} to {first + len(table):,}"
    return "; ".join(
        f"{several if row is None else f'row {first + row + 1:,}'} of {', '.join(columns)}"
        for row, columns in by_place.items()
    )


def unit_digests(names: Iterable[str], table: pa.Table, locator: bytes) -> list[bytes]:
    """What is recorded of these columns of a unit: digests, and words that find a cell that changes later."""
    columns = [table.column(name) for name in names]
    return [digests.column(column) + locating.words(column, locator).tobytes() for column in columns]


def in_order(
    function: Callable[[int, pa.Table], T],
    units: Iterable[tuple[int, pa.Table]],
    threads: int | None = None,
    copies: int = 1,
) -> Iterator[T]:
    """`function(first, table)` for all units on several threads; results in the order of the units.

    What is worked on or waits is bounded in bytes: memory depends neither on how many rows or columns there are nor on
    how many processors.

    Parameters
    ----------
    function : callable
    units : iterable of (int, pyarrow.Table)
    threads : int, optional
    copies : int
        How many times its own size a unit takes while it is worked on, beside itself.
    """
    threads = (os.cpu_count() or 1) if threads is None else threads
    waiting: deque[Future[T]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="release") as pool:
        try:
            for first, table in units:
                waiting.append(pool.submit(function, first, table))
                most = MEMORY // max((1 + copies) * table.nbytes, 1)
                while len(waiting) >= min(max(most, 1), threads + AHEAD):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()


def check_threads(threads: int | None) -> None:
    """Refuse to work on fewer than one thread."""
    if threads is not None and threads < 1:
        raise Problem(f"At least one thread is needed, not {threads}.")


def copies(
    job: Job, key: bytes, *, threads: int | None = None, progress: Progress | None = None, cancel: Cancel | None = None
) -> Iterator[Copied]:
    """All units of a copy in order, as (first row, table, digest of its values).

    Parameters
    ----------
    job : Job
    key : bytes
        The master key.
    threads : int, optional
    progress : callable, optional
        Told how many rows are done, and of how many.
    cancel : object with `is_set`, optional
    """
    master, local = CipherSource(key), threading.local()

    def one(first: int, table: pa.Table) -> Copied:
        part = first // PART
        if getattr(local, "part", None) != part:
            # Each thread has ciphers of its own: one would make the threads wait for each other.
            local.part = part
            local.maker = job.maker(part, master.part_key(part), shared_key(job.recipe, master))
        return job.copy_unit(first, table, local.maker)

    done = 0
    for first, made, digest in in_order(one, _watched(job, cancel), threads):
        yield first, made, digest
        done = first + len(made)
        if progress:
            progress(done, job.rows)
    check_rows(job, done)


def _watched(job: Job, cancel: Cancel | None) -> Iterator[tuple[int, pa.Table]]:
    for item in job.units():
        stop_if(cancel)
        yield item
    stop_if(cancel)


def check_rows(job: Job, found: int | None) -> None:
    """Refuse data with other rows than recorded."""
    assert found is not None  # Parquet files say it, and others have been counted
    if found != job.rows:
        more = "append them first" if found > job.rows else "bring them back"
        raise Problem(f"The data has changed: it has {found:,} rows, and had {job.rows:,}; {more}.")


def shared_key(recipe: Recipe, master: CipherSource) -> bytes | None:
    """The key of the noise that members of a group share, from the source of the master key; None without groups."""
    return master.part_key(SHARED_PART) if recipe.group else None


def part_copy(job: Job, part: int, key: bytes, shared: bytes | None = None) -> Iterator[Copied]:
    """One part of a copy, as an iterator over its units: what one task of a cluster makes."""
    maker = job.maker(part, key, shared)
    for first, table in job.units(part * PART, min((part + 1) * PART, job.rows)):
        yield job.copy_unit(first, table, maker)
