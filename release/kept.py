"""What is looked at before the first copy: whom kept columns single out, alone and with one more column known.

A *crowd* is the rows that share their values of some columns. Crowds are counted over all rows in bounded memory: where
there are too many, only those whose hash begins with some zero bits are counted, so that a crowd is counted whole or
not at all, and shares are right on average.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
import pyarrow as pa

from trustscope.release.problems import Problem
from trustscope.release.roles import Roles
from trustscope.release.types import Words

MOST = 500_000  # crowds that are counted at once
SMALL = 5  # rows below which a crowd is small
FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Crowds:
    """The sizes of crowds, of rows that come in pieces."""

    def __init__(self) -> None:
        self._keys, self._sizes = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
        self._bits, self.rows = 0, 0

    def add(self, hashes: Words) -> None:
        """Take in rows by the hashes of their values."""
        self.rows += len(hashes)
        keys, sizes = np.unique(self._choose(hashes), return_counts=True)
        joined, place = np.unique(np.concatenate([self._keys, keys]), return_inverse=True)
        total = np.bincount(place, weights=np.concatenate([self._sizes, sizes]), minlength=len(joined))
        self._keys, self._sizes = joined, total.astype(np.int64)
        while len(self._keys) > MOST:
            self._bits += 1
            mine = self._keys >> np.uint64(64 - self._bits) == 0
            self._keys, self._sizes = self._keys[mine], self._sizes[mine]

    def _choose(self, hashes: Words) -> Words:
        return hashes[hashes >> np.uint64(64 - self._bits) == 0] if self._bits else hashes

    def below(self, size: int) -> int:
        """How many rows are in crowds of fewer rows than this."""
        counted = int(self._sizes[self._sizes < size].sum()) << self._bits
        return min(counted, self.rows)

    @property
    def exact(self) -> bool:
        """Whether all crowds were counted."""
        return not self._bits


@dataclass(frozen=True)
class Singled:
    """Whom some columns single out.

    Attributes
    ----------
    column : str
        Known beside the kept columns; empty: these alone.
    unique, small : int
        Rows that are alone with their values, and rows in crowds of fewer than `SMALL`.
    """

    column: str
    unique: int
    small: int


@dataclass(frozen=True)
class Kept:
    """What kept columns give away.

    Attributes
    ----------
    columns : tuple of str
    rows : int
    singled : tuple of Singled
        By kept columns alone, where there are any; then with each perturbed column known.
    exact : bool
        Whether all rows were counted.
    """

    columns: tuple[str, ...]
    rows: int
    singled: tuple[Singled, ...]
    exact: bool

    @property
    def by_kept_alone(self) -> Singled | None:
        """Of the kept columns by themselves, or None."""
        return next((one for one in self.singled if not one.column), None)

    def record(self) -> dict[str, Any]:
        """As plain values, for the ledger."""
        return asdict(self)

    @classmethod
    def from_record(cls, plain: dict[str, Any] | None) -> Self | None:
        """What a ledger holds; None of an older one."""
        if plain is None:
            return None
        singled = tuple(Singled(**one) for one in plain["singled"])
        return cls(tuple(plain["columns"]), plain["rows"], singled, plain["exact"])


class CrowdCounter:
    """Counts crowds while the data is read.

    Parameters
    ----------
    roles : Roles
    """

    def __init__(self, roles: Roles) -> None:
        self._roles = roles
        more = [*roles.numbers, *roles.categories]
        self._crowds = {name: Crowds() for name in (["", *more] if roles.keep else more)}

    def add(self, table: pa.Table) -> None:
        """Take in a unit."""
        kept = np.zeros(len(table), dtype=np.uint64)
        for name in self._roles.keep:
            kept = _join(kept, table.column(name))
        for name, crowds in self._crowds.items():
            crowds.add(_mix(_join(kept, table.column(name)) if name else kept))

    def result(self) -> Kept:
        """What was counted, a `Kept`."""
        singled = [Singled(name, crowds.below(2), crowds.below(SMALL)) for name, crowds in self._crowds.items()]
        some = next(iter(self._crowds.values()))
        return Kept(self._roles.keep, some.rows, tuple(singled), all(one.exact for one in self._crowds.values()))


def _join(hashes: Words, column: pa.ChunkedArray) -> Words:
    """Hashes with those of one more column worked in; missing values are a value of their own."""
    values = column.to_pandas()
    own = pd.util.hash_array(np.asarray(values.astype(object) if values.dtype == object else values))
    with np.errstate(over="ignore"):
        return _mix(hashes * FACTOR + own)


def _mix(hashes: Words) -> Words:
    """All bits spread over all others (the last step of SplitMix64)."""
    with np.errstate(over="ignore"):
        one = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        two = (one ^ (one >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return two ^ (two >> np.uint64(31))


def refuse(kept: Kept, accepted: bool) -> None:
    """Refuse kept columns that single people out, unless that was accepted."""
    alone = kept.by_kept_alone
    if alone is None or not alone.unique or accepted:
        return
    raise Problem(
        f"{_rows(alone.unique)} alone with {'its' if alone.unique == 1 else 'their'} values of the kept columns "
        f"{', '.join(kept.columns)}: whoever knows these of somebody finds their row in every copy. Leave a column "
        "out, make it coarser, or perturb it; or say that you accept it (--accept-unique), which stands in the record."
    )


def sentences(kept: Kept) -> Iterator[str]:
    """What was found, in sentences; columns with which nobody is in a small crowd are named together."""
    about = "" if kept.exact else "About "
    alone = kept.by_kept_alone
    beside = "" if alone is None else "the kept columns and "
    if alone is not None:
        yield (
            f"{about}{_rows(alone.unique)} alone with their values of the kept columns {', '.join(kept.columns)}, and "
            f"{alone.small:,} of {kept.rows:,} are in crowds of fewer than {SMALL}: kept columns are not protected."
        )
    hidden = [one.column for one in kept.singled if one.column and not one.small]
    for one in kept.singled:
        if one.column and one.small:
            yield (
                f"{about}{_rows(one.unique)} alone for somebody who knows {beside}{one.column} exactly, and "
                f"{one.small:,} {'is' if one.small == 1 else 'are'} in crowds of fewer than {SMALL}."
            )
    if hidden:
        named = hidden[0] if len(hidden) == 1 else f"one of {', '.join(hidden)}"
        yield f"For somebody who knows {beside}{named} exactly, everybody is in a crowd of at least {SMALL}."


def _rows(number: int) -> str:
    return f"{number:,} {'row is' if number == 1 else 'rows are'}"
