"""The synthetic sets: moments in closed form, samples against them, and rows that depend on the seed alone.

Sampling tests have fixed seeds. Each compares at most 4 standard errors of a normal statistic, a false alarm
in 1 of 16 000 comparisons; there are fewer than 40 of them.
"""

import numpy as np
import pytest
from scipy.special import ndtri

from trustscope import datasets
from trustscope.datasets import synthetic

SIGMAS = 4.0


def moments(name, order):
    values, p = synthetic.marginal(name)
    mean = float(values @ p)
    return float((values - mean) ** order @ p)


@pytest.mark.parametrize(("name", "mean", "variance"), [("Age", 50.06, 303.03), ("Income", 16.57, 219.92)])
def test_census_has_the_moments_of_table_3(name, mean, variance):
    values, p = synthetic.marginal(name)
    assert p.sum() == pytest.approx(1, abs=1e-12)
    assert values @ p == pytest.approx(mean, abs=1e-9)
    assert moments(name, 2) == pytest.approx(variance, abs=1e-8)


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_census_samples_agree_with_the_moments(seed):
    data = datasets.load("census", seed=seed)
    n = data.rows
    for name in data.numeric:
        sample = data.frame[name].to_numpy(dtype=float)
        values, p = synthetic.marginal(name)
        mean, variance = values @ p, moments(name, 2)
        assert abs(sample.mean() - mean) < SIGMAS * np.sqrt(variance / n)
        error = np.sqrt((moments(name, 4) - variance**2) / n)
        assert abs(sample.var() - variance) < SIGMAS * error
        # The same check notices the variance of a sample clipped at its 99th percentile.
        clipped = np.minimum(sample, np.quantile(sample, 0.99))
        assert name == "Age" or abs(clipped.var() - variance) > SIGMAS * error


def test_census_has_plausible_shapes():
    frame = datasets.load("census").frame
    assert frame["Age"].min() == 18
    assert frame["Age"].max() == 90
    assert moments("Age", 4) / moments("Age", 2) ** 2 < 2.5  # flat-topped: a normal has 3
    assert frame["Income"].min() >= 0
    assert moments("Income", 3) / moments("Income", 2) ** 1.5 > 1.5
    assert frame["Salary band"].nunique() == 50
    assert frame["Salary band"].cat.ordered
    assert moments("Salary band", 3) > 0
    counts = frame["Occupation"].value_counts()
    assert len(counts) == 27
    assert counts.max() > 20 * counts.min()


def hermite(name, terms=60):
    """Coefficients of a census column as a function of its latent normal, from Hermite polynomials."""
    values, shares = synthetic.marginal(name)
    below, above = np.cumsum(shares)[:-1], np.cumsum(shares[::-1])[::-1][1:]
    cuts = np.where(below < 0.5, ndtri(below), -ndtri(above))
    weight = np.diff(values) * np.exp(-(cuts**2) / 2) / np.sqrt(2 * np.pi)
    before, now = np.zeros_like(cuts), np.ones_like(cuts)
    coefficients = []
    for k in range(1, terms + 1):
        coefficients.append((weight * now).sum() / np.sqrt(k))
        before, now = now, (cuts * now - np.sqrt(k - 1) * before) / np.sqrt(k)
    return np.array(coefficients)


def test_age_and_income_correlate_as_stated():
    a, b = hermite("Age"), hermite("Income")
    rho = synthetic.LATENT_CORRELATION[0, 1]
    powers = rho ** np.arange(1, a.size + 1)
    expected = (a * b * powers).sum() / np.sqrt(moments("Age", 2) * moments("Income", 2))
    assert expected == pytest.approx(synthetic.CORRELATION, abs=1e-4)
    frame = datasets.load("census").frame
    measured = frame["Age"].corr(frame["Income"])
    # Twice the error for normal data, as these are skewed.
    assert abs(measured - expected) < SIGMAS * 2 * (1 - expected**2) / np.sqrt(len(frame))


@pytest.mark.parametrize("name", ["census", "gaussian"])
def test_more_rows_only_add_to_the_first_ones(name):
    long = datasets.load(name, rows=synthetic.BLOCK + 500, seed=3).frame
    for rows in (2, 1000, synthetic.BLOCK, synthetic.BLOCK + 1):
        short = datasets.load(name, rows=rows, seed=3).frame
        assert short.equals(long.iloc[:rows])
    # A second block that repeats the first one would pass all of the above.
    assert not long.iloc[synthetic.BLOCK :].reset_index(drop=True).equals(long.iloc[:500])


@pytest.mark.parametrize("name", ["census", "gaussian"])
def test_the_seed_decides(name):
    frame = datasets.load(name, rows=50, seed=3).frame
    assert frame.equals(datasets.load(name, rows=50, seed=3).frame)
    assert not frame.equals(datasets.load(name, rows=50, seed=4).frame)


def test_gaussian_has_the_eigenvalues_asked_for():
    eigenvalues = np.array([9.0, 3.0, 1.0, 0.0])
    data = datasets.load("gaussian", rows=60_000, eigenvalues=eigenvalues, seed=5, mean=(1, 2, 3, 4))
    sample = data.frame.to_numpy()
    basis = synthetic.haar_basis(4, 5)
    along = (sample - [1, 2, 3, 4]) @ basis
    errors = eigenvalues * np.sqrt(2 / len(sample))
    assert (np.abs(along.var(axis=0) - eigenvalues) <= SIGMAS * errors + 1e-12).all()
    assert (np.abs(along.mean(axis=0)) <= SIGMAS * np.sqrt(eigenvalues / len(sample)) + 1e-9).all()


def test_the_basis_is_orthogonal_and_uniform():
    bases = np.array([synthetic.haar_basis(3, seed) for seed in range(2000)])
    np.testing.assert_allclose(bases @ bases.transpose(0, 2, 1), np.broadcast_to(np.eye(3), bases.shape), atol=1e-12)
    # Every entry of a Haar matrix has mean 0 and variance 1/3; unfixed signs would show on the diagonal.
    assert (np.abs(bases.mean(axis=0)) < SIGMAS * np.sqrt(1 / 3 / 2000)).all()
    assert abs(np.linalg.det(bases).mean()) < SIGMAS / np.sqrt(2000)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rows": 1}, "between 2 and 2 000 000"),
        ({"rows": 2_000_001}, "between 2 and 2 000 000"),
        ({"rows": 10.5}, "whole number"),
        ({"rows": True}, "whole number"),
        ({"seed": -1}, "0 or more"),
        ({"seed": "x"}, "whole number"),
        ({"eigenvalues": ()}, "between 1 and 200"),
        ({"eigenvalues": (1, -1)}, "zero or more"),
        ({"eigenvalues": (0, 0)}, "at least one above zero"),
        ({"eigenvalues": (1, np.inf)}, "finite"),
        ({"eigenvalues": "abc"}, "numbers only"),
        ({"eigenvalues": np.ones(201)}, "between 1 and 200"),
        ({"eigenvalues": (1, 2), "mean": (1, 2, 3)}, "one for each of the 2"),
        ({"mean": np.nan}, "finite"),
        ({"rows": 1_000_000, "eigenvalues": np.ones(200)}, "cells"),
    ],
)
def test_gaussian_options_that_make_no_sense(options, words):
    with pytest.raises(datasets.DataProblem, match=words):
        datasets.load("gaussian", **options)
