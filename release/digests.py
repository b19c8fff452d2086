"""Digests of values: what the data was, and what a copy holds, however files encode it.

A column of a unit of rows is digested by SHA-256 over its type, which of its values are missing, and the values
(for text: all lengths, then all bytes). So the same rows in other row groups, files or compression have the same
digests, and a difference is told by column and rows.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from trustscope.engine.arrays import Bools
from trustscope.release.problems import Problem


def column(values: pa.Array | pa.ChunkedArray) -> bytes:
    """SHA-256 of a column of values.

    Parameters
    ----------
    values : pyarrow.ChunkedArray or pyarrow.Array

    Returns
    -------
    bytes
    """
    array = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    state = hashlib.sha256(f"{_family(array.type)}:{len(array)}:".encode())
    missing = _missing(array)
    if missing is not None:
        state.update(np.packbits(missing).data)
        array = array.filter(pa.array(~missing))
    for buffer in _buffers(array):
        state.update(buffer)
    return state.digest()


def _missing(array: pa.Array) -> Bools | None:
    """Which values are missing or not a number, or None if none is."""
    if array.null_count:
        return np.asarray(pc.is_null(array, nan_is_null=pa.types.is_floating(array.type)))
    if pa.types.is_float64(array.type) or pa.types.is_float32(array.type):
        missing = np.isnan(array.to_numpy())
        return missing if missing.any() else None
    return None


def combine(digests: Iterable[bytes]) -> bytes:
    """SHA-256 over digests in order."""
    return hashlib.sha256(b"".join(digests)).digest()


def _family(type_: pa.DataType) -> str:
    # How long offsets are is a matter of encoding.
    return str(type_).removeprefix("large_")


def _buffers(array: pa.Array) -> list[Any]:
    """The values of an array without missing ones as a few buffers."""
    type_ = array.type
    if pa.types.is_boolean(type_):
        return [np.asarray(array.cast(pa.uint8()))]
    if pa.types.is_string(type_) or pa.types.is_binary(type_):
        return _text(array, np.int32)
    if pa.types.is_large_string(type_) or pa.types.is_large_binary(type_):
        return _text(array, np.int64)
    if pa.types.is_null(type_):
        return []
    width = _width(type_)
    data = array.buffers()[1]
    return [] if data is None else [memoryview(data)[array.offset * width : (array.offset + len(array)) * width]]


def _text(array: pa.Array, offset_type: type[np.signedinteger[Any]]) -> list[Any]:
    _, offsets, data = array.buffers()
    if not len(array):
        return []
    places = np.frombuffer(offsets, dtype=offset_type)[array.offset : array.offset + len(array) + 1]
    body = memoryview(b"" if data is None else data)[int(places[0]) : int(places[-1])]
    return [np.diff(places).astype("<i8"), body]


def _width(type_: pa.DataType) -> int:
    try:
        return int(type_.bit_width) // 8
    except ValueError:
        raise Problem(
            f"A column of type {type_} cannot be released; drop it, or turn it into text or numbers."
        ) from None


def whole_file(path: Path) -> str:
    """SHA-256 of a file, or of a folder of files with their names, in hexadecimal."""
    if not path.is_dir():
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    return folder_digest({file.name: whole_file(file) for file in path.iterdir()})


def folder_digest(files: Mapping[str, str]) -> str:
    """SHA-256 of a folder, from those of its files by name, in hexadecimal."""
    lines = (f"{name}:{files[name]}\n" for name in sorted(files))
    return hashlib.sha256("".join(lines).encode()).hexdigest()
