"""What each coalition of recipients can do with the copies that are out.

All copies lie on one path, so a coalition knows as much as the holder of its best copy (Theorem 4 of Li et al. 2012,
Theorem 1 of Xiao et al. 2009): of numbers the most trusted, of categories the one with the highest retention.
"""

import itertools
from dataclasses import dataclass

from trustscope.engine.attacks import llse
from trustscope.release.grid import cost
from trustscope.release.recipe import level

# Up to so many recipients every coalition is listed; beyond, each one alone, and all together.
MOST_LISTED = 6


@dataclass(frozen=True)
class Coalition:
    """What some recipients together know.

    Attributes
    ----------
    members : tuple of str
    trust, retention : int or None
        Of the best copies among theirs, in thousandths.
    error : float or None
        Error of the best linear guess of a number, in units of its variance: 0 is the data, 1 the mean alone.
    wrong : float or None
        Share of records whose category in the best copy is not the true one.
    rounding : float or None
        Most that rounding may have hidden from the best copy alone and pooling may bring back, in units of the
        variance; the error stays what it is.
    """

    members: tuple
    trust: int | None
    retention: int | None
    error: float | None
    wrong: float | None
    rounding: float | None


def table(recipe, holders):
    """All coalitions, or each recipient and all together where there are many.

    Parameters
    ----------
    recipe : Recipe
    holders : dict of str to list of (int or None, int or None)
        Settings of the copies that each recipient holds.

    Returns
    -------
    list of Coalition
        Small ones first.
    """
    names = list(holders)
    if len(names) <= MOST_LISTED:
        groups = [group for size in range(1, len(names) + 1) for group in itertools.combinations(names, size)]
    else:
        groups = [(name,) for name in names] + [tuple(names)]
    return [one(recipe, group, [setting for name in group for setting in holders[name]]) for group in groups]


def one(recipe, members, settings):
    """What the holders of copies at these settings know together."""
    trust = max((trust for trust, _ in settings if trust), default=None)
    retention = max((retention for _, retention in settings if retention), default=None)
    error = rounding = wrong = None
    if trust:
        error = llse.expected_error([level(t) for t, _ in settings if t])
        rounding = max(
            cost(grid, deviation, level(trust)) for grid, deviation in zip(recipe.grids, recipe.deviations, strict=True)
        )
    if retention:
        wrong = (1 - retention / 1000) * (1 - 1 / recipe.size)
    return Coalition(tuple(members), trust, retention, error, wrong, rounding)
