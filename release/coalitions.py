"""What each coalition of recipients can do with the copies that are out.

All copies lie on one path, so a coalition knows as much as the holder of its best copy (Theorem 4 of Li et al. 2012,
Theorem 1 of Xiao et al. 2009): of numbers the most trusted, of categories the one with the highest retention.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trustscope.engine.attacks import llse
from trustscope.release.grid import cost
from trustscope.release.recipe import Recipe, level
from trustscope.release.types import Setting

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
        Error of the best linear guess of a number, in units of its variance: 0 is the data, 1 the mean alone. The
        strongest attacker does at least as well (`risk`).
    rounding : float or None
        Most that rounding may have hidden from the best copy alone and pooling may bring back, in units of the
        variance; the error stays what it is.
    """

    members: tuple[str, ...]
    trust: int | None
    retention: int | None
    error: float | None
    rounding: float | None


def table(recipe: Recipe, holders: Mapping[str, Sequence[Setting]]) -> list[Coalition]:
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
    groups: list[tuple[str, ...]]
    if len(names) <= MOST_LISTED:
        groups = [group for size in range(1, len(names) + 1) for group in itertools.combinations(names, size)]
    else:
        groups = [(name,) for name in names] + [tuple(names)]
    return [coalition_of(recipe, group, [setting for name in group for setting in holders[name]]) for group in groups]


def best_setting(settings: Iterable[Setting]) -> Setting:
    """The setting that tells as much as copies at all of these: the highest trust, and the highest retention."""
    trust = max((trust for trust, _ in settings if trust), default=None)
    retention = max((retention for _, retention in settings if retention), default=None)
    return trust, retention


def possible_settings(settings: Iterable[Setting]) -> list[Setting]:
    """The settings that coalitions of those with copies at these can have: two of them bring the best of each kind."""
    every = list(dict.fromkeys(settings))
    return list(dict.fromkeys(best_setting(two) for two in itertools.combinations_with_replacement(every, 2)))


def distinct_settings(holders: Mapping[str, Sequence[Setting]]) -> list[tuple[Setting, tuple[str, ...]]]:
    """The settings that coalitions can have, and which holders have each by themselves; that of all together first.
    Where these have more than `MOST_LISTED` different ones, only theirs and that of all together.

    Parameters
    ----------
    holders : dict of str to list of (int or None, int or None)

    Returns
    -------
    list of ((int or None, int or None), tuple of str)
        Holders are missing where only several together have a setting.
    """
    alone: dict[Setting, list[str]] = {}
    for name, settings in holders.items():
        alone.setdefault(best_setting(settings), []).append(name)
    everyone = best_setting([setting for settings in holders.values() for setting in settings])
    every = possible_settings(alone) if len(alone) <= MOST_LISTED else list(alone)
    order = sorted(every, key=lambda one: [-(value or 0) for value in one])
    return [(setting, tuple(alone.get(setting, ()))) for setting in dict.fromkeys([everyone, *order])] if alone else []


def coalition_of(recipe: Recipe, members: Iterable[str], settings: Sequence[Setting]) -> Coalition:
    """What the holders of copies at these settings know together."""
    trust, retention = best_setting(settings)
    error = rounding = None
    if trust:
        error = llse.expected_error([level(t) for t, _ in settings if t])
        rounding = max(
            cost(grid, deviation, level(trust)) for grid, deviation in zip(recipe.grids, recipe.deviations, strict=True)
        )
    return Coalition(tuple(members), trust, retention, error, rounding)
