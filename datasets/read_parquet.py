"""Read Parquet."""

import pyarrow as pa
from pyarrow import parquet

from trustscope.datasets.limits import Limits
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.table import Table
from trustscope.datasets.texts import spaced

# A file's own account of itself is read before any limit can be checked, so it is bounded separately.
_THRIFT_STRING, _THRIFT_CONTAINER = 20_000_000, 1_000_000
# What the pages may unpack to: as many cells as are allowed, each a double, and as much again.
_UNPACKED_BYTES = 1_600_000_000


def read_parquet(data: bytes, filename: str, limits: Limits) -> Table:
    """Read all columns; the limits are checked against the file's metadata before a single page is read.

    Text columns stay dictionary-encoded: two million references to one long text would otherwise unfold into
    two million long texts.
    """
    try:
        schema = _open(data).schema_arrow
        texts = [f.name for f in schema if _is_text(f.type)]
        file = _open(data, texts)
        meta = file.metadata
        limits.check_shape(meta.num_rows, len(schema.names), filename)
        unpacked = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
        if unpacked > _UNPACKED_BYTES:
            raise DataProblem(f"{filename} unpacks to {spaced(unpacked // 10**6)} MB: leave out rows or columns.")
        table = file.read(use_threads=True)
        limits.check_shape(table.num_rows, table.num_columns, filename)
        table.validate(full=True)
    except (pa.ArrowException, OSError, MemoryError) as error:
        raise DataProblem(f"{filename} is a damaged Parquet file: fetch or save it again.") from error
    if table.num_columns == 0 or table.num_rows == 0:
        raise DataProblem(f"{filename} is a Parquet file without rows: it needs at least two.")
    return Table(list(table.column_names), table.unify_dictionaries().columns, "Parquet")


def _open(data: bytes, texts: list[str] | None = None) -> parquet.ParquetFile:
    return parquet.ParquetFile(
        pa.BufferReader(data),
        read_dictionary=texts,
        thrift_string_size_limit=_THRIFT_STRING,
        thrift_container_size_limit=_THRIFT_CONTAINER,
    )


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind)
