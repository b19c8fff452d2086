"""The strongest attacker: what the best guess achieves, measured on the data, for any level of noise.

Whatever copies a coalition holds, under whichever scheme, they act as one copy of a certain level s
(`engine.attacks.combining.effective_level`). So all that the best attacker can do with a given table, given knowledge
and a given shape of the noise is a function of s alone.

The attacker knows the records of other people and nothing of those who are attacked (`Knowledge`), sees the copy, and
guesses by the posterior of `mixture`. How far the sample is smoothed the attacker finds out on the sample itself, for
the figure that is wanted. The people who are attacked are not in the sample, and every figure is measured on them: it
is what the attack achieves, whether or not the posterior was right.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Bools, Floats, Integers
from trustscope.engine.attacks.optimal.cells import Cells, cells_of
from trustscope.engine.attacks.optimal.knowledge import ENOUGH, Knowledge, Limits, Side
from trustscope.engine.attacks.optimal.manners import (
    CLEARLY,
    FEWER,
    FEWER_SMOOTHING,
    FINER,
    SMOOTHING,
    TELLING,
    Manner,
    RecordManner,
    classes_of,
    is_within,
    looked_at,
    most_telling,
)
from trustscope.engine.attacks.optimal.mixture import Moments, Windows, mixture_of, moments_of
from trustscope.engine.attacks.optimal.single import ByItself, Single, single, smoothed
from trustscope.engine.measures import breach_rate, normal_breach
from trustscope.engine.noise import factor

TARGET = (0.0, 0.08, 0.25, 0.5, 1.0)  # the same for a column alone
RECORD = (0.0, 0.12, 0.25, 0.45, 0.7, 1.0)  # of all columns alike, where all are guessed at once
FEWEST = 8  # people in a sample below which it tells nothing but mean and covariance
PARTS = 3  # into which a small sample is parted, so that all of its people are tried on
SMALL = 2_000  # people of whom none is left out: each half of them is attacked by who knows the other
VALUES = 512  # values that stand for those of all people, where there are more
ENDS = 32  # of them, the least and the greatest, which stand for themselves
FEW = 64  # that stand for all others at least, where many values repeat often
KEPT = 32  # columns with their distances, of which is kept what depends on no copy

_Asked = tuple[int, tuple[float, ...]]  # a column and distances


@dataclass(frozen=True)
class Point:
    """What the best guess of one column achieves at one level of noise.

    Attributes
    ----------
    hits, hits_error : numpy.ndarray, shape (distances,)
        Share of the people whose value is guessed to within each distance, and its standard error.
    error, error_error : float
        Mean square error of the conditional mean over the column's variance, and its standard error, for who goes for
        hits; who goes for a small error may smooth otherwise (`Strongest.choose_error`).
    """

    hits: Floats
    hits_error: Floats
    error: float
    error_error: float


@dataclass(frozen=True)
class _Column:
    """One column by itself: the values that one side believes possible with their shares, and those that the people
    whom it does not know have."""

    cells: Cells
    believed: Floats
    values: Floats
    shares: Floats

    @cached_property
    def _smooth(self) -> dict[float, Floats]:
        return {}

    def smooth(self, share: float) -> Floats:
        """What is believed, smoothed: the same at every level of noise."""
        if share not in self._smooth:
            self._smooth[share] = smoothed(self.cells, self.believed, share)
        return self._smooth[share]


class Strongest:
    """The strongest attacker on one table.

    Parameters
    ----------
    values : array-like, shape (rows, m)
    shape : array-like, shape (m, m), optional
        Covariance of the noise at level 1; by default the data's own.
    knowledge : Knowledge, optional
    key : int
        Decides who is in the sample, who is attacked, and the noise.
    limits : Limits, optional
    """

    def __init__(
        self,
        values: ArrayLike,
        *,
        shape: ArrayLike | None = None,
        knowledge: Knowledge | None = None,
        key: int = 0,
        limits: Limits | None = None,
    ) -> None:
        self.values = _table(values)
        self.knowledge, self.limits, self.key = knowledge or Knowledge(), limits or Limits(), key
        self.rows, self.columns = self.values.shape
        self.moments = moments_of(self.values)
        own = self.moments.covariance
        self.shape = own if shape is None else np.atleast_2d(np.asarray(shape, dtype=float))
        if self.shape.shape != own.shape:
            raise ValueError(f"The shape of the noise must be {own.shape} for these columns, not {self.shape.shape}.")
        self._factor = factor(self.shape)
        self.sides = tuple(self._side(place, *who) for place, who in enumerate(self._people()))
        self._looked_at: dict[_Asked, tuple[_Column, ...]] = {}
        self._rehearsed: dict[_Asked, tuple[_Column | float, ...]] = {}
        self._smoothed: dict[float, tuple[float, ...]] = {}  # by level: curves of errors and of hits ask for the same

    def _people(self) -> list[tuple[Integers, Integers]]:
        """Who is known, and who is attacked; small tables are gone through twice, so that nobody is left out."""
        order = keys.rng(self.key, "optimal", "people").permutation(self.rows)
        if self.knowledge.everybody:
            return [(order, self._repeated(order)[: self.limits.attacked(self.rows)])]
        size = self.rows // 2 if self.knowledge.sample is None else self.knowledge.sample
        size = int(np.clip(size, 1, self.rows - 1))
        if self.rows > SMALL:
            return [(order[:size], order[size:][: self.limits.probes])]
        half = self.rows - self.rows // 2
        first, second = order[:half], order[half:]
        return [(second[:size], self._repeated(first)), (first[:size], self._repeated(second))]

    def _repeated(self, people: Integers) -> Integers:
        if self.rows > SMALL:
            return people[: self.limits.probes]
        return np.tile(people, -(-self.limits.drawn // self.rows))

    def _side(self, place: int, known: Integers, attacked: Integers) -> Side:
        sample = self.values[known]
        # The moments of few records would be singular.
        few = self.knowledge.everybody or len(sample) < ENOUGH * self.columns
        normals = keys.rng(self.key, "optimal", "noise", place).standard_normal((len(attacked), self.columns))
        limit = len(sample) if self.knowledge.everybody else self.limits.references
        moments = self.moments if few else moments_of(sample)
        return Side(sample, sample[:limit], known[:limit], known, attacked, normals, moments)

    # What is seen

    def noise(self, level: float) -> Floats:
        """Covariance of what a copy of this level leaves open, shape (m, m): none where a column is known."""
        noise = level * self.shape
        known = list(self.knowledge.columns)
        if known:
            # Whoever knows a value knows the noise on it, and with it part of the noise on the others.
            noise = noise - self._regression() @ noise[known]
            noise[known] = 0.0
            noise[:, known] = 0.0
        return noise

    def _regression(self) -> Floats:
        """Of the noise on all columns on that of the known ones, shape (m, known)."""
        known = list(self.knowledge.columns)
        return self.shape[:, known] @ np.linalg.pinv(self.shape[np.ix_(known, known)])

    def seen(self, x: Floats, normals: Floats, level: float) -> Floats:
        """What the attacker makes of copies of these records before guessing."""
        return x + self.without_known(np.sqrt(level) * normals @ self._factor.T)

    def without_known(self, noise: Floats) -> Floats:
        """Noise on records less what is known of it, because some columns are known."""
        known = list(self.knowledge.columns)
        if not known:
            return noise
        left = noise - noise[:, known] @ self._regression().T
        left[:, known] = 0.0
        return left

    # One column

    def point(
        self, level: float, target: int, within: ArrayLike, manners: Sequence[Sequence[Manner]] | None = None
    ) -> Point:
        """What the best guess of one column achieves, from copies of whole rows.

        Parameters
        ----------
        level : float
            Of the noise, above 0 and finite.
        target : int
        within : array-like, shape (distances,)
            Distances of a hit.
        manners : sequence of sequence of Manner, optional
            How to guess, for each of the sides and distances; by default what does best on the sample for the first
            distance. The error is that of the manner of the middle one.
        """
        distances = np.atleast_1d(np.asarray(within, dtype=float))
        close, off = [], []
        for place, side in enumerate(self.sides):
            mine = manners[place] if manners else [self.choose(side, level, target, distances[:1])] * len(distances)
            truth, y = self.values[side.people, target], self.seen(self.values[side.people], side.normals, level)
            hit = np.empty((len(truth), len(distances)))
            for manner in dict.fromkeys(mine):
                some = [at for at, one in enumerate(mine) if one == manner]
                found = self.attack(side, level, target, distances[some], manner).guess(y)
                right = is_within(manner.guesses(found), truth[:, None], distances[some])
                # Who has everybody's records is right as often as the posterior says: that is known more exactly.
                hit[:, some] = found.chances if self.knowledge.everybody else right
                if manner == mine[len(mine) // 2]:
                    off.append((found.means - truth) ** 2 / self.variance(target))
            close.append(hit)
        hit, square = np.concatenate(close), np.concatenate(off)
        hits = hit.mean(axis=0)
        return Point(
            hits,
            hit.std(axis=0) / np.sqrt(len(hit)),
            float(square.mean()),
            float(square.std() / np.sqrt(len(square))),
        )

    def attack(self, side: Side, level: float, target: int, within: Floats, manner: Manner) -> Windows | ByItself:
        """The attack on one column, ready to be used on copies."""
        if manner.by_itself:
            return self.by_itself(level, target, within, *self.believed(side, target, within, manner.smoothing[0]))
        mixture = mixture_of(*looked_at(side, side.references, self.noise(level), target, manner))
        return Windows(mixture, cells_of(side.sample[:, target], within), within, manner.columns)

    def by_itself(self, level: float, target: int, within: Floats, cells: Cells, believed: Floats) -> ByItself:
        """The attack on one column by its own copy alone, from what is `believed` of it without any copy."""
        sigma = float(np.sqrt(max(self.noise(level)[target, target], 0.0)))
        return ByItself(cells, believed, sigma, within, target)

    def believed(self, side: Side, target: int, within: Floats, share: float) -> tuple[Cells, Floats]:
        """What is believed of one column without any copy: cells and their shares, the sample smoothed by a share."""
        cells = cells_of(side.sample[:, target], within)
        return cells, smoothed(cells, cells.shares(side.sample[:, target]), share)

    def choose(self, side: Side, level: float, target: int, within: Floats) -> Manner:
        """The manner that hits most often on the attacker's own sample, to within the first distance."""
        rates = self.rehearse(side, level, target, within[:1])
        return max(rates, key=lambda manner: float(rates[manner][0]))

    def choose_error(self, side: Side, level: float, target: int) -> tuple[float, float]:
        """The shares of smoothing that give the least square error on the attacker's own sample."""
        if self.knowledge.everybody:
            return 0.0, 0.0
        if len(side.references) < FEWEST:
            return 1.0, 1.0
        noise, parts = self.noise(level), list(self._rehearsals(side, level))

        def error(smoothing: tuple[float, float]) -> float:
            tried = [
                (mixture_of(rest.references, noise, rest.moments, smoothing, target).means(y)[:, 0] - truth[:, target])
                ** 2
                for truth, rest, y in parts
            ]
            return float(np.concatenate(tried).mean())

        return min(self.smoothings, key=error)

    @property
    def smoothings(self) -> tuple[tuple[float, float], ...]:
        """The shares of smoothing that are tried: a known column has no noise that would blur what it tells."""
        return (*SMOOTHING, *FINER) if self.knowledge.columns else SMOOTHING

    def rehearse(self, side: Side, level: float, target: int, within: Floats) -> dict[Manner, Floats]:
        """How often each manner hits on the attacker's own sample, to within each distance; a little less than that
        where fewer columns are looked at, so that chance in the sample does not leave out any."""
        if self.knowledge.everybody:
            return {Manner(): np.ones(len(within))}
        if len(side.references) < FEWEST:
            return {Manner((1.0, 1.0)): np.ones(len(within))}
        cells, noise = cells_of(side.sample[:, target], within), self.noise(level)
        parts = list(self._rehearsals(side, level))

        def hits(manner: Manner) -> Floats:
            """Of windows, and of means, shape (2, distances)."""
            tried = []
            for truth, rest, y in parts:
                mixture = mixture_of(*looked_at(rest, rest.references, noise, target, manner))
                found = Windows(mixture, cells, within, manner.columns).guess(y)
                both = np.stack([found.windows, np.broadcast_to(found.means[:, None], found.windows.shape)], axis=1)
                tried.append(is_within(both, truth[:, target, None, None], within))
            return np.asarray(np.concatenate(tried).mean(axis=0)) - (CLEARLY if manner.columns else 0.0)

        tried = self.smoothings if self.columns > 1 else dict.fromkeys((own, 1.0) for own, _ in SMOOTHING)
        manners = [Manner(smoothing) for smoothing in tried]
        manners += [
            Manner(smoothing, columns=columns)
            for columns in self.fewer(side, target)
            for smoothing in self.fewer_smoothings
        ]
        rates = {manner: hits(manner) for manner in manners}
        return {replace(one, mean=mean): rates[one][int(mean)] for mean in (False, True) for one in rates}

    def fewer(self, side: Side, target: int) -> list[tuple[int, ...]]:
        """Columns that may be looked at instead of all: the target, what is known, and those that tell most of it; or
        the target and those that tell most of it among what is known, or among all. What is known is not always worth
        a look: whoever keeps to people who have it all in common finds hardly anybody."""
        some = side.sample[:TELLING]
        telling = [column for column in most_telling(some, classes_of(some[:, target])) if column != target]
        known = [column for column in telling if column in self.knowledge.columns]
        others = [column for column in telling if column not in known]
        chosen = [(target, *known, *others[:number]) for number in FEWER if number < len(others)]
        if known:
            chosen += [(target, *one[:number]) for one in (known, telling) for number in FEWER if number < len(one)]
        return list(dict.fromkeys(tuple(sorted(columns)) for columns in chosen if len(columns) < 1 + len(telling)))

    @property
    def fewer_smoothings(self) -> tuple[tuple[float, float], ...]:
        """The same as `smoothings` where fewer columns are looked at."""
        return (*FEWER_SMOOTHING, *FINER) if self.knowledge.columns else FEWER_SMOOTHING

    def _rehearsals(self, side: Side, level: float) -> Iterator[tuple[Floats, Side, Floats]]:
        """People of the sample, who are left out of it for once, the side without them, and copies of these people."""
        references, most = side.references, self.limits.rehearsed
        small = len(references) < PARTS * most
        size = -(-len(references) // PARTS) if small else most
        for part in range(PARTS if small else 1):
            tried = np.zeros(len(references), dtype=bool)
            tried[part * size : (part + 1) * size] = True
            truth = np.tile(references[tried], (-(-most // size), 1))
            normals = keys.rng(self.key, "optimal", "rehearsal", part).standard_normal(truth.shape)
            yield truth, side.without(tried), self.seen(truth, normals, level)

    def alone(self, level: float, target: int, within: ArrayLike, shares: Sequence[float] | None = None) -> Single:
        """The best guess of one column from its own copy alone by the values that are known, exactly.

        Parameters
        ----------
        level : float
        target : int
        within : array-like, shape (distances,)
        shares : sequence of float, optional
            By which the sample is smoothed, for each of the sides; by default `column_smoothing`.
        """
        distances = np.atleast_1d(np.asarray(within, dtype=float))
        sigma = self._sigma(level, target)
        found = []
        smooth = self.column_smoothing(level, target, distances[:1]) if shares is None else shares
        for column, share in zip(self._columns(target, distances), smooth, strict=True):
            found.append(single(column.cells, column.smooth(share), column.values, column.shares, sigma, distances))
        return _joined(found)

    def linear_hits(self, level: float, target: int, distances: Floats) -> Floats:
        """Share of the people whom the best linear guess of one column hits from its own copy alone, of the same people
        as `alone`; more where only a few values are known."""
        columns = self._columns(target, distances)
        values = np.concatenate([one.values for one in columns])
        shares = np.concatenate([one.shares for one in columns]) / len(columns)
        mean, variance, sigma = self.moments.mean[target], self.variance(target), self._sigma(level, target)
        shrink = 0.0 if np.isinf(sigma) else variance / (variance + sigma**2)
        bias, spread = -(1 - shrink) * (values - mean), 0.0 if np.isinf(sigma) else shrink * sigma
        return np.array([normal_breach(bias[None], spread**2, one) @ shares for one in distances])

    def _columns(self, target: int, distances: Floats) -> tuple["_Column", ...]:
        """What each side knows of a column and what those have whom it does not know: all of them, because here
        nothing is drawn that would be worth a smaller number."""
        key = target, tuple(distances.tolist())
        found = self._looked_at.get(key)
        if found is None:
            columns = []
            for side in self.sides:
                cells = cells_of(side.sample[:, target], distances)
                values = _values(self.values[self._others(side), target])
                columns.append(_Column(cells, cells.shares(side.sample[:, target]), *values))
            found = tuple(columns)
            _keep(self._looked_at, key, found)
        return found

    def _others(self, side: Side) -> Integers | Bools | slice:
        """Rows of all whom a side attacks, once each."""
        if self.knowledge.everybody:
            return slice(None)
        if self.rows <= SMALL:
            return np.unique(side.people)
        return np.isin(np.arange(self.rows), side.sample_rows, invert=True)

    def _sigma(self, level: float, target: int) -> float:
        own = self.shape[target, target]
        return float(np.sqrt(level * own)) if own > 0 else 0.0

    def column_smoothing(self, level: float, target: int, within: Floats) -> tuple[float, ...]:
        """By which share each side smooths its sample of one column."""
        if self.knowledge.everybody:
            return (0.0,) * len(self.sides)
        sigma = self._sigma(level, target)
        key = target, tuple(within.tolist())
        halves = self._rehearsed.get(key)
        if halves is None:
            halves = tuple(_halves(side.sample[:, target], within) for side in self.sides)
            _keep(self._rehearsed, key, halves)
        return tuple(_column_smoothing(half, sigma, within) for half in halves)

    def variance(self, target: int) -> float:
        """Of a column; 1 where it does not vary."""
        return float(self.moments.covariance[target, target]) or 1.0

    def quarter(self, target: int) -> float:
        """The distance that says how fine a column is looked at for its error."""
        return float(np.sqrt(self.variance(target)) / 4)

    def strangers(self, rows: Integers) -> list[tuple[Side, Bools]]:
        """Which of these rows each side attacks: those whom it does not know; of a large table some are left out."""
        if self.knowledge.everybody:
            return [(self.sides[0], np.ones(len(rows), dtype=bool))]
        return [(side, ~np.isin(rows, side.sample_rows)) for side in self.sides]

    # All columns

    def linear_errors(self, level: float) -> Floats:
        """Mean square error of the best linear guess of every column over its variance, shape (m,)."""
        spread = self.moments.covariance
        told = spread @ np.linalg.lstsq(spread + self.noise(level), spread, rcond=1e-12)[0]
        variances = np.array([self.variance(column) for column in range(self.columns)])
        errors: Floats = np.clip((np.diag(spread) - np.diag(told)) / variances, 0.0, 1.0)
        return errors

    def record_errors(self, level: float, shares: Sequence[float] | None = None) -> Floats:
        """Mean square error of the best guess of every column over its variance, from whole rows, shape (m,).

        `shares` are those by which the sample is smoothed, for each of the sides; by default `record_smoothing`.
        """
        errors = [((guess - x) ** 2).mean(axis=0) for x, guess in self._records(level, shares)]
        return np.asarray(np.mean(errors, axis=0) / np.array([self.variance(c) for c in range(self.columns)]))

    def record_hits(self, level: float, eps: float, kind: str, manners: Sequence[RecordManner] | None = None) -> float:
        """Share of the records that the best guess of all columns breaches (`engine.measures.breached`).

        `manners` are how each of the sides guesses; by default `record_manners`.
        """
        rates = []
        for side, manner in zip(self.sides, manners or self.record_manners(level, eps, kind), strict=True):
            x, y = self._attacked(side, level)
            rates.append(breach_rate(x, self.record_guesses(side, level, manner, y), eps, kind))
        return float(np.mean(rates))

    def record_guesses(self, side: Side, level: float, manner: RecordManner, y: Floats) -> Floats:
        """Guesses of whole records from copies, shape (rows, m)."""
        shares = manner.share, manner.share
        return manner.guesses(mixture_of(side.references, self.noise(level), side.moments, shares), y)

    def record_manners(self, level: float, eps: float, kind: str) -> tuple[RecordManner, ...]:
        """The manner that breaches most records of each side's own sample. A mean is often nobody's value: it errs
        least, but breaches little where values repeat."""
        smooth = self.record_smoothing(level)
        return tuple(
            self._record_manner(side, level, eps, kind, share) for side, share in zip(self.sides, smooth, strict=True)
        )

    def _record_manner(self, side: Side, level: float, eps: float, kind: str, share: float) -> RecordManner:
        mean = RecordManner("mean", share)
        if share == 1:
            return mean
        tried = [mean, RecordManner("middle", share), RecordManner("middle"), RecordManner("likeliest")]
        parts = list(self._rehearsals(side, level))
        if self.knowledge.everybody:  # whose records they are is not known, so that they may all be tried on
            parts = [(truth, side, y) for truth, _, y in parts]

        def hits(manner: RecordManner) -> float:
            rates = [breach_rate(x, self.record_guesses(rest, level, manner, y), eps, kind) for x, rest, y in parts]
            return float(np.mean(rates))

        return max(dict.fromkeys(tried), key=hits)

    def means(self, side: Side, level: float, share: float, y: Floats, moments: Moments | None = None) -> Floats:
        """The conditional means of all columns by a sample that is smoothed by this share, from copies of whole rows,
        shape (rows, m); `moments` of the sample by default."""
        made = mixture_of(side.references, self.noise(level), moments or side.moments, (share, share))
        return np.asarray(made.means(y))

    def _records(self, level: float, shares: Sequence[float] | None) -> Iterator[tuple[Floats, Floats]]:
        """Records that are attacked, and the guesses of them."""
        smooth = self.record_smoothing(level) if shares is None else shares
        for side, share in zip(self.sides, smooth, strict=True):
            x, y = self._attacked(side, level)
            yield x, self.means(side, level, share, y)

    def _attacked(self, side: Side, level: float) -> tuple[Floats, Floats]:
        """Records whose columns are all guessed, and the copies of them."""
        some = slice(max(self.limits.probes // 2, 1))  # errors are known more exactly than shares
        x = self.values[side.people[some]]
        return x, self.seen(x, side.normals[some], level)

    def record_smoothing(self, level: float) -> tuple[float, ...]:
        """By which share each side smooths its sample of records."""
        if self.knowledge.everybody:
            return (0.0,) * len(self.sides)
        found = self._smoothed.get(level)
        if found is None:
            found = self._smoothed[level] = tuple(self._record_smoothing(side, level) for side in self.sides)
        return found

    def _record_smoothing(self, side: Side, level: float) -> float:
        if len(side.references) < FEWEST:
            return 1.0
        noise = self.noise(level)
        scale = np.diag(side.moments.covariance) + 1e-300
        parts = list(self._rehearsals(side, level))

        def error(share: float) -> float:
            squares = 0.0
            for truth, rest, y in parts:
                guess = mixture_of(rest.references, noise, rest.moments, (share, share)).means(y)
                squares += float((((guess - truth) ** 2).mean(axis=0) / scale).sum())
            return squares

        return min(RECORD, key=error)


def _keep(kept: dict[_Asked, Any], key: _Asked, found: Any) -> None:
    """Keep what was worked out; somebody who drags a distance asks for many, and they would fill the memory."""
    if len(kept) >= KEPT:
        kept.clear()
    kept[key] = found


def _halves(known: Floats, within: Floats) -> _Column | float:
    """One half of the sample of a column, by which the other is attacked; or by which share the sample is smoothed
    where that need not be tried."""
    known = known[:SMALL]
    cells = cells_of(known, within)
    if len(known) == SMALL and cells.width == 0:
        return 0.0  # values that repeat, and enough of them
    half = len(known) // 2
    return _Column(cells, cells.shares(known[:half]), *_values(known[half:])) if half >= 4 else 1.0


def _column_smoothing(halves: _Column | float, sigma: float, within: Floats) -> float:
    """How far the sample of a column is smoothed: what hits most often if one half of it attacks the other."""
    if isinstance(halves, float):
        return halves
    cells, truth = halves.cells, (halves.values, halves.shares)
    return max(TARGET, key=lambda share: single(cells, halves.smooth(share), *truth, sigma, within).hits[0])


def _values(x: Floats) -> tuple[Floats, Floats]:
    """The values of a column and their shares; few that stand for all, where there are many."""
    values, counts = np.unique(x, return_counts=True)
    if len(values) <= VALUES:
        return values, counts / counts.sum()
    # What repeats often is looked at as it is, and so are both ends, which decide on errors. Of the others some stand
    # for all, each for as many.
    often = counts >= len(x) / VALUES
    others = np.repeat(values[~often], counts[~often])
    end = max(len(others) - ENDS, ENDS)
    middle = others[ENDS:end]
    some = min(max(VALUES - int(often.sum()) - 2 * ENDS, FEW), len(middle))
    places = ((np.arange(some) + 0.5) * len(middle) / max(some, 1)).astype(int)
    found = np.concatenate([values[often], others[:ENDS], middle[places], others[end:]])
    stands_for = np.ones(len(found))
    stands_for[: often.sum()] = counts[often]
    stands_for[often.sum() + len(others[:ENDS]) :][:some] = len(middle) / max(some, 1)
    order = np.argsort(found, kind="stable")
    return found[order], stands_for[order] / len(x)


def _joined(found: list[Single]) -> Single:
    """What two halves of the people make together."""
    if len(found) == 1:
        return found[0]
    return Single(
        np.concatenate([one.values for one in found]),
        np.concatenate([one.shares for one in found]) / len(found),
        np.concatenate([one.risks for one in found], axis=1),
        np.concatenate([one.squares for one in found]),
    )


def _table(values: ArrayLike) -> Floats:
    table = np.asarray(values, dtype=float)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or len(table) < 2 or not table.shape[1]:
        raise ValueError("The strongest attacker needs a table of at least two rows and one column.")
    if not np.all(np.isfinite(table)):
        raise ValueError("The table holds values that are not finite numbers: leave out those rows first.")
    return table
