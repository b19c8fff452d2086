"""The strongest attacker on rows that have numbers and categories: one posterior from all that is seen of a row.

The weight of a reference record is that of its numbers (`mixture`) times what the copies of its categories say
(`retention`) times what is known exactly. From the weights follow the best guesses of a column of numbers (windows, the
conditional mean) and of a column of categories (the heaviest value), and what is believed of any set of values. As for
numbers alone, the attacker finds out on the sample itself how far to smooth it, and every figure is measured on people
who are not in the sample.

A table may have numbers alone, categories alone, or both. What a coalition holds is a `Holding`: the level of the one
copy that says as much as all their copies of the numbers, and the retentions of the copies of the categories.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from scipy.special import ndtri

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Bools, Floats, Integers
from trustscope.engine.attacks.optimal.cells import cells_of
from trustscope.engine.attacks.optimal.knowledge import Knowledge, Limits, Side
from trustscope.engine.attacks.optimal.learned import Learned
from trustscope.engine.attacks.optimal.manners import (
    CLEARLY,
    FEWER,
    TELLING,
    Manner,
    is_within,
    looked_at,
    most_telling,
)
from trustscope.engine.attacks.optimal.mixture import Guesses, Mixture, Moments, Windows
from trustscope.engine.attacks.optimal.retention import Layout, Likelihood, Observed, copies_of
from trustscope.engine.attacks.optimal.side import SideBelief
from trustscope.engine.attacks.optimal.strongest import FEWEST, PARTS, Strongest
from trustscope.engine.uniform.law import check_coalition, check_codes, check_scheme, check_size

CATEGORIES = (0.02, 0.1, 0.25, 0.5, 0.75, 1.0)  # h of categories that are tried
NUMBERS = (0.06, 0.12, 0.25, 0.45, 0.7, 1.0)  # h of numbers that are tried where a category is guessed
FEWER_NUMBERS = (0.02, 0.06, 0.25)  # the same where fewer columns of numbers are looked at
OWN = (0.0, 0.1, 0.4, 1.0)  # h of a category that is guessed
MIDDLE = 0.25  # h of categories while that of numbers is chosen
BINS = 8  # classes of a number that is guessed: within each, categories may be taken for independent
PULL = 4.0  # people of the average kind who are added to those of each class
WORST = -12.0  # logarithm of a belief in the truth below which nothing more is lost by it
TINY = 1e-12
PROPER = 0.1  # what the mean logarithm of the belief in the truth counts beside the share of right guesses


@dataclass(frozen=True)
class Holding:
    """What a coalition holds.

    Attributes
    ----------
    level : float
        Of the noise on numbers: that of the one copy that says as much as theirs
        (`engine.attacks.combining.effective_level`).
    retentions : tuple of float
        Of independent copies of the categories; of nested ones the best alone (`holding_of`).
    """

    level: float
    retentions: tuple[float, ...] = ()


NOTHING = Holding(1e8)  # no copies of categories, and of numbers one that says nothing


def holding_of(level: float, retentions: ArrayLike = (), scheme: str = "nested") -> Holding:
    """The holding of a coalition with copies of categories at these retentions, under a scheme."""
    some = np.atleast_1d(np.asarray(retentions, dtype=float))
    if not some.size:
        return Holding(float(level))
    ps = np.sort(check_coalition(some))[::-1]
    ps = ps[:1] if check_scheme(scheme) == "nested" else ps
    return Holding(float(level), tuple(ps.tolist()))


def at_trust(trust: float) -> Holding:
    """One copy of a trust between 0 and 1: the level (1 - t) / t of numbers, the retention t of categories."""
    return Holding((1 - trust) / trust, (trust,))


@dataclass(frozen=True)
class MixedManner:
    """How the attacker guesses.

    Attributes
    ----------
    numbers : tuple of float
        Shares (h_t, h_o) by which numbers are smoothed; where a category is guessed, the second counts.
    categories, own : float
        Shares by which other categories and the one that is guessed are smoothed.
    mean : bool
        Whether a number is looked for around the conditional mean.
    error : tuple of float or None
        The shares for numbers by which the square error is least, from all columns; None: the same as `numbers`.
    columns : tuple of int
        Which columns of numbers are looked at for hits, the target among them, or where a category is guessed; none
        named: all.
    """

    numbers: tuple[float, float] = (0.0, 0.0)
    categories: float = 0.0
    own: float = 0.0
    mean: bool = False
    error: tuple[float, float] | None = None
    columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class MixedPoint:
    """What the best guess of a column of numbers achieves; as in `Point`.

    Attributes
    ----------
    hits, hits_error : numpy.ndarray, shape (distances,)
    error, error_error : float
    """

    hits: Floats
    hits_error: Floats
    error: float
    error_error: float


@dataclass(frozen=True)
class Guessed:
    """What the best guess of a column of categories achieves.

    Attributes
    ----------
    right, right_error : float
        Share of the people whose value is the likeliest one, and its standard error.
    belief, belief_error : float
        Mean of what is believed of the true value, and its standard error.
    """

    right: float
    right_error: float
    belief: float
    belief_error: float


class Mixed:
    """The strongest attacker on a table of numbers and categories.

    Parameters
    ----------
    numbers : array-like, shape (rows, m), or None
    codes : array-like of int, shape (rows, c), or None
    sizes : sequence of int
        Of the domains of the categories.
    cells : sequence of sequences of int, optional
        Columns of categories that are kept or drawn anew together, as a real release does with all of them; by default
        each column by itself. A column in none of them is not released.
    known : sequence of int
        Columns of categories that are known exactly of everybody; such numbers are in `knowledge.columns`.
    shape : array-like, shape (m, m), optional
        Covariance of the noise on numbers at level 1; by default the data's own.
    knowledge : Knowledge, optional
    key : int
    limits : Limits, optional
    """

    def __init__(
        self,
        numbers: ArrayLike | None,
        codes: ArrayLike | None = None,
        sizes: Sequence[int] = (),
        *,
        cells: Sequence[Sequence[int]] | None = None,
        known: Sequence[int] = (),
        shape: ArrayLike | None = None,
        knowledge: Knowledge | None = None,
        key: int = 0,
        limits: Limits | None = None,
    ) -> None:
        if numbers is None and codes is None:
            raise ValueError("The strongest attacker needs numbers, categories or both.")
        # Categories alone are rows whose one number says nothing.
        table = np.zeros((len(np.asarray(codes)), 1)) if numbers is None else np.asarray(numbers, dtype=float)
        table = table[:, None] if table.ndim == 1 else table
        if shape is None and len(table) > 1:
            shape = np.atleast_2d(np.cov(table, rowvar=False))
        known_numbers = list(knowledge.columns) if knowledge else []
        table = table.copy()
        table[:, known_numbers] = scores(table[:, known_numbers])
        self.numbers = Strongest(table, shape=shape, knowledge=knowledge, key=key, limits=limits)
        self.key, self.knowledge = key, self.numbers.knowledge
        self.codes = _codes(codes, tuple(sizes), len(table))
        many = self.codes.shape[1]
        parts = [(c,) for c in range(many)] if cells is None else [tuple(cell) for cell in cells]
        _check_columns(parts, known, many)
        self.layout = Layout(tuple(int(check_size(size)) for size in sizes), tuple(parts), tuple(sorted(set(known))))
        self.taught: dict[tuple[int, bytes], Learned] = {}  # by the column and the people learned from

    @property
    def rows(self) -> int:
        """Of the table."""
        return int(self.numbers.rows)

    @property
    def nothing(self) -> Holding:
        """What somebody holds who has no copy."""
        return NOTHING

    # What is seen

    def observed(self, rows: Integers, holding: Holding, draw: np.random.Generator) -> Observed:
        """Copies of the categories of these people."""
        codes = self.codes[rows]
        return Observed(copies_of(codes, self.layout, holding.retentions, draw), holding.retentions, codes)

    def _side_seen(self, place: int, side: Side, holding: Holding) -> tuple[Floats, Observed]:
        y = self.numbers.seen(self.numbers.values[side.people], side.normals, holding.level)
        return y, self.observed(side.people, holding, keys.rng(self.key, "mixed", "copies", place))

    # A column of numbers

    def point(
        self, holding: Holding, target: int, within: ArrayLike, manners: Sequence[MixedManner] | None = None
    ) -> MixedPoint:
        """What the best guess of a column of numbers achieves.

        Parameters
        ----------
        holding : Holding
            Its level above 0 and finite.
        target : int
        within : array-like, shape (distances,)
            Distances of a hit; the attacker goes for the first one.
        manners : sequence of MixedManner, optional
            For each of the sides; by default what does best on the sample.
        """
        distances = np.atleast_1d(np.asarray(within, dtype=float))
        close, off = [], []
        for place, side in enumerate(self.numbers.sides):
            manner = manners[place] if manners else self.choose_number(side, holding, target, distances[:1])
            truth = self.numbers.values[side.people, target]
            hit, square = self._number(side, side.known, holding, target, distances, manner, truth,
                                       *self._side_seen(place, side, holding))  # fmt: skip
            close.append(hit[:, int(manner.mean)])
            off.append(square / self.numbers.variance(target))
        hit, square, who = np.concatenate(close), np.concatenate(off), self._attacked()
        spread = np.array([standard_error(one, who) for one in hit.T])
        return MixedPoint(hit.mean(axis=0), spread, float(square.mean()), standard_error(square, who))

    def _number(
        self,
        side: Side,
        known: Integers,
        holding: Holding,
        target: int,
        distances: Floats,
        manner: MixedManner,
        truth: Floats,
        y: Floats,
        observed: Observed,
    ) -> tuple[Bools, Floats]:
        """Hits by windows and by means, shape (rows, 2, distances), and square errors."""
        attack = self.number_attack(side, known, holding, target, distances, manner)
        found = attack(y, observed)
        means = found.means
        other = replace(manner, numbers=manner.error or manner.numbers, columns=())
        if manner.error is not None and other != manner:
            means = self.number_attack(side, known, holding, target, distances, other)(y, observed).means
        both = np.stack([found.windows, np.broadcast_to(found.means[:, None], found.windows.shape)], axis=1)
        return is_within(both, truth[:, None, None], distances), (means - truth) ** 2

    def number_attack(
        self, side: Side, known: Integers, holding: "Holding", target: int, distances: Floats, manner: "MixedManner"
    ) -> Callable[[Floats, Observed], Guesses]:
        """The attack on a column of numbers: a function of copies of the numbers and of what is seen of categories."""
        x = self.numbers.values[known]
        how = Manner(manner.numbers, columns=manner.columns)
        mixture = Mixture(*looked_at(side, x, self.numbers.noise(holding.level), target, how))
        windows = Windows(mixture, cells_of(side.sample[:, target], distances), distances, manner.columns)
        like = Likelihood(self.codes[known], self.layout, manner.categories, _bins(x[:, target]))

        def attack(y: Floats, observed: Observed) -> Guesses:
            factors = (lambda rows: like.factors(observed.rows(rows))) if self.codes.shape[1] else None
            return windows.guess(y, factors)

        return attack

    def choose_number(self, side: Side, holding: Holding, target: int, within: Floats) -> MixedManner:
        """What hits most often on the attacker's own sample: first how to smooth numbers, then categories, then whether
        fewer columns of numbers do better."""
        if self.knowledge.everybody:
            return MixedManner()
        if len(side.known) < FEWEST:
            return MixedManner((1.0, 1.0), 1.0)
        parts, x = list(self._rehearsals(side, holding)), self.numbers.values[:, target]
        errors: dict[tuple[float, float], float] = {}

        def hits(manner: MixedManner) -> Floats:
            tried, off = zip(*(
                self._number(rest, rest.known, holding, target, within, manner, x[some], y, seen)
                for some, rest, y, seen in parts
            ), strict=True)  # fmt: skip
            rates = np.asarray(np.concatenate(tried)[:, :, 0].mean(axis=0))
            if manner.columns:
                return rates - CLEARLY
            error = float(np.concatenate(off).mean())
            errors[manner.numbers] = min(error, errors.get(manner.numbers, error))
            return rates

        best = _best(
            hits,
            [
                [MixedManner(one, MIDDLE) for one in self.numbers.smoothings],
                lambda best: [replace(best, categories=h) for h in CATEGORIES],
                lambda best: [
                    replace(best, numbers=smoothing, columns=columns)
                    for columns in self.numbers.fewer(side, target)
                    for smoothing in self.numbers.fewer_smoothings
                ],
            ],
            lambda manner, rates: (float(rates.max()), replace(manner, mean=bool(rates[1] > rates[0]))),
        )
        return replace(best, error=min(errors, key=errors.__getitem__))

    # A column of categories

    def guessed(self, holding: Holding, target: int, manners: Sequence[MixedManner] | None = None) -> Guessed:
        """What the best guess of a column of categories achieves.

        Parameters
        ----------
        holding : Holding
        target : int
        manners : sequence of MixedManner, optional
            For each of the sides; by default what does best on the sample.
        """
        right, belief = [], []
        for place, side in enumerate(self.numbers.sides):
            manner = manners[place] if manners else self.choose_category(side, holding, target)
            y, seen = self._side_seen(place, side, holding)
            mine, tilt = self.codes[side.people, target], self.tilt(side, side.people, target, manner)
            for rows, believed in self.beliefs(side, side.known, holding, target, manner, y, seen, tilt):
                right.append(right_guesses(believed, mine[rows]))
                belief.append(believed[mine[rows], np.arange(believed.shape[1])])
        hit, trust, who = np.concatenate(right), np.concatenate(belief), self._attacked()
        return Guessed(float(hit.mean()), standard_error(hit, who), float(trust.mean()), standard_error(trust, who))

    def _attacked(self) -> Integers:
        return np.concatenate([side.people for side in self.numbers.sides])

    def beliefs(
        self,
        side: Side,
        known: Integers,
        holding: Holding,
        target: int,
        manner: MixedManner,
        y: Floats,
        seen: Observed,
        tilt: Floats | None = None,
    ) -> Iterator[tuple[slice, Floats]]:
        """What is believed of a column of categories for some rows at a time.

        Parameters
        ----------
        side : Side
        known : numpy.ndarray of int, shape (N,)
            Rows of the references.
        holding : Holding
        target : int
        manner : MixedManner
        y : numpy.ndarray, shape (rows, m)
            What is seen of the numbers.
        seen : Observed
            And of the categories.
        tilt : numpy.ndarray, shape (rows, values), optional
            What else multiplies the beliefs.

        Yields
        ------
        rows : slice
        beliefs : numpy.ndarray, shape (values, rows)
            They sum to 1 over the values.
        """
        codes = self.codes[known]
        classes = codes[:, target].astype(np.intp)
        like = Likelihood(codes, self.layout, manner.categories, classes, target, manner.own)
        columns = np.array(manner.columns or range(self.numbers.columns), dtype=np.intp)
        mixture = self._mixture(known, holding, classes, manner.numbers[1], columns)
        for rows, weights in mixture.blocks(y[:, columns], lambda some: like.factors(seen.rows(some))):
            believed = like.posterior(weights, seen.rows(rows))
            if tilt is not None:
                believed = believed * tilt[rows].T
            yield rows, believed / believed.sum(axis=0)

    def tilt(self, side: Side, people: Integers, target: int, manner: MixedManner) -> Floats | None:
        """By what learning from the columns that are known exactly corrects the beliefs by references, shape (people,
        values); None where it does not help."""
        if not self.layout.known and not self.knowledge.columns:
            return None
        belief = SideBelief(self, side, target, manner)
        if not belief.share:
            return None
        different, place = np.unique(people, return_inverse=True)
        ratio = belief(different) / np.maximum(belief.by_references(different), TINY)
        return ratio[place.ravel()]

    def _mixture(
        self, known: Integers, holding: Holding, classes: Integers, share: float, columns: Integers
    ) -> Mixture:
        """These columns of numbers, smoothed around the means of the classes."""
        x = self.numbers.values[np.ix_(known, columns)]
        noise = self.numbers.noise(holding.level)[np.ix_(columns, columns)]
        moments = self.numbers.moments
        moments = Moments(moments.mean[columns], moments.covariance[np.ix_(columns, columns)])
        if not share:
            return Mixture(x, noise, moments)
        mean = x.mean(axis=0)
        count = np.bincount(classes)
        total = np.stack([np.bincount(classes, weights=column) for column in x.T], axis=1)
        centre = (total + PULL * mean) / (count + PULL)[:, None]
        rest = x - centre[classes]
        within = np.atleast_2d(np.cov(rest, rowvar=False)) if len(x) > 2 * x.shape[1] else moments.covariance
        shrunk = centre[classes] + np.sqrt(1 - share**2) * rest
        return Mixture(shrunk, noise + share**2 * within, Moments(mean, moments.covariance))

    def choose_category(self, side: Side, holding: Holding, target: int) -> MixedManner:
        """What is right most often on the attacker's own sample: first how to smooth numbers, then categories, then the
        target itself, then whether fewer columns of numbers do better."""
        if self.knowledge.everybody:
            return MixedManner()
        if len(side.known) < FEWEST:
            return MixedManner((1.0, 1.0), 1.0, 1.0)
        parts = list(self._rehearsals(side, holding))

        def score(manner: MixedManner) -> float:
            total = number = 0.0
            for some, rest, y, seen in parts:
                mine = self.codes[some, target]
                for rows, believed in self.beliefs(rest, rest.known, holding, target, manner, y, seen):
                    truth = believed[mine[rows], np.arange(believed.shape[1])]
                    total += float(right_guesses(believed, mine[rows]).sum())
                    total += PROPER * float(np.log(np.maximum(truth, np.exp(WORST))).sum())
                    number += believed.shape[1]
            return total / number - (CLEARLY if manner.columns else 0.0)

        numbers = [
            MixedManner((0.0, one), MIDDLE) for one in (NUMBERS if self.numbers.moments.covariance.any() else (0.0,))
        ]
        later = [lambda best: [replace(best, own=h) for h in OWN]]
        if self.codes.shape[1] > 1:
            later.insert(0, lambda best: [replace(best, categories=h) for h in CATEGORIES])
        some = side.sample[:TELLING]
        ranked = most_telling(some, self.codes[side.sample_rows[:TELLING], target])
        fewer = [tuple(sorted(ranked[:number])) for number in FEWER if number < len(ranked)]
        later.append(
            lambda best: [
                replace(best, numbers=(0.0, one), own=own, columns=columns)
                for columns in fewer
                for one in FEWER_NUMBERS
                for own in (OWN[0], best.own)
            ]
        )
        return _best(score, [numbers, *later], lambda manner, rate: (rate, manner))

    def _rehearsals(self, side: Side, holding: Holding) -> Iterator[tuple[Integers, Side, Floats, Observed]]:
        """People of the sample, who are left out of it for once, the side without them, and what is seen of them."""
        known, most = side.known, self.numbers.limits.rehearsed
        small = len(known) < PARTS * most
        size = -(-len(known) // PARTS) if small else most
        for part in range(PARTS if small else 1):
            tried = np.zeros(len(known), dtype=bool)
            tried[part * size : (part + 1) * size] = True
            some = np.tile(known[tried], -(-most // size))
            draw = keys.rng(self.key, "mixed", "rehearsal", part)
            x = self.numbers.values[some]
            y = self.numbers.seen(x, draw.standard_normal(x.shape), holding.level)
            yield some, side.without(tried), y, self.observed(some, holding, draw)


def scores(x: Floats) -> Floats:
    """Columns as normal scores of their ranks: of numbers that are known exactly only the order of people counts, and
    who stands far out must not make everybody else alike."""
    from scipy.stats import rankdata  # scipy.stats takes a second to import

    out = np.empty_like(x)
    for c in range(x.shape[1]):
        out[:, c] = ndtri((rankdata(x[:, c]) - 0.5) / len(x))
    return out


_Score = TypeVar("_Score")
_Stage = list[MixedManner] | Callable[[MixedManner], list[MixedManner]]


def _best(
    score: Callable[[MixedManner], _Score],
    stages: Sequence[_Stage],
    read: Callable[[MixedManner, _Score], tuple[float, MixedManner]],
) -> MixedManner:
    """The manner that does best, found one choice after the other; each manner is tried once."""
    tried: dict[MixedManner, tuple[float, MixedManner]] = {}
    best = MixedManner()
    for stage in stages:
        for manner in stage(best) if callable(stage) else stage:
            if manner not in tried:
                tried[manner] = read(manner, score(manner))
        best = max(tried, key=lambda one: tried[one][0])
    return tried[best][1]


def right_guesses(believed: Floats, truth: Integers) -> Floats:
    """Whether the heaviest value is the true one; where several are equally heavy, the chance that it is picked."""
    top = believed.max(axis=0)
    ties = believed >= top * (1 - 1e-9)
    every = np.arange(believed.shape[1])
    return np.asarray(ties[truth, every] / ties.sum(axis=0))


def standard_error(figure: Floats, people: Integers) -> float:
    """Standard error of a mean over copies of people, several of whom may be of one person."""
    different, place, times = np.unique(people, return_inverse=True, return_counts=True)
    each = np.bincount(place.ravel(), weights=figure) / times
    return float(each.std() / np.sqrt(len(different)))


def _bins(x: Floats) -> Integers:
    """Classes of a number: bins of about equally many people."""
    edges = np.unique(np.quantile(x, np.arange(1, BINS) / BINS)) if len(x) >= BINS * BINS else np.empty(0)
    return np.searchsorted(edges, x).astype(np.intp)


def _codes(codes: ArrayLike | None, sizes: Sequence[int], rows: int) -> Integers:
    table = np.zeros((rows, 0), dtype=np.int64) if codes is None else np.asarray(codes)
    table = table[:, None] if table.ndim == 1 else table
    if table.shape != (rows, len(sizes)):
        raise ValueError(
            f"There are {rows:,} rows and {len(sizes)} sizes of domains, but codes of shape {table.shape}: "
            "one column of codes for each size is needed."
        )
    columns = [check_codes(table[:, c], check_size(size)) for c, size in enumerate(sizes)]
    return np.column_stack(columns).astype(np.int64) if columns else table.astype(np.int64)


def _check_columns(cells: Sequence[Sequence[int]], known: Iterable[int], many: int) -> None:
    inside = [c for cell in cells for c in cell]
    strangers = [c for c in (*inside, *known) if not 0 <= c < many]
    if strangers:
        raise ValueError(f"There is no column {strangers[0]} of categories: they are counted from 0 to {many - 1}.")
    if len(set(inside)) < len(inside):
        raise ValueError("A column of categories is in two cells: each is released once.")
