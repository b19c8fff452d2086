import itertools
import os
import pickle
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from engine_references import covariance_fits, mixed, same_law
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trustscope.engine import gaussian, keys, noise
from trustscope.engine.gaussian import GaussianRelease, level_from_trust, noise_covariance, trust_from_level
from trustscope.errors import TrustscopeError

LEVELS = (0.7, 0.2, 1.5, 0.4)
level_lists = st.lists(st.floats(0.01, 50), min_size=2, max_size=8, unique=True)


@pytest.fixture(scope="module")
def table():
    return mixed(np.random.default_rng(1), 20_000, 2)


def released(table, scheme="nested", levels=LEVELS, key=11, **options):
    release = GaussianRelease(table, scheme=scheme, key=key, **options)
    return np.stack([release.copy(level=level) for level in levels]), release


# Levels, trust and covariances


@given(st.floats(1.01, 100))
def test_trust_and_level_are_inverse(trust):
    assert trust_from_level(level_from_trust(trust)) == pytest.approx(trust, rel=1e-9)


def test_trust_in_known_points():
    np.testing.assert_allclose(level_from_trust([100, 50, 20, 1]), [0, 1, 4, 99])
    assert isinstance(level_from_trust(50), float)


@pytest.mark.parametrize("trust", [0, -0.1, 100.1, np.nan, [0.5, 2]])
def test_trust_outside_its_range_is_refused(trust):
    with pytest.raises(TrustscopeError, match="Trust must lie"):
        level_from_trust(trust)


@pytest.mark.parametrize(("trust", "write"), [(0.5, "write 50 where 0.5"), (1.0, "write 100"), ([0.5, 0.2], "50, 20")])
def test_a_share_is_not_taken_for_per_cent(trust, write):
    with pytest.raises(TrustscopeError, match=write):
        level_from_trust(trust)


def test_a_copy_is_asked_for_by_trust_or_by_level(table):
    release = GaussianRelease(table, key=1)
    np.testing.assert_array_equal(release.copy(trust=50), release.copy(level=1.0))
    np.testing.assert_array_equal(release.noise(trust=20), release.noise(level=4.0))
    assert release.levels == (1.0, 4.0)
    for wrong, sentence in (
        (lambda: release.copy(0.5), r"Say what 0\.5 is: write copy\(trust"),
        (lambda: release.noise(50), "Say what 50 is"),
        (lambda: release.copy(trust=0.5), "write 50 where"),
        (release.copy, "Write either"),
        (lambda: release.copy(trust=50, level=1), "Write either"),
        (lambda: release.copy(trust="much"), "a number of per cent"),
    ):
        with pytest.raises(TrustscopeError, match=sentence):
            wrong()
    assert release.levels == (1.0, 4.0)  # what was refused was not released
    assert "copies at trust 50 %, 20 %" in repr(release)


@pytest.mark.parametrize("level", [-1e-9, np.inf, np.nan])
def test_level_outside_its_range_is_refused(level, table):
    with pytest.raises(ValueError, match="A level must be"):
        trust_from_level(level)
    with pytest.raises(ValueError, match="A level must be"):
        GaussianRelease(table, key=1).copy(level=level)


def test_noise_covariance_of_each_scheme():
    np.testing.assert_array_equal(noise_covariance([4, 1], "nested"), [[4, 1], [1, 1]])
    np.testing.assert_array_equal(noise_covariance([4, 1], "independent"), [[4, 0], [0, 1]])
    np.testing.assert_array_equal(noise_covariance([4, 1], "proportional"), [[4, 2], [2, 1]])


@given(st.integers(1, 7), st.integers(0, 7), st.integers(0, 2**32))
def test_factor_gives_back_its_covariance_singular_or_not(size, rank, seed):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(size, min(rank, size))) * 10.0 ** rng.uniform(-4, 4, (size, 1))
    covariance = root @ root.T
    lower = gaussian.factor(covariance)
    units = np.sqrt(np.diag(covariance))
    units = np.outer(units, units) + (units.max() == 0)
    np.testing.assert_allclose(lower @ lower.T / units, covariance / units, atol=1e-12)
    assert np.all(np.triu(lower, 1) == 0)


