"""Steps before the noise, and what is said of columns that need one."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from trustscope.engine.preparation import Step, bound, effect, rounded, traits, worst_risk

columns = arrays(float, st.integers(2, 60), elements=st.floats(-1e6, 1e6))
shares = st.floats(0.001, 0.999)


def of(kind, column):
    """The trait of a kind that a column has, or None."""
    return next((trait for trait in traits(column) if trait.kind == kind), None)


@pytest.fixture(scope="module")
def gains():
    """As capital gains of a census: most have none, some have a few thousand, 390 are written as 99 999."""
    rng = np.random.default_rng(1)
    some = np.round(rng.lognormal(8, 0.8, 7_000)).clip(100, 41_000)
    return np.concatenate([np.zeros(192_610), some, np.full(390, 99_999.0)])


@given(columns, shares)
def test_a_bound_is_reached_by_the_share_and_passed_by_no_more(column, share):
    top, bottom = bound(column, share), bound(column, share, "bottom")
    assert np.mean(column >= top) >= share - 1e-12
    assert np.mean(column > top) <= share + 1e-12
    assert np.mean(column <= bottom) >= share - 1e-12
    assert np.mean(column < bottom) <= share + 1e-12


@given(columns, shares)
def test_coding_moves_nobody_who_is_inside(column, share):
    for side in ("top", "bottom"):
        step = Step(side, share=share).settled(column)
        coded = step.apply(column)
        inside = column <= step.limit if side == "top" else column >= step.limit
        assert np.array_equal(coded[inside], column[inside])
        assert np.all(coded[~inside] == step.limit)
        assert np.array_equal(Step(side, share=share).apply(column), coded)
        assert np.array_equal(step.apply(coded), coded)


@given(columns, st.floats(0.01, 100))
def test_a_logarithm_is_undone_and_keeps_the_order(column, unit):
    step = Step("logarithm", unit=unit)
    told = step.apply(column)
    assert step.undo(told) == pytest.approx(column, rel=1e-9, abs=1e-12)
    assert np.all(np.diff(told[np.argsort(column)]) >= 0)
    assert np.array_equal(step.apply(-column), -told)


@given(columns, st.sampled_from([0.01, 0.1, 0.25, 1, 5, 100, 1000]))
def test_rounding_is_to_the_nearest_multiple(column, grid):
    near = rounded(column, grid)
    assert np.all(np.abs(near - column) <= grid / 2 * (1 + 1e-9) + 1e-9)
    assert near / grid == pytest.approx(np.round(near / grid), abs=1e-6)
    assert np.array_equal(rounded(near, grid), near)


def test_equal_multiples_are_one_value():
    assert rounded([0.3, 0.1 + 0.2, 0.29], 0.1).tolist() == [0.3, 0.3, 0.3]
    assert len(np.unique(rounded(np.linspace(0, 1, 1001), 0.1))) == 11


def test_gaps_stay_gaps():
    column = np.array([1.0, np.nan, 300.0, 2.0])
    for step in (Step("top", share=0.3), Step("bottom", limit=1.5), Step("logarithm"), Step("round", grid=5)):
        assert np.isnan(step.apply(column)).tolist() == [False, True, False, False]
    assert Step("top", share=0.5).settled(column).limit == 2
    assert traits([np.nan, 1.0, 1.0]) == ()


def test_a_ledger_can_hold_a_step():
    step = Step("top", share=0.01).settled(np.arange(1000.0))
    assert Step(**json.loads(json.dumps(step.record()))) == step
    assert step.limit == 990


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Step("trim"), "must be one of"),
        (lambda: Step("top"), "needs a value or a share"),
        (lambda: Step("top", share=1.0), "between 0 and 1"),
        (lambda: Step("top", limit=np.inf), "finite value"),
        (lambda: Step("round", grid=0), "grid must be"),
        (lambda: Step("logarithm", unit=-1), "unit must be"),
        (lambda: Step("drop").apply([1.0]), "no numbers after"),
        (lambda: Step("round", grid=5).undo([1.0]), "cannot be undone"),
        (lambda: bound([np.nan], 0.1), "without values"),
        (lambda: bound([1.0], 0.1, "left"), "side must be"),
    ],
)
def test_unusable_input_gets_its_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_people_who_share_a_far_value_are_counted(gains):
    far = of("far", gains)
    assert (far.people, far.value, far.different, far.side) == (390, 99_999.0, 1, "top")
    assert far.gap == 99_999 - gains[gains < 99_999].max()
    assert far.reach > 10
    zeros = of("zeros", gains)
    assert (zeros.people, zeros.share) == (192_610, pytest.approx(0.963, abs=1e-3))


def test_the_mirror_image_has_its_far_people_at_the_bottom(gains):
    far = of("far", -gains)
    assert (far.people, far.value, far.side) == (390, -99_999.0, "bottom")


def test_a_suggested_bound_takes_the_far_people_away():
    rng = np.random.default_rng(2)
    hours = np.append(rng.normal(40, 5, 10_000), np.full(30, 200.0))
    far = of("far", hours)
    assert far.suggestion == Step("top", share=0.005)
    done = effect(hours, far.suggestion.apply(hours))
    assert done.far == (30, 0)
    assert done.reach[1] < 5 < done.reach[0]
    assert done.risk == pytest.approx((far.risk, far.after))
    assert done.risk[1] < 0.55 < 0.99 < done.risk[0]
    assert 0.002 < done.changed < 0.06
    assert of("far", far.suggestion.apply(hours)) is None


def test_no_bound_helps_where_hardly_anybody_has_anything():
    """Of 10 000 people 30 have something: coded or not they are many standard deviations from the others."""
    rare = np.append(np.zeros(9_970), np.linspace(10_000, 20_000, 30))
    assert of("far", rare).suggestion.action == "categories"
    for share in (0.001, 0.002):
        assert worst_risk(Step("top", share=share).apply(rare)) > 0.9


def test_a_heavy_tail_wants_a_logarithm():
    wages = np.random.default_rng(3).lognormal(10, 1, 5_000)
    tail = of("tail", wages) or of("far", wages)
    assert tail.suggestion.action == "logarithm"
    assert tail.after < 0.6 < 0.75 < tail.risk


def attacked(column, value, draws):
    """The share of fresh copies of one value whose best window over everybody's values holds it, window by window."""
    spread, rng = column.std(), np.random.default_rng(8)
    within = spread / 4
    values, counts = np.unique(column, return_counts=True)
    copies = value + spread * rng.standard_normal(draws)
    mass = counts * np.exp(-(((copies[:, None] - values) / spread) ** 2) / 2)
    inside = [(values >= start) & (values <= start + 2 * within) for start in values]
    best = np.argmax([mass[:, some].sum(axis=1) for some in inside], axis=0)
    middle = np.array([(values[some].min() + values[some].max()) / 2 for some in inside])
    return np.mean(np.abs(middle[best] - value) <= within * (1 + 1e-9))


