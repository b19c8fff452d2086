"""What copies of categories say of every reference record: the retention law as factors of its weight.

Notation: a record has the codes a = (a_1, ..., a_c). Columns are released in *cells*: the columns of a cell are kept
together with probability p and otherwise all drawn anew, uniformly from the S combinations there are, so that a copy y
of a cell has the law p [y = a] + (1 - p) / S. A cell of one column is the usual retention law.

As with numbers, a bare sample is too rough, so a person who is like reference j has the codes v with probability

    k_j(v) = product over columns of (1 - h) [v_c = a_jc] + h P(v_c | class of j),

the class being what is guessed: the code of the target, or the bin of a number. h = 0 leaves the bare sample, h = 1
makes all columns independent given the class (naive Bayes). Copies y_1, y_2 ... of one cell then have the likelihood

    sum over v of k_j(v) product_i (p_i [y_i = v] + (1 - p_i) / S)  ~  1 + sum over different y of (g(y) - 1) k_j(y),

where g(y) is the product of 1 + S p_i / (1 - p_i) over the copies that hold y. Of nested copies the best one counts
alone. Columns that are known exactly have the factor k_j of what is known, and what a copy says of the rest of their
cell counts only where it does not contradict it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trustscope.engine.arrays import Floats, Integers, Weights

CERTAIN = 1 - 1e-6  # retention above which a copy is taken for the original
FEW = 4.0  # people of the average kind who are added to those of each class
HALF = 0.5  # people who are added to each value
MOST = 1e30  # growth of odds beyond which nothing changes
TABLE = 4_000_000  # shares of values given classes that are held


@dataclass(frozen=True)
class Observed:
    """What is seen of the categories of some people.

    Attributes
    ----------
    copies : tuple of numpy.ndarray of int, shape (rows, c)
        One for each copy that counts.
    retentions : tuple of float
        Theirs.
    truth : numpy.ndarray of int, shape (rows, c)
        Of which only columns that are known exactly are looked at.
    """

    copies: tuple[Integers, ...]
    retentions: tuple[float, ...]
    truth: Integers

    def rows(self, rows: slice) -> "Observed":
        """Some of the people."""
        return Observed(tuple(copy[rows] for copy in self.copies), self.retentions, self.truth[rows])


@dataclass(frozen=True)
class Layout:
    """How the columns of categories are released.

    Attributes
    ----------
    sizes : tuple of int
        Of their domains.
    cells : tuple of tuple of int
        Columns that are kept or drawn anew together; a column in none of them is not released.
    known : tuple of int
        Columns that the attacker knows exactly of everybody.
    """

    sizes: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    known: tuple[int, ...] = ()

    def size(self, cell: tuple[int, ...]) -> float:
        """Combinations in a cell."""
        return float(np.prod([float(self.sizes[c]) for c in cell]))


class Likelihood:
    """Factors of the weights of references.

    Parameters
    ----------
    codes : numpy.ndarray of int, shape (N, c)
        Of the references.
    layout : Layout
    share : float
        h, from 0 to 1.
    classes : numpy.ndarray of int, shape (N,), optional
        From 0 up; by default all are of one class.
    target : int, optional
        A column of categories that is guessed: what the copies say of its cell is left out (see `posterior`).
    own : float
        h of the target.
    """

    def __init__(
        self,
        codes: Integers,
        layout: Layout,
        share: float,
        classes: Integers | None = None,
        target: int | None = None,
        own: float = 0.0,
    ) -> None:
        self.layout, self.target, self.own = layout, target, own
        self._share = share
        none = np.zeros(len(codes), dtype=np.intp)
        given = none if classes is None else classes
        self._codes = codes
        self._columns = [self._column(c, given, none) for c in range(codes.shape[1])]

    def _column(self, c: int, classes: Integers, none: Integers) -> tuple[Integers, Integers, Integers, Floats, Floats]:
        """Kinds of references by class and code, the kind of each, and the shares of values for each kind."""
        size = self.layout.sizes[c]
        if (int(classes.max(initial=0)) + 1) * size > TABLE or c == self.target:
            classes = none
        pairs, kind = np.unique(classes.astype(np.int64) * size + self._codes[:, c], return_inverse=True)
        counts = np.zeros((int(classes.max(initial=0)) + 1, size))
        np.add.at(counts, (classes, self._codes[:, c]), 1.0)
        overall = counts.sum(axis=0) + HALF
        overall /= overall.sum()
        shares = (counts + FEW * overall) / (counts.sum(axis=1, keepdims=True) + FEW)
        if c == self.target:
            shares = overall[None]
        return pairs // size, pairs % size, kind.ravel(), shares, overall

    def _table(self, c: int, values: Integers, share: float | None = None) -> tuple[Floats, Integers]:
        """k of one column for every kind of reference, shape (kinds, rows), and the kind of each reference."""
        of_class, code, kind, shares, _ = self._columns[c]
        h = self._share if share is None else share
        table = (1 - h) * (code[:, None] == values)
        if h:
            table = table + h * shares[of_class][:, values]
        return table, kind

    def chance(self, c: int, values: Integers, share: float | None = None) -> NDArray[np.float32]:
        """k_j of one column: how likely somebody like each reference has these values, shape (N, rows)."""
        table, kind = self._table(c, values, share)
        return table.astype(np.float32)[kind]

    def factors(self, observed: Observed) -> NDArray[np.float32]:
        """Logarithms of what categories say of every reference, shape (N, rows)."""
        rows = len(observed.truth)
        total = np.zeros((len(self._codes), rows), dtype=np.float32)
        with np.errstate(divide="ignore"):
            for c in self.layout.known:
                if c != self.target:
                    self._add(total, c, np.log, observed.truth[:, c])
            for cell in self.layout.cells:
                if self.target not in cell and observed.copies:
                    self._add_cell(total, cell, observed)
        # Weights are wanted up to a factor: the largest is 1.
        best = total.max(axis=0)
        total -= np.where(np.isfinite(best), best, 0.0)
        return total

    def _add(self, total: NDArray[np.float32], c: int, function: np.ufunc, values: Integers) -> None:
        """Add a function of k of one column: worked out for every kind of reference, then handed to each."""
        table, kind = self._table(c, values)
        total += np.take(function(table).astype(np.float32), kind, axis=0)

    def _add_cell(self, total: NDArray[np.float32], cell: tuple[int, ...], observed: Observed) -> None:
        """Add the logarithm of 1 + sum over different copies y of (g(y) - 1) k_j(y)."""
        free = [c for c in cell if c not in self.layout.known]
        growth = gains(cell, self.layout, observed)
        told: Weights
        if len(free) == 1:
            told = np.zeros(1)
            for copy, gain in zip(observed.copies, growth, strict=True):
                table, kind = self._table(free[0], copy[:, free[0]])
                told = told + gain * table
            total += np.take(np.log1p(told).astype(np.float32), kind, axis=0)
        elif free:
            told = np.zeros_like(total)
            for copy, gain in zip(observed.copies, growth, strict=True):
                part = np.zeros_like(total)
                for c in free:
                    self._add(part, c, np.log, copy[:, c])
                np.exp(part, out=part)
                told += part * gain.astype(np.float32)
            total += np.log1p(told)

    def posterior(self, weights: Weights, observed: Observed) -> Floats:
        """What is believed of the target, shape (values, rows), not normalised.

        Parameters
        ----------
        weights : numpy.ndarray, shape (N, rows)
            Of the references by everything but the cell of the target.
        observed : Observed
        """
        if self.target is None:
            raise ValueError("No column was named of which something could be believed.")
        target = self.target
        size = self.layout.sizes[target]
        *_, overall = self._columns[target]
        mass = np.zeros((size, weights.shape[1]))
        order = np.argsort(self._codes[:, target], kind="stable")
        present, first = np.unique(self._codes[order, target], return_index=True)
        mass[present] = np.add.reduceat(weights[order], first, axis=0)
        total = mass.sum(axis=0)
        belief: Floats = (1 - self.own) * mass + self.own * overall[:, None] * total
        cell = next((cell for cell in self.layout.cells if target in cell), None)
        if cell is None or not observed.copies:
            return belief
        rest = [c for c in cell if c != target and c not in self.layout.known]
        every = np.arange(weights.shape[1])
        before = belief.copy()
        for copy, gain in zip(observed.copies, gains(cell, self.layout, observed), strict=True):
            seen = copy[:, target]
            if not rest:
                belief[seen, every] += gain * before[seen, every]
                continue
            like = self.chance(target, seen, self.own)
            for c in rest:
                like = like * self.chance(c, copy[:, c])
            belief[seen, every] += gain * np.einsum("jr,jr->r", weights, like)
        return belief


def gains(cell: tuple[int, ...], layout: Layout, observed: Observed) -> list[Floats]:
    """g(y) - 1 of each copy of a cell, shape (rows,): 0 where an earlier one holds the same, or where a copy
    contradicts what is known."""
    size = layout.size(cell)
    columns = list(cell)
    known = [c for c in cell if c in layout.known]
    each = [size * p / (1 - p) for p in np.minimum(observed.retentions, CERTAIN)]
    found = []
    for place, copy in enumerate(observed.copies):
        mine = copy[:, columns]
        growth = np.full(len(mine), 1 + each[place])
        for other, theirs in enumerate(observed.copies):
            if other == place:
                continue
            same = (theirs[:, columns] == mine).all(axis=1)
            growth = np.where(same, 0.0 if other < place else growth * (1 + each[other]), growth)
        holds = (growth > 0) & (copy[:, known] == observed.truth[:, known]).all(axis=1)
        found.append(np.where(holds, np.minimum(growth - 1, MOST), 0.0))
    return found


def copies_of(
    codes: Integers, layout: Layout, retentions: Sequence[float], draw: np.random.Generator
) -> tuple[Integers, ...]:
    """Independent copies of these codes at some retentions, shape (rows, c) each.

    What is drawn does not depend on the retentions, so that a higher one keeps more of the same values.
    """
    found = []
    sizes = np.asarray(layout.sizes)
    for p in retentions:
        chances = draw.random((len(codes), max(len(layout.cells), 1)))
        copy = (draw.random(codes.shape) * sizes).astype(codes.dtype)
        for place, cell in enumerate(layout.cells):
            kept = chances[:, place] < p
            for c in cell:
                copy[kept, c] = codes[kept, c]
        found.append(copy)
    return tuple(found)
