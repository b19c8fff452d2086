"""Differential privacy of copies of numbers: against the test of all copies at once, integrals, and drawn copies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import binom, norm

from trustscope.engine.measures import differential as dp
from trustscope.engine.noise import noise_covariance
from trustscope.engine.path import PathRelease
from trustscope.engine.shapes import noise_shape

K = np.array([[4.0, 1.2, -0.6], [1.2, 9.0, 2.0], [-0.6, 2.0, 1.0]])
LEVELS = [0.5, 1.0, 1.5, 3.0]
mus = st.floats(1e-3, 60)


def together(levels, scheme, shape, difference):
    """mu of all copies as one long vector, without combining them first."""
    covariance = np.kron(noise_covariance(levels, scheme), shape)
    stacked = np.tile(difference, len(levels))
    return np.sqrt(stacked @ np.linalg.solve(covariance, stacked))


@pytest.mark.parametrize("scheme", ["nested", "independent"])
@pytest.mark.parametrize("similarity", [1.0, 0.0, -0.7])
def test_mu_of_a_coalition_is_that_of_all_copies_at_once(scheme, similarity):
    shape, difference = noise_shape(K, similarity), np.array([1.0, -2.0, 0.5])
    far = dp.Distances(shape).of(difference)
    assert dp.mu_of_coalition(LEVELS, scheme, far) == pytest.approx(together(LEVELS, scheme, shape, difference))
    grown = dp.growing_mu(LEVELS, scheme, far)
    for k in range(1, 5):
        assert grown[k - 1] == pytest.approx(together(LEVELS[:k], scheme, shape, difference))


def test_nested_copies_are_the_best_one_alone_and_separate_draws_compose():
    alone = [dp.mu_of_coalition([level], "nested", 1.3) for level in LEVELS]
    assert dp.mu_of_coalition(LEVELS, "nested", 1.3) == max(alone)
    assert dp.mu_of_coalition(LEVELS, "independent", 1.3) == pytest.approx(dp.composed(alone))
    assert dp.composed([3, 4]) == 5
    assert dp.composed([1, np.inf]) == np.inf


def test_two_copies_in_proportion_give_everything_away():
    assert dp.mu_of_coalition([1.0, 2.0], "proportional", 0.01) == np.inf
    assert dp.mu_of_coalition([1.0, 1.0], "proportional", 0.5) == 0.5
    assert dp.mu_of_coalition([1.0, 2.0], "proportional", 0.0) == 0
    assert dp.mu_of_coalition([0.0, 2.0], "nested", 0.5) == np.inf
    assert dp.mu_at(1.0, np.inf) == 0
    assert dp.misses(np.inf, 0.01) == 0
    assert dp.epsilon_of_delta(np.inf, 1e-5) == np.inf
    assert dp.delta_of_epsilon(np.inf, 3.0) == 1


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_the_curve_is_what_drawn_copies_give(scheme):
    """The most powerful test on 20 000 drawn pairs of copies, false alarm 1 in 1 000 over nine points."""
    rows, levels = 20_000, [0.8, 1.6]
    x, other = np.array([1.0, -2.0, 0.5]), np.array([0.0, -1.0, 1.0])
    release = PathRelease(np.tile(x, (rows, 1)), scheme=scheme, covariance=K, ladder=levels, key=7)
    held = np.hstack([release.copy(level, 0, rows, recipient=i) for i, level in enumerate(levels)])
    inverse, stacked = np.linalg.inv(np.kron(noise_covariance(levels, scheme), K)), np.tile(x - other, 2)
    # Normal with variance 1 where the row is the other one: an alarm is raised above its quantile.
    statistic = (held - np.tile(other, 2)) @ inverse @ stacked / np.sqrt(stacked @ inverse @ stacked)
    alarms = np.linspace(0.1, 0.9, 9)
    missed = np.array([(statistic < norm.isf(a)).sum() for a in alarms])

    def fits(scheme):
        mu = dp.mu_of_coalition(levels, scheme, dp.Distances(K).of(x - other))
        low, high = binom.interval(1 - 1e-3 / 9, rows, dp.misses(mu, alarms))
        return np.all((missed >= low) & (missed <= high))

    assert fits(scheme)
    assert not fits("independent" if scheme == "nested" else "nested")


@given(mus, st.floats(0.001, 0.999))
def test_the_curve_has_the_slope_of_the_likelihood_ratio(mu, alarm):
    """T'(a) = -phi(z - mu) / phi(z), z the threshold: Neyman and Pearson."""
    z = norm.isf(alarm)
    assert dp.misses(mu, alarm) == pytest.approx(norm.cdf(z - mu), abs=1e-13)
    assert dp.misses(0, alarm) == pytest.approx(1 - alarm)
    assert dp.misses(mu, [0.0, 1.0]).tolist() == [1, 0]


