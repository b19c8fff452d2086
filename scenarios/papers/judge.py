"""Kinds of checks that many records use, and how numbers are written in them."""

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd

from trustscope.engine.arrays import ArrayLike
from trustscope.scenarios.papers.record import CONFIRMED, Check, Finder, Finding
from trustscope.scenarios.words import plain

SPREADS = 5.0  # chance alone exceeds so many standard errors less than once in a million comparisons


def near(
    claim: str,
    printed: float,
    figure: Callable[[pd.DataFrame], float | None],
    *,
    within: float,
    unit: str = "",
    expected: str = CONFIRMED,
    show: Callable[[float], str] = plain,
) -> Check:
    """A number that should agree with the printed one.

    Parameters
    ----------
    printed : float
    figure : takes the table; gives our number, or None where the table cannot tell
    within : largest difference that counts as agreement
    """

    def measure(table: pd.DataFrame) -> Finding:
        value = figure(table)
        return None if value is None else (f"{show(value)}{unit}", abs(value - printed) <= within)

    return Check(claim, f"{show(printed)}{unit}", measure, f"± {plain(within)}{unit}", expected)


def holds(claim: str, printed: str, measure: Finder, tolerance: str, expected: str = CONFIRMED) -> Check:
    """A claim without a number: `measure` gives (what was found, in words; whether it holds)."""
    return Check(claim, printed, measure, tolerance, expected)


def agrees(table: pd.DataFrame, measured: str, theory: str, *spreads: str) -> Finding:
    """The largest distance of a measured column from theory, in standard errors, over rows where both are known."""
    known = table[[measured, theory, *spreads]].dropna()
    if known.empty:
        return None
    spread = np.sqrt((known[list(spreads)] ** 2).sum(axis=1).to_numpy())
    worst = float(((known[measured] - known[theory]).abs() / np.where(spread > 0, spread, np.inf)).max())
    return f"at most {worst:.1f} standard errors apart", worst < SPREADS


def rising(values: ArrayLike, slack: float = 0.01) -> bool:
    """Whether no value is below the one before by more than a hundredth of it, which is left to chance."""
    values = np.asarray(values, dtype=float)
    return bool(np.all(np.diff(values) >= -slack * np.abs(values[:-1])))


def falling(values: ArrayLike, slack: float = 0.01) -> bool:
    """Whether no value is above the one before by more than a hundredth of it, which is left to chance."""
    return rising(-np.asarray(values, dtype=float), slack)


def ends(values: Iterable[float]) -> str:
    """The first and the last value, in words."""
    values = list(values)
    return f"{plain(values[0])} to {plain(values[-1])}"
