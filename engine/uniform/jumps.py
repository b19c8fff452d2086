"""The jump path of every record as a pure function of (key, retention, row), for releases that last.

In the clock t = ln(1 / p) a value is redrawn uniformly at unit rate (Eq. 10 of Xiao et al. 2009). The waiting
times are exponential, so e^-time of the k-th redraw is a product U_1 U_2 ... U_k of uniforms:

    the copy at p holds V_k for the largest k with U_1 ... U_k >= p, and the value itself where U_1 < p.

Each (U_k, V_k) is one pair of words of the source, addressed by the row: reading a copy at p takes 1 + ln(1 / p)
pairs a value, on average, whatever else was asked for. `UniformRelease` is faster for many looks at one table, but
draws a block's redraws together, so that rows added later would change those of the block they join.
"""

from typing import TYPE_CHECKING

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import Floats, Integers, Words
from trustscope.engine.uniform.law import check_size, one_retention

if TYPE_CHECKING:
    from trustscope.engine.cipher import CipherSource

_LOW = np.uint64(2**32 - 1)
_HALF = np.uint64(32)


class JumpPath:
    """Copies of codes at any retention probability.

    Parameters
    ----------
    size : int
        Size s of the domain, at least 2.
    source : engine.cipher.CipherSource
    purpose : tuple
        Told to the source: paths of several purposes are independent.
    """

    def __init__(self, size: int, source: "CipherSource", purpose: tuple[keys.Purpose, ...] = ()) -> None:
        self.size = check_size(size)
        self._source, self._purpose = source, purpose
        self._streams: list[int] = []

    def read(self, codes: Integers, p: float, first: int = 0, rows: Words | None = None) -> Integers:
        """The copy at p of the rows first, first + 1, ..., or of those that `rows` numbers.

        Parameters
        ----------
        codes : numpy.ndarray of int, shape (rows,)
            Values of those rows, from 0 to size - 1.
        p : float
        first : int
            Number of the first row.
        rows : numpy.ndarray of uint64, shape (rows,), optional
            Numbers of the paths, where they are not those of the rows; equal ones share a path.

        Returns
        -------
        numpy.ndarray of int64, shape (rows,)
        """
        p = one_retention(p)
        out = np.array(codes, dtype=np.int64)
        if rows is None:
            rows = np.arange(first, first + len(out), dtype=np.uint64)
        places, reached = np.arange(len(out)), np.ones(len(out))
        for draw in range(1 << 20):
            pairs = self._source.pairs(self._stream(draw), rows)
            reached = reached * _uniform(pairs[:, 0])
            redrawn = np.flatnonzero(reached >= p)
            if not len(redrawn):
                break
            rows, places, reached = rows[redrawn], places[redrawn], reached[redrawn]
            out[places] = _below(pairs[redrawn, 1], self.size)
        return out

    def _stream(self, draw: int) -> int:
        while len(self._streams) <= draw:
            self._streams.append(self._source.stream("jump", self.size, len(self._streams), *self._purpose))
        return self._streams[draw]


def _uniform(words: Words) -> Floats:
    """An odd multiple of 2^-54 in (0, 1) for each word."""
    return (words >> np.uint64(11)).astype(float) * 2.0**-53 + 2.0**-54


def _below(words: Words, size: int) -> Integers:
    """floor(word size / 2^64): from 0 to size - 1, each with a probability within 2^-64 of 1 / size."""
    high = (words >> _HALF) * np.uint64(size)
    low = ((words & _LOW) * np.uint64(size)) >> _HALF
    return ((high + low) >> _HALF).astype(np.int64)
