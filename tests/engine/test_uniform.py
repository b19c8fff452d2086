"""The jump path: exact laws by enumeration, and the release itself against them.

Statistical tests have a fixed key and a false-alarm rate of at most 1e-6; beside each it is shown to fail on
the independent scheme.
"""

import itertools
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.linalg import expm

from trustscope.engine.uniform import (
    BLOCK,
    SCHEMES,
    Domain,
    ProductDomain,
    UniformRelease,
    bridge,
    history_bound,
    joint_law,
    replacement,
    transition,
)

RATE = 1e-6
retentions = st.lists(st.floats(0.01, 0.99), min_size=1, max_size=4, unique=True)


def by_coins(ps, size):
    """The joint law of copies drawn one after another by the coins of multi-pert, in the order of `ps`."""
    law = np.eye(size)  # given X, axis 0; axis 1 is the copy at p = 1, which is X itself
    held = [1.0]
    for p in ps:
        above = min(q for q in held if q > p)
        below = max((q for q in held if q < p), default=None)
        kernel = bridge(p, above, below, size)
        letters = "abcdefgh"[: len(held)]
        a = letters[held.index(above)]
        b = "z" if below is None else letters[held.index(below)]
        if below is None:
            kernel, term = kernel[:, 0], f"{a}y"
        else:
            term = f"{a}{b}y"
        law = np.einsum(f"x{letters},{term}->x{letters}y", law, kernel)
        held.append(p)
    return law.sum(axis=1)


def goodness(copies, codes, ps, size, scheme):
    """p-value of the counts of (X, Y_1, ..., Y_M) under the joint law, given X (chi-square)."""
    prior = np.bincount(codes, minlength=size) / len(codes)
    cells = np.ravel_multi_index((codes, *copies), (size,) * (len(ps) + 1))
    expected = joint_law(ps, size, scheme=scheme, prior=prior).ravel() * len(codes)
    observed = np.bincount(cells, minlength=len(expected))
    if observed[expected < 1e-9].any():
        return 0.0
    used = expected > 1e-9
    assert expected[used].min() > 5
    statistic = ((observed - expected)[used] ** 2 / expected[used]).sum()
    return stats.chi2.sf(statistic, used.sum() - size)


# Laws, by exact enumeration


@pytest.mark.parametrize("size", [2, 3, 5])
def test_joint_law_in_any_order_of_requests_is_that_of_the_markov_chain(size):
    for ps in itertools.permutations([0.5, 0.3, 0.1]):
        given_x = by_coins(ps, size) / size
        np.testing.assert_allclose(given_x, joint_law(ps, size), rtol=0, atol=1e-12)
    assert np.abs(joint_law(ps, size) - joint_law(ps, size, scheme="independent")).max() > 0.005


