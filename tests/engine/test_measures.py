import math

import numpy as np
import pandas as pd
import pytest
from engine_references import mixed
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from trustscope.engine import measures
from trustscope.engine.attacks import llse
from trustscope.engine.gaussian import SCHEMES, GaussianRelease
from trustscope.errors import TrustscopeError, WrongType

values = st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 1e-3, 1e200])
pairs = st.integers(1, 4).flatmap(
    lambda n: st.tuples(*[hnp.arrays(float, (6, n), elements=values | st.floats(-10, 10))] * 2)
)


def is_breached(x, estimate, eps, kind):
    """Def. 3.1, one record at a time."""
    match kind:
        case "euclidean":
            return math.hypot(*(estimate - x)) <= math.hypot(*x) * eps
        case "entry":
            # Python's floats overflow to infinity without a word, unlike numpy's.
            pairs = zip(map(float, x), map(float, estimate), strict=True)
            return any((abs(b) if a == 0 else abs(a - b) / abs(a)) <= eps for a, b in pairs)
        case "absolute":
            return any(abs(a - b) <= eps for a, b in zip(x, estimate, strict=True))
    if not x.any() or not estimate.any():
        return bool(not x.any() and not estimate.any()) or eps >= 1
    x, estimate = x / np.abs(x).max(), estimate / np.abs(estimate).max()
    return 1 - x @ estimate / math.hypot(*x) / math.hypot(*estimate) <= eps


@given(pairs, st.sampled_from([0.013, 0.17, 0.9, 1.7]), st.sampled_from(measures.KINDS))
def test_breaches_equal_the_definition_record_by_record(pair, eps, kind):
    x, estimate = pair
    expected = [is_breached(a, b, eps, kind) for a, b in zip(x, estimate, strict=True)]
    near = [is_breached(a, b, eps * (1 + 1e-9), kind) for a, b in zip(x, estimate, strict=True)]
    far = [is_breached(a, b, eps * (1 - 1e-9), kind) for a, b in zip(x, estimate, strict=True)]
    got = measures.breached(x, estimate, eps, kind)
    # Within a relative 1e-9 of the threshold rounding decides.
    clear = np.array(near) == np.array(far)
    np.testing.assert_array_equal(got[clear], np.array(expected)[clear])
    assert measures.breach_rate(x, estimate, eps, kind) == got.mean()


def test_breaches_in_known_cases():
    x = np.array([[3.0, 4.0], [0.0, 1.0], [0.0, 0.0]])
    estimate = np.array([[3.0, 4.5], [-0.1, 9.0], [0.0, 0.0]])
    assert measures.breached(x, estimate, 0.1, "euclidean").tolist() == [True, False, True]
    assert measures.breached(x, estimate, 0.09, "euclidean").tolist() == [False, False, True]
    assert measures.breached(x, estimate, 0.1, "entry").tolist() == [True, True, True]
    # The size of the estimate counts where the truth is 0, whatever its sign.
    assert measures.breached(x, estimate, 0.09, "entry").tolist() == [True, False, True]
    assert measures.breached(x, 100 * x, 1e-9, "cosine").tolist() == [True, True, True]
    assert measures.breached(x, -x, 1.0, "cosine").tolist() == [False, False, True]
    assert measures.breached(x, estimate, [0.0, 0.4], "absolute").tolist() == [True, False, True]


def test_breach_of_one_attribute():
    assert measures.breach_rate([10.0, 10.0, 0.0], [10.9, 11.1, 0.1], 0.1) == pytest.approx(1 / 3)


def test_unusable_breaches_get_their_sentence():
    with pytest.raises(ValueError, match="must be one of euclidean"):
        measures.breached([1.0], [1.0], 0.1, "other")
    for eps in (-0.1, np.nan):
        with pytest.raises(ValueError, match="must not be negative"):
            measures.breached([1.0], [1.0], eps)
    with pytest.raises(ValueError, match="one shape"):
        measures.breach_rate([1.0, 2.0], [1.0], 0.1)
    with pytest.raises(ValueError, match="at least one row"):
        measures.distortion([], [])
    with pytest.raises(WrongType, match="breach threshold must be numbers"):
        measures.breach_rate([1.0], [1.0], "x")
    with pytest.raises(TrustscopeError, match=r"one for each attribute: not the shape \(3,\)"):
        measures.breached(np.ones((4, 2)), np.ones((4, 2)), [0.1, 0.2, 0.3], "absolute")
    with pytest.raises(TrustscopeError, match="one number"):  # neither has a length for each attribute
        measures.breached(np.ones((2, 2)), np.ones((2, 2)), [0.1, 0.2], "euclidean")


