"""The work itself: units of rows are read, checked against their digests, perturbed and handed on in order."""

import os
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from trustscope.engine.cipher import CipherSource
from trustscope.release import digests
from trustscope.release.plan import PART, UNIT, Data
from trustscope.release.problems import Problem, stop_if
from trustscope.release.recipe import Maker, Recipe


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
    """

    recipe: Recipe
    data: Data
    rows: int
    expected: list
    trust: int | None
    retention: int | None

    def units(self, start=0, stop=None):
        """The data from row start to row stop, in units."""
        return self.data.units(self.recipe.roles.read, start, stop, self.recipe.roles.types)

    def copied(self, first, table, maker):
        """The copy of one unit and its digest, after checking that the data is what it was."""
        self.check(first, table)
        made = maker.copy(first, table)
        return first, made, digests.combined([digests.column(made.column(name)) for name in made.column_names])

    def check(self, first, table):
        """Refuse a unit that is not what it was."""
        place = first // UNIT
        changed = changes(self.recipe, self.expected[place] if place < len(self.expected) else None, table)
        if changed:
            raise Problem(
                f"The data has changed: {_columns(changed)}, rows {first + 1:,} to {first + len(table):,}, no longer "
                "holds what it did. A copy of it would contradict those that are out; bring back the old file, or "
                "start a new ledger."
            )


def changes(recipe, expected, table):
    """The columns of a unit that have changed; all of them where there should be no such unit."""
    found = unit_digests(recipe, table)
    if expected is None:
        return list(recipe.roles.read)
    return [name for name, a, b in zip(recipe.roles.read, found, expected, strict=True) if a != b]


def unit_digests(recipe, table):
    """Digests of the columns of a unit."""
    return [digests.column(table.column(name)) for name in recipe.roles.read]


def _columns(names):
    return f"the column “{names[0]}”" if len(names) == 1 else "the columns " + ", ".join(f"“{n}”" for n in names)


def in_order(function, items, threads=None, ahead=2):
    """`function(*item)` for all items on several threads; results in the order of the items.

    At most `ahead` results for each thread wait, so that memory does not depend on how many items there are.
    """
    threads = (os.cpu_count() or 1) if threads is None else threads
    waiting = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="release") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(function, *item))
                if len(waiting) >= ahead * threads:
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
            local.maker = Maker(job.recipe, job.trust, job.retention, part, master.part_key(part))
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


def part_copy(job, part, key):
    """One part of a copy, as an iterator over its units: what one task of a cluster makes."""
    maker = Maker(job.recipe, job.trust, job.retention, part, key)
    for first, table in job.units(part * PART, min((part + 1) * PART, job.rows)):
        yield job.copied(first, table, maker)
