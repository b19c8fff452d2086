"""Read Excel workbooks. Only values are read: no formula, macro or link is ever followed."""

import json
import re
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pyarrow as pa

from trustscope.datasets import excel_worker
from trustscope.datasets.layout import looks_like_header
from trustscope.datasets.limits import Limits
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.table import Table
from trustscope.datasets.texts import clean, spaced

# The parser holds a sheet as a full rectangle, and each cell of it costs far more than a number.
CELLS = 20_000_000
# Workbooks are XML and pack well; more than this is no longer a table that somebody typed.
UNPACKED_BYTES = 1_000_000_000
SECONDS = 300
# The name of a cell or row, such as r="XFD1048576", inside its element; linear, as one element ends the search.
_CELL = re.compile(rb"<(?:\w{1,20}:)?(c|row)\s[^<>]{0,200}?\br\s?=\s?[\"']\s?([A-Za-z]{0,9})(\d{1,12})")


def read_excel(data: bytes, filename: str, limits: Limits, kind: str, header: bool | None = None) -> Table:
    """Read the first sheet of a workbook that has anything in it."""
    if kind == "xlsx":
        _check_extent(data, filename, limits)
    meta, streams = _parse_apart(data, filename, limits)
    if "error" in meta:
        if "password" in meta["error"].lower():
            raise DataProblem(f"{filename} is protected by a password: save a copy without one.")
        raise _damaged(filename)
    if not meta["rows"]:
        raise DataProblem(f"{filename} is a workbook without any values: choose one with a header and two rows.")
    _check_cells(meta["rows"], meta["columns"], filename, limits)
    first, rest = (pa.ipc.open_stream(streams).read_all().columns for _ in range(2))
    title = clean(meta["title"])
    notes = []
    if meta["sheets"] > 1:
        notes.append(f"The workbook has {meta['sheets']} sheets; '{title}' is the one used.")
    start = meta["start"]
    if looks_like_header(start) if header is None else header:
        names, columns = start[0], rest
    else:
        notes.append("The first row looks like values, not like names, so the columns are numbered.")
        names = [None] * len(first)
        pairs = zip(first, rest, strict=True)
        columns = [excel_worker.join([*a.chunks, *b.chunks]) for a, b in pairs]
    if not columns or len(columns[0]) == 0:
        raise DataProblem(f"{filename} has a header and no rows on the sheet '{title}': add at least two.")
    return Table(names, [_whole(c) for c in columns], f"Excel ({kind}), sheet '{title}'", notes)


def _parse_apart(data: bytes, filename: str, limits: Limits) -> tuple[dict, pa.BufferReader]:
    """Run the parser in a process of its own; see there why."""
    most = (limits.rows + 1, limits.columns, min(CELLS, limits.cells + limits.columns))
    # -P: the worker's own folder is not for importing from; its modules have short names.
    command = [sys.executable, "-P", str(Path(excel_worker.__file__)), *map(str, most)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise DataProblem(
            f"{filename} takes more than {SECONDS // 60} minutes to read: save the table as CSV or Parquet."
        ) from None
    line, _, streams = done.stdout.partition(b"\n")
    if done.returncode or not line:
        raise _damaged(filename)
    return json.loads(line), pa.BufferReader(streams)


def _whole(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Excel knows no whole numbers; give them back to columns that hold nothing else."""
    if column.type != pa.float64():
        return column
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        return column


def _damaged(filename: str) -> DataProblem:
    return DataProblem(f"{filename} is a damaged Excel workbook: open it and save it again.")


def _check_cells(height: int, width: int, filename: str, limits: Limits) -> None:
    limits.check_shape(height - 1, width, filename)
    if height * width > CELLS:
        raise DataProblem(
            f"{filename} has {spaced(height * width)} cells and the limit for Excel is {spaced(CELLS)}: "
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
                    f"{filename} unpacks to more than {spaced(UNPACKED_BYTES // 10**6)} MB: "
                    "save the table as CSV or Parquet."
                )
            for member in members:
                high, wide = _extent(archive, member)
                rows, columns = max(rows, high), max(columns, wide)
    except DataProblem:
        raise
    except Exception as error:  # each method of compression has errors of its own
        raise _damaged(filename) from error
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
