import threading

import numpy as np
import pandas as pd
import pytest
from engine_references import covariance_fits, mixed, same_law, tree_of
from hypothesis import given
from hypothesis import strategies as st

from trustscope.engine import gaussian, path
from trustscope.engine.gaussian import level_from_trust, noise_covariance
from trustscope.engine.path import BLOCK, NoisePath, PathRelease

LADDER = level_from_trust(np.arange(99, 0, -1))
SOME = [LADDER[i] for i in (60, 12, 98, 35)]


@pytest.fixture(scope="module")
def table():
    return mixed(np.random.default_rng(1), 20_000, 2)


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=70, unique=True))
def test_tree_has_the_covariance_of_brownian_motion(levels):
    ladder = np.array(sorted(levels))
    tree = tree_of(NoisePath(1, ladder, key=1))
    np.testing.assert_allclose(tree @ tree.T, np.minimum.outer(ladder, ladder), rtol=1e-9, atol=1e-12 * ladder[-1])
    assert np.count_nonzero(tree, axis=1).max() <= 2 + np.log2(len(ladder))


def test_path_has_the_nested_covariance_and_the_test_can_tell():
    walk = NoisePath(2, LADDER, key=5)
    noise = np.stack([walk.at(level, 0, 20_000) for level in SOME])
    assert covariance_fits(noise, noise_covariance(SOME, "nested"), np.eye(2))
    assert not covariance_fits(noise, noise_covariance(SOME, "independent"), np.eye(2))


def test_path_release_has_the_law_of_algorithm_1(table):
    k_x, sigma = np.cov(table, rowvar=False), noise_covariance(SOME, "nested")
    reference = gaussian.parallel(table, SOME, rng=np.random.default_rng(3)) - table
    noise = {
        scheme: np.stack(
            [PathRelease(table, scheme=scheme, ladder=LADDER, key=8).noise(s, recipient=i) for i, s in enumerate(SOME)]
        )
        for scheme in gaussian.SCHEMES
    }
    assert same_law(reference, noise["nested"], sigma, k_x)
    assert not same_law(reference, noise["independent"], sigma, k_x)
    assert not same_law(reference, noise["proportional"], sigma, k_x)
    assert covariance_fits(noise["independent"], noise_covariance(SOME, "independent"), k_x)


@pytest.mark.parametrize("columns", [1, 2, 6])
@pytest.mark.parametrize("scheme", gaussian.SCHEMES)
def test_any_range_of_rows_is_part_of_the_whole_to_the_last_bit(columns, scheme):
    data = mixed(np.random.default_rng(1), 3 * BLOCK + 123, columns)
    release = PathRelease(data, scheme=scheme, ladder=LADDER, key=8)
    whole = release.copy(SOME[0])
    for start, stop in [
        (0, 1),
        (0, BLOCK),
        (BLOCK - 1, BLOCK + 1),
        (100, 3 * BLOCK + 100),
        (3 * BLOCK, None),
    ]:
        np.testing.assert_array_equal(release.copy(SOME[0], start, stop), whole[start:stop])
    np.testing.assert_allclose(release.noise(SOME[0]), whole - data, atol=1e-11)
    assert release.copy(SOME[0], 7, 7).shape == (0, columns)


@pytest.mark.parametrize("scheme", gaussian.SCHEMES)
def test_neither_threads_nor_what_was_asked_before_matter(table, scheme, monkeypatch):
    monkeypatch.setattr(path, "SMALL", 0)
    one = PathRelease(table, scheme=scheme, ladder=LADDER, key=8, threads=1)
    many = PathRelease(table, scheme=scheme, ladder=LADDER, key=8, threads=5)
    expected = {level: one.copy(level) for level in SOME}
    for level in SOME[::-1]:
        np.testing.assert_array_equal(many.copy(level), expected[level])
    other = PathRelease(table, scheme=scheme, ladder=LADDER, key=9).copy(SOME[0])
    assert not np.any(other == expected[SOME[0]])


def test_a_few_numbers_are_drawn_by_whoever_asks(table, monkeypatch):
    used = []
    monkeypatch.setattr(path.keys, "each_block", lambda task, blocks, threads: used.append(threads))
    release = PathRelease(table, ladder=LADDER, key=8, threads=5)
    release.copy(SOME[0], 0, 5_000)
    monkeypatch.setattr(path, "SMALL", 1_000)
    release.copy(SOME[0], 0, 5_000)
    assert used == [1, 5]


