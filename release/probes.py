"""A few rows of noise, kept as a digest with every copy: a generator that changed is found before it does harm.

Two versions of noise at one level would leak as two independent copies do. So before a copy is made, the noise of
the probed rows is made again at the level of every copy that is out, and must have the same digest.
"""

import hashlib
from collections.abc import Sequence
from typing import cast

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.engine.cipher import CipherSource
from trustscope.release.recipe import Recipe, level, path_of
from trustscope.release.types import Setting

# Within the first block of part 0, and of a part far away: 48 rows are more than 2^1000 of noise.
PARTS = (0, 1_000)
ROWS = np.arange(0, 24 * 677, 677)
# Levels on the ladder, and the weight of the normals of each.
Steps = tuple[list[int], list[float]]


def digests(recipe: Recipe, source: CipherSource, settings: Sequence[Setting]) -> list[str]:
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
    # Which normals are needed is the same in all parts.
    plan = _plan(source, len(recipe.roles.numbers), [trust for trust, _ in settings])
    for part in PARTS:
        here = source.part(part)
        for state, noise in zip(states, _numbers(recipe, here, *plan), strict=True):
            state.update(noise.astype("<f8").tobytes())
        jumps = recipe.jumps(here)
        for state, (_, retention) in zip(states, settings, strict=True):
            if retention is None:
                continue
            for block in jumps:
                state.update(block.read(np.zeros(len(ROWS), dtype=np.int64), retention / 1000).astype("<i8").tobytes())
    return [state.hexdigest() for state in states]


def _plan(source: CipherSource, columns: int, trusts: Sequence[int | None]) -> tuple[list[int], list[int], list[Steps]]:
    """Levels whose normals are needed, their streams by column and level, and (levels, weights) for each trust."""
    paths = [path_of(source, column) for column in range(columns)]
    # Where there are numbers, there is a trust.
    steps = [paths[0].steps(level(cast(int, trust))) if paths else ([], []) for trust in trusts]
    known = sorted({node for nodes, _ in steps for node in nodes})
    # The streams of a cipher are numbers.
    return known, [cast(int, path.stream(node)) for path in paths for node in known], steps


def _numbers(
    recipe: Recipe, source: CipherSource, known: list[int], streams: list[int], steps: list[Steps]
) -> list[Floats]:
    """Noise of the probed rows for each of the steps, shape (N, rows) each: all normals of all levels in one go."""
    if not streams:
        return [np.empty((0, len(ROWS)))] * len(steps)
    normals = source.gather(streams, 0, ROWS)
    normals = normals.reshape(-1, len(known), len(ROWS)).transpose(1, 0, 2)
    by_node = dict(zip(known, normals, strict=True))
    out = []
    for nodes, weights in steps:
        # The same sums in the same order as where copies are made.
        white = by_node[nodes[0]] * weights[0]
        for node, weight in zip(nodes[1:], weights[1:], strict=True):
            white += by_node[node] * weight
        noise = np.zeros(white.shape)
        for target, row in zip(noise, recipe.lower.tolist(), strict=True):
            for weight, column in zip(row, white, strict=True):
                if weight:
                    target += weight * column
        out.append(noise)
    return out
