"""The search tree behind linking: depth first, the record with fewest candidates first, every choice checked ahead.

A node holds what is open as two flat arrays: candidate c could be the row ``rows[c]`` of record ``owner[c]``, the
candidates of a record together. Fixing a record filters those of all others at once.
"""

from collections.abc import Iterator

import numpy as np
from scipy.spatial.distance import cdist

from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.engine.attacks.known_input.twins import ROUNDING, first_of_each, rounding
from trustscope.errors import TrustscopeError

__all__ = ["Search"]

# Released rows whose distances to all other rows are computed together.
BLOCK = 16
# Relative rounding error of a squared distance that is computed from squared lengths and a product.
PRODUCT = 1e-14
# A row is first compared by this many records, those with the longest distances: they have the fewest candidates.
FEW = 6
# The cost of a node of the search without its comparisons, expressed as a number of comparisons.
NODE = 5_000
# Comparing by a matrix product is this many times cheaper than one comparison after another.
PRODUCTS = 10
# The most comparisons by one matrix product, limited by memory.
AT_ONCE = 20_000_000


# A node of the search: rows of the records that are settled, and the owners and rows of all candidates of the others.
_Node = tuple[Integers, Integers, Integers]


class _Exhausted(Exception):
    """The work allowed is done."""


class Search:
    """Valid assignments of distinct known records to released rows.

    Parameters
    ----------
    known : numpy.ndarray, shape (a, n)
        Without duplicates.
    released : numpy.ndarray, shape (rows, n)
    translated : bool
        Whether distances alone count; otherwise lengths as well.
    tolerance : float
        Relative: to the lengths of the two records, or with translation to their distance.
    limit : int
        Pairs of rows that are compared, over all calls.

    Attributes
    ----------
    candidates : numpy.ndarray of int, shape (a,)
    complete : bool
    """

    def __init__(self, known: Floats, released: Floats, *, translated: bool, tolerance: float, limit: int) -> None:
        self._translated, self._released, self._left = translated, released, limit
        self.complete = True
        self._targets: Floats = cdist(known, known)
        self._same: Floats
        self._slack: Floats
        self._rows: Integers
        if translated:
            self._same = rounding(released, translated=True)
            self._slack = tolerance * self._targets
            self._refuse_lost_digits()
            self._rows = first_of_each(released, np.arange(len(released)), self._same)
            self.candidates = np.full(len(known), len(self._rows))
        else:
            lengths = np.linalg.norm(known, axis=1)
            self._same = np.zeros(len(released))
            self._slack = max(tolerance, ROUNDING) * (lengths[:, None] + lengths)
            self._owner, self._rows = self._of_length(lengths)
            self.candidates = np.bincount(self._owner, minlength=len(known))
            self._refuse_strangers()

    def backbone(self, indices: Integers) -> Integers:
        """Rows of the records that are the same in every valid assignment of `indices`.

        Parameters
        ----------
        indices : numpy.ndarray of int

        Returns
        -------
        numpy.ndarray of int, shape (a,)
            -1 for the others.
        """
        self._first: Integers | None = None
        self._open = np.zeros(len(self._targets), dtype=bool)
        self._open[indices] = True
        chosen = np.full(len(self._targets), -1)
        if len(indices):
            roots = self._anchored(indices) if self._translated else self._whole(indices)
            try:
                for root, owner, rows in roots:
                    self._explore(np.where(root >= 0, root, chosen), owner, rows)
                    if not self._open.any():
                        break
            except _Exhausted:
                self._give_up()
            if self._first is None:
                raise TrustscopeError(
                    "The known records cannot all be in the released data: their distances to one another fit no "
                    "choice of released rows. (If the released values were rounded, raise the tolerance.)"
                )
        return chosen if self._first is None else np.where(self._open, self._first, -1)

    def _whole(self, indices: Integers) -> Iterator[_Node]:
        """The one root: nothing is fixed, lengths alone have spoken."""
        kept = np.isin(self._owner, indices)
        yield np.full(len(self._targets), -1), self._owner[kept], self._rows[kept]

    def _anchored(self, indices: Integers) -> Iterator[_Node]:
        """One root for every released row that the first record could be: the others by their distance from it."""
        anchor = indices[np.argmax(self._targets[np.ix_(indices, indices)].sum(axis=1))]
        others = np.setdiff1d(indices, anchor)
        # Long distances are rare: they rule out most rows at once.
        others = others[np.argsort(-self._targets[anchor, others], kind="stable")]
        released, same = self._released[self._rows], self._same[self._rows]
        for row in self._possible(released, same, anchor, others):
            away = cdist(released[row : row + 1], released)[0]
            slack = same + same[row]
            found = [
                np.flatnonzero(np.abs(away - self._targets[anchor, j]) <= self._slack[anchor, j] + slack)
                for j in others
            ]
            if not all(map(len, found)):
                continue
            root = np.full(len(self._targets), -1)
            root[anchor] = self._rows[row]
            owner = np.repeat(others, [len(each) for each in found])
            yield root, owner, self._rows[np.concatenate(found)] if found else owner

    def _possible(self, released: Floats, same: Floats, anchor: int, others: Integers) -> Iterator[int]:
        """Rows that could be the anchor, by a quick and slightly generous look at a few other records."""
        # Squares of small numbers are more exact, and a median leaves most of them small beside an outlier.
        table = released - np.median(released, axis=0)
        squares, few = np.einsum("ij,ij->i", table, table), others[:FEW]
        slack = self._slack + 2 * same.max()
        lowest, highest = np.maximum(self._targets - slack, 0) ** 2, (self._targets + slack) ** 2
        for start in range(0, len(table), BLOCK):
            sums = squares[start : start + BLOCK, None] + squares
            products = 2 * (table[start : start + BLOCK] @ table.T)
            least, most = (1 - PRODUCT) * sums - products, (1 + PRODUCT) * sums - products
            for one in range(len(sums)):
                near: list[Integers] = []
                for j in few:
                    near.append(np.flatnonzero((least[one] <= highest[anchor, j]) & (most[one] >= lowest[anchor, j])))
                    if not len(near[-1]):
                        break
                else:
                    if self._together(table, squares, near, few, lowest, highest):
                        yield start + one

    def _together(
        self, table: Floats, squares: Floats, near: list[Integers], few: Integers, lowest: Floats, highest: Floats
    ) -> bool:
        """Whether some candidate of one record agrees with a candidate of every other, by their distances."""
        if len(few) < 2:
            return True
        first = int(np.argmin([len(each) for each in near]))
        mine, alive = near[first], np.ones(len(near[first]), dtype=bool)
        for j, each in zip(few, near, strict=True):
            if j == few[first]:
                continue
            self._spend(len(mine) * len(each) // PRODUCTS)
            sums = squares[mine][:, None] + squares[each]
            products = 2 * (table[mine] @ table[each].T)
            low, high = lowest[few[first], j], highest[few[first], j]
            alive &= (((1 - PRODUCT) * sums - products <= high) & ((1 + PRODUCT) * sums - products >= low)).any(axis=1)
            mine, alive = mine[alive], alive[alive]
            if not len(mine):
                return False
        return True

    def _explore(self, chosen: Integers, owner: Integers, rows: Integers) -> None:
        """Everything below one node, as long as it could tell something new."""
        self._spend(NODE)
        counts = np.bincount(owner, minlength=len(chosen))
        while len(owner):
            single = counts[owner] == 1
            if not single.any():
                break
            settled, chosen = owner[single], chosen.copy()
            chosen[settled] = rows[single]
            if not self._fits(settled, chosen[settled], settled, chosen[settled]).all():
                return
            owner, rows = self._filtered(owner[~single], rows[~single], settled, chosen[settled])
            before, counts = counts, np.bincount(owner, minlength=len(chosen))
            if np.any((before > 1) & (counts == 0)):
                return
        if not self._news(chosen, owner, rows):
            return
        if not len(owner):
            self._record(chosen)
            return
        branch = np.argmin(np.where(counts > 0, counts, len(rows) + 1))
        mine = owner == branch
        choices, owner, rows = rows[mine], owner[~mine], rows[~mine]
        fits = self._fits(owner, rows, np.full(len(choices), branch), choices)
        # A choice that leaves some other record without a candidate is dead.
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        alive = np.logical_or.reduceat(fits, starts).all(axis=0) if len(owner) else np.ones(len(choices), bool)
        for one in np.flatnonzero(alive):
            below = chosen.copy()
            below[branch] = choices[one]
            self._explore(below, owner[fits[:, one]], rows[fits[:, one]])

    def _spend(self, work: int) -> None:
        self._left -= work
        if self._left < 0 or work > AT_ONCE:
            raise _Exhausted

    def _news(self, chosen: Integers, owner: Integers, rows: Integers) -> bool:
        """Whether an assignment below could move a record that has not moved yet."""
        if self._first is None:
            return True
        moved = (chosen >= 0) & (chosen != self._first)
        return bool(np.any(moved & self._open) or np.any((rows != self._first[owner]) & self._open[owner]))

    def _record(self, chosen: Integers) -> None:
        if self._first is None:
            self._first = chosen
        else:
            self._open &= chosen == self._first

    def _fits(self, owner: Integers, rows: Integers, fixed: Integers, fixed_rows: Integers) -> Bools:
        """Whether candidates agree with fixed records, shape (candidates, fixed)."""
        self._spend(len(rows) * len(fixed_rows))
        found = cdist(self._released[rows], self._released[fixed_rows])
        pairs = owner[:, None], fixed
        rounded = self._same[rows][:, None] + self._same[fixed_rows]
        return np.asarray(np.abs(found - self._targets[pairs]) <= self._slack[pairs] + rounded)

    def _filtered(
        self, owner: Integers, rows: Integers, fixed: Integers, fixed_rows: Integers
    ) -> tuple[Integers, Integers]:
        keep = self._fits(owner, rows, fixed, fixed_rows).all(axis=1)
        return owner[keep], rows[keep]

    def _of_length(self, lengths: Floats) -> tuple[Integers, Integers]:
        """Candidates of every record by its length, flat."""
        released = np.sqrt(np.einsum("ij,ij->i", self._released, self._released))
        slack = np.diag(self._slack) / 2
        found = [np.flatnonzero(np.abs(released - lengths[i]) <= slack[i]) for i in range(len(lengths))]
        owner, rows = np.repeat(np.arange(len(found)), [len(one) for one in found]), np.concatenate(found)
        used = np.unique(rows)
        if not len(used):
            return owner, rows
        part = self._released[used]
        keep = np.isin(rows, used[first_of_each(part, np.arange(len(used)), rounding(part, translated=False))])
        return owner[keep], rows[keep]

    def _refuse_lost_digits(self) -> None:
        """No row could be told from another: after a large shift few digits are left for what differs."""
        apart = self._targets[~np.eye(len(self._targets), dtype=bool)]
        if len(apart) and apart.min() <= 2 * np.median(self._same):
            raise TrustscopeError(
                "The released values are so large beside the differences between the known records that their last "
                "digits are lost: the shift hides which row is which."
            )

    def _refuse_strangers(self) -> None:
        missing = np.flatnonzero(self.candidates == 0)
        if len(missing):
            some = f"{len(missing)} of the known records" if len(missing) > 1 else "One of the known records"
            raise TrustscopeError(
                f"{some} cannot be in the released data: no released row is as long. (If the released values were "
                "rounded, raise the tolerance.)"
            )

    def _give_up(self) -> None:
        """After too much work, only what length alone decides is certain."""
        self.complete = False
        self._first = np.full(len(self._targets), -1)
        if not self._translated:
            alone = self.candidates[self._owner] == 1
            self._first[self._owner[alone]] = self._rows[alone]
        self._left = 0
