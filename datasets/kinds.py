"""What a column means: number, date, yes/no, category, or nothing that can be used.

=============  ======  ==========================================================================
kind           usable  becomes
=============  ======  ==========================================================================
number         yes     numeric, as it is; infinities count as missing
date           yes     numeric: days since 1970-01-01, times of day as fractions
time           yes     numeric: seconds (since midnight, or of the duration)
yes/no         yes     categorical with the labels "no" and "yes", however the file writes them
category       yes     categorical; white space around labels and invisible characters are removed
text           no      too many different texts, or too long ones
identifier     no      a text that differs in every row
constant       no      the same value in every row
empty          no      no value at all
other          no      lists, records, binary data
=============  ======  ==========================================================================

Whole numbers stay numbers however few values they take: a grade from 1 to 5, or 0 and 1, can be perturbed as
a number, and what is a code cannot be told from what is a count.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute as pc

from trustscope.datasets.layout import MISSING_WORDS
from trustscope.datasets.parse import Parsed, parse_dates, parse_numbers
from trustscope.datasets.texts import clean, spaced

MOST_CATEGORIES = 1000
LONGEST_LABEL = 200
SAMPLE = 2000
# A column is read as numbers, or dates, if at least so many of its values are: a stray word should not turn a
# column of measurements into a thousand categories. What does not fit counts as missing, and is told.
TOLERANCE = 0.95
_YES_NO = (
    ("yes", "no"),
    ("y", "n"),
    ("true", "false"),
    ("t", "f"),
    ("on", "off"),
    ("ja", "nein"),
    ("oui", "non"),
)


@dataclass(frozen=True)
class Column:
    """A column understood; `values` is None if it cannot be used."""

    kind: str
    missing: int
    distinct: int
    example: str
    note: str = ""
    values: np.ndarray | pd.Categorical | None = None
    unit: str = ""

    @property
    def usable(self) -> bool:
        """Whether a dataset can have this column."""
        return self.values is not None


def understand(array: pa.Array | pa.ChunkedArray, decimal_comma: bool = False) -> Column:
    """Find out what a column means."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks)
    kind, types = array.type, pa.types
    if types.is_dictionary(kind) and not _is_text(kind.value_type):
        array = array.dictionary_decode()
        kind = array.type
    if types.is_null(kind) or array.null_count == len(array):
        return Column("empty", len(array), 0, "", "It has no values.")
    if types.is_boolean(kind):
        return _yes_no(array.to_numpy(zero_copy_only=False), array.is_valid().to_numpy(zero_copy_only=False))
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return _number(*_numpy(array))
    if types.is_date(kind) or types.is_timestamp(kind):
        return _date(_days(array), _example(array))
    if types.is_time(kind) or types.is_duration(kind):
        return _time(array)
    if _is_text(kind) or types.is_dictionary(kind):
        return _text(array, decimal_comma)
    missing = array.null_count
    return Column("other", missing, 0, "", "It holds lists, records or binary data, which cannot be perturbed.")


def _is_text(kind: pa.DataType) -> bool:
    types = pa.types
    return types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind) or types.is_large_binary(kind)


def _numpy(array: pa.Array) -> tuple[np.ndarray, int]:
    """Return float64, or int64 where that loses nothing, and the number of missing values."""
    exact = pa.types.is_integer(array.type) and not pa.types.is_uint64(array.type)
    if exact and not array.null_count:
        return array.cast(pa.int64()).to_numpy(zero_copy_only=False).copy(), 0
    values = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False).astype(float)
    return values, int(np.isnan(values).sum())


