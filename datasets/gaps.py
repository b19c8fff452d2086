"""Missing values: where they are, and how many rows they cost."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from trustscope.datasets.texts import spaced

Values = np.ndarray | pd.Categorical  # of a column: numbers and moments, or labels
_NAMED = 6  # columns that a sentence names before it only counts the others


@dataclass(frozen=True)
class LeftOut:
    """The rows that would be left out for missing values.

    Parameters
    ----------
    rows : int
        How many would be left out; a row with two gaps counts once.
    of : int
        How many there are.
    columns : mapping of str to int
        The columns with gaps, the one with most first, and the rows without a value in each.
    """

    rows: int
    of: int
    columns: Mapping[str, int]

    @property
    def sentence(self) -> str:
        """Say it, such as "5 879 of 50 000 rows will be left out because of: Income (5 000), Age (879)."."""
        if not self.rows:
            return f"All {spaced(self.of)} rows are complete, and none will be left out."
        named = [f"{name} ({spaced(count)})" for name, count in list(self.columns.items())[:_NAMED]]
        more = len(self.columns) - _NAMED
        if more > 0:
            named.append(f"{spaced(more)} more columns" if more > 1 else "1 more column")
        return f"{spaced(self.rows)} of {spaced(self.of)} rows will be left out because of: {', '.join(named)}."


def left_out(gaps: Mapping[str, np.ndarray], rows: int) -> LeftOut:
    """Count the rows with a gap in any of the columns, and in each."""
    counts = {name: int(gap.sum()) for name, gap in gaps.items()}
    ordered = sorted((name for name in counts if counts[name]), key=lambda name: -counts[name])
    any_gap = np.zeros(rows, dtype=bool)
    for name in ordered:
        any_gap |= gaps[name]
    return LeftOut(int(any_gap.sum()), rows, {name: counts[name] for name in ordered})


def gaps_of(values: Values) -> np.ndarray:
    """Tell for each row whether its value is missing."""
    if isinstance(values, pd.Categorical):
        return np.asarray(values.codes) < 0
    if values.dtype.kind == "M":
        return np.isnat(values)
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.size, dtype=bool)


def tight(values: Values) -> Values:
    """Drop labels that no row has: they would still count as part of the domain."""
    return values.remove_unused_categories() if isinstance(values, pd.Categorical) else values


def is_constant(values: Values) -> bool:
    """Tell whether all values that are there are the same, or none is there."""
    there = values[~gaps_of(values)]
    if isinstance(there, pd.Categorical):
        return len(np.unique(there.codes)) < 2
    return bool(there.size == 0 or (there == there[0]).all())


def without_constants(values: Mapping[str, Values]) -> tuple[dict[str, Values], list[str]]:
    """Leaving out rows can leave a column with a single value, which is of no more use than a constant.

    Returns
    -------
    kept : dict
    notes : list of str
        A sentence for each column that was left aside.
    """
    kept: dict[str, Values] = {}
    notes = []
    for name, column in values.items():
        if is_constant(column):
            notes.append(f"The column '{name}' has the same value in all rows that are left, and was left aside.")
        else:
            kept[name] = column
    return kept, notes
