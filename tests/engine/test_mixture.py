"""The posterior over whole records: against its definition, one component at a time."""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from tests.engine.engine_columns import rng, two_columns
from trustscope.engine import keys
from trustscope.engine.attacks import llse
from trustscope.engine.attacks.combining import combined, combining_weights, effective_level
from trustscope.engine.attacks.optimal.cells import cells_of
from trustscope.engine.attacks.optimal.mixture import Mixture, Moments, Windows, mixture_of, moments_of
from trustscope.engine.noise import noise_covariance


def slow_posterior(references, noise, moments, smoothing, target, y):
    """Weights, means and variance of the target of every component, from the definition, one component at a time."""
    own, others = smoothing
    m = len(moments.mean)
    k = moments.covariance
    rest = [c for c in range(m) if c != target]
    b = k[rest, target] / k[target, target]
    left = k[np.ix_(rest, rest)] - np.outer(b, k[target, rest])
    spread = np.zeros((m, m))
    spread[target, target] = own**2 * k[target, target]
    spread[np.ix_(rest, rest)] = others**2 * left + np.outer(b, b) * spread[target, target]
    spread[target, rest] = spread[rest, target] = b * spread[target, target]
    law = multivariate_normal(cov=spread + noise)  # the same for all, but for its centre
    weights, means = [], []
    for x in references - moments.mean:
        centre = np.zeros(m)
        centre[target] = np.sqrt(1 - own**2) * x[target]
        centre[rest] = b * centre[target] + np.sqrt(1 - others**2) * (x[rest] - b * x[target])
        off = y - moments.mean - centre
        weights.append(law.logpdf(off))
        means.append(moments.mean[target] + centre[target] + spread[target] @ np.linalg.solve(spread + noise, off))
    weights = np.exp(np.array(weights) - max(weights))
    return weights / weights.sum(), np.array(means)


@pytest.mark.parametrize("smoothing", [(0.0, 0.0), (0.0, 0.4), (0.3, 0.7), (0.0, 1.0), (1.0, 1.0)])
@pytest.mark.parametrize("columns", [1, 2])
def test_the_posterior_is_that_of_the_definition(smoothing, columns):
    x = two_columns(60)[:, :columns]
    moments = moments_of(x)
    noise = 0.7 * moments.covariance
    y = x[:5] + 3.0
    mixture, slow = Mixture(x, noise, moments, smoothing, 0), []
    for row in range(5):
        weights, means = slow_posterior(x, noise, moments, smoothing, 0, y[row])
        slow.append(weights @ means)
        ((_, fast),) = mixture.blocks(y[row : row + 1])
        np.testing.assert_allclose(fast[:, 0] / fast[:, 0].sum(), weights, atol=2e-5)
        np.testing.assert_allclose(mixture.weights_of(y[row]), weights, atol=1e-9)
        shifted = mixture.positions[:, 0] + mixture.shift(y[row : row + 1])[0, 0]
        np.testing.assert_allclose(shifted, means, atol=1e-6)
    assert mixture.means(y)[:, 0] == pytest.approx(slow, abs=1e-3)


def test_windows_hold_most_of_the_posterior():
    x = two_columns(80)
    moments = moments_of(x)
    noise, d = 0.5 * moments.covariance, 4.0
    y = x[:20] + rng("windows").normal(0, 5, (20, 2))
    guesses = Windows(Mixture(x, noise, moments, (0.0, 0.3), 0), cells_of(x[:, 0], d), np.array([d])).guess(y)
    for row in range(20):
        weights, _ = slow_posterior(x, noise, moments, (0.0, 0.3), 0, y[row])
        best = max(weights[(x[:, 0] >= v) & (x[:, 0] <= v + 2 * d)].sum() for v in x[:, 0])
        assert guesses.chances[row, 0] == pytest.approx(best, abs=1e-4)
        inside = np.abs(x[:, 0] - guesses.windows[row, 0]) <= d + 1e-6
        assert weights[inside].sum() == pytest.approx(best, abs=1e-4)


def test_spread_windows_hold_most_of_the_posterior():
    x = two_columns(80)
    moments = moments_of(x)
    noise, d = 0.5 * moments.covariance, 4.0
    y = x[:8] + 2.0
    mixture = Mixture(x, noise, moments, (0.5, 0.7), 0)
    guesses = Windows(mixture, cells_of(x[:, 0], d), np.array([d])).guess(y)
    sd = np.sqrt(mixture.variance)
    centres = np.linspace(-20, 90, 2_201)
    for row in range(8):
        weights, means = slow_posterior(x, noise, moments, (0.5, 0.7), 0, y[row])
        mass = (ndtr((centres + d - means[:, None]) / sd) - ndtr((centres - d - means[:, None]) / sd)).T @ weights
        assert guesses.chances[row, 0] == pytest.approx(mass.max(), abs=0.01)
        assert mass[np.argmin(np.abs(centres - guesses.windows[row, 0]))] == pytest.approx(mass.max(), abs=0.01)


