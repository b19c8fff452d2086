"""Slow and obvious versions of what scenarios compute fast."""

import numpy as np


def joint_error(levels, scheme, covariance, shape):
    """Error of the best linear guess by inverting the whole covariance of all copies, over guessing the mean.

    Each attribute counts in units of its standard deviation.
    """
    s = np.asarray(levels, dtype=float)
    if s.min() == 0:
        return 0.0
    kinds = {
        "nested": np.minimum.outer(s, s),
        "independent": np.diag(s),
        "proportional": np.sqrt(np.outer(s, s)),
    }
    many, sd = len(s), np.sqrt(np.diag(covariance))
    k, r = covariance / np.outer(sd, sd), shape / np.outer(sd, sd)
    copies = np.kron(np.ones((many, many)), k) + np.kron(kinds[scheme], r)
    gain = np.kron(np.ones((1, many)), k) @ np.linalg.pinv(copies, rcond=1e-11, hermitian=True)
    return float(np.trace(k - gain @ np.kron(np.ones((many, 1)), k)) / np.trace(k))
