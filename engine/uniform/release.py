"""The jump path of every record, and the copies that are read off it.

In the clock t = ln(1 / p) each value is redrawn uniformly at unit rate, so a copy at p is the value of the
last redraw up to t, or the original where there was none (Eq. 10 of Xiao et al. 2009). Redraws of a block of
n rows together are a Poisson process of rate n: exponential spacings, each with a uniform row and a uniform
value. So they come sorted by time, and reading a copy is one scatter of those up to t, in which later ones
overwrite earlier ones.

The process of a block is drawn in chunks, each from its own keyed generator, down to the smallest p asked
for. If the highest p asked for is below 1/e, only each row's last redraw before it is kept, so that no more
values are stored than the bound of the paper's history list, 1 + ln(p_max / p_min). What was not kept is
drawn again, the same, when it is asked for; so nothing depends on the order of requests, on threads, or on
what is kept.
"""

import bisect
import math
import operator
import threading
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.remembers import Remembers
from trustscope.engine.uniform.law import check_codes, check_scheme, check_size, one_retention
from trustscope.errors import TrustscopeError, WrongType

# 16 384 rows: a preview of the first rows draws and reads one block in 2 ms, a million rows are 62 blocks to
# share between threads, and a row within its block is a 16-bit number.
BLOCK = 16_384
# Redraws in a chunk, relative to the rows: what is thrown away at the end is a quarter of a redraw a row.
CHUNK = 0.5

# Both halves of a 64-bit word serve, one for the row and one for the value: two calls of `integers` take twice that.
# The chance of each of s values then differs from 1/s by less than a millionth of it, that of a row by less than four;
# of larger domains it would differ by more, and they are drawn exactly.
PACKED = 4_096

_local = threading.local()


def _below(size: int, words: Integers) -> Integers:
    """Random 32-bit words, in place, as numbers from 0 to size - 1."""
    words *= size
    words >>= 32
    return words


def _places(rows: Integers) -> Integers:
    """16-bit row numbers as the index type, in a buffer of the thread: numpy's own cast takes twice that."""
    buffer = getattr(_local, "places", None)
    if buffer is None or len(buffer) < len(rows):
        buffer = _local.places = np.empty(max(len(rows), BLOCK), dtype=np.intp)
    np.copyto(buffer[: len(rows)], rows)
    return buffer[: len(rows)]


class _Events(NamedTuple):
    """Redraws of one block by time: all from `floor` to `depth`, and each row's last one up to `floor`."""

    floor: float
    depth: float
    chunk: int  # where to go on, and the time at which that chunk starts
    origin: float
    times: Floats
    rows: Integers
    values: Integers


def _thinned(parts: list[NDArray[Any]], time: float, count: int) -> tuple[float, list[NDArray[Any]]]:
    """Redraws of which those before `time` are reduced to each row's last, and the floor that this makes."""
    if time <= 1:
        # One redraw for a row, on average, is what the bound allows before the highest p.
        return 0.0, parts
    end = np.searchsorted(parts[0], time, "right")
    last = np.full(count, -1)
    last[_places(parts[1][:end])] = np.arange(end)
    kept = np.ones(len(parts[0]), dtype=bool)
    kept[:end] = False
    kept[last[last >= 0]] = True
    chosen = np.flatnonzero(kept)
    return time, [part[chosen] for part in parts]


def _joined(*pieces: Iterable[NDArray[Any]]) -> list[NDArray[Any]]:
    return [np.concatenate(parts) for parts in zip(*pieces, strict=True)]