@pytest.mark.parametrize("gap", [np.nan, np.inf, None])
@pytest.mark.parametrize(
    "measure",
    [
        measures.distortion,
        measures.normalised_error,
        lambda x, y: measures.normalised_error(x, y, per_attribute=True),
        lambda x, y: measures.breached(x, y, 0.1),
        lambda x, y: measures.breach_rate(x, y, 0.1, "absolute"),
        measures.breach_size,
        measures.correlation_dissimilarity,
        lambda x, y: measures.degree_of_error(x, y, 4),
    ],
)
def test_gaps_are_refused_by_every_measure(measure, gap):
    there, holed = [[1.0, 2.0], [3.0, 4.0], [2.0, 2.0]], [[1.0, 2.0], [3.0, gap], [2.0, 2.0]]
    for x, estimate in ((holed, there), (there, holed)):
        with pytest.raises(TrustscopeError, match=r"must not hold missing or infinite values|finite numbers"):
            measure(x, estimate)


def test_tables_in_another_order_are_compared_by_their_labels():
    x = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [30.0, 10.0, 20.0]}, index=["p", "q", "r"])
    turned = x.iloc[::-1][["b", "a"]]
    assert measures.distortion(x, turned) == measures.normalised_error(x, turned) == 0
    assert measures.distortion(x["a"], turned["a"]) == 0
    guess = turned.copy()
    guess.loc["p"] += 5
    assert measures.breached(x, guess, 0.1).tolist() == [False, True, True]
    # An array has no labels: rows stand as they do.
    assert measures.distortion(x, x.to_numpy()[::-1]) > 0
    assert measures.normalised_error(x, x.to_numpy()) == 0
    with pytest.raises(TrustscopeError, match=r"Data and estimate must be of the same records: .*to_numpy"):
        measures.distortion(x, x.reset_index(drop=True))
    with pytest.raises(TrustscopeError, match="Data and estimate must have the same columns"):
        measures.distortion(x, x.rename(columns={"a": "z"}))
    twice = x.set_axis(["p", "p", "r"])
    assert measures.distortion(twice, twice) == 0
    with pytest.raises(TrustscopeError, match="without duplicates"):
        measures.distortion(twice, twice.iloc[::-1])


@pytest.mark.parametrize("arguments", [([np.nan], 0.0, 1.0), ([np.nan], 1.0, 1.0), ([1.0], 1.0, np.nan)])
def test_a_normal_error_of_nothing_is_refused(arguments):
    with pytest.raises(TrustscopeError, match="must not hold missing values"):
        measures.normal_breach(*arguments)


@pytest.mark.parametrize("variance", [-1.0, np.nan, [1.0, 2.0, 3.0], "x"])
def test_a_variance_that_is_none_is_refused(variance):
    with pytest.raises(TrustscopeError, match=r"[Vv]ariance"):
        measures.normalised_error([[1.0, 2.0], [2.0, 3.0]], [[1.0, 3.0], [1.0, 1.0]], variance)
    with pytest.raises(TrustscopeError, match="variance"):
        measures.normal_breach([1.0, 2.0], -1.0 if isinstance(variance, list) else variance, 1.0)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("kind", "eps"), [("euclidean", 0.15), ("entry", 0.15), ("absolute", 0.7)])
def test_closed_form_of_the_breach_equals_the_measured_rate(scheme, kind, eps):
    # Skewed data with zeros: the closed form holds for any data.
    rng = np.random.default_rng(1)
    data = np.column_stack([rng.exponential(3, 40_000), rng.poisson(1.0, 40_000)])
    levels = [0.9, 0.3]
    release = GaussianRelease(data, scheme=scheme, key=6)
    attack = llse.perfect(levels, scheme, release.mean)
    # Given x, the error of a linear attack is normal with mean -(1 - W)(x - mu) and variance w' Sigma w K_X,jj.
    size = {"euclidean": np.abs(data), "entry": np.where(data == 0, 1.0, np.abs(data)), "absolute": np.ones(data.shape)}
    bias = -(1 - attack.shrink) * (data - attack.mean)
    expected = measures.normal_breach(bias, attack.noise_variance * np.diag(release.covariance), eps * size[kind])
    estimate = attack.estimate([release.copy(level=s) for s in levels])
    if scheme == "proportional":
        # Recovery is exact up to rounding, which a relative threshold of 0 at x = 0 does not forgive.
        estimate[np.abs(estimate) < 1e-9] = 0
    measured = [measures.breach_rate(data[:, j], estimate[:, j], eps, kind) for j in range(2)]
    # At most .5 / sqrt(rows) standard error, 5 of those: false alarms below 1e-6.
    np.testing.assert_allclose(measured, expected, atol=5 * 0.5 / np.sqrt(len(data)))