def _number(values: np.ndarray, missing: int, note: str = "", unit: str = "", example: str = "") -> Column:
    infinite = 0
    if values.dtype.kind == "f":
        endless = np.isinf(values)
        infinite = int(endless.sum())
        if infinite:
            values = np.where(endless, np.nan, values)
            missing += infinite
            note = _joined(note, f"{_many(infinite, 'infinite value')} counted as missing.")
    there = values[~np.isnan(values)] if missing else values
    if not there.size:
        return Column("empty", missing, 0, "", _joined(note, "It has no finite values."))
    distinct = len(pc.unique(pa.array(there)))
    example = example or f"{there[0]:,.6g}"
    with np.errstate(over="ignore", invalid="ignore"):
        spread = float(np.var(there, dtype=float))
    if distinct == 1 or spread == 0:
        return Column("constant", missing, distinct, example, _joined(note, "It has the same value in every row."))
    if not np.isfinite(spread):
        return Column("number", missing, distinct, example, _joined(note, "Its values are too large to compute with."))
    if values.dtype.kind == "i" and values.size >= 20 and (np.diff(values) == 1).all():
        note = _joined(note, "It looks like a row number.")
    return Column("number", missing, distinct, example, note, values, unit)


def _date(days: np.ndarray, example: str, note: str = "") -> Column:
    column = _number(days, int(np.isnan(days).sum()), unit="days since 1970-01-01", example=example)
    if column.kind != "number":
        return Column(column.kind, column.missing, column.distinct, example, column.note)
    note = _joined("Dates are used as the number of days since 1970-01-01.", note)
    return Column("date", column.missing, column.distinct, example, note, days, column.unit)


def _time(array: pa.Array) -> Column:
    duration = pa.types.is_duration(array.type)
    fine = array.cast(pa.duration("us") if duration else pa.time64("us"), safe=False)
    seconds = pc.divide(fine.cast(pa.int64()).cast(pa.float64()), 1e6)
    unit = "seconds" if duration else "seconds since midnight"
    values, missing = _numpy(seconds)
    column = _number(values, missing, f"Times are used as {unit}.", unit, _example(array))
    kind = "time" if column.usable else column.kind
    return Column(kind, column.missing, column.distinct, column.example, column.note, column.values, unit)


def _days(array: pa.Array) -> np.ndarray:
    # Through microseconds: an hour is kept, and the year 9999 still fits.
    moments = array.cast(pa.timestamp("us", tz=getattr(array.type, "tz", None)), safe=False)
    return _numpy(moments.cast(pa.int64()))[0] / 86_400e6


def _text(array: pa.Array, decimal_comma: bool) -> Column:
    """Look at the different texts rather than at the rows: there are usually far fewer of them."""
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    texts = array.dictionary
    if not pa.types.is_string(texts.type):
        try:
            texts = texts.cast(pa.string())
        except pa.ArrowInvalid:
            return Column("other", array.null_count, 0, "", "It holds binary data, which cannot be perturbed.")
    codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    texts = pc.utf8_trim_whitespace(texts)
    words = pc.is_in(texts, pa.array(MISSING_WORDS)).fill_null(True).to_numpy(zero_copy_only=False)
    codes = np.where((codes >= 0) & ~words[codes], codes, -1) if len(texts) else codes
    counts = np.bincount(codes[codes >= 0], minlength=len(texts))
    used = np.flatnonzero(counts)
    if not used.size:
        return Column("empty", len(codes), 0, "", "It has no values.")
    renumbered = np.full(len(texts) + 1, -1)
    renumbered[used] = np.arange(used.size)
    return _meaning(texts.take(pa.array(used)), renumbered[codes], counts[used], decimal_comma)


def _meaning(texts: pa.Array, codes: np.ndarray, counts: np.ndarray, decimal_comma: bool) -> Column:
    answers = set(pc.utf8_lower(texts[:8]).to_pylist()) if len(texts) <= 8 else set()
    for yes, no in _YES_NO:
        if answers == {yes, no}:
            true = (pc.utf8_lower(texts).to_numpy(zero_copy_only=False) == yes).astype(bool)
            return _yes_no(true[codes], codes >= 0)
    example = clean(texts[int(codes[codes >= 0][0])].as_py(), 40)
    few, of = texts[:SAMPLE], counts[:SAMPLE]
    for parse, finish in ((parse_numbers, _finish_number), (parse_dates, _finish_date)):
        # A glance at the first texts spares two million sentences the full treatment.
        if len(texts) > SAMPLE and not _mostly(parse(few, of, decimal_comma), of, 0.5):
            continue
        parsed = parse(texts, counts, decimal_comma)
        if _mostly(parsed, counts, TOLERANCE):
            return finish(parsed, texts, codes, counts, example)
    return _category(texts, codes, counts, example)


