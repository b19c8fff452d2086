"""Read delimited text.

The layout is found here, from a sample of bounded size. The whole is parsed in linear time, but a large file takes
memory and seconds for which other people's pages would wait, and a fault in its parser would end the server: it is read
in the guarded process, like Parquet and workbooks. A small file is read at once; a process takes longer to start.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from trustscope.datasets.guard import read_apart
from trustscope.datasets.guarded import text
from trustscope.datasets.layout import MISSING_WORDS, Layout, find_layout
from trustscope.datasets.limits import Limits
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.table import Table
from trustscope.datasets.texts import spaced

# Bytes up to which a file is read at once: a few hundredths of a second, some tens of megabytes.
SMALL = 1_000_000


def read_text(data: bytes, filename: str, limits: Limits, header: bool | None = None) -> Table:
    """Parse delimited text into columns; see `guarded.text.read`."""
    layout = find_layout(data, filename, header)
    limits.check_shape(0, len(layout.names), filename)
    quoted = b'"' in data
    # An upper bound on the rows, and exact where no value can contain a line break: refuse before parsing.
    lines = data.count(b"\n")
    if not quoted:
        limits.check_shape(lines - layout.skip, len(layout.names), filename)
    if lines <= layout.skip and not quoted and _has_no_rows(data, layout):
        raise _header_only(filename)
    options: text.Options = {
        "encoding": layout.encoding, "delimiter": layout.delimiter, "columns": len(layout.names), "skip": layout.skip,
        "lines": lines, "decimal_comma": layout.decimal_comma, "quoted": quoted, "missing": list(MISSING_WORDS),
        "kept": limits.kept,
    }  # fmt: skip
    about, table = _parsed(data, options, filename)
    if "problem" in about:
        raise _problem(about, filename, layout)
    if table is None or table.num_rows == 0:
        raise _header_only(filename)
    layout = replace(layout, encoding=about["encoding"])
    return Table(layout.names, table.columns, "text", layout.words, list(layout.notes), _prefers_comma(layout))


def _parsed(data: bytes, options: text.Options, filename: str) -> tuple[Mapping[str, Any], pa.Table | None]:
    if len(data) > SMALL:
        answer = read_apart("text", data, options, filename, "text file", "leave out rows or columns")
        return answer.about, answer.tables[0].unify_dictionaries() if answer.tables else None
    about, tables = text.read(data, options)
    return about, next(tables[0][1]) if tables else None


def _prefers_comma(layout: Layout) -> bool:
    # Programs write semicolons between values just where the comma is taken as the decimal sign.
    return layout.decimal_comma or layout.delimiter == ";"


def _problem(about: Mapping[str, Any], filename: str, layout: Layout) -> DataProblem:
    """What is wrong with the text, in a sentence."""
    line, expected = about.get("line"), spaced(len(layout.names))
    match about["problem"]:
        case "characters":
            return DataProblem(
                f"{filename} is {layout.encoding.upper()} text with damaged characters: save it as UTF-8."
            )
        case "ragged" if line is not None:
            values = "1 value" if about["values"] == 1 else f"{spaced(about['values'])} values"
            return DataProblem(
                f"Line {line} of {filename} has {values} where {expected} are expected: "
                "look for a missing, stray or unquoted separator there."
            )
        case "ragged":
            return DataProblem(f"The rows of {filename} have different numbers of values: each needs {expected}.")
        case "long":
            return DataProblem(
                f"Line {line} of {filename} has a value that is too long: look for a missing quotation mark."
            )
        case "quote":
            return DataProblem(
                f"A quotation mark that opens on line {line} of {filename} is never closed, or a line there is "
                "far too long: close or remove it."
            )
        case _:
            return _header_only(filename)


def _has_no_rows(data: bytes, layout: Layout) -> bool:
    # Old Macintosh files end their lines with a bare carriage return.
    start = data[:1_000_000]
    return start.count(b"\r") == start.count(b"\r\n") and layout.header


def _header_only(filename: str) -> DataProblem:
    return DataProblem(f"{filename} has a header and no rows: add at least two.")
