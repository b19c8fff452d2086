"""Read delimited text."""

import csv
import re
from dataclasses import replace
from io import BytesIO, TextIOWrapper
from typing import Any

import pyarrow as pa
from pyarrow import compute as pc
from pyarrow import csv as arrow_csv

from trustscope.datasets.layout import MISSING_WORDS, Layout, find_layout
from trustscope.datasets.limits import Limits
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.table import Table
from trustscope.datasets.texts import spaced

# Large enough for a row of 200 long texts, small enough that both cores get something to do.
BLOCK_BYTES = 1 << 23

# A value that may begin with a zero and another digit, whatever the separator is.
_LEADING_ZERO = re.compile(rb"[\n\r\",;\t| ]0[0-9]")


def read_text(data: bytes, filename: str, limits: Limits, header: bool | None = None) -> Table:
    """Parse delimited text into columns.

    Numbers, ISO dates and times are typed while parsing, over all rows; what Arrow does not recognise stays
    text and is looked at again later. So do whole numbers with leading zeros: they are codes, and as numbers
    they would lose something.
    """
    layout = find_layout(data, filename, header)
    limits.check_shape(0, len(layout.names), filename)
    quoted = b'"' in data
    # An upper bound on the rows, and exact where no value can contain a line break: refuse before parsing.
    lines = data.count(b"\n")
    if not quoted:
        limits.check_shape(lines - layout.skip, len(layout.names), filename)
    if lines <= layout.skip and not quoted and _has_no_rows(data, layout):
        raise _header_only(filename)
    table, layout = _parse(data, filename, layout, quoted)
    if table.num_rows == 0:
        raise _header_only(filename)
    if quoted and data.count(b'"') % 2 and table.num_rows < (lines - layout.skip) / 2:
        raise DataProblem(_open_quote(data, filename, layout))
    columns = _with_leading_zeros(data, layout, quoted, table)
    return Table(layout.names, columns, "text", layout.words, list(layout.notes), _prefers_comma(layout))


def _prefers_comma(layout: Layout) -> bool:
    # Programs write semicolons between values just where the comma is taken as the decimal sign.
    return layout.decimal_comma or layout.delimiter == ";"


def _parse(data: bytes, filename: str, layout: Layout, quoted: bool) -> tuple[pa.Table, Layout]:
    try:
        return _arrow(data, layout, quoted), layout
    except UnicodeDecodeError:
        if layout.encoding.startswith("utf"):
            raise DataProblem(
                f"{filename} is {layout.encoding.upper()} text with damaged characters: save it as UTF-8."
            ) from None
        # The guess from a sample failed further down; Latin-1 reads anything, and the person sees the name.
        return _parse(data, filename, replace(layout, encoding="latin-1"), quoted)
    except pa.ArrowInvalid as error:
        message = str(error)
        if "columns, got" in message:
            raise DataProblem(_ragged(data, filename, layout)) from None
        if "Empty CSV" in message or "Could not skip" in message:
            raise _header_only(filename) from None
        if "straddling" in message:
            raise DataProblem(_open_quote(data, filename, layout)) from None
        raise


def _with_leading_zeros(data: bytes, layout: Layout, quoted: bool, table: pa.Table) -> list[pa.ChunkedArray]:
    """Read those columns as text that were typed as whole numbers although some value begins with a zero."""
    columns = table.columns
    whole = [str(i) for i, column in enumerate(columns) if pa.types.is_integer(column.type)]
    # In two or four bytes for each character the zeros cannot be looked for beforehand.
    narrow = not layout.encoding.startswith(("utf-16", "utf-32"))
    known = layout.delimiter in " \t|;,"
    if not whole or (narrow and known and data[:1] != b"0" and not _LEADING_ZERO.search(data)):
        return columns
    texts = _arrow(data, layout, quoted, whole)
    for name, column in zip(whole, texts.columns, strict=True):
        words = column.unify_dictionaries().combine_chunks()
        if pc.any(pc.match_substring_regex(words.dictionary, r"^\s*0\d+\s*$")).as_py():
            columns[int(name)] = column
    return columns


def _arrow(data: bytes, layout: Layout, quoted: bool, as_text: list[str] | None = None) -> pa.Table:
    """Parse the text; or only the columns `as_text`, as text."""
    return arrow_csv.read_csv(
        pa.BufferReader(data),
        read_options=arrow_csv.ReadOptions(
            column_names=[str(i) for i in range(len(layout.names))],
            skip_rows=layout.skip,
            encoding="utf8" if layout.encoding == "utf-8" else layout.encoding,
            block_size=BLOCK_BYTES,
        ),
        parse_options=arrow_csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=quoted),
        convert_options=arrow_csv.ConvertOptions(
            null_values=list(MISSING_WORDS),
            strings_can_be_null=True,
            # Yes and no are told apart later, together with all the other ways of writing them.
            true_values=[],
            false_values=[],
            decimal_point="," if layout.decimal_comma else ".",
            include_columns=as_text,
            column_types={name: pa.dictionary(pa.int32(), pa.string()) for name in as_text or ()},
        ),
    )


def _reader(data: bytes, layout: Layout) -> Any:
    encoding = "utf-8-sig" if layout.encoding == "utf-8" else layout.encoding
    text = TextIOWrapper(BytesIO(data), encoding=encoding, errors="replace", newline="")
    return csv.reader(text, delimiter=layout.delimiter)


def _ragged(data: bytes, filename: str, layout: Layout) -> str:
    """Name the first uneven line; Arrow parses in parallel and does not know its number."""
    expected = len(layout.names)
    reader, start = _reader(data, layout), 1
    try:
        for row in reader:
            if row and start > layout.skip and len(row) != expected:
                values = "1 value" if len(row) == 1 else f"{spaced(len(row))} values"
                return (
                    f"Line {start} of {filename} has {values} where {spaced(expected)} are expected: "
                    "look for a missing, stray or unquoted separator there."
                )
            start = reader.line_num + 1
    except csv.Error:
        return f"Line {start} of {filename} has a value that is too long: look for a missing quotation mark."
    return f"The rows of {filename} have different numbers of values: each needs {spaced(expected)}."


def _open_quote(data: bytes, filename: str, layout: Layout) -> str:
    reader, start, last = _reader(data, layout), 1, 1
    try:
        for _ in reader:
            if reader.line_num - start > 1000:
                break
            last, start = start, reader.line_num + 1
        else:
            start = last
    except csv.Error:
        pass
    return (
        f"A quotation mark that opens on line {start} of {filename} is never closed, or a line there is "
        "far too long: close or remove it."
    )


def _has_no_rows(data: bytes, layout: Layout) -> bool:
    # Old Macintosh files end their lines with a bare carriage return.
    start = data[:1_000_000]
    return start.count(b"\r") == start.count(b"\r\n") and layout.header


def _header_only(filename: str) -> DataProblem:
    return DataProblem(f"{filename} has a header and no rows: add at least two.")
