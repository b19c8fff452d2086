"""A found file and the rows of copies in one representation, so that cell can be held against cell.

Numbers are compared in steps of the ledger's grid, or of a coarser one where the found column was rounded; a column
that is on no grid any more is compared by closeness alone. Categories are codes of the ledger's domains, whatever the
spelling of the program that wrote the file. Columns that were carried along are words of 64 bits.
"""

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict, TypeVar, Unpack

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from trustscope.engine.arrays import Floats, Integers
from trustscope.engine.cipher import CipherSource
from trustscope.release.found_file import plain_text, plain_texts, read_sample
from trustscope.release.making import Job, in_order, shared_key
from trustscope.release.moments import as_numbers
from trustscope.release.plan import NO_VALUE, PART
from trustscope.release.problems import Problem, stop_if
from trustscope.release.recipe import Maker, Recipe
from trustscope.release.record import Variant
from trustscope.release.types import Cancel, PathLike, Progress, Words

# Factors that a found column may have been rounded by, over the ledger's grid.
FACTORS: tuple[int, ...] = tuple(f * 10**k for k in range(7) for f in (1, 2, 5))
# A column with more values than this share off the grid was altered.
OFF_GRID = 0.05
UNKNOWN, MISSING = -1, -2
T = TypeVar("T")
Label = TypeVar("Label", bound=Hashable)


class How(TypedDict, total=False):
    """How copies are made, as in `making.copies`."""

    threads: int | None
    progress: Progress | None
    cancel: Cancel | None


@dataclass(frozen=True)
class Rows:
    """Some rows by column: numbers as float64 (NaN where missing), categories as codes, what is kept as words."""

    numbers: dict[str, Floats]
    categories: dict[str, Integers]
    kept: dict[str, Words]

    def __len__(self) -> int:
        return len(next(iter([*self.numbers.values(), *self.categories.values(), *self.kept.values()])))

    def take(self, places: Integers | slice) -> "Rows":
        """The rows at these places."""
        return Rows(
            {name: a[places] for name, a in self.numbers.items()},
            {name: a[places] for name, a in self.categories.items()},
            {name: a[places] for name, a in self.kept.items()},
        )


class Comparison:
    """A found file, and how copies are brought into its form.

    Parameters
    ----------
    path : path-like, or pyarrow.Table
    recipe : Recipe

    Attributes
    ----------
    rows : Rows
        Of the found file.
    places : numpy.ndarray of int
        Where they stood in the file.
    whole : int
        How many rows the whole file has.
    factors : dict of str to int
        By how much each column of numbers was rounded over the grid; 0 where it is on no grid.
    """

    def __init__(self, path: PathLike | pa.Table, recipe: Recipe) -> None:
        found, roles = read_sample(path, recipe.roles), recipe.roles
        there = found.table.column_names
        self.recipe, self.places, self.whole = recipe, found.places, found.rows
        self.numbers = [name for name in there if name in roles.numbers]
        self.categories = [name for name in there if name in roles.categories]
        self.kept = [name for name in there if name in roles.keep]
        if not self.numbers and not self.categories:
            raise Problem("The file has none of the perturbed columns, so nothing in it tells copies apart.")
        self.factors = {name: self._factor(as_numbers(found.table, name), self._grid(name)) for name in self.numbers}
        self.rows = self.of(found.table)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are compared, in the order of the data."""
        return tuple(name for name in self.recipe.roles.read if name in {*self.numbers, *self.categories, *self.kept})

    def step(self, name: str) -> float:
        """The step in which a column of numbers is compared; for one on no grid, that of the ledger."""
        return self._grid(name) * max(self.factors[name], 1)

    def _grid(self, name: str) -> float:
        return self.recipe.grids[self.recipe.roles.numbers.index(name)].step

    @staticmethod
    def _factor(values: Floats, grid: float) -> int:
        steps = values[~np.isnan(values)] / grid
        if np.mean(np.abs(steps - np.rint(steps)) > 1e-3) > OFF_GRID:
            return 0
        return max(factor for factor in FACTORS if not np.any(np.rint(steps) % factor))

    def of(self, table: pa.Table) -> Rows:
        """The rows of a table of the ledger's columns, in the form of the found file."""
        return Rows(
            {name: self._round(name, as_numbers(table, name)) for name in self.numbers},
            {name: self._codes(name, table.column(name)) for name in self.categories},
            {name: _words(table.column(name)) for name in self.kept},
        )

    def _round(self, name: str, values: Floats) -> Floats:
        if not self.factors[name]:
            return np.array(values)
        step = self.step(name)
        return np.rint(values / step) * step + 0.0

    def _codes(self, name: str, column: pa.Array | pa.ChunkedArray) -> Integers:
        array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        encoded = pc.dictionary_encode(array)
        encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
        known = self._spellings(name)
        texts = encoded.dictionary.cast(pa.string()).to_pylist()
        codes = np.array([*(known.get(plain_text(text), _no_code(text)) for text in texts), MISSING])
        return codes[np.asarray(pc.fill_null(encoded.indices, len(texts)), dtype=np.int64)]

    @functools.cache  # noqa: B019 - one comparison lives as long as one call
    def _spellings(self, name: str) -> dict[str | None, int]:
        return {plain_text(str(value)): code for code, value in enumerate(self.recipe.domains[name])}

    def cells(self, rows: Rows, names: Iterable[str]) -> Words:
        """One word of 64 bits for what the columns `names` hold together in each row."""
        total = np.zeros(len(rows), dtype=np.uint64)
        for name in names:
            if name in rows.numbers:
                values = rows.numbers[name] / self.step(name)
                part = np.where(np.isnan(values), 2.0**53, np.rint(values) + 0.0).astype(np.int64).view(np.uint64)
            elif name in rows.categories:
                part = rows.categories[name].astype(np.int64).view(np.uint64)
            else:
                part = rows.kept[name]
            total = mix(total ^ part)
        return total


