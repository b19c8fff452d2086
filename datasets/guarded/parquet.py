"""Read Parquet, one group of rows after the other."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyarrow import parquet

# A file's own account of itself is read before any limit can be checked, so it is bounded separately.
_THRIFT_STRING, _THRIFT_CONTAINER = 20_000_000, 1_000_000

Tables = list[tuple[pa.Schema, Iterator[pa.Table]]]


def read(data: bytes, options: dict[str, int]) -> tuple[dict[str, Any], Tables]:
    """Read all columns that are not nested; the limits are checked before a single page is read.

    Text columns stay dictionary-encoded: two million references to one long text would otherwise unfold into
    two million long texts.

    Parameters
    ----------
    data : bytes
    options : dict
        The most `rows`, `columns`, `cells` and bytes when `unpacked`.

    Returns
    -------
    about : dict
        `rows` and `columns`; the `names` of all columns; the type of each that is `nested`, by its position.
        Or a `problem`: one word that the parent turns into a sentence.
    tables : list
        One table of the columns that are not nested; none if it would be too large.
    """
    file = _open(data)
    schema = file.schema_arrow
    rows, columns = file.metadata.num_rows, len(schema)
    about: dict[str, Any] = {"rows": rows, "columns": columns}
    if rows < 0:
        return {**about, "problem": "damaged"}, []
    if rows > options["rows"] or columns > options["columns"] or rows * columns > options["cells"]:
        return about, []
    nested = {i: str(f.type)[:60] for i, f in enumerate(schema) if pa.types.is_nested(f.type)}
    flat = [f for i, f in enumerate(schema) if i not in nested]
    file = _open(data, [f.name for f in flat if _is_text(f.type)])
    unpacked = sum(file.metadata.row_group(i).total_byte_size for i in range(file.num_row_groups))
    if unpacked > options["unpacked"]:
        return {**about, "problem": "unpacked"}, []
    about |= {"names": [f.name for f in schema], "nested": nested}
    if not flat or not rows:
        return about, []
    wanted = [i for i, f in enumerate(file.schema_arrow) if not pa.types.is_nested(f.type)]
    kept = pa.schema([file.schema_arrow.field(i).remove_metadata().with_name(str(n)) for n, i in enumerate(wanted)])
    return about, [(kept, _groups(file, nested, kept, options["unpacked"]))]


def _groups(file: parquet.ParquetFile, nested: dict[int, str], kept: pa.Schema, most: int) -> Iterator[pa.Table]:
    names = file.schema_arrow.names
    # Columns can only be left out by name, which works where each name stands for one column.
    simple = nested and len(set(names)) == len(names) and not any("." in name for name in names)
    columns = [name for i, name in enumerate(names) if i not in nested] if simple else None
    size = 0
    for group in range(file.num_row_groups):
        table = file.read_row_group(group, columns=columns, use_threads=False)
        if columns is None and nested:
            table = table.select([i for i in range(table.num_columns) if i not in nested])
        table.validate(full=True)
        size += table.nbytes
        # What the file says of itself need not be true.
        if size > most:
            raise MemoryError
        table = table.rename_columns(kept.names).replace_schema_metadata(None)
        # Only what has to be is cast: Arrow then loads its functions, which takes as long as reading a small file.
        yield table if _is_so(table.schema, kept) else table.cast(kept)


def _is_so(schema: pa.Schema, kept: pa.Schema) -> bool:
    # A cast also finds gaps where a column says that it has none, so those columns always go through it.
    return bool(schema.equals(kept, check_metadata=True) and all(field.nullable for field in kept))


def _open(data: bytes, texts: list[str] | None = None) -> parquet.ParquetFile:
    return parquet.ParquetFile(
        pa.BufferReader(data),
        read_dictionary=texts,
        thrift_string_size_limit=_THRIFT_STRING,
        thrift_container_size_limit=_THRIFT_CONTAINER,
    )


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind))
