"""Columns that all members of a household share: one path for each household, and blocks of categories.

A household's income stands in the rows of all its members. With noise of its own in every row, whoever averages over
the members has less noise than was meant. So columns that are declared as shared have the noise of the household: it
hangs on a keyed digest of the household's number, wherever its rows stand. Columns that differ between members must not
share noise, because their differences would be released without any: they are refused.

Categories are perturbed together in blocks: those of persons, those of households, and more where the product of the
domains would be too large. Blocks are independent of each other.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from trustscope.engine import inverse_normal
from trustscope.engine.arrays import Floats, Integers
from trustscope.engine.cipher import CipherSource
from trustscope.engine.path import NoisePath
from trustscope.release.problems import Problem
from trustscope.release.roles import Roles
from trustscope.release.types import Group, Names, Words

MOST_COMBINATIONS = 2**31
# The number of a part that no row is in: under its key stands what rows of several parts share.
SHARED_PART = 2**63 - 1


def check_group(roles: Roles, group: str | None, shared: Names) -> Group | None:
    """A group column and the columns that its members share, as they are recorded; None without."""
    shared = [shared] if isinstance(shared, str) else list(shared)
    if group is None:
        if shared:
            raise Problem("Columns are shared within a group: say which column names the group.")
        return None
    if group not in roles.keep:
        raise Problem(f"The group column “{group}” has to be listed under keep: members stay together in a copy.")
    if not shared:
        raise Problem(f"Say which columns the members of one “{group}” share.")
    if stranger := next((name for name in shared if name not in (*roles.numbers, *roles.categories)), None):
        raise Problem(f"The column “{stranger}” is not perturbed, so there is no noise to be shared in it.")
    return {"column": group, "shared": [name for name in roles.read if name in shared]}


def blocks(
    names: Sequence[str], domains: Mapping[str, Sequence[Any]], shared: Collection[str]
) -> tuple[tuple[str, ...], ...]:
    """Categories in blocks, each small enough to be perturbed together; those that are shared apart from others."""
    out: list[tuple[str, ...]] = []
    for some in ([name for name in names if name not in shared], [name for name in names if name in shared]):
        block: list[str] = []
        size = 1
        for name in some:
            if block and size * len(domains[name]) > MOST_COMBINATIONS:
                out.append(tuple(block))
                block, size = [], 1
            block.append(name)
            size *= len(domains[name])
        out += [tuple(block)] if block else []
    return tuple(out)


def numbers_of(column: pa.Array | pa.ChunkedArray, key: bytes, first: int = 0) -> Words:
    """One number of 64 bits for the group of each row, under a key.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
    key : bytes
    first : int
        Number of the first row, for sentences.
    """
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if array.null_count:
        row = first + int(np.flatnonzero(np.asarray(array.is_null()))[0]) + 1
        raise Problem(f"The group in row {row:,} is missing; give every row its group, if only one of its own.")
    encoded = pc.dictionary_encode(array)
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    texts = np.array(encoded.dictionary.cast(pa.string()).to_pylist(), dtype=object)
    secret = hashlib.blake2b(b"group", digest_size=8, key=key, person=b"trustscope grp").hexdigest()
    numbers: Words = pd.util.hash_array(texts, hash_key=secret, categorize=False)[np.asarray(encoded.indices)]
    return numbers


def shared_noise(path: NoisePath, source: CipherSource, level: float, groups: Words) -> Floats:
    """The path of a shared column at a level, for the group of each row, shape (rows,)."""
    out = np.zeros(len(groups))
    for node, weight in zip(*path.steps(level), strict=True):
        stream = cast(int, path.stream(node))  # those of a cipher are numbers
        words = np.ascontiguousarray(source.pairs(stream, groups)[:, 0])
        out += weight * inverse_normal.normals(words, np.empty(len(groups)))
    return out


@dataclass
class Consistency:
    """Looks whether shared columns are equal within each group, unit by unit."""

    group: Group | None
    seen: dict[str, list[Words]] = field(default_factory=dict)

    def add(self, first: int, table: pa.Table) -> None:
        """Take in a unit."""
        if self.group is None:
            return
        groups = numbers_of(table.column(self.group["column"]), bytes(32), first)
        rows = np.arange(first + 1, first + 1 + len(table), dtype=np.uint64)
        for name in self.group["shared"]:
            values = pd.util.hash_array(np.array([str(v) for v in table.column(name).to_pylist()], dtype=object))
            pairs = np.column_stack([groups, values, rows])
            self.seen.setdefault(name, []).append(pairs[_first_of_each(pairs)])

    def check(self) -> None:
        """Refuse a column that is not the same for all members of a group."""
        if self.group is None:
            return
        for name, parts in self.seen.items():
            pairs = np.concatenate(parts)
            pairs = pairs[_first_of_each(pairs)]
            again = np.flatnonzero(pairs[1:, 0] == pairs[:-1, 0])
            if len(again):
                rows = sorted(pairs[again[0] : again[0] + 2, 2].tolist())
                raise Problem(
                    f"The column “{name}” is to be shared within a “{self.group['column']}”, but differs between rows "
                    f"{rows[0]:,} and {rows[1]:,} of one: the difference would be released without noise."
                )


def _first_of_each(pairs: Words) -> Integers:
    """Places of the first row of every (group, value), sorted by group."""
    order = np.lexsort((pairs[:, 2], pairs[:, 1], pairs[:, 0]))
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any(pairs[order[1:], :2] != pairs[order[:-1], :2], axis=1)
    return order[new]
