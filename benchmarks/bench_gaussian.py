"""The Gaussian engine at 100 000 rows of two attributes (Li et al. 2012): copies on demand and coalitions."""

import tracemalloc

import numpy as np

from benchmarks.harness import Benchmark, fastest, speed_ratio
from engine.attacks import llse
from engine.gaussian import GaussianRelease, noise_covariance, on_demand

ROWS, COLUMNS = 100_000, 2
RECIPIENTS, SOLVES = 16, 2_000
COPIES = 25
LEAST, MOST = 0.25, 1.0


def data(columns=COLUMNS):
    return np.random.default_rng(1).standard_normal((ROWS, columns)) @ (np.eye(columns) + 0.3)


def levels(number, key=2):
    return np.random.default_rng(key).uniform(LEAST, MOST, number)


class Requests:
    """A release with some copies out, and one fresh level after another to ask for."""

    def __init__(self, released):
        self.release = GaussianRelease(data(), key=3)
        for level in levels(released):
            self.release.copy(level)
        self.fresh = iter(levels(1000, key=4))

    def one_more(self):
        """A copy at a level not asked for before."""
        return self.release.copy(next(self.fresh))


def copy_against_normals():
    requests = Requests(3)
    rng = np.random.default_rng(5)
    return speed_ratio(requests.one_more, lambda: rng.standard_normal((ROWS, COLUMNS)), repetitions=40)


def many_released_against_few():
    return speed_ratio(Requests(300).one_more, Requests(3).one_more, repetitions=40)


def one_more_by_algorithm_3():
    requests = Requests(300)
    table, rng, fresh = data(), np.random.default_rng(6), iter(levels(1000, key=7))
    released = np.array(requests.release.levels)
    noise = np.stack([requests.release.noise(level) for level in released])

    def algorithm_3():
        return on_demand(table, [next(fresh)], released_levels=released, released_noise=noise, rng=rng)

    return speed_ratio(algorithm_3, requests.one_more, repetitions=15, settle=0.2)


def many_more_by_algorithm_3():
    table, rng = data(), np.random.default_rng(6)
    released, new = levels(25), levels(75, key=7)
    noise = np.stack([Requests(25).release.noise(level) for level in released])

    def algorithm_3():
        return on_demand(table, new, released_levels=released, released_noise=noise, rng=rng)

    def bridge(requests):
        return [requests.release.copy(level) for level in new]

    return speed_ratio(algorithm_3, (lambda: Requests(25), bridge), repetitions=5, settle=0.2)


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
        kept = [release.copy(level) for level in levels(COPIES)]
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
