"""Numbers and dates that are written as text.

Both parsers take the different texts of a column with their counts, trimmed, and return float values with NaN
where a text does not fit, or None if nothing does. All of it is vectorised: a column can have two million
different texts.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute as pc

_SPACE = " \u00a0\u2009\u202f"
_MONEY = "$€£¥₹"
_SIGN = r"[+-]?"
_EXPONENT = r"([eE][+-]?\d{1,3})?"


def _pattern(thousands: str, decimal: str) -> str:
    grouped = "|".join(rf"\d{{1,3}}({mark}\d{{3}})+" for mark in (thousands, f"[{_SPACE}]", "['’]", "_"))
    return rf"^{_SIGN}((\d+|{grouped})({decimal}\d*)?|{decimal}\d+){_EXPONENT}$"


_POINT = _pattern(",", r"\.")
_COMMA = _pattern(r"\.", ",")
_ENDLESS = r"(?i)^[+-]?(inf|infinity|∞)$"

_DATE_FORMATS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
)
# Two parts, of which the second may be missing: "31.12.2020", " 12:30".
_DATE_AND_TIME = r"^(?P<date>.*?)(?P<time>[T ]\d{1,2}:\d{2}[^T]*)?$"
_TIME = r"^[T ](?P<h>\d{1,2}):(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d(?:\.\d{1,9})?))?(?: ?(?P<half>[AaPp])[Mm])?$"
# More days than that are no dates but hostile: they would take five hundred years, and minutes to read.
MOST_DAYS = 200_000
_MIRRORED = {"%d/%m/%Y": "%m/%d/%Y", "%d-%m-%Y": "%m-%d-%Y", "%d/%m/%y": "%m/%d/%y"}


@dataclass(frozen=True)
class Parsed:
    """Values of the different texts, and what to tell about how they were read.

    `ambiguous` says that another way of reading them fits as well and gives other values.
    """

    values: np.ndarray
    note: str = ""
    unit: str = ""
    ambiguous: bool = False


def parse_numbers(texts: pa.Array, counts: np.ndarray, decimal_comma: bool = False) -> Parsed | None:
    """Read numbers with thousands separators, decimal commas, a currency sign, a percent sign or brackets.

    The whole column decides between "1,234.5" and "1.234,5". If every value can be read both ways ("1,234"),
    `decimal_comma` decides, and the note says how it was read.
    """
    bare, sign = _without_unit(texts)
    if bare is None:
        return None
    point, comma = _matches(bare, _POINT), _matches(bare, _COMMA)
    endless = _matches(bare, _ENDLESS)
    by_point, by_comma = counts[point].sum(), counts[comma].sum()
    if not by_point and not by_comma:
        return None
    use_comma = by_comma > by_point or (by_comma == by_point and decimal_comma)
    fits = comma if use_comma else point
    plain = pc.if_else(pa.array(fits), bare, None)
    plain = pc.replace_substring_regex(plain, rf"[{_SPACE}'’_+]" if use_comma else rf"[{_SPACE}'’_+,]", "")
    if use_comma:
        plain = pc.replace_substring(pc.replace_substring(plain, ".", ""), ",", ".")
    # An explicit plus sign of the exponent went with the others; Arrow reads 1e5 for 1e+5.
    values = plain.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(float)
    if endless.any():
        negative = pc.starts_with(bare, "-").to_numpy(zero_copy_only=False)
        values = np.where(endless, np.where(negative, -np.inf, np.inf), values)
    return Parsed(values, _number_note(bare, fits, use_comma, by_point == by_comma), sign)


def _without_unit(texts: pa.Array) -> tuple[pa.Array | None, str]:
    """Take off brackets, currency and percent signs; None if different ones are mixed."""
    bare = pc.replace_substring(texts, "−", "-")
    bare = pc.replace_substring_regex(bare, r"^\((.*)\)$", r"-\1")
    found = set()
    for sign in (*_MONEY, "%"):
        if pc.any(pc.match_substring(bare, sign)).as_py():
            found.add(sign)
    if not found:
        return bare, ""
    # Half of a column in per cent, or in another currency, is not one scale.
    unsigned = pc.and_(pc.match_substring_regex(bare, r"\d"), pc.invert(pc.match_substring(bare, "%")))
    if len(found) > 1 or (found == {"%"} and pc.any(unsigned).as_py()):
        return None, ""
    bare = pc.replace_substring_regex(bare, rf"^([+-]?)\s*[{_MONEY}]\s*([+-]?)", r"\1\2")
    bare = pc.replace_substring_regex(bare, rf"\s*[{_MONEY}%]$", "")
    return bare, found.pop()


def _matches(texts: pa.Array, pattern: str) -> np.ndarray:
    found = pc.match_substring_regex(texts, pattern).fill_null(False)
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=bool)


def _number_note(bare: pa.Array, fits: np.ndarray, use_comma: bool, tie: bool) -> str:
    seen = bare.filter(pa.array(fits))
    point, comma = (bool(pc.any(pc.match_substring(seen, mark)).as_py()) for mark in ".,")
    thousands, decimal = (point, comma) if use_comma else (comma, point)
    if tie and (thousands or decimal):
        mark = "," if comma else "."
        reading = "the decimal sign" if decimal else "a separator of thousands"
        return f"The '{mark}' in its numbers could mean two things and was read as {reading}."
    if thousands and decimal:
        return f"Its numbers are written like {'1.234,5' if use_comma else '1,234.5'}."
    if use_comma and decimal:
        return "Its numbers have a decimal comma."
    if thousands or pc.any(pc.match_substring_regex(seen, rf"[{_SPACE}'’_]")).as_py():
        return "Its numbers are written with separators between thousands."
    return ""


def parse_dates(texts: pa.Array, counts: np.ndarray, decimal_comma: bool = False) -> Parsed | None:
    """Read dates in one of the usual ways of writing them, as days since 1970-01-01.

    One format has to fit the column. Where day and month could be swapped throughout, the day is taken to
    come first, the note says so, and the result is marked as ambiguous.
    """
    # The letters of all languages take 14 ms to prepare. They are asked for where some text would be a date with
    # anything but digits in their place, and is none with the letters from A to Z.
    likely, most = (_matches(texts, _date_shape(letter)) for letter in ("[A-Za-z]", r"\D"))
    if (likely != most).any() and counts[most].sum() >= 0.9 * counts.sum():
        likely = _matches(texts, _date_shape(r"\p{L}"))
    if counts[likely].sum() < 0.9 * counts.sum():
        return None
    # There are far fewer days than moments, and looking up a way of writing them takes long: each day once.
    parts = pc.extract_regex(pc.if_else(pa.array(likely), texts, None), _DATE_AND_TIME)
    dates = pc.struct_field(parts, "date").dictionary_encode()
    if len(dates.dictionary) > MOST_DAYS:
        return None
    fractions = _fractions(pc.struct_field(parts, "time"))
    places = dates.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    sample = dates.dictionary[:50].to_pylist()
    best: tuple[str, np.ndarray] | None = None
    share = 0
    for layout in _DATE_FORMATS:
        if _fitting(sample, layout) <= 0.9 * len(sample):
            continue
        days = np.append(_days(dates.dictionary, layout), np.nan)[places] + fractions
        fitting = counts[~np.isnan(days)].sum()
        if fitting > share:
            best, share = (layout, days), fitting
    if best is None:
        return None
    layout, days = best
    mirror = _MIRRORED.get(layout)
    if mirror:
        swapped = np.append(_days(dates.dictionary, mirror), np.nan)[places] + fractions
        as_good = counts[~np.isnan(swapped)].sum() == share
        if as_good and not np.array_equal(days, swapped, equal_nan=True):
            return Parsed(days, "Day and month could be swapped; the day was taken to come first.", ambiguous=True)
    return Parsed(days)


def _date_shape(letter: str) -> str:
    year_first = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
    year_last = rf"\d{{1,2}}[-/. ](\d{{1,2}}|{letter}{{3,9}})[-/. ]\d{{2,4}}"
    return rf"^({year_first}|{year_last}|{letter}{{3,9}} \d{{1,2}}, \d{{4}})([T ].*)?$"


def _fitting(sample: list[str], layout: str) -> int:
    return int(pd.to_datetime(pd.Series(sample, dtype=object), format=layout, errors="coerce").notna().sum())


def _days(texts: pa.Array, layout: str) -> np.ndarray:
    moments = pd.to_datetime(pd.Series(texts.to_pylist(), dtype=object), format=layout, errors="coerce")
    microseconds = moments.to_numpy().astype("datetime64[us]")
    days = (microseconds - np.datetime64(0, "us")) / np.timedelta64(1, "D")
    return np.where(np.isnat(microseconds), np.nan, days)


def _fractions(texts: pa.Array) -> np.ndarray:
    """Times of day as fractions of a day: 0 where there is none, NaN where it is not one."""
    none = _matches(texts, "^$") | ~texts.is_valid().to_numpy(zero_copy_only=False)
    if none.all():
        return np.zeros(len(texts))
    parts = pc.extract_regex(texts, _TIME)
    hour, minute, second = (_real(pc.struct_field(parts, name)) for name in ("h", "m", "s"))
    half = pc.utf8_lower(pc.struct_field(parts, "half")).fill_null("").to_numpy(zero_copy_only=False)
    hour = np.where(half == "", hour, np.where(hour > 12, np.nan, hour % 12 + 12 * (half == "p")))
    seconds = 3600 * np.where(hour < 24, hour, np.nan) + 60 * minute + np.where(np.isnan(second), 0, second)
    return np.where(none, 0, seconds / 86_400)


def _real(texts: pa.Array) -> np.ndarray:
    there = pc.if_else(pc.equal(texts, ""), None, texts)
    return np.array(there.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=float)
