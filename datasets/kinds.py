"""What a column means: number, date, yes/no, category, identifier, or nothing that can be used.

=============  ======  ==========================================================================
kind           usable  becomes
=============  ======  ==========================================================================
number         yes     numeric, as it is; infinities count as missing
date           yes     a date, with or without a time of day; as a number, days since 1970-01-01
time           yes     numeric: seconds (since midnight, or of the duration)
yes/no         yes     categorical with the labels "no" and "yes", however the file writes them
category       yes     categorical; white space around labels and invisible characters are removed
identifier     no      a text that differs in every row, codes with leading zeros that are too many for
                       categories, or increasing whole numbers under a name such as "id"
text           no      too many different texts, or too long ones
constant       no      the same value in every row
empty          no      no value at all
other          no      lists, records, binary data
=============  ======  ==========================================================================

Whole numbers stay numbers however few values they take: a grade from 1 to 5, or 0 and 1, can be perturbed as
a number, and what is a code cannot be told from what is a count. A person can; see ``datasets.as_kind``.
"""

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from trustscope.datasets import column
from trustscope.datasets.column import MOST_CATEGORIES, Column
from trustscope.datasets.encoded import Encoded, encode
from trustscope.datasets.parse import Parsed, parse_dates, parse_numbers
from trustscope.datasets.texts import clean, joined, many, spaced

Parser = Callable[[pa.Array, np.ndarray, bool], Parsed | None]

SAMPLE = 2000
# A column is read as numbers, or dates, if at least so many of its values are: a stray word should not turn a
# column of measurements into a thousand categories. What does not fit counts as missing, and is told.
TOLERANCE = 0.95
ROW_NUMBERS = 20  # whole numbers in steps of one are called row numbers from so many rows on
_YES_NO = (
    ("yes", "no"),
    ("y", "n"),
    ("true", "false"),
    ("t", "f"),
    ("on", "off"),
    ("ja", "nein"),
    ("oui", "non"),
)
_IDENTIFIER_WORDS = {"id", "ids", "uid", "uuid", "guid", "identifier", "key", "index", "idx", "nr"}
_IDENTIFIER_WORDS |= {"row", "rowid", "unnamed"}


def understand(
    array: pa.Array | pa.ChunkedArray, decimal_comma: bool = False, name: str = "", codes: Iterable[str] = (),
    distinct: int | None = None,
) -> Column:  # fmt: skip
    """Find out what a column means.

    Parameters
    ----------
    array : pyarrow.Array or pyarrow.ChunkedArray
        The column as a reader hands it on.
    decimal_comma : bool
        Whether an ambiguous "1,234" is more likely to be a little over one.
    name : str
        What the column is called: one named like an identifier may be one.
    codes : iterable of str
        Values that stand for missing ones, besides the usual.
    distinct : int, optional
        How many different values it has, where that is known: to count those of numbers takes longer than all else.
    """
    array = without_codes(flat(array), codes)
    kind, types = array.type, pa.types
    if types.is_null(kind) or array.null_count == len(array):
        return column.empty(len(array))
    if types.is_boolean(kind):
        return column.yes_no(*booleans(array))
    if is_number(kind):
        return _or_identifier(column.number(numbers(array), distinct=distinct), name)
    if is_date(kind):
        return column.date(moments(array), example(array))
    if types.is_time(kind) or types.is_duration(kind):
        return time(array)
    encoded = encode(array, codes) if is_text(kind) or types.is_dictionary(kind) else None
    if encoded is None:
        sentence = "It holds lists, records or binary data, which cannot be perturbed."
        return Column("other", array.null_count, 0, "", sentence, sentence)
    return _or_identifier(_meaning(encoded, decimal_comma), name)


