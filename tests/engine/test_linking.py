"""Linking known records to released rows: against trying everything, on small data with ties, and on letters."""

import itertools

import numpy as np
import pytest
from engine_letters import letters

from trustscope.engine.attacks.known_input import link
from trustscope.engine.rotation import RotationRelease


def valid_assignments(known, released, translated):
    """All valid assignments of all of `known`, by trying every one."""

    def valid(rows):
        for i, j in itertools.combinations(range(len(known)), 2):
            before, after = known[i] - known[j], released[rows[i]] - released[rows[j]]
            if abs(before @ before - after @ after) > 1e-7:
                return False
        lengths = [abs(k @ k - released[r] @ released[r]) for k, r in zip(known, rows, strict=True)]
        return translated or max(lengths) < 1e-7

    return [rows for rows in itertools.permutations(range(len(released)), len(known)) if valid(rows)]


def brute_force(known, released, translated):
    """The largest uniquely valid set and its rows; the records that never move."""
    every = np.array(valid_assignments(known, released, translated))
    constant = np.where((every == every[0]).all(axis=0), every[0], -1)
    for size in range(len(known), 0, -1):
        for chosen in itertools.combinations(range(len(known)), size):
            found = valid_assignments(known[list(chosen)], released, translated)
            if len(found) == 1:
                rows = np.full(len(known), -1)
                rows[list(chosen)] = found[0]
                return rows, constant
    return np.full(len(known), -1), constant


@pytest.mark.parametrize("translated", [False, True])
def test_against_trying_everything(translated):
    rng = np.random.default_rng(int(translated))
    seen = {"all": 0, "some": 0, "none": 0, "more": 0}
    for case in range(120):
        # Few different coordinates: many equal lengths and distances.
        columns = rng.integers(1, 4)
        x = np.unique(rng.integers(-1, 3, (rng.integers(3, 8), columns)), axis=0).astype(float)
        release = RotationRelease(x, translation=4.0 * translated, key=case)
        chosen = rng.choice(len(x), rng.integers(1, min(4, len(x)) + 1), replace=False)
        links = link(x[chosen], release.released, translated=translated)
        rows, constant = brute_force(x[chosen], release.released, translated)
        np.testing.assert_array_equal(links.rows, rows)
        np.testing.assert_array_equal(links.certain, constant)
        assert links.complete
        linked = links.linked
        np.testing.assert_array_equal(release.secret.permutation[chosen[linked]], links.rows[linked])
        assert sorted([*linked, *links.ambiguous]) == list(range(len(chosen)))
        seen["all" if len(linked) == len(chosen) else "some" if len(linked) else "none"] += 1
        seen["more"] += np.count_nonzero(constant >= 0) > len(linked)
    assert min(seen["all"], seen["none"]) > 0
    assert seen["some"] + seen["more"] > 0


def test_identical_records_stand_for_each_other():
    x = np.array([[1.0, 2.0], [1.0, 2.0], [4.0, 0.0], [4.0, 0.0], [0.0, 7.0]])
    release = RotationRelease(x, key=1)
    links = link(x[[0, 2, 2, 4]], release.released)
    home = release.secret.origin[links.rows]
    np.testing.assert_array_equal(x[home], x[[0, 2, 2, 4]])
    assert links.rows[1] == links.rows[2]
    assert len(links.linked) == 4


def test_a_record_known_only_through_others():
    """Two records of one length: neither is linked alone, a third at different distances from them decides."""
    x = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.5]])
    release = RotationRelease(x, key=1)
    assert len(link(x[:1], release.released).linked) == 0
    assert len(link(x[[0, 2]], release.released).linked) == 2


def letter_triples(x, chosen):
    """How many triples of letters have the same inner products as the chosen one, in whole numbers."""
    x = x.astype(int)
    squares, known = np.sum(x**2, axis=1), x[chosen]
    rows = [x[squares == one @ one] for one in known]
    first, second, third = ((rows[i] @ rows[j].T) == known[i] @ known[j] for i, j in ((0, 1), (1, 2), (0, 2)))
    return int(np.sum((first.astype(int) @ second) * third))


