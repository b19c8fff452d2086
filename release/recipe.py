"""What copies are made by, frozen when the ledger is created: columns, covariance, grids, domains, generator.

Everything is kept exactly (doubles as hexadecimal text): a covariance computed again, on another machine or with
another library, would differ in its last bits, and two versions of noise at one level would leak.
"""

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from trustscope.engine.arrays import Floats, Integers
from trustscope.engine.cipher import CipherSource
from trustscope.engine.noise import factor
from trustscope.engine.path import NoisePath
from trustscope.engine.preparation import Step
from trustscope.engine.uniform.jumps import JumpPath
from trustscope.release import fingerprint as _fingerprint
from trustscope.release import households, limits
from trustscope.release import steps as before
from trustscope.release.grid import Grid, derive_grid
from trustscope.release.moments import Survey, as_numbers
from trustscope.release.plan import BLOCK, PART
from trustscope.release.problems import Problem
from trustscope.release.roles import Roles
from trustscope.release.temporal import as_type, is_temporal
from trustscope.release.types import Group, Readable, RecipeRecord, Words

# Trust in thousandths, from 99.9 % down: the ladder of levels, s = (1 - trust) / trust.
THOUSANDTHS = np.arange(999, 0, -1)
LADDER = (1000 - THOUSANDTHS) / THOUSANDTHS
# The rounder the trust, the fewer normals it needs.
RANKS = np.select([THOUSANDTHS % step == 0 for step in (100, 50, 10, 5)], [0, 1, 2, 3], 4)
GENERATOR = f"{CipherSource.name}/path-1/jump-1"


def level(thousandths: int) -> float:
    """The noise level s of a trust in thousandths."""
    return float(LADDER[999 - thousandths])