def flat(array: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array, without a dictionary unless it holds text."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks)
    if pa.types.is_dictionary(array.type) and not is_text(array.type.value_type):
        array = array.dictionary_decode()
    return array


def without_codes(array: pa.Array, codes: Iterable[str]) -> pa.Array:
    """Turn values that stand for missing ones into missing ones; in text, `encode` does so."""
    codes = [str(code).strip() for code in codes]
    if not codes or not (is_number(array.type) or is_date(array.type)):
        return array
    if is_number(array.type):
        parsed = parse_numbers(pa.array(codes, pa.string()), np.ones(len(codes)))
        wanted = np.array([]) if parsed is None else parsed.values
        hit = np.isin(numbers(array), wanted[~np.isnan(wanted)])
    else:
        parsed = parse_dates(pa.array(codes, pa.string()), np.ones(len(codes)))
        wanted = np.array([]) if parsed is None else parsed.values
        hit = np.isin(column.days(moments(array)), wanted[~np.isnan(wanted)])
    return pc.if_else(pa.array(hit), pa.scalar(None, array.type), array)


def is_number(kind: pa.DataType) -> bool:
    """Whether a type holds numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def is_date(kind: pa.DataType) -> bool:
    """Whether a type holds dates, with or without a time of day."""
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def is_text(kind: pa.DataType) -> bool:
    """Whether a type holds text, or bytes that may turn out to be text."""
    types = pa.types
    texts = types.is_string(kind) or types.is_large_string(kind)
    return bool(texts or types.is_binary(kind) or types.is_large_binary(kind))


def numbers(array: pa.Array) -> np.ndarray:
    """Return int64 where that loses nothing, else float64 with NaN where missing."""
    exact = pa.types.is_integer(array.type) and not pa.types.is_uint64(array.type)
    if exact and not array.null_count:
        return np.array(array.cast(pa.int64()).to_numpy(zero_copy_only=False))
    return np.array(array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=float)


def moments(array: pa.Array) -> np.ndarray:
    """Return ``datetime64[us]``: an hour is kept, and the year 9999 still fits."""
    fine = array.cast(pa.timestamp("us", tz=getattr(array.type, "tz", None)), safe=False)
    return np.array(fine.cast(pa.timestamp("us")).to_numpy(zero_copy_only=False), dtype="datetime64[us]")


def booleans(array: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Return which rows are true, and which have a value."""
    there = array.is_valid().to_numpy(zero_copy_only=False)
    return array.fill_null(False).to_numpy(zero_copy_only=False), there


def time(array: pa.Array) -> Column:
    """Times of day and durations, in seconds."""
    duration = pa.types.is_duration(array.type)
    fine = array.cast(pa.duration("us") if duration else pa.time64("us"), safe=False)
    seconds = numbers(pc.divide(fine.cast(pa.int64()).cast(pa.float64(), safe=False), 1e6))
    unit = "seconds" if duration else "seconds since midnight"
    made = column.number(seconds, "Its values are times.", f"Times are used as {unit}.", unit, example(array))
    kind = "time" if made.usable else made.kind
    return Column(kind, made.missing, made.distinct, made.example, made.reason, made.note, made.values, unit)


def example(array: pa.Array) -> str:
    """The first value, fit to be shown."""
    try:
        return clean(array.drop_null()[0].as_py(), 40)
    except (ValueError, OverflowError, IndexError, pa.ArrowException):
        # A moment beyond the year 9999 is a fine number of days, but no Python date.
        return ""


def finish_number(parsed: Parsed, encoded: Encoded, reason: str = "Its values are numbers.") -> Column:
    """A column of the numbers that its texts were read as."""
    note = joined(parsed.note, _misfits(parsed.values, encoded, "a number"))
    return column.number(encoded.spread(parsed.values), reason, note, parsed.unit, encoded.example)


def finish_date(parsed: Parsed, encoded: Encoded) -> Column:
    """A column of the dates that its texts were read as."""
    note = joined(parsed.note, _misfits(parsed.values, encoded, "a date"))
    days = encoded.spread(parsed.values)
    microseconds = np.where(np.isnan(days), 0, np.round(days * 86_400e6)).astype(np.int64)
    made = np.where(np.isnan(days), np.datetime64("NaT", "us"), microseconds.astype("datetime64[us]"))
    return column.date(made, encoded.example, note)


def _meaning(encoded: Encoded, decimal_comma: bool) -> Column:
    """Look at the different texts rather than at the rows: there are usually far fewer of them."""
    texts, counts = encoded.texts, encoded.counts
    if not len(texts):
        return column.empty(len(encoded.codes))
    true = affirmed(texts)
    if true is not None:
        return column.yes_no(true[encoded.codes], encoded.codes >= 0)
    number = _read(parse_numbers, encoded, decimal_comma)
    if number is not None:
        zeros = _leading_zero(texts)
        return _codes(encoded, zeros) if zeros else finish_number(number, encoded)
    date = _read(parse_dates, encoded, decimal_comma)
    if date is not None and not date.ambiguous:
        return finish_date(date, encoded)
    hint = "Its dates can be read with the day or the month first, so they were not read as dates."
    return _labels(encoded, hint if date is not None else "", counts)


def affirmed(texts: pa.Array) -> np.ndarray | None:
    """Tell which texts mean yes; None if they are not all ways of writing yes and no."""
    answers = set(pc.utf8_lower(texts).to_pylist()) if len(texts) <= 8 else set()
    for yes, no in _YES_NO:
        if answers == {yes, no}:
            return np.array([text == yes for text in pc.utf8_lower(texts).to_pylist()])
    return None


def _read(parse: Parser, encoded: Encoded, decimal_comma: bool) -> Parsed | None:
    """Read the texts if nearly all of them can be; a glance at the first spares two million sentences the rest."""
    texts, counts = encoded.texts, encoded.counts
    few, of = texts[:SAMPLE], counts[:SAMPLE]
    if len(texts) > SAMPLE and not _mostly(parse(few, of, decimal_comma), of, 0.5):
        return None
    parsed = parse(texts, counts, decimal_comma)
    return parsed if _mostly(parsed, counts, TOLERANCE) else None


def _mostly(parsed: Parsed | None, counts: np.ndarray, share: float) -> bool:
    return parsed is not None and bool(counts[~np.isnan(parsed.values)].sum() >= share * counts.sum())


def _leading_zero(texts: pa.Array) -> str:
    """The first text that is a code rather than a number, such as 06983."""
    found = texts.filter(pc.match_substring_regex(texts, r"^0\d+$"))
    return clean(found[0].as_py(), 20) if len(found) else ""


def _codes(encoded: Encoded, zeros: str) -> Column:
    """Numbers with leading zeros: writing them without would lose something, so they are no numbers."""
    why = f"Its values begin with zeros, such as {zeros}, so they are codes and not numbers."
    distinct, missing = len(encoded.texts), int((encoded.codes < 0).sum())
    if distinct > 1 and (distinct == encoded.present or distinct > MOST_CATEGORIES):
        return Column("identifier", missing, distinct, encoded.example, why, why)
    return column.category(encoded.texts, encoded.codes, encoded.example, why)


def _labels(encoded: Encoded, hint: str, counts: np.ndarray) -> Column:
    distinct, present = len(encoded.texts), int(counts.sum())
    missing = len(encoded.codes) - present
    if distinct == present > 1:
        why = "It differs in every row, so nothing is shared."
        return Column("identifier", missing, distinct, encoded.example, why, joined(hint, why))
    if distinct > 20 and distinct > present / 2:
        why = f"It has {spaced(distinct)} different texts in {spaced(present)} rows: too many for categories."
        return Column("text", missing, distinct, encoded.example, why, joined(hint, why))
    return column.category(encoded.texts, encoded.codes, encoded.example, note=hint)


def _misfits(values: np.ndarray, encoded: Encoded, what: str) -> str:
    odd = np.flatnonzero(np.isnan(values))
    if not odd.size:
        return ""
    which = clean(encoded.texts[int(odd[0])].as_py(), 30)
    count = many(int(encoded.counts[odd].sum()), "value")
    return f"{count} counted as missing for not being {what}, such as '{which}'."


def _or_identifier(found: Column, name: str) -> Column:
    """Whole numbers that increase from row to row, in a column whose name says so, are identifiers."""
    values = found.values
    if found.kind != "number" or not isinstance(values, np.ndarray) or values.dtype.kind != "i":
        return found
    steps = np.diff(values)
    if named_like_identifier(name) and (steps > 0).all():
        why = "Its whole numbers increase from row to row, and its name is that of an identifier."
        return Column("identifier", found.missing, found.distinct, found.example, why, why)
    if values.size >= ROW_NUMBERS and (steps == 1).all():
        note = joined(found.note, "It looks like a row number.")
        return Column("number", found.missing, found.distinct, found.example, found.reason, note, values, found.unit)
    return found


def named_like_identifier(name: str) -> bool:
    """Tell whether a name has a word such as "id" in it: "id", "Customer ID", "customerId", "user_id"."""
    spread = "".join(
        f" {c}" if c.isupper() and before.islower() else c for before, c in zip(" " + name, name, strict=False)
    )
    words = "".join(c if c.isalnum() else " " for c in spread).lower().split()
    return any(word in _IDENTIFIER_WORDS for word in words)