@pytest.mark.parametrize(
    ("covariance", "words"),
    [
        ([[1, 2], [2, 1]], "negative eigenvalues"),
        ([[1, 0.5], [0.2, 1]], "symmetric"),
        ([[1, np.nan], [np.nan, 1]], "not finite"),
        ([[1, 0]], "square"),
        ([[-1.0]], "negative eigenvalues"),
    ],
)
def test_factor_refuses_what_is_no_covariance(covariance, words):
    with pytest.raises(ValueError, match=words):
        gaussian.factor(covariance)


@pytest.mark.parametrize("columns", [1, 2, 4, 5])
def test_colouring_is_the_matrix_product(columns):
    rng = np.random.default_rng(columns)
    white, lower = rng.normal(size=(50, columns)), np.tril(rng.normal(size=(columns, columns)))
    np.testing.assert_allclose(noise.colour(white.copy(), lower), white @ lower.T, atol=1e-13)


# The bridge is the conditional law of Algorithm 3


@given(level_lists)
def test_bridge_equals_equations_17_and_18(levels):
    *released_levels, level = levels
    ordered = np.array(sorted([*released_levels, level]))
    # Near ties the reference itself loses its digits, since it inverts the covariance of the released noise.
    if np.diff(ordered, prepend=0).min() < 1e-3 * ordered.max():
        return
    coefficients, covariance = gaussian.conditional([level], released_levels)
    below = max((s for s in released_levels if s < level), default=0.0)
    above = min((s for s in released_levels if s > level), default=None)
    fraction, variance = gaussian.bridge(level, below, above)
    expected = {s: 0.0 for s in released_levels} | {below: 1 - fraction, above: fraction}
    np.testing.assert_allclose(coefficients[0], [expected[s] for s in released_levels], atol=1e-11)
    assert covariance[0, 0] == pytest.approx(variance, abs=1e-11 * max(levels))


def test_bridge_equals_equations_17_and_18_to_the_last_digits():
    coefficients, covariance = gaussian.conditional([0.8], [0.25, 1.0, 0.5, 2.0])
    fraction, variance = gaussian.bridge(0.8, 0.5, 1.0)
    np.testing.assert_allclose(coefficients[0], [0, fraction, 1 - fraction, 0], atol=1e-12)
    assert covariance[0, 0] == pytest.approx(variance, abs=1e-12)


def test_bridge_survives_levels_that_nearly_tie():
    fraction, variance = gaussian.bridge(0.5 + 1e-15, 0.5, 0.5 + 3e-15)
    assert 0 < fraction < 1
    assert 0 < variance < 3e-15


# All generators have one law, and the tests can tell


def generated(name, table):
    rng = np.random.default_rng(sum(map(ord, name)))
    match name:
        case "algorithm 1":
            return gaussian.parallel(table, LEVELS, rng=rng) - table
        case "algorithm 2":
            return gaussian.sequential(table, LEVELS, rng=rng) - table
        case "algorithm 3":
            first = gaussian.parallel(table, LEVELS[:2], rng=rng) - table
            rest = gaussian.on_demand(table, LEVELS[2:], released_levels=LEVELS[:2], released_noise=first, rng=rng)
            return np.concatenate([first, rest - table])
        case "algorithm 3, one by one":
            made = np.empty((0, *table.shape))
            for i, level in enumerate(LEVELS):
                new = gaussian.on_demand(table, [level], released_levels=LEVELS[:i], released_noise=made, rng=rng)
                made = np.concatenate([made, new - table])
            return made
        case _:
            # The bridge, asked in another order each time.
            order = {"up": np.argsort(LEVELS), "down": np.argsort(LEVELS)[::-1], "as given": range(4)}[name]
            release = GaussianRelease(table, key=len(name))
            for i in order:
                release.copy(level=LEVELS[i])
            return np.stack([release.noise(level=level) for level in LEVELS])


