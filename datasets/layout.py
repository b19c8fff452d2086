"""How a text file writes its table: encoding, delimiter, header, decimal comma."""

import codecs
import csv
import re
from collections import Counter
from dataclasses import dataclass
from io import StringIO

from charset_normalizer import from_bytes

from trustscope.datasets.problem import DataProblem

SAMPLE_BYTES = 1 << 18
SAMPLE_ROWS = 300
# So many cells of the first row tell whether it is a header; a hostile one has a hundred thousand.
_HEADER_CELLS = 500
# A separator that no text file has, for tables of one column.
NO_DELIMITER = "\x1f"
# The strongest first: a comma turns up inside values more easily than a tab does.
DELIMITERS = {"\t": "tab", "|": "pipe", ";": "semicolon", ",": "comma"}
MISSING_WORDS = (
    *(
        "",
        "NA",
        "N/A",
        "n/a",
        "na",
        "NaN",
        "nan",
        "NAN",
        "null",
        "NULL",
        "Null",
        "<NA>",
    ),
    *("?", "-", "--", ".", "#N/A", "#NA", "#NULL!", "#VALUE!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!"),
)
ENCODINGS = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"),
)
_ENCODING_WORDS = {"utf-8": "UTF-8", "utf-16": "UTF-16", "utf-32": "UTF-32", "latin-1": "Latin-1"}
# No value that counts as a number or a date is longer; longer cells are not matched at all.
LONGEST_VALUE = 64
# Every expression of this package takes time in proportion to the text, whatever the text: no two repeats that
# can match the same characters follow one another or lie inside one another. A test feeds each its worst case.
# Cells come to these without white space around them; to _NUMBER, without any.
_NUMBER = re.compile(r"[-+−(]?[$€£¥]?[-+]?(?:\d[\d.,']*+|[.,]\d++)(?:[eE][-+]?\d++)?[%€$£)]?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ].*+)?")
# A comma that cannot stand between thousands: "0,5", "12,75", "1.234,5".
_DECIMAL_COMMA = re.compile(r"[-+]?(?:0,\d++|(?:\d{1,3}(?:[. ]\d{3})++|\d++),(?:\d{1,2}|\d{4,}+))")
# Excel may write "sep=;" as the first line.
_SEPARATOR_LINE = re.compile(r"sep=([^\r\n\"])\r?\n", re.IGNORECASE)
# What words of other alphabets turn into when read as Western European, such as "Wroc³aw".
_SYMBOL_IN_WORD = re.compile("[¢-©¬®-¶¸¹»-¾×÷€ƒ†‡ˆ‰•˜™›][a-zß-öø-ÿ]")


@dataclass(frozen=True)
class Layout:
    """What was found out about a text file; `skip` is how many lines come before the first row of values."""

    encoding: str
    delimiter: str
    names: list[str | None]
    skip: int
    header: bool
    decimal_comma: bool
    notes: tuple[str, ...]

    @property
    def words(self) -> str:
        """Describe the format in a few words."""
        delimiter = DELIMITERS.get(self.delimiter, "space" if self.delimiter == " " else "")
        return ", ".join(
            filter(
                None,
                (
                    "CSV",
                    f"{delimiter}-separated" if delimiter else "one column",
                    _ENCODING_WORDS.get(self.encoding, self.encoding),
                    "decimal comma" if self.decimal_comma else "",
                    "" if self.header else "no header",
                ),
            )
        )


