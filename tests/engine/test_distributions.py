"""Distributions behind randomised values: against the slow iteration, the truth, and the stop rule."""

import numpy as np
import pytest
from scipy import stats

from trustscope.engine.distributions import (
    LAWS,
    MOST_POINTS,
    TOLERANCE,
    expectation_maximisation,
    kernel,
    normal_start,
    reconstruct,
    reconstruct_by_class,
    reconstruct_columns,
)


def slow(counts, chances, start, steps):
    """The iteration written out, one value at a time."""
    shares = list(start)
    total = sum(counts)
    for _ in range(steps):
        updated = [0.0] * len(shares)
        for b, count in enumerate(counts):
            below = sum(chances[b][g] * shares[g] for g in range(len(shares)))
            for g in range(len(shares)):
                updated[g] += count / total * chances[b][g] * shares[g] / below
        shares = updated
    return shares


def noisy(law, rows, key, variance=1.0):
    """A mixture of two lumps, and noise."""
    rng = np.random.default_rng(key)
    x = np.where(rng.random(rows) < 0.3, rng.normal(-4, 0.5, rows), rng.uniform(0, 5, rows))
    half = np.sqrt(3 * variance)
    noise = rng.normal(0, np.sqrt(variance), rows) if law == "gaussian" else rng.uniform(-half, half, rows)
    return x, x + noise


def distance(found, x):
    """Kolmogorov's distance to the sample, read between grid points."""
    edges = (found.points[1:] + found.points[:-1]) / 2
    return np.abs(found.cumulative[:-1] - np.searchsorted(np.sort(x), edges) / len(x)).max()


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("size", [12, 400])
def test_the_kernel_is_the_chance_of_every_bin(law, size):
    chances = kernel(size, 0.5, law)
    full = chances if size <= 384 else chances.toarray()
    centres = 0.5 * np.arange(size)
    noise = stats.norm() if law == "gaussian" else stats.uniform(-np.sqrt(3), 2 * np.sqrt(3))
    offset = np.subtract.outer(centres, centres)
    np.testing.assert_allclose(full, noise.cdf(offset + 0.25) - noise.cdf(offset - 0.25), atol=1e-14)
    np.testing.assert_array_equal(full, full.T)


@pytest.mark.parametrize("law", LAWS)
def test_the_iteration_equals_the_slow_one(law):
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 9, size=(15, 3)) + (np.arange(15) == 7)[:, None]
    chances, start = kernel(15, 0.5, law), normal_start(counts, 0.5)
    shares, steps, converged, _ = expectation_maximisation(counts, chances, start, 1e-300, 8)
    for j in range(3):
        np.testing.assert_allclose(shares[:, j], slow(counts[:, j], chances, start[:, j], 8), rtol=1e-10, atol=1e-14)
    assert steps.tolist() == [8, 8, 8]
    assert not converged.any()


def test_every_step_raises_the_likelihood_and_the_stop_rule_is_kept():
    _, y = noisy("gaussian", 2000, 2)
    # Two steps more than reported would each have gained less than the tolerance.
    found = [reconstruct(y, 1.0, tolerance=1e-300, most_steps=k).log_likelihood for k in range(1, 80)]
    gains = np.diff(found)
    assert np.all(gains > 0)
    stopped = reconstruct(y, 1.0)
    assert stopped.converged
    first = int(np.argmax(gains < TOLERANCE))
    assert stopped.steps == first + 1
    assert not reconstruct(y, 1.0, most_steps=3).converged


@pytest.mark.parametrize("law", LAWS)
def test_the_distribution_is_recovered(law):
    x, y = noisy(law, 50_000, 3)
    found = reconstruct(y + 10, 1.0, 10.0, law=law)
    assert found.shares.sum() == pytest.approx(1)
    assert found.mean == pytest.approx(x.mean(), abs=5 * y.std() / np.sqrt(len(y)))
    assert found.variance == pytest.approx(x.var(), rel=0.03)
    # Keys give .011 to .016. The released values themselves are .056 or more off, and noise of the same variance
    # but the wrong law leaves .019 or more.
    assert distance(found, x) < 0.018
    assert distance(reconstruct(y, 0.0), x) > 0.05
    wrong = "uniform" if law == "gaussian" else "gaussian"
    assert distance(reconstruct(y, 1.0, law=wrong), x) > 1.3 * distance(found, x)
    assert found.density.sum() * (found.points[1] - found.points[0]) == pytest.approx(1)


def test_too_little_noise_taken_off_shows():
    x, y = noisy("gaussian", 50_000, 4)
    right, wrong = reconstruct(y, 1.0), reconstruct(y, 0.25)
    assert distance(wrong, x) > 2 * distance(right, x)
    assert abs(wrong.variance - x.var()) > 10 * abs(right.variance - x.var())


