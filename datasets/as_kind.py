"""A column as the kind that a person says it is."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from trustscope.datasets import column, kinds
from trustscope.datasets.column import MOST_CATEGORIES, Column
from trustscope.datasets.encoded import Encoded, encode
from trustscope.datasets.parse import parse_dates, parse_numbers
from trustscope.datasets.texts import spaced

# What a person can say; "leave out" and "identifier" both keep a column out of the dataset.
KINDS = ("number", "category", "date", "identifier", "leave out")
_ASKED = "You chose this kind."
_ONE_AND_ZERO = "Yes is 1 and no is 0."


def choices(array: pa.Array | pa.ChunkedArray) -> tuple[str, ...]:
    """Name the kinds that a column can be given, judging by how it is stored."""
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if kinds.is_text(kind) or kinds.is_date(kind):
        return KINDS
    if kinds.is_number(kind) or pa.types.is_boolean(kind):
        return tuple(k for k in KINDS if k != "date")
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return ("number", "identifier", "leave out")
    return ("leave out",)


def as_kind(
    array: pa.Array | pa.ChunkedArray, kind: str, decimal_comma: bool = False, codes: Iterable[str] = ()
) -> Column:
    """Read a column as one of `KINDS`, whatever it looks like.

    What does not fit counts as missing, and is told. If nothing fits, or nothing is left to tell apart, the column
    is not usable, and its note says why.
    """
    codes = tuple(codes)
    array = kinds.without_codes(kinds.flat(array), codes)
    rows = len(array)
    if kind in ("identifier", "leave out"):
        return Column(kind, array.null_count, 0, kinds.example(array), _ASKED, "You chose to leave it out.")
    if array.null_count == rows:
        return column.empty(rows)
    if kind not in choices(array):
        return _unfit(kind, array.null_count)
    if kinds.is_text(array.type) or pa.types.is_dictionary(array.type):
        encoded = encode(array, codes)
        if encoded is None:
            return _unfit(kind, array.null_count)
        return _of_text(encoded, kind, decimal_comma) if len(encoded.texts) else column.empty(rows)
    return {"number": _numbers, "date": _dates, "category": _categories}[kind](array)


def _of_text(encoded: Encoded, kind: str, decimal_comma: bool) -> Column:
    if kind == "category":
        return column.category(encoded.texts, encoded.codes, encoded.example, _ASKED)
    parse = parse_numbers if kind == "number" else parse_dates
    parsed = parse(encoded.texts, encoded.counts, decimal_comma)
    if parsed is None or np.isnan(parsed.values).all():
        found = _other_numbers(encoded, decimal_comma) if kind == "number" else None
        return found or _unfit(kind, len(encoded.codes) - encoded.present)
    return kinds.finish_number(parsed, encoded, _ASKED) if kind == "number" else kinds.finish_date(parsed, encoded)


def _other_numbers(encoded: Encoded, decimal_comma: bool) -> Column | None:
    """Texts that are not numbers and can still stand for some: yes and no, dates."""
    true = kinds.affirmed(encoded.texts)
    if true is not None:
        return column.number(encoded.spread(true.astype(float)), _ASKED, _ONE_AND_ZERO)
    dates = parse_dates(encoded.texts, encoded.counts, decimal_comma)
    return None if dates is None else _as_days(encoded.spread(dates.values), encoded.example, dates.note)


def _numbers(array: pa.Array) -> Column:
    if kinds.is_date(array.type):
        return _as_days(column.days(kinds.moments(array)), kinds.example(array))
    if pa.types.is_boolean(array.type):
        true, there = kinds.booleans(array)
        return column.number(np.where(there, true.astype(float), np.nan), _ASKED, _ONE_AND_ZERO)
    if pa.types.is_time(array.type) or pa.types.is_duration(array.type):
        return kinds.time(array)
    return column.number(kinds.numbers(array), _ASKED)


def _as_days(days: np.ndarray, example: str, note: str = "") -> Column:
    told = f"Dates are used as the number of {column.DAYS}."
    return column.number(days, _ASKED, f"{told} {note}".strip(), column.DAYS, example)


def _dates(array: pa.Array) -> Column:
    return column.date(kinds.moments(array), kinds.example(array))


def _categories(array: pa.Array) -> Column:
    """Labels for values that are no text, in the order of the values."""
    if pa.types.is_boolean(array.type):
        return column.yes_no(*kinds.booleans(array))
    values = kinds.moments(array) if kinds.is_date(array.type) else kinds.numbers(array)
    gaps = np.isnat(values) if values.dtype.kind == "M" else np.isnan(values.astype(float))
    different, places = np.unique(values[~gaps], return_inverse=True)
    if different.size > MOST_CATEGORIES:
        more = f"It has {spaced(different.size)} different values: too many for categories."
        return Column("text", int(gaps.sum()), different.size, kinds.example(array), more, more)
    codes = np.full(len(values), -1)
    codes[~gaps] = places
    labels = pa.array([_label(value) for value in different], pa.string())
    return column.category(labels, codes, kinds.example(array), _ASKED, in_order=True)


def _label(value: np.generic) -> str:
    if isinstance(value, np.datetime64):
        return str(value).replace("T00:00:00.000000", "").replace("T", " ").removesuffix(".000000")
    return f"{value:.15g}" if isinstance(value, np.floating) else str(value)


def _unfit(kind: str, missing: int) -> Column:
    note = f"None of its values can be read as a {kind}."
    return Column(kind, missing, 0, "", _ASKED, note)


def shrink(array: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Store a column in as little memory as it needs: text by its different texts, whole numbers in few bytes."""
    kind = array.type
    if kinds.is_text(kind):
        return kinds.flat(array.dictionary_encode())
    if pa.types.is_dictionary(kind) and kinds.is_text(kind.value_type):
        return kinds.flat(array)  # in pieces, as it is read, the dictionary would count once for each of them
    if pa.types.is_int64(kind) and array.null_count < len(array):
        ends = pc.min_max(array).as_py()
        for narrow, limit in ((pa.int8(), 2**7), (pa.int16(), 2**15), (pa.int32(), 2**31)):
            if -limit <= ends["min"] and ends["max"] < limit:
                return array.cast(narrow)
    return array
