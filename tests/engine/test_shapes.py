"""Noise between the data's own shape, white, and the opposite, at constant total."""

import numpy as np
import pytest
from engine_references import covariance_fits, mixed
from hypothesis import given
from hypothesis import strategies as st

from trustscope.engine import shapes
from trustscope.engine.attacks.reconstruction import bayes_error
from trustscope.engine.gaussian import GaussianRelease
from trustscope.engine.path import PathRelease

SIMILARITIES = (1.0, 0.6, 0.0, -0.4, -1.0)


def covariance(columns=5, key=1):
    return np.cov(mixed(np.random.default_rng(key), 500, columns).T)


@given(st.floats(-1, 1), st.integers(2, 6), st.floats(0.1, 1e4))
def test_total_and_eigenvectors_do_not_depend_on_the_similarity(similarity, columns, total):
    own = covariance(columns)
    noise = shapes.noise_shape(own, similarity, total=total)
    assert np.trace(noise) == pytest.approx(total)
    assert np.linalg.eigvalsh(noise).min() > -1e-9 * total
    np.testing.assert_allclose(noise @ own, own @ noise, atol=1e-9 * total * np.trace(own))


def test_the_three_fixed_points():
    own = covariance()
    values, vectors = np.linalg.eigh(own)
    np.testing.assert_allclose(shapes.own(own), own)
    np.testing.assert_allclose(shapes.white(own), np.trace(own) / 5 * np.eye(5), atol=1e-9)
    np.testing.assert_allclose(shapes.opposite(own), (vectors * values[::-1]) @ vectors.T, atol=1e-9)
    np.testing.assert_allclose(shapes.own(own, total=1.0), own / np.trace(own))


def test_eigenvalues_move_from_the_datas_through_white_to_the_opposite():
    values = np.array([8.0, 3.0, 1.0])
    paths = np.array([shapes.shaped_eigenvalues(values, t) for t in np.linspace(1, -1, 9)])
    np.testing.assert_allclose(paths[[0, 4, 8]], [values, [4.0] * 3, values[::-1]])
    assert np.all(np.diff(paths[:, 0]) < 0)
    assert np.all(np.diff(paths[:, 2]) > 0)


def test_the_bayes_attacker_gains_as_the_noise_leaves_the_data():
    own = np.diag(np.repeat([400.0, 4.0], [5, 5]))
    errors = [bayes_error(own, shapes.noise_shape(own, t, total=250)) for t in np.linspace(1, -1, 11)]
    assert np.all(np.diff(errors) < 0)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_a_release_takes_the_shape(similarity):
    data = mixed(np.random.default_rng(2), 20_000, 3)
    shape = shapes.noise_shape(np.cov(data.T), similarity)
    release = GaussianRelease(data, covariance=shape, key=3)
    noise = np.stack([release.noise(level=s) for s in (0.5, 2.0)])
    sigma = np.array([[0.5, 0.5], [0.5, 2.0]])
    assert covariance_fits(noise, sigma, shape)
    other = shapes.noise_shape(np.cov(data.T), 0.5 if similarity == 0 else -similarity)
    assert not covariance_fits(noise, sigma, other)
    path = PathRelease(data, ladder=[0.5, 2.0], covariance=shape, key=3)
    np.testing.assert_allclose(path.covariance, shape)


def test_standardised_shapes_follow_the_units():
    own = covariance()
    units = np.array([1.0, 1e-3, 50.0, 1e4, 1.0])
    for similarity in SIMILARITIES:
        noise = shapes.noise_shape(own, similarity, standardised=True)
        scaled = shapes.noise_shape(own * np.outer(units, units), similarity, standardised=True)
        np.testing.assert_allclose(scaled / np.outer(units, units), noise, rtol=1e-6, atol=1e-9)
        assert (np.diag(noise) / np.diag(own)).sum() == pytest.approx(5)
    np.testing.assert_allclose(shapes.own(own, standardised=True), own)
    np.testing.assert_allclose(shapes.white(own, standardised=True), np.diag(np.diag(own)), atol=1e-9)


def test_singular_constant_and_single_attributes():
    singular = np.diag([4.0, 1.0, 0.0])
    assert np.diag(shapes.opposite(singular)).tolist() == pytest.approx([0.0, 1.0, 4.0])
    assert shapes.own(singular, standardised=True)[2, 2] == 0
    for similarity in SIMILARITIES:
        np.testing.assert_allclose(shapes.noise_shape([[7.0]], similarity), [[7.0]])


def test_wrong_arguments_are_refused():
    for wrong in (1.5, -2.0, np.nan):
        with pytest.raises(ValueError, match="between -1 and 1"):
            shapes.noise_shape(np.eye(2), wrong)
    with pytest.raises(ValueError, match="symmetric"):
        shapes.noise_shape([[1.0, 2.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="negative eigenvalues"):
        shapes.noise_shape([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="at least one above zero"):
        shapes.noise_shape(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="without variance"):
        shapes.noise_shape(np.zeros((2, 2)), standardised=True)
    with pytest.raises(ValueError, match="total noise"):
        shapes.noise_shape(np.eye(2), total=-1.0)
    with pytest.raises(ValueError, match="largest down"):
        shapes.shaped_eigenvalues([1.0, 2.0], 0.0)
