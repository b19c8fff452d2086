"""Keyed randomness, drawn block by block.

Notation: a *stream* is what BLAKE2b makes of (secret key, what the noise is for); a *block* is a run of
consecutive rows. Each block's generator starts where BLAKE2b, keyed by the stream, sends the block's number:
counter mode, with blocks for counters. So every block can be drawn alone, and the numbers do not depend on
threads, on the partition, or on the order of blocks. Whoever learned all about one block (someone who knows
the true values of many of its records) would still know nothing of the others, nor of the key.

Within a block runs PCG64DXSM, which can advance to a place within a stream. SFC64 cannot, and draws normals a sixth
faster: `swift` and `swift_normals` are by it. Philox, which counts single values, takes longer.
`rng` is for everything that is not drawn block by block: one generator for one purpose.
"""

import hashlib
import itertools
import operator
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.errors import TrustscopeError, WrongType

# What a stream is for. Floats count by their exact bits.
Purpose = str | int | float | bytes
# Identity of a stream, for the source that made it and no other.
Stream = bytes | int

_local = threading.local()
_pool = None
_pool_lock = threading.Lock()


def check_key(key: int) -> int:
    """Return `key` as a non-negative int, or say what is wrong with it."""
    try:
        value = operator.index(key)
    except TypeError:
        raise WrongType(f"The key must be a whole number, not {type(key).__name__}.") from None
    if isinstance(key, bool | np.bool_):
        raise WrongType("The key must be a whole number, not a truth value.")
    if value < 0:
        raise TrustscopeError(f"The key must not be negative, but it is {value}.")
    return value


def stream(key: int, *purpose: Purpose) -> bytes:
    """Identity of one stream of normals.

    Parameters
    ----------
    key : int
        The secret, any non-negative size.
    *purpose : str, int, float or bytes
        What the stream is for. Floats count by their exact bits.

    Returns
    -------
    bytes
    """
    return digest(32, check_key(key), *purpose)


def digest(size: int, *parts: Purpose) -> bytes:
    """BLAKE2b of several parts, `size` bytes: equal only for equal parts of equal types."""
    state = hashlib.blake2b(digest_size=size)
    for part in parts:
        if isinstance(part, float):
            part = part.hex()
        content = part if isinstance(part, bytes) else str(part).encode()
        # The length and the type in front keep ("ab", "c") and ("a", "bc"), 1 and "1" apart.
        state.update(f"{type(part).__name__}:{len(content)}:".encode() + content)
    return state.digest()


class Source(Protocol):
    """Where normals come from: the same stream and block always give the same ones."""

    def stream(self, *purpose: Purpose) -> Stream:
        """Identity of the stream of normals for a purpose, to be handed to `normals`."""

    def normals(self, stream: Any, block: int, out: Floats) -> Floats:
        """Fill `out` with the standard normals of one block of a stream, from the block's start.

        Any stream, as far as types can say: each source understands only those that it has made itself.
        """


class FastSource:
    """Normals for looking at: PCG64DXSM within blocks, started by BLAKE2b. Not for data that leaves the house.

    Its output has been inverted, and a page's seed can be searched; a real release takes `engine.cipher`.

    Parameters
    ----------
    key : int
        The secret, any non-negative size.
    """

    name = "blake2b-pcg64dxsm-1"

    def __init__(self, key: int) -> None:
        self._key = check_key(key)

    def stream(self, *purpose: Purpose) -> bytes:
        """Identity of the stream of normals for a purpose."""
        return stream(self._key, *purpose)

    def normals(self, stream: bytes, block: int, out: Floats) -> Floats:
        """Fill `out` with the standard normals of one block of a stream, from the block's start."""
        return normals(stream, block, out)


def derive(key: int, *purpose: Purpose) -> int:
    """A key of its own for one purpose: learning it tells nothing about `key` or about other purposes.

    Parameters
    ----------
    key, *purpose
        As in `stream`.

    Returns
    -------
    int
        Of 256 bits.
    """
    return int.from_bytes(stream(key, *purpose), "little")


def rng(key: int, *purpose: Purpose) -> np.random.Generator:
    """A new random generator for one purpose: the one source of generators in the engine.

    Blocks of a release, which are entered one by one, use `generator` instead.

    Parameters
    ----------
    key, *purpose
        As in `stream`. The same ones give the same numbers. Without a purpose the key itself is the seed: it has
        been derived for this purpose before.

    Returns
    -------
    numpy.random.Generator
    """
    return np.random.default_rng(derive(key, *purpose) if purpose else check_key(key))