@dataclass(frozen=True, eq=False)
class Recipe:
    """How the copies of one ledger are made.

    Attributes
    ----------
    roles : Roles
    mean : numpy.ndarray, shape (N,)
    covariance, lower : numpy.ndarray, shape (N, N)
        K_X and its factor.
    grids : tuple of Grid
        Of the numbers.
    domains : dict of str to list
        Values of each category column, in the order of their codes.
    notes : tuple of str
        What had to be said about the data.
    steps : tuple of (str, Step)
        What is done to numbers before noise is added.
    group : dict or None
        The group column, and the columns that members share; see `households`.
    blocks : tuple of tuple of str
        Categories that are perturbed together.
    """

    roles: Roles
    mean: Floats
    covariance: Floats
    lower: Floats
    grids: tuple[Grid, ...]
    domains: dict[str, list[Any]]
    notes: tuple[str, ...] = ()
    group: Group | None = None
    blocks: tuple[tuple[str, ...], ...] = ()
    steps: before.Steps = ()

    @classmethod
    def from_survey(
        cls,
        roles: Roles,
        survey: Survey,
        *,
        grids: Mapping[str, str | float] | None = None,
        domains: Mapping[str, Iterable[Any]] | None = None,
        group: Group | None = None,
        steps: Iterable[tuple[str, Step]] = (),
    ) -> Self:
        """The recipe that a survey of the data leads to."""
        grids, domains = dict(grids or {}), dict(domains or {})
        for given, allowed, word in ((grids, roles.numbers, "grid"), (domains, roles.categories, "domain")):
            if stranger := next((name for name in given if name not in allowed), None):
                raise Problem(f"A {word} is given for “{stranger}”, which is not a column that takes one.")
        mean, covariance, notes = survey.moments.result() if roles.numbers else (np.empty(0), np.empty((0, 0)), [])
        deviations = np.sqrt(np.diag(covariance))
        chosen = tuple(
            _whole_days(name, Grid(grids[name]), roles.types[name])
            if name in grids
            else derive_grid(survey.decimals[name], deviation)
            for name, deviation in zip(roles.numbers, deviations, strict=True)
        )
        shared = group["shared"] if group else ()
        lower = _factor(covariance, [name in shared for name in roles.numbers])
        values = {name: _domain(name, survey.values[name], domains.get(name)) for name in roles.categories}
        blocks = households.blocks(roles.categories, values, shared)
        notes += [*survey.notes(), *_said(blocks)]
        recipe = cls(roles, mean, covariance, lower, chosen, values, tuple(notes), group, blocks, tuple(steps))
        recipe.check()
        return recipe

    @classmethod
    def from_record(cls, record: RecipeRecord, data: Readable | None = None) -> Self:
        """The recipe that a ledger holds, for `data` as it is now; without data, for all but making copies."""
        if record["generator"] != GENERATOR:
            raise Problem(
                f"The copies of this ledger come from the generator {record['generator']}, and this version of "
                f"Trustscope has {GENERATOR}: a second kind of noise would leak; use the version that made it."
            )
        numbers = [np.array([float.fromhex(x) for x in record[name]]) for name in ("mean", "covariance", "lower")]
        size = len(numbers[0])
        return cls(
            Roles.from_record(record["roles"], data),
            numbers[0],
            numbers[1].reshape(size, size),
            numbers[2].reshape(size, size),
            tuple(Grid(text) for text in record["grids"]),
            record["domains"],
            tuple(record["notes"]),
            record.get("group"),
            tuple(tuple(names) for names in record.get("blocks", [record["roles"]["categories"]]) if names),
            before.from_record(record),
        )

    def record(self) -> RecipeRecord:
        """As plain values, for the ledger."""
        record: RecipeRecord = {
            "generator": GENERATOR,
            "roles": self.roles.record(),
            "mean": [x.hex() for x in self.mean.tolist()],
            "covariance": [x.hex() for x in self.covariance.ravel().tolist()],
            "lower": [x.hex() for x in self.lower.ravel().tolist()],
            "grids": [grid.text for grid in self.grids],
            "domains": self.domains,
            "notes": list(self.notes),
            "group": self.group,
            "blocks": [list(names) for names in self.blocks],
        }
        if self.steps:  # ledgers without steps are recorded as they always were
            record["steps"] = before.record(self.steps)
        return record

    def check(self) -> None:
        """Say what keeps the copies from being made."""
        for names in self.blocks:
            if not 2 <= self.block_size(names) <= households.MOST_COMBINATIONS:
                raise Problem(
                    f"The categories {', '.join(names)} have {self.block_size(names):,} combinations of values; "
                    "at least 2 and at most 2,147,483,648 can be perturbed together."
                )

    def block_size(self, names: Sequence[str]) -> int:
        """Size of the product of the domains of one block."""
        return math.prod(len(self.domains[name]) for name in names)

    @functools.cached_property
    def size(self) -> int:
        """Size of the product of the domains of the largest block, 1 without categories."""
        return max((self.block_size(names) for names in self.blocks), default=1)

    def is_shared(self, name: str) -> bool:
        """Whether the members of a group have the same noise in a column."""
        return self.group is not None and name in self.group["shared"]

    @functools.cached_property
    def deviations(self) -> Floats:
        """Standard deviations of the numbers, shape (N,)."""
        return np.sqrt(np.diag(self.covariance))

    def expected(self, what: limits.Expected, trust: int | None, rows: int) -> list[str]:
        """What is to be expected of numbers, dates and times in a copy at this trust: from `limits`."""
        spread = self.deviations * math.sqrt(1 + level(trust)) if trust else self.deviations
        return [
            said
            for name, mean, deviation in zip(self.roles.numbers, self.mean.tolist(), spread.tolist(), strict=True)
            for said in what(name, self._released_type(name), mean, deviation, rows)
        ]

    @functools.cached_property
    def schema(self) -> pa.Schema:
        """The columns of a copy: those of the data, with numbers as double, or whole where grid and data are."""
        return pa.schema([(name, self._released_type(name)) for name in self.roles.read])

    def _released_type(self, name: str) -> pa.DataType:
        type_ = self.roles.types[name]
        if name not in self.roles.numbers:
            return type_
        if is_temporal(type_):
            return type_
        whole = self.grids[self.roles.numbers.index(name)].whole
        return pa.int64() if whole and pa.types.is_integer(type_) else pa.float64()

    def _values(self, name: str) -> pa.Array:
        return pa.array(self.domains[name], type=self.roles.types[name])

    def codes(self, table: pa.Table) -> list[Integers]:
        """The combination of categories of each row as one code for each block, a list; 0 for what is missing."""
        return [self._block_codes(table, names) for names in self.blocks]

    def _block_codes(self, table: pa.Table, names: Sequence[str]) -> Integers:
        parts = []
        for name in names:
            column = table.column(name)
            places = pc.index_in(column, value_set=self._values(name))
            if places.null_count > column.null_count:
                strange = column.filter(pc.and_(pc.is_null(places), pc.is_valid(column)))[0].as_py()
                raise Problem(
                    f"The column “{name}” has the category “{strange}”, which it did not have when the ledger was "
                    "created: noise drawn without it cannot hide it; recode it, or start a new ledger."
                )
            parts.append(np.asarray(pc.fill_null(places, 0), dtype=np.int64))
        return np.ravel_multi_index(parts, self._sizes(names))

    def _sizes(self, names: Sequence[str]) -> tuple[int, ...]:
        return tuple(len(self.domains[name]) for name in names)

    def decode(self, codes: Sequence[Integers], table: pa.Table) -> dict[str, pa.Array]:
        """The category columns of the codes of all blocks, by name; missing where the table's are."""
        columns = {}
        for names, block in zip(self.blocks, codes, strict=True):
            for name, part in zip(names, np.unravel_index(block, self._sizes(names)), strict=True):
                missing = table.column(name).is_null().to_numpy() if table.column(name).null_count else None
                columns[name] = self._values(name).take(pa.array(part, mask=missing))
        return columns

    def jumps(self, source: CipherSource, shared: CipherSource | None = None) -> list[JumpPath]:
        """The jump path of each block; `shared` is the source of what members of a group share."""
        return [
            JumpPath(
                self.block_size(names), shared if shared and self.is_shared(names[0]) else source,
                ("block", place) if place else (),
            )
            for place, names in enumerate(self.blocks)
        ]  # fmt: skip


