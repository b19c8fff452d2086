"""A scheme between two: a part of the noise is one path for all copies, and the rest is drawn afresh for each.

After `pip install ./examples/denoiser` the Trust page offers it, and studies, targets, reports, links and releases know
it by name. Pooling gains something, and the less the more is shared.
"""

import numpy as np

import trustscope as ts

SHARED = 0.75


@ts.scheme(
    title="Partly nested noise",
    words="Three quarters of the noise are one path for all copies; the rest is fresh, and averaging takes it away.",
    colour="#7a6a1f",
    dash="dotdash",
)
def partly_nested(levels):
    """Sigma of copies at these levels, shape (M, M)."""
    return SHARED * np.minimum.outer(levels, levels) + (1 - SHARED) * np.diag(levels)