def test_by_class_equals_each_class_alone():
    rng = np.random.default_rng(5)
    classes = rng.choice(["low", "high", "middle"], size=9000, p=[0.5, 0.3, 0.2])
    x = rng.normal(size=9000) + np.select([classes == "high", classes == "middle"], [6.0, 3.0], 0.0)
    y = x + rng.normal(size=9000)
    found = reconstruct_by_class(y, classes, 1.0)
    assert list(found) == ["high", "low", "middle"]
    for name, one in found.items():
        alone = reconstruct(y[classes == name], 1.0)
        assert one.mean == pytest.approx(alone.mean, abs=0.01)
        assert one.variance == pytest.approx(alone.variance, abs=0.03)
        assert one.mean == pytest.approx(x[classes == name].mean(), abs=0.15)
        assert one.points is found["low"].points


def test_the_start_has_the_moments_that_the_values_imply():
    rng = np.random.default_rng(6)
    counts = np.bincount(np.rint(rng.normal(60, 10, 100_000)).astype(int), minlength=120)[:, None]
    places = np.arange(len(counts))
    start = normal_start(counts, 1 / 6)[:, 0]
    assert start.sum() == pytest.approx(1)
    assert start @ places == pytest.approx(60, abs=0.2)
    # 10^2 released, 6^2 of them noise, in steps of the grid.
    assert start @ (places - 60) ** 2 == pytest.approx(64, rel=0.03)
    assert np.all(start[np.flatnonzero(counts)] > 0)


@pytest.mark.parametrize("variance", [0.0, 1e-12, 1.0, 1e12])
@pytest.mark.parametrize("law", LAWS)
def test_any_amount_of_noise_gives_a_distribution(variance, law):
    y = np.random.default_rng(7).normal(5, 2, size=300)
    found = reconstruct(y, variance, law=law)
    assert found.shares.sum() == pytest.approx(1)
    assert np.all(found.shares >= 0)
    assert len(found.points) <= MOST_POINTS
    assert found.mean == pytest.approx(y.mean(), abs=1)
    one = reconstruct([3.0], variance, law=law)
    assert one.mean == pytest.approx(3)


def test_far_outliers_are_kept():
    y = np.append(np.random.default_rng(8).normal(size=999), 1e6)
    found = reconstruct(y, 1.0)
    assert found.shares[-1] == pytest.approx(1e-3, rel=0.01)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([], 1.0), {}, "at least one"),
        (([[1.0, 2.0]], 1.0), {}, "one list"),
        (([1.0, np.nan], 1.0), {}, "missing or infinite"),
        (([1.0, 2.0], -1.0), {}, "not negative"),
        (([1.0, 2.0], np.inf), {}, "finite"),
        (([1.0, 2.0], 1.0), {"law": "cauchy"}, "gaussian, uniform"),
        (([1.0, 2.0], 1.0), {"tolerance": 0.0}, "must be positive"),
        (([1.0, 2.0], 1.0), {"most_steps": 0}, "at least one step"),
    ],
)
def test_wrong_arguments_are_refused(arguments, options, words):
    with pytest.raises(ValueError, match=words):
        reconstruct(*arguments, **options)


def test_every_value_needs_a_class():
    with pytest.raises(ValueError, match="3 values but 2 classes"):
        reconstruct_by_class([1.0, 2.0, 3.0], ["a", "b"], 1.0)


@pytest.mark.parametrize("law", LAWS)
def test_columns_together_are_what_each_is_alone(law):
    """Columns on coarse and fine grids, on wide ones (whose kernel is sparse) and without noise, in one table."""
    rng = np.random.default_rng(9)
    classes = rng.choice(["a", "b"], size=600)
    x = np.column_stack([rng.normal(size=600), 3 * rng.random(600), rng.choice([0.0, 1.0], 600), rng.normal(size=600)])
    x = np.column_stack([x, np.where(np.arange(600) < 5, 400.0, 0.0) + x[:, 0]])
    variances = np.array([0.25, 1.0, 4.0, 0.0, 1.0])
    y = x + np.sqrt(variances) * rng.normal(size=x.shape)
    found = reconstruct_columns(y, classes, variances, law=law)
    assert len(found) == 5
    assert len({len(one["a"].points) for one in found}) == 5
    assert len(found[4]["a"].points) > 384 > len(found[2]["a"].points)
    for column, variance, together in zip(y.T, variances, found, strict=True):
        for name, alone in reconstruct_by_class(column, classes, variance, law=law).items():
            np.testing.assert_array_equal(together[name].points, alone.points)
            np.testing.assert_allclose(together[name].shares, alone.shares, rtol=1e-6, atol=1e-12)
            assert (together[name].steps, together[name].converged) == (alone.steps, alone.converged)
            np.testing.assert_allclose(together[name].log_likelihood, alone.log_likelihood, rtol=1e-9)


def test_a_table_needs_a_class_for_each_row_and_a_variance_for_each_column():
    table = np.arange(6.0).reshape(3, 2)
    for classes, variances in ((["a", "b"], [1.0, 1.0]), (["a", "b", "a"], [1.0])):
        with pytest.raises(ValueError, match="a class for each row and a variance for each column"):
            reconstruct_columns(table, classes, variances)