def _factor(covariance: Floats, shared: Sequence[bool]) -> Floats:
    """A factor of the covariance in which shared columns depend on the noise of shared columns alone."""
    if not len(covariance):
        return covariance
    order = np.argsort(~np.array(shared), kind="stable")
    lower = np.zeros(covariance.shape)
    lower[np.ix_(order, order)] = factor(covariance[np.ix_(order, order)])
    return lower


def _said(blocks: Sequence[Sequence[str]]) -> list[str]:
    if len(blocks) < 2:
        return []
    listed = "; ".join(", ".join(names) for names in blocks)
    return [f"Categories are perturbed together in {len(blocks)} blocks, independently of each other: {listed}."]


def _whole_days(name: str, grid: Grid, type_: pa.DataType) -> Grid:
    if pa.types.is_date(type_) and not grid.whole:
        raise Problem(f"The dates of “{name}” are rounded to whole days, such as 1 or 7, not to {grid.text}.")
    return grid


def _domain(name: str, found: pa.Array, declared: Iterable[Any] | None) -> list[Any]:
    """The sorted values of a category column, declared ones included."""
    values = set(found.to_pylist()) | set(declared or ())
    if len({type(value) for value in values}) > 1:
        raise Problem(f"The declared categories of “{name}” are not of the same kind as those in the data.")
    if any(value != value for value in values):
        raise Problem(f"The categories of “{name}” contain a number that is none; leave the cell empty.")
    return sorted(values)


