"""A sample of the data, drawn by its digest: what risks are measured on, in bounded memory and time.

The same data gives the same sample to everybody who asks, so that figures can be compared. Of very large Parquet data
only some units are read.
"""

import contextlib
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from trustscope.engine import keys
from trustscope.engine.arrays import Floats, Integers
from trustscope.release.moments import as_numbers
from trustscope.release.plan import UNIT, Data
from trustscope.release.problems import stop_if
from trustscope.release.recipe import Recipe
from trustscope.release.temporal import is_temporal
from trustscope.release.types import Cancel

ROWS = 20_000  # of a sample, at most
UNITS = 64  # of Parquet data that are read, at most
FEW = 32  # different values of a kept number up to which it is compared as a category
COMPLETE = 0.2  # share of rows without a gap from which rows with gaps are left out


@dataclass(frozen=True, eq=False)
class Sample:
    """Some rows of the data.

    Attributes
    ----------
    numbers : numpy.ndarray, shape (rows, m)
        Columns that are perturbed as numbers, after the steps before the noise.
    codes : numpy.ndarray of int, shape (rows, c)
        Columns that are perturbed as categories.
    known : numpy.ndarray, shape (rows, k)
        Numbers that are kept.
    known_codes : numpy.ndarray of int, shape (rows, l)
        Other columns that are kept; different values have different codes. Also of each kept number that is missing of
        somebody, whether it is.
    population : int
        Rows of the data.
    note : str
        What was done about gaps; empty where there are none.
    """

    numbers: Floats
    codes: Integers
    known: Floats
    known_codes: Integers
    population: int
    note: str = ""

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.numbers)


def seed(digest: str) -> int:
    """A key for what is drawn of data with this digest."""
    return int.from_bytes(hashlib.blake2b(f"risk {digest}".encode(), digest_size=8).digest(), "big")


def draw(
    data: Data,
    recipe: Recipe,
    rows: int,
    digest: str,
    *,
    columns: Sequence[str] | None = None,
    cancel: Cancel | None = None,
) -> pa.Table:
    """Rows of the data as one pyarrow table.

    Parameters
    ----------
    data : Data
    recipe : Recipe
    rows : int
        Of the data.
    digest : str
    columns : sequence of str, optional
        By default all that are read.
    cancel
    """
    rng = keys.rng(seed(digest), "sample")
    parts: Iterator[tuple[int, pa.Table]]
    wanted = tuple(columns or recipe.roles.read)
    spans = [(start, min(start + UNIT, rows)) for start in range(0, rows, UNIT)]
    if data.kind == "parquet" and len(spans) > UNITS:
        spans = [spans[place] for place in np.sort(rng.permutation(len(spans))[:UNITS])]
        parts = (part for start, stop in spans for part in data.units(wanted, start, stop, types=recipe.roles.types))
    else:
        parts = data.units(wanted, types=recipe.roles.types)
    chosen = _choose(spans, rng)
    found = []
    for first, table in parts:
        stop_if(cancel)
        inside = chosen[(chosen >= first) & (chosen < first + len(table))] - first
        found.append(table.take(pa.array(inside)))
        if first + len(table) >= rows:
            break
    return pa.concat_tables(found).combine_chunks()


def _choose(spans: Sequence[tuple[int, int]], rng: np.random.Generator) -> Integers:
    """Rows at random from some spans, ascending."""
    sizes = np.array([stop - start for start, stop in spans])
    picked = np.sort(rng.permutation(int(sizes.sum()))[:ROWS])
    ends = np.cumsum(sizes)
    span = np.searchsorted(ends, picked, side="right")
    chosen: Integers = np.array([start for start, _ in spans])[span] + picked - (ends - sizes)[span]
    return chosen


def sample(data: Data, recipe: Recipe, rows: int, digest: str, *, cancel: Cancel | None = None) -> Sample:
    """The sample of the data that risks are measured on; parameters as of `draw`."""
    table = draw(data, recipe, rows, digest, cancel=cancel)
    roles = recipe.roles
    table, note = _without_gaps(table, [*roles.numbers, *roles.categories])
    numbers = [_fill(as_numbers(table, name)) for name in roles.numbers]
    codes = [_places(table.column(name), recipe.domains[name]) for name in roles.categories]
    known, known_codes = [], []
    for name in roles.keep:
        table, type_ = _read_as_numbers(table, name)
        column = table.column(name)
        countable = pa.types.is_integer(type_) or pa.types.is_floating(type_) or is_temporal(type_)
        if countable and pc.count_distinct(column).as_py() > FEW:
            values = as_numbers(table, name)
            known.append(_fill(values))
            # What is missing is known of everybody, too, and may tell more than the numbers do.
            if np.isnan(values).any():
                known_codes.append(np.isnan(values).astype(np.int64))
        else:
            known_codes.append(np.asarray(column.combine_chunks().dictionary_encode(null_encoding="encode").indices))
    return Sample(
        _stack(numbers, len(table), float), _stack(codes, len(table), np.int64),
        _stack(known, len(table), float), _stack(known_codes, len(table), np.int64),
        rows, note,
    )  # fmt: skip


def _read_as_numbers(table: pa.Table, name: str) -> tuple[pa.Table, pa.DataType]:
    """The table with numbers in a kept column where its texts are all numbers, as those of a CSV file may be, and what
    the column then holds."""
    column = table.column(name)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return table, column.type
    texts = pc.if_else(pc.equal(column, ""), None, column)
    with contextlib.suppress(pa.ArrowInvalid):
        numbers = texts.cast(pa.float64())
        if pc.all(pc.is_finite(numbers), min_count=0).as_py():
            return table.set_column(table.column_names.index(name), name, numbers), numbers.type
    return table, column.type


def _without_gaps(table: pa.Table, names: Iterable[str]) -> tuple[pa.Table, str]:
    """Rows in which nothing is missing; all of them, where few would be left."""
    whole = np.ones(len(table), dtype=bool)
    for name in names:
        whole &= ~np.asarray(table.column(name).is_null())
        if pa.types.is_floating(table.column(name).type):
            whole &= ~np.asarray(pc.fill_null(pc.is_nan(table.column(name)), True))
    if whole.all():
        return table, ""
    if whole.sum() >= max(2, COMPLETE * len(table)):
        return table.filter(pa.array(whole)), f"{int((~whole).sum()):,} rows in which a value is missing were left out."
    return table, "Values that are missing in most rows were taken for the average, or for the first category."


def _fill(column: Floats) -> Floats:
    """The mean where a number is missing."""
    gaps = np.isnan(column)
    if not gaps.any():
        return column
    return np.where(gaps, 0.0 if gaps.all() else column[~gaps].mean(), column)


def _places(column: pa.ChunkedArray, domain: Sequence[Any]) -> Integers:
    """Places in the domain; the first where a value is missing."""
    places = pc.index_in(column, value_set=pa.array(domain, type=column.type))
    return np.asarray(pc.fill_null(places, 0), dtype=np.int64)


def _stack(columns: Iterable[NDArray[Any]], rows: int, type_: type) -> NDArray[Any]:
    columns = list(columns)
    return np.column_stack(columns).astype(type_) if columns else np.empty((rows, 0), dtype=type_)
