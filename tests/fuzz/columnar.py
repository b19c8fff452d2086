"""Hostile Parquet files, and bytes that only begin like something known."""

import datetime as dt
import io
import random
from decimal import Decimal

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tests.fuzz.tables import NAMES, VALUES, spoil

_MAGIC = (
    b"PAR1",
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\x1f\x8b\x08",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"{",
    b"",
)


def odd(rng: random.Random) -> tuple[str, bytes]:
    """Sound files of every type, nested ones among them, under odd names."""
    rows = rng.choice((0, 1, 2, 40, 1000))
    columns = [_column(rng, rows) for _ in range(rng.randint(1, 6))]
    names = [rng.choice(NAMES) if rng.random() < 0.5 else f"c{i}" for i in range(len(columns))]
    return "a.parquet", _written(rng, pa.table(columns, names=names))


def spoiled(rng: random.Random) -> tuple[str, bytes]:
    """Files with bytes changed anywhere; often in the account that the file gives of itself, at its end."""
    data = odd(rng)[1]
    if rng.random() < 0.5:
        cut = max(0, len(data) - rng.randint(20, 600))
        return "a.parquet", data[:cut] + spoil(rng, data[cut:-8]) + data[-8:]
    return "a.parquet", spoil(rng, data)


def vast(rng: random.Random) -> tuple[str, bytes]:
    """Very many columns, rows or characters in few bytes; very deep nesting."""
    how = rng.randrange(5)
    if how == 0:
        width = rng.choice((201, 3_000, 100_000)) if rng.random() < 0.2 else 201
        return "a.parquet", _written(rng, pa.table([[1, 2]] * width, names=[f"c{i}" for i in range(width)]))
    if how == 1:
        return "a.parquet", _written(rng, pa.table({"n": np.zeros(rng.choice((2_000_000, 2_000_001)))}))
    if how == 2:
        texts = pa.DictionaryArray.from_arrays(pa.array(np.arange(50_000) % 2, pa.int32()), ["x" * 10**6, "y"])
        return "a.parquet", _written(rng, pa.table({"t": texts, "n": np.arange(50_000)}), dictionary=True)
    if how == 3:
        kind, value = pa.int64(), 1
        for _ in range(rng.choice((5, 60))):
            kind, value = pa.list_(kind), [value]
        return "a.parquet", _written(rng, pa.table({"l": pa.array([value, value], kind), "n": [1, 2]}))
    lists = pa.array([[0] * rng.choice((10, 1_000_000))] * 3)
    return "a.parquet", _written(rng, pa.table({"l": lists, "n": [1, 2, 3]}))


def begun(rng: random.Random) -> tuple[str, bytes]:
    """Random bytes after a true beginning."""
    start = rng.choice(_MAGIC)
    return f"a.{rng.choice(('csv', 'parquet', 'xlsx', 'xls', 'exe'))}", start + rng.randbytes(rng.randint(0, 2000))


def _column(rng: random.Random, rows: int) -> pa.Array:
    gap = rng.choice((0.0, 0.2, 1.0)) if rng.random() < 0.4 else 0.0
    make, kind = rng.choice(_TYPES)
    return pa.array([None if rng.random() < gap else make(rng) for _ in range(rows)], kind)


_TYPES = (
    (lambda r: r.randint(-5, 5), pa.int8()),
    (lambda r: r.randrange(2**63), pa.int64()),
    (lambda r: r.randrange(2**64), pa.uint64()),
    (lambda r: r.choice((0.5, 1e308, -1e308, float("nan"), float("inf"), 5e-324)), pa.float64()),
    (lambda r: r.choice((0.5, 7.0)), pa.float32()),
    (lambda r: r.random() < 0.5, pa.bool_()),
    (lambda r: r.choice(VALUES), pa.string()),
    (lambda r: r.choice(VALUES[:3]), pa.large_string()),
    (lambda r: r.choice((b"a", b"\xff\xfe", b"")), pa.binary()),
    (lambda r: r.randbytes(4), pa.binary(4)),
    (lambda r: Decimal(r.randrange(10**9)) / 100, pa.decimal128(20, 2)),
    (lambda r: Decimal(r.randrange(10**9)) * 10**40, pa.decimal256(60, 2)),
    (lambda r: dt.date(r.randint(1, 9999), 1, 1), pa.date32()),
    (lambda r: r.randrange(-(2**40), 2**40), pa.timestamp("s")),
    (lambda r: r.randrange(-(2**62), 2**62), pa.timestamp("ns", tz="Europe/Oslo")),
    (lambda r: r.randrange(-(2**62), 2**62), pa.timestamp("us")),
    (lambda r: r.randrange(86_400), pa.time32("s")),
    (lambda r: r.randrange(-(2**62), 2**62), pa.duration("us")),
    (lambda r: [r.randrange(9)] * r.randrange(4), pa.list_(pa.int64())),
    (lambda r: {"a": 1, "b": "x"}, pa.struct([("a", pa.int64()), ("b", pa.string())])),
    (lambda r: [("k", 1)], pa.map_(pa.string(), pa.int64())),
    (lambda r: None, pa.null()),
)


def _written(rng: random.Random, table: pa.Table, dictionary: bool = False) -> bytes:
    made = io.BytesIO()
    parquet.write_table(
        table,
        made,
        compression=rng.choice(("snappy", "gzip", "zstd", "none", "brotli")),
        use_dictionary=dictionary or rng.random() < 0.5,
        data_page_version=rng.choice(("1.0", "2.0")),
        row_group_size=rng.choice((None, None, 7 if table.num_rows <= 1000 else None)),
    )
    return made.getvalue()


MAKERS = {
    "parquet, odd": (odd, 7),
    "parquet, spoiled": (spoiled, 12),
    "parquet, vast": (vast, 2),
    "bytes": (begun, 5),
}
