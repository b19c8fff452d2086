"""Several copies and one attacker: nested copies add nothing to the best one, for any attacker."""

import numpy as np
import pytest
from engine_references import binary_bayes_error, joint_posterior, mixed

from trustscope.engine.attacks import reconstruction as attacks
from trustscope.engine.attacks.reconstruction import ATTACKERS
from trustscope.engine.gaussian import GaussianRelease
from trustscope.engine.noise import noise_covariance
from trustscope.engine.shapes import noise_shape

LEVELS = [0.8, 0.3, 2.0]
every = pytest.mark.parametrize("name", list(ATTACKERS))


def released(scheme, shape=None, rows=4000, key=1):
    data = mixed(np.random.default_rng(key), rows, 4)
    release = GaussianRelease(data, scheme=scheme, covariance=shape, key=key)
    return data, [release.copy(level=s) for s in LEVELS], [s * release.covariance for s in LEVELS], release


def mse(x, estimate):
    return float(np.mean((x - estimate) ** 2))


def stacked(copies, sigma, shape, covariance, mean):
    """The best linear estimate from all copies side by side, with all its matrices."""
    count, columns = len(copies), len(covariance)
    h = np.kron(np.ones((count, 1)), np.eye(columns))
    gain = covariance @ h.T @ np.linalg.inv(h @ covariance @ h.T + np.kron(sigma, shape))
    return (np.hstack(copies) - h @ mean) @ gain.T + mean


@pytest.mark.parametrize("similarity", [1.0, 0.3, -0.7])
@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_the_combined_copy_says_all_that_the_copies_say_together(scheme, similarity):
    covariance = np.cov(mixed(np.random.default_rng(1), 4000, 4).T)
    data, copies, noises, release = released(scheme, noise_shape(covariance, similarity))
    known = {"covariance": np.cov(data.T), "mean": data.mean(axis=0)}
    estimate = attacks.coalition(attacks.bayes, copies, noises, scheme=scheme, **known)
    full = stacked(copies, noise_covariance(LEVELS, scheme), release.covariance, known["covariance"], known["mean"])
    np.testing.assert_allclose(estimate, full, rtol=1e-7, atol=1e-7)
    alone = attacks.bayes(copies[1], noises[1], **known)
    if scheme == "nested":
        np.testing.assert_array_equal(estimate, alone)
    else:
        assert mse(data, estimate) < 0.8 * mse(data, alone)


@every
def test_using_all_nested_copies_gives_nothing(name):
    attack = ATTACKERS[name].function
    shape = np.diag([1.0, 2.0, 3.0, 4.0])
    data, copies, noises, _ = released("nested", shape)
    best = mse(data, attack(copies[1], noises[1]))
    assert mse(data, attacks.coalition(attack, copies, noises)) == best
    # Any other average of the copies holds more noise: w' Sigma w >= the least level.
    rng = np.random.default_rng(2)
    for weights in rng.dirichlet(np.ones(3), size=5):
        average = sum(w * copy for w, copy in zip(weights, copies, strict=True))
        level = weights @ noise_covariance(LEVELS, "nested") @ weights
        assert level >= min(LEVELS)
        assert mse(data, attack(average, level * shape)) > best
    # Independent noise is where it would have paid.
    data, copies, noises, _ = released("independent", shape)
    assert mse(data, attacks.coalition(attack, copies, noises, scheme="independent")) < 0.85 * mse(
        data, attack(copies[1], noises[1])
    )


def test_independent_noise_of_different_shapes():
    rng = np.random.default_rng(3)
    data = mixed(rng, 20_000, 3)
    shapes = [np.diag([1.0, 4.0, 9.0]), 2.0 * np.eye(3) + 0.5, [3.0, 0.5, 1.0]]
    full = [np.diag(s) if np.ndim(s) == 1 else s for s in shapes]
    copies = [data + rng.normal(size=data.shape) @ np.linalg.cholesky(s).T for s in full]
    average, noise = attacks.combine(copies, shapes, "independent")
    np.testing.assert_allclose(noise, np.linalg.inv(sum(np.linalg.inv(s) for s in full)))
    # 6 second moments within 6 standard errors each: a false alarm in 1e-8.
    np.testing.assert_allclose(np.cov((average - data).T), noise, atol=6 * noise.max() * np.sqrt(2 / 20_000))
    singular = [np.diag([1.0, 0.0, 1.0]), np.eye(3)]
    with pytest.raises(ValueError, match="one of them singular"):
        attacks.combine(copies[:2], singular, "independent")


