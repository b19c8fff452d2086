"""Find out what a file is by looking inside, whatever its name says."""

import zipfile
import zlib
from io import BytesIO

from trustscope.datasets.limits import Limits
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.texts import spaced

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WORDS = {
    "parquet": "a Parquet file",
    "xlsx": "an Excel workbook",
    "xls": "an Excel workbook",
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
}
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
_ACCEPTED = "bring a CSV, Parquet or Excel file"


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
    parts, size, rest = [], 0, data
    while rest.startswith(b"\x1f\x8b"):
        stream = zlib.decompressobj(wbits=31)
        try:
            part = stream.decompress(rest, limits.bytes + 1 - size)
        except zlib.error:
            raise DataProblem(f"{filename} is compressed by gzip and damaged: compress it again.") from None
        parts.append(part)
        size += len(part)
        if size > limits.bytes:
            raise DataProblem(
                f"{filename} unpacks to more than {spaced(limits.bytes // 10**6)} MB, which is the limit: "
                "leave out rows or columns."
            )
        if not stream.eof:
            raise DataProblem(f"{filename} is compressed by gzip and ends too early: fetch or save it again.")
        rest = stream.unused_data
    return b"".join(parts), True


def find_format(data: bytes, filename: str) -> str:
    """Tell "parquet", "xlsx", "xls" or "text" by content.

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
        return _zip_format(data, filename)
    if data.startswith(_OLE):
        return _ole_format(data, filename)
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


def _zip_format(data: bytes, filename: str) -> str:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
        raise DataProblem(f"{filename} is a damaged Excel workbook or zip archive: fetch or save it again.") from None
    if any(m.lower().endswith("workbook.bin") for m in members):
        raise DataProblem(f"{filename} is a binary Excel workbook (xlsb): save it as xlsx.")
    if any(m.lower().endswith("workbook.xml") for m in members):
        return "xlsx"
    if "content.xml" in members:
        raise DataProblem(f"{filename} is an OpenDocument file: save it as xlsx or CSV.")
    if any(m.startswith("word/") or m.startswith("ppt/") for m in members):
        raise DataProblem(f"{filename} is a Word or PowerPoint document: {_ACCEPTED}.")
    raise DataProblem(f"{filename} is a zip archive: unpack it and bring the table inside.")


def _ole_format(data: bytes, filename: str) -> str:
    def has(stream: str) -> bool:
        return stream.encode("utf-16-le") in data

    if has("EncryptedPackage"):
        raise DataProblem(f"{filename} is protected by a password: save a copy without one.")
    if has("Workbook") or has("Book"):
        return "xls"
    raise DataProblem(f"{filename} is an old Office document without a workbook inside: {_ACCEPTED}.")
