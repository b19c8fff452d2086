"""What released whole numbers, dates and times may lie between, and how many values of a copy would lie beyond.

The less trust, the further noise reaches, and a whole number of 64 bits or a time in nanoseconds comes to an end: what
is beyond would be wrapped around, and look like any other value. Such a copy is refused when the value comes up, and
foretold before that.
"""

import datetime
import math
from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa

from trustscope.engine.arrays import Floats
from trustscope.release.problems import Problem
from trustscope.release.temporal import is_temporal, per_unit
from trustscope.release.types import Span

# Says what is to be expected of a column: its name and type, mean, standard deviation with noise, rows.
Expected = Callable[[str, pa.DataType, float, float, int], Iterator[str]]
_END = 2.0**63
_DAY_ZERO = datetime.date(1970, 1, 1).toordinal()
# What Python's dates can say, and pandas reads date columns as those: from the year 1 to the year 9999.
_SAYABLE = (float(1 - _DAY_ZERO), float(datetime.date.max.toordinal() - _DAY_ZERO))
WHOLE = "whole numbers of 64 bits (to ±9,223,372,036,854,775,807)"
_NANOSECONDS = "times in nanoseconds (from 1677 to 2262)"


def ends(type_: pa.DataType) -> Span | None:
    """The least and the greatest value that a released type holds, as counts of `temporal`; None for doubles."""
    if pa.types.is_date32(type_):
        return -(2.0**31), 2.0**31 - 1
    if is_temporal(type_):
        # A second (or day) inside of the end: the least count of all means that a time is missing.
        most = float(np.nextafter(_END / per_unit(type_) - 1, 0))
        return -most, most
    return (-_END, float(np.nextafter(_END, 0))) if pa.types.is_integer(type_) else None


def check(name: str, values: Floats, type_: pa.DataType, first: int) -> None:
    """Refuse released values, of rows from `first` on, that their type cannot hold."""
    span = ends(type_)
    if span is None or not len(values) or (values.min() >= span[0] and values.max() <= span[1]):
        return
    row = first + int(np.flatnonzero((values < span[0]) | (values > span[1]))[0]) + 1
    raise Problem(
        f"With the noise of this trust, the column “{name}” in row {row:,} leaves what {_holds(type_)} can hold, so "
        f"the copy was not made. {_advice(type_)}"
    )


def refusals(name: str, type_: pa.DataType, mean: float, deviation: float, rows: int) -> Iterator[str]:
    """What `check` may refuse in a copy's column with this mean and deviation, noise included, as sentences.

    Beyond the ends there is nearly nothing but noise, which is normal. Where it is little, the data decide.
    """
    span = ends(type_)
    if span and (count := rows * _beyond(span, mean, deviation)) >= 0.5:
        yield (
            f"About {count:,.0f} of {rows:,} values of “{name}” may leave what {_holds(type_)} can hold, and a copy "
            f"with such a value is refused. {_advice(type_)}"
        )


def unsayable_dates(name: str, type_: pa.DataType, mean: float, deviation: float, rows: int) -> Iterator[str]:
    """What has to be said in the same way of dates that a copy holds, and that few programs can open."""
    if pa.types.is_date(type_) and (count := rows * _beyond(_SAYABLE, mean, deviation)) >= 0.5:
        yield (
            f"About {count:,.0f} of {rows:,} dates of “{name}” lie before the year 1 or after the year 9999 in this "
            "copy: pandas and Python cannot open them. Give more trust, or tell the recipient to read them as numbers "
            "of days."
        )


def _beyond(span: Span, mean: float, deviation: float) -> float:
    """The share of a normal distribution that lies beyond these ends."""
    return sum(math.erfc(distance / deviation / math.sqrt(2)) / 2 for distance in (mean - span[0], span[1] - mean))


def _holds(type_: pa.DataType) -> str:
    if pa.types.is_integer(type_):
        return WHOLE
    return _NANOSECONDS if pa.types.is_timestamp(type_) and type_.unit == "ns" else f"values of type {type_}"


def _advice(type_: pa.DataType) -> str:
    other = ""
    if pa.types.is_integer(type_):
        other = "double"
    elif pa.types.is_timestamp(type_) and type_.unit == "ns":
        other = "timestamp[us]"
    if not other:
        return "Give more trust."
    return f"Give more trust; or, while no copy is out, save the column as {other} and start a new ledger for it."
