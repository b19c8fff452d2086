"""What a column of numbers has that noise does not hide: values that many share, values far from all others, tails.

The noise of a copy is as wide as the column's standard deviation times the root of the level. Whoever lies several
standard deviations from everybody else is recognised in every copy, and a value that many share is guessed without
any. A trait counts such people and suggests a step, if one helps.
"""

from dataclasses import dataclass, replace

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.preparation.risk import suggested, worst_risk
from trustscope.engine.preparation.steps import Step

KINDS = ("few", "zeros", "spike", "far", "tail", "heaped")
FEW = 20  # different values, at most, of a column that is better released as categories
REPEATED = 5  # times that each of them comes up on average
MANY_ZEROS = 0.2  # share of zeros that is worth a sentence
SPIKE = 0.1  # share of people with one value; also at least `ABOVE` times what its neighbours have
ABOVE = 5
NEIGHBOURS = 5  # different values on either side of a spike that it is compared with
GAP = 2.0  # standard deviations without anybody that make those beyond them far
FEW_PEOPLE = 0.05  # share of people, at most, who can be far from the others
TAIL = 4.0  # standard deviations; a normal has 6 in 100 000 beyond them
TAIL_RATIO = 20  # times as many as a normal has make a tail
EXPOSED = 0.6  # risk of the most exposed person that makes a tail worth a sentence; a normal column has 0.45
HEAPED = 0.6  # share of values on a grid that makes the others stand out
GRIDS = (5.0, 10.0, 50.0, 100.0, 500.0, 1_000.0, 5_000.0, 10_000.0)


@dataclass(frozen=True)
class Trait:
    """Something that a column has.

    Attributes
    ----------
    kind : str
        Of `KINDS`.
    people : int
        How many it is about.
    share : float
        Of all people.
    value : float
        The value that most of them have; for a tail, the farthest one; for a heap, the grid.
    different : int
        How many different values they have: 1 where all of them share one.
    gap : float
        How far it is from there to anybody else, in the column's unit; 0 where that is not what it is about.
    reach : float
        How far the farthest of them is from the mean, in standard deviations.
    side : str
        "top" or "bottom" of those at an end; empty otherwise.
    suggestion : Step or None
    risk, after : float
        Of those at an end: the chance that the most exposed person is guessed (`risk.worst_risk`), now and after the
        step.
    """

    kind: str
    people: int
    share: float
    value: float
    different: int = 1
    gap: float = 0.0
    reach: float = 0.0
    side: str = ""
    suggestion: Step | None = None
    risk: float = 0.0
    after: float = 0.0


@dataclass(frozen=True)
class Effect:
    """What steps did to a column.

    Attributes
    ----------
    changed : float
        The share of people whose value is another one.
    mean, sd : tuple of float
        Before and after.
    reach : tuple of float
        How far the farthest person is from the mean, in standard deviations, before and after.
    far : tuple of int
        People who are far from all others, before and after.
    risk : tuple of float
        The chance that the most exposed person is guessed (`risk.worst_risk`), before and after.
    """

    changed: float
    mean: tuple[float, float]
    sd: tuple[float, float]
    reach: tuple[float, float]
    far: tuple[int, int]
    risk: tuple[float, float]


def traits(column: ArrayLike) -> tuple[Trait, ...]:
    """What there is to say of a column of numbers before noise is added; nothing where noise serves it well.

    Parameters
    ----------
    column : array-like, shape (rows,)
        Gaps (nan) are left out.

    Returns
    -------
    tuple of Trait
        The most pressing first.
    """
    counted = _Counted.of(column)
    if counted is None:
        return ()
    if len(counted.values) <= FEW and counted.people >= REPEATED * len(counted.values):
        return (_few(counted),)
    found = (*_ends(counted), _zeros(counted), _spike(counted), _heaped(counted))
    return tuple(one for one in found if one is not None)


def effect(before: ArrayLike, after: ArrayLike) -> Effect:
    """What steps did to a column; both of shape (rows,), in the same order."""
    first, second = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    there = ~np.isnan(first)
    first, second = first[there], second[there]
    return Effect(
        changed=float(np.mean(first != second)),
        mean=(float(first.mean()), float(second.mean())),
        sd=(float(first.std()), float(second.std())),
        reach=(_reach(first), _reach(second)),
        far=(_far_people(first), _far_people(second)),
        risk=(worst_risk(first), worst_risk(second)),
    )


@dataclass(frozen=True, eq=False)
class _Counted:
    """The different values of a column, ascending, and how many have each."""

    values: Floats
    counts: Integers
    mean: float
    sd: float

    @classmethod
    def of(cls, column: ArrayLike) -> "_Counted | None":
        """None where there is nothing to tell apart."""
        x = np.asarray(column, dtype=float)
        x = x[np.isfinite(x)]
        values, counts = np.unique(x, return_counts=True)
        if len(values) < 2:
            return None
        return cls(values, counts, float(x.mean()), float(x.std()))

    @property
    def people(self) -> int:
        return int(self.counts.sum())

    @property
    def rows(self) -> Floats:
        """The column again, in order."""
        return np.repeat(self.values, self.counts)

    def reach(self, value: float) -> float:
        return abs(value - self.mean) / self.sd


def _few(counted: _Counted) -> Trait:
    most = int(np.argmax(counted.counts))
    share = float(counted.counts[most] / counted.people)
    return Trait(
        "few", counted.people, share, float(counted.values[most]), len(counted.values), suggestion=Step("categories")
    )


