"""Differential privacy of copies of categories: against the enumerated law of all copies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustscope.engine.measures import losses as dp
from trustscope.engine.uniform import UniformRelease, replacement
from trustscope.engine.uniform.law import joint_law

PS = [0.6, 0.3, 0.3, 0.15]
schemes = st.sampled_from(["nested", "independent"])
coalitions = st.lists(st.floats(0.02, 0.9), min_size=1, max_size=3)


def laws(ps, size, scheme):
    """P(copies | x) and P(copies | x'), for the first two values, over all combinations of copies."""
    joint = joint_law(ps, size, scheme=scheme).reshape(size, -1) * size
    possible = joint[0] + joint[1] > 0
    return joint[0][possible], joint[1][possible]


@given(coalitions, st.integers(2, 5), schemes)
def test_epsilon_is_the_largest_ratio_of_the_enumerated_law(ps, size, scheme):
    under, other = laws(ps, size, scheme)
    largest = np.log(under / other).max()
    assert dp.growing_epsilon(ps, size, scheme)[-1] == pytest.approx(largest, rel=1e-7)
    assert dp.losses(ps, size, scheme).epsilon == pytest.approx(largest, rel=1e-7)


@given(coalitions, st.integers(2, 5), schemes, st.floats(0, 5))
def test_delta_is_the_excess_of_the_enumerated_law(ps, size, scheme, epsilon):
    under, other = laws(ps, size, scheme)
    excess = np.maximum(under - np.exp(epsilon) * other, 0).sum()
    assert dp.losses(ps, size, scheme).delta(epsilon) == pytest.approx(excess, abs=1e-9)


@given(coalitions, st.integers(2, 5), schemes, st.floats(1e-6, 0.9))
def test_epsilon_of_a_delta_is_the_inverse(ps, size, scheme, delta):
    law = dp.losses(ps, size, scheme)
    epsilon = law.epsilon_of_delta(delta)
    if epsilon > 0:
        assert law.delta(epsilon) == pytest.approx(delta, rel=1e-6)
    else:
        assert law.delta(0.0) <= delta + 1e-12
    assert law.epsilon_of_delta(0.0) == law.epsilon


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_no_test_misses_less_than_the_curve(scheme):
    """Every threshold on the ratio, and every set of the copies of a small domain."""
    under, other = laws([0.5, 0.2], 2, scheme)
    law = dp.losses([0.5, 0.2], 2, scheme)
    best = np.full(17, np.inf)
    for alarm in range(16):  # sets of the four combinations in which x is said
        said = np.array([alarm >> i & 1 for i in range(4)], dtype=bool)
        wrong, missed = other[said].sum(), under[~said].sum()
        assert law.misses(wrong) <= missed + 1e-12
        best[alarm] = missed - law.misses(wrong)
    assert np.sum(best < 1e-12) >= 3  # and some sets reach it
    alarms, missed = law.curve()
    assert (alarms[0], alarms[-1], missed[0], missed[-1]) == pytest.approx((0, 1, 1, 0))
    assert np.all(np.diff(np.diff(missed) / np.diff(alarms)) > 0)  # convex


def test_the_curve_is_what_drawn_copies_give():
    """20 000 drawn rows of either value, within 4.5 standard errors; nested figures do not fit separate draws."""
    rows, size, ps = 20_000, 4, [0.5, 0.4]
    said = {}
    for value in (0, 1):
        release = UniformRelease(np.full(rows, value), size, scheme="independent", key=3 + value, smallest=0.01)
        held = [release.copy(p, 0, None, recipient=i) for i, p in enumerate(ps)]
        ratio = sum(
            np.log(replacement(p, size)[0][c] / replacement(p, size)[1][c]) for p, c in zip(ps, held, strict=True)
        )
        said[value] = np.mean(ratio > 0)
    expected = dp.losses(ps, size, "independent").misses(said[1])
    assert abs((1 - said[0]) - expected) < 4.5 * np.sqrt(0.5 / rows)
    assert abs((1 - said[0]) - dp.losses(ps, size, "nested").misses(said[1])) > 4.5 * np.sqrt(0.5 / rows)


def test_nested_copies_are_the_best_one_and_separate_draws_add_up():
    each = dp.epsilon_of_retention(PS, 10)
    assert each == pytest.approx(np.log(1 + 10 * np.array(PS) / (1 - np.array(PS))))
    assert dp.growing_epsilon(PS, 10, "nested") == pytest.approx([each[0]] * 4)
    assert dp.growing_epsilon(PS, 10, "independent") == pytest.approx(np.cumsum(each))
    assert dp.epsilon_of_row(PS, [10, 3], "independent") == pytest.approx(
        each.sum() + dp.epsilon_of_retention(PS, 3).sum()
    )
    assert dp.epsilon_of_row(PS, 10) == pytest.approx(each[0])
    assert dp.retention_for_epsilon(each, 10) == pytest.approx(PS)


def test_equal_retentions_share_their_atoms():
    assert len(dp.losses([0.2] * 12, 10, "independent").loss) == 25
    assert len(dp.losses([0.2] * 12, 10, "nested").loss) == 3
    law = dp.losses([0.2, 0.4, 0.2], 2, "independent")
    assert law.under.sum() == pytest.approx(1)
    assert law.other.sum() == pytest.approx(1)


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_the_original_tells_everything(scheme):
    law = dp.losses([1.0, 0.3, 1.0], 5, scheme)
    assert law.epsilon == np.inf
    assert law.delta([0.0, 50.0]) == pytest.approx([1, 1])
    assert law.misses([0.0, 0.5]) == pytest.approx([0, 0], abs=1e-12)
    assert law.epsilon_of_delta(0.5) == np.inf
    assert dp.growing_epsilon([0.3, 1.0], 5, scheme)[-1] == np.inf


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: dp.epsilon_of_retention(0, 5), "above 0 and at most 1"),
        (lambda: dp.retention_for_epsilon(0, 5), "above 0"),
        (lambda: dp.losses([0.3], 5).epsilon_of_delta(1.5), "delta lies between 0 and 1"),
        (lambda: dp.growing_epsilon([0.3], 5, "proportional"), "must be one of"),
    ],
)
def test_unusable_input_gets_its_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
