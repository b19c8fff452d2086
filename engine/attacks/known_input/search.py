"""The search tree behind linking: depth first, the record with fewest candidates first, every choice checked ahead.

A node holds what is open as two flat arrays: candidate c could be the row ``rows[c]`` of record ``owner[c]``, the
candidates of a record together. Fixing a record filters those of all others at once.
"""

import numpy as np

__all__ = ["Search"]

# Released rows whose distances to all others are worked out at once.
BLOCK = 256


class Search:
    """Valid assignments of distinct known records to released rows.

    Parameters
    ----------
    known : numpy.ndarray, shape (a, n)
        Without duplicates.
    released : numpy.ndarray, shape (rows, n)
    translated : bool
        Whether distances alone count; otherwise lengths and inner products.
    tolerance : float
        Relative.
    limit : int
        Nodes of the tree, over all calls.

    Attributes
    ----------
    candidates : numpy.ndarray of int, shape (a,)
    complete : bool
    """

    def __init__(self, known, released, *, translated, tolerance, limit):
        self._translated, self._released, self._left = translated, released, limit
        self.complete = True
        self._squares = np.einsum("ij,ij->i", released, released)
        largest = self._squares.max()
        # Coordinates closer than this are the same up to rounding.
        self._same = 1e-10 * np.sqrt(largest)
        squares = np.einsum("ij,ij->i", known, known)
        products = known @ known.T
        if translated:
            self._targets = np.maximum(squares[:, None] + squares - 2 * products, 0)
            # Differences of squares carry the rounding of the largest.
            self._slack = 2 * tolerance * self._targets + 1e-13 * largest
            self._rows = self._representatives(np.arange(len(released)))
            self.candidates = np.full(len(known), len(self._rows))
        else:
            self._targets = products
            self._slack = 2 * tolerance * np.sqrt(np.outer(squares, squares)) + 1e-20 * largest
            self._owner, self._rows = self._of_length(squares)
            self.candidates = np.bincount(self._owner, minlength=len(known))
            self._refuse_strangers()

    def backbone(self, indices):
        """Rows of the records that are the same in every valid assignment of `indices`.

        Parameters
        ----------
        indices : numpy.ndarray of int

        Returns
        -------
        numpy.ndarray of int, shape (a,)
            -1 for the others.
        """
        self._first, self._open = None, np.zeros(len(self._targets), dtype=bool)
        self._open[indices] = True
        chosen = np.full(len(self._targets), -1)
        if len(indices):
            roots = self._anchored(indices) if self._translated else self._whole(indices)
            for root, owner, rows in roots:
                self._explore(np.where(root >= 0, root, chosen), owner, rows)
                if self._left <= 0 or not self._open.any():
                    break
            if self._left <= 0:
                self._give_up()
            elif self._first is None:
                raise ValueError(
                    "The known records cannot all be in the released data: their distances to one another fit no "
                    "choice of released rows."
                )
        return chosen if self._first is None else np.where(self._open, self._first, -1)

    def _whole(self, indices):
        """The one root: nothing is fixed, lengths alone have spoken."""
        kept = np.isin(self._owner, indices)
        yield np.full(len(self._targets), -1), self._owner[kept], self._rows[kept]

    def _anchored(self, indices):
        """One root for every released row that the first record could be: the others by their distance from it."""
        # Long distances are rare.
        order = indices[np.argsort(-self._targets[np.ix_(indices, indices)].sum(axis=1), kind="stable")]
        anchor, others = order[0], order[1:]
        released, squares = self._released[self._rows], self._squares[self._rows]
        for start in range(0, len(self._rows), BLOCK):
            part = slice(start, start + BLOCK)
            distances = squares[part, None] + squares - 2 * (released[part] @ released.T)
            near = [np.abs(distances - self._targets[anchor, j]) <= self._slack[anchor, j] for j in others]
            alive = np.logical_and.reduce([one.any(axis=1) for one in near]) if near else np.ones(len(distances), bool)
            for one in np.flatnonzero(alive):
                root = np.full(len(self._targets), -1)
                root[anchor] = self._rows[start + one]
                found = [np.flatnonzero(each[one]) for each in near]
                owner = np.repeat(others, [len(each) for each in found])
                yield root, owner, self._rows[np.concatenate(found)] if found else owner

    def _explore(self, chosen, owner, rows):
        """Everything below one node, as long as it could tell something new."""
        self._left -= 1
        counts = np.bincount(owner, minlength=len(chosen))
        while len(owner) and self._left > 0:
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
        if self._left <= 0 or not self._news(chosen, owner, rows):
            return
        if not len(owner):
            return self._record(chosen)
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
        return None

    def _news(self, chosen, owner, rows):
        """Whether an assignment below could move a record that has not moved yet."""
        if self._first is None:
            return True
        moved = (chosen >= 0) & (chosen != self._first)
        return bool(np.any(moved & self._open) or np.any((rows != self._first[owner]) & self._open[owner]))

    def _record(self, chosen):
        if self._first is None:
            self._first = chosen
        else:
            self._open &= chosen == self._first

    def _fits(self, owner, rows, fixed, fixed_rows):
        """Whether candidates agree with fixed records, shape (candidates, fixed)."""
        found = self._released[rows] @ self._released[fixed_rows].T
        if self._translated:
            found = self._squares[rows][:, None] + self._squares[fixed_rows] - 2 * found
        pairs = owner[:, None], fixed
        return np.abs(found - self._targets[pairs]) <= self._slack[pairs]

    def _filtered(self, owner, rows, fixed, fixed_rows):
        keep = self._fits(owner, rows, fixed, fixed_rows).all(axis=1)
        return owner[keep], rows[keep]

    def _of_length(self, squares):
        """Candidates of every record by its length, flat."""
        slack = np.diag(self._slack)
        found = [np.flatnonzero(np.abs(self._squares - squares[i]) <= slack[i]) for i in range(len(squares))]
        owner, rows = np.repeat(np.arange(len(found)), [len(one) for one in found]), np.concatenate(found)
        keep = np.isin(rows, self._representatives(np.unique(rows)))
        return owner[keep], rows[keep]

    def _representatives(self, rows):
        """The first of each set of rows that are identical up to rounding."""
        if len(rows) < 2:
            return rows
        table = self._released[rows]
        # Identical rows stand together along a direction in which others hardly do by chance.
        order = np.argsort(table @ np.cos(np.arange(1, table.shape[1] + 1)), kind="stable")
        gaps = np.abs(np.diff(table[order], axis=0)).max(axis=1)
        groups = np.cumsum(np.concatenate([[True], gaps > self._same])) - 1
        first = np.full(groups[-1] + 1, len(self._released))
        np.minimum.at(first, groups, rows[order])
        return np.sort(first)

    def _refuse_strangers(self):
        missing = np.flatnonzero(self.candidates == 0)
        if len(missing):
            some = f"{len(missing)} of the known records" if len(missing) > 1 else "One of the known records"
            raise ValueError(f"{some} cannot be in the released data: no released row is as long.")

    def _give_up(self):
        """After too many nodes, only what length alone decides is certain."""
        self.complete = False
        self._first = np.full(len(self._targets), -1)
        if not self._translated:
            alone = self.candidates[self._owner] == 1
            self._first[self._owner[alone]] = self._rows[alone]
        self._left = 0
