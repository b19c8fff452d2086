"""What the strongest attacker achieves as a curve over the level of the noise: computed once, read for every coalition.

Figures depend on the copies only through the level s of the one copy that says as much (`engine.attacks.combining`).
They are computed at some levels and read in between, over the trust 1 / (1 + s). A noisier copy cannot help, because
whoever holds the better one can add the noise: so each figure is at least what it is with more noise.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from trustscope.engine.arrays import ArrayLike, Bools, Floats
from trustscope.engine.attacks.optimal.cells import is_common
from trustscope.engine.attacks.optimal.knowledge import Side
from trustscope.engine.attacks.optimal.manners import Manner, RecordManner
from trustscope.engine.attacks.optimal.single import Single
from trustscope.engine.attacks.optimal.strongest import Point, Strongest
from trustscope.engine.threads import one_thread

Reader = Callable[[Floats], Floats]  # of figures, at any trusts

# Trusts at which figures are computed: closer together where little noise is left.
TRUSTS = np.array([
    0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.26, 0.32, 0.38, 0.44, 0.5, 0.56, 0.62, 0.68, 0.74, 0.8, 0.85, 0.89, 0.92, 0.945,
    0.965, 0.98, 0.99, 0.996,
])  # fmt: skip
THREADS = 2
CLEARLY = 0.01  # of all people, by which a linear guess must hit more often to be made
GOALS = (0, 1, 2)  # quarters of the distances of a curve: at these the attacker tries out how to guess
EVERY = 3  # points of which one is tried out on the sample
LINEARLY = Manner((1.0, 1.0), mean=True)  # the best linear guess


def _between(trusts: Floats, figures: Floats) -> Reader:
    """Figures, along the first axis, between the trusts at which they were computed; those of the original exactly."""
    from scipy.interpolate import PchipInterpolator  # a seventh of a second that a release does not need

    between, inner = PchipInterpolator(trusts, figures, axis=0), (1,) * (figures.ndim - 1)

    def read(at: Floats) -> Floats:
        past = np.asarray(at >= trusts[-1])
        return np.asarray(np.where(past.reshape(past.shape + inner), figures[-1], between(at)))

    return read


@dataclass(frozen=True)
class Curve:
    """Figures of one column over the trust of the one copy that says as much as a coalition's.

    Attributes
    ----------
    within : tuple of float
        Distances of a hit, ascending.
    trusts : numpy.ndarray, shape (points,)
        Ascending from 0 (no copy) to 1 (the original).
    hits, hits_error : numpy.ndarray, shape (points, distances)
        Share of the people who are guessed, and its standard error.
    error, error_error : numpy.ndarray, shape (points,)
        Mean square error over the variance of the column.
    references, probes : int
        Records that stood for what is known, and copies that were attacked.
    manners : tuple of tuple of Manner
        How the attacker guesses, for each trust and distance, to hit as often as it says.
    exposed, worst : numpy.ndarray, shape (points, distances)
        Risk of the most exposed hundredth, and of the most exposed value, of those whose value is not common
        (`cells.is_common`), by the column alone.
    records : tuple of tuple of RecordManner
        How each side guesses whole records, for each trust; empty where one column is guessed.
    smooth : tuple of float
        Of a column by itself: by which share it is smoothed for the least error, for each trust.
    """

    within: tuple[float, ...]
    trusts: Floats
    hits: Floats
    hits_error: Floats
    error: Floats
    error_error: Floats
    references: int
    probes: int
    manners: tuple[tuple[Manner, ...], ...]
    exposed: Floats
    worst: Floats
    records: tuple[tuple[RecordManner, ...], ...] = ()
    smooth: tuple[float, ...] = ()

    @cached_property
    def _readers(self) -> dict[tuple[str, int], Reader]:
        return {}

    @cached_property
    def _error(self) -> Reader:
        return _between(self.trusts, self.error)

    def hits_at(self, levels: ArrayLike, within: float) -> Floats:
        """Share of the people guessed to within a distance, for copies of these levels: an array of their shape.

        Distances in between are read off the straight line between their neighbours.
        """
        return self._read("hits", levels, within)

    def exposed_at(self, levels: ArrayLike, within: float) -> Floats:
        """Risk of the most exposed hundredth by the column alone, for copies of these levels."""
        return self._read("exposed", levels, within)

    def worst_at(self, levels: ArrayLike, within: float) -> Floats:
        """Risk of the most exposed value by the column alone, for copies of these levels."""
        return self._read("worst", levels, within)

    def _read(self, what: str, levels: ArrayLike, within: float) -> Floats:
        """A figure at the two distances beside the one that is asked for: at slider rate there is no time for all."""
        low = min(max(bisect_left(self.within, within) - 1, 0), max(len(self.within) - 2, 0))
        if (what, low) not in self._readers:
            self._readers[what, low] = _between(self.trusts, getattr(self, what)[:, low : low + 2])
        found: Floats = np.minimum(np.maximum(self._readers[what, low](trust_of(levels)), 0), 1)
        if len(self.within) == 1:
            return found[..., 0]
        near, far = self.within[low : low + 2]
        part = min(max((within - near) / (far - near), 0.0), 1.0)
        return (1 - part) * found[..., 0] + part * found[..., 1]

    def error_at(self, levels: ArrayLike) -> Floats:
        """Mean square error over the variance, for copies of these levels: an array of their shape."""
        errors: Floats = np.clip(self._error(trust_of(levels)), 0, None)
        return errors

    def manner_at(self, level: float, within: float) -> Manner:
        """How the attacker guesses from copies of this level to within a distance."""
        place = int(np.argmin(np.abs(np.asarray(self.within) - within)))
        return self.manners[int(np.argmin(np.abs(self.trusts - trust_of(level))))][place]

    def record_manners_at(self, level: float) -> tuple[RecordManner, ...]:
        """How each side guesses whole records from copies of this level."""
        return self.records[int(np.argmin(np.abs(self.trusts - trust_of(level))))]

    def doubt_at(self, levels: ArrayLike, within: float) -> Floats:
        """Standard error of the share of hits at these levels."""
        place = int(np.argmin(np.abs(np.asarray(self.within) - within)))
        return np.interp(trust_of(levels), self.trusts, self.hits_error[:, place])


def trust_of(levels: ArrayLike) -> Floats:
    """Trust 1 / (1 + s) of levels; 0 for infinite ones."""
    return 1 / (1 + np.asarray(levels, dtype=float))


def level_of(trusts: ArrayLike) -> Floats:
    """Level s = (1 - t) / t of trusts above 0."""
    given = np.asarray(trusts, dtype=float)
    levels: Floats = (1 - given) / given
    return levels


def single_curve(attacker: Strongest, target: int, within: ArrayLike) -> Curve:
    """The curve of a column by itself: exact, and quick."""
    distances = np.sort(np.atleast_1d(np.asarray(within, dtype=float)))
    hits, errors, exposed, worst, manners, least = [], [], [], [], [], []
    levels = np.array([np.inf, *level_of(TRUSTS)])
    goals = _goals(distances)[:, None]
    smooth = [[attacker.column_smoothing(level, target, goal) for goal in goals] for level in levels[1::EVERY]]
    for place, level in enumerate(levels):
        found, shares, straight = _alone(attacker, level, target, distances, smooth[max(place - 1, 0) // EVERY])
        linear = attacker.linear_hits(level, target, distances)
        # The values, and what a linear guess makes of the other columns; or all linearly, where that is clearly better.
        clearly = linear > found.hits + CLEARLY
        manners.append(tuple(
            LINEARLY if one else Manner((share, 1.0)) for one, share in zip(clearly, shares, strict=True)
        ))  # fmt: skip
        least.append(straight)
        hits.append(np.maximum(found.hits, linear))
        errors.append(found.error / attacker.variance(target))
        rare = [~is_common(found.values, found.shares, d) for d in distances]
        exposed.append([_hundredth(risk, found.shares, mine) for risk, mine in zip(found.risks, rare, strict=True)])
        worst.append([risk[mine].max(initial=0.0) for risk, mine in zip(found.risks, rare, strict=True)])
    made = np.array(hits), 0.0 * np.array(hits), np.array(errors), 0.0 * np.array(errors)
    curve = _curve(distances, *made, attacker, manners[1:], (np.array(exposed), np.array(worst)))
    return replace(curve, smooth=(*least, 0.0))


def _alone(
    attacker: Strongest, level: float, target: int, distances: Floats, smooth: Sequence[tuple[float, ...]]
) -> tuple[Single, list[float], float]:
    """The best guess of one column, for each of the distances in that way of smoothing that hits most often, and the
    shares by which the first side then smooths, the last one for the least error: from few records it is hard to tell
    beforehand."""
    ways = list(dict.fromkeys(smooth))
    found = [attacker.alone(level, target, distances, shares) for shares in ways]
    best = np.argmax([one.hits for one in found], axis=0)
    risks = np.array([found[way].risks[at] for at, way in enumerate(best)])
    least = min(range(len(found)), key=lambda way: found[way].error)
    return replace(found[least], risks=risks), [ways[way][0] for way in best], ways[least][0]


def _goals(distances: Floats) -> Floats:
    """The distances at which the attacker tries out how to guess."""
    return np.array(sorted({distances[len(distances) * part // 4] for part in GOALS}))


def _hundredth(risks: Floats, shares: Floats, mine: Bools) -> float:
    """Risk of the most exposed hundredth among some values, or of all of them if they are fewer."""
    order = np.flatnonzero(mine)[np.argsort(-risks[mine], kind="stable")]
    if not len(order):
        return 0.0
    taken = np.diff(np.minimum(np.cumsum(shares[order]), 0.01), prepend=0.0)
    return float(taken @ risks[order] / taken.sum())


def row_curve(
    attacker: Strongest,
    target: int,
    within: ArrayLike,
    *,
    alone: Curve | None = None,
    progress: Callable[[float], object] = lambda share: None,
) -> Curve:
    """The curve of a column for who sees whole rows, at least what the column alone gives away.

    Parameters
    ----------
    attacker : Strongest
    target : int
    within : array-like, shape (distances,)
    alone : Curve, optional
        `single_curve` of the same, where it is at hand.
    progress : callable
        Told the share that is done; may raise to stop.
    """
    distances = np.sort(np.atleast_1d(np.asarray(within, dtype=float)))
    goals = _goals(distances)
    nearest = [int(np.argmin(np.abs(distance - goals))) for distance in distances]
    levels = level_of(TRUSTS)
    base = single_curve(attacker, target, distances) if alone is None else alone
    if attacker.columns == 1:
        return base
    manners = [
        [tuple(side[goal] for goal in nearest) for side in sides]
        for sides in _manners(attacker, levels, target, goals, progress)
    ]

    def point(place: int) -> Point:
        return attacker.point(levels[place], target, distances, manners[place])

    points = list(_reported(point, len(levels), progress, 0.5))
    hits = np.vstack([base.hits[:1], [one.hits for one in points], base.hits[-1:]])
    hits_error = np.vstack([base.hits_error[:1], [one.hits_error for one in points], base.hits_error[-1:]])
    error = np.concatenate([base.error[:1], [one.error for one in points], base.error[-1:]])
    error_error = np.concatenate([[0.0], [one.error_error for one in points], [0.0]])
    better = hits > base.hits
    made = [
        tuple(one if rows else _by_itself(own, target) for one, own, rows in zip(*beside, strict=True))
        for beside in zip([one[0] for one in manners], base.manners[1:-1], better[1:-1], strict=True)
    ]
    return _curve(
        distances, np.maximum(hits, base.hits)[:-1], np.where(better, hits_error, base.hits_error)[:-1],
        np.minimum(error, base.error)[:-1], np.where(error < base.error, error_error, 0.0)[:-1], attacker,
        made, (base.exposed[:-1], base.worst[:-1]),
    )  # fmt: skip


def _by_itself(manner: Manner, target: int) -> Manner:
    """A manner of the curve of a column by itself, for who sees whole rows: the other columns are not looked at."""
    return manner if manner == LINEARLY else replace(manner, columns=(target,))


@dataclass(frozen=True)
class RecordCurve:
    """Figures of whole records over trusts.

    Attributes
    ----------
    trusts : numpy.ndarray, shape (points,)
        Ascending from 0 to 1.
    errors : numpy.ndarray, shape (points, m)
        Mean square error of the best guess of every column over its variance.
    shares : numpy.ndarray, shape (points,)
        By which the attacker smooths the sample of records, for each trust.
    linear : numpy.ndarray of bool, shape (points, m)
        Where the best linear guess from the moments of the table errs less, and is what the attacker guesses. It does
        where a few records decide on the variance: who knows only some records of others does not know of them.
    alone : numpy.ndarray, shape (points, m)
        By which share a column is smoothed that errs less by itself than with the others; nan where it does not.
    """

    trusts: Floats
    errors: Floats
    shares: Floats
    linear: Bools
    alone: Floats

    @classmethod
    def of(
        cls, trusts: Floats, errors: Floats, shares: Floats, linear: Floats, alone: Floats | None = None
    ) -> "RecordCurve":
        """The curve of who guesses by what is known of others, or linearly with these errors: by what errs less."""
        by_itself = np.full(errors.shape, np.nan) if alone is None else alone
        return cls(trusts, np.minimum(errors, linear), shares, linear < errors, by_itself)

    @cached_property
    def _errors(self) -> Reader:
        return _between(self.trusts, self.errors)

    def share_at(self, level: float) -> float:
        """By which the attacker smooths the sample for copies of this level."""
        return float(self.shares[int(np.argmin(np.abs(self.trusts - trust_of(level))))])

    def linear_at(self, level: float) -> Bools:
        """Of which columns the attacker takes the linear guess, from copies of this level, shape (m,)."""
        found: Bools = self.linear[int(np.argmin(np.abs(self.trusts - trust_of(level))))]
        return found

    def means(self, attacker: Strongest, side: Side, level: float, y: Floats) -> Floats:
        """Guesses that err as little as the curve says, from copies of this level, shape (rows, m)."""
        found = attacker.means(side, level, self.share_at(level), y)
        for column, share in enumerate(self.alone_at(level).tolist()):
            if not np.isnan(share):
                near = np.array([attacker.quarter(column)])
                before = attacker.believed(side, column, near, share)
                found[:, column] = attacker.by_itself(level, column, near, *before).guess(y).means
        if (linear := self.linear_at(level)).any():
            found = np.where(linear, attacker.means(side, level, 1.0, y, attacker.moments), found)
        return found

    def alone_at(self, level: float) -> Floats:
        """By which share a column is smoothed that is guessed by itself, from copies of this level, shape (m,)."""
        found: Floats = self.alone[int(np.argmin(np.abs(self.trusts - trust_of(level))))]
        return found

    def errors_at(self, levels: ArrayLike) -> Floats:
        """Of every column, for copies of these levels, shape (..., m)."""
        return np.asarray(np.clip(self._errors(trust_of(levels)), 0, None))


def record_curve(attacker: Strongest, *, progress: Callable[[float], object] = lambda share: None) -> RecordCurve:
    """The errors of the best guesses of whole records.

    Parameters
    ----------
    attacker : Strongest
    progress : callable
        Told the share that is done; may raise to stop.
    """
    levels = level_of(TRUSTS)
    # Somebody who looks at a column alone knows its values exactly, whatever becomes of them in smoothing.
    quarter = [attacker.quarter(c) for c in range(attacker.columns)]
    single = [single_curve(attacker, c, quarter[c]) for c in range(attacker.columns)]
    best, alone = np.array([one.error for one in single]).T, np.array([one.smooth for one in single]).T
    if attacker.columns == 1:  # the exact way is all there is
        smooth = [attacker.column_smoothing(level, 0, np.array(quarter)) for level in levels[::EVERY]]
    else:
        smooth = [attacker.record_smoothing(level) for level in levels[::EVERY]]

        def point(place: int) -> Floats:
            return attacker.record_errors(levels[place], smooth[place // EVERY])

        errors = np.array(list(_reported(point, len(levels), progress, 0.0, 1.0)))
        alone[1:-1][errors < best[1:-1]] = np.nan
        best[1:-1] = np.minimum(best[1:-1], errors)
    shares = [smooth[place // EVERY][0] for place in range(len(levels))]
    linear = np.array([best[0], *map(attacker.linear_errors, levels), 0 * best[0]])
    return RecordCurve.of(
        np.array([0.0, *TRUSTS, 1.0]), np.minimum.accumulate(best, axis=0),
        np.array([shares[0], *shares, shares[-1]]), linear, alone,
    )  # fmt: skip


def breach_curve(
    attacker: Strongest, eps: float, kind: str, without: float, progress: Callable[[float], object] = lambda share: None
) -> Curve:
    """The share of records that the best guess of all columns breaches, as the curve of one distance.

    Parameters
    ----------
    attacker : Strongest
    eps, kind : float, str
        When a record is breached (`engine.measures.breached`).
    without : float
        What is breached without any copy.
    progress : callable
    """
    levels = level_of(TRUSTS)
    some = [attacker.record_manners(level, eps, kind) for level in levels[::EVERY]]
    manners = [some[place // EVERY] for place in range(len(levels))]

    def point(place: int) -> float:
        return attacker.record_hits(levels[place], eps, kind, manners[place])

    hits = np.array([[without], *([one] for one in _reported(point, len(levels), progress, 0.0, 1.0))])
    probes = sum(len(side.people) for side in attacker.sides)
    spread = np.sqrt(np.maximum(hits * (1 - hits), 0.0) / probes)
    curve = _curve(np.array([eps]), hits, spread, np.ones(len(hits)), np.zeros(len(hits)), attacker)
    return replace(curve, records=(manners[0], *manners, manners[-1]))


def _manners(
    attacker: Strongest, levels: Floats, target: int, goals: Floats, progress: Callable[[float], object]
) -> list[list[tuple[Manner, ...]]]:
    """How each side guesses at each level, for each of the distances that it goes for: what does best on the sample
    there and at the levels beside it, so that chance in the sample decides less."""
    some = levels[1::EVERY]
    tried = list(_reported(
        lambda place: [attacker.rehearse(side, some[place], target, goals) for side in attacker.sides],
        len(some), progress, 0.0,
    ))  # fmt: skip
    chosen = []
    for place in range(len(some)):
        near = range(max(place - 1, 0), min(place + 2, len(some)))
        totals = [
            {one: tried[place][side][one] + sum(tried[at][side][one] for at in near) for one in tried[place][side]}
            for side in range(len(attacker.sides))
        ]
        chosen.append([
            tuple(max(total, key=lambda one: float(total[one][goal])) for goal in range(len(goals))) for total in totals
        ])  # fmt: skip
    return [chosen[min(place // EVERY, len(chosen) - 1)] for place in range(len(levels))]


_T = TypeVar("_T")


def _reported(
    function: Callable[[int], _T], number: int, progress: Callable[[float], object], start: float, share: float = 0.5
) -> Iterator[_T]:
    """function(0), function(1) ... in threads, with progress said after each.

    Each works with matrices of its own on one core: threads of BLAS beside them would only wait for one another, which
    took three times as long.
    """
    with one_thread("blas"), ThreadPoolExecutor(THREADS) as pool:
        tasks = [pool.submit(function, place) for place in range(number)]
        try:
            for place, task in enumerate(tasks):
                yield task.result()
                progress(start + share * (place + 1) / number)
        finally:
            for task in tasks:
                task.cancel()


def _curve(
    distances: Floats,
    hits: Floats,
    hits_error: Floats,
    error: Floats,
    error_error: Floats,
    attacker: Strongest,
    manners: Sequence[tuple[Manner, ...]] | None = None,
    exposed: tuple[Floats, Floats] | None = None,
) -> Curve:
    """The curve with its end, the original, made monotone."""
    one = np.ones((1, len(distances)))
    # A column by itself: its values as they are, and nothing of the others.
    inner = [(Manner((0.0, 1.0)),) * len(distances)] * len(TRUSTS) if manners is None else manners
    return Curve(
        within=tuple(distances.tolist()),
        trusts=np.array([0.0, *TRUSTS, 1.0]),
        hits=np.maximum.accumulate(np.vstack([hits, one]), axis=0),
        hits_error=np.vstack([hits_error, 0 * one]),
        error=np.minimum.accumulate(np.concatenate([error, [0.0]])),
        error_error=np.concatenate([error_error, [0.0]]),
        references=len(attacker.sides[0].references),
        probes=sum(len(side.people) for side in attacker.sides),
        manners=(inner[0], *inner, inner[-1]),
        exposed=np.vstack([0 * hits if exposed is None else exposed[0], one]),
        worst=np.vstack([0 * hits if exposed is None else exposed[1], one]),
    )
