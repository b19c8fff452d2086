"""Attacks on rotated releases (Giannella et al. 2009): linking among letters, and the signs of principal axes."""

import functools

import numpy as np

from benchmarks.harness import Benchmark, speed_ratio
from trustscope import datasets
from trustscope.engine.attacks.known_input import link
from trustscope.engine.attacks.known_sample.signs import Misfit, exact, marginal_cross, polynomial
from trustscope.engine.rotation import RotationRelease

KNOWN = 16
AXES = 12


@functools.cache
def letters():
    """The distinct letters, and a rotation of them."""
    found = datasets.load("letter")
    table = found.frame[list(found.numeric)].drop_duplicates().to_numpy(float)
    return table, RotationRelease(table, key=1).released


def linking_against_distances():
    """Linking 16 known inputs, against one pass that computes the distances of 16 points from all records."""
    table, released = letters()
    known = table[np.random.default_rng(1).choice(len(table), KNOWN, replace=False)]
    assert len(link(known, released).linked) == KNOWN

    def distances():
        return np.stack([np.linalg.norm(released - one, axis=1) for one in known])

    return speed_ratio(lambda: link(known, released), distances, repetitions=9)


def linking_against_product():
    """The same against the fastest way to all distances, a matrix product."""
    table, released = letters()
    known = table[np.random.default_rng(1).choice(len(table), KNOWN, replace=False)]

    def distances():
        squares = np.einsum("ij,ij->i", released, released)[:, None] + np.einsum("ij,ij->i", known, known)
        return np.sqrt(np.maximum(squares - 2 * (released @ known.T), 0))

    return speed_ratio(lambda: link(known, released), distances, repetitions=9)


def signs_against_all_patterns():
    """All 2^12 sign patterns, against the polynomial route from its start on single axes to its end."""
    rng = np.random.default_rng(1)
    s, w = (rng.gamma(2.0, 1.0, (rows, AXES)) * 1.3 ** np.arange(AXES) for rows in (150, 400))

    def route():
        alone = marginal_cross(s, w)
        return polynomial(Misfit(s, w, pairs=60_000), np.where(alone[0] <= alone[1], 1.0, -1.0))

    assert np.array_equal(route()[0], exact(Misfit(s, w, pairs=60_000))[0])
    return speed_ratio(lambda: exact(Misfit(s, w, pairs=60_000)), route, repetitions=8)


BENCHMARKS = [
    Benchmark(
        "linking 16 known inputs among 18 668 letters, against all their distances in one pass",
        linking_against_distances,
        limit=5.0,
        goal=1.0,
        tags=("giannella",),
    ),
    Benchmark(
        "the same, against the distances by one matrix product",
        linking_against_product,
        limit=5.0,
        goal=2.0,
        tags=("giannella",),
    ),
    Benchmark(
        "all 2^12 sign patterns, against the polynomial route",
        signs_against_all_patterns,
        limit=100.0,
        direction="at least",
        goal=200.0,
        tags=("giannella",),
    ),
]