NAMES = ("algorithm 1", "algorithm 2", "algorithm 3", "algorithm 3, one by one", "up", "down", "as given")


@pytest.fixture(scope="module")
def all_noise(table):
    return {name: generated(name, table) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_generator_has_the_nested_covariance(all_noise, table, name):
    k_x = np.cov(table, rowvar=False)
    assert covariance_fits(all_noise[name], noise_covariance(LEVELS, "nested"), k_x)
    assert not covariance_fits(all_noise[name], noise_covariance(LEVELS, "independent"), k_x)


@pytest.mark.parametrize("name", NAMES[1:])
def test_every_generator_has_the_law_of_algorithm_1(all_noise, table, name):
    k_x, sigma = np.cov(table, rowvar=False), noise_covariance(LEVELS, "nested")
    assert same_law(all_noise["algorithm 1"], all_noise[name], sigma, k_x)


@pytest.mark.parametrize("scheme", ["independent", "proportional"])
def test_the_tests_of_law_reject_a_swapped_scheme(all_noise, table, scheme):
    k_x, sigma = np.cov(table, rowvar=False), noise_covariance(LEVELS, "nested")
    copies, _ = released(table, scheme)
    assert not covariance_fits(copies - table, sigma, k_x)
    assert not same_law(all_noise["algorithm 1"], copies - table, sigma, k_x)


def test_independent_and_proportional_releases_have_their_own_law(table):
    k_x = np.cov(table, rowvar=False)
    copies, _ = released(table, "independent")
    assert covariance_fits(copies - table, noise_covariance(LEVELS, "independent"), k_x)
    copies, _ = released(table, "proportional")
    scaled = (copies - table) / np.sqrt(LEVELS)[:, None, None]
    assert covariance_fits(scaled[:1], np.eye(1), k_x)
    np.testing.assert_allclose(scaled, np.broadcast_to(scaled[0], scaled.shape), atol=1e-10)


def test_noise_does_not_repeat_from_block_to_block():
    rows = 3 * gaussian.BLOCK
    noise = GaussianRelease(np.zeros(rows), covariance=1.0, key=5).noise(level=1.0).reshape(3, -1)
    assert len(np.unique(noise)) == rows
    # Correlations of independent blocks are z / sqrt(BLOCK): 5 standard errors, 3 pairs, rate 2e-6.
    assert np.abs(np.corrcoef(noise)[np.triu_indices(3, 1)]).max() < 5 / np.sqrt(gaussian.BLOCK)


# Keys, threads, and what was released stays


@pytest.mark.parametrize("scheme", gaussian.SCHEMES)
def test_same_key_gives_the_same_copies_whatever_the_threads(scheme):
    data = mixed(np.random.default_rng(2), 5 * gaussian.BLOCK + 77, 2)
    one, _ = released(data, scheme, threads=1)
    many, _ = released(data, scheme, threads=7)
    other, _ = released(data, scheme, key=12)
    np.testing.assert_array_equal(one, many)
    assert not np.any(one == other)


def test_order_of_blocks_does_not_matter(monkeypatch):
    data = mixed(np.random.default_rng(2), 5 * gaussian.BLOCK + 77, 2)
    forward, _ = released(data)
    monkeypatch.setattr(keys, "each_block", lambda task, blocks, threads: [task(b) for b in reversed(blocks)])
    backward, _ = released(data)
    np.testing.assert_array_equal(forward, backward)


def test_a_level_asked_again_returns_the_same_copy_and_new_levels_change_nothing(table):
    copies, release = released(table)
    before = copies.copy()
    for level in (0.3, 0.71, 9.0, 1e-3, np.nextafter(0.7, 1)):
        release.copy(level=level)
    assert release.levels == tuple(sorted({*LEVELS, 0.3, 0.71, 9.0, 1e-3, float(np.nextafter(0.7, 1))}))
    np.testing.assert_array_equal(np.stack([release.copy(level=level) for level in LEVELS]), before)


def test_copies_are_read_only_and_later_changes_of_the_data_do_not_reach_them(table):
    mine = table.copy()
    release = GaussianRelease(mine, key=3)
    copy = release.copy(level=0.5)
    with pytest.raises(ValueError, match="read-only"):
        copy[0] = 0
    mine[:] = 0
    np.testing.assert_array_equal(release.copy(level=0), table)
    np.testing.assert_array_equal(release.copy(level=0.5), copy)


@pytest.mark.parametrize("scheme", gaussian.SCHEMES)
def test_threads_asking_at_once_all_see_the_same_copies(table, scheme):
    release = GaussianRelease(table, scheme=scheme, key=3)
    levels = np.linspace(0.1, 2, 12)
    seen = [[] for _ in range(6)]

    def ask(place):
        for level in np.random.default_rng(place).permutation(levels):
            seen[place].append((float(level), release.copy(level=level)))

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert release.levels == tuple(levels)
    for level, copy in itertools.chain(*seen):
        assert copy is release.copy(level=level) or np.shares_memory(copy, release.copy(level=level))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_after_the_threads_started_still_releases(table):
    expected, _ = released(table)
    read, write = os.pipe()
    # os.fork warns in a process with threads; here that is the point.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(float(released(table)[0].sum()), pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        assert pickle.load(pipe) == float(expected.sum())
    os.waitpid(child, 0)


def test_streams_are_kept_apart():
    parts = [
        (1,),
        (1, "a"),
        (1, "ab"),
        (1, "a", "b"),
        (11, "a"),
        (1, 1),
        (1, "1"),
        (1, 1.0),
        (2**200, "a"),
        (1, b"a"),
    ]
    assert len({tuple(keys.stream(*part)) for part in parts}) == len(parts)


@pytest.mark.parametrize("normals", [keys.normals, keys.swift_normals])
def test_a_shorter_block_is_the_beginning_of_a_longer_one(normals):
    stream = keys.stream(4, "x")
    long = normals(stream, 9, np.empty((100, 3))).copy()
    np.testing.assert_array_equal(normals(stream, 9, np.empty((40, 3))), long[:40])
    assert not np.any(normals(stream, 10, np.empty((100, 3))) == long)
    assert not np.any(normals(keys.stream(4, "y"), 9, np.empty((100, 3))) == long)


@pytest.mark.parametrize("normals", [keys.normals, keys.swift_normals])
def test_blocks_hold_independent_standard_normals(normals):
    """Within a block, and from one block to the next; false alarms: one in a thousand for each of the two."""
    stream, size = keys.stream(5, "z"), 4_096
    blocks = np.stack([normals(stream, block, np.empty(size)).copy() for block in range(200)])
    assert stats.kstest(blocks.ravel(), "norm").pvalue > 1e-3
    together = (blocks[1:] * blocks[:-1]).sum() / np.sqrt(blocks[1:].size)
    assert abs(together) < stats.norm.isf(0.5e-3)
    assert stats.kstest(np.abs(blocks.ravel()), "norm").pvalue < 1e-3  # it can fail


@pytest.mark.parametrize(
    ("key", "error"),
    [(-1, ValueError), (1.5, TypeError), ("1", TypeError), (None, TypeError), (True, TypeError)],
)
def test_a_key_that_is_no_whole_number_is_refused(key, error):
    with pytest.raises(error, match="The key must"):
        GaussianRelease([1.0, 2.0], key=key)


def test_a_task_that_fails_on_a_thread_is_heard():
    def task(block):
        raise ZeroDivisionError(block)

    with pytest.raises(ZeroDivisionError):
        keys.each_block(task, range(9), threads=2)


# Shapes and inputs


def test_copies_look_like_the_data():
    values = [[1, 2], [3, 5], [4, 4]]
    frame = pd.DataFrame(values, columns=["age", "income"], index=["x", "y", "z"])
    copy = GaussianRelease(frame, key=1).copy(level=0.5)
    assert list(copy.columns) == ["age", "income"]
    assert list(copy.index) == ["x", "y", "z"]
    np.testing.assert_array_equal(copy, GaussianRelease(values, key=1).copy(level=0.5))
    series = GaussianRelease(frame["age"], key=1).copy(level=0.5)
    assert series.name == "age"
    assert series.shape == GaussianRelease([1, 3, 4], key=1).noise(level=0.5).shape == (3,)


def test_level_zero_is_the_data_and_counts_once_asked(table):
    release = GaussianRelease(table, key=1)
    assert release.levels == ()
    np.testing.assert_array_equal(release.copy(level=0), table)
    release.copy(level=0.5)
    assert release.levels == (0.0, 0.5)
    assert np.all(release.noise(level=0) == 0)


def test_singular_covariance_keeps_the_dependence():
    x = np.random.default_rng(1).normal(size=(500, 1))
    data = np.hstack([x, 3 * x + 2, np.full_like(x, 7.0)])
    release = GaussianRelease(data, key=1)
    for level in (1.0, 0.5, 2.0):
        noise = release.noise(level=level)
        np.testing.assert_allclose(noise[:, 1], 3 * noise[:, 0], atol=1e-12)
        np.testing.assert_allclose(release.copy(level=level)[:, 2], 7.0, atol=1e-12)
        assert noise[:, 0].std() > 0.5


def test_one_row_with_its_covariance_works():
    assert GaussianRelease([[1.0, 2.0]], covariance=np.eye(2), key=1).copy(level=0.5).shape == (1, 2)


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        ([1.0, np.nan], {}, "missing or infinite"),
        ([1.0, np.inf], {}, "missing or infinite"),
        ([], {}, "at least one row and one column"),
        ([1.0], {}, "One row"),
        ([[[1.0]]], {}, "one or two dimensions"),
        ([1.0, 2.0], {"covariance": np.eye(2)}, "must be 1 x 1"),
        ([1.0, 2.0], {"covariance": -1.0}, "negative eigenvalues"),
        ([1.0, 2.0], {"scheme": "nest"}, "must be one of nested"),
    ],
)
def test_unusable_input_gets_its_sentence(data, options, words):
    with pytest.raises(ValueError, match=words):
        GaussianRelease(data, key=1, **options)