def test_threads_asking_at_once_do_not_disturb_each_other(table, monkeypatch):
    monkeypatch.setattr(path, "SMALL", 0)
    release = PathRelease(table, ladder=LADDER, key=8)
    expected = [release.copy(level) for level in SOME]
    seen = [None] * len(SOME)

    def ask(i):
        seen[i] = release.copy(SOME[i])

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(len(SOME))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(seen, expected)


@pytest.mark.parametrize("scheme", gaussian.SCHEMES)
def test_path_of_one_record_is_its_noise_at_every_level(table, scheme):
    release = PathRelease(table, scheme=scheme, ladder=LADDER, key=8)
    row = BLOCK + 17
    whole = release.path(row, recipient=3)
    assert whole.shape == (len(LADDER), 2)
    for i in (0, 1, 50, 98):
        np.testing.assert_allclose(
            whole[i], release.noise(LADDER[i], row, row + 1, recipient=3)[0], rtol=1e-14, atol=1e-14
        )


def test_row_equals_at_to_the_last_bit():
    walk = NoisePath(3, LADDER, key=5)
    np.testing.assert_array_equal(walk.row(40), np.stack([walk.at(s, 40, 41)[0] for s in LADDER]))


def test_paths_of_several_rows_are_those_of_each(table):
    walk, some = NoisePath(3, LADDER, key=5), np.array([3, 40, BLOCK + 1, 2 * BLOCK - 1])
    np.testing.assert_array_equal(walk.rows(some), np.stack([walk.row(int(i)) for i in some]))
    release = PathRelease(table, ladder=LADDER, key=8)
    np.testing.assert_allclose(release.paths(some), np.stack([release.path(int(i)) for i in some]), rtol=1e-12)


def test_the_beginning_of_a_block_is_the_same_whatever_was_kept():
    walk, whole = NoisePath(2, LADDER, key=5), NoisePath(2, LADDER, key=5)
    for number in (0, path.KEPT_BLOCKS):
        for rows in (7, 1, 300, 20):
            np.testing.assert_array_equal(walk.block(SOME[0], number, rows), whole.block(SOME[0], number)[:rows])
        np.testing.assert_array_equal(walk.block(SOME[1], number), whole.block(SOME[1], number))


def test_kept_normals_change_nothing(monkeypatch):
    """Levels in two orders, with room for few of the normals, and with none kept."""
    walk = NoisePath(2, LADDER, key=5)
    expected = {level: walk.at(level, 0, 4 * BLOCK) for level in SOME}
    monkeypatch.setattr(path, "KEPT_VALUES", 5 * 2 * BLOCK)
    again = NoisePath(2, LADDER, key=5)
    for level in (*SOME[::-1], *SOME):
        np.testing.assert_array_equal(again.at(level, 0, 4 * BLOCK), expected[level])
    monkeypatch.setattr(path, "KEPT_BLOCKS", 0)
    for level in SOME:
        np.testing.assert_array_equal(NoisePath(2, LADDER, key=5).at(level, 0, 4 * BLOCK), expected[level])


def test_the_same_release_under_another_scheme(table):
    for scheme in gaussian.SCHEMES:
        made = PathRelease(table, scheme=scheme, ladder=LADDER, key=8).copy(SOME[0], 0, 900, recipient=2)
        other = PathRelease(table, ladder=LADDER, key=8).under(scheme)
        np.testing.assert_array_equal(other.copy(SOME[0], 0, 900, recipient=2), made)
    with pytest.raises(ValueError, match="scheme"):
        other.under("secret")


def test_recipients_share_the_noise_exactly_where_the_scheme_says_so(table):
    def noise(scheme, recipient):
        return PathRelease(table, scheme=scheme, ladder=LADDER, key=8).noise(SOME[0], recipient=recipient)

    for scheme in ("nested", "proportional"):
        np.testing.assert_array_equal(noise(scheme, 0), noise(scheme, 1))
    pair = np.stack([noise("independent", 0), noise("independent", 1)])
    assert covariance_fits(pair, SOME[0] * np.eye(2), np.cov(table, rowvar=False))


def test_dragging_an_independent_copy_scales_its_noise(table):
    release = PathRelease(table, scheme="independent", ladder=LADDER, key=8)
    a, b = (release.noise(level, 0, 10, recipient=2) / np.sqrt(level) for level in SOME[:2])
    np.testing.assert_allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize("first", [2, 0])
