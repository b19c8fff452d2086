"""What one recipient's copy says of all values: as it was, as released, as estimated back."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from trustscope.engine import utility
from trustscope.engine.arrays import Floats
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.result import Held
from trustscope.scenarios.categories.scenario import retention
from trustscope.scenarios.coalition import Recipient

MOST = 30  # values listed; the others are put together


@dataclass(frozen=True)
class Shares:
    """The rows of the distribution.

    Attributes
    ----------
    labels : tuple of str
    true, released : arrays, shape (rows,)
    ranges : array, shape (rows, 3)
        Low, estimate, high, between 0 and 1 where chance takes the estimate further.
    flagged : int
        The row of the value looked at.
    drawn : int
        Rows that have bars: the last one, all other values together, would dwarf them.
    inside : int
        How many of the ranges of all values hold the true share.
    table : DataFrame
        Of all values.
    """

    labels: tuple[str, ...]
    true: np.ndarray
    released: np.ndarray
    ranges: np.ndarray
    flagged: int
    drawn: int
    inside: int
    table: pd.DataFrame


def shares(model: Model, held: Held, original: Held, recipient: Recipient, value: int) -> Shares:
    """The distribution in one recipient's copy."""
    size, p = model.size, retention(recipient)
    # A preview's rows are a sample of all.
    table = utility.frequencies(as_copy(held.counts), size, p, population=held.rows < original.rows)
    true = original.counts / original.rows
    inside = int(((table["low"] <= true + 1e-12) & (table["high"] >= true - 1e-12)).sum())
    listed, labels, rows, shown = _listed(model, table, held, true, p, value)
    return Shares(
        tuple(labels), shown, rows["released"].to_numpy(), rows[["low", "estimate", "high"]].clip(0, 1).to_numpy(),
        listed.index(value), len(listed), inside, table,
    )  # fmt: skip


def _listed(
    model: Model, table: pd.DataFrame, held: Held, true: Floats, p: float, value: int
) -> tuple[list[int], Sequence[str], pd.DataFrame, Floats]:
    """All values, or the most frequent ones, the one looked at, and all others as one."""
    size, labels = model.size, model.column.labels
    if size <= MOST:
        return list(range(size)), labels, table, true
    listed = sorted({*np.argsort(-true, kind="stable")[:MOST].tolist(), value}, key=lambda c: -true[c])
    rest = np.setdiff1d(np.arange(size), listed)
    found = utility.count(as_copy(held.counts), size, p, rest)
    other = {"released": found.seen / held.rows}
    other |= {name: getattr(found, name) / held.rows for name in ("estimate", "low", "high")}
    rows = pd.concat([table.iloc[listed], pd.DataFrame([other])], ignore_index=True)
    names = [*(labels[code] for code in listed), f"{len(rest)} others"]
    return listed, names, rows, np.array([*true[listed], true[rest].sum()])


def as_copy(counts: np.ndarray) -> np.ndarray:
    """A copy with these counts; the order of its rows is lost, and does not matter to who only counts."""
    return np.repeat(np.arange(len(counts)), counts)