def test_words_and_several_levels_at_once_are_refused():
    with pytest.raises(TypeError, match="must be numbers"):
        GaussianRelease(["a", "b"], key=1)
    with pytest.raises(TypeError, match="one level"):
        GaussianRelease([1.0, 2.0], key=1).copy(level=[0.5, 1])


def test_algorithms_take_levels_in_any_order_and_refuse_ties_and_zero():
    data = np.zeros((20_000, 1))
    for algorithm in (gaussian.parallel, gaussian.sequential):
        copies = algorithm(data, [4.0, 0.25, 1.0], covariance=1.0, rng=np.random.default_rng(1))
        # A variance over 20 000 rows has relative error 1 %: 6 of those.
        np.testing.assert_allclose(copies.var(axis=1)[:, 0], [4, 0.25, 1], rtol=0.06)
        for levels in ([1, 1], [0, 1], []):
            with pytest.raises(ValueError, match=r"all different|at least one"):
                algorithm(data, levels, covariance=1.0, rng=np.random.default_rng(1))
    with pytest.raises(ValueError, match="all different"):
        gaussian.conditional([1.0], [2.0, 1.0])
    with pytest.raises(TypeError, match="Generator"):
        gaussian.parallel(data, [1.0], covariance=1.0, rng=5)
    with pytest.raises(ValueError, match="as many arrays"):
        gaussian.on_demand(
            data,
            [1.0],
            released_levels=[2.0],
            released_noise=data[:5],
            covariance=1.0,
            rng=np.random.default_rng(1),
        )


def test_algorithms_keep_one_dimension():
    rng = np.random.default_rng(1)
    data = rng.normal(size=30)
    first = gaussian.parallel(data, [1.0, 2.0], rng=rng)
    more = gaussian.on_demand(data, [1.5], released_levels=[1.0, 2.0], released_noise=first - data, rng=rng)
    assert first.shape == (2, 30)
    assert more.shape == (1, 30)
    assert gaussian.sequential(data, [1.0, 2.0], rng=rng).shape == (2, 30)