@pytest.mark.parametrize("mu", [0.01, 0.3, 1.0, 2.5, 7.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.2, 1.0, 4.0])
def test_delta_is_the_integral(mu, epsilon):
    def excess(z):
        return max(0.0, norm.pdf(z - mu) - np.exp(epsilon) * norm.pdf(z))

    edge = epsilon / mu + mu / 2  # above it the difference is positive
    expected = quad(excess, min(edge, 40), edge + 45, epsabs=1e-15, limit=500)[0]
    assert dp.delta_of_epsilon(mu, epsilon) == pytest.approx(expected, rel=1e-6, abs=1e-13)


@given(mus, st.floats(-30, -0.3))
def test_epsilon_and_delta_are_inverse(mu, power):
    delta = 10.0**power
    epsilon = dp.epsilon_of_delta(mu, delta)
    if epsilon > 0:
        assert dp.delta_of_epsilon(mu, epsilon) == pytest.approx(delta, rel=1e-7)
        assert dp.mu_for_epsilon(epsilon, delta) == pytest.approx(mu, rel=1e-6)
    else:
        assert dp.delta_of_epsilon(mu, 0.0) <= delta


def test_epsilon_that_is_known():
    def plain(epsilon):
        """The formula as it is printed."""
        return norm.cdf(0.5 - epsilon) - np.exp(epsilon) * norm.cdf(-0.5 - epsilon)

    assert dp.delta_of_epsilon(1.0, 0.0) == pytest.approx(2 * norm.cdf(0.5) - 1)
    assert dp.epsilon_of_delta(1.0, 1e-5) == pytest.approx(brentq(lambda e: plain(e) - 1e-5, 0, 10), abs=1e-9)
    # Far out, where exponentials overflow: eps -> mu^2 / 2 + mu z(delta).
    assert dp.epsilon_of_delta(1000.0, 1e-5) == pytest.approx(500_000 + 1000 * norm.isf(1e-5), rel=1e-5)
    assert dp.epsilon_of_delta(1.0, 0.0) == np.inf
    assert dp.epsilon_of_delta(0.0, 0.0) == 0
    assert dp.rho_of_mu(3.0) == 4.5


@given(st.floats(1e-9, 1e-3))
def test_nearly_equal_values_lose_no_digits(mu):
    """For small mu delta at epsilon 0 is the distance of two normals, erf(mu / sqrt 8)."""
    assert dp.delta_of_epsilon(mu, 0.0) == pytest.approx(mu / np.sqrt(2 * np.pi), rel=1e-6)
    assert dp.delta_of_epsilon(mu, mu) == pytest.approx(mu * (norm.pdf(1) - norm.sf(1)), rel=1e-3)


def test_more_noise_is_never_less_private():
    much = dp.mu_at(2.0, np.geomspace(0.01, 100, 50))
    for figures in (much, dp.epsilon_of_delta(much, 1e-6), dp.rho_of_mu(much), -np.asarray(dp.misses(much, 0.05))):
        assert np.all(np.diff(figures) <= 0)


