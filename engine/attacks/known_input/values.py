"""How likely a guess that is uniform over what is still possible hits single values.

The known records pin the rotation down on what they span; of the rest of a record only its length r is known. The
guess v of that rest is uniform on a sphere of radius r in m dimensions, while the truth is u. Along attribute j the
error is a'(u - v), where a is the part of that attribute's axis which lies in the m dimensions. Since a'v / (|a| r) is
the coordinate of a uniform point of the unit sphere, (1 + a'v / (|a| r)) / 2 has a beta distribution with both
parameters (m - 1) / 2, and the probability of a hit is a difference of two of its distribution functions.
"""

import numpy as np
from scipy.special import betainc

from trustscope.engine.arrays import Floats

ROUNDING = 1e-12


def value_chances(rest: Floats, radius: Floats, complement: Floats, reach: Floats) -> Floats:
    """Probability that each value of each record is guessed within reach.

    Parameters
    ----------
    rest : array, (rows, n)
        What of each record lies outside of what is known: U u.
    radius : array, (rows,)
        Its length r.
    complement : array, (n, m)
        An orthonormal basis U of what is not known.
    reach : array, (n,)
        How far a guess of each attribute may be off.

    Returns
    -------
    array, (rows, n)
    """
    free = complement.shape[1]
    if free == 0:
        return np.ones(rest.shape)
    spread = radius[:, None] * np.sqrt(np.sum(complement**2, axis=1))
    if free == 1:  # two points, the truth and its mirror image
        return 0.5 * (1.0 + (2 * np.abs(rest) <= reach).astype(float))
    narrow = spread <= ROUNDING * (np.abs(reach) + spread.max(initial=0.0))
    safe = np.where(narrow, 1.0, spread)
    half = (free - 1) / 2
    upper, lower = (_below((rest + side * reach) / safe, half) for side in (1, -1))
    return np.where(narrow, 1.0, upper - lower)


def _below(place: Floats, half: float) -> Floats:
    """The distribution function of one coordinate of a uniform point of the unit sphere."""
    return np.asarray(betainc(half, half, (np.clip(place, -1.0, 1.0) + 1.0) / 2))
