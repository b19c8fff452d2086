"""What the product promises about collusion: theory and measurement, on copies that were really generated."""

import itertools

import numpy as np
import pytest
from engine_references import binary_bayes_error, binary_posterior_mean, llse_error, mixed
from scipy import stats

from trustscope.engine.attacks import llse
from trustscope.engine.gaussian import SCHEMES, GaussianRelease, noise_covariance
from trustscope.engine.measures import normalised_error
from trustscope.engine.path import PathRelease

ROWS = 40_000
FIGURE = np.random.default_rng(2).uniform(0.25, 1, 30)

BAYES_ALONE, BAYES_BOTH = 0.4495995092, 0.3781584597


def subsets(count):
    return itertools.chain(*(itertools.combinations(range(count), k) for k in range(1, count + 1)))


def relative_error(estimate, data, covariance):
    """Mean of e' K^-1 e / N over the records: the normalised error, from independent directions."""
    error = np.linalg.solve(np.linalg.cholesky(covariance), (estimate - data).T)
    return (error**2).mean()


# Alice and Bob


@pytest.mark.parametrize(
    ("scheme", "levels", "expected"),
    [("nested", [1], 0.5), ("nested", [4], 0.8), ("independent", [1, 4], 4 / 9), ("nested", [1, 4], 0.5)],
)
def test_alice_and_bob(scheme, levels, expected):
    assert llse.expected_error(levels, scheme) == pytest.approx(expected, abs=1e-15)
    # The paper's two values, 9 and 11, many times over; their variance is 1.
    data = np.tile([9.0, 11.0], 50_000)
    release = GaussianRelease(data, scheme=scheme, covariance=1.0, key=2012)
    copies = [release.copy(level=s) for s in (1, 4)][: len(levels)] if levels != [4] else [release.copy(level=4)]
    measured = normalised_error(data, llse.reconstruct(copies, levels=levels, scheme=scheme, mean=10.0))
    # The relative standard error is at most sqrt(2 / 100 000): 5 of those, false alarms below 1e-6.
    assert measured == pytest.approx(expected, rel=5 * np.sqrt(2 / len(data)))


# Random numbers of copies and attributes, random levels, every subset


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("seed", "count", "columns"), [(1, 5, 1), (2, 4, 3), (3, 3, 6), (4, 6, 2)])
def test_expected_equals_measured_for_every_coalition(scheme, seed, count, columns):
    rng = np.random.default_rng(seed)
    levels = rng.uniform(0.1, 3, count)
    data = mixed(rng, ROWS, columns)
    release = GaussianRelease(data, scheme=scheme, key=seed)
    copies = [release.copy(level=s) for s in levels]
    chosen = list(subsets(count))
    # e' K^-1 e / N is a mean of chi-squares: relative error sqrt(2 / (ROWS N)); 1e-6 shared by all subsets.
    band = stats.norm.isf(0.5e-6 / len(chosen)) * np.sqrt(2 / (ROWS * columns))
    for subset in chosen:
        s = levels[list(subset)]
        expected = llse.expected_error(s, scheme)
        estimate = llse.reconstruct([copies[i] for i in subset], levels=s, scheme=scheme, mean=release.mean)
        if expected == 0:
            np.testing.assert_allclose(estimate, data, atol=1e-9)
            continue
        assert relative_error(estimate, data, release.covariance) == pytest.approx(expected, rel=band)
        if scheme == "nested":
            best = s.argmin()
            alone = llse.reconstruct([copies[subset[best]]], levels=s[[best]], scheme=scheme, mean=release.mean)
            np.testing.assert_array_equal(estimate, alone)
        if scheme == "independent":
            assert expected == pytest.approx(1 / (1 + sum(1 / s)))


def test_no_other_linear_attack_on_nested_copies_does_better():
    rng = np.random.default_rng(9)
    data = rng.normal(size=ROWS)
    release = GaussianRelease(data, key=9)
    levels = [0.4, 0.6, 1.5]
    copies = np.column_stack([release.copy(level=s) for s in levels])
    centred = copies - copies.mean(axis=0)

    def best_fit(columns):
        # Least squares against the truth itself: no attacker can know so much.
        fit, *_ = np.linalg.lstsq(columns, data - data.mean(), rcond=None)
        return np.mean((columns @ fit - data + data.mean()) ** 2) / data.var()

    # Two useless regressors still win about 2 / ROWS by chance.
    assert best_fit(centred) == pytest.approx(best_fit(centred[:, :1]), rel=20 / ROWS)
    other = GaussianRelease(data, scheme="independent", key=9)
    more = np.column_stack([other.copy(level=s) for s in levels])
    assert best_fit(more - more.mean(axis=0)) < 0.8 * best_fit(centred)


