"""The five reconstruction attackers (Huang et al. 2005): 10 000 rows of 100 attributes, a million rows of 10.

Both sides have one thread.
"""

import functools
import tracemalloc

import numpy as np

from benchmarks.harness import Benchmark, speed_ratio
from trustscope.engine.attacks.reconstruction import ATTACKERS, univariate
from trustscope.engine.distributions import reconstruct

NOISE = 25.0
ROWS, COLUMNS = 10_000, 100
MANY, FEW = 1_000_000, 10


@functools.cache
def copy(rows, columns):
    """A copy with a few strong components and white noise."""
    rng = np.random.default_rng(1)
    values = np.repeat([20 * columns, 4.0], [5, columns - 5])
    basis = np.linalg.qr(rng.standard_normal((columns, columns)))[0]
    table = rng.standard_normal((rows, columns))
    table *= np.sqrt(values)
    table = table @ basis.T
    table += np.sqrt(NOISE) * rng.standard_normal((rows, columns))
    return table


def attackers_against_svd():
    table = copy(ROWS, COLUMNS)

    def all_five():
        return [attacker.function(table, NOISE).shape for attacker in ATTACKERS.values()]

    return speed_ratio(all_five, lambda: np.linalg.svd(table, full_matrices=False), repetitions=7)


def two_routes():
    table = copy(ROWS, COLUMNS)
    return speed_ratio(
        lambda: univariate(table, NOISE), lambda: univariate(table, NOISE, route="tweedie"), repetitions=5
    )


def memory_of_a_million():
    """The most that any attacker holds beside the released rows, its estimate included, in units of them."""
    table = copy(MANY, FEW)
    most = 0
    for attacker in ATTACKERS.values():
        tracemalloc.start()
        try:
            attacker.function(table, NOISE)
            most = max(most, tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    return most / table.nbytes


def distribution_against_sort():
    """The distribution behind a million values, against sorting them."""
    values = copy(MANY, FEW)[:, 0].copy()
    return speed_ratio(lambda: reconstruct(values, NOISE), lambda: np.sort(values), repetitions=3)


BENCHMARKS = [
    Benchmark(
        "all five attackers on 100 attributes, against the SVD of the copy",
        attackers_against_svd,
        limit=3.0,
        tags=("huang",),
    ),
    Benchmark(
        "each attribute by its reconstructed density, against Tweedie's formula",
        two_routes,
        limit=5.0,
        tags=("huang",),
    ),
    Benchmark(
        "memory of the hungriest attacker on a million rows of 10, against the copy",
        memory_of_a_million,
        limit=1.5,
        goal=1.2,
        tags=("huang", "memory"),
    ),
    Benchmark(
        "the distribution behind a million noisy values, against sorting them",
        distribution_against_sort,
        limit=10.0,
        tags=("huang",),
    ),
]
