"""What a found file tells where its rows are in no known order and its numbers were altered: how close copies come.

For every found row the nearest row of each copy is looked for, among rows that agree in categories or in what is
carried along, and again in a copy under a decoy key. For a file that has nothing to do with the copies both distances
have the same law; the mean difference of their logarithms is held against Student's law. The found numbers are first
brought to the middle and spread of the copy, so that a scaled copy is as close as an unscaled one. The average of two
copies is looked for like a copy.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from trustscope.engine.arrays import Floats, Integers
from trustscope.release.cells import decoy_keys
from trustscope.release.comparing import Comparison, How, Rows, over_copies
from trustscope.release.making import Job
from trustscope.release.record import Variant

MOST_ROWS = 2_000
MOST_COLUMNS = 4
FEWEST = 20  # rows that agree
CLEAR = -50.0  # logarithm of a chance
FAR = 3.0  # logarithm of a distance that says no more than that
# Averages are looked for among the so many copies that come closest by themselves.
MOST_AVERAGED = 8
APART = 1e6  # between rows that do not agree, in standard deviations


@dataclass(frozen=True)
class Near:
    """How close one copy, or the average of two, comes.

    Attributes
    ----------
    group : tuple of Variant
        One, or two whose average it is; the first one's are the categories.
    columns : tuple of str
        That rows must agree in.
    log_chance : float
        Logarithm of the probability of a false alarm.
    ratio : float
        Logarithm of the likelihood ratio to the decoy, as if distances were normal in each column: a row that is twice
        as close is twice as likely for every column.
    distances : numpy.ndarray
        Logarithms of the distances, for each found row in `places`; infinite where no row agrees.
    rows : numpy.ndarray of int
        Nearest row of the copy, for each found row in `places`.
    places : numpy.ndarray of int
        Found rows that were looked for.
    """

    group: tuple[Variant, ...]
    columns: tuple[str, ...]
    log_chance: float
    ratio: float
    distances: Floats
    rows: Integers
    places: Integers

    @property
    def closeness(self) -> float:
        """Mean logarithm of the distances; a row without one counts as far away."""
        return float(np.minimum(self.distances, FAR).mean())

    def nearly(self, other: "Near") -> bool:
        """Whether this one is not clearly further away than the other: by less than 4 standard errors."""
        change = np.minimum(self.distances, FAR) - np.minimum(other.distances, FAR)
        error = change.std(ddof=1) / np.sqrt(len(change))
        return bool(change.mean() <= 4 * error)


# A copy, or two whose average is looked for, and the columns that rows must agree in.
Try = tuple[tuple[Variant, ...], tuple[str, ...]]


def nearest(
    comparison: Comparison,
    job: Job,
    variants: Sequence[Variant],
    key: bytes,
    moments: Mapping[Variant, Rows],
    how: Callable[[], How],
) -> list[Near]:
    """Evidence of every copy and every average of two, a list of `Near`; empty where no numbers are to be compared.

    Parameters
    ----------
    comparison : Comparison
    job
        As in `comparing.over_copies`.
    variants : sequence of Variant
    key : bytes
    moments : dict of Variant to Rows
        A good part of the rows of each copy: for mean and spread.
    how : callable
        Gives the options of `comparing.over_copies` for the next pass.
    """
    numbers, rows = _choose(comparison), comparison.rows
    if not numbers:
        return []
    places = np.flatnonzero(~np.isnan(np.array([rows.numbers[name] for name in numbers])).any(axis=0))
    if len(places) < FEWEST:
        return []
    if len(places) > MOST_ROWS:
        places = np.sort(np.random.default_rng(2).permutation(places)[:MOST_ROWS])
    keep, both = tuple(comparison.kept), (*comparison.kept, *comparison.categories)
    found, keys = rows.take(places), [key, *decoy_keys(key, 1)]

    def search(groups: Sequence[Try]) -> list[Near]:
        searches = [_Search(comparison, found, numbers, names, group, moments) for group, names in groups]
        wanted = dict.fromkeys(variant for group, _ in groups for variant in group)
        made = {(v, number): (v, one) for v in wanted for number, one in enumerate(keys)}
        for results in over_copies(job, made, lambda _, first, table: (first, comparison.of(table)), **how()):
            for one in searches:
                for number in range(len(keys)):
                    parts = [results[variant, number] for variant in one.group]
                    one.add(number, parts[0][0], [part[1] for part in parts])
        return [one.judge(places) for one in searches]

    # By what is carried along alone, copies with the same numbers are the same.
    alike = list({variant[::2]: variant for variant in reversed(variants)}.values())[::-1]
    tries = search([((v,), keep) for v in alike] + [((v,), both) for v in (variants if both != keep else ())])
    closest = sorted((one for one in tries if one.columns == keep), key=lambda one: one.closeness)[:MOST_AVERAGED]
    sources = [one.group[0] for one in closest]
    pairs = [(pair, keep) for pair in itertools.combinations(sources, 2)]
    pairs += [(pair, both) for pair in itertools.permutations(sources, 2) if both != keep]
    # Where a copy by itself is far closer than its decoy, nothing is left for an average to explain.
    clear = any(one.log_chance < CLEAR and one.ratio > len(numbers) * len(places) * np.log(4) for one in tries)
    return tries + (search(pairs) if pairs and not clear else [])


def _choose(comparison: Comparison) -> list[str]:
    """The columns of numbers with the most different values: those tell rows apart best."""
    alone = [name for name in comparison.numbers if not comparison.recipe.is_shared(name)]
    many = {name: len(np.unique(comparison.rows.numbers[name])) for name in alone}
    return sorted(many, key=many.__getitem__, reverse=True)[:MOST_COLUMNS]


class _Search:
    """Nearest rows to the found ones in one copy, or in the average of two, under the real key and a decoy."""

    def __init__(
        self,
        comparison: Comparison,
        rows: Rows,
        numbers: Sequence[str],
        names: tuple[str, ...],
        group: tuple[Variant, ...],
        moments: Mapping[Variant, Rows],
    ) -> None:
        self.comparison, self.numbers, self.names, self.group = comparison, numbers, names, group
        known = _average([moments[variant] for variant in group])
        # Median and quartiles: a few absurd values must not move everything.
        self.scale = {}
        points = []
        for name in numbers:
            centre, spread = _middle(known.numbers[name])
            own, own_spread = _middle(rows.numbers[name])
            self.scale[name] = centre, spread
            points.append((rows.numbers[name] - own) / own_spread)
        # What rows must agree in, each different one once, as a last coordinate that keeps the others far apart.
        self.known, place = np.unique(comparison.cells(rows, names), return_inverse=True)
        self.points = np.column_stack([*points, place * APART])
        self.distance = np.full((2, len(rows)), np.inf)
        self.rows = np.full(len(rows), -1, dtype=np.int64)

    def add(self, number: int, first: int, parts: Sequence[Rows]) -> None:
        copy = _average(parts)
        columns = [(copy.numbers[name] - self.scale[name][0]) / self.scale[name][1] for name in self.numbers]
        points = np.column_stack(columns)
        here = np.flatnonzero(~np.isnan(points).any(axis=1))
        cells = self.comparison.cells(copy, self.names)[here]
        where = np.minimum(np.searchsorted(self.known, cells), len(self.known) - 1)
        agree = self.known[where] == cells
        here, where = here[agree], where[agree]
        if not len(here):
            return
        tree = cKDTree(np.column_stack([points[here], where * APART]))
        distance, nearest = tree.query(self.points)
        closer = (distance < self.distance[number]) & (distance < APART / 2)
        self.distance[number, closer] = distance[closer]
        if number == 0:
            self.rows[closer] = first + here[nearest[closer]]

    def judge(self, places: Integers) -> Near:
        from scipy.stats import t as student  # scipy.stats takes a second to import

        both = np.isfinite(self.distance).all(axis=0)
        real, decoy = self.distance[:, both]
        if both.sum() < FEWEST:
            return Near(self.group, self.names, 0.0, 0.0, np.full(len(places), np.inf), self.rows, places)
        # Below a hundredth of what is usual all distances count as the same: none is of the rounding.
        unit = max(float(np.median(decoy)) / 100, 1e-9)
        change = np.log(decoy + unit) - np.log(real + unit)
        error = change.std(ddof=1) / np.sqrt(len(change))
        t = change.mean() / error if error > 0 else 0.0
        tail = student.logsf(t, len(change) - 1)
        log_chance = min(float(tail if np.isfinite(tail) else -0.5 * t**2), 0.0)
        ratio, distances = float(len(self.numbers) * change.sum()), np.log(self.distance[0] + unit)
        return Near(self.group, self.names, log_chance, ratio, distances, self.rows, places)


def _average(parts: Sequence[Rows]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    numbers = {name: (parts[0].numbers[name] + parts[1].numbers[name]) / 2 for name in parts[0].numbers}
    return Rows(numbers, parts[0].categories, parts[0].kept)


def _middle(values: Floats) -> tuple[float, float]:
    values = values[~np.isnan(values)]
    low, middle, high = np.percentile(values, [25, 50, 75])
    return middle, (high - low) / 1.349 or float(values.std()) or 1.0
