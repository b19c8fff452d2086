"""Shares and counts estimated back from a copy: unbiased, with intervals that cover, and wrong without p."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from trustscope.engine.uniform import UniformRelease
from trustscope.engine.utility import count, count_error, frequencies

SHARES = np.array([0.5, 0.25, 0.15, 0.08, 0.02, 0.0])
SIZE, ROWS = 6, 4_000
CODES = np.repeat(np.arange(SIZE), (SHARES * ROWS).astype(int))


def copies(p, number=300):
    return [UniformRelease(CODES, SIZE, key=key).copy(p) for key in range(number)]


def covers(table):
    """Which intervals hold the true shares."""
    return (table["low"].to_numpy() <= SHARES) & (table["high"].to_numpy() >= SHARES)


@pytest.mark.parametrize("p", [0.1, 0.4])
def test_inversion_is_unbiased_with_the_stated_error_and_coverage(p):
    """300 releases; six values each: scores at 5 standard errors, false alarms below 1e-5."""
    tables = [frequencies(copy, SIZE, p) for copy in copies(p)]
    estimates = np.stack([table["estimate"] for table in tables])
    truth_error = count_error(ROWS, SHARES, p, SIZE) / ROWS
    assert np.all(np.abs(estimates.mean(axis=0) - SHARES) < 5 * truth_error / np.sqrt(300))
    np.testing.assert_allclose(estimates.std(axis=0), truth_error, rtol=5 / np.sqrt(600))
    inside = np.mean([covers(table) for table in tables])
    assert abs(inside - 0.95) < 5 * np.sqrt(0.95 * 0.05 / 300)  # values of one copy are dependent
    # Without inverting, the shares are far off: that is what the estimate is for.
    released = np.stack([table["released"] for table in tables])
    assert np.abs(released.mean(axis=0) - SHARES).max() > 20 * truth_error.max() / np.sqrt(300) * p


def test_intervals_for_a_population_are_wider_and_cover():
    rng, p = np.random.default_rng(3), 0.6
    inside, width = [], []
    for key in range(300):
        sample = rng.choice(SIZE, size=400, p=SHARES)
        copy = UniformRelease(sample, SIZE, key=key).copy(p)
        wide = frequencies(copy, SIZE, p, population=True)
        inside.append(covers(wide))
        if key % 3 == 0:
            narrow = frequencies(copy, SIZE, p, population=False)
            one, other = (table["high"].iloc[0] - table["low"].iloc[0] for table in (wide, narrow))
            width.append(one / other)
    assert abs(np.mean(inside) - 0.95) < 0.03
    assert min(width) > 1.05


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 60), min_size=2, max_size=7).filter(any), st.floats(0.05, 1))
def test_likelihood_is_the_maximum_over_all_shares(counts, p):
    counts, size = np.array(counts), len(counts)
    copy = np.repeat(np.arange(size), counts)
    shares = frequencies(copy, size, p, method="likelihood")["estimate"].to_numpy()
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1)
    # Karush-Kuhn-Tucker: the slope is the same wherever the share is positive, and not higher elsewhere.
    mean = p * shares + (1 - p) / size
    slope = np.divide(counts * p, mean, out=np.zeros(size), where=mean > 0)
    assert slope[shares > 1e-12] == pytest.approx(slope.max())
    inverted = frequencies(copy, size, p)["estimate"].to_numpy()
    if inverted.min() >= 0:
        np.testing.assert_allclose(shares, inverted, atol=1e-12)


def test_at_full_trust_shares_are_exact():
    table = frequencies(CODES, SIZE, 1)
    for column in ("released", "estimate", "low", "high"):
        np.testing.assert_allclose(table[column], SHARES, atol=1e-12)
    assert np.all(table["standard_error"] == 0)


def test_counts_with_a_condition_are_unbiased_and_cover():
    """300 releases; 5 standard errors, and coverage within 5 of its own."""
    p, where = 0.3, np.arange(ROWS) % 3 == 0
    truth = int(np.sum(np.isin(CODES, [0, 3]) & where))
    found = [count(copy, SIZE, p, [0, 3, 3], where=where) for copy in copies(p)]
    error = count_error(where.sum(), truth / where.sum(), p, SIZE, values=2)
    assert abs(np.mean([one.estimate for one in found]) - truth) < 5 * error / np.sqrt(300)
    assert np.std([one.estimate for one in found]) == pytest.approx(error, rel=5 / np.sqrt(600))
    assert abs(np.mean([one.low <= truth <= one.high for one in found]) - 0.95) < 0.063
    assert found[0].rows == where.sum()
    assert np.mean([one.seen for one in found]) != pytest.approx(truth, rel=0.1)


def test_all_values_and_nobody_are_counted_without_error():
    copy = copies(0.2, 1)[0]
    whole = count(copy, SIZE, 0.2, range(SIZE))
    assert (whole.estimate, whole.low, whole.high) == pytest.approx((ROWS, ROWS, ROWS))
    assert whole.standard_error == 0
    assert count(copy, SIZE, 0.2, 0, where=np.zeros(ROWS, bool)).high == 0


def test_error_of_a_count_falls_as_trust_rises():
    errors = count_error(1000, 0.2, np.array([0.01, 0.1, 0.5, 0.9, 1.0]), 50)
    assert np.all(np.diff(errors) < 0)
    assert errors[-1] == 0
    have, have_not = stats.binom(200, 0.1 + 0.9 / 50), stats.binom(800, 0.9 / 50)
    assert errors[1] == pytest.approx(np.sqrt(have.var() + have_not.var()) / 0.1)


def test_unusable_input_gets_its_sentence():
    for call, sentence in [
        (lambda: frequencies([], 3, 0.5), "without rows"),
        (lambda: frequencies([0, 5], 3, 0.5), "A code is 5"),
        (lambda: frequencies([0, 1], 3, 0.5, method="guess"), "method must be one of"),
        (lambda: frequencies([0, 1], 3, 0.5, confidence=1), "confidence must lie"),
        (lambda: count([0, 1], 3, 0.5, 7), "A code is 7"),
        (lambda: count([0, 1], 3, 0.5, 1, where=[1, 0]), "yes or no for each of the 2 rows"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            call()