def generator(stream: bytes, *place: int) -> np.random.Generator:
    """The thread's generator, set to where BLAKE2b, keyed by the stream, sends this place; until it is asked again.

    Parameters
    ----------
    stream : bytes
        As returned by `stream`.
    *place : int
        Number of the block, from 0, and of a part of it where there are parts.
    """
    bits, drawing, state = _mine(np.random.PCG64DXSM)
    start = _start(stream, *place)
    # Setting the state costs 4 us, making a new generator 20 us (it hashes a seed that is then not used).
    state["state"]["state"] = int.from_bytes(start[:16], "little")
    state["state"]["inc"] = int.from_bytes(start[16:], "little") | 1
    # What an odd number of 32-bit draws left over belongs to the place before.
    state["has_uint32"], state["uinteger"] = 0, 0
    bits.state = state
    return drawing


def _mine(kind: type[np.random.BitGenerator]) -> tuple[np.random.BitGenerator, np.random.Generator, dict[str, Any]]:
    """The thread's own bit generator of a kind, what draws with it, and a state to fill in and give back to it."""
    mine: dict[Any, tuple[np.random.BitGenerator, np.random.Generator, dict[str, Any]]] = _local.__dict__
    if kind not in mine:
        bits = kind(0)
        mine[kind] = bits, np.random.Generator(bits), dict(bits.state)
    return mine[kind]


def _start(stream: bytes, *place: int) -> bytes:
    """Where BLAKE2b, keyed by the stream, sends a place: 32 bytes."""
    where = b"".join(int(number).to_bytes(8, "little") for number in place)
    return hashlib.blake2b(where, digest_size=32, key=stream).digest()


def advance(drawing: np.random.Generator, count: int) -> None:
    """Skip so many 64-bit draws of a generator from `generator`: each number of `random` takes one."""
    bits = drawing.bit_generator
    assert isinstance(bits, np.random.PCG64DXSM)
    bits.advance(count)


def normals(stream: bytes, block: int, out: Floats) -> Floats:
    """Fill `out` with the standard normals of one block of a stream, from the block's start.

    Parameters
    ----------
    stream : bytes
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
    return generator(stream, block).standard_normal(out=out)


def swift(stream: bytes, *place: int) -> np.random.Generator:
    """Another generator than `generator`, with the same parameters and promises: faster, but it cannot be advanced."""
    bits, drawing, state = _mine(np.random.SFC64)
    state["state"]["state"] = np.frombuffer(_start(stream, *place), dtype="<u8").astype(np.uint64)
    state["has_uint32"], state["uinteger"] = 0, 0
    bits.state = state
    return drawing


def swift_normals(stream: bytes, block: int, out: Floats) -> Floats:
    """Other normals than `normals`, with the same parameters and promises, in five sixths of the time."""
    return swift(stream, block).standard_normal(out=out)


def scratch(rows: int, columns: int) -> Floats:
    """A buffer of shape (rows, columns) that belongs to the calling thread until it asks again."""
    buffer = getattr(_local, "scratch", None)
    if buffer is None or buffer.size < rows * columns:
        buffer = _local.scratch = np.empty(rows * columns)
    return buffer[: rows * columns].reshape(rows, columns)


def each_block(task: Callable[[int], object], blocks: range, threads: int | None = None) -> None:
    """Call `task(block)` for every block in `blocks`, on several threads where that pays.

    The caller works too, and helpers that have not started when the work is done are called off: a busy pool
    slows nobody down and cannot deadlock.

    Parameters
    ----------
    task : callable
        Takes the number of a block; tasks write to places of their own.
    blocks : range
    threads : int, optional
        At most so many at once; as many as there are processors by default.
    """
    numbers = itertools.count()

    def work() -> None:
        # next() on a count is atomic: each block is taken once, and a late thread takes fewer.
        while (taken := next(numbers)) < len(blocks):
            task(blocks[taken])

    helpers = min(threads or os.cpu_count() or 1, len(blocks)) - 1
    helping = [_shared_pool().submit(work) for _ in range(helpers)]
    try:
        work()
    finally:
        for one in helping:
            if not one.cancel():
                one.result()


def _shared_pool() -> ThreadPoolExecutor:
    global _pool
    with _pool_lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1), thread_name_prefix="noise")
        return _pool


def _forget_pool() -> None:
    # A forked child inherits the pool object but none of its threads.
    global _pool, _pool_lock
    _pool, _pool_lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)
