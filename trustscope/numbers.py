"""Every number that a person reads is written here: units, per cents, digits that count, thin spaces.

Every room may know it. What is written can be read back, and compared.
"""

import math
import re
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
GAP = "\u202f"  # between thousands, and before a per cent sign: narrow, and no line breaks there
MINUS = "−"


def share(value: float) -> str:
    """A fraction as a percentage: whole where that says enough, never "0 %" for what is not nothing, nor
    "100 %" for what is not all."""
    per_cent = 100 * value
    if 0 < per_cent < 0.05:
        return "< 0.1 %"
    if 99.5 <= per_cent < 100:
        return "> 99 %"
    if per_cent < 10 and abs(per_cent - round(per_cent)) > 0.05:
        return f"{per_cent:.1f} %"
    return f"{per_cent:.0f} %"


def unbroken(text: str) -> str:
    """The text, in which no line ends between a number and its per cent sign."""
    return text.replace(" %", f"{GAP}%")


def count(number: int) -> str:
    """100 000, with thin gaps that no line breaks at."""
    return f"{number:,}".replace(",", GAP).replace("-", MINUS)


def _decimals(size: float) -> int:
    """How many decimals give about three significant digits."""
    return 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 4


def plain(number: float) -> str:
    """About three significant digits; powers of ten only where a person cannot do without.

    What has no bound is ∞, and what there is not a dash: any figure may be one of them.
    """
    if not math.isfinite(number):
        return _number(float(number))
    size = abs(number)
    if size == 0 or 1e-3 <= size < 1e15:
        text = f"{number:.{_decimals(size)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return count(int(text)) if size >= 1000 else text.replace("-", "−")
    if 1e-4 <= size < 1e-3:
        return f"{number:.2g}".replace("-", "−")
    digits, power = f"{number:.1e}".split("e")
    return f"{digits.removesuffix('.0')} · 10{str(int(power)).translate(RAISED)}".replace("-", "−")


def alike(numbers: Iterable[float]) -> list[str]:
    """Numbers that are compared with one another, all with as many decimals as the one in the middle needs.

    Where these are not all of one kind, some tiny and some huge, each is written by itself.
    """
    numbers = [float(number) for number in numbers]
    sizes = sorted(abs(number) for number in numbers if number)
    if not sizes or sizes[0] < 1e-3 or sizes[-1] >= 1e5:
        return [plain(number) for number in numbers]
    decimals = _decimals(sizes[len(sizes) // 2])
    texts = [f"{number:,.{decimals}f}" for number in numbers]
    if all("." in text and not text.rpartition(".")[2].strip("0") for text in texts):  # whole numbers need none
        texts = [text.partition(".")[0] for text in texts]
    return [_unsigned(text).replace(",", GAP).replace("-", "−") for text in texts]


def _unsigned(text: str) -> str:
    """Without the sign of what has been rounded to nothing."""
    return text.removeprefix("-") if not text.strip("-0.,") else text


def format_number(value: float, *, share: bool = False) -> str:
    """A number for a sentence: three digits that count, thin spaces between thousands, shares in per cent."""
    if not math.isfinite(value):
        return "unknown"
    if share:
        return f"{format_number(100 * value)}{GAP}%"
    places = 0 if value == 0 else max(2 - math.floor(math.log10(abs(value))), 0)
    text = f"{value:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text).replace(",", GAP).replace("-", "−")


# In tables


def cell(value: Any) -> str:
    """A value of a table: numbers with four digits that count, "yes" and "no", and a dash for what there is not."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if isinstance(value, Integral):
        return count(int(value))
    if isinstance(value, Real):
        return _number(float(value))
    return "–" if value is None or type(value).__name__ == "NAType" else str(value)


def _number(value: float) -> str:
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value and not 1e-4 <= abs(value) < 1e7:
        return f"{value:.3g}".replace("-", "−")
    return f"{value:.4g}".replace("-", MINUS) if abs(value) < 1000 else count(round(value))


def of_unit(value: Any, unit: str) -> str:
    """A figure as it is read: shares in per cent."""
    if unit == "share" and isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
        found = float(value)
        return f"{100 * found:.1f} %" if 0.001 <= abs(found) < 0.999 else share(found)
    return f"{cell(value)} {unit}".strip()


# Read back

_NUMBER = re.compile(
    rf"^([{MINUS}+-]?\d{{1,3}}(?:[{GAP}]\d{{3}})+|[{MINUS}+-]?\d+)?(\.\d+)?(e[{MINUS}+-]?\d+)?(?:[\s{GAP}]*(%|points))?$"
)


def as_number(text: object) -> tuple[float, str] | None:
    """The number and its unit ("%", "points" or nothing) that a text is; None where it is anything else.

    >>> as_number("1\u202f234")
    (1234.0, '')
    >>> as_number("33 %")
    (33.0, '%')
    """
    found = _NUMBER.match(text.strip()) if isinstance(text, str) else None
    if found is None or not (found[1] or found[2]):
        return None
    whole, part, power, unit = (found[i] or "" for i in range(1, 5))
    return float((whole + part + power).replace(GAP, "").replace(MINUS, "-")), unit


def difference(now: str, then: str) -> str:
    """How far one written number lies from another of the same unit: "+18 points"; nothing where neither can be told.

    >>> difference("51 %", "33 %")
    '+18 points'
    """
    here, there = as_number(now), as_number(then)
    if here is None or there is None or here[1] != there[1]:
        return ""
    by = here[0] - there[0]
    digits = max(_digits(now), _digits(then))
    text = f"{by:+.{digits}f}".replace("-", MINUS)
    if not text.strip(f"+{MINUS}0."):
        return "the same"
    unit = {"%": " points", "points": " points"}.get(here[1], "")
    return f"{text}{unit}"


def _digits(text: str) -> int:
    found = re.search(r"\.(\d+)", text)
    return len(found[1]) if found else 0
