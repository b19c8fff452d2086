import numpy as np
import pytest
from engine_references import llse_error, llse_estimate, mixed
from hypothesis import assume, given
from hypothesis import strategies as st

from trustscope.engine.attacks import llse
from trustscope.engine.attacks.combining import effective_level, growing_levels
from trustscope.engine.gaussian import SCHEMES, GaussianRelease, noise_covariance
from trustscope.engine.measures import normalised_error
from trustscope.engine.noise import trust_from_level
from trustscope.errors import TrustscopeError

levels_of = st.lists(st.floats(0.05, 20), min_size=1, max_size=6)
schemes = st.sampled_from(SCHEMES)
FIGURE = np.random.default_rng(2).uniform(0.25, 1, 30)


@given(levels_of, schemes)
def test_weights_and_error_are_those_of_the_full_solution(levels, scheme):
    sigma = noise_covariance(levels, scheme)
    if scheme == "proportional":
        gap = np.ptp(np.sqrt(levels))
        assume(gap == 0 or gap > 0.05)
    w = llse.weights(levels, scheme)
    # The normal equations hold, whichever of the solutions is chosen where there are many.
    np.testing.assert_allclose((np.ones((len(w), len(w))) + sigma) @ w, 1, rtol=1e-8)
    assert 1 - w.sum() == pytest.approx(llse.expected_error(levels, scheme), abs=1e-9)
    assert llse.expected_error(levels, scheme) == pytest.approx(llse_error(sigma), abs=1e-8)


@given(levels_of)
def test_nested_puts_everything_on_the_first_best_copy(levels):
    w = llse.weights(levels, "nested")
    assert np.flatnonzero(w).tolist() == [int(np.argmin(levels))]


@given(st.lists(st.floats(0.05, 20), min_size=2, max_size=6))
def test_proportional_weights_are_the_shortest(levels):
    assume(np.ptp(np.sqrt(levels)) > 0.05)
    constraints = np.stack([np.ones(len(levels)), np.sqrt(levels)])
    np.testing.assert_allclose(
        llse.weights(levels, "proportional"), np.linalg.pinv(constraints) @ [1, 0], rtol=1e-7, atol=1e-9
    )


def test_proportional_weights_of_two_copies():
    np.testing.assert_allclose(llse.weights([1, 4], "proportional"), [2, -1])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_zero_level_takes_all_the_weight(scheme):
    np.testing.assert_array_equal(llse.weights([0.5, 0, 0.2, 0], scheme), [0, 1, 0, 0])
    assert llse.expected_error([0.5, 0, 0.2, 0], scheme) == 0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tiny_and_huge_levels_do_not_overflow(scheme):
    assert llse.expected_error([5e-324, 5e-324], scheme) < 1e-300
    assert np.isfinite(llse.weights([5e-324, 1e308], scheme)).all()
    assert llse.expected_error([1e300], scheme) == 1