# Figure 2


@pytest.mark.parametrize(
    ("scheme", "figures"),
    [("independent", [0.3085, 0.0903, 0.0457, 0.0175]), ("nested", [0.3085, 0.2418, 0.2256, 0.2256])],
)
def test_figure_2_by_theory_and_by_measurement(scheme, figures):
    rng = np.random.default_rng(7)
    data = np.array([50.06, 16.57]) + rng.normal(size=(ROWS, 2)) * np.sqrt([303.03, 219.92])
    release = GaussianRelease(data, scheme=scheme, key=7)
    copies = [release.copy(level=s) for s in FIGURE]
    for count, figure in zip((1, 5, 10, 30), figures, strict=True):
        levels = FIGURE[:count]
        assert llse.expected_error(levels, scheme) == pytest.approx(figure, abs=5e-5)
        assert llse_error(noise_covariance(levels, scheme)) == pytest.approx(figure, abs=5e-5)
        estimate = llse.reconstruct(copies[:count], levels=levels, scheme=scheme, mean=release.mean)
        # Rates as above: 5 standard errors of .5 %.
        assert relative_error(estimate, data, release.covariance) == pytest.approx(figure, rel=0.03)


# Any estimator, not only the linear ones


def test_bayes_error_on_binary_data():
    # 1 - E tanh(g + sqrt(g) n) with g = 1 / s, or the sum of 1 / s, by adaptive quadrature.
    assert binary_bayes_error([[1.0]]) == pytest.approx(BAYES_ALONE, abs=1e-8)
    assert binary_bayes_error(noise_covariance([1, 4], "nested")) == pytest.approx(BAYES_ALONE, abs=1e-8)
    assert binary_bayes_error(noise_covariance([1, 4], "independent")) == pytest.approx(BAYES_BOTH, abs=1e-8)


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_bayes_error_measured_on_released_copies_of_binary_data(scheme):
    data = np.where(np.random.default_rng(3).random(200_000) < 0.5, -1.0, 1.0)
    release = GaussianRelease(data, scheme=scheme, covariance=1.0, key=3)
    copies = np.column_stack([release.copy(level=s) for s in (1, 4)])
    alone = binary_posterior_mean(copies[:, :1], np.eye(1))
    joint = binary_posterior_mean(copies, noise_covariance([1, 4], scheme))
    for estimate, expected in (
        (alone, BAYES_ALONE),
        (joint, BAYES_ALONE if scheme == "nested" else BAYES_BOTH),
    ):
        error = (estimate - data) ** 2
        assert abs(error.mean() - expected) < 5 * error.std() / np.sqrt(len(data))
    if scheme == "nested":
        # The posteriors are equal record by record, not only on average.
        np.testing.assert_allclose(joint, alone, atol=1e-12)


# Two designs that look safe


def test_equal_errors_for_the_full_set_do_not_protect_its_subsets():
    # Copies 2 and 3 are copy 1 plus steps of variance .25 and .35 that should overlap, and do not.
    s = np.array([0.25, 0.5, 0.6])
    sigma = np.full((3, 3), s[0])
    np.fill_diagonal(sigma, s)
    assert llse_error(sigma) == pytest.approx(0.2, abs=1e-9)
    pair = llse_error(sigma[1:, 1:])
    assert pair == pytest.approx(0.284, abs=5e-4)
    assert pair < llse.expected_error(s[1:], "nested") == pytest.approx(1 / 3)


def test_a_fresh_draw_at_a_released_level_leaks_and_the_stored_copy_does_not():
    assert llse.expected_error([0.5, 0.5], "nested") == pytest.approx(1 / 3)
    assert llse.expected_error([0.5, 0.5], "independent") == pytest.approx(0.2)
    data = np.random.default_rng(4).normal(size=ROWS)
    one = GaussianRelease(data, key=1)
    assert one.copy(level=0.5) is one.copy(level=0.5) or np.shares_memory(one.copy(level=0.5), one.copy(level=0.5))
    fresh = PathRelease(data, scheme="independent", ladder=[0.5], key=1)
    copies = [fresh.copy(level=0.5, recipient=i) for i in (0, 1)]
    measured = normalised_error(
        data, llse.reconstruct(copies, levels=[0.5, 0.5], scheme="independent", mean=data.mean())
    )
    assert measured == pytest.approx(0.2, rel=5 * np.sqrt(2 / ROWS))
