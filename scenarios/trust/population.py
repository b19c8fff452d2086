"""The data that are perturbed: their moments, the scale on which attributes are compared, and how they are shown."""

from collections.abc import Mapping, Sequence

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.scenarios.memo import Memo

BINS = (24, 80)  # fewest and most bins of a histogram: few people, few bins
SHOWN = 5_000  # rows that ranges are taken from


class Population:
    """A table of numbers in a random order that is always the same: any leading part is then a fair sample.

    Parameters
    ----------
    values : array, (rows, columns)
    names : sequence of str
        Of the columns.
    units : mapping of str to str
        Units of columns, where known.
    noun : str
        What rows stand for.
    common_unit : bool
        Whether all attributes have one unit. Otherwise each counts in units of its standard deviation: a
        component of years and dollars would mean nothing, and the attribute of the largest numbers would be all
        that an error is made of.
    """

    def __init__(
        self,
        values: np.ndarray,
        names: Sequence[str],
        units: Mapping[str, str] | None = None,
        noun: str = "records",
        common_unit: bool = False,
    ) -> None:
        self.names, self.unit_names = tuple(names), dict(units or {})
        self.noun, self.common_unit = noun, common_unit
        self.rows, self.columns = int(values.shape[0]), int(values.shape[1])
        self.order = np.random.default_rng(20_120_901).permutation(self.rows)
        self.values: Floats = np.asarray(values, dtype=float)[self.order]
        self.values.flags.writeable = False
        self.mean: Floats = self.values.mean(axis=0)
        self.covariance: Floats = np.atleast_2d(np.cov(self.values, rowvar=False))
        self.sd: Floats = np.sqrt(np.diag(self.covariance))
        self.units: Floats = np.ones(self.columns) if common_unit else np.where(self.sd > 0, self.sd, 1.0)
        self.scaled_covariance: Floats = self.covariance / np.outer(self.units, self.units)
        # What a squared error of each attribute counts: guessing the mean makes 1 in all.
        total = np.trace(self.scaled_covariance)
        self.weights: Floats = np.where(self.sd > 0, 1 / self.units**2, 0.0) / (total if total > 0 else 1.0)
        self._kept = Memo(6 * self.columns)

    def index(self, attribute: str) -> int:
        """The column of an attribute by name; an unknown or empty name stands for the first."""
        return self.names.index(attribute) if attribute in self.names else 0

    def place(self, person: int) -> int:
        """Where the person with this number stands among the shuffled rows."""
        return int(np.flatnonzero(self.order == person)[0])

    # How an attribute is shown

    def view_range(self, attribute: int) -> tuple[float, float]:
        """The values that histograms show: wide enough for the noise of usual trust, and for nearly all data."""
        return self._kept(("range", attribute), lambda: self._find_range(attribute))

    def _find_range(self, attribute: int) -> tuple[float, float]:
        middle, spread = self.mean[attribute], self.sd[attribute]
        low, high = np.quantile(self.values[:SHOWN, attribute], [0.001, 0.999])
        return min(middle - 4 * spread, low), max(middle + 4 * spread, high)

    def bin_edges(self, attribute: int) -> Floats:
        """Edges of the histograms; whole numbers get bins of whole numbers, otherwise bins alias with them."""
        return self._kept(("edges", attribute), lambda: self._find_edges(attribute))

    def sorted(self, attribute: int) -> Floats:
        """The values of an attribute in order."""
        return self._kept(("sorted", attribute), lambda: np.sort(self.values[:, attribute]))

    def quantiles(self, attribute: int, number: int) -> Floats:
        """So many values that stand for all of them: each is in the middle of an equal share; all, if they are few."""
        if self.rows <= number:
            return self.sorted(attribute)

        def chosen() -> Floats:
            values = self.sorted(attribute)
            found: Floats = values[((np.arange(number) + 0.5) * len(values) / number).astype(int)]
            return found

        return self._kept(("quantiles", attribute, number), chosen)

    def records(self, attribute: int, number: int) -> Floats:
        """So many whole records that stand for all: spread evenly over the values of one attribute."""

        def chosen() -> Floats:
            some = self.values[:SHOWN]
            order = np.argsort(some[:, attribute], kind="stable")
            found: Floats = some[order[((np.arange(number) + 0.5) * len(some) / number).astype(int)]]
            return found

        return self.values if self.rows <= number else self._kept(("records", attribute, number), chosen)

    def _find_edges(self, attribute: int) -> Floats:
        low, high = self.view_range(attribute)
        values = self.values[:SHOWN, attribute]
        bins = int(np.clip(3 * np.cbrt(self.rows), *BINS))
        if not np.array_equal(values, np.round(values)) or high - low < 4:
            return np.linspace(low, high, bins + 1)
        width = max(1, round((high - low) / bins))
        return np.arange(np.floor(low), high + width, width) - 0.5

    def error_range(self, attribute: int) -> float:
        """The largest error that the views show: three standard deviations."""
        return 3 * float(self.sd[attribute])