def test_other_columns_of_the_row_help_to_tell_a_value():
    distances = dp.Distances(K)
    assert distances.alone(1, 6.0) == pytest.approx(2.0)
    assert distances.within_row(1, 6.0) == pytest.approx(6 * np.sqrt(np.linalg.inv(K)[1, 1]))
    assert distances.within_row(1, 6.0) > distances.alone(1, 6.0)
    assert distances.within_row(1, [-6.0, 0.0]).tolist() == [distances.within_row(1, 6.0), 0.0]
    diagonal = dp.Distances(np.diag([4.0, 9.0]))
    assert diagonal.within_row(0, 3.0) == pytest.approx(diagonal.alone(0, 3.0))


def test_whole_rows_are_farthest_at_corners():
    widths, distances = np.array([3.0, 1.0, 2.0]), dp.Distances(K)
    found, exact = distances.box(widths)
    inside = np.random.default_rng(5).uniform(-1, 1, (20_000, 3)) * widths
    corners = np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T * widths
    assert exact
    assert found == pytest.approx(distances.of(corners).max())
    assert distances.of(inside).max() <= found
    assert distances.box(np.zeros(3)) == (0.0, True)
    assert distances.box([1.0, np.inf, 1.0]) == (np.inf, True)


def test_many_columns_get_a_bound_from_above():
    rng = np.random.default_rng(3)
    for many, is_exact in ((16, True), (17, False)):
        shape = np.cov(rng.normal(size=(200, many)), rowvar=False)
        widths = rng.uniform(0, 2, many)
        distances = dp.Distances(shape)
        found, exact = distances.box(widths)
        signs = rng.choice([-1.0, 1.0], (5_000, many))
        assert exact == is_exact
        assert found >= distances.of(signs * widths).max()


def test_where_there_is_no_noise_everything_is_told():
    """A third column that is the sum of the first two: its noise is the sum of theirs."""
    root = np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 2.0]])
    distances = dp.Distances(root.T @ root)
    assert distances.within_row(2, 1.0) == np.inf
    assert distances.within_row(2, 0.0) == 0
    assert distances.alone(2, 1.0) == pytest.approx(1 / np.sqrt(5))
    assert distances.of([1.0, 2.0, 3.0]) == pytest.approx(np.sqrt(2))
    assert distances.box([1.0, 1.0, 2.0]) == (np.inf, True)
    constant = dp.Distances(np.diag([1.0, 0.0]))
    assert constant.of([[1.0, 0.0], [0.0, 1.0]]).tolist() == [1.0, np.inf]
    assert constant.box([2.0, 0.0]) == (2.0, True)
    assert constant.alone(1, 1.0) == np.inf


def test_the_level_for_a_mu_is_the_inverse():
    assert dp.mu_at(2.0, dp.level_for_mu(2.0, 0.7)) == pytest.approx(0.7)
    assert dp.level_for_mu([1.0, 0.0], [np.inf, 0.5]).tolist() == [0, 0]
    assert dp.level_for_mu(1.0, 0.0) == np.inf


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: dp.misses(1.0, 1.2), "between 0 and 1"),
        (lambda: dp.misses(-1.0, 0.5), "mu must not be negative"),
        (lambda: dp.epsilon_of_delta(1.0, -0.1), "delta lies between 0 and 1"),
        (lambda: dp.delta_of_epsilon(1.0, -0.1), "epsilon must not be negative"),
        (lambda: dp.mu_for_epsilon(1.0, 0.0), "without being either"),
        (lambda: dp.mu_at(1.0, -1.0), "must not be negative"),
        (lambda: dp.Distances(K).of([1.0]), "needs 3 values"),
        (lambda: dp.Distances(K).box([1.0]), "needs 3 widths"),
        (lambda: dp.Distances([[1.0, 2.0], [2.0, 1.0]]), "negative eigenvalues"),
    ],
)
def test_unusable_input_gets_its_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
