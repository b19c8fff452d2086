"""Read workbooks: Excel's xlsx, xls and xlsb, and OpenDocument's ods."""

import pyarrow as pa

from trustscope.datasets.guard import damaged, read_apart
from trustscope.datasets.guarded.workbook import join
from trustscope.datasets.layout import looks_like_header
from trustscope.datasets.limits import Limits
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.table import Table
from trustscope.datasets.texts import clean, spaced

# The reader holds a sheet as a full rectangle, and each cell of it costs far more than a number.
CELLS = 10_000_000
# Workbooks are XML and pack well; more than this is no longer a table that somebody typed.
UNPACKED_BYTES = 1_000_000_000
_FORMATS = {
    "xlsx": "Excel (xlsx)",
    "xls": "Excel (xls)",
    "xlsb": "Excel (xlsb)",
    "ods": "OpenDocument (ods)",
}
_PROBLEMS = {
    "password": "is protected by a password: save a copy without one",
    "document": "is a Word or PowerPoint document: bring a CSV, Parquet, Excel or OpenDocument file",
    "archive": "is a zip archive: unpack it and bring the table inside",
    "damaged archive": "is a damaged workbook or zip archive: fetch or save it again",
    "unpacked": f"unpacks to more than {spaced(UNPACKED_BYTES // 10**6)} MB: save the table as CSV or Parquet",
}


def read_workbook(data: bytes, filename: str, limits: Limits, header: bool | None = None) -> Table:
    """Read the first sheet of a workbook that has anything in it."""
    options = {
        "rows": limits.rows + 1,
        "columns": limits.columns,
        "cells": min(CELLS, limits.cells + limits.columns),
        "unpacked": UNPACKED_BYTES,
        "kept": limits.kept,
    }
    answer = read_apart("workbook", data, options, filename, "workbook")
    about = answer.about
    if "problem" in about:
        sentence = _PROBLEMS.get(about["problem"])
        raise DataProblem(f"{filename} {sentence}.") if sentence else damaged(filename, "workbook")
    if not about["rows"]:
        raise DataProblem(f"{filename} is a workbook without any values: choose one with a header and two rows.")
    _check_cells(about["rows"], about["columns"], filename, limits)
    first, rest = (table.columns for table in answer.tables)
    title, start = clean(about["title"]), about["start"]
    notes = []
    if about["sheets"] > 1:
        notes.append(f"The workbook has {spaced(about['sheets'])} sheets; '{title}' is the one used.")
    names, columns = start[0], rest
    if not (looks_like_header(start) if header is None else header):
        notes.append("The first row looks like values, not like names, so the columns are numbered.")
        names = [None] * len(first)
        columns = [join([*a.chunks, *b.chunks]) for a, b in zip(first, rest, strict=True)]
    if not columns or len(columns[0]) == 0:
        raise DataProblem(f"{filename} has a header and no rows on the sheet '{title}': add at least two.")
    words = f"{_FORMATS[about['format']]}, sheet '{title}'"
    return Table(names, [_whole(c) for c in columns], about["format"], words, notes)


def _whole(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Workbooks know no whole numbers; give them back to columns that hold nothing else."""
    if column.type != pa.float64():
        return column
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        return column


def _check_cells(height: int, width: int, filename: str, limits: Limits) -> None:
    limits.check_shape(height - 1, width, filename)
    if height * width > CELLS:
        raise DataProblem(
            f"{filename} has {spaced(height * width)} cells and the limit for workbooks is {spaced(CELLS)}: "
            "save it as CSV or Parquet."
        )
