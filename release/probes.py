"""A few rows of noise, kept as a digest with every copy: a generator that changed is found before it does harm.

Two versions of noise at one level would leak as two independent copies do. So before a copy is made, the noise of
the probed rows is made again at the level of every copy that is out, and must have the same digest.
"""

import hashlib

import numpy as np

from trustscope.engine.uniform.jumps import JumpPath
from trustscope.release.recipe import level, path_of

# Within the first block of part 0, and of a part far away: 48 rows are more than 2^1000 of noise.
PARTS = (0, 1_000)
ROWS = np.arange(0, 24 * 677, 677)


def digests(recipe, source, settings):
    """Digest of the probed noise for each setting.

    Parameters
    ----------
    recipe : Recipe
    source : CipherSource
        Of the master key.
    settings : sequence of (int or None, int or None)
        Trust and retention in thousandths.

    Returns
    -------
    list of str
    """
    states = [hashlib.sha256() for _ in settings]
    for part in PARTS:
        here = source.part(part)
        for state, noise in zip(states, _numbers(recipe, here, [trust for trust, _ in settings]), strict=True):
            state.update(noise.astype("<f8").tobytes())
        jumps = JumpPath(recipe.size, here) if recipe.roles.categories else None
        for state, (_, retention) in zip(states, settings, strict=True):
            if jumps and retention:
                state.update(jumps.read(np.zeros(len(ROWS)), retention / 1000).astype("<i8").tobytes())
    return [state.hexdigest() for state in states]


def _numbers(recipe, source, trusts):
    """Noise of the probed rows at each trust, shape (N, rows) each: all normals of all levels in one go."""
    size = len(recipe.roles.numbers)
    paths = [path_of(source, column) for column in range(size)]
    steps = [[path.steps(level(trust)) for path in paths] if trust else [] for trust in trusts]
    known = sorted({stream for one in steps for streams, _ in one for stream in streams})
    place = {stream: number for number, stream in enumerate(known)}
    normals = source.gather(known, 0, ROWS) if known else np.empty((0, len(ROWS)))
    out = []
    for one in steps:
        noise = np.zeros((size, len(ROWS)))
        white = []
        for streams, weights in one:
            total = normals[place[streams[0]]] * weights[0]
            for stream, weight in zip(streams[1:], weights[1:], strict=True):
                total += normals[place[stream]] * weight
            white.append(total)
        for target, row in zip(noise, recipe.lower.tolist(), strict=True):
            for weight, column in zip(row, white, strict=False):
                if weight:
                    target += weight * column
        out.append(noise)
    return out
