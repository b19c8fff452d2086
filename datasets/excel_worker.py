"""Parse a workbook in a process of its own. Run as a script; imports nothing else of this package.

A damaged workbook can make the parser ask for absurd amounts of memory, and then it does not fail: it aborts
the process, and no exception handler helps. So it runs here, where that costs nobody anything.

The workbook comes in on standard input; the arguments are the largest number of rows, columns and cells. Out
go one line of JSON, then two Arrow streams: the first row, whose cells may be names, and the rest.
"""

import datetime as dt
import json
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import islice

import pyarrow as pa
import python_calamine as calamine

MEMORY_BYTES = 6 << 30
SAMPLE_ROWS = 300
_CHUNK = 20_000


def main() -> None:
    """Read standard input, write standard output."""
    _bound_memory()
    out = sys.stdout.buffer
    most = [int(number) for number in sys.argv[1:4]]
    try:
        book = calamine.CalamineWorkbook.from_filelike(BytesIO(sys.stdin.buffer.read()))
        title, sheet = _first_filled(book)
    except Exception as error:
        _say(out, {"error": str(error)})
        return
    if sheet is None:
        _say(out, {"rows": 0, "columns": 0})
        return
    meta = {"rows": sheet.height, "columns": sheet.width, "title": title, "sheets": len(book.sheet_names)}
    if sheet.height > most[0] or sheet.width > most[1] or sheet.height * sheet.width > most[2]:
        _say(out, meta)
        return
    rows = (row for row in sheet.iter_rows() if any(cell != "" for cell in row))
    start = list(islice(rows, SAMPLE_ROWS))
    _say(out, {**meta, "start": [[text(cell) for cell in row] for row in start]})
    _send(out, columns_of(iter(start[:1]), sheet.width))
    _send(out, columns_of(_after(start[1:], rows), sheet.width))


def columns_of(rows: Iterator[list], width: int) -> list[pa.ChunkedArray]:
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
    return pa.chunked_array([part.cast(kind) for part in parts], kind)


def text(cell: object) -> str | None:
    """Write a cell as a person would."""
    if cell is None:
        return None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


def _typed(cells: tuple) -> pa.Array:
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


def _after(start: list[list], rows: Iterator[list]) -> Iterator[list]:
    yield from start
    yield from rows


def _say(out, meta: dict) -> None:
    out.write(json.dumps(meta).encode() + b"\n")


def _send(out, columns: list[pa.ChunkedArray]) -> None:
    table = pa.table(columns, names=[str(i) for i in range(len(columns))])
    with pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such thing
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    # No core file for each damaged workbook.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
