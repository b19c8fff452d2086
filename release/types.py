"""Names for the types that signatures speak of: what a ledger keeps as plain values, and what long calls are told."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NotRequired, Protocol, TypedDict

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

PathLike = str | os.PathLike[str]
# Columns: one, or several.
Names = str | Sequence[str]
# Hashes and digests of 64 bits.
Words = NDArray[np.uint64]
# Trust and retention in thousandths; None where a ledger has no numbers, or no categories.
Setting = tuple[int | None, int | None]
# The least and the greatest of some values.
Span = tuple[float, float]
# Told what is done, and of how much; None where that is not known.
Progress = Callable[[int, int | None], object]


class Cancel(Protocol):
    """What calls long work off: a `threading.Event`, for example."""

    def is_set(self) -> bool:
        """Whether the work is to end."""


class Readable(Protocol):
    """What is asked of `plan.Data` by the modules that it is made of."""

    types: dict[str, pa.DataType | None]
    rows: int | None

    def units(
        self,
        columns: Iterable[str],
        start: int = 0,
        stop: int | None = None,
        types: Mapping[str, pa.DataType] | None = None,
    ) -> Iterator[tuple[int, pa.Table]]:
        """The rows from start to stop in units, as (first row, table)."""


class Group(TypedDict):
    """The column that names the household of each row, and the columns that its members share."""

    column: str
    shared: list[str]


class RolesRecord(TypedDict):
    """What happens to each column; types as (name, type), in the order of the data."""

    numbers: list[str]
    categories: list[str]
    keep: list[str]
    drop: list[str]
    types: list[list[str]]


class RecipeRecord(TypedDict):
    """What copies are made by; doubles as hexadecimal text. What is not required is missing in older ledgers."""

    generator: str
    roles: RolesRecord
    mean: list[str]
    covariance: list[str]
    lower: list[str]
    grids: list[str]
    domains: dict[str, list[Any]]
    notes: list[str]
    group: NotRequired[Group | None]
    blocks: NotRequired[list[list[str]]]
    steps: NotRequired[list[tuple[str, dict[str, Any]]]]


class DataRecord(TypedDict):
    """What the data was."""

    path: str
    kind: str
    rows: int
    digest: str
    header: NotRequired[bool]
    reading: NotRequired[int]


class Created(TypedDict):
    """What the first event says."""

    ledger: str
    store: str
    mark: str
    by: str
    recipe: RecipeRecord
    data: DataRecord
    kept: NotRequired[dict[str, Any]]
    accepted_unique: NotRequired[bool]


class Request(TypedDict):
    """What the announcement of a copy says; see `record.Copy`."""

    to: str
    trust: int | None
    retention: int | None
    purpose: str
    contact: NotRequired[str]
    expires: NotRequired[str]
    by: str
    group: str
    out: str
    form: str
    version: int
    rows: int
    reissue: NotRequired[int | None]
    notes: NotRequired[list[str]]
    fingerprint: NotRequired[str]


class Made(TypedDict):
    """What is known of a copy when it is written."""

    copy: int
    sha256: str
    content: str
    bytes: int
    probe: str
    writer: str


class Approval(TypedDict):
    """Somebody's word that a copy may be issued."""

    to: str
    trust: int | None
    retention: int | None
    by: str


class Rules(TypedDict, total=False):
    """A policy; see `trustscope.release.policy` for its entries."""

    floor: float
    attacker: str
    worst: float
    hits: dict[str, tuple[float | None, float]]
    mu: float
    ceilings: dict[str, float]
    groups: dict[str, float]
    approval: float
    purpose: str
    contact: str
    days: int
    order: list[str]