class UniformRelease(Remembers):
    """Perturbed copies of one sensitive column, each a pure function of (key, retention probability, row).

    Nested: all copies are read off one path per record, so recipients who collude learn no more than the best
    of them (Theorem 1 of Xiao et al. 2009). Independent: every recipient and level has draws of its own. Use
    a key for one release only.

    Parameters
    ----------
    codes : array-like of int, shape (rows,)
        Sensitive values, from 0 to size - 1. Copied.
    size : int
        Size s of the domain, at least 2.
    scheme : {"nested", "independent"}
    key : int
        The secret that the redraws are made from.
    smallest : float
        No copy has a smaller retention probability.
    threads : int, optional
        At most so many at once; as many as there are processors by default.

    Attributes
    ----------
    size : int
    scheme : str
    smallest : float
    """

    def __init__(
        self,
        codes: ArrayLike,
        size: int,
        *,
        scheme: str = "nested",
        key: int,
        smallest: float = 0.001,
        threads: int | None = None,
    ) -> None:
        self.size = check_size(size)
        self.scheme = check_scheme(scheme)
        self.smallest = one_retention(smallest)
        self._key = keys.check_key(key)
        self._stream = keys.stream(key, "redraws", self.size)
        given = check_codes(codes, self.size)
        small = np.min_scalar_type(self.size - 1)
        fits = np.iinfo(given.dtype).max >= self.size - 1
        self._dtype = given.dtype if fits else np.promote_types(given.dtype, small)
        self._codes = given.astype(small)
        self._threads = threads
        self._lock = threading.Lock()
        self._levels: list[float] = []
        self._blocks: list[_Events | None] = [None] * -(-len(given) // BLOCK)
        self._shown: tuple[int, float, list[NDArray[Any]]] | None = None

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def levels(self) -> tuple[float, ...]:
        """The retention probabilities of the whole copies asked for so far, from the most trusted down."""
        return tuple(-level for level in self._levels)

    @property
    def depth(self) -> float:
        """The smallest retention probability to which redraws are stored, for any row; 1 if none are."""
        return math.exp(-max((events.depth for events in self._kept()), default=0.0))

    @property
    def values_stored(self) -> float:
        """Redrawn values kept for a row, on average; the original is not counted."""
        return sum(len(events.times) for events in self._kept()) / max(len(self), 1)

    @staticmethod
    def expected_values(smallest: float, highest: float) -> float:
        """What `values_stored` is on average once the copies at these two retentions were asked for."""
        smallest, highest = one_retention(smallest), one_retention(highest)
        before = -math.log(highest)
        return (before if before <= 1 else 1 - highest) + math.log(highest / smallest)

    @property
    def nbytes(self) -> int:
        """Bytes of all that is stored, the original included."""
        parts = (part for events in self._kept() for part in events[4:])
        return self._codes.nbytes + sum(part.nbytes for part in parts)

    def copy(
        self, p: float | None = None, start: int = 0, stop: int | None = None, recipient: int = 0, *,
        trust: float | None = None,
    ) -> Integers:  # fmt: skip
        """Rows start to stop of the copy at p, or at this trust.

        Parameters
        ----------
        p : float
            The retention probability, from `smallest` to 1; at 1 the copy is the original.
        trust : float
            The same in per cent: one of the two.
        start, stop : int, optional
            All rows by default, which also enters p into `levels`.
        recipient : int
            Whose copy: independent copies of two recipients differ also at equal p, nested ones never do.

        Returns
        -------
        numpy.ndarray of int, shape (stop - start,)
            Of the type of the codes, if that holds the domain.
        """
        if trust is not None and p is None:
            p = _share(trust)
        elif p is None or trust is not None:
            raise WrongType("Write either copy(trust=...), in per cent, or copy(p=...), a retention probability.")
        p = self._retention(p)
        start, stop, _ = slice(start, stop).indices(len(self))
        stop = max(start, stop)
        if (start, stop) == (0, len(self)):
            self._remember(p)
        if p == 1:
            return self._codes[start:stop].astype(self._dtype)
        out = np.empty(stop - start, dtype=self._dtype)
        block = self._reader(p, recipient)

        def one(number: int) -> None:
            first = number * BLOCK
            low, high = max(start, first), min(stop, first + BLOCK)
            out[low - start : high - start] = block(number)[low - first : high - first]

        keys.each_block(one, range(start // BLOCK, -(-stop // BLOCK)) if stop > start else range(0), self._threads)
        return out

    def path(self, row: int, smallest: float | None = None) -> tuple[Floats, Integers]:
        """One record's path from full trust down, drawn without touching other blocks and without storing it.

        Parameters
        ----------
        row : int
        smallest : float, optional
            How far down; to the release's `smallest` by default.

        Returns
        -------
        retentions : numpy.ndarray of float, shape (1 + redraws,)
            1, then where the value is redrawn, descending.
        values : numpy.ndarray of int, shape (1 + redraws,)
            The original, then the redrawn values, which may repeat; each is what copies hold from its
            retention probability down to the next.
        """
        if self.scheme != "nested":
            raise TrustscopeError("Independent copies do not lie on a path: read them one by one with `copy`.")
        row = operator.index(row)
        if not 0 <= row < len(self):
            raise IndexError(f"There are {len(self)} rows, counted from 0, so there is no row {row}.")
        time = -math.log(self.smallest if smallest is None else self._retention(smallest))
        number, place = divmod(row, BLOCK)
        # Whoever looks at one person looks at the next: the last block drawn for it stays at hand.
        shown = self._shown  # read once: another thread may look at somebody else meanwhile
        if shown is None or shown[:2] != (number, time):
            shown = self._shown = number, time, self._drawn(number, 0, 0.0, 0.0, time)[2]
        times, rows, redrawn = shown[2]
        mine = np.flatnonzero(rows == place)
        retentions = np.concatenate([[1.0], np.exp(-times[mine])])
        return retentions, np.concatenate([self._codes[row : row + 1], redrawn[mine]]).astype(self._dtype)

    def _kept(self) -> list[_Events]:
        return [events for events in self._blocks if events is not None]

    def _retention(self, p: float) -> float:
        p = one_retention(p)
        if p < self.smallest:
            raise TrustscopeError(f"{p:g} is below {self.smallest:g}, the smallest retention of this release.")
        return p

    def _remember(self, p: float) -> None:
        with self._lock:
            place = bisect.bisect_left(self._levels, -p)
            if place == len(self._levels) or self._levels[place] != -p:
                self._levels.insert(place, -p)

    def _reader(self, p: float, recipient: int) -> Callable[[int], Integers]:
        """The function that makes one block of the copy at p, in the small type of the codes."""
        time = -math.log(p)

        def nested(number: int) -> Integers:
            # Replaced whole: threads that get here together can only lose work, never mix it.
            self._blocks[number] = events = self._covering(number, time)
            end = np.searchsorted(events.times, time, "right")
            out = self._rows(number).copy()
            # Where a row comes twice, assignment leaves its last value.
            out[_places(events.rows[:end])] = events.values[:end]
            return out

        if self.scheme != "independent":
            return nested
        stream = keys.stream(self._key, "independent", self.size, operator.index(recipient), p)

        def independent(number: int) -> Integers:
            codes, rng = self._rows(number), keys.generator(stream, number, 0)
            kept = rng.random(len(codes)) < p
            return np.where(kept, codes, rng.integers(self.size, size=len(codes), dtype=codes.dtype))

        return independent

    def _rows(self, number: int) -> Integers:
        return self._codes[number * BLOCK : (number + 1) * BLOCK]

    def _covering(self, number: int, time: float) -> _Events:
        """The kept redraws of a block if a copy at `time` can be read off them, or those and more."""
        events, count = self._blocks[number], len(self._rows(number))
        if events is None:
            chunk, origin, parts = self._drawn(number, 0, 0.0, 0.0, time)
            floor, parts = _thinned(parts, time, count)
            return _Events(floor, time, chunk, origin, *parts)
        floor, depth, chunk, origin, *kept = events
        if time > depth:
            chunk, origin, deeper = self._drawn(number, chunk, origin, depth, time)
            return _Events(floor, time, chunk, origin, *_joined(kept, deeper))
        if time < floor:
            old = np.searchsorted(kept[0], floor, "right")
            parts = _joined(self._drawn(number, 0, 0.0, 0.0, floor)[2], [part[old:] for part in kept])
            floor, parts = _thinned(parts, time, count)
            return _Events(floor, depth, chunk, origin, *parts)
        return events

    def _drawn(
        self, number: int, chunk: int, origin: float, after: float, until: float
    ) -> tuple[int, float, list[NDArray[Any]]]:
        """The redraws of a block after one time and up to another, from the chunk that `after` lies in.

        Returns the chunk that `until` lies in, the time at which it starts, and [times, rows, values].
        """
        pieces = []
        while True:
            parts = self._chunk(number, chunk, origin)
            low, high = np.searchsorted(parts[0], [after, until], "right")
            pieces.append([part[low:high] for part in parts])
            if high < len(parts[0]):
                return chunk, origin, _joined(*pieces)
            chunk, origin = chunk + 1, parts[0][-1]

    def _chunk(self, number: int, chunk: int, origin: float) -> tuple[Floats, Integers, Integers]:
        """Times, rows and values of one chunk of redraws after time `origin`."""
        rows = len(self._rows(number))
        count = max(32, int(CHUNK * rows))
        rng = keys.swift(self._stream, number, chunk)
        times = rng.standard_exponential(count)
        np.cumsum(times, out=times)
        times *= 1 / rows
        times += origin
        words = rng.bit_generator.random_raw(count)
        places = _below(rows, words >> 32).astype(np.uint16)
        if self.size > PACKED:
            return times, places, rng.integers(self.size, size=count, dtype=self._codes.dtype)
        return times, places, _below(self.size, words & 0xFFFFFFFF).astype(self._codes.dtype)


def _share(trust: float) -> float:
    """A trust in per cent as a share."""
    if isinstance(trust, float) and 0 < trust <= 1:
        raise TrustscopeError(f"Trust is in per cent: write {100 * trust:g} where {trust:g} is given.")
    return trust / 100
