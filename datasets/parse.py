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
_TIME_FORMATS = (
    "",
    " %H:%M",
    " %H:%M:%S",
    "T%H:%M:%S",
    " %H:%M:%S.%f",
    "T%H:%M:%S.%f",
    " %I:%M %p",
    " %I:%M:%S %p",
)
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
    return pc.match_substring_regex(texts, pattern).fill_null(False).to_numpy(zero_copy_only=False).astype(bool)


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
    shape = r"^(\d{1,4}[-/. ](\d{1,2}|\p{L}{3,9})[-/. ]\d{2,4}|\p{L}{3,9} \d{1,2}, \d{4})([T ].*)?$"
    likely = _matches(texts, shape)
    if counts[likely].sum() < 0.9 * counts.sum():
        return None
    sample = texts.filter(pa.array(likely))[:50].to_pylist()
    best: tuple[str, str, np.ndarray] | None = None
    share = 0
    for date in _DATE_FORMATS:
        for time in _TIME_FORMATS:
            if _fitting(sample, date + time) <= 0.9 * len(sample):
                continue
            days = _days(texts, date + time)
            fitting = counts[~np.isnan(days)].sum()
            if fitting > share:
                best, share = (date, time, days), fitting
    if best is None:
        return None
    date, time, days = best
    mirror = _MIRRORED.get(date)
    if mirror and counts[~np.isnan(_days(texts, mirror + time))].sum() == share:
        swapped = _days(texts, mirror + time)
        if not np.array_equal(days, swapped, equal_nan=True):
            return Parsed(days, "Day and month could be swapped; the day was taken to come first.", ambiguous=True)
    return Parsed(days)


def _fitting(sample: list[str], layout: str) -> int:
    return int(pd.to_datetime(pd.Series(sample, dtype=object), format=layout, errors="coerce").notna().sum())


def _days(texts: pa.Array, layout: str) -> np.ndarray:
    moments = pd.to_datetime(pd.Series(texts.to_pylist(), dtype=object), format=layout, errors="coerce")
    microseconds = moments.to_numpy().astype("datetime64[us]")
    days = (microseconds - np.datetime64(0, "us")) / np.timedelta64(1, "D")
    return np.where(np.isnat(microseconds), np.nan, days)
