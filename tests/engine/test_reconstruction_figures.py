"""Figures worked out beforehand for the experiments of Huang et al. (2005), and the shapes of noise.

A figure holds if it is within 3 standard errors of what eight keys give: of the difference between a mean of
eight and one run, by the spread of the eight, beside half a unit of its last digit. Under other keys one figure in 50
would fail (Student's t with 7 degrees of freedom); the keys are fixed. That a figure can fail is asserted below.

The figures of the Bayes estimate are of gains that are not clipped, as the closed form with estimated
covariance says too: clipped gains give 5.60, not 5.67, in experiment 3 with e = 1.
"""

import numpy as np
import pytest

from trustscope.engine.attacks import reconstruction as attacks
from trustscope.engine.experiments.huang import crossing, gaussian_data, principal_eigenvalues
from trustscope.engine.gaussian import GaussianRelease
from trustscope.engine.shapes import noise_shape

KEYS = range(8)


def literal(y, noise):
    return attacks.bayes(y, noise, clip=False)


def errors(eigenvalues, rows, attackers, noise=25.0, similarity=None, keys=KEYS):
    """Mean square error of the attackers, shape (keys, attackers)."""
    found = []
    for key in keys:
        x, covariance = gaussian_data(eigenvalues, rows, key=key)
        size = x.shape[1]
        sigma = noise * np.eye(size)
        if similarity is not None:
            sigma = noise_shape(covariance, similarity, total=noise * size)
        y = GaussianRelease(x, covariance=sigma, key=key, threads=1).copy(level=1.0)
        found.append([np.mean((x - attacker(y, sigma)) ** 2) for attacker in attackers])
    return np.array(found)


def off(found, figure, digit):
    """How many standard errors a figure is off, its rounding granted."""
    spread = found.std(ddof=1) * np.sqrt(1 + 1 / len(found))
    return max(abs(found.mean() - figure) - digit / 2, 0) / spread


def check(found, figures, digits):
    for column, figure, digit in zip(found.T, figures, digits, strict=True):
        assert off(column, figure, digit) < 3
        assert off(column, 1.3 * figure, digit) > 3


FOUR = (attacks.univariate, attacks.principal_components, literal, attacks.spectral_filter)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("eigenvalues", "figures", "digits"),
    [
        (principal_eigenvalues(10, 5), (19.5, 14.5, 12.9, 24.9), (0.1, 0.1, 0.1, 0.1)),
        (principal_eigenvalues(100, 5), (18.9, 5.06, 4.72, 12.8), (0.1, 0.01, 0.01, 0.1)),
        (np.repeat([400.0, 1.0], [20, 80]), (18.9, 5.84, 5.67, 6.24), (0.1, 0.01, 0.01, 0.01)),
        (np.repeat([400.0, 50.0], [20, 80]), (20.6, 45.0, 18.1, 25.0), (0.1, 0.1, 0.1, 0.1)),
    ],
    ids=["E1, m = 10", "E1, m = 100", "E3, e = 1", "E3, e = 50"],
)
def test_experiments_1_and_3(eigenvalues, figures, digits):
    check(errors(eigenvalues, 10_000, FOUR), figures, digits)


HALVES = np.repeat([400.0, 4.0], [50, 50])


@pytest.mark.parametrize(("similarity", "figures"), [(1.0, (22.5, 26.7)), (0.0, (14.0, 14.8))])
def test_experiment_4(similarity, figures):
    found = errors(HALVES, 2000, (literal, attacks.principal_components), similarity=similarity)
    check(found, figures, (0.1, 0.1))


def test_the_opposite_shape_gives_the_data_away_and_misleads_the_filter():
    # The figure worked out beforehand, 3.5 for both attackers, is not met by reversed eigenvalues (3.32 and 2.91,
    # and 2.93 with clipped gains): the closed form, 3.33, is what this holds to.
    found = errors(HALVES, 2000, (literal, attacks.spectral_filter), similarity=-1.0)
    _, covariance = gaussian_data(HALVES, 2, key=1)
    sigma = noise_shape(covariance, -1.0, total=2500)
    assert off(found[:, 0], attacks.bayes_error(covariance, sigma, rows=2000), 0) < 3
    white = errors(HALVES, 2000, (attacks.spectral_filter,), similarity=0.0, keys=range(2))
    assert found[:, 1].mean() > 1.5 * white.mean()


def test_where_principal_components_and_single_attributes_cross():
    assert crossing(25.0) == pytest.approx(18.5, abs=0.05)
    assert crossing(100.0) == pytest.approx(41.3, abs=0.05)
    for noise in (25.0, 100.0):
        gaps = []
        for factor in (0.8, 1.0, 1.2):
            values = np.repeat([400.0, factor * crossing(noise)], [20, 80])
            found = errors(values, 2000, (attacks.univariate, attacks.principal_components), noise, keys=range(2))
            gaps.append(found[:, 1] - found[:, 0])
        below, at, above = (np.mean(gap) for gap in gaps)
        # Random eigenvectors, estimated ones and an estimated density move it a little.
        assert below < 0 < above
        assert abs(at) < 0.2 * (above - below)


def test_clipping_saves_the_bayes_estimate_where_rows_are_few():
    # Literal gains explode with 120 rows of 100 attributes; their spread from key to key is large. The figures
    # come without a spectrum: this is that of experiment 3, and others give others.
    found = errors(np.repeat([400.0, 1.0], [20, 80]), 120, (attacks.bayes, literal), keys=range(20))
    check(found, (10.95, 115.9), (0.01, 0.1))


def test_an_estimated_bayes_estimate_may_fall_behind_principal_components():
    values, rows = principal_eigenvalues(100, 5, small=1.0), 2000
    found = errors(values, rows, (literal, attacks.bayes, attacks.principal_components))
    check(found[:, [0, 2]], (3.41, 2.28), (0.01, 0.01))
    covariance = gaussian_data(values, 2, key=1)[1]
    assert off(found[:, 0], attacks.bayes_error(covariance, 25.0, rows=rows), 0) < 3
    assert np.all(found[:, 2] < found[:, 1])
    assert np.all(found[:, 1] < found[:, 0])
    # With perfect knowledge it never does.
    assert attacks.bayes_error(covariance, 25.0) < attacks.principal_components_error(covariance, 25.0)