def test_distortion_and_normalised_error():
    x = np.array([[0.0, 0.0], [2.0, 20.0]])
    y = x + np.array([1.0, 3.0])
    assert measures.distortion(x, y) == 5
    assert measures.distortion(y, x) == 5
    # Variances 1 and 100: N D / Tr(K) = 2 * 5 / 101.
    assert measures.normalised_error(x, y) == pytest.approx(10 / 101)
    np.testing.assert_allclose(measures.normalised_error(x, y, per_attribute=True), [1, 0.09])
    np.testing.assert_allclose(measures.normalised_error(x, y, [2, 9], per_attribute=True), [0.5, 1])
    assert measures.normalised_error(x[:, 0], y[:, 0]) == 1


def test_guessing_the_mean_has_normalised_error_one():
    data = mixed(np.random.default_rng(1), 50, 3)
    guess = np.broadcast_to(data.mean(axis=0), data.shape)
    assert measures.normalised_error(data, guess) == pytest.approx(1)
    np.testing.assert_allclose(measures.normalised_error(data, guess, per_attribute=True), 1)


def test_attributes_without_variance():
    x = np.ones((3, 2))
    got = measures.normalised_error(x, x + np.array([0.0, 1.0]), per_attribute=True)
    np.testing.assert_array_equal(got, [0, np.inf])
    assert measures.normalised_error(x, x) == 0


def test_histogram_and_its_cumulative():
    counts, edges, cumulative = measures.error_histogram([-3.0, 0.5, 1.5, 2.5], bins=3)
    np.testing.assert_array_equal(counts, [1, 1, 2])
    np.testing.assert_allclose(edges, [0, 1, 2, 3])
    np.testing.assert_allclose(cumulative, [0.25, 0.5, 1])
    _, _, cumulative = measures.error_histogram([-3.0, 0.5, 1.5, 2.5], bins=[1.0, 2.0])
    np.testing.assert_allclose(cumulative, [0.5])
    assert measures.error_histogram([0.0, 0.0], bins=4)[2][-1] == 1
    for errors in ([], [np.nan]):
        with pytest.raises(ValueError, match="finite"):
            measures.error_histogram(errors)


@pytest.mark.parametrize("kind", measures.KINDS)
def test_tally_in_chunks_equals_all_at_once(kind):
    rng = np.random.default_rng(3)
    x = rng.normal(5, 2, (1000, 2))
    estimate = x + rng.normal(0, [1, 3], (1000, 2))
    total = x.var(axis=0).sum()
    tally = measures.AttackTally(weights=np.full(2, 1 / total), attribute=1, top=6.0, bins=30, eps=0.4, kind=kind)
    for rows in (slice(0, 1), slice(1, 700), slice(700, 1000)):
        tally.add(x[rows], estimate[rows])
    square = ((x - estimate) ** 2).sum(axis=1) / total
    assert tally.rows == 1000
    assert tally.error == pytest.approx(measures.normalised_error(x, estimate))
    assert tally.error == pytest.approx(square.mean())
    assert tally.standard_error == pytest.approx(square.std() / np.sqrt(1000))
    counts, edges, cumulative = measures.error_histogram((x - estimate)[:, 1], 30, (0.0, 6.0))
    np.testing.assert_array_equal(tally.counts, counts)
    np.testing.assert_array_equal(tally.edges, edges)
    np.testing.assert_allclose(tally.cumulative, [0, *cumulative])
    assert cumulative[-1] < 1  # some errors lie beyond the histogram and still count as rows
    looked_at = (x[:, 1], estimate[:, 1]) if kind == "absolute" else (x, estimate)
    assert tally.breach_rate == measures.breach_rate(*looked_at, 0.4, kind)
    assert 0 < tally.breach_rate < 1


def test_even_counts_are_those_of_numpy():
    rng = np.random.default_rng(7)
    for _ in range(200):
        bins, low = int(rng.integers(1, 90)), float(rng.normal() * 10.0 ** rng.integers(-3, 4))
        edges = np.linspace(low, low + float(rng.exponential() * 10.0 ** rng.integers(-3, 4)), bins + 1)
        # Numbers inside and outside, on the edges, and as near to them as can be.
        beside = [np.nextafter(edges, to) for to in (-np.inf, np.inf)]
        values = np.concatenate([rng.normal(low, edges[-1] - low, 300), edges, *beside])
        counts = measures.even_counts(values, edges)
        assert np.array_equal(counts, np.histogram(values, bins, (edges[0], edges[-1]))[0])
    assert measures.even_counts(np.zeros(4), np.zeros(3)).tolist() == np.histogram(np.zeros(4), 2, (0, 0))[0].tolist()
    assert measures.even_counts(np.empty(0), np.linspace(0, 1, 4)).tolist() == [0, 0, 0]
