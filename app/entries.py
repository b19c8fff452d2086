"""The fields of a requirement, and numbers as people type them."""

from typing import Any

LARGEST = 1e15


def number(value: Any) -> float:
    """A number that is not negative; a sentence otherwise."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise ValueError("Type a number, such as 5 or 0.4.") from None
    if not 0 <= found <= LARGEST:
        raise ValueError("Type a number that is 0 or more.")
    return found


def percentage(value: Any) -> float:
    """Per cent as a share; a sentence otherwise."""
    found = number(value)
    if found > 100:
        raise ValueError("Type per cent: a number from 0 to 100.")
    return found / 100


def number_text(value: float) -> str:
    """A number as it stands in a field."""
    return f"{value:.10g}"


def number_field(name: str, label: str, value: str, unit: str = "") -> dict:
    """A number to type."""
    return {"name": name, "label": label, "value": value, "unit": unit}


def choice_field(name: str, label: str, value: str, options) -> dict:
    """One of a list of (value, text)."""
    return {"name": name, "label": label, "value": value, "options": [list(one) for one in options]}
