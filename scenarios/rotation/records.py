"""The data that are turned: one half is private and released, the other half is where samples come from."""

from collections.abc import Mapping, Sequence

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats

MOST = 10_000  # private records
SHIFTED = 800  # private records kept when a shift hides lengths: all pairs of rows are compared then


class Records:
    """A table of numbers, cut into two halves that share no row.

    Parameters
    ----------
    values : array, (rows, columns)
    names : sequence of str
        Of the columns.
    standardised : bool
        Whether every attribute is brought to mean 0 and standard deviation 1. The means and deviations are taken to
        be public: whoever analyses the release needs them, and an attacker who knows records uses them too.
    most : int
        Private records that are kept.
    units : mapping of str to str
        Units of columns, where known.
    noun : str
        What rows stand for, in the plural.

    Attributes
    ----------
    private, pool : array, (rows of either half, columns)
        As they are turned: standardised, or in their own units.
    sd : array, (columns,)
        Standard deviations in the data's own units.
    varying : array of bool, (columns,)
        Attributes in which records differ at all: where all are the same there is nothing to guess.
    """

    def __init__(
        self,
        values: ArrayLike,
        names: Sequence[str],
        *,
        standardised: bool = True,
        most: int = MOST,
        units: Mapping[str, str] | None = None,
        noun: str = "records",
    ) -> None:
        values = np.asarray(values, dtype=float)
        self.names, self.units, self.noun = tuple(names), dict(units or {}), noun
        self.standardised = standardised
        # Half of the range at most: sums and squares of large values do not overflow on the way.
        largest = np.abs(values).max(axis=0)
        size = np.where(largest > 0, largest, 1.0)
        mean, sd = (values / size).mean(axis=0) * size, (values / size).std(axis=0) * size
        self.varying = np.ptp(values, axis=0) > 0
        self.sd = np.where(self.varying & (sd > 0), sd, 1.0)
        self.mean = np.where(self.varying, mean, values[0])
        self.origin = self.mean if standardised else np.zeros(len(mean))
        self.scale = self.sd if standardised else np.ones(len(mean))
        order = np.random.default_rng(2009).permutation(len(values))
        half = len(values) // 2
        self._order = order[:half][:most]
        self.private = self._scaled(values[self._order])
        self.pool = self._scaled(values[order[half:]][:MOST])
        self.rows, self.columns = int(self.private.shape[0]), int(self.private.shape[1])
        self._places = {int(row) + 1: place for place, row in enumerate(self._order)}

    def _scaled(self, values: Floats) -> Floats:
        table = (values - self.origin) / self.scale
        table.flags.writeable = False
        return table

    def index(self, attribute: str, otherwise: int = 0) -> int:
        """The column of an attribute by name; an unknown or empty name stands for another one."""
        return self.names.index(attribute) if attribute in self.names else min(otherwise, self.columns - 1)

    def number(self, place: int) -> int:
        """The row number in the data of a private record, counted from 1."""
        return int(self._order[place]) + 1

    def place(self, number: int) -> int | None:
        """Where the record with this row number stands among the private ones; None: it is not one of them."""
        return self._places.get(number)

    def own_units(self, table: Floats, column: int | None = None) -> Floats:
        """Records, or one column of them, in the data's own units."""
        if column is None:
            return table * self.scale + self.origin
        found: Floats = table * self.scale[column] + self.origin[column]
        return found

    def reach(self, eps: float) -> Floats:
        """How far a guess of each attribute may be off, in the units that are turned: `eps` standard deviations."""
        return eps * self.sd / self.scale

    def axis(self, column: int) -> str:
        """How an axis of this attribute is called."""
        name = self.names[column]
        return f"{name} ({self.units[name]})" if name in self.units else name

    @property
    def one(self) -> str:
        """What one row stands for."""
        return {"people": "person", "records": "record"}.get(self.noun, self.noun.removesuffix("s"))
