"""Which cell of a unit has changed, from a few words that are kept beside the unit's digest.

Every cell of a column gets a word of 64 bits, AES of its row and value under a key of the ledger. Kept are the
exclusive or of all words, and for each bit of the row number that of the rows where the bit is 1: eighteen words for
131 072 rows. Where one cell has changed, each of them differs by nothing or by the same word, and the bits spell the
row. Where several have, that pattern comes about with a probability of 2^-64. Without the key the words tell nothing
about values.
"""

import hashlib

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from trustscope.release.plan import UNIT
from trustscope.release.types import Words

BITS = (UNIT - 1).bit_length()
DIGEST = 32  # bytes of the digest, which stands before the words
_MISSING = np.uint64(0x4D495353494E4721)


def locator_key(key: bytes) -> bytes:
    """The key of the words, from the ledger's."""
    return hashlib.blake2b(b"locate", digest_size=32, key=key, person=b"trustscope cell").digest()


def words(column: pa.ChunkedArray, key: bytes) -> Words:
    """The words of a column of at most one unit, shape (1 + BITS,)."""
    cells = np.zeros((len(column), 2), dtype="<u8")
    cells[:, 0] = np.arange(len(column))
    cells[:, 1] = _cells(column)
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    mixed = np.zeros(UNIT, dtype=np.uint64)
    mixed[: len(column)] = np.frombuffer(encryptor.update(cells.tobytes()), dtype="<u8")[::2]
    by_bit = [np.bitwise_xor.reduce(mixed.reshape(-1, 2, 1 << bit)[:, 1], axis=None) for bit in range(BITS)]
    return np.array([np.bitwise_xor.reduce(mixed), *by_bit], dtype="<u8")


def changed_row(stored: bytes, column: pa.ChunkedArray, key: bytes | None) -> int | None:
    """The one row, from 0, at which a column differs from what `stored` was made of; None if it cannot be told.

    Parameters
    ----------
    stored : bytes
        A digest with the words behind it; older ledgers keep the digest alone.
    column : pyarrow.ChunkedArray
        The rows that were digested, as they are now.
    key : bytes or None
        As `locator_key` gives it.
    """
    if key is None or len(stored) != DIGEST + 8 * (1 + BITS):
        return None
    change = np.frombuffer(stored[DIGEST:], dtype="<u8") ^ words(column, key)
    if not change[0] or np.any((change != 0) & (change != change[0])):
        return None
    row = sum(1 << bit for bit in range(BITS) if change[1 + bit])
    return row if row < len(column) else None


def _cells(column: pa.ChunkedArray) -> Words:
    """One word for the value of each cell, before it is encrypted."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    type_ = array.type
    if pa.types.is_floating(type_):
        values = array.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(float)
        out: Words = values.view(np.uint64).copy()
        missing = np.isnan(values)
    else:
        missing = array.is_null().to_numpy(zero_copy_only=False)
        if pa.types.is_integer(type_):
            out = pc.fill_null(array, 0).to_numpy(zero_copy_only=False).astype(np.int64, copy=False).view(np.uint64)
            out = out.copy()
        else:
            out = _texts(array)
    out[missing] = _MISSING
    return out


def _texts(array: pa.Array) -> Words:
    encoded = pc.dictionary_encode(array)
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    known = np.array([repr(value) for value in encoded.dictionary.to_pylist()], dtype=object)
    hashes = np.append(pd.util.hash_array(known), np.uint64(0)) if len(known) else np.zeros(1, dtype=np.uint64)
    words: Words = hashes[np.asarray(pc.fill_null(encoded.indices, len(known)), dtype=np.int64)]
    return words