@settings(deadline=None, max_examples=40)
@given(retentions, st.integers(2, 4))
def test_any_copies_in_any_order_have_the_law_of_the_chain(ps, size):
    np.testing.assert_allclose(by_coins(ps, size) / size, joint_law(ps, size), rtol=0, atol=1e-12)


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.integers(2, 6))
def test_redraws_at_unit_rate_give_the_transition(p, kept, size):
    generator = np.full((size, size), 1 / size) - np.eye(size)
    by_jumps = expm(-np.log(kept) * generator)
    np.testing.assert_allclose(transition(p, p * kept, size), by_jumps, rtol=0, atol=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_each_copy_alone_is_uniform_perturbation(scheme):
    ps, size, prior = [0.2, 0.7, 0.4], 4, np.array([0.1, 0.2, 0.3, 0.4])
    law = joint_law(ps, size, scheme=scheme, prior=prior)
    assert law.sum() == pytest.approx(1, abs=1e-14)
    for axis, p in enumerate(ps, start=1):
        pair = law.sum(axis=tuple(i for i in (1, 2, 3) if i != axis))
        np.testing.assert_allclose(pair, prior[:, None] * replacement(p, size), rtol=0, atol=1e-12)


def test_example_1_the_second_copy_is_uniform_perturbation_too():
    assert replacement(0.2, 10)[0, 0] == pytest.approx(0.28, abs=1e-12)
    assert (replacement(0.4, 10) @ transition(0.4, 0.2, 10))[0, 0] == pytest.approx(0.28, abs=1e-12)


# The release against the laws


@pytest.mark.parametrize("size", [2, 3])
def test_release_has_the_law_of_the_chain_and_the_test_can_tell(size):
    codes = np.random.default_rng(1).integers(size, size=300_000)
    ps = [0.3, 0.1, 0.5, 0.35]
    release = UniformRelease(codes, size, key=11)
    copies = [release.copy(p) for p in ps]
    assert goodness(copies, codes, ps, size, "nested") > RATE
    apart = UniformRelease(codes, size, scheme="independent", key=11)
    others = [apart.copy(p) for p in ps]
    assert goodness(others, codes, ps, size, "nested") < RATE
    assert goodness(others, codes, ps, size, "independent") > RATE
    assert goodness(copies, codes, ps, size, "independent") < RATE


def test_each_copy_of_a_large_domain_is_uniform_perturbation():
    """Kept share and the law of replaced values: two tests for each of 5 copies at RATE / 10."""
    size, codes = 200, np.random.default_rng(2).integers(200, size=200_000)
    release = UniformRelease(codes, size, key=5)
    for p in (0.9, 0.5, 0.2, 0.05, 0.001):
        copy = release.copy(p)
        same = copy == codes
        assert stats.binomtest(int(same.sum()), len(codes), p + (1 - p) / size).pvalue > RATE / 10
        shift = np.bincount((copy[~same].astype(int) - codes[~same]) % size, minlength=size)[1:]
        assert stats.chisquare(shift).pvalue > RATE / 10


def test_redraws_come_at_unit_rate_and_independent_rows():
    """Numbers of redraws are Poisson with mean ln(1 / p), row by row (chi-square at RATE)."""
    release = UniformRelease(np.zeros(400, int), 7, key=3)
    counts = np.array([len(release.path(row)[0]) - 1 for row in range(400)])
    mean = np.log(1000)
    edges = [0, 4, 5, 6, 7, 8, 9, 10, 100]
    expected = 400 * np.diff(stats.poisson.cdf(np.array(edges) - 1, mean))
    assert stats.chisquare(np.histogram(counts, edges)[0], expected, sum_check=False).pvalue > RATE


# Keyed: nothing changes, whatever was asked


@pytest.mark.sweep
@pytest.mark.parametrize("size", [10, 2, 1000])
def test_no_copy_changes_in_ten_thousand_levels_and_three_orders(size):
    """All levels in random order; every tenth in the sorted orders, of which the ascending one redraws each time."""
    rng = np.random.default_rng(size)
    codes, levels = rng.integers(size, size=40), rng.uniform(0.001, 0.5, 10_000)
    expected = {}
    for order in (levels, np.sort(levels[::10]), np.sort(levels[::10])[::-1]):
        release = UniformRelease(codes, size, key=4)
        given = {p: release.copy(p) for p in order}
        expected = expected or given
        np.testing.assert_array_equal([given[p] for p in order], [expected[p] for p in order])
        again = order[::7]
        np.testing.assert_array_equal([release.copy(p) for p in again], [given[p] for p in again])
        assert release.levels == tuple(np.sort(order)[::-1])
        assert release.values_stored <= 1.1 * history_bound(order.max(), order.min()) + 1


def test_path_of_one_record_is_what_every_copy_of_it_holds():
    rows, size = 2 * BLOCK + 100, 6
    release = UniformRelease(np.arange(rows) % size, size, key=8)
    levels = np.geomspace(1, 0.001, 60)
    copies = np.stack([release.copy(p) for p in levels])
    for row in (0, 7, BLOCK, rows - 1):
        at, values = release.path(row)
        assert at[0] == 1
        assert values[0] == row % size
        assert np.all(np.diff(at) < 0)
        read = values[np.searchsorted(-at, -levels, side="right") - 1]
        np.testing.assert_array_equal(copies[:, row], read)
    short = release.path(7, smallest=0.1)
    whole = release.path(7)
    np.testing.assert_array_equal(short[0], whole[0][whole[0] >= 0.1])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_ranges_threads_and_earlier_requests_do_not_matter(scheme):
    codes = np.random.default_rng(1).integers(50, size=2 * BLOCK + 321)
    one = UniformRelease(codes, 50, scheme=scheme, key=8, threads=1)
    many = UniformRelease(codes, 50, scheme=scheme, key=8, threads=5)
    expected = {p: one.copy(p, recipient=2) for p in (0.3, 0.01, 0.45, 0.02, 0.001, 0.9)}
    for p in sorted(expected):
        for start, stop in [(0, 1), (0, 5000), (BLOCK - 1, BLOCK + 1), (2 * BLOCK, None), (100, 100)]:
            part = many.copy(p, start, stop, recipient=2)
            np.testing.assert_array_equal(part, expected[p][start:stop])
    assert many.levels == ()
    for p in sorted(expected, key=lambda p: (p * 7919) % 1):
        np.testing.assert_array_equal(many.copy(p, recipient=2), expected[p])
    other = UniformRelease(codes, 50, scheme=scheme, key=9).copy(0.3)
    assert np.mean(other == expected[0.3]) < 0.2


def test_threads_that_ask_at_once_get_what_one_would():
    codes = np.random.default_rng(1).integers(9, size=3 * BLOCK)
    levels = np.random.default_rng(2).uniform(0.001, 1, 12)
    alone = UniformRelease(codes, 9, key=8)
    expected = [alone.copy(p) for p in levels]
    shared, seen = UniformRelease(codes, 9, key=8), [None] * len(levels)

    def ask(i):
        seen[i] = shared.copy(levels[i])

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(len(levels))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(seen, expected)


def test_recipients_share_nested_copies_and_not_independent_ones():
    codes = np.random.default_rng(1).integers(10, size=5000)
    nested = UniformRelease(codes, 10, key=1)
    np.testing.assert_array_equal(nested.copy(0.3, recipient=0), nested.copy(0.3, recipient=1))
    apart = UniformRelease(codes, 10, scheme="independent", key=1)
    np.testing.assert_array_equal(apart.copy(0.3), apart.copy(0.3, recipient=0))
    assert np.mean(apart.copy(0.3, recipient=0) != apart.copy(0.3, recipient=1)) > 0.5
    with pytest.raises(ValueError, match="do not lie on a path"):
        apart.path(0)


def test_stored_values_stay_below_the_bound_at_every_step():
    """Mean of 100 000 rows; 1 % is eight standard errors of the mean at the most."""
    release = UniformRelease(np.zeros(100_000, int), 50, key=6)
    assert release.values_stored == 0
    asked = []
    for p in (0.2, 0.002, 0.1, 0.45, 0.01, 0.9, 0.001):
        release.copy(p)
        asked.append(p)
        low, high = min(asked), max(asked)
        before = 1 - high if high < 1 / np.e else -np.log(high)
        assert release.values_stored == pytest.approx(before + np.log(high / low), rel=0.01)
        assert release.expected_values(low, high) == pytest.approx(before + np.log(high / low))
        assert release.values_stored < 1.01 * history_bound(high, low)
    assert release.depth == pytest.approx(0.001)
    assert release.nbytes < 100_000 * (1 + 11 * 7.5)


def test_full_trust_is_the_data_and_types_are_kept():
    for codes in ([0, 1, 2], np.array([2, 1, 0], np.int8), pd.Series([0, 2], dtype="int16")):
        for scheme in SCHEMES:
            release = UniformRelease(codes, 3, scheme=scheme, key=1)
            np.testing.assert_array_equal(release.copy(1), codes)
            assert release.copy(0.2).dtype == np.asarray(codes).dtype
    assert UniformRelease(np.zeros(3, np.int8), 1000, key=1).copy(0.001).dtype == np.int32
    assert UniformRelease([True, False], 2, key=1).copy(0.5).dtype == np.uint8


def test_thousands_of_categories_a_single_row_and_no_rows_work():
    wide = UniformRelease(np.arange(3000), 100_000, key=1)
    assert np.mean(wide.copy(0.5) == np.arange(3000)) == pytest.approx(0.5, abs=0.06)
    assert wide.copy(0.001).max() > 50_000
    one = UniformRelease([1], 2, key=1)
    assert one.copy(0.001).shape == (1,)
    assert UniformRelease([], 2, key=1).copy(0.5).shape == (0,)


# Several sensitive columns


def people():
    return pd.DataFrame(
        {
            "age": np.arange(400) % 90,
            "illness": np.array(["flu", "HIV", "none"])[np.arange(400) % 3],
            "ward": pd.Categorical(["a", "b"] * 200, categories=["a", "b", "c"]),
        }
    )


@given(st.lists(st.integers(2, 6), min_size=1, max_size=4), st.integers(0, 10**6))
def test_product_codes_go_there_and_back(sizes, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"c{i}": rng.integers(size, size=20) for i, size in enumerate(sizes)})
    domain = ProductDomain({f"c{i}": Domain(range(size)) for i, size in enumerate(sizes)})
    codes = domain.encode(frame)
    assert codes.max() < domain.size == np.prod(sizes)
    pd.testing.assert_frame_equal(domain.decode(codes), frame)


