"""Released rows that are identical up to rounding: they hold the same record, whichever of them is meant."""

import numpy as np

from trustscope.engine.arrays import Bools, Floats, Integers, Numbers

__all__ = ["first_of_each", "rounding", "twins_of"]

# Upper bound of the relative rounding error of a coordinate after a product with a matrix.
ROUNDING = 1e-13


def rounding(table: Floats, *, translated: bool) -> Floats:
    """Coordinates of each row that differ by no more are the same, shape (rows,).

    A rotation errs in proportion to the length of a row, a shift to its own length, which makes all rows long.
    """
    sizes = np.abs(table).max(axis=1)
    return np.asarray(ROUNDING * (np.maximum(sizes, np.median(sizes)) if translated else sizes))


def first_of_each(table: Floats, rows: Integers, same: Floats) -> Integers:
    """The first of each set of identical rows among `rows`, ascending."""
    rows = np.asarray(rows)
    if len(rows) < 2:
        return rows
    _, order, place = _along(table[rows])
    ordered = rows[order]
    # Twins stand together along one direction; others may stand between them by chance.
    runs = np.cumsum(np.concatenate([[True], np.diff(place) > _reach(table, same[ordered[1:]])])) - 1
    apart = np.abs(np.diff(table[ordered], axis=0)).max(axis=1) > same[ordered[1:]]
    mixed = np.zeros(runs[-1] + 1, dtype=bool)
    mixed[runs[1:][apart & (np.diff(runs) == 0)]] = True
    first = np.full(runs[-1] + 1, len(table))
    np.minimum.at(first, runs, ordered)
    found = [first[~mixed]]
    for run in np.flatnonzero(mixed):
        found.append(_by_comparison(table, np.sort(ordered[runs == run]), same))
    return np.sort(np.concatenate(found))


def twins_of(table: Floats, rows: Integers, same: Floats) -> Bools:
    """Which rows of the table are identical with one of `rows`, shape (rows of the table,) of bool."""
    found = np.zeros(len(table), dtype=bool)
    direction, order, place = _along(table)
    for row in rows:
        reach = _reach(table, same[row])
        low, high = np.searchsorted(place, table[row] @ direction + np.array([-reach, reach]))
        near = order[low:high]
        found[near[np.abs(table[near] - table[row]).max(axis=1) <= same[row]]] = True
        found[row] = True
    return found


def _along(table: Floats) -> tuple[Floats, Integers, Floats]:
    """A direction in which rows that differ hardly agree, the order of the rows along it, and their places."""
    direction = np.cos(np.arange(1, table.shape[1] + 1))
    place = table @ direction
    order = np.argsort(place, kind="stable")
    return direction, order, place[order]


def _reach(table: Floats, same: Numbers) -> Numbers:
    """How far apart twins can be along the direction."""
    reach: Numbers = 2 * table.shape[1] * same
    return reach


def _by_comparison(table: Floats, rows: Integers, same: Floats) -> Integers:
    """`first_of_each` by comparing each row with those kept."""
    kept = rows[:1]
    for row in rows[1:]:
        if np.abs(table[kept] - table[row]).max(axis=1).min() > same[row]:
            kept = np.append(kept, row)
    return kept
