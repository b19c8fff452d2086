"""Tables in memory: pandas, polars, Arrow and whatever else narwhals knows, into a dataset and back.

A table is named by the digest of the Parquet file that `save` writes of it. So a scenario that was made of a table can
be opened with that file, wherever it is, and is recognised there.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import pyarrow as pa

from trustscope.datasets.model import Origin
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.table import Table
from trustscope.datasets.texts import clean

NAME = "table.parquet"  # what a table without a name is called: the file that `save` would write
MIXED = "It mixes kinds of values, such as numbers and texts: make them of one kind first."
WAYS = "a pandas, polars or Arrow table, the path of a file, or the name of a built-in dataset"


def is_frame(data: object) -> bool:
    """Whether this is a table in memory."""
    return isinstance(data, pd.DataFrame | pa.Table) or _narwhals(data) is not None


def _narwhals(data: object) -> Any:
    try:
        return nw.from_native(data, eager_only=True)
    except TypeError:
        return None


def refused(data: object) -> DataProblem:
    """What to write instead of something that is no table."""
    kind = type(data).__name__
    if isinstance(data, pd.Series):
        return DataProblem("A single column is given: write data.to_frame(), and name the column.")
    if isinstance(data, np.ndarray):
        return DataProblem("Columns need names: write pandas.DataFrame(data, columns=[...]).")
    if hasattr(data, "collect"):
        return DataProblem(f"A {kind} is not computed yet: write data.collect().")
    if isinstance(data, Mapping):
        return DataProblem("A mapping is no table yet: write pandas.DataFrame(data).")
    return DataProblem(f"Data can be {WAYS}, not a {clean(kind)}.")


def as_arrow(data: Any) -> tuple[pa.Table, dict[int, str]]:
    """A table in memory as an Arrow table of plain types, and why columns, by position, could not be taken.

    The same rows give the same table, whichever library held them.
    """
    aside: dict[int, str] = {}
    if isinstance(data, pd.DataFrame):
        names = [str(name) for name in data.columns]
        columns = [_of_pandas(data.iloc[:, place], place, aside) for place in range(len(names))]
    else:
        table = data if isinstance(data, pa.Table) else _narwhals(data).to_arrow()
        names, columns = table.column_names, [_plain(column.combine_chunks()) for column in table.columns]
    if not names or not len(columns[0]):
        raise DataProblem("This table has no rows or no columns: it needs at least two rows.")
    return pa.Table.from_arrays(columns, names=names), aside


def _of_pandas(series: pd.Series, place: int, aside: dict[int, str]) -> pa.Array:
    try:
        return _plain(pa.array(series, from_pandas=True))
    except (pa.ArrowException, TypeError, OverflowError):
        aside[place] = MIXED
        return pa.nulls(len(series))


def _plain(array: pa.Array | pa.ChunkedArray) -> pa.Array:
    """The same values in the type that every library's values have: texts as texts, whatever holds them."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks() if array.num_chunks == 1 else pa.concat_arrays(array.chunks or [pa.nulls(0)])
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0)
    types = pa.types
    if types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if types.is_large_string(array.type) or types.is_string_view(array.type):
        return array.cast(pa.string())
    if types.is_floating(array.type):  # of a pandas column a missing number is missing, of others it may be NaN
        array = array.cast(pa.float64())
        values = array.to_numpy(zero_copy_only=False)
        return pa.array(values, pa.float64(), from_pandas=True)
    if types.is_integer(array.type) and not types.is_uint64(array.type):
        return array.cast(pa.int64())
    if types.is_timestamp(array.type):
        return array.cast(pa.timestamp("us", tz=array.type.tz), safe=False)
    return array


def to_parquet(table: pa.Table) -> bytes:
    """The Parquet file of a table: the same table gives the same bytes with one version of Arrow."""
    from pyarrow import parquet  # when it is needed: not everybody saves

    stream = io.BytesIO()
    parquet.write_table(table, stream, compression="zstd")
    return stream.getvalue()


def origin_of(table: pa.Table, name: str = NAME) -> Origin:
    """Which table it is: the size and the digest of its Parquet file."""
    content = to_parquet(table)
    return Origin(clean(name) or NAME, len(content), sha256(content).hexdigest())


def save(data: Any, path: str | Path) -> Path:
    """Write a table in memory as the Parquet file by which scenarios that were made of it know it."""
    path = Path(path)
    path.write_bytes(to_parquet(as_arrow(data)[0]))
    return path


def raw_table(data: Any) -> tuple[Table, Origin]:
    """What a reader of files would hand on, and which table it is."""
    table, aside = as_arrow(data)
    columns = [column.combine_chunks() for column in table.columns]
    read = Table(list(table.column_names), columns, "parquet", "a table in memory", aside=aside)
    return read, origin_of(table)


def column(data: Any, name: str) -> Any:
    """A column of a table by its name as text: a Series of pandas or of narwhals; None if there is none."""
    if isinstance(data, pd.DataFrame):
        place = next((place for place, one in enumerate(data.columns) if str(one) == name), None)
        return None if place is None else data.iloc[:, place]
    frame = _narwhals(data)
    return frame[name] if name in frame.columns else None


def like(data: Any, columns: Mapping[str, np.ndarray], rows: np.ndarray | None = None) -> Any:
    """A table like this one with other values: of the same library, and of pandas with the index of these rows.

    Parameters
    ----------
    data : the table
    columns : mapping of name to array, (rows,)
        Named as text; a pandas table has its own names in it, which may be numbers.
    rows : numpy.ndarray of bool or int
        Which rows of the table they are; None where they are other rows.
    """
    if isinstance(data, pd.DataFrame):
        own = {str(name): name for name in reversed(data.columns)}
        made = pd.DataFrame(dict(columns), index=None if rows is None else data.index[rows])
        return made.set_axis([own.get(name, name) for name in columns], axis=1)
    if isinstance(data, pa.Table):
        return pa.table({name: pa.array(values) for name, values in columns.items()})
    backend = _narwhals(data).implementation
    return nw.from_dict(dict(columns), backend=backend).to_native()
