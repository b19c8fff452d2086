"""Tables as files."""

import re

import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of a formula


def csv(table: pd.DataFrame) -> str:
    """A table as CSV, every digit of it; texts that a spreadsheet would run as a formula are kept from it."""
    safe = table.copy()
    safe.columns = [_harmless(str(name)) for name in table.columns]
    for name in safe:
        if not pd.api.types.is_numeric_dtype(safe[name]):
            safe[name] = safe[name].map(lambda value: _harmless(value) if isinstance(value, str) else value)
    return safe.to_csv(index=False, lineterminator="\n")


def file_name(title: str) -> str:
    """A title as the stem of a file's name: "Every coalition" is every-coalition."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