def _zeros(counted: _Counted) -> Trait | None:
    place = int(np.searchsorted(counted.values, 0.0))
    if place == len(counted.values) or counted.values[place] != 0:
        return None
    people = int(counted.counts[place])
    share = people / counted.people
    if share < MANY_ZEROS:
        return None
    return Trait("zeros", people, share, 0.0, gap=_nearest(counted, place, place), suggestion=Step("categories"))


def _spike(counted: _Counted) -> Trait | None:
    """The value, other than 0, that most people have, where it rises above its neighbours."""
    candidates = np.where(counted.values == 0, 0, counted.counts)
    place = int(np.argmax(candidates))
    around = counted.counts[max(0, place - NEIGHBOURS) : place + NEIGHBOURS + 1]
    others = (around.sum() - candidates[place]) / max(1, len(around) - 1)
    share = float(candidates[place] / counted.people)
    if share < SPIKE or candidates[place] < ABOVE * others:
        return None
    value = float(counted.values[place])
    return Trait(
        "spike", int(candidates[place]), share, value, gap=_nearest(counted, place, place), reach=counted.reach(value),
        suggestion=Step("categories"),
    )  # fmt: skip


def _ends(counted: _Counted) -> list[Trait]:
    """People far from everybody else, at either end; a tail where nobody is cut off from the others."""
    found = []
    for side in ("top", "bottom"):
        one = _far(counted, side) or _tail(counted, side)
        if one is not None:
            found.append(_with_suggestion(counted, one))
    exposed = [one for one in found if one.kind == "far" or one.risk >= EXPOSED]
    return sorted(exposed, key=lambda trait: -trait.reach)


def _with_suggestion(counted: _Counted, trait: Trait) -> Trait:
    """The trait with the step that helps most, and what it does to the risk."""
    rows = counted.rows
    positive = trait.side == "top" and counted.values[0] >= 0
    step, after = suggested(rows, trait.side, _unit(rows) if positive else None)
    if step is None and np.mean(rows == 0) >= MANY_ZEROS:  # most have nothing: that is what the column says
        step = Step("categories")
    return replace(trait, suggestion=step, risk=worst_risk(rows), after=after)


def _far(counted: _Counted, side: str) -> Trait | None:
    """Those beyond the innermost wide gap that leaves few people on its far side."""
    group = _beyond_gap(counted, side)
    if group is None:
        return None
    chosen = slice(group, None) if side == "top" else slice(None, group)
    values, counts = counted.values[chosen], counted.counts[chosen]
    people, extreme = int(counts.sum()), float(values[-1] if side == "top" else values[0])
    low, high = (group, len(counted.values) - 1) if side == "top" else (0, group - 1)
    return Trait(
        "far", people, people / counted.people, float(values[int(np.argmax(counts))]), len(values),
        gap=_nearest(counted, low, high), reach=counted.reach(extreme), side=side,
    )  # fmt: skip


def _beyond_gap(counted: _Counted, side: str) -> int | None:
    """The place among the different values where the far ones begin (top) or end (bottom)."""
    wide = np.flatnonzero(np.diff(counted.values) >= GAP * counted.sd) + 1
    below = np.cumsum(counted.counts)[wide - 1]
    outside = counted.people - below if side == "top" else below
    few = wide[outside <= FEW_PEOPLE * counted.people]
    if not few.size:
        return None
    return int(few[0] if side == "top" else few[-1])


def _tail(counted: _Counted, side: str) -> Trait | None:
    away = (counted.values - counted.mean) / counted.sd * (1 if side == "top" else -1)
    beyond = away > TAIL
    people = int(counted.counts[beyond].sum())
    if people <= TAIL_RATIO * 3.2e-5 * counted.people or people < 2:
        return None
    place = int(np.argmax(away))
    return Trait(
        "tail", people, people / counted.people, float(counted.values[place]), int(beyond.sum()),
        reach=float(away[place]), side=side,
    )  # fmt: skip


def _unit(rows: Floats) -> float:
    """A power of ten below most values that are not 0: what is smaller than it counts as nothing."""
    there = np.abs(rows[rows != 0])
    return float(10.0 ** np.floor(np.log10(np.quantile(there, 0.1)))) if there.size else 1.0


def _heaped(counted: _Counted) -> Trait | None:
    """Most values are multiples of a round number, so that the others stand out by their last digits."""
    there = counted.values != 0
    values, counts = counted.values[there], counted.counts[there]
    for grid in reversed(GRIDS):
        if grid > counted.sd:
            continue
        on = np.isclose(values / grid, np.round(values / grid), rtol=0, atol=1e-9)
        share = counts[on].sum() / counts.sum()
        if share >= HEAPED:
            if share == 1:
                return None
            stray = int(counts[~on].sum())
            return Trait(
                "heaped", stray, stray / counted.people, grid, int((~on).sum()), suggestion=Step("round", grid=grid)
            )
    return None


def _nearest(counted: _Counted, low: int, high: int) -> float:
    """From the values between two places to the nearest other one."""
    gaps = []
    if low > 0:
        gaps.append(counted.values[low] - counted.values[low - 1])
    if high < len(counted.values) - 1:
        gaps.append(counted.values[high + 1] - counted.values[high])
    return float(min(gaps)) if gaps else 0.0


def _reach(values: Floats) -> float:
    spread = values.std()
    return float(np.abs(values - values.mean()).max() / spread) if spread > 0 else 0.0


def _far_people(values: Floats) -> int:
    """People at either end who are far from everybody else."""
    counted = _Counted.of(values)
    if counted is None:
        return 0
    far = (_far(counted, side) for side in ("top", "bottom"))
    return sum(one.people for one in far if one is not None)
