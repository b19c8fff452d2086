"""The work itself: units of rows are read, checked against their digests, perturbed and handed on in order."""

import os
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from trustscope.engine.cipher import CipherSource
from trustscope.release import digests, locating
from trustscope.release.households import SHARED_PART
from trustscope.release.plan import PART, UNIT, Data
from trustscope.release.problems import Problem, stop_if
from trustscope.release.recipe import Maker, Recipe

# Bytes of units that are worked on or wait to be written, and how many may wait for each other beside those.
MEMORY = 2**27
AHEAD = 2


@dataclass(frozen=True, eq=False)
class Job:
    """All that the copy of some rows needs, except for keys.

    Attributes
    ----------
    recipe : Recipe
    data : Data
    rows : int
        As recorded; the data may not have more or fewer.
    expected : list of list of bytes
        Digests of the data by unit and column.
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
    expected: list
    trust: int | None = None
    retention: int | None = None
    fingerprint: str = ""
    locator: bytes | None = None

    def units(self, start=0, stop=None):
        """The data from row start to row stop, in units."""
        return self.data.units(self.recipe.roles.read, start, stop, self.recipe.roles.types)

    def maker(self, part, key, shared=None):
        """What makes the copy of the rows of one part, with the key of that part and that of what groups share."""
        return Maker(self.recipe, self.trust, self.retention, part, key, self.fingerprint, shared)

    def copied(self, first, table, maker):
        """The copy of one unit and its digest, after checking that the data is what it was."""
        self.check(first, table)
        made = maker.copy(first, table)
        return first, made, digests.combined([digests.column(made.column(name)) for name in made.column_names])

    def check(self, first, table):
        """Refuse a unit that is not what it was."""
        if changed := self.changes(first, table):
            raise Problem(
                f"The data has changed: {changed} no longer hold what they did. A copy of it would contradict those "
                "that are out; bring back the old file, or start a new ledger."
            )

    def changes(self, first, table):
        """Where a unit is not what it was, in words; empty if it is."""
        place = first // UNIT
        expected = self.expected[place] if place < len(self.expected) else None
        return changes(self.recipe, expected, first, table, self.locator)


def changes(recipe, expected, first, table, locator=None):
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
    names = recipe.roles.read
    if expected is not None:
        found = zip(names, expected, strict=True)
        names = [name for name, known in found if digests.column(table.column(name)) != known[: locating.DIGEST]]
    by_place = {}
    for name in names:
        known = None if expected is None else expected[recipe.roles.read.index(name)]
        row = None if known is None else locating.changed_row(known, table.column(name), locator)
        by_place.setdefault(row, []).append(f"“{name}”")
    several = f"rows {first + 1:,} to {first + len(table):,}"
    return "; ".join(
        f"{several if row is None else f'row {first + row + 1:,}'} of {', '.join(columns)}"
        for row, columns in by_place.items()
    )


def unit_digests(recipe, table, locator):
    """What is recorded of the columns of a unit: digests, and words that find a cell that changes later."""
    columns = [table.column(name) for name in recipe.roles.read]
    return [digests.column(column) + locating.words(column, locator).tobytes() for column in columns]


def in_order(function, units, threads=None, copies=1):
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
    waiting = deque()
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


def check_threads(threads):
    """Refuse to work on fewer than one thread."""
    if threads is not None and threads < 1:
        raise Problem(f"At least one thread is needed, not {threads}.")


def copies(job, key, *, threads=None, progress=None, cancel=None):
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

    def one(first, table):
        part = first // PART
        if getattr(local, "part", None) != part:
            # Each thread has ciphers of its own: one would make the threads wait for each other.
            local.part = part
            local.maker = job.maker(part, master.part_key(part), shared_key(job.recipe, master))
        return job.copied(first, table, local.maker)

    done = 0
    for first, made, digest in in_order(one, _watched(job, cancel), threads):
        yield first, made, digest
        done = first + len(made)
        if progress:
            progress(done, job.rows)
    check_rows(job, done)


def _watched(job, cancel):
    for item in job.units():
        stop_if(cancel)
        yield item
    stop_if(cancel)


def check_rows(job, found):
    """Refuse data with other rows than recorded."""
    if found != job.rows:
        more = "append them first" if found > job.rows else "bring them back"
        raise Problem(f"The data has changed: it has {found:,} rows, and had {job.rows:,}; {more}.")


def shared_key(recipe, master):
    """The key of the noise that members of a group share, from the source of the master key; None without groups."""
    return master.part_key(SHARED_PART) if recipe.group else None


def part_copy(job, part, key, shared=None):
    """One part of a copy, as an iterator over its units: what one task of a cluster makes."""
    maker = job.maker(part, key, shared)
    for first, table in job.units(part * PART, min((part + 1) * PART, job.rows)):
        yield job.copied(first, table, maker)