@pytest.mark.parametrize("target", [None, 1])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_of_references_smoothed_to_one_law_one_says_what_all_say(target, share):
    x = keys.rng(5, "alike").gamma(1.0, size=(400, 3))
    moments = moments_of(x)
    y = np.vstack([x[:50] + 1, x[:1] + 1_000])  # and one that is far from all
    smoothing = (share, 1.0) if target is not None else (0.0, share)
    whole, made = (make(x, moments.covariance, moments, smoothing, target) for make in (Mixture, mixture_of))
    assert made.size == (1 if share == 1 else 400)
    np.testing.assert_allclose(made.means(y), whole.means(y), rtol=1e-5)
    if target is not None:
        within = np.array([0.2, 1.0])
        found, wanted = (Windows(one, cells_of(x[:, 1], within), within).guess(y) for one in (made, whole))
        np.testing.assert_allclose(found.windows, wanted.windows, rtol=1e-5)
        np.testing.assert_allclose(found.chances, wanted.chances, rtol=1e-6)


@pytest.mark.parametrize(("columns", "smoothing"), [(1, (0.0, 0.0)), (1, (0.4, 0.0)), (3, (0.0, 1.0)), (3, (0.4, 1.0))])
def test_people_whose_values_are_equal_are_one_component_where_nothing_else_tells_them_apart(columns, smoothing):
    x = np.round(keys.rng(5, "equal").gamma(2.0, 3.0, size=(400, columns)))
    moments, within = moments_of(x), np.array([1.0, 2.0])
    y = np.vstack([x[:50] + 1, x[:1] + 1_000])  # and one that is far from all
    whole, made = (make(x, 0.5 * moments.covariance, moments, smoothing, 0) for make in (Mixture, mixture_of))
    values, counts = np.unique(x[:, 0], return_counts=True)
    assert (whole.size, made.size) == (400, len(values))
    assert counts.max() > 20
    np.testing.assert_allclose(made.means(y), whole.means(y), rtol=1e-5)
    together = [whole.weights_of(y[0])[x[:, 0] == value].sum() for value in values]
    np.testing.assert_allclose(made.weights_of(y[0]), together, atol=1e-12)
    found, wanted = (Windows(one, cells_of(x[:, 0], within), within).guess(y) for one in (made, whole))
    np.testing.assert_allclose(found.windows, wanted.windows, rtol=1e-12)
    np.testing.assert_allclose(found.chances, wanted.chances, rtol=1e-5)
    apart = mixture_of(x, moments.covariance, moments, (0.0, 0.9), 0)
    assert apart.size == (400 if columns > 1 else len(values)), "what is left of the other columns tells them apart"


def test_smoothed_all_the_way_the_guess_is_the_best_linear_one():
    x = two_columns(500)
    moments = moments_of(x)
    levels, scheme = [0.4, 1.2], "independent"
    draw = rng("linear")
    root = np.linalg.cholesky(moments.covariance)
    copies = [x + np.sqrt(s) * draw.standard_normal(x.shape) @ root.T for s in levels]
    y = combined(copies, combining_weights(levels, scheme))
    noise = effective_level(levels, scheme) * moments.covariance
    linear = llse.perfect(levels, scheme, moments.mean).estimate(copies)
    for target in (0, 1):
        np.testing.assert_allclose(Mixture(x, noise, moments, (1.0, 1.0), target).means(y)[:, 0], linear[:, target])
    np.testing.assert_allclose(Mixture(x, noise, moments, (1.0, 1.0)).means(y), linear)


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_one_combined_copy_tells_as_much_as_all_copies(scheme):
    """The posterior from all copies, by their joint law, is that from the one copy of the effective level."""
    x = two_columns(40)
    k = moments_of(x).covariance
    levels = np.array([0.5, 0.9, 2.0])
    joint = np.kron(noise_covariance(levels, scheme), k)
    draw = rng("sufficient", scheme)
    stacked = np.tile(x[3], 3) + np.linalg.cholesky(joint + 1e-9 * np.eye(6)) @ draw.standard_normal(6)
    log = np.array([multivariate_normal.logpdf(stacked, np.tile(one, 3), joint, allow_singular=True) for one in x])
    slow = np.exp(log - log.max())
    y = combined(list(stacked.reshape(3, 1, 2)), combining_weights(levels, scheme))
    mixture = Mixture(x, effective_level(levels, scheme) * k, Moments(x.mean(axis=0), k), target=0)
    np.testing.assert_allclose(mixture.weights_of(y[0]), slow / slow.sum(), atol=1e-6)


def test_a_copy_far_from_everybody_still_has_a_nearest_reference():
    x = two_columns(50)
    moments = moments_of(x)
    y = np.array([[1e6, 1e6], [-1e6, 3.0]])
    means = Mixture(x, 0.01 * moments.covariance, moments, target=0).means(y)
    assert np.all(np.isfinite(means))