# Bad input gets its sentence


@pytest.mark.parametrize(
    ("codes", "size", "error", "sentence"),
    [
        ([0, 0], 1, ValueError, "at least two values"),
        ([0, 0], 2.5, TypeError, "whole number"),
        ([0, 3], 3, ValueError, "codes of a domain of 3 are 0 to 2"),
        ([0, -1], 3, ValueError, "often stand for missing"),
        ([0.0, np.nan], 3, ValueError, "missing values"),
        (pd.Series([0, None], dtype="Int64"), 3, ValueError, "missing values"),
        (["a", "b"], 3, TypeError, "encode the categories"),
        ([0.5, 1.0], 3, TypeError, "whole numbers"),
        ([[0, 1]], 3, ValueError, "one column"),
        ([0, 1], 2**40, ValueError, "too large"),
    ],
)
def test_unusable_codes_get_their_sentence(codes, size, error, sentence):
    with pytest.raises(error, match=sentence):
        UniformRelease(codes, size, key=1)


def test_unusable_levels_and_rows_get_their_sentence():
    release = UniformRelease([0, 1, 1], 2, key=1, smallest=0.01)
    for p in (0, -0.1, 1.0001, np.nan, np.inf):
        with pytest.raises(ValueError, match="above 0 and at most 1"):
            release.copy(p)
    with pytest.raises(ValueError, match="the smallest retention"):
        release.copy(0.001)
    with pytest.raises(TypeError, match="one retention probability"):
        release.copy([0.1, 0.2])
    with pytest.raises(TypeError, match="must be a number"):
        release.copy("much")
    for row in (-1, 3):
        with pytest.raises(IndexError, match="no row"):
            release.path(row)
    with pytest.raises(ValueError, match="scheme must be one of"):
        UniformRelease([0, 1], 2, scheme="proportional", key=1)
    with pytest.raises(ValueError, match="too many to enumerate"):
        joint_law([0.5] * 8, 10)
    with pytest.raises(ValueError, match="cannot pass"):
        transition(0.2, 0.5, 3)


def test_unusable_tables_get_their_sentence():
    table = people()
    with pytest.raises(ValueError, match="“illness” has missing"):
        ProductDomain.of(table[["illness"]].assign(illness=[None] + ["flu"] * 399))
    with pytest.raises(ValueError, match="at least two values"):
        ProductDomain.of(table[["illness"]].assign(illness="flu"))
    with pytest.raises(ValueError, match="“plague” is not in the domain"):
        Domain(["flu", "HIV"]).encode(["flu", "plague"])
    with pytest.raises(ValueError, match="more than once"):
        Domain(["flu", "flu"])
    assert list(Domain.of(["b", 1, "a"]).values) == [1, "a", "b"]