def find_layout(data: bytes, filename: str, header: bool | None = None) -> Layout:
    """Find encoding, delimiter, header and decimal sign from the bytes and a sample of the first rows."""
    encoding = find_encoding(data, filename)
    sample = _sample(data, encoding)
    _refuse_binary(sample, filename)
    complete = len(data) <= SAMPLE_BYTES
    hint, lines_before = _excel_hint(sample)
    if lines_before:
        sample = sample.split("\n", 1)[1] if "\n" in sample else ""
    delimiter = hint or find_delimiter(sample, complete)
    rows, ends = _rows(sample, delimiter, complete)
    if not rows:
        raise DataProblem(f"{filename} has no complete line in its first {SAMPLE_BYTES // 1000} kB: it is not a table.")
    has_header = looks_like_header(rows) if header is None else header
    names: list[str | None] = [None] * len(rows[0])
    notes: list[str] = []
    if has_header:
        names = _match_header(rows, notes)
    else:
        notes.append("The first row looks like values, not like names, so the columns are numbered.")
    return Layout(
        encoding=encoding,
        delimiter=delimiter,
        names=names,
        skip=lines_before + (ends[0] if has_header else 0),
        header=has_header,
        decimal_comma=delimiter != "," and _has_decimal_comma(rows[has_header:]),
        notes=tuple(notes),
    )


def find_encoding(data: bytes, filename: str) -> str:
    """Find the encoding: a byte order mark, strict UTF-8, UTF-16 by its zeros, or the likeliest code page."""
    for mark, name in ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32")):
        if data.startswith(mark):
            return name
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    start = data[:4096]
    if b"\x00" in start:
        even, odd = start[::2].count(0), start[1::2].count(0)
        if odd > 0.4 * len(start) / 2 and even < odd / 10:
            return "utf-16-le"
        if even > 0.4 * len(start) / 2 and odd < even / 10:
            return "utf-16-be"
    bad = _first_bad_utf8(data)
    if bad is None:
        return "utf-8"
    if b"\x00" in data:
        raise _binary(filename)
    return _code_page(data, bad)


def find_delimiter(sample: str, complete: bool) -> str:
    """Find the delimiter: the one that cuts the rows evenly, with no stronger one left inside a value."""
    rows, _ = _rows(sample, NO_DELIMITER, complete)
    body = [row[0] for row in rows[1:] if row]
    if body and "," not in rows[0][0] and all(map(_is_decimal_comma, body)):
        return NO_DELIMITER
    scores = {d: _evenness(sample, d, complete) for d in DELIMITERS}
    best = max(scores, key=lambda delimiter: scores[delimiter])
    if scores[best] > 0:
        return best
    return " " if _all_numbers_by_space(sample, complete) else NO_DELIMITER


def looks_like_header(rows: list[list[str]]) -> bool:
    """Tell whether the first row names the columns, by how it differs from the rows below it."""
    head, body = rows[0], rows[1:]
    if not body:
        return not any(_is_value(cell) for cell in head)
    evidence = 0
    for position, cell in enumerate(head[:_HEADER_CELLS]):
        below = [row[position] for row in body if position < len(row) and row[position].strip() not in MISSING_WORDS]
        if _is_value(cell):
            evidence -= 1
        elif below and sum(map(_is_value, below)) > 0.9 * len(below):
            evidence += 1
        elif cell.strip() and cell in below:
            evidence -= 1
    return evidence >= 0


def _is_value(cell: str) -> bool:
    return _is_number(cell) or (len(cell := cell.strip()) <= LONGEST_VALUE and bool(_DATE.fullmatch(cell)))


def _is_number(cell: str) -> bool:
    cell = "".join(cell.split())
    return len(cell) <= LONGEST_VALUE and bool(_NUMBER.fullmatch(cell))


def _is_decimal_comma(cell: str) -> bool:
    cell = cell.strip()
    return len(cell) <= LONGEST_VALUE and bool(_DECIMAL_COMMA.fullmatch(cell))


def _match_header(rows: list[list[str]], notes: list[str]) -> list[str | None]:
    head: list[str | None] = list(rows[0])
    widths = Counter(len(row) for row in rows[1:])
    if not widths or widths.most_common(1)[0][0] != len(head) + 1:
        return head
    if all(not row[-1].strip() for row in rows[1:] if len(row) == len(head) + 1):
        return [*head, None]
    notes.append("The header has one name fewer than the rows have values; the first value names the row.")
    return [None, *head]


def _has_decimal_comma(rows: list[list[str]]) -> bool:
    return any(_is_decimal_comma(cell) for row in rows for cell in row)