@pytest.mark.parametrize("scheme", ["nested", "independent"])
@pytest.mark.parametrize("columns", [1, 3])
def test_reconstruction_equals_equation_6_with_all_its_matrices(scheme, columns):
    data = mixed(np.random.default_rng(columns), 200, columns)
    release = GaussianRelease(data, scheme=scheme, key=4)
    levels = [0.8, 0.3, 2.0]
    copies = np.stack([release.copy(level=s) for s in levels])
    expected = llse_estimate(copies, noise_covariance(levels, scheme), release.covariance, release.mean)
    estimate = llse.reconstruct(copies, levels=levels, scheme=scheme, mean=release.mean)
    np.testing.assert_allclose(estimate, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(
        llse.reconstruct(list(copies), levels=levels, scheme=scheme, mean=release.mean), estimate
    )


def test_one_dimension_stays_one_dimension():
    data = np.random.default_rng(1).normal(size=100)
    release = GaussianRelease(data, key=1)
    copies = [release.copy(level=s) for s in (0.5, 1.0)]
    attack = llse.perfect([0.5, 1.0], "nested", data.mean())
    assert attack.estimate(copies).shape == (100,)
    assert llse.reconstruct_structured(copies, levels=[0.5, 1.0], scheme="nested", sample=10).shape == (100,)
    assert llse.reconstruct_raw(copies, levels=[0.5, 1.0], sample=slice(5, 50)).shape == (100,)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_shrink_and_noise_describe_the_estimate(scheme):
    levels = [0.7, 0.4, 1.1]
    attack = llse.perfect(levels, scheme, 0.0)
    assert attack.shrink == pytest.approx(attack.weights.sum())
    variance = attack.weights @ noise_covariance(levels, scheme) @ attack.weights
    assert attack.noise_variance == pytest.approx(variance, abs=1e-12)


# Partial knowledge


def figure_release(key, rows=20_000):
    moments = np.array([50.06, 16.57]), np.sqrt([303.03, 219.92])
    data = moments[0] + moments[1] * np.random.default_rng(key).normal(size=(rows, 2))
    release = GaussianRelease(data, scheme="independent", key=key)
    return data, release, np.stack([release.copy(level=s) for s in FIGURE])


def test_partial_knowledge_at_thirty_copies_and_four_hundred_rows():
    data, release, copies = figure_release(1, 100_000)
    perfect = normalised_error(data, llse.reconstruct(copies, levels=FIGURE, scheme="independent", mean=release.mean))
    structured = llse.reconstruct_structured(copies, levels=FIGURE, scheme="independent", sample=400)
    # One error figure over 200 000 normal errors has relative standard error .3 %: 5 of those.
    assert perfect == pytest.approx(0.0175, rel=0.016)
    assert normalised_error(data, structured) == pytest.approx(0.0175, rel=0.016)


def raw_error(copies, data, count, start):
    rows = slice(start, start + 400)
    attack = llse.raw(copies[:count, rows], FIGURE[:count])
    # Its error is judged on rows that it did not learn from.
    return normalised_error(data[-4000:], attack.estimate(copies[:count, -4000:]))


def test_raw_knowledge_flattens_and_rises():
    data, _, copies = figure_release(2)
    errors = {m: [raw_error(copies, data, m, 400 * i) for i in range(20)] for m in (1, 5, 10, 30)}
    means = {m: np.mean(e) for m, e in errors.items()}
    # One sample of 400 rows gives .288 with a spread of .046 at 30 copies; .267 is one such. The mean of 20
    # has standard error .01: 5 of those.
    assert means[30] == pytest.approx(0.288, abs=0.05)
    assert min(errors[30]) < 0.267 < max(errors[30])
    assert means[1] == pytest.approx(llse.expected_error(FIGURE[:1], "independent"), rel=0.05)
    assert means[10] < means[5] < means[1] < 1.3 * means[30]
    assert means[10] > 1.5 * llse.expected_error(FIGURE[:10], "independent")


def test_raw_with_all_the_rows_is_nearly_perfect():
    data, _, copies = figure_release(3)
    estimate = llse.reconstruct_raw(copies[:4], levels=FIGURE[:4], sample=len(data))
    assert normalised_error(data, estimate) == pytest.approx(llse.expected_error(FIGURE[:4], "independent"), rel=0.03)


def test_raw_with_fewer_rows_than_unknowns_still_answers():
    data, _, copies = figure_release(4, 1000)
    estimate = llse.reconstruct_raw(copies, levels=FIGURE, sample=np.arange(0, 60, 2))
    assert np.all(np.isfinite(estimate))
    assert normalised_error(data, estimate) > 10 * llse.expected_error(FIGURE, "independent")
    with pytest.raises(ValueError, match="fewer than two rows"):
        llse.raw(copies[:, :1], FIGURE)


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_expected_error_of_the_structured_attacker(scheme):
    # Small samples, so that the term of the estimated mean is large beside the sampling error of the check.
    n, levels, rng = 4, [2.0, 3.0], np.random.default_rng(5)
    trials = 20_000
    x = rng.normal(size=(trials, n))
    noise = np.linalg.cholesky(noise_covariance(levels, scheme)) @ rng.normal(size=(2, trials * n))
    copies = x + noise.reshape(2, trials, n)
    w = llse.weights(levels, scheme)
    mean = np.tensordot(w, copies, 1).mean(axis=1, keepdims=True) / w.sum()
    error = (np.tensordot(w, copies, 1) + (1 - w.sum()) * mean - x) ** 2
    measured, spread = error.mean(), error.mean(axis=1).std() / np.sqrt(trials)
    expected = llse.expected_error_structured(levels, scheme, n)
    assert abs(measured - expected) < 5 * spread
    assert abs(measured - llse.expected_error(levels, scheme)) > 10 * spread
    attack = llse.structured(copies[:, 0], levels, scheme)
    np.testing.assert_allclose(attack.mean, mean[0])


def test_attackers_refuse_what_does_not_fit():
    copies = np.zeros((2, 5, 1))
    with pytest.raises(ValueError, match="3 levels but 2 copies"):
        llse.reconstruct(copies, levels=[1, 2, 3], scheme="nested", mean=0.0)
    with pytest.raises(ValueError, match="3 levels but 2 copies"):
        llse.raw(copies, [1, 2, 3])
    with pytest.raises(ValueError, match="3 levels but 2 copies"):
        llse.structured(copies, [1, 2, 3], "nested")
    with pytest.raises(ValueError, match="at least one level"):
        llse.weights([])
    with pytest.raises(ValueError, match="must be one of nested"):
        llse.expected_error([1], "other")
    with pytest.raises(ValueError, match="at least one row"):
        llse.expected_error_structured([1], "nested", 0)


@pytest.mark.parametrize("levels", [["a"], "a", None, [1j], [10**400], ["0.5"]])
def test_levels_that_are_no_numbers_are_refused(levels):
    with pytest.raises(TrustscopeError):
        llse.expected_error(levels=levels)
    with pytest.raises(TrustscopeError):
        trust_from_level(levels)


@pytest.mark.parametrize(
    ("mean", "sentence"),
    [([1, 2, 3], "has 3 values, but the copies have 2 columns"), ("a", "must be numbers"), ([np.nan, 1], "finite"),
     ([[1, 2]], "one for each column")],
)  # fmt: skip
def test_a_mean_of_other_columns_is_refused(mean, sentence):
    with pytest.raises(TrustscopeError, match=sentence):
        llse.reconstruct(np.ones((2, 5, 2)), levels=[0.5, 0.2], scheme="nested", mean=mean)


def test_one_mean_serves_all_columns():
    copies = np.ones((1, 5, 2))
    expected = llse.reconstruct(copies, levels=[1.0], scheme="nested", mean=[3.0, 3.0])
    np.testing.assert_array_equal(llse.reconstruct(copies, levels=[1.0], scheme="nested", mean=3.0), expected)


@pytest.mark.parametrize("sample", [0, [], slice(0), np.zeros(5, dtype=bool)])
def test_a_sample_of_no_row_is_refused(sample):
    copies = np.arange(20.0).reshape(2, 5, 2)
    with pytest.raises(TrustscopeError, match="from no row"):
        llse.reconstruct_structured(copies, levels=[0.5, 0.2], scheme="nested", sample=sample)
    with pytest.raises(TrustscopeError, match="fewer than two rows"):
        llse.reconstruct_raw(copies, levels=[0.5, 0.2], sample=sample)


@pytest.mark.parametrize("sample", [-1, True, 1.5, "a", None, [99], [1.0], [[0, 1]]])
def test_a_sample_that_is_none_is_refused(sample):
    copies = np.arange(20.0).reshape(2, 5, 2)
    with pytest.raises(TrustscopeError, match="sample"):
        llse.reconstruct_structured(copies, levels=[0.5, 0.2], scheme="nested", sample=sample)
    with pytest.raises(TrustscopeError, match="sample"):
        llse.reconstruct_raw(copies, levels=[0.5, 0.2], sample=sample)


# Coalitions


@given(st.lists(st.one_of(st.just(0.0), st.just(0.5), st.floats(0.01, 10)), min_size=1, max_size=7), schemes)
def test_coalitions_equal_one_solution_for_each_subset(levels, scheme):
    table = llse.coalitions(levels, scheme)
    assert table.shape == (2 ** len(levels),)
    assert table[0] == 1
    for mask in range(1, len(table)):
        chosen = [levels[i] for i in llse.members(mask, len(levels))]
        assert table[mask] == pytest.approx(llse.expected_error(chosen, scheme), rel=1e-12, abs=1e-15)


def test_too_many_recipients_are_refused():
    with pytest.raises(ValueError, match="at most 20"):
        llse.coalitions(np.ones(21))


def test_members_of_a_mask():
    assert llse.members(0b1011, 5) == (0, 1, 3)


@given(st.lists(st.sampled_from([0.0, 1e-300, 0.25, 1.0, 1.0, 7.5]), min_size=1, max_size=6), schemes)
def test_levels_grow_as_those_of_ever_larger_coalitions(levels, scheme):
    one_by_one = [effective_level(levels[:size], scheme) for size in range(1, len(levels) + 1)]
    np.testing.assert_allclose(growing_levels(levels, scheme), one_by_one, rtol=1e-12, atol=1e-290)


@pytest.mark.parametrize("levels", [[-0.1], [np.nan, 1], [1, np.inf], [1, -np.inf]])
def test_levels_that_are_none_are_refused(levels):
    with pytest.raises(ValueError, match="finite number that is not negative"):
        growing_levels(levels)
