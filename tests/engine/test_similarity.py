"""Correlation dissimilarity, as printed and as a root mean square."""

import numpy as np
import pytest
from engine_references import mixed

from trustscope.engine.measures import correlation_dissimilarity
from trustscope.engine.shapes import noise_shape


def slow(x, r, inside):
    """Definition 8.1 written out."""
    a, b, size = np.corrcoef(x.T), np.corrcoef(r.T), x.shape[1]
    total = sum((a[i, j] - b[i, j]) ** 2 for i in range(size) for j in range(size) if i != j)
    pairs = size**2 - size
    return np.sqrt(total / pairs) if inside else np.sqrt(total) / pairs


def test_both_kinds_equal_the_definition():
    rng = np.random.default_rng(1)
    x, r = mixed(rng, 200, 4), mixed(rng, 300, 4)
    assert correlation_dissimilarity(x, r) == pytest.approx(slow(x, r, False))
    assert correlation_dissimilarity(x, r, kind="rms") == pytest.approx(slow(x, r, True))
    by_matrix = correlation_dissimilarity(np.cov(x.T), np.cov(r.T), covariances=True)
    assert by_matrix == pytest.approx(correlation_dissimilarity(x, r))
    assert correlation_dissimilarity(x, 5 * x + 3) == pytest.approx(0, abs=1e-12)


def test_only_the_root_mean_square_stays_as_attributes_are_added():
    for size in (2, 10, 50):
        x, noise = np.full((size, size), 0.5) + 0.5 * np.eye(size), np.eye(size)
        assert correlation_dissimilarity(x, noise, kind="rms", covariances=True) == pytest.approx(0.5)
        printed = correlation_dissimilarity(x, noise, covariances=True)
        assert printed == pytest.approx(0.5 / np.sqrt(size**2 - size))


def test_it_grows_from_the_datas_shape_to_the_opposite():
    own = np.cov(mixed(np.random.default_rng(2), 300, 5).T)
    found = [
        correlation_dissimilarity(own, noise_shape(own, t), kind="rms", covariances=True) for t in np.linspace(1, -1, 9)
    ]
    assert found[0] == pytest.approx(0, abs=1e-12)
    assert np.all(np.diff(found) > 0)


def test_constant_and_single_attributes():
    x = np.column_stack([np.arange(10.0), np.full(10, 0.1), np.arange(10.0) ** 2])
    r = np.random.default_rng(3).normal(size=(10, 3))
    assert np.isfinite(correlation_dissimilarity(x, r))
    assert correlation_dissimilarity(x[:, :1], r[:, :1]) == 0


def test_wrong_arguments_are_refused():
    x = np.eye(3)
    with pytest.raises(ValueError, match="printed, rms"):
        correlation_dissimilarity(x, x, kind="other")
    with pytest.raises(ValueError, match="3 and 2"):
        correlation_dissimilarity(x, x[:, :2])
    with pytest.raises(ValueError, match="One row"):
        correlation_dissimilarity(x[:1], x)
    with pytest.raises(ValueError, match="square"):
        correlation_dissimilarity(x[:2], x, covariances=True)
    with pytest.raises(ValueError, match="finite"):
        correlation_dissimilarity(x * np.nan, x)