def _mostly(parsed: Parsed | None, counts: np.ndarray, share: float) -> bool:
    return parsed is not None and counts[~np.isnan(parsed.values)].sum() >= share * counts.sum()


def _finish_number(parsed: Parsed, texts: pa.Array, codes: np.ndarray, counts: np.ndarray, example: str) -> Column:
    values = np.append(parsed.values, np.nan)[codes]
    note = _joined(parsed.note, _misfits(parsed.values, texts, counts, "a number"))
    return _number(values, int(np.isnan(values).sum()), note, parsed.unit, example)


def _finish_date(parsed: Parsed, texts: pa.Array, codes: np.ndarray, counts: np.ndarray, example: str) -> Column:
    values = np.append(parsed.values, np.nan)[codes]
    return _date(values, example, _joined(parsed.note, _misfits(parsed.values, texts, counts, "a date")))


def _misfits(values: np.ndarray, texts: pa.Array, counts: np.ndarray, what: str) -> str:
    odd = np.flatnonzero(np.isnan(values))
    if not odd.size:
        return ""
    which = clean(texts[int(odd[0])].as_py(), 30)
    many = _many(int(counts[odd].sum()), "value")
    return f"{many} counted as missing for not being {what}, such as '{which}'."


def _yes_no(true: np.ndarray, there: np.ndarray) -> Column:
    codes = np.where(there, true.astype(bool), -1).astype(np.int8)
    missing, distinct = int((codes < 0).sum()), len(set(np.unique(codes)) - {-1})
    example = "yes" if codes[codes >= 0][0] else "no"
    if distinct == 1:
        return Column("constant", missing, 1, example, "It has the same value in every row.")
    values = pd.Categorical.from_codes(codes, pd.Index(["no", "yes"], dtype=object))
    return Column("yes/no", missing, distinct, example, "Used as a category.", values)


def _category(texts: pa.Array, codes: np.ndarray, counts: np.ndarray, example: str) -> Column:
    missing, present = int((codes < 0).sum()), int(counts.sum())
    # Trimming may have made texts equal, so that the dictionary can be longer than what it distinguishes.
    distinct = len(pc.unique(texts))
    if distinct == 1:
        return Column("constant", missing, 1, example, "It has the same value in every row.")
    if distinct == present:
        return Column("identifier", missing, distinct, example, "It differs in every row, so nothing is shared.")
    if distinct > MOST_CATEGORIES or (distinct > 20 and distinct > present / 2):
        note = f"It has {spaced(distinct)} different texts in {spaced(present)} rows: too many for categories."
        return Column("text", missing, distinct, example, note)
    if pc.max(pc.utf8_length(texts)).as_py() > LONGEST_LABEL:
        return Column("text", missing, distinct, example, "Its texts are too long for categories.")
    labels = [clean(text, LONGEST_LABEL) or "(blank)" for text in texts.to_pylist()]
    names = sorted(set(labels))
    place = {name: i for i, name in enumerate(names)}
    recoded = np.array([*(place[label] for label in labels), -1])[codes]
    if len(names) == 1:
        return Column("constant", missing, 1, example, "It has the same value in every row.")
    values = pd.Categorical.from_codes(recoded, pd.Index(names, dtype=object))
    return Column("category", missing, len(names), example, "", values)


def _example(array: pa.Array) -> str:
    try:
        return clean(array.drop_null()[0].as_py(), 40)
    except (ValueError, OverflowError, pa.ArrowException):
        # A moment beyond the year 9999 is a fine number of days, but no Python date.
        return ""


def _joined(*sentences: str) -> str:
    return " ".join(s for s in sentences if s)


def _many(count: int, noun: str) -> str:
    return f"1 {noun} is" if count == 1 else f"{spaced(count)} {noun}s are"
