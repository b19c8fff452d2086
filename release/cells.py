"""What a found file tells where its rows are in no known order: cells that it shares with copies.

A cell is what some columns of a row hold together. Every copy that is out is made again, under the ledger's key and
under decoy keys. Noise under a decoy key is as good as the real one for a file that has nothing to do with the copies,
so there the real key is as likely as any other to be the one under which a found cell occurs:

* of all keys, the real one is among the h under which a cell occurs with probability h / (number of keys): how many of
  the found cells the real copy has is bounded by Chernoff;
* where cells are large, a row's move from its cell under a decoy key to its cell under the real one is as likely as the
  way back: the sum of the moves, weighted by how far the found file is from what is usual, is bounded by Hoeffding.

So the chance of a false alarm is known for every set of columns by itself, whatever the data is like.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
import pyarrow as pa

from trustscope.engine.arrays import Integers
from trustscope.release.aligned import ALTERED, chernoff
from trustscope.release.comparing import Comparison, How, over_copies
from trustscope.release.making import Job
from trustscope.release.record import Variant
from trustscope.release.types import Words

MOST_ROWS = 50_000
# So many powers of ten a handful of rows can reach, with enough decoys.
REACH = 14
MOST_DECOYS = 15
# A copy and the number of the key under which it is made; 0 is the real one.
Label = tuple[Variant, int]
# Found cells, the place of each row among them, and how often each occurs.
Found = tuple[Words, Integers, Integers]


@dataclass(frozen=True)
class SharedCells:
    """What one set of columns says.

    Attributes
    ----------
    columns : tuple of str
    log_chance : dict of Variant to float
        Logarithm of a bound on the probability of a false alarm, for each copy.
    ratios : dict of Variant to float
        Logarithm of the likelihood ratio of "a sample of this copy, some rows altered" to "of none".
    places : numpy.ndarray of int
        Found rows that were looked for.
    rows : dict of Variant to numpy.ndarray of int
        For each of them the row of the copy that it equals; -1 where there is none, or more than one.
    matched : dict of Variant to float
        Share of the found rows that occur in the copy.
    original, by_chance : float
        Share of the found rows that occur in the data, and most that occur in a decoy.
    """

    columns: tuple[str, ...]
    log_chance: dict[Variant, float]
    ratios: dict[Variant, float]
    places: Integers
    rows: dict[Variant, Integers]
    matched: dict[Variant, float]
    original: float
    by_chance: float


def decoy_keys(key: bytes, number: int) -> list[bytes]:
    """So many keys that have made no copy."""
    return [
        hashlib.blake2b(b"decoy%d" % place, digest_size=32, key=key, person=b"trustscope decoy").digest()
        for place in range(number)
    ]


def shared_cells(
    comparison: Comparison, job: Job, variants: Sequence[Variant], key: bytes, **how: Unpack[How]
) -> list[SharedCells]:
    """Evidence of every set of columns that is compared, a list of `SharedCells`.

    Parameters
    ----------
    comparison : Comparison
    job, how
        As in `comparing.over_copies`.
    variants : sequence of Variant
    key : bytes
    """
    sets, count = _sets(comparison), len(comparison.rows)
    chosen = np.arange(count) if count <= MOST_ROWS else np.random.default_rng(1).permutation(count)[:MOST_ROWS]
    rows = comparison.rows.take(chosen)
    found = [np.unique(comparison.cells(rows, names), return_inverse=True, return_counts=True) for names in sets]
    decoys = decoy_keys(key, int(np.clip(np.ceil(10 ** (REACH / len(rows))) - 1, 1, MOST_DECOYS)))
    made = {(v, number): (v, one) for v in variants for number, one in enumerate([key, *decoys])}
    tally = {label: [_Tally(len(cells)) for cells, *_ in found] for label in [None, *made]}

    def count_unit(label: Label | None, first: int, table: pa.Table) -> list[tuple[Integers, Integers]]:
        unit = comparison.of(table)
        return [
            _count(comparison.cells(unit, names), cells[0], first) for names, cells in zip(sets, found, strict=True)
        ]

    for results in over_copies(job, made, count_unit, **how):
        for label, parts in results.items():
            for total, part in zip(tally[label], parts, strict=True):
                total.add(*part)
    out = []
    for place, names in enumerate(sets):
        one = {label: totals[place] for label, totals in tally.items()}
        alone = not any(job.recipe.is_shared(name) for name in names)
        out.append(_judge(names, found[place], chosen, one, variants, len(decoys), job.rows, alone))
    return out


def _sets(comparison: Comparison) -> list[tuple[str, ...]]:
    """The sets of columns that are looked at: each by itself, and together with what is not altered as easily."""
    together = [*comparison.categories, *comparison.kept]
    exact = [name for name in comparison.numbers if comparison.factors[name]]
    sets = [(*exact, *together), (*exact, *comparison.categories), tuple(exact)]
    for name in exact:
        sets += [(name,), (name, *together)]
    sets += [tuple(together), tuple(comparison.categories), *((name,) for name in comparison.categories)]
    perturbed = {*comparison.numbers, *comparison.categories}
    return list(dict.fromkeys(names for names in sets if perturbed.intersection(names)))


class _Tally:
    """How often each found cell occurs in a copy, and in which row last."""

    def __init__(self, size: int) -> None:
        self.counts, self.rows = np.zeros(size, dtype=np.int64), np.full(size, -1, dtype=np.int64)

    def add(self, counts: Integers, rows: Integers) -> None:
        self.counts += counts
        np.maximum(self.rows, rows, out=self.rows)


def _count(words: Words, cells: Words, first: int) -> tuple[Integers, Integers]:
    places = np.minimum(np.searchsorted(cells, words), len(cells) - 1)
    here = np.flatnonzero(cells[places] == words)
    rows = np.full(len(cells), -1, dtype=np.int64)
    rows[places[here]] = first + here
    return np.bincount(places[here], minlength=len(cells)), rows


def _judge(
    names: tuple[str, ...],
    found: Found,
    places: Integers,
    tally: Mapping[Label | None, _Tally],
    variants: Sequence[Variant],
    decoys: int,
    whole: int,
    alone: bool,
) -> SharedCells:
    _, back, often = found
    log_chance, ratios, rows, matched = {}, {}, {}, {}
    by_chance = 0.0
    for variant in variants:
        counts = np.array([tally[variant, number].counts for number in range(decoys + 1)])
        real = counts[0]
        log_chance[variant] = _log_chance(counts, often, often.sum() / whole, alone) + np.log(2)
        world = (counts[1:].mean(axis=0) + 0.5) / whole
        ratios[variant] = max(often @ np.log((1 - e) * real / whole / world + e) for e in ALTERED)
        row = np.where(real == 1, tally[variant, 0].rows, -1)
        rows[variant] = np.where(often == 1, row, -1)[back]
        matched[variant] = float(often @ (real > 0) / often.sum())
        by_chance = max(by_chance, float((often @ (counts[1:] > 0).T).max() / often.sum()))
    original = float(often @ (tally[None].counts > 0) / often.sum())
    return SharedCells(names, log_chance, ratios, places, rows, matched, original, by_chance)


def _log_chance(counts: Integers, often: Integers, share: float, alone: bool) -> float:
    """The better of the two bounds, for counts under the real key (first) and the decoys.

    The second one is for rows that are perturbed by themselves: members of a household move together.
    """
    there = counts > 0
    occupied = chernoff(there[0].sum(), there.mean(axis=0))
    if not alone:
        return min(occupied, 0.0)
    usual = counts.mean(axis=0)
    weight = (often / share - usual) / np.maximum(usual, 1.0)
    change = weight @ (counts[0] - counts[1])
    # A row that is in one cell under one key and in another under the other moves the sum by the difference of two
    # weights, to either side alike.
    spread = np.sqrt(weight**2 @ (counts[0] + counts[1]))
    large = -0.5 * max(change / spread, 0.0) ** 2 if spread > 0 else 0.0
    return min(occupied, large, 0.0)
