"""The source of random numbers of a real release: AES-256 in counter mode.

Notation: the *word* (stream, block, i) is half of AES-256 of one 16-byte counter, which holds the stream's number
in its first 8 bytes and block * 2^32 + i // 2 in its last 8, both little-endian; i even takes the first half. A
stream's number is BLAKE2b of its purpose. So every word can be had alone, no word is used for two things, and
telling the words from coin flips means breaking AES. A normal takes one word (`engine.inverse_normal`).

`part` derives the key of a run of rows: whoever makes the copy of those rows needs no other, and cannot compute
the master key from it.
"""

import functools
import hashlib
import threading
from collections.abc import Sequence

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from trustscope.engine import inverse_normal, keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers, Words
from trustscope.errors import TrustscopeError

# Words in a block: what the last 4 bytes of a counter can number.
MOST_WORDS = 2**33
_local = threading.local()


class CipherSource:
    """Words and normals addressed by (stream, block, place), a pure function of a 256-bit key.

    Parameters
    ----------
    key : bytes
        32 bytes from the operating system's generator, or derived from such.
    """

    name = "aes256-counter-1"

    def __init__(self, key: bytes) -> None:
        if not isinstance(key, bytes) or len(key) != 32:
            raise TrustscopeError("The key of a release must be 32 bytes.")
        self._key = key
        # Encrypting counters one by one *is* counter mode; one object then serves every stream, and rows that are
        # not neighbours too. Each counter occurs once, so that equal blocks never meet.
        self._encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"

    def part(self, number: int) -> "CipherSource":
        """The source of one part of the rows, under a key derived for it."""
        return type(self)(self.part_key(number))

    def part_key(self, number: int) -> bytes:
        """The key of one part of the rows, 32 bytes."""
        place = int(number).to_bytes(8, "little")
        return hashlib.blake2b(place, digest_size=32, key=self._key, person=b"trustscope part").digest()

    def stream(self, *purpose: keys.Purpose) -> int:
        """Number of the stream for a purpose, below 2^64; the key has no part in it."""
        return _number(self.name, *(_short(part) if isinstance(part, bytes) else part for part in purpose))

    def words(self, stream: int, block: int, count: int) -> Words:
        """The first `count` words of one block of a stream, shape (count,), the thread's until it asks again."""
        if count > MOST_WORDS:
            raise TrustscopeError(f"A block has at most {MOST_WORDS:,} words, not {count:,}.")
        counters, out = _run(-(-count // 2), block)
        counters[:, 0] = stream
        return self._encrypt(counters, out).reshape(-1)[:count]

    def pairs(self, stream: int, numbers: Integers) -> Words:
        """Two words for each number: the words (stream, 0, 2 n) and (stream, 0, 2 n + 1), shape (len(numbers), 2)."""
        counters, out = _buffers(len(numbers))
        counters[:, 0] = stream
        counters[:, 1] = numbers
        return self._encrypt(counters, out)

    def normals(self, stream: int, block: int, out: Floats) -> Floats:
        """Fill `out` with the standard normals of one block of a stream, from the block's start.

        Parameters
        ----------
        stream : int
            As returned by `stream`.
        block : int
            Number of the block, from 0.
        out : numpy.ndarray of float64, C-contiguous
            Filled in C order, so a shorter `out` gets the beginning of what a longer one gets.

        Returns
        -------
        numpy.ndarray
            `out`.
        """
        inverse_normal.normals(self.words(stream, block, out.size), out.reshape(-1))
        return out

    def gather(self, streams: Sequence[int], block: int, places: ArrayLike) -> Floats:
        """Normals at a few places of one block of many streams at once, shape (len(streams), len(places))."""
        places = np.asarray(places, dtype=np.uint64)
        shape = len(streams), len(places)
        counters, out = _buffers(shape[0] * shape[1])
        cells = counters.reshape(*shape, 2)
        cells[:, :, 0] = np.asarray(streams, dtype=np.uint64)[:, None]
        cells[:, :, 1] = (places >> np.uint64(1)) + np.uint64(block << 32)
        words = self._encrypt(counters, out).reshape(*shape, 2)
        chosen: Words = np.where(places & np.uint64(1), words[:, :, 1], words[:, :, 0]).ravel()
        return inverse_normal.normals(chosen, np.empty(len(chosen))).reshape(shape)

    def _encrypt(self, counters: Words, out: Words) -> Words:
        with self._lock:  # an encryptor keeps a state of its own
            self._encryptor.update_into(counters.data.cast("B"), out.data.cast("B"))
        return out[: len(counters)]


@functools.lru_cache(maxsize=64)
def _short(content: bytes) -> bytes:
    """A digest of bytes: a ladder of levels is part of the purpose of a thousand streams, and is digested once."""
    return keys.digest(16, content)


@functools.lru_cache(maxsize=2**16, typed=True)
def _number(*purpose: keys.Purpose) -> int:
    return int.from_bytes(keys.digest(8, *purpose), "little")


def _buffers(pairs: int) -> tuple[Words, Words]:
    """Counters and words of the calling thread, for so many pairs of words."""
    kept = getattr(_local, "buffers", None)
    if kept is None or len(kept[0]) < pairs:
        kept = _local.buffers = _new(pairs)
    return kept[0][:pairs], kept[1][: pairs + 1]


def _run(pairs: int, block: int) -> tuple[Words, Words]:
    """Counters of the first pairs of one block, to be given a stream, and room for their words; as `_buffers`.

    One block is read from many streams in turn: its places are written into the counters once.
    """
    known, counters, out = getattr(_local, "run", None) or (None, *_new(pairs))
    if len(counters) < pairs:
        known, (counters, out) = None, _new(pairs)
    if known != block:
        counters[:, 1] = np.arange(len(counters), dtype="<u8") + np.uint64(block << 32)
        _local.run = block, counters, out
    return counters[:pairs], out[: pairs + 1]


def _new(pairs: int) -> tuple[Words, Words]:
    # `cryptography` wants room for one block more than it writes.
    return np.empty((pairs, 2), dtype="<u8"), np.empty((pairs + 1, 2), dtype="<u8")