@pytest.mark.parametrize("kind", ["far", "spread"])
def test_the_risk_is_what_an_attack_on_fresh_noise_reaches(kind):
    """1 500 copies of every value, within 4.5 standard errors of the largest."""
    rng = np.random.default_rng(5)
    column = np.round(rng.normal(20, 3, 300))
    if kind == "far":
        column = np.append(column, np.full(4, 60.0))
    risk = worst_risk(column)
    reached = [attacked(column, value, 1_500) for value in np.unique(column)]
    middle = np.unique(column)[
        int(np.argmax([np.mean(np.abs(column - v) <= column.std() / 4) for v in np.unique(column)]))
    ]
    hidden = [r for r, v in zip(reached, np.unique(column), strict=True) if abs(v - middle) > column.std() / 4]
    assert max(hidden) == pytest.approx(risk, abs=4.5 * np.sqrt(0.25 / 1_500) + 0.02)


def test_the_risk_of_a_normal_column_and_of_none():
    assert worst_risk(np.random.default_rng(6).normal(0, 1, 40_000)) == pytest.approx(0.46, abs=0.06)
    assert worst_risk(np.ones(100)) == 0
    assert worst_risk([1.0, 2.0] * 50) > 0.5


def test_spikes_and_few_values_and_heaps():
    rng = np.random.default_rng(4)
    weeks = np.append(rng.integers(1, 52, 4_000), np.full(6_000, 52)).astype(float)
    spike = of("spike", weeks)
    assert (spike.value, spike.share) == (52, pytest.approx(0.6, abs=0.01))
    few = traits(rng.integers(1, 8, 500).astype(float))
    assert [(trait.kind, trait.different, trait.suggestion.action) for trait in few] == [("few", 7, "categories")]
    prices = np.where(rng.random(3_000) < 0.8, rng.integers(10, 90, 3_000) * 100, rng.integers(1_000, 9_000, 3_000))
    heaped = of("heaped", prices.astype(float))
    assert heaped.suggestion == Step("round", grid=100.0)
    assert heaped.people == np.sum(prices % 100 != 0)


def test_noise_serves_a_normal_column_well():
    for seed in range(20):
        assert traits(np.random.default_rng(seed).normal(50, 12, 5_000)) == ()
        assert traits(np.random.default_rng(seed).uniform(0, 1, 500)) == ()