def _sample(data: bytes, encoding: str) -> str:
    decoder = codecs.getincrementaldecoder("utf-8-sig" if encoding == "utf-8" else encoding)(errors="replace")
    return decoder.decode(data[:SAMPLE_BYTES])


def _refuse_binary(sample: str, filename: str) -> None:
    control = sum(c < " " and c not in "\t\r\n\f\x1a" for c in sample[:20_000])
    if "\x00" in sample or control > 0.01 * len(sample[:20_000]):
        raise _binary(filename)


def _binary(filename: str) -> DataProblem:
    return DataProblem(
        f"{filename} holds neither text nor a known table format: bring a CSV, Parquet, Excel or OpenDocument file."
    )


def _excel_hint(sample: str) -> tuple[str | None, int]:
    match = _SEPARATOR_LINE.match(sample)
    return (match[1], 1) if match else (None, 0)


def _rows(sample: str, delimiter: str, complete: bool) -> tuple[list[list[str]], list[int]]:
    """Cut a sample into rows, empty lines left out, and say at which line each ends."""
    rows, ends = [], []
    reader = csv.reader(StringIO(sample, newline=""), delimiter=delimiter)
    try:
        for row in reader:
            if row:
                rows.append(row)
                ends.append(reader.line_num)
            if len(rows) > SAMPLE_ROWS:
                return rows, ends
    except csv.Error:
        return rows, ends
    if not complete:
        rows, ends = rows[:-1], ends[:-1]
    return rows, ends


def _evenness(sample: str, delimiter: str, complete: bool) -> float:
    rows, _ = _rows(sample, delimiter, complete)
    if not rows:
        return 0.0
    width, count = Counter(map(len, rows)).most_common(1)[0]
    if width < 2:
        return 0.0
    order = list(DELIMITERS)
    stronger = order[: order.index(delimiter)]
    cells = [cell for row in rows for cell in row]
    whole = sum(not any(d in cell for d in stronger) for cell in cells) / len(cells)
    # A header that does not split like the rows gives away a delimiter that only occurs inside values.
    headed = 1.0 if len(rows[0]) in (width, width - 1 if width > 2 else width) else 0.1
    return count / len(rows) * whole * headed


def _all_numbers_by_space(sample: str, complete: bool) -> bool:
    rows, _ = _rows(sample, " ", complete)
    widths = {len(row) for row in rows}
    return len(widths) == 1 and widths != {1} and all(_is_number(c) for row in rows[1:] for c in row)


def _first_bad_utf8(data: bytes) -> int | None:
    if data.isascii():
        return None
    step, start = 1 << 20, 0
    while start < len(data):
        final = start + step >= len(data)
        try:
            _, used = codecs.utf_8_decode(data[start : start + step], "strict", final)
        except UnicodeDecodeError as error:
            return start + error.start
        start += used or 1
    return None


def _code_page(data: bytes, bad: int) -> str:
    # Look where the first foreign byte is: a megabyte of plain ASCII before it would tell nothing.
    start = max(data.rfind(b"\n", 0, bad), bad - 4096, -1) + 1
    sample = data[start : start + 65_536]
    matches = from_bytes(sample, cp_isolation=list(ENCODINGS), enable_fallback=False)
    best = matches.best()
    least = best.chaos if best is not None else 0.0
    western = any("cp1252" in m.could_be_from_charset and m.chaos <= least for m in matches)
    if _reads_as_western(sample, western):
        return "cp1252"
    return best.encoding if best is not None else "latin-1"


def _reads_as_western(sample: bytes, likely: bool) -> bool:
    """Tell whether Western European fits; where it does no worse than others it is by far the commonest."""
    text = sample.decode("cp1252", errors="replace")
    if "\ufffd" in text or _SYMBOL_IN_WORD.search(text):
        return False
    foreign = sum(c.isalpha() and not c.isascii() for c in text)
    return foreign == 0 or (likely and foreign < 0.4 * sum(map(str.isalpha, text)))
