"""Standard normals out of 64-bit words, one each, the same bits on every machine.

Notation: a word gives a sign (its highest bit) and v, an odd multiple of 2^-53 in (0, 1) (its lowest 52 bits);
the normal is +-Q(v) with Q(v) = -(inverse normal of v / 2). There is no rejection, so the normal at a place
depends on the word at that place alone.

Q is a table of parabolas, 256 to an octave of v, so that the tail has the same relative resolution as the centre
and the exponent and the first 8 bits of v are the place in the table. They pass through Q at three Chebyshev
points, within 4e-10 of it everywhere. Only sums, products, quotients and
square roots occur, here and in the making of the table, which IEEE 754 fixes to the last bit: the stream depends
neither on the system's mathematical library nor on a version of scipy. The values at the table's points come from
Algorithm AS 241 (Wichura 1988), PPND16.
"""

import functools
import hashlib
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trustscope.engine.arrays import Floats, Words

BITS = 8
OCTAVES = 53
# SHA-256 of the table: another one would be another stream, and a release must not go on with it.
DIGEST = "b5b9cdd44abdeb9253434e53131df480ac168d0f83de776142a5318e8baf71ff"

_MANTISSA = np.uint64((1 << 52) - 1)
_ONE = np.uint64(1023 << 52)
_SIGN = np.uint64(1 << 63)
_SHIFT = np.int64(52 - BITS)
_BASE = np.int64((1023 - OCTAVES) << BITS)
_local = threading.local()

# Coefficients of AS 241 from the highest power down: numerator, denominator.
_CENTRE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    (5226.495278852545925, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
     5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
)  # fmt: skip
_TAIL = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
     3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
     0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0),
)  # fmt: skip
_FAR = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
     0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
     0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1.0),
)  # fmt: skip


def normals(words: Words, out: Floats) -> Floats:
    """Fill `out` with the standard normals of as many words.

    Parameters
    ----------
    words : numpy.ndarray of uint64, shape (n,)
    out : numpy.ndarray of float64, shape (n,), C-contiguous

    Returns
    -------
    numpy.ndarray
        `out`.
    """
    square, slope, start = _table()
    v, place, part = _buffers(len(words))
    bits = v.view(np.uint64)
    np.bitwise_and(words, _MANTISSA, out=bits)
    np.bitwise_or(bits, _ONE, out=bits)
    v -= 1 - 2.0**-53
    np.right_shift(v.view(np.int64), _SHIFT, out=place)
    place -= _BASE
    # Every place is in the table; "clip" only spares numpy the check.
    np.take(square, place, out=out, mode="clip")
    out *= v
    np.take(slope, place, out=part, mode="clip")
    out += part
    out *= v
    np.take(start, place, out=part, mode="clip")
    out += part
    sign = place.view(np.uint64)
    np.bitwise_and(words, _SIGN, out=sign)
    np.bitwise_xor(out.view(np.uint64), sign, out=out.view(np.uint64))
    return out


def quantile(p: Floats) -> Floats:
    """The inverse normal of p in (0, 1/2], AS 241, in operations that IEEE 754 fixes; shape as p."""
    p = np.asarray(p, dtype=float)
    q = p - 0.5
    centre = q * _ratio(_CENTRE, 0.180625 - q * q)
    r = np.sqrt(-_logarithm(p))
    tail = np.where(r <= 5, _ratio(_TAIL, r - 1.6), _ratio(_FAR, r - 5.0))
    return np.where(np.abs(q) <= 0.425, centre, -tail)


def _ratio(coefficients: tuple[Sequence[float], Sequence[float]], r: Floats) -> Floats:
    top, bottom = (np.full_like(r, powers[0]) for powers in coefficients)
    for a, b in zip(coefficients[0][1:], coefficients[1][1:], strict=True):
        top, bottom = top * r + a, bottom * r + b
    return top / bottom


def _logarithm(x: Floats) -> Floats:
    """ln x without the mathematical library: x = m 2^e exactly, ln m = 2 artanh((m - 1) / (m + 1)) as a series."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < np.sqrt(0.5)
    mantissa, exponent = np.where(small, 2 * mantissa, mantissa), exponent - small
    t = (mantissa - 1) / (mantissa + 1)
    square, total = t * t, np.zeros_like(t)
    for power in range(25, 0, -2):
        total = total * square + 1 / power
    logarithm: Floats = exponent * 0.6931471805599453 + 2 * t * total
    return logarithm


@functools.cache
def _table() -> tuple[Floats, Floats, Floats]:
    """The parabolas' coefficients (of v^2, of v, of 1), each of shape (OCTAVES * 2^BITS,)."""
    segments = 1 << BITS
    octave = np.repeat(2.0 ** (np.arange(OCTAVES) - OCTAVES), segments)
    left, width = octave * (1 + np.tile(np.arange(segments) / segments, OCTAVES)), octave / segments
    # The Chebyshev points of [0, 1]: (1 -+ cos(pi / 6)) / 2 and 1/2.
    edge = (1 - np.sqrt(0.75)) / 2
    a, b, c = (left + width * at for at in (edge, 0.5, 1 - edge))
    qa, qb, qc = (-quantile(v / 2) for v in (a, b, c))
    first = (qb - qa) / (b - a)
    second = ((qc - qb) / (c - b) - first) / (c - a)
    table = second, first - second * (a + b), qa - first * a + second * a * b
    found = hashlib.sha256(b"".join(part.astype("<f8").tobytes() for part in table)).hexdigest()
    if found != DIGEST:
        raise RuntimeError("The table of the inverse normal came out differently: this machine cannot make releases.")
    return table


def _buffers(size: int) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Three arrays of the calling thread, of `size` numbers each: v, places, parts."""
    kept = getattr(_local, "buffers", None)
    if kept is None or len(kept[0]) < size:
        kept = _local.buffers = np.empty(size), np.empty(size, dtype=np.int64), np.empty(size)
    v, place, part = kept
    return v[:size], place[:size], part[:size]