def test_proportional_copies_give_the_data_away():
    data, copies, noises, _ = released("proportional")
    average, noise = attacks.combine(copies, noises, "proportional")
    np.testing.assert_allclose(average, data, atol=1e-9)
    np.testing.assert_allclose(noise, 0, atol=1e-12)
    same, noise = attacks.combine([copies[0], copies[0]], [noises[0]] * 2, "proportional")
    np.testing.assert_array_equal(same, copies[0])
    np.testing.assert_allclose(noise, noises[0])
    with pytest.raises(ValueError, match="one shape"):
        attacks.combine(copies[:2], [noises[0], np.eye(4)], "proportional")


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
def test_a_copy_without_noise_is_taken_and_one_copy_is_itself(scheme):
    data, copies, noises, _ = released(scheme)
    best, noise = attacks.combine([copies[0], data], [noises[0], 0.0], scheme)
    np.testing.assert_array_equal(best, data)
    assert not noise.any()
    np.testing.assert_array_equal(attacks.combine(copies[:1], noises[:1], scheme)[0], copies[0])


def test_coalitions_refuse_what_does_not_fit():
    y = np.zeros((3, 2))
    with pytest.raises(ValueError, match="2 copies but 1 noise"):
        attacks.combine([y, y], [1.0])
    with pytest.raises(ValueError, match="same rows and columns"):
        attacks.combine([y, y[:2]], [1.0, 2.0])
    with pytest.raises(ValueError, match="0 copies"):
        attacks.combine([], [])


# Beyond linear attackers


def signs(scheme, rows=40_000, levels=(1.0, 2.0)):
    x = np.random.default_rng(4).choice([-1.0, 1.0], size=rows)
    release = GaussianRelease(x, scheme=scheme, covariance=[[1.0]], key=5)
    return x, np.stack([release.copy(level=s) for s in levels]), noise_covariance(levels, scheme)


BINARY = ([-1.0, 1.0], [0.5, 0.5])


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_the_combined_copy_says_to_every_estimator_what_all_copies_say(scheme):
    rng = np.random.default_rng(6)
    sigma = noise_covariance(LEVELS, scheme)
    copies = rng.normal(100, 2, size=(3, 20))
    law = np.linspace(92, 108, 40), rng.dirichlet(np.ones(40))
    released, noise = attacks.combine(copies, LEVELS, scheme)
    together = joint_posterior(copies, sigma, *law)
    np.testing.assert_allclose(joint_posterior([released], noise, *law), together, rtol=1e-9)
    # One copy of another level says something else.
    assert np.abs(joint_posterior(copies[:1], sigma[:1, :1], *law) - together).max() > 0.1


def test_the_joint_posterior_of_nested_copies_is_that_of_the_best():
    x, copies, sigma = signs("nested")
    together = joint_posterior(copies, sigma, *BINARY)
    np.testing.assert_allclose(together, np.tanh(copies[0]), atol=1e-12)
    square = (x - together) ** 2
    # 5 standard errors: a false alarm in 1e-6. It is far below the 0.5 of every linear attacker.
    assert abs(square.mean() - binary_bayes_error([[1.0]])) < 5 * square.std() / np.sqrt(x.size)
    assert binary_bayes_error([[1.0]]) == pytest.approx(0.45, abs=1e-3)


def test_the_joint_posterior_of_independent_copies_gains():
    x, copies, sigma = signs("independent")
    square = (x - joint_posterior(copies, sigma, *BINARY)) ** 2
    spread = square.std() / np.sqrt(x.size)
    assert abs(square.mean() - binary_bayes_error(sigma)) < 5 * spread
    assert square.mean() < binary_bayes_error([[1.0]]) - 5 * spread


def test_an_estimated_density_does_nearly_as_well():
    x, copies, _ = signs("nested")
    estimate = attacks.coalition(attacks.univariate, copies, (1.0, 2.0))
    assert mse(x, estimate) == pytest.approx(binary_bayes_error([[1.0]]), rel=0.03)
