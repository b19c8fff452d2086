"""Read Excel workbooks. Only values are read: no formula, macro or link is ever followed."""

import datetime as dt
import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from itertools import chain, islice

import numpy as np
import pyarrow as pa
import python_calamine as calamine

from datasets.layout import SAMPLE_ROWS, looks_like_header
from datasets.limits import Limits
from datasets.problem import DataProblem
from datasets.table import Table
from datasets.texts import clean

# The parser holds a sheet as a full rectangle, and each cell of it costs far more than a number.
CELLS = 20_000_000
# Workbooks are XML and pack well; more than this is no longer a table that somebody typed.
UNPACKED_BYTES = 1_000_000_000
_CHUNK = 20_000
_CELL = re.compile(rb"<(?:\w+:)?(c|row)\s[^<>]*?\br\s*=\s*[\"']\s*([A-Za-z]{0,9})(\d{1,12})")


def read_excel(data: bytes, filename: str, limits: Limits, kind: str, header: bool | None = None) -> Table:
    """Read the first sheet of a workbook that has anything in it."""
    if kind == "xlsx":
        _check_extent(data, filename, limits)
    try:
        return _read(data, filename, limits, kind, header)
    except DataProblem:
        raise
    except calamine.PasswordError:
        raise DataProblem(f"{filename} is protected by a password: save a copy without one.") from None
    except (KeyboardInterrupt, SystemExit):
        raise
    # A panic of the parser, which is written in Rust, arrives as a BaseException.
    except BaseException as error:
        if "assword" in str(error):
            raise DataProblem(f"{filename} is protected by a password: save a copy without one.") from None
        raise DataProblem(f"{filename} is a damaged Excel workbook: open it and save it again.") from error


def _read(data: bytes, filename: str, limits: Limits, kind: str, header: bool | None) -> Table:
    book = calamine.CalamineWorkbook.from_filelike(BytesIO(data))
    titles = book.sheet_names
    for index, title in enumerate(titles):  # noqa: B007
        if book.sheets_metadata[index].typ != calamine.SheetTypeEnum.WorkSheet:
            continue
        sheet = book.get_sheet_by_index(index)
        if sheet.height and sheet.width:
            break
    else:
        raise DataProblem(
            f"{filename} is a workbook without any values: choose one with a header and two rows."
        )
    _check_cells(sheet.height, sheet.width, filename, limits)
    notes = []
    if len(titles) > 1:
        notes.append(f"The workbook has {len(titles)} sheets; '{clean(title)}' is the one used.")
    rows = (row for row in sheet.iter_rows() if any(cell != "" for cell in row))
    names, rows = _names(rows, header, notes)
    columns = _columns(rows, len(names))
    if not columns or len(columns[0]) == 0:
        raise DataProblem(
            f"{filename} has a header and no rows on the sheet '{clean(title)}': add at least two."
        )
    return Table(names, columns, f"Excel ({kind}), sheet '{clean(title)}'", notes)


def _check_cells(height: int, width: int, filename: str, limits: Limits) -> None:
    limits.check_shape(height - 1, width, filename)
    if height * width > CELLS:
        raise DataProblem(
            f"{filename} has {height * width:,} cells and the limit for Excel is {CELLS:,}: "
            "save it as CSV or Parquet."
        )


def _check_extent(data: bytes, filename: str, limits: Limits) -> None:
    """Refuse a workbook that unpacks to too much, or whose cells span too much.

    One value in the last corner of a sheet takes a few bytes in the file and 17 thousand million cells in the
    parser, so the corners are looked for before it runs.
    """
    rows = columns = 0
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
            if any(m.flag_bits & 1 for m in members):
                raise DataProblem(f"{filename} is protected by a password: save a copy without one.")
            if sum(m.file_size for m in members) > UNPACKED_BYTES:
                raise DataProblem(
                    f"{filename} unpacks to more than {UNPACKED_BYTES // 10**6:,} MB: "
                    "save the table as CSV or Parquet."
                )
            for member in members:
                high, wide = _extent(archive, member)
                rows, columns = max(rows, high), max(columns, wide)
    except DataProblem:
        raise
    except Exception as error:  # each method of compression has errors of its own
        raise DataProblem(f"{filename} is a damaged Excel workbook: open it and save it again.") from error
    _check_cells(rows, columns, filename, limits)


def _extent(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> tuple[int, int]:
    high = wide = 0
    tail = b""
    with archive.open(member) as stream:
        while block := stream.read(1 << 22):
            for _, letters, digits in _CELL.findall(tail + block):
                high = max(high, int(digits))
                wide = max(wide, _column_number(letters))
            tail = block[-256:]
    return high, wide


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number


def _names(rows: Iterator[list], header: bool | None, notes: list[str]) -> tuple[list, Iterator[list]]:
    start = list(islice(rows, SAMPLE_ROWS))
    if not start:
        return [], iter(())
    if header is None:
        header = looks_like_header([[_text(cell) for cell in row] for row in start])
    if header:
        return [_text(cell) for cell in start[0]], chain(start[1:], rows)
    notes.append("The first row looks like values, not like names, so the columns are numbered.")
    return [None] * len(start[0]), chain(start, rows)


def _columns(rows: Iterator[list], width: int) -> list[pa.ChunkedArray]:
    """Turn rows into typed columns, a chunk of rows at a time to bound the memory for Python objects."""
    chunks: list[list[pa.Array]] = [[] for _ in range(width)]
    while part := list(islice(rows, _CHUNK)):
        for position, cells in enumerate(zip(*part, strict=True)):
            chunks[position].append(_typed(cells))
    return [_joined(parts) for parts in chunks]


def _typed(cells: tuple) -> pa.Array:
    kinds = {type(cell) for cell in cells if cell != ""}
    if not kinds:
        return pa.nulls(len(cells))
    values = [None if cell == "" else cell for cell in cells]
    if kinds == {bool}:
        return pa.array(values, pa.bool_())
    if kinds <= {int, float}:
        return pa.array(np.array([np.nan if v is None else v for v in values], dtype=float), from_pandas=True)
    if kinds <= {dt.date, dt.datetime}:
        return pa.array([_moment(v) for v in values], pa.timestamp("us"))
    if kinds == {dt.timedelta}:
        return pa.array(values, pa.duration("us"))
    if kinds == {dt.time}:
        return pa.array(values, pa.time64("us"))
    return pa.array([None if v is None else _text(v) for v in values], pa.string())


def _joined(parts: list[pa.Array]) -> pa.ChunkedArray:
    kinds = {part.type for part in parts if part.type != pa.null()}
    if len(kinds) > 1:
        parts, kinds = (
            [pa.array([_text(v) for v in p.to_pylist()], pa.string()) for p in parts],
            {pa.string()},
        )
    kind = kinds.pop() if kinds else pa.null()
    column = pa.chunked_array([part.cast(kind) for part in parts], kind)
    # Excel knows no whole numbers; give them back to columns that hold nothing else.
    if kind == pa.float64():
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:
            pass
    return column


def _moment(value: dt.date | None) -> dt.datetime | None:
    if value is None or isinstance(value, dt.datetime):
        return value
    return dt.datetime(value.year, value.month, value.day)


def _text(cell: object) -> str | None:
    if cell is None:
        return None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)
