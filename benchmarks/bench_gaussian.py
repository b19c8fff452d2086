"""The Gaussian engine at 100 000 rows of two attributes (Li et al. 2012): copies on demand and coalitions.

Both sides have one thread. With more, a copy is faster still: its blocks are shared between cores.
"""

import functools
import tracemalloc

import numpy as np

from benchmarks.harness import Benchmark, fastest, speed_ratio
from trustscope.engine.attacks import llse
from trustscope.engine.gaussian import GaussianRelease, noise_covariance, on_demand

ROWS, COLUMNS = 100_000, 2
RECIPIENTS, SOLVES = 16, 2_000
COPIES = 25
LEAST, MOST = 0.25, 1.0


@functools.cache
def data():
    return np.random.default_rng(1).standard_normal((ROWS, COLUMNS)) @ (np.eye(COLUMNS) + 0.3)


def levels(number, key=2):
    return np.random.default_rng(key).uniform(LEAST, MOST, number)


class Requests:
    """A release with some copies out, and one fresh level after another to ask for."""

    def __init__(self, released):
        self.release = GaussianRelease(data(), key=3, threads=1)
        for level in levels(released):
            self.release.copy(level=level)
        self.fresh = iter(levels(1000, key=4))

    def one_more(self):
        """A copy at a level not asked for before."""
        return self.release.copy(level=next(self.fresh))


def kept(work):
    """Work whose results are kept, as a release keeps its copies: memory that is new to the process costs time too."""
    results = []
    return lambda: results.append(work())


def copy_against_normals():
    requests = Requests(3)
    rng = np.random.default_rng(5)
    return speed_ratio(requests.one_more, kept(lambda: rng.standard_normal((ROWS, COLUMNS))), repetitions=100)


def many_released_against_few():
    """Cold caches on both sides: otherwise the few would lie in the cache, and the ratio be one of caches.

    And a copy that lies between two released ones on both sides: one that is noisier than all has one neighbour only,
    and takes a seventh less.
    """
    many, flood = Requests(300), np.zeros(2**24)

    def prepare(requests):
        np.add(flood, 1.0, out=flood)
        released = requests.release.levels
        requests.fresh = (level for level in requests.fresh if released[0] < level < released[-1])
        return requests

    def work(requests):
        return requests.one_more()

    few = (lambda: prepare(Requests(3)), work)
    return speed_ratio((lambda: prepare(many), work), few, repetitions=60)


def algorithm_3(released, noise):
    """Algorithm 3 with all that it takes as given: a function of the new levels."""
    table, rng = data(), np.random.default_rng(6)
    given = {"released_levels": released, "released_noise": noise, "covariance": np.cov(table.T)}
    return lambda new: on_demand(table, new, **given, rng=rng)


def one_more_by_algorithm_3():
    requests, fresh = Requests(300), iter(levels(1000, key=7))
    released = requests.release.levels
    reference = algorithm_3(released, np.stack([requests.release.noise(level=level) for level in released]))
    return speed_ratio(kept(lambda: reference([next(fresh)])), requests.one_more, repetitions=25)


def many_more_by_algorithm_3():
    new, release = levels(75, key=7), Requests(25).release
    reference = algorithm_3(release.levels, np.stack([release.noise(level=level) for level in release.levels]))

    def bridge(requests):
        return [requests.release.copy(level=level) for level in new]

    return speed_ratio(lambda: reference(new), (lambda: Requests(25), bridge), repetitions=5)


def coalitions_against_solves():
    """Every coalition in one pass; one solve each is timed on a random sample of coalitions, and scaled."""
    s = levels(RECIPIENTS)
    gram = 1 + noise_covariance(s, "nested")
    members = np.random.default_rng(8).integers(1, 2**RECIPIENTS, SOLVES)
    chosen = [np.flatnonzero(subset >> np.arange(RECIPIENTS) & 1) for subset in members]

    def one_by_one():
        return [1 - np.linalg.solve(gram[np.ix_(c, c)], np.ones(len(c))).sum() for c in chosen]

    sampled, at_once = fastest(one_by_one, lambda: llse.coalitions(s, "nested"), repetitions=5)
    return sampled * (2**RECIPIENTS - 1) / SOLVES / at_once


def memory_of_copies():
    """Highest memory while copies are made and kept, in arrays of the data's size for each copy."""
    table = data()
    tracemalloc.start()
    try:
        release = GaussianRelease(table, key=3)
        kept = [release.copy(level=level) for level in levels(COPIES)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return peak / (len(kept) * table.nbytes)


BENCHMARKS = [
    Benchmark(
        "a copy on demand, against drawing as many standard normals",
        copy_against_normals,
        limit=2.0,
        goal=1.3,
        tags=("li",),
    ),
    Benchmark(
        "a copy on demand with 300 released, against 3 released",
        many_released_against_few,
        limit=1.2,
        tags=("li",),
    ),
    Benchmark(
        "algorithm 3, against one more copy on demand with 300 released",
        one_more_by_algorithm_3,
        limit=10.0,
        direction="at least",
        tags=("li",),
    ),
    Benchmark(
        "algorithm 3, against 75 more copies on demand with 25 released",
        many_more_by_algorithm_3,
        limit=1.0,
        direction="at least",
        tags=("li",),
    ),
    Benchmark(
        "a solve for every coalition of 16 (2 000 timed, scaled), against all at once",
        coalitions_against_solves,
        limit=100.0,
        direction="at least",
        tags=("li",),
    ),
    Benchmark(
        f"memory of {COPIES} copies, against {COPIES} arrays",
        memory_of_copies,
        limit=1.2,
        tags=("li", "memory"),
    ),
]
