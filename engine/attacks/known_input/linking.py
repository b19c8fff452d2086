"""Which released rows are the known records: the linking step (Giannella et al. 2009, Sec. IV-A and Appendix I).

An assignment of known records to released rows is *valid* if it keeps lengths and distances; a set of known
records is *uniquely valid* if it has one valid assignment. There is one largest uniquely valid set. It is found
by taking those records whose row is the same in all valid assignments, then doing the same for them alone, until
none drops out: a uniquely valid set survives each round, and what is left is one.

The paper's Algorithm IV-A.3 tries every order of the records, so it counts each assignment many times over and
calls nothing unique; here the search tree branches on one record at a node, the one with fewest candidates.
"""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.attacks.known_input.search import Search
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError

__all__ = ["Links", "link"]

# Relative differences up to this can come from rounding alone.
TOLERANCE = 1e-9
# After this many comparisons of pairs, some seconds, records that are not decided count as ambiguous.
LIMIT = 200_000_000


@dataclass(frozen=True, eq=False)
class Links:
    """What linking found.

    Attributes
    ----------
    rows : numpy.ndarray of int, shape (a,)
        For every known record its released row in the maximal uniquely valid set, -1 if it is ambiguous. Of
        identical released rows the first stands for all: they hold the same record.
    certain : numpy.ndarray of int, shape (a,)
        The same for the records whose row is the same in every assignment that is valid for *all* known
        records: at least as many, since a record left out above may still rule others out.
    candidates : numpy.ndarray of int, shape (a,)
        How many released rows each record could be, by its length alone (with translation: by any).
    complete : bool
        False if the search was broken off, so that more may be linked than is said.
    tolerance : float
        What it was told.
    alone : bool
        Whether there was one known record and a shift: then nothing can be said.
    """

    rows: Integers
    certain: Integers
    candidates: Integers
    complete: bool
    tolerance: float = TOLERANCE
    alone: bool = False

    @property
    def linked(self) -> Integers:
        """Numbers of the linked known records, the set I."""
        return np.flatnonzero(self.rows >= 0)

    @property
    def ambiguous(self) -> Integers:
        """Numbers of the known records that could be several rows."""
        return np.flatnonzero(self.rows < 0)

    @property
    def note(self) -> str:
        """Why records stayed ambiguous, in a sentence; empty if none did."""
        if not len(self.ambiguous):
            return ""
        if not self.complete:
            return "The search was broken off: there are too many ways to place the known records among the rows."
        if self.alone:
            return "One record alone has no distances to others: after a shift it could be any row, or none of them."
        return "Several choices of released rows keep all lengths and distances of the ambiguous records."


def link(
    known: ArrayLike, released: ArrayLike, *, translated: bool = False, tolerance: float = TOLERANCE, limit: int = LIMIT
) -> Links:
    """Find the released rows of the known records, as far as they are determined.

    Parameters
    ----------
    known : array-like, shape (a, n)
        Records of the data, perhaps none; equal ones are linked together.
    released : array-like, shape (rows, n)
    translated : bool
        Whether there may have been a shift: then only distances count, and the work grows with the square of
        the rows.
    tolerance : float
        Relative difference up to which two lengths or distances count as equal: rounding. Raise it where the
        released values were rounded.
    limit : int
        Pairs of rows that are compared at most in the search.

    Returns
    -------
    Links
    """
    x, y = checked(known, released)
    if not isinstance(tolerance, int | float | np.floating | np.integer) or not 0 <= tolerance < 1:
        raise TrustscopeError(f"The tolerance must be from 0 to below 1, not {tolerance}.")
    if not len(x):
        nothing = np.empty(0, dtype=int)
        return Links(nothing, nothing, nothing, True, tolerance)
    x, y = _scaled(x, y)
    distinct, inverse = np.unique(x, axis=0, return_inverse=True)
    search = Search(distinct, y, translated=translated, tolerance=tolerance, limit=limit)
    certain = search.backbone(np.arange(len(distinct)))
    rows, asked = certain, len(distinct)
    while (found := int(np.count_nonzero(rows >= 0))) < asked:
        rows, asked = search.backbone(np.flatnonzero(rows >= 0)), found
    inverse = inverse.ravel()
    alone = translated and len(distinct) == 1
    return Links(rows[inverse], certain[inverse], search.candidates[inverse], search.complete, tolerance, alone)


def _scaled(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Both in other units where squares would overflow or vanish."""
    largest = max(np.abs(x).max(), y.max(), -y.min())
    return (x, y) if 1e-100 < largest < 1e100 or largest == 0 else (x / largest, y / largest)


def checked(known: ArrayLike, released: ArrayLike) -> tuple[Floats, Floats]:
    """Both tables, with as many columns; there may be no known record."""
    y = as_table(released, "released data")
    none = np.ndim(known) == 2 and not len(known)  # type: ignore[arg-type]
    x = np.empty(np.shape(known)) if none else as_table(known, "known records")
    if x.shape[1] != y.shape[1]:
        raise TrustscopeError(f"The known records have {x.shape[1]} columns, the released data {y.shape[1]}.")
    return x, y
