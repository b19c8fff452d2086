"""A file that was found, as a sample of its rows: read in pieces, whatever its size, and forgiving of its spelling.

Whoever had the file may have written it anew by another program: numbers may stand as text, a truth value as True or
true, 1 as 1.0. Numbers become doubles, and what is not a number counts as missing. Categories are compared by
`plain_text`, which forgets such differences; two categories of the data that differ in nothing else are then one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from trustscope.engine.arrays import Integers
from trustscope.release.plan import UNIT, Data
from trustscope.release.problems import Problem
from trustscope.release.roles import Roles
from trustscope.release.temporal import as_counts, is_temporal
from trustscope.release.types import PathLike

MOST_ROWS = 200_000


@dataclass(frozen=True)
class FoundRows:
    """Rows of a found file.

    Attributes
    ----------
    table : pyarrow.Table
        Numbers as float64, everything else as text; columns without any value are left out.
    places : numpy.ndarray of int, shape (rows,)
        Where the rows stood in the file, increasing.
    rows : int
        Of the whole file.
    """

    table: pa.Table
    places: Integers
    rows: int


def read_sample(found: PathLike | pa.Table, roles: Roles) -> FoundRows:
    """At most `MOST_ROWS` rows of a found file, drawn at random, with the columns that its copy could have.

    Parameters
    ----------
    found : path-like, or pyarrow.Table
        CSV or Parquet, or what was read of it elsewhere.
    roles : Roles
        Of the ledger's columns.

    Returns
    -------
    FoundRows
    """
    rng, kept, marks, places, rows = np.random.default_rng(0), None, np.empty(0), np.empty(0, dtype=np.int64), 0
    for table in _pieces(found, roles.read):
        table = pa.table(
            {name: _column(table.column(name), name in roles.numbers, roles.types[name]) for name in table.column_names}
        )
        kept = table if kept is None else pa.concat_tables([kept, table])
        # Every row gets a random mark, and the rows with the lowest marks stay: any row is as likely as any other.
        marks = np.append(marks, rng.random(len(table)))
        places = np.append(places, np.arange(rows, rows + len(table)))
        rows += len(table)
        if len(kept) > MOST_ROWS:
            chosen = np.sort(np.argpartition(marks, MOST_ROWS)[:MOST_ROWS])
            kept, marks, places = kept.take(pa.array(chosen)), marks[chosen], places[chosen]
    if kept is None or not len(kept):
        raise Problem("The file has no rows.")
    told = [name for name in kept.column_names if kept.column(name).null_count < len(kept)]
    return FoundRows(kept.select(told), places, rows)


def _pieces(found: PathLike | pa.Table, names: Sequence[str]) -> Iterator[pa.Table]:
    """The columns in question of a found file, in pieces; none if it has none of them."""
    if isinstance(found, pa.Table):
        there = [name for name in names if name in found.column_names]
        tables = (found.select(there).slice(start, UNIT) for start in range(0, len(found), UNIT))
    else:
        data = Data(found)
        there = [name for name in names if name in data.types]
        tables = (table for _, table in data.units(there, types=dict.fromkeys(there, pa.string())))
    if not there:
        raise Problem("The file has none of the ledger's columns, so it cannot be compared.")
    return tables


def _column(values: pa.Array | pa.ChunkedArray, number: bool, type_: pa.DataType) -> pa.Array:
    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if number and is_temporal(type_):
        values = _times(values, type_)
    return _numbers(values) if number else _texts(values)


def _times(values: pa.Array, type_: pa.DataType) -> pa.Array:
    """Dates and times in any spelling, counted as the ledger counts them."""
    if not is_temporal(values.type):
        texts = values.cast(pa.string()).to_pandas()
        values = pa.array(pd.to_datetime(texts, errors="coerce", format="ISO8601", utc=True), pa.timestamp("us", "UTC"))
    seconds = pa.types.is_timestamp(type_)
    counts = as_counts(values.cast(pa.timestamp("us"), safe=False))
    return counts if seconds else pc.floor(pc.divide(counts, 86_400.0))


def _numbers(values: pa.Array) -> pa.Array:
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        array = pd.to_numeric(values.to_pandas(), errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    else:
        try:
            array = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False).astype(float)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            array = np.full(len(values), np.nan)
    return pa.array(array, mask=~np.isfinite(array))


def _texts(values: pa.Array) -> pa.Array:
    try:
        return values.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.nulls(len(values), pa.string())


def plain_texts(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column of categories as text that does not depend on which program wrote it; null where it is missing."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    encoded = pc.dictionary_encode(array)
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    texts = [plain_text(text) for text in encoded.dictionary.cast(pa.string()).to_pylist()]
    return pa.array(texts, pa.string()).take(encoded.indices)


def plain_text(text: str | None) -> str | None:
    """One spelling for the same category: numbers without trailing zeros, letters in lower case, no outer spaces."""
    if text is None:
        return None
    try:
        return f"{float(text):.15g}"
    except ValueError:
        return text.strip().casefold()