def test_three_letters_are_linked_where_no_other_three_are_alike():
    """About nine triples in ten; by counting all of them exactly."""
    x = letters(distinct=True)
    release = RotationRelease(x, key=1)
    rng = np.random.default_rng(3)
    unique = 0
    for _ in range(40):
        chosen = rng.choice(len(x), 3, replace=False)
        alone = letter_triples(x, chosen) == 1
        links = link(x[chosen], release.released)
        assert (len(links.linked) == 3) == alone
        np.testing.assert_array_equal(links.rows[links.linked], release.secret.permutation[chosen[links.linked]])
        unique += alone
    # False alarms 1 in 1000 for a chance of .9.
    assert 29 <= unique < 40


@pytest.mark.parametrize(("a", "least", "most"), [(1, 0, 0.1), (4, 0.99, 1), (16, 1, 1)])
def test_letters_are_all_linked_from_four_on(a, least, most):
    x = letters(distinct=True)
    release = RotationRelease(x, key=1)
    rng = np.random.default_rng(a)
    found = 0
    for _ in range(40):
        chosen = rng.choice(len(x), a, replace=False)
        links = link(x[chosen], release.released)
        np.testing.assert_array_equal(links.rows[links.linked], release.secret.permutation[chosen[links.linked]])
        found += len(links.linked)
    assert least <= found / (40 * a) <= most
    assert links.candidates.max() > 10


def test_one_huge_record_does_not_blur_the_others():
    """Three records of one length beside one of a hundred thousand million: none is linked alone, three are."""
    for size in (1e8, 1e11, 1e14):
        x = np.array([[3.0, 4.0], [4.0, 3.0], [5.0, 0.0], [size, 1.0]])
        for key in range(5):
            release = RotationRelease(x, key=key)
            assert link(x[:1], release.released).rows[0] == -1
            for chosen in ([0, 1, 2], [0, 1, 2, 3], [0, 3]):
                for translated in (False, True):
                    links = link(x[chosen], release.released, translated=translated)
                    right = release.secret.permutation[chosen]
                    assert np.all((links.rows == right) | (links.rows == -1))
                assert len(chosen) == 2 or len(link(x[chosen], release.released).linked) == len(chosen)


def test_nearly_equal_records_are_told_apart_or_ambiguous():
    rng = np.random.default_rng(1)
    linked = 0
    for key in range(40):
        near = rng.normal(size=(1, 3)) * 10.0 ** rng.integers(0, 7) + rng.normal(size=(4, 3))
        x = np.vstack([near, near[0] + 1e-6, rng.normal(size=(5, 3))])
        translated = bool(key % 2)
        release = RotationRelease(x, translation=100.0 * translated, key=key)
        links = link(x[:4], release.released, translated=translated)
        np.testing.assert_array_equal(links.rows[links.linked], release.secret.permutation[:4][links.linked])
        linked += len(links.linked)
    assert linked > 80


@pytest.mark.parametrize("translated", [False, True])
@pytest.mark.parametrize("scale", [1e-200, 1e-30, 1e150, 1e200])
def test_units_do_not_matter(scale, translated):
    x = np.random.default_rng(1).normal(size=(30, 3)) * scale
    release = RotationRelease(x, translation=3 * scale * translated, key=1)
    links = link(x[:4], release.released, translated=translated)
    np.testing.assert_array_equal(links.rows, release.secret.permutation[:4])


def test_shifts_that_leave_digits_and_one_that_does_not():
    x, chosen = letters(distinct=True)[:600], [5, 300, 500, 20]
    for shift in (1e6, 1e9):
        release = RotationRelease(x, translation=shift, key=1)
        np.testing.assert_array_equal(
            link(x[chosen], release.released, translated=True).rows, release.secret.permutation[chosen]
        )
    with pytest.raises(ValueError, match="digits are lost"):
        link(x[chosen], RotationRelease(x, translation=1e16, key=1).released, translated=True)


