"""Fingerprints: a tiny perturbation of each holder's own, so that two holders at the same trust can be told apart.

To the numbers of a copy at level s is added independent noise with covariance SIZE^2 s K_X, and a SHARE of the rows
have their categories drawn anew, both from streams that hang on the key and the holder's name.

What it costs. A copy with a fingerprint is made from the copy without one and from randomness that knows nothing of the
data. So it tells nothing more, alone or pooled: every coalition's error stays at least that of the best copy without a
fingerprint. For an analyst the noise has the variance s (1 + SIZE^2) K_X, and the retention is p (1 - SHARE).

What pooling leaves. The average of k copies at the same trust has the noise s (1 + SIZE^2 / k) K_X: the fingerprints
shrink and the copy without any comes closer, which is what the promise was made for. Each of the k is still in it with
the weight 1 / k, and `whose` finds weights.
"""

import math
from collections.abc import Collection

import numpy as np

from trustscope.engine.arrays import Floats, Integers
from trustscope.engine.cipher import CipherSource

# In standard deviations of the copy's own noise: of its variance a quarter of a per cent.
SIZE = 0.05
SHARE = 0.01


class Fingerprint:
    """The fingerprint of one holder on the rows of one part.

    Parameters
    ----------
    name : str
        Of the holder.
    source : CipherSource
        Of the part.
    """

    def __init__(self, name: str, source: CipherSource) -> None:
        self._name, self._source = name, source

    def normals(self, column: int, block: int, out: Floats) -> Floats:
        """The standard normals of one column and block of rows, written into `out`."""
        return self._source.normals(self._source.stream("fingerprint", self._name, column), block, out)

    def redraw(self, codes: Integers, size: int, first: int) -> Integers:
        """The codes with a `SHARE` of them drawn anew from `size`; `first` is the number of the first row."""
        rows = np.arange(first, first + len(codes), dtype=np.uint64)
        pairs = self._source.pairs(self._source.stream("fingerprint of categories", self._name), rows)
        chosen = pairs[:, 0] < np.uint64(int(SHARE * 2**64))
        fresh = ((pairs[:, 1] >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32)
        return np.where(chosen, fresh.astype(np.int64), codes)


def scale(level: float) -> float:
    """What the normals of a fingerprint are multiplied by at noise level s, before they are coloured."""
    return SIZE * math.sqrt(level)


def sentence(numbers: Collection[str], categories: Collection[str]) -> str:
    """What a fingerprint costs, for whoever issues a copy; by whether there are numbers and categories."""
    parts = []
    if numbers:
        parts.append(f"adds {100 * SIZE**2:.2g} % to the variance of the noise")
    if categories:
        parts.append(f"draws {100 * SHARE:.2g} % of the categories anew")
    left = f" Two holders who average their copies leave {50 * SIZE**2:.2g} % of the variance." if numbers else ""
    return (
        f"The fingerprint {' and '.join(parts)}; it tells nothing more about the data, alone or pooled.{left} "
        "Pooling weakens a fingerprint and does not remove it."
    )
