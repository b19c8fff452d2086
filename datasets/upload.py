"""A person's own file: read it, and tell what was understood."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from trustscope.datasets import frames
from trustscope.datasets.as_kind import as_kind, choices, shrink
from trustscope.datasets.column import Column
from trustscope.datasets.inspection import ColumnReport, Inspection
from trustscope.datasets.kinds import understand
from trustscope.datasets.limits import LIMITS, Limits
from trustscope.datasets.log import log, place_of
from trustscope.datasets.model import Origin
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.read_parquet import read_parquet
from trustscope.datasets.read_text import read_text
from trustscope.datasets.read_workbook import read_workbook
from trustscope.datasets.sniff import find_format, mismatch, unpack
from trustscope.datasets.table import Table
from trustscope.datasets.texts import clean, spaced, unique_names
from trustscope.datasets.units import unit_in

Source = bytes | bytearray | memoryview | str | Path
Result = TypeVar("Result")


def inspect(
    source: Source | Any,
    filename: str | None = None,
    *,
    header: bool | None = None,
    limits: Limits = LIMITS,
) -> Inspection:
    """Understand a CSV, Parquet, Excel or OpenDocument file, or a table in memory.

    The content decides what it is, not the name. Nothing in the file is ever run.

    Parameters
    ----------
    source : bytes, path or table
        The file's content, or where it is; or a pandas, polars or Arrow table.
    filename : str, optional
        What the person calls it; taken from a path if left out.
    header : bool, optional
        Whether the first row names the columns; found out by default.
    limits : Limits, optional
        What to refuse.

    Raises
    ------
    DataProblem
        Whatever is wrong with the file, in one sentence. No other exception comes out, whatever the bytes.
    """
    if not isinstance(source, Source):
        return _of_frame(source, filename, limits)
    return _safely(source, filename, limits, lambda data, shown: _inspect(data, shown, header, limits))


def _of_frame(data: Any, name: str | None, limits: Limits) -> Inspection:
    """What is understood of a table in memory."""
    if not frames.is_frame(data):
        raise frames.refused(data)
    table, origin = frames.raw_table(data)
    limits.check_shape(table.rows, len(table.columns), "This table")
    if table.rows < 2:
        raise DataProblem("This table has one row only: it needs at least two.")
    return _told(table, replace(origin, name=clean(name)) if name else origin, False)


def columns(source: Source, filename: str | None = None, *, limits: Limits = LIMITS) -> pa.Table:
    """The columns of a file as they stand in it, without asking what they mean.

    Parameters and errors as those of `inspect`. Columns that hold lists or records are left out.
    """

    def read(data: bytes, shown: str) -> pa.Table:
        table, _ = _read(data, shown, None, limits)
        names, _ = unique_names(table.names)
        return pa.table({name: table.columns[i] for i, name in enumerate(names) if i not in table.aside})

    return _safely(source, filename, limits, read)


def _safely(source: Source, filename: str | None, limits: Limits, read: Callable[[bytes, str], Result]) -> Result:
    """`read(content, name)`; whatever goes wrong becomes a `DataProblem`."""
    shown = clean(str(filename if filename is not None else _name_of(source)).replace("\\", "/").rsplit("/", 1)[-1])
    shown = shown or "The file"
    try:
        data = _content(source, shown, limits)
        return read(data, shown)
    except DataProblem:
        raise
    except Exception as error:
        # Parsers fail in more ways than anyone can list: the person gets a sentence, and the log gets the place,
        # but not the message, which may quote the file.
        log.warning("A file could not be read: %s.", place_of(error))
        raise DataProblem(f"{shown} cannot be read as a table: it may be damaged, or in an unusual format.") from None


def _inspect(data: bytes, filename: str, header: bool | None, limits: Limits) -> Inspection:
    origin = Origin(filename, len(data), sha256(data).hexdigest())
    table, packed = _read(data, filename, header, limits)
    # Let go of the file: of a large one there should never be two copies at once.
    del data
    if table.rows < 2:
        raise DataProblem(f"{filename} has one row only: a table needs at least two.")
    return _told(table, origin, packed)


def _read(data: bytes, filename: str, header: bool | None, limits: Limits) -> tuple[Table, bool]:
    """The columns of a file as they stand, and whether it was compressed."""
    data, packed = unpack(data, filename, limits)
    kind = find_format(data, filename)
    if kind == "parquet":
        table = read_parquet(data, filename, limits)
    elif kind == "text":
        table = read_text(data, filename, limits, header)
    else:
        table = read_workbook(data, filename, limits, header)
    limits.check_shape(table.rows, len(table.columns), filename)
    return table, packed


def _told(table: Table, origin: Origin, packed: bool) -> Inspection:
    names, notes = unique_names(table.names)
    rows, raw, reports = table.rows, {}, []
    for position, name in enumerate(names):
        array = shrink(table.columns[position])
        table.columns[position] = None
        raw[name] = array
        reports.append(_report(name, array, table.aside.get(position), table.decimal_comma))
    if not any(r.usable or _correctable(r, raw[r.name]) for r in reports):
        raise _useless(reports, origin.name)
    if not any(r.kind in ("number", "time") and r.usable for r in reports):
        notes.append("There is no numeric column: only what works on categories can use this file.")
    gaps = sum(r.missing for r in reports)
    if gaps:
        count = "1 value is" if gaps == 1 else f"{spaced(gaps)} values are"
        notes.append(f"{count} missing; rows with a gap are left out unless you choose to fill it in.")
    return Inspection(
        filename=origin.name,
        format=f"{table.words}, gzip" if packed else table.words,
        rows=rows,
        columns=tuple(reports),
        notes=tuple(filter(None, (mismatch(table.format, origin.name), *table.notes, *notes))),
        origin=origin,
        raw=raw,
        decimal_comma=table.decimal_comma,
    )


def _report(name: str, array: pa.Array, aside: str | None, decimal_comma: bool) -> ColumnReport:
    found = Column("other", 0, 0, "", aside, aside) if aside else understand(array, decimal_comma, name)
    unit = (found.unit or unit_in(name)) if found.kind in ("number", "time") else ""
    return ColumnReport(
        name=name,
        kind=found.kind,
        missing=found.missing,
        distinct=found.distinct,
        example=found.example,
        note=found.note,
        usable=found.usable,
        reason=found.reason,
        choices=("leave out",) if aside else choices(array),
        unit=unit,
    )


def _correctable(report: ColumnReport, array: pa.Array) -> bool:
    """Tell whether an identifier could be used as numbers after all, if a person says so."""
    return report.kind == "identifier" and as_kind(array, "number").usable


def _useless(reports: list[ColumnReport], filename: str) -> DataProblem:
    whole = "; ".join(f"'{r.name}' is {r.kind}" for r in reports[:3])
    more = f" and {len(reports) - 3} more" if len(reports) > 3 else ""
    return DataProblem(
        f"{filename} has no column that can be used ({whole}{more}): it needs numbers, or categories that repeat."
    )


def _content(source: Source, filename: str, limits: Limits) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        limits.check_bytes(len(source), filename)
        return bytes(source)
    path = Path(source)
    if not path.is_file():
        raise DataProblem(f"There is no file {filename} to read.")
    limits.check_bytes(path.stat().st_size, filename)
    return path.read_bytes()


def _name_of(source: object) -> str:
    return "The file" if isinstance(source, (bytes, bytearray, memoryview)) else str(source)
