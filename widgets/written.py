"""Numbers as they are written for people, read back, and what lies between two of them."""

import re

GAP = "\u202f"  # between thousands, and before a per cent sign
MINUS = "−"
_NUMBER = re.compile(
    rf"^([{MINUS}+-]?\d{{1,3}}(?:[{GAP}]\d{{3}})+|[{MINUS}+-]?\d+)?(\.\d+)?(e[{MINUS}+-]?\d+)?(?:[\s{GAP}]*(%|points))?$"
)


def as_number(text) -> tuple[float, str] | None:
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
    both = as_number(now), as_number(then)
    if None in both or both[0][1] != both[1][1]:
        return ""
    by = both[0][0] - both[1][0]
    digits = max(_digits(now), _digits(then))
    text = f"{by:+.{digits}f}".replace("-", MINUS)
    if not text.strip(f"+{MINUS}0."):
        return "the same"
    unit = {"%": " points", "points": " points"}.get(both[0][1], "")
    return f"{text}{unit}"


def _digits(text: str) -> int:
    found = re.search(r"\.(\d+)", text)
    return len(found[1]) if found else 0
