"""A column that was understood, and how each kind of values becomes one."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute as pc

from trustscope.datasets.gaps import Values
from trustscope.datasets.texts import clean, has_hidden, joined, many, spaced, spaced_real

MOST_CATEGORIES = 1000
LONGEST_LABEL = 200
SAME = "It has the same value in every row."
DAYS = "days since 1970-01-01"


@dataclass(frozen=True)
class Column:
    """A column understood.

    Parameters
    ----------
    kind : str
        One of those listed in ``datasets.kinds``.
    missing, distinct : int
        How many rows have no value, and how many different values the others have.
    example : str
        One value, fit to be shown.
    reason : str
        A sentence that says why it is of this kind.
    note : str
        What else there is to tell, for one why it cannot be used.
    values : numpy.ndarray, pandas.Categorical or None
        Numbers (NaN where missing), moments (``datetime64[us]``, NaT where missing) or labels; None if the
        column cannot be used.
    unit : str
        The unit that the values themselves carry, such as "$".
    """

    kind: str
    missing: int
    distinct: int
    example: str
    reason: str
    note: str = ""
    values: Values | None = None
    unit: str = ""

    @property
    def usable(self) -> bool:
        """Whether a dataset can have this column."""
        return self.values is not None


def empty(rows: int, note: str = "It has no values.") -> Column:
    """A column without any values."""
    return Column("empty", rows, 0, "", note, note)


def constant(missing: int, example: str, note: str = "") -> Column:
    """A column with one value throughout."""
    return Column("constant", missing, 1, example, SAME, joined(note, SAME))


def number(
    values: np.ndarray,
    reason: str = "Its values are numbers.",
    note: str = "",
    unit: str = "",
    example: str = "",
    distinct: int | None = None,
) -> Column:
    """A column of numbers; infinities count as missing."""
    missing = 0
    if values.dtype.kind == "f":
        infinite = int(np.isinf(values).sum())
        if infinite:
            values = np.where(np.isinf(values), np.nan, values)
            note = joined(note, f"{many(infinite, 'infinite value')} counted as missing.")
        missing = int(np.isnan(values).sum())
    there = values[~np.isnan(values)] if missing else values
    if not there.size:
        return empty(missing, joined(note, "It has no finite values."))
    if distinct is None:
        distinct = len(pc.unique(pa.array(there)))
    example = example or spaced_real(there[0])
    with np.errstate(over="ignore", invalid="ignore"):
        spread = float(np.var(there, dtype=float))
    if distinct == 1 or spread == 0:
        return constant(missing, example, note)
    if not np.isfinite(spread):
        note = joined(note, "Its values are too large to compute with.")
        return Column("number", missing, distinct, example, reason, note)
    return Column("number", missing, distinct, example, reason, note, values, unit)


def date(moments: np.ndarray, example: str, note: str = "") -> Column:
    """A column of dates, with or without a time of day."""
    gaps = np.isnat(moments)
    there = moments[~gaps]
    if not there.size:
        return empty(len(moments))
    distinct = len(pc.unique(pa.array(there)))
    if distinct == 1:
        return constant(int(gaps.sum()), example, note)
    return Column("date", int(gaps.sum()), distinct, example, "Its values are dates.", note, moments)


def days(moments: np.ndarray) -> np.ndarray:
    """Days since 1970-01-01 as real numbers, NaN where missing."""
    gaps = np.isnat(moments)
    return np.where(gaps, np.nan, (moments - np.datetime64(0, "us")) / np.timedelta64(1, "D"))


def yes_no(true: np.ndarray, there: np.ndarray) -> Column:
    """A column of yes and no."""
    codes = np.where(there, true.astype(bool), -1).astype(np.int8)
    if not (codes >= 0).any():
        return empty(len(codes))
    missing, distinct = int((codes < 0).sum()), len(set(np.unique(codes)) - {-1})
    example = "yes" if codes[codes >= 0][0] else "no"
    if distinct == 1:
        return constant(missing, example)
    values = pd.Categorical.from_codes(codes, pd.Index(["no", "yes"], dtype=object))
    return Column("yes/no", missing, distinct, example, "Its values are yes and no.", "Used as a category.", values)


def category(
    texts: pa.Array, codes: np.ndarray, example: str, reason: str = "", note: str = "", in_order: bool = False
) -> Column:
    """A column of labels: `codes` are places in `texts`, -1 where missing; `in_order` keeps the labels as they stand.

    Labels that look alike when they are shown become one.
    """
    missing, distinct = int((codes < 0).sum()), len(pc.unique(texts))
    if not distinct:
        return empty(len(codes))
    if distinct == 1:
        return constant(missing, example, note)
    if distinct > MOST_CATEGORIES:
        present = spaced(len(codes) - missing)
        more = f"It has {spaced(distinct)} different values in {present} rows: too many for categories."
        return Column("text", missing, distinct, example, more, joined(note, more))
    if pc.max(pc.utf8_length(texts)).as_py() > LONGEST_LABEL:
        more = "Its texts are too long for categories."
        return Column("text", missing, distinct, example, more, joined(note, more))
    raw = texts.to_pylist()
    labels = [clean(text, LONGEST_LABEL) or "(blank)" for text in raw]
    if any(has_hidden(text, LONGEST_LABEL) for text in raw):
        note = joined(note, "Invisible characters were taken out of its labels.")
    names = list(dict.fromkeys(labels)) if in_order else sorted(set(labels))
    if len(names) == 1:
        return constant(missing, example, note)
    place = {name: i for i, name in enumerate(names)}
    recoded = np.array([*(place[label] for label in labels), -1])[codes]
    values = pd.Categorical.from_codes(recoded, pd.Index(names, dtype=object))
    reason = reason or f"It has {spaced(len(names))} different texts, and they repeat."
    return Column("category", missing, len(names), example, reason, note, values)