def test_why_records_stay_ambiguous():
    x = np.random.default_rng(1).normal(size=(20, 3))
    shifted = RotationRelease(x, translation=5.0, key=1).released
    assert "alone" in link([[9.0, 9.0, 9.0]], shifted, translated=True).note
    assert "Several choices" in link(x[:2], shifted, translated=True).note
    assert link(x[:4], shifted, translated=True).note == ""
    cube = np.array(list(itertools.product((-1.0, 1.0), repeat=6)))
    assert "broken off" in link(cube[::5], RotationRelease(cube, key=1).released, limit=1).note


def test_the_work_is_bounded():
    """A cube of a thousand corners, three hundred of them known: given up, and said so."""
    x = np.array(list(itertools.product((-1.0, 1.0), repeat=10)))
    known = x[np.random.default_rng(1).choice(len(x), 300, replace=False)]
    links = link(known, RotationRelease(x, key=1).released)
    assert not links.complete
    assert len(links.linked) == 0


def test_letters_shifted():
    x = letters(distinct=True)[:1500]
    release = RotationRelease(x, translation=100.0, key=1)
    chosen = np.array([5, 300, 700, 900, 1400, 20])
    links = link(x[chosen], release.released, translated=True)
    np.testing.assert_array_equal(links.rows, release.secret.permutation[chosen])
    # Two points alone can always be exchanged.
    assert len(link(x[chosen[:2]], release.released, translated=True).linked) == 0


def test_columns_of_different_units_are_told_apart():
    """Incomes of tens of thousands beside ages: records that differ by a year alone."""
    rng = np.random.default_rng(1)
    x = np.column_stack([rng.integers(18, 90, 3000), rng.integers(20, 25, 3000) * 1000]).astype(float)
    x = np.unique(x, axis=0)
    release = RotationRelease(x, key=1)
    chosen = rng.choice(len(x), 3, replace=False)
    links = link(x[chosen], release.released)
    np.testing.assert_array_equal(links.rows[links.linked], release.secret.permutation[chosen[links.linked]])
    assert len(links.linked) == 3


def test_rounded_releases_need_a_tolerance():
    x = letters(distinct=True)[:2000]
    release = RotationRelease(x, key=1)
    rounded = release.released.round(4)
    with pytest.raises(ValueError, match="no released row is as long"):
        link(x[:5], rounded)
    links = link(x[:5], rounded, tolerance=1e-4)
    np.testing.assert_array_equal(links.rows, release.secret.permutation[:5])


def test_a_search_that_is_broken_off_says_so():
    """A grid full of symmetries."""
    x = np.array(list(itertools.product((-1.0, 1.0), repeat=7)))
    release = RotationRelease(x, key=1)
    links = link(x[::9], release.released, limit=1)
    assert not links.complete
    assert len(links.linked) == 0
    assert link(x[::9], release.released).complete


def test_strangers_get_a_sentence():
    x = np.random.default_rng(1).normal(size=(20, 3))
    released = RotationRelease(x, key=1).released
    with pytest.raises(ValueError, match=r"One of the known records cannot be in the released data"):
        link(np.vstack([x[:2], [[9.0, 9.0, 9.0]]]), released)
    with pytest.raises(ValueError, match=r"2 of the known records"):
        link([[9.0, 9.0, 9.0], [8.0, 8.0, 8.0]], released)
    # The right lengths, at the wrong distance from each other.
    with pytest.raises(ValueError, match="fit no choice"):
        link(np.vstack([x[0], -x[1]]), released)
    with pytest.raises(ValueError, match="fit no choice"):
        link(np.vstack([x[0], 5 * x[1]]), released, translated=True)
    with pytest.raises(ValueError, match="tolerance"):
        link(x[:1], released, tolerance=-1)