def _no_code(text: str | None) -> int:
    """The code of what is no category: other programs write NA and the like where a value is missing."""
    return MISSING if text in NO_VALUE else UNKNOWN


def _words(column: pa.ChunkedArray) -> Words:
    # Each different text once: a year stands in thousands of rows.
    encoded = column.cast(pa.string()).combine_chunks().dictionary_encode()
    missing = pc.is_in(encoded.dictionary, value_set=pa.array(NO_VALUE))
    texts = pc.if_else(missing, "", plain_texts(encoded.dictionary)).to_numpy(zero_copy_only=False)
    words = pd.util.hash_array(np.append(texts.astype(object), ""), categorize=False)
    return words[np.asarray(pc.fill_null(encoded.indices, len(texts)), dtype=np.int64)]


def mix(words: Words) -> Words:
    """A bijection of 64-bit words that spreads neighbours (the finaliser of SplitMix64)."""
    words = (words + np.uint64(0x9E3779B97F4A7C15)).copy()
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words ^= words >> np.uint64(shift)
        words *= np.uint64(factor)
    return words ^ (words >> np.uint64(31))


def over_copies(
    job: Job,
    made: Mapping[Label, tuple[Variant, bytes]],
    function: Callable[[Label | None, int, pa.Table], T],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Iterator[dict[Label | None, T]]:
    """Make several copies in one pass over the data, and hand each unit of each of them to a function.

    Parameters
    ----------
    job : making.Job
        Of the data.
    made : dict of hashable to (Variant, bytes)
        What is to be made, and under which key, by a label.
    function : callable
        `function(label, first, table)`; the label None stands for the data itself, which comes first.
    threads, progress, cancel
        As in `making.copies`.

    Yields
    ------
    dict of hashable to object
        The results of one unit by label; units come in order.
    """

    def one(first: int, table: pa.Table) -> tuple[int, dict[Label | None, T]]:
        job.check(first, table)
        part = first // PART
        results: dict[Label | None, T] = {None: function(None, first, table)}
        for label, (variant, key) in made.items():
            stop_if(cancel)
            trust, retention, fingerprint = variant
            master = CipherSource(key)
            shared = shared_key(job.recipe, master)
            maker = Maker(job.recipe, trust, retention, part, master.part_key(part), fingerprint, shared)
            results[label] = function(label, first, maker.copy(first, table, wrap=True))
        return first + len(table), results

    for done, results in in_order(one, job.units(), threads, copies=len(made)):
        stop_if(cancel)
        yield results
        if progress:
            progress(done, job.rows)


def lookup(
    comparison: Comparison, job: Job, made: Mapping[Label, tuple[Variant, bytes]], rows: Integers, **how: Unpack[How]
) -> dict[Label | None, Rows]:
    """The data and copies of it at the given rows.

    Parameters
    ----------
    comparison : Comparison
    job, made
        As in `over_copies`.
    rows : numpy.ndarray of int
        Numbers of rows of the data, in any order, repeated or not.

    Returns
    -------
    dict of hashable to Rows
        By label, each as long as `rows`; None for the data itself.
    """
    wanted, back = np.unique(rows, return_inverse=True)

    def function(label: Label | None, first: int, table: pa.Table) -> Rows:
        here = wanted[np.searchsorted(wanted, first) : np.searchsorted(wanted, first + len(table))]
        return comparison.of(table.take(pa.array(here - first)))

    parts: dict[Label | None, list[Rows]] = {}
    for results in over_copies(job, made, function, **how):
        for label, part in results.items():
            parts.setdefault(label, []).append(part)
    return {label: _join(some).take(back) for label, some in parts.items()}


def _join(parts: Sequence[Rows]) -> Rows:
    fields = []
    for field in ("numbers", "categories", "kept"):
        columns = [getattr(part, field) for part in parts]
        fields.append({name: np.concatenate([one[name] for one in columns]) for name in columns[0]})
    return Rows(*fields)