class Maker:
    """Makes the copy at one trust and retention of rows of one part.

    Parameters
    ----------
    recipe : Recipe
    trust, retention : int or None
        In thousandths, for numbers and for categories.
    part : int
    key : bytes
        Of that part.
    fingerprint : str
        Whose fingerprint the copy carries; empty for nobody's.
    shared : bytes, optional
        The key of `households.SHARED_PART`, where members of a group share noise.
    """

    def __init__(
        self,
        recipe: Recipe,
        trust: int | None,
        retention: int | None,
        part: int,
        key: bytes,
        fingerprint: str = "",
        shared: bytes | None = None,
    ) -> None:
        self._recipe, self._trust, self._retention = recipe, trust, retention
        self._first = part * PART
        source = CipherSource(key)
        self._shared_key, self._shared = shared, CipherSource(shared) if shared else None
        self._paths = [
            path_of(self._source_of(name, source), column) for column, name in enumerate(recipe.roles.numbers)
        ]
        self._jumps = recipe.jumps(source, self._shared)
        self._fingerprint = _fingerprint.Fingerprint(fingerprint, source) if fingerprint else None

    def _source_of(self, name: str, source: CipherSource) -> CipherSource:
        if not self._recipe.is_shared(name):
            return source
        assert self._shared is not None  # whoever knows of groups has their key
        return self._shared

    def _shared_noise(self, path: NoisePath, place: float, groups: Words | None) -> Floats:
        assert self._shared is not None
        assert groups is not None
        return households.shared_noise(path, self._shared, place, groups)

    def copy(self, first: int, table: pa.Table, *, wrap: bool = False) -> pa.Table:
        """The copy of one unit of rows, a pyarrow.Table.

        A value that its type cannot hold is refused, or wrapped around where `wrap` says so: only to compare with what
        was written before such values were refused.
        """
        recipe = self._recipe
        columns = {name: table.column(name) for name in recipe.roles.keep}
        groups = None
        if recipe.group:
            assert self._shared_key is not None  # whoever knows of groups has their key
            groups = households.numbers_of(table.column(recipe.group["column"]), self._shared_key, first)
        if recipe.roles.numbers:
            columns |= self._numbers(first, table, groups, wrap)
        if recipe.roles.categories:
            blocks = zip(recipe.blocks, self._jumps, recipe.codes(table), strict=True)
            columns |= recipe.decode([self._codes(first, *block, groups) for block in blocks], table)
        return pa.table([columns[name] for name in recipe.schema.names], schema=recipe.schema)

    def _numbers(self, first: int, table: pa.Table, groups: Words | None, wrap: bool) -> dict[str, pa.Array]:
        recipe, out = self._recipe, {}
        values = [as_numbers(table, name, first).copy() for name in recipe.roles.numbers]
        missing = [np.isnan(array) for array in values]
        for start in range(0, len(table), BLOCK):
            rows = slice(start, start + BLOCK)
            self.add_noise(first + start, [array[rows] for array in values], None if groups is None else groups[rows])
        for name, grid, array, gap in zip(recipe.roles.numbers, recipe.grids, values, missing, strict=True):
            grid.round(array)
            # Adding zero turns the zero that has a minus sign into the one that has none.
            array += 0.0
            if gap.any():
                array[gap] = 0.0
            type_, mask = recipe.schema.field(name).type, gap if gap.any() else None
            if not wrap:
                limits.check(name, array, type_, first)
            if is_temporal(type_):
                out[name] = as_type(array, type_, mask)
                continue
            out[name] = pa.array(_whole(array) if pa.types.is_integer(type_) else array, type=type_, mask=mask)
        return out

    def add_noise(self, first: int, targets: Sequence[Floats], groups: Words | None = None) -> None:
        """Add the noise of one block of rows, which starts at row `first`, to a list of columns, in place."""
        assert self._trust is not None  # there are numbers
        number = (first - self._first) // BLOCK
        place = level(self._trust)
        white = [
            self._shared_noise(path, place, groups)
            if self._recipe.is_shared(name)
            else path.block(place, number, len(targets[0]))[:, 0]
            for name, path in zip(self._recipe.roles.numbers, self._paths, strict=True)
        ]
        if self._fingerprint:
            for column, target in enumerate(white):
                mark = self._fingerprint.normals(column, number, np.empty(len(target)))
                target += _fingerprint.scale(place) * mark
        # Term by term, not as a matrix product: that would round differently on another processor.
        for target, weights in zip(targets, self._recipe.lower.tolist(), strict=True):
            for weight, noise in zip(weights, white, strict=True):
                if weight:
                    target += weight * noise

    def _codes(
        self, first: int, names: Sequence[str], jumps: JumpPath, codes: Integers, groups: Words | None
    ) -> Integers:
        assert self._retention is not None  # there are categories
        own = groups if self._recipe.is_shared(names[0]) else None
        for start in range(0, len(codes), BLOCK):
            rows = slice(start, start + BLOCK)
            place = first + start - self._first
            numbers = None if own is None else own[rows]
            codes[rows] = jumps.read(codes[rows], self._retention / 1000, place, numbers)
            if self._fingerprint and names == self._recipe.blocks[0]:
                codes[rows] = self._fingerprint.redraw(codes[rows], jumps.size, place)
        return codes


def _whole(values: Floats) -> Integers:
    """Doubles as whole numbers; what is beyond them becomes the least one, whatever the processor would make of it."""
    return np.where(np.abs(values) < 2.0**63, values, -(2.0**63)).astype(np.int64)


def path_of(source: CipherSource, column: int) -> NoisePath:
    """The noise path of one column of numbers."""
    return NoisePath(1, LADDER, source=source, ranks=RANKS, block=BLOCK, purpose=("column", column))
