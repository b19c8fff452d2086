"""Mean, covariance, precision and values of the columns in one pass over units, merged in their order.

Covariances are taken over complete pairs: each entry over the rows where both columns have a value. Such a matrix
need not be positive semidefinite; `settled` then takes the nearest one by cutting negative eigenvalues of the
correlations, and says so.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from trustscope.engine.arrays import Floats
from trustscope.release import grid, temporal
from trustscope.release.problems import Problem

MOST_VALUES = 10_000


class Moments:
    """Counts, means and sums of products over complete pairs, updated by units of rows.

    `mean[i, j]` is the mean of column i over the rows where i and j are both there.
    """

    def __init__(self, columns: Iterable[str]) -> None:
        self.columns = list(columns)
        size = len(self.columns)
        self.count = np.zeros((size, size))
        self.mean = np.zeros((size, size))
        self.products = np.zeros((size, size))

    # `result` says which column is too large, in a sentence.
    @np.errstate(over="ignore", invalid="ignore")
    def add(self, values: Floats) -> None:
        """Take in a unit, shape (columns, rows), NaN where a value is missing."""
        here = ~np.isnan(values)
        known = here.astype(float)
        count = known @ known.T
        safe = np.maximum(count, 1)
        filled = np.where(here, values, 0.0)
        # About the columns' own means first: sums of large numbers would drown the products.
        centre = filled.sum(axis=1) / np.maximum(known.sum(axis=1), 1)
        filled = np.where(here, filled - centre[:, None], 0.0)
        shift = filled @ known.T / safe
        products = filled @ filled.T - count * shift * shift.T
        self._merge(count, centre[:, None] + shift, products)

    def _merge(self, count: Floats, mean: Floats, products: Floats) -> None:
        """The parallel update of Chan, Golub and LeVeque (1983), for every pair."""
        total = self.count + count
        safe = np.maximum(total, 1)
        step = np.where(count > 0, mean - self.mean, 0.0)
        self.products += products + step * step.T * (self.count * count / safe)
        self.mean += step * (count / safe)
        self.count = total

    def result(self) -> tuple[Floats, Floats, list[str]]:
        """Means, the covariance, and what had to be done to make it one."""
        names = self.columns
        notes: list[str] = []
        for place, name in enumerate(names):
            if self.count[place, place] < 2:
                raise Problem(f"The column “{name}” has fewer than two values; list it under keep or drop.")
            if not np.isfinite(self.products[place, place]):
                raise Problem(
                    f"The numbers of “{name}” are too large to compute with; give them in larger units, such as "
                    "millions."
                )
            if not self.products[place, place] > 0:
                raise Problem(
                    f"The column “{name}” has the same value in every row, so noise in proportion to its spread would "
                    "be none; list it under keep or drop."
                )
        covariance = np.where(self.count > 1, self.products / np.maximum(self.count - 1, 1), 0.0)
        scale = np.sqrt(np.diag(covariance))
        values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
        if self.count.min() < self.count.max():
            notes.append("Some numbers are missing: covariances are over complete pairs.")
        if values.min(initial=0) < -1e-12 * len(names):
            repaired = (vectors * np.maximum(values, 0)) @ vectors.T
            # The variances stay what they are, so that a trust means the same for every column.
            root = np.sqrt(np.diag(repaired))
            covariance = repaired / np.outer(root, root) * np.outer(scale, scale)
            notes.append(
                "The covariances over complete pairs were not positive semidefinite; negative eigenvalues of the "
                "correlations were cut."
            )
        return self.mean.diagonal().copy(), (covariance + covariance.T) / 2, notes


@dataclass
class Survey:
    """What one pass over the data finds out about its columns.

    Attributes
    ----------
    numbers, categories, keep : list of str
    rows : int
    texts : list of str
        What has to be said about texts that may mean that a value is missing.
    """

    numbers: list[str]
    categories: list[str]
    keep: list[str] = field(default_factory=list)
    rows: int = 0
    texts: list[str] = field(default_factory=list)
    decimals: dict[str, int | None] = field(default_factory=dict)
    values: dict[str, pa.Array | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.moments = Moments(self.numbers)
        self.decimals = dict.fromkeys(self.numbers, 0)
        self.values = {name: None for name in self.categories}
        self.missing = dict.fromkeys([*self.numbers, *self.categories, *self.keep], 0)

    def notes(self) -> list[str]:
        """What has to be said about missing values."""
        there = [f"“{name}” ({count:,})" for name, count in self.missing.items() if count]
        if not there:
            return self.texts
        return [
            f"Missing values stay missing: {', '.join(there)}. That a value is missing is kept as it is, and may tell "
            "something by itself.",
            *self.texts,
        ]

    def add(self, first: int, table: pa.Table) -> None:
        """Take in a unit."""
        self.rows += len(table)
        if self.numbers:
            values = np.stack([as_numbers(table, name, first) for name in self.numbers])
            self.moments.add(values)
            for name, row in zip(self.numbers, values, strict=True):
                self.missing[name] += int(np.isnan(row).sum())
            for name, row in zip(self.numbers, values, strict=True):
                before = self.decimals[name]
                if before is not None:
                    found = grid.decimals(row[~np.isnan(row)])
                    self.decimals[name] = None if found is None else max(found, before)
        for name in [*self.categories, *self.keep]:
            self.missing[name] += table.column(name).null_count
        for name in self.categories:
            new = pc.unique(table.column(name)).drop_null()
            known = self.values[name]
            every = new if known is None else pc.unique(pa.concat_arrays([known, new]))
            self.values[name] = every
            if len(every) > MOST_VALUES:
                raise Problem(
                    f"The column “{name}” has more than {MOST_VALUES:,} different values, too many for categories; "
                    "list it under numbers, keep or drop."
                )


def as_numbers(table: pa.Table, name: str, first: int = 0) -> Floats:
    """A column as float64, NaN where a value is missing; dates as days, times as seconds. Infinite ones are refused."""
    column = temporal.as_counts(table.column(name))
    try:
        array = np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False))
    except pa.ArrowInvalid:
        array = np.asarray(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
    if np.isinf(array).any():
        row = first + int(np.flatnonzero(np.isinf(array))[0]) + 1
        raise Problem(f"The column “{name}” has an infinite value in row {row:,}; correct it or leave the cell empty.")
    return array
