"""Read delimited text whose layout is known."""

import csv
import re
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Any, TypedDict

import pyarrow as pa
from pyarrow import compute as pc
from pyarrow import csv as arrow_csv

if TYPE_CHECKING:
    from _csv import Reader

# Large enough for a row of 200 long texts, small enough that both cores get something to do.
BLOCK_BYTES = 1 << 23

# A value that may begin with a zero and another digit, whatever the separator is.
_LEADING_ZERO = re.compile(rb"[\n\r\",;\t| ]0[0-9]")

Tables = list[tuple[pa.Schema, Iterator[pa.Table]]]


class Options(TypedDict):
    """What was found out about a text before it is parsed; see `read`."""

    encoding: str
    delimiter: str
    columns: int
    skip: int
    lines: int
    decimal_comma: bool
    quoted: bool
    missing: list[str]
    kept: int


def read(data: bytes, options: Options) -> tuple[dict[str, Any], Tables]:
    """Parse text into columns.

    Numbers, ISO dates and times are typed while parsing, over all rows; what Arrow does not recognise stays
    text and is looked at again later. So do whole numbers with leading zeros: they are codes, and as numbers
    they would lose something.

    Parameters
    ----------
    data : bytes
    options : dict
        What was found out before: `encoding`, `delimiter`, the number of `columns`, of lines to `skip` and of `lines`
        in all, `decimal_comma`, whether there is a `quoted` value; and the words that are `missing` values.

    Returns
    -------
    about : dict
        The `encoding` that was used, and `rows`; or a `problem`: one word that the parent turns into a sentence, with a
        `line` and the number of `values` there where it has them.
    tables : list
        One table, its columns by number; none where there is a problem.
    """
    try:
        table, encoding = _parse(data, options)
    except _Unreadable as found:
        return found.about, []
    options = {**options, "encoding": encoding}
    rows_expected = options["lines"] - options["skip"]
    if options["quoted"] and data.count(b'"') % 2 and 0 < table.num_rows < rows_expected / 2:
        return _open_quote(data, options).about, []
    table = _with_leading_zeros(data, options, table)
    return {"encoding": encoding, "rows": table.num_rows}, [(table.schema, iter([table]))]


class _Unreadable(Exception):
    def __init__(self, problem: str, **where: int):
        super().__init__(problem)
        self.about = {"problem": problem, **where}


def _parse(data: bytes, options: Options) -> tuple[pa.Table, str]:
    try:
        return _arrow(data, options), options["encoding"]
    except UnicodeDecodeError:
        if options["encoding"].startswith("utf"):
            raise _Unreadable("characters") from None
        # The guess from a sample failed further down; Latin-1 reads anything, and the person sees the name.
        return _parse(data, {**options, "encoding": "latin-1"})
    except pa.ArrowInvalid as error:
        message = str(error)
        if "columns, got" in message:
            raise _ragged(data, options) from None
        if "Empty CSV" in message or "Could not skip" in message:
            raise _Unreadable("empty") from None
        if "straddling" in message:
            raise _open_quote(data, options) from None
        raise


def _with_leading_zeros(data: bytes, options: Options, table: pa.Table) -> pa.Table:
    """Read those columns as text that were typed as whole numbers although some value begins with a zero."""
    whole = [str(i) for i, column in enumerate(table.columns) if pa.types.is_integer(column.type)]
    # In two or four bytes for each character the zeros cannot be looked for beforehand.
    narrow = not options["encoding"].startswith(("utf-16", "utf-32"))
    known = options["delimiter"] in " \t|;,"
    if not whole or (narrow and known and data[:1] != b"0" and not _LEADING_ZERO.search(data)):
        return table
    texts = _arrow(data, options, whole).unify_dictionaries()
    for name, column in zip(whole, texts.columns, strict=True):
        if column.num_chunks and pc.any(pc.match_substring_regex(column.chunk(0).dictionary, r"^\s*0\d+\s*$")).as_py():
            table = table.set_column(int(name), name, column)
    return table


def _arrow(data: bytes, options: Options, as_text: list[str] | None = None) -> pa.Table:
    """Parse the text; or only the columns `as_text`, as text."""
    return arrow_csv.read_csv(
        pa.BufferReader(data),
        read_options=arrow_csv.ReadOptions(
            column_names=[str(i) for i in range(options["columns"])],
            skip_rows=options["skip"],
            encoding="utf8" if options["encoding"] == "utf-8" else options["encoding"],
            block_size=BLOCK_BYTES,
        ),
        parse_options=arrow_csv.ParseOptions(delimiter=options["delimiter"], newlines_in_values=options["quoted"]),
        convert_options=arrow_csv.ConvertOptions(
            null_values=options["missing"],
            strings_can_be_null=True,
            # Yes and no are told apart later, together with all the other ways of writing them.
            true_values=[],
            false_values=[],
            decimal_point="," if options["decimal_comma"] else ".",
            include_columns=as_text,
            column_types={name: pa.dictionary(pa.int32(), pa.string()) for name in as_text or ()},
        ),
    )


def _reader(data: bytes, options: Options) -> "Reader":
    encoding = "utf-8-sig" if options["encoding"] == "utf-8" else options["encoding"]
    text = TextIOWrapper(BytesIO(data), encoding=encoding, errors="replace", newline="")
    return csv.reader(text, delimiter=options["delimiter"])


def _ragged(data: bytes, options: Options) -> _Unreadable:
    """Find the first uneven line; Arrow parses in parallel and does not know its number."""
    reader, start = _reader(data, options), 1
    try:
        for row in reader:
            if row and start > options["skip"] and len(row) != options["columns"]:
                return _Unreadable("ragged", line=start, values=len(row))
            start = reader.line_num + 1
    except csv.Error:
        return _Unreadable("long", line=start)
    return _Unreadable("ragged")


def _open_quote(data: bytes, options: Options) -> _Unreadable:
    reader, start, last = _reader(data, options), 1, 1
    try:
        for _ in reader:
            if reader.line_num - start > 1000:
                break
            last, start = start, reader.line_num + 1
        else:
            start = last
    except csv.Error:
        pass
    return _Unreadable("quote", line=start)
