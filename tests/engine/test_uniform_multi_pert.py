"""The paper's algorithm with its history list, and the printed update of that list, which corrupts it."""

import bisect
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_uniform import RATE, goodness

from trustscope.engine.uniform import (
    History,
    coin,
    expected_history,
    history_bound,
    multi_pert,
    uni_pert,
)


class PrintedHistory:
    """A history list updated as printed: enter (p, Y) unless implied; remove the next element if equal."""

    def __init__(self):
        self.elements = []  # (-p, value), so ascending

    def read(self, p):
        return self.elements[bisect.bisect_right(self.elements, (-p, np.inf)) - 1][1]

    def insert(self, p, value):
        place = bisect.bisect_left(self.elements, (-p,))
        if place == 0 or self.elements[place - 1][1] != value:
            self.elements.insert(place, (-p, value))
            place += 1
        if place < len(self.elements) and self.elements[place][1] == value:
            del self.elements[place]


def test_examples_of_the_paper():
    np.testing.assert_allclose(coin(0.2, 0.4, None, 10)[0], [0.5, 0])
    np.testing.assert_allclose(coin(0.8, 1, 0.4, 10)[0], [0.8, 0.17826], atol=5e-6)


def test_the_printed_update_corrupts_an_older_copy_and_the_corrected_one_does_not():
    printed = PrintedHistory()
    history = History([0], 2)
    for p, value in [(0.5, 0), (0.3, 0), (0.4, 1)]:
        printed.insert(p, value)
        history.insert(p, np.array([value]))
    assert printed.read(0.3) == 1  # it was released as 0
    assert [int(history.read(p)[0]) for p in (0.5, 0.4, 0.3)] == [0, 1, 0]


def corrupted(size, rng, rows=40):
    """Share of records of which any copy reads wrong after 100 releases with the printed update."""
    levels, coins, released, wrong = rng.uniform(0.001, 0.5, 100), [], [], 0
    for p in levels:
        above = min((q for q in released if q > p), default=1.0)
        below = max((q for q in released if q < p), default=None)
        coins.append((above, below, coin(p, above, below, size)))
        released.append(p)
    for _ in range(rows):
        x, history, given_out = rng.integers(size), PrintedHistory(), []
        for p, (above, below, chances) in zip(levels, coins, strict=True):
            high = x if above == 1 else history.read(above)
            low = high if below is None else history.read(below)
            u, v = chances[0 if high == low else 1]
            toss = rng.random()
            given_out.append(high if toss < u else low if toss < u + v else rng.integers(size))
            history.insert(p, given_out[-1])
        wrong += any(history.read(p) != y for p, y in zip(levels, given_out, strict=True))
    return wrong / rows


@pytest.mark.parametrize(("size", "share"), [(2, 0.238), (10, 0.095), (50, 0.021)])
def test_how_many_records_the_printed_update_corrupts(size, share):
    """A few per cent to a quarter of the records: it depends on the levels, so only to a factor of two."""
    rng = np.random.default_rng(size)
    assert share / 2 < np.mean([corrupted(size, rng) for _ in range(10)]) < share * 2


@pytest.mark.parametrize(("size", "count"), [(2, 2_000), (30, 1_000), (1000, 1_000)])
def test_no_copy_changes_in_thousands_of_levels(size, count):
    rng = np.random.default_rng(size)
    levels = rng.uniform(0.001, 0.5, count)
    history = History(rng.integers(size, size=12), size)
    copies = {p: multi_pert(history, p, rng=rng) for p in levels}
    np.testing.assert_array_equal([history.read(p) for p in levels], list(copies.values()))
    assert history.levels == tuple(np.sort(levels)[::-1])


@pytest.mark.parametrize("order", ["random", "ascending", "descending"])
@pytest.mark.parametrize("size", [2, 50])
def test_history_is_as_short_as_its_law_says(order, size):
    """Mean length over 3 000 records within 6 standard errors of its expectation."""
    rng = np.random.default_rng(3)
    levels = rng.uniform(0.001, 0.5, 100)
    if order != "random":
        levels = np.sort(levels)[:: 1 if order == "ascending" else -1]
    history = History(rng.integers(size, size=3000), size)
    copies = [multi_pert(history, p, rng=rng) for p in levels]
    np.testing.assert_array_equal([history.read(p) for p in levels], copies)
    error = history.lengths.std() / np.sqrt(3000)
    assert abs(history.lengths.mean() - expected_history(levels, size)) < 6 * error
    assert expected_history(levels, size) < history_bound(levels.max(), levels.min())


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(0, 2)), min_size=1, max_size=12, unique_by=lambda x: x[0]))
def test_history_reads_back_whatever_was_entered_and_is_minimal(entries):
    history = History([0, 1], 3)
    for p, value in entries:
        history.insert(p, np.array([value, (value + 1) % 3]))
    for p, value in entries:
        assert history.read(p).tolist() == [value, (value + 1) % 3]
    ordered = [value for _, value in sorted(entries, reverse=True)]
    changes = 1 + sum(a != b for a, b in itertools.pairwise(ordered))
    assert history.lengths.tolist() == [changes, changes]


@pytest.mark.parametrize("size", [2, 3])
def test_multi_pert_has_the_law_of_the_chain_and_uni_pert_has_not(size):
    rng = np.random.default_rng(1)
    codes, ps = rng.integers(size, size=300_000), [0.3, 0.1, 0.5]
    history = History(codes, size)
    copies = [multi_pert(history, p, rng=rng) for p in ps]
    assert goodness(copies, codes, ps, size, "nested") > RATE
    apart = [uni_pert(codes, size, p, rng=rng) for p in ps]
    assert goodness(apart, codes, ps, size, "nested") < RATE
    assert goodness(apart, codes, ps, size, "independent") > RATE


def test_a_level_asked_again_and_full_trust_return_what_there_is():
    rng = np.random.default_rng(1)
    history = History(rng.integers(9, size=100), 9)
    first = multi_pert(history, 0.3, rng=rng)
    multi_pert(history, 0.4, rng=rng)
    np.testing.assert_array_equal(multi_pert(history, 0.3, rng=rng), first)
    np.testing.assert_array_equal(multi_pert(history, 1, rng=rng), history.codes)
    assert history.levels == (0.4, 0.3)


def test_unusable_input_gets_its_sentence():
    history = History([0, 1], 2)
    with pytest.raises(TypeError, match=r"numpy\.random\.Generator"):
        multi_pert(history, 0.3, rng=5)
    with pytest.raises(ValueError, match=r"No copy was released at 0\.2"):
        history.read(0.2)
    with pytest.raises(ValueError, match="does not lie between"):
        coin(0.5, 0.4, 0.2, 10)
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        uni_pert([0, 1], 2, 0, rng=np.random.default_rng(1))
    with pytest.raises(ValueError, match="below the lowest"):
        history_bound(0.1, 0.2)
