"""Kinds of checks that many records use, and how numbers are written in them."""

import numpy as np

from trustscope.scenarios.papers.record import CONFIRMED, Check
from trustscope.scenarios.words import plain

SPREADS = 5.0  # chance alone exceeds so many standard errors less than once in a million comparisons


def near(claim, printed, figure, *, within, unit="", expected=CONFIRMED, show=plain):
    """A number that should agree with the printed one.

    Parameters
    ----------
    printed : float
    figure : takes the table; gives our number, or None where the table cannot tell
    within : largest difference that counts as agreement
    """

    def measure(table):
        value = figure(table)
        return None if value is None else (f"{show(value)}{unit}", abs(value - printed) <= within)

    return Check(claim, f"{show(printed)}{unit}", measure, f"± {plain(within)}{unit}", expected)


def holds(claim, printed, measure, tolerance, expected=CONFIRMED):
    """A claim without a number: `measure` gives (what was found, in words; whether it holds)."""
    return Check(claim, printed, measure, tolerance, expected)


def agrees(table, measured, theory, *spreads):
    """The largest distance of a measured column from theory, in standard errors, over rows where both are known."""
    known = table[[measured, theory, *spreads]].dropna()
    if known.empty:
        return None
    spread = np.sqrt(sum(known[s] ** 2 for s in spreads))
    worst = float(((known[measured] - known[theory]).abs() / spread.where(spread > 0, np.inf)).max())
    return f"at most {worst:.1f} standard errors apart", worst < SPREADS


def rising(values, slack=0.01) -> bool:
    """Whether no value is below the one before by more than a hundredth of it, which is left to chance."""
    values = np.asarray(values, dtype=float)
    return bool(np.all(np.diff(values) >= -slack * np.abs(values[:-1])))


def falling(values, slack=0.01) -> bool:
    """Whether no value is above the one before by more than a hundredth of it, which is left to chance."""
    return rising(-np.asarray(values, dtype=float), slack)


def ends(values) -> str:
    """The first and the last value, in words."""
    values = list(values)
    return f"{plain(values[0])} to {plain(values[-1])}"