def test_a_release_around_one_copy_keeps_the_law_of_its_scheme(table, first):
    """At RATE for each scheme; the law of another scheme is told apart. Four recipients at four levels."""
    k_x = np.cov(table, rowvar=False)
    noise = {
        scheme: np.stack([
            PathRelease(table, scheme=scheme, ladder=LADDER, key=8).around(first, SOME[first]).noise(s, recipient=i)
            for i, s in enumerate(SOME)
        ])
        for scheme in gaussian.SCHEMES
    }  # fmt: skip
    assert covariance_fits(noise["independent"], noise_covariance(SOME, "independent"), k_x)
    assert covariance_fits(noise["nested"], noise_covariance(SOME, "nested"), k_x)
    assert not covariance_fits(noise["independent"], noise_covariance(SOME, "nested"), k_x)
    assert not covariance_fits(noise["nested"], noise_covariance(SOME, "independent"), k_x)
    scaled = noise["proportional"] / np.sqrt(SOME)[:, None, None]
    np.testing.assert_allclose(scaled, np.broadcast_to(scaled[0], scaled.shape), rtol=1e-9)
    assert covariance_fits(scaled[:1], np.eye(1), k_x)
    assert not covariance_fits(1.05 * scaled[:1], np.eye(1), k_x)
    # Reading a second copy off the path as well is not independent noise, and is found out.
    wrong = noise["independent"].copy()
    wrong[1] = noise["nested"][1]
    if first != 1:
        assert not covariance_fits(wrong, noise_covariance(SOME, "independent"), k_x)


@pytest.mark.parametrize("level", [SOME[1], SOME[0], 0.0])
def test_around_one_recipient_their_copy_is_the_same_under_every_scheme(table, level):
    made = {
        scheme: PathRelease(table[:5_000], scheme=scheme, ladder=LADDER, key=8).around(3, level)
        for scheme in gaussian.SCHEMES
    }
    expected = made["nested"].copy(level, recipient=3)
    for release in made.values():
        np.testing.assert_array_equal(release.copy(level, recipient=3), expected)
        np.testing.assert_allclose(release.path(17, recipient=1)[50], release.noise(LADDER[50], 17, 18, recipient=1)[0])
        if level:
            place = int(np.argmin(np.abs(LADDER - level)))
            np.testing.assert_allclose(expected[17] - table[17], release.path(17, recipient=3)[place], atol=1e-9)
    moved = made["independent"].around(3, SOME[2])
    np.testing.assert_array_equal(moved.copy(SOME[0], recipient=1), made["independent"].copy(SOME[0], recipient=1))
    # One noise by definition: as its strength changes by a little, so does everybody's.
    one, two = (made["proportional"].around(3, LADDER[i]).noise(SOME[0], recipient=1)[:, 0] for i in (50, 51))
    assert 0.95 < np.corrcoef(one, two)[0, 1] < 1


def test_level_zero_is_the_data():
    data = mixed(np.random.default_rng(1), 50, 2)
    for scheme in gaussian.SCHEMES:
        release = PathRelease(data, scheme=scheme, ladder=LADDER, key=8)
        np.testing.assert_array_equal(release.copy(0), data)
        assert np.all(release.noise(0) == 0)
    assert np.all(NoisePath(2, LADDER, key=1).at(0, 3, 9) == 0)


def test_shapes_follow_the_data():
    assert PathRelease([1.0, 2.0, 4.0], ladder=[0.5], key=1).copy(0.5).shape == (3,)
    frame = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [0.0, 1.0, 0.0]})
    release = PathRelease(frame, ladder=[0.5], key=1)
    assert release.copy(0.5).shape == (3, 2)
    assert len(release) == 3
    np.testing.assert_allclose(release.mean, frame.mean())


def test_singular_covariance_keeps_the_dependence():
    x = np.random.default_rng(1).normal(size=(300, 1))
    noise = PathRelease(np.hstack([x, -2 * x]), ladder=LADDER, key=1).noise(SOME[1])
    np.testing.assert_allclose(noise[:, 1], -2 * noise[:, 0], atol=1e-12)


def test_unusable_input_gets_its_sentence():
    release = PathRelease([1.0, 2.0, 4.0], ladder=[0.5, 1.0], key=1)
    for level in (0.7, 2.0, 0.5 + 1e-6):
        with pytest.raises(ValueError, match="not on the ladder"):
            release.copy(level)
    assert np.array_equal(release.copy(0.5 + 1e-12), release.copy(0.5))
    for level in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="A level must be"):
            release.copy(level)
    for ladder in ([], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [[1.0]]):
        with pytest.raises(ValueError, match="The ladder must be"):
            NoisePath(1, ladder, key=1)
    for row in (-1, 3):
        with pytest.raises(IndexError, match="no row"):
            release.path(row)
    with pytest.raises(ValueError, match="Rows must run forward"):
        NoisePath(1, [1.0], key=1).at(1.0, 5, 3)
    with pytest.raises(ValueError, match="The key must not be negative"):
        PathRelease([1.0, 2.0], ladder=[1.0], key=-1)
