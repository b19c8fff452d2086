"""The survey (Zhang et al. 2005): a million tuples through the miner, respondents through a survey.

Tuples have 32 bits, as the votes do; guidance is made anew after every 100.
"""

import functools
import tracemalloc

import numpy as np
import pandas as pd

from benchmarks.harness import Benchmark, fastest, speed_ratio
from trustscope.engine.survey import Encoding, Miner, Survey

FEW, MANY, BLOCK = 10_000, 1_000_000, 100


@functools.cache
def answers():
    """Sixteen yes-or-no questions whose answers go with the class."""
    rng = np.random.default_rng(1)
    classes = rng.integers(2, size=FEW)
    chance = np.where(classes[:, None] == 1, np.linspace(0.2, 0.8, 16), np.linspace(0.8, 0.2, 16))
    table = pd.DataFrame(np.where(rng.random((FEW, 16)) < chance, "yes", "no")).rename(columns=str)
    encoding = Encoding.fit(table)
    return encoding, encoding.encode(table), classes


def received(count):
    """A miner that has received so many tuples, in blocks."""
    encoding, tuples, classes = answers()
    miner = Miner(encoding, update_every=BLOCK)
    for start in range(0, count, BLOCK):
        part = slice(start % FEW, start % FEW + BLOCK)
        miner.receive(tuples[part], classes[part])
        miner.guidance()
    return miner


def a_million_against_ten_thousand():
    """Time per tuple; both sides take as long, so that a busy machine interrupts both as often."""

    def many_short_ones():
        for _ in range(MANY // FEW):
            received(FEW)

    return speed_ratio(lambda: received(MANY), many_short_ones, repetitions=3)


def block_against_rank_one():
    """Time per tuple in blocks, guidance included, against adding one outer product to one matrix."""
    encoding, tuples, _ = answers()
    matrix, rows = np.zeros((encoding.dimension, encoding.dimension)), tuples[:2_000].astype(float)

    def rank_one():
        for row in rows:
            np.add(matrix, np.outer(row, row), out=matrix)

    times = fastest(lambda: received(FEW), rank_one, repetitions=7)
    return times[0] / FEW / (times[1] / len(rows))


def one_by_one_against_rank_one():
    """The same for tuples that arrive one by one, and the paper's guidance, which need not pass a check."""
    encoding, tuples, classes = answers()
    matrix, rows = np.zeros((encoding.dimension, encoding.dimension)), tuples[:2_000].astype(float)

    def single():
        miner = Miner(encoding, update_every=BLOCK, checked=False)
        for row, of_row in zip(tuples[:2_000], classes[:2_000], strict=True):
            miner.receive(row, of_row)

    def rank_one():
        for row in rows:
            np.add(matrix, np.outer(row, row), out=matrix)

    return speed_ratio(single, rank_one, repetitions=7)


def memory_of_a_million():
    """The most that the miner holds while a million tuples pass, against a tenth of them."""
    answers()
    tracemalloc.start()
    try:
        received(MANY // 10)
        early = tracemalloc.get_traced_memory()[1]
        received(MANY)
        return tracemalloc.get_traced_memory()[1] / early
    finally:
        tracemalloc.stop()


def respondent_against_rank_one():
    """Respondents who are guided, check, perturb and are received: time for each, against one outer product."""
    encoding, tuples, classes = answers()
    matrix, rows = np.zeros((encoding.dimension, encoding.dimension)), tuples[:2_000].astype(float)

    def rank_one():
        for row in rows:
            np.add(matrix, np.outer(row, row), out=matrix)

    times = fastest(lambda: Survey(encoding, tuples, classes, replace=True).ask(FEW), rank_one, repetitions=7)
    return times[0] / FEW / (times[1] / len(rows))


BENCHMARKS = [
    Benchmark(
        "time per tuple of a million through the miner, against ten thousand",
        a_million_against_ten_thousand,
        limit=1.1,
        tags=("zhang",),
    ),
    Benchmark(
        "a tuple through the miner in blocks of 100, with its guidance, against one rank-one update",
        block_against_rank_one,
        limit=3.0,
        goal=1.0,
        tags=("zhang",),
    ),
    Benchmark(
        "a tuple through the miner by itself, with the paper's guidance, against one rank-one update",
        one_by_one_against_rank_one,
        limit=3.0,
        tags=("zhang",),
    ),
    Benchmark(
        "memory of the miner while a million tuples pass, against a hundred thousand",
        memory_of_a_million,
        limit=1.1,
        tags=("zhang", "memory"),
    ),
    Benchmark(
        "a respondent through the whole survey, against one rank-one update",
        respondent_against_rank_one,
        limit=10.0,
        goal=3.0,
        tags=("zhang",),
    ),
]
