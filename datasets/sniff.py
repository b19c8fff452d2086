"""Find out what a file is by looking inside, whatever its name says."""

import zlib

from trustscope.datasets.limits import Limits
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.texts import spaced

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WORDS = {
    "parquet": "a Parquet file",
    "xlsx": "an Excel workbook",
    "xls": "an Excel workbook",
    "xlsb": "an Excel workbook",
    "ods": "an OpenDocument workbook",
    "text": "plain text",
}
_EXTENSIONS = {
    "csv": "text",
    "tsv": "text",
    "tab": "text",
    "txt": "text",
    "dat": "text",
    "data": "text",
    "parquet": "parquet",
    "pq": "parquet",
    "xlsx": "xlsx",
    "xlsm": "xlsx",
    "xls": "xls",
    "xlsb": "xlsb",
    "ods": "ods",
}
# Files that were compressed piece by piece have a few thousand pieces; each costs time, however small it is.
MEMBERS = 100_000
# Things that people drop by mistake, by how they begin.
_STRANGERS = (
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"ARROW1", "an Arrow (Feather) file"),
    (b"ORC", "an ORC file"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd"),
    (b"BZh", "compressed by bzip2"),
    (b"\xfd7zXZ\x00", "compressed by xz"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"{\\rtf", "an RTF document"),
)
_ACCEPTED = "bring a CSV, Parquet, Excel or OpenDocument file"


def unpack(data: bytes, filename: str, limits: Limits) -> tuple[bytes, bool]:
    """Undo gzip, if it is gzip, and never unpack more than the limit.

    Returns
    -------
    data : bytes
    packed : bool
        Whether it was gzip.
    """
    if not data.startswith(b"\x1f\x8b"):
        return data, False
    parts, size, place, members = [], 0, 0, 0
    while data.startswith(b"\x1f\x8b", place):
        members += 1
        if members > MEMBERS:
            raise DataProblem(f"{filename} is made of more than {spaced(MEMBERS)} gzip files: compress it in one.")
        try:
            part, place = _member(data, place, limits.bytes + 1 - size)
        except zlib.error:
            raise DataProblem(f"{filename} is compressed by gzip and damaged: compress it again.") from None
        except EOFError:
            raise DataProblem(f"{filename} is compressed by gzip and ends too early: fetch or save it again.") from None
        parts.append(part)
        size += len(part)
        if size > limits.bytes:
            raise DataProblem(
                f"{filename} unpacks to more than {spaced(limits.bytes // 10**6)} MB, which is the limit: "
                "leave out rows or columns."
            )
    return b"".join(parts), True


def _member(data: bytes, place: int, most: int) -> tuple[bytes, int]:
    """Undo one of the gzip files that a file is made of; return it, or its first `most` bytes, and where it ends."""
    stream, parts, size = zlib.decompressobj(wbits=31), [], 0
    # What is fed in and not used is copied: of a tiny member that should not be much, of a long one it is seldom.
    step = 4096
    while not stream.eof and size < most:
        if place >= len(data):
            raise EOFError
        block = data[place : place + step]
        part = stream.decompress(block, most - size)
        place += len(block) - len(stream.unused_data) - len(stream.unconsumed_tail)
        parts.append(part)
        size += len(part)
        step = min(2 * step, 1 << 20)
    return b"".join(parts), place


def find_format(data: bytes, filename: str) -> str:
    """Tell "parquet", "workbook" or "text" by content; every zip archive is taken for a workbook at first.

    Raises
    ------
    DataProblem
        For an empty file, and for kinds that are recognised but cannot be used.
    """
    blank = b" \t\r\n\x00\xef\xbb\xbf"
    if not data[:4096].strip(blank) and not data.strip(blank):
        raise DataProblem(f"{filename} is empty: choose a file with a header and at least two rows.")
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith(b"PARE"):
        raise DataProblem(f"{filename} is an encrypted Parquet file: save it without encryption.")
    if data.startswith(b"PK\x03\x04"):
        return "workbook"
    if data.startswith(_OLE):
        _refuse_other_ole(data, filename)
        return "workbook"
    for magic, what in _STRANGERS:
        if data.startswith(magic):
            raise DataProblem(f"{filename} is {what}: {_ACCEPTED}.")
    start = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        raise DataProblem(f"{filename} holds a web page, not a table: {_ACCEPTED}.")
    if start.startswith(b"<?xml"):
        raise DataProblem(f"{filename} holds XML, not a table: {_ACCEPTED}.")
    if start.startswith((b"{", b"[{", b"[[")):
        raise DataProblem(f"{filename} holds JSON, not a table: {_ACCEPTED}.")
    return "text"


def mismatch(found: str, filename: str) -> str | None:
    """Say so if the name promises something else than what was found inside."""
    extensions = filename.lower().removesuffix(".gz").rsplit(".", 1)
    promised = _EXTENSIONS.get(extensions[1]) if len(extensions) == 2 else None
    if promised is None or _WORDS[promised] == _WORDS[found]:
        return None
    return f"The name ends in .{extensions[1]} but the file holds {_WORDS[found]}, and was read as that."


def _refuse_other_ole(data: bytes, filename: str) -> None:
    def has(stream: str) -> bool:
        return stream.encode("utf-16-le") in data

    if has("EncryptedPackage"):
        raise DataProblem(f"{filename} is protected by a password: save a copy without one.")
    if not has("Workbook") and not has("Book"):
        raise DataProblem(f"{filename} is an old Office document without a workbook inside: {_ACCEPTED}.")
