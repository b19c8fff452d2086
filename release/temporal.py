"""Dates and times as numbers: a date is its day, a time its second, both counted from 1970.

So their noise and their grid are in days (7: weeks) or in seconds (3600: hours), and copies hold dates and times again.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from trustscope.engine.arrays import Bools, Floats

_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86_400


def is_temporal(type_: pa.DataType) -> bool:
    """Whether values of a type are dates or times."""
    return bool(pa.types.is_date(type_) or pa.types.is_timestamp(type_))


def unit(type_: pa.DataType) -> str:
    """What dates or times are counted in, for sentences."""
    return "days" if pa.types.is_date(type_) else "seconds"


def per_unit(type_: pa.DataType) -> int:
    """How many counts of a type of dates in milliseconds, or of times, there are to a day or a second."""
    return 1000 * _DAY if pa.types.is_date64(type_) else _PER_SECOND[type_.unit]


def as_counts(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Dates as days and times as seconds; other columns as they are."""
    type_ = column.type
    if pa.types.is_date32(type_):
        return column.cast(pa.int32())
    if pa.types.is_date64(type_):
        return pc.divide(column.cast(pa.int64()).cast(pa.float64(), safe=False), float(1000 * _DAY))
    if pa.types.is_timestamp(type_):
        counts = column.cast(pa.int64())
        per = _PER_SECOND[type_.unit]
        # Whole seconds and the rest by themselves: a double has too few digits for nanoseconds since 1970.
        whole = pc.floor(pc.divide(counts.cast(pa.float64(), safe=False), float(per))).cast(pa.int64())
        rest = pc.subtract(counts, pc.multiply(whole, per))
        return pc.add(whole.cast(pa.float64(), safe=False), pc.divide(rest.cast(pa.float64()), float(per)))
    return column


def as_type(values: Floats, type_: pa.DataType, mask: Bools | None) -> pa.Array:
    """Counts as dates or times of a type again.

    Parameters
    ----------
    values : numpy.ndarray of float64
        Days or seconds.
    type_ : pyarrow.DataType
    mask : numpy.ndarray of bool or None
        Which are missing.
    """
    if pa.types.is_date32(type_):
        return pa.array(np.rint(values).astype(np.int32), mask=mask).cast(type_)
    per, whole = per_unit(type_), np.floor(values)
    counts = whole.astype(np.int64) * per + np.rint((values - whole) * per).astype(np.int64)
    return pa.array(counts, mask=mask).cast(type_)
