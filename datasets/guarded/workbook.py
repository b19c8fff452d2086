"""Read a workbook (xlsx, xls, xlsb, ods). Only values are read: no formula, macro or link is ever followed."""

import datetime as dt
import re
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import chain, islice
from typing import Any

import pyarrow as pa
import python_calamine as calamine

SAMPLE_ROWS = 300
# Names are cut much shorter later; a cell can hold millions of characters.
SAMPLE_TEXT = 1000
_CHUNK = 20_000
# The name of a cell or row, such as r="XFD1048576", inside its element; linear, as one element ends the search.
_CELL = re.compile(rb"<(?:\w{1,20}:)?(?:c|row)\s[^<>]{0,200}?\br\s?=\s?[\"']\s?([A-Za-z]{0,9})(\d{1,12})")

Tables = list[tuple[pa.Schema, list[pa.Table]]]


def read(data: bytes, options: dict[str, int]) -> tuple[dict[str, Any], Tables]:
    """Read the first sheet that has anything in it.

    Parameters
    ----------
    data : bytes
    options : dict
        The most `rows`, `columns` and `cells` of a sheet, and the most bytes (`unpacked`) of an archive.

    Returns
    -------
    about : dict
        Its `format`; `rows` and `columns`; `title` and number of `sheets`; the `start`, as text. Or a `problem`:
        one word that the parent turns into a sentence.
    tables : list
        The first row, whose cells may be names, and the rest; none if the sheet is empty or too large.
    """
    about: dict[str, Any] = {"format": "xls"}
    if data.startswith(b"PK"):
        about = _about_archive(data, options)
        if "problem" in about or _too_large(about, options):
            return about, []
    try:
        book = calamine.CalamineWorkbook.from_filelike(BytesIO(data))
        title, sheet = _first_filled(book)
    except MemoryError:
        raise
    except Exception as error:  # calamine has errors of its own for every format
        return {**about, "problem": "password" if "password" in str(error).lower() else "damaged"}, []
    about["rows"], about["columns"] = (0, 0) if sheet is None else (sheet.height, sheet.width)
    if sheet is None or _too_large(about, options):
        return about, []
    rows = (row for row in sheet.iter_rows() if any(cell != "" for cell in row))
    start = list(islice(rows, SAMPLE_ROWS))
    about |= {"title": title[:SAMPLE_TEXT], "sheets": len(book.sheet_names)}
    about["start"] = [[_sample(cell) for cell in row] for row in start]
    parts = (iter(start[:1]), chain(start[1:], rows))
    return about, [_table(columns_of(part, sheet.width)) for part in parts]


def columns_of(rows: Iterator[Sequence[object]], width: int) -> list[pa.ChunkedArray]:
    """Turn rows into typed columns, a chunk at a time to bound the memory that Python objects take."""
    chunks: list[list[pa.Array]] = [[] for _ in range(width)]
    while part := list(islice(rows, _CHUNK)):
        for position, cells in enumerate(zip(*part, strict=True)):
            chunks[position].append(_typed(cells))
    return [join(parts) for parts in chunks]


def join(parts: list[pa.Array]) -> pa.ChunkedArray:
    """Put parts of a column together; as text, if they are of different types."""
    kinds = {part.type for part in parts if part.type != pa.null()}
    if len(kinds) > 1:
        parts, kinds = [pa.array([text(v) for v in p.to_pylist()], pa.string()) for p in parts], {pa.string()}
    kind = kinds.pop() if kinds else pa.null()
    # Only what has to be is cast: Arrow then loads its functions, which takes as long as reading a small workbook.
    return pa.chunked_array([part if part.type == kind else part.cast(kind) for part in parts], kind)


def text(cell: object) -> str | None:
    """Write a cell as a person would."""
    if cell is None:
        return None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


def _sample(cell: object) -> str | None:
    written = text(cell)
    return written if written is None else written[:SAMPLE_TEXT]


def _table(columns: list[pa.ChunkedArray]) -> tuple[pa.Schema, list[pa.Table]]:
    table = pa.table(columns, names=[str(i) for i in range(len(columns))])
    return table.schema, [table]


def _too_large(about: dict[str, Any], options: dict[str, int]) -> bool:
    rows, columns = about.get("rows", 0), about.get("columns", 0)
    return bool(rows > options["rows"] or columns > options["columns"] or rows * columns > options["cells"])


def _typed(cells: tuple[Any, ...]) -> pa.Array:
    kinds = {type(cell) for cell in cells if cell != ""}
    values = [None if cell == "" else cell for cell in cells]
    if not kinds:
        return pa.nulls(len(cells))
    if kinds == {bool}:
        return pa.array(values, pa.bool_())
    if kinds <= {int, float}:
        return pa.array([None if v is None else float(v) for v in values], pa.float64())
    if kinds <= {dt.date, dt.datetime}:
        return pa.array([_moment(v) for v in values], pa.timestamp("us"))
    if kinds == {dt.timedelta}:
        return pa.array(values, pa.duration("us"))
    if kinds == {dt.time}:
        return pa.array(values, pa.time64("us"))
    return pa.array([text(v) for v in values], pa.string())


def _moment(value: dt.date | None) -> dt.datetime | None:
    if value is None or isinstance(value, dt.datetime):
        return value
    return dt.datetime(value.year, value.month, value.day)


def _first_filled(book: calamine.CalamineWorkbook) -> tuple[str, calamine.CalamineSheet | None]:
    for index, meta in enumerate(book.sheets_metadata):
        if meta.typ == calamine.SheetTypeEnum.WorkSheet:
            sheet = book.get_sheet_by_index(index)
            if sheet.height and sheet.width:
                return meta.name, sheet
    return "", None


def _about_archive(data: bytes, options: dict[str, int]) -> dict[str, Any]:
    """Find out which format a zip archive is, and whether it may be unpacked.

    One value in the last corner of an xlsx sheet takes a few bytes in the file and 17 thousand million cells in
    memory, so the corners are looked for before the sheet is read.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
            kind = _format([m.filename for m in members])
            if any(m.flag_bits & 1 for m in members):
                return {"problem": "password"}
            if kind not in ("xlsx", "xlsb", "ods"):
                return {"problem": kind}
            if sum(m.file_size for m in members) > options["unpacked"]:
                return {"format": kind, "problem": "unpacked"}
            extents = [_extent(archive, m) for m in members] if kind == "xlsx" else [(0, 0)]
    except MemoryError:
        raise
    except Exception:  # each method of compression has errors of its own
        return {"problem": "damaged archive"}
    return {"format": kind, "rows": max(high for high, _ in extents), "columns": max(wide for _, wide in extents)}


def _format(names: list[str]) -> str:
    lowered = [name.lower() for name in names]
    if any(name.endswith("workbook.bin") for name in lowered):
        return "xlsb"
    if any(name.endswith("workbook.xml") for name in lowered):
        return "xlsx"
    if "content.xml" in lowered:
        return "ods"
    return "document" if any(name.startswith(("word/", "ppt/")) for name in lowered) else "archive"


def _extent(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> tuple[int, int]:
    high = wide = 0
    tail = b""
    with archive.open(member) as stream:
        while block := stream.read(1 << 22):
            for letters, digits in _CELL.findall(tail + block):
                high = max(high, int(digits))
                wide = max(wide, _column_number(letters))
            tail = block[-256:]
    return high, wide


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number
