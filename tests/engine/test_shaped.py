"""The linear attack under noise of any shape, against the textbook formula over all copies at once."""

import numpy as np
import pytest

from trustscope.engine import keys, measures, shapes
from trustscope.engine.attacks import llse
from trustscope.engine.attacks.combining import combined, combining_weights, effective_level
from trustscope.engine.attacks.shaped import ShapedNoise
from trustscope.engine.noise import factor, noise_covariance
from trustscope.engine.path import PathRelease

LEVELS = (0.25, 1.0, 3.0)
COVARIANCE = np.array([[4.0, 1.5, -0.4], [1.5, 9.0, 2.0], [-0.4, 2.0, 1.0]])


def textbook(levels, scheme, covariance, shape):
    """Eq. 6 of Li et al. (2012) on the stacked copies: error covariance and the map from copies to estimate."""
    count, size = len(levels), len(covariance)
    stack = np.kron(np.ones((count, 1)), np.eye(size))
    everything = stack @ covariance @ stack.T + np.kron(noise_covariance(levels, scheme), shape)
    towards = covariance @ stack.T @ np.linalg.pinv(everything, hermitian=True)
    return covariance - towards @ stack @ covariance, towards


@pytest.mark.parametrize("scheme", ["nested", "independent"])
@pytest.mark.parametrize("similarity", [-1.0, -0.3, 0.0, 0.6, 1.0])
def test_against_the_textbook(scheme, similarity):
    shape = shapes.noise_shape(COVARIANCE, similarity)
    error, towards = textbook(LEVELS, scheme, COVARIANCE, shape)
    noise = ShapedNoise(COVARIANCE, shape)
    level = effective_level(LEVELS, scheme)
    np.testing.assert_allclose(noise.errors(level), np.diag(error), atol=1e-10)
    rng = np.random.default_rng(3)
    copies = rng.normal(size=(3, 20, 3))
    mean = np.array([1.0, -2.0, 0.5])
    attack = noise.attack(LEVELS, scheme, mean)
    slow = mean + np.hstack(list(copies - mean)) @ towards.T
    np.testing.assert_allclose(attack.estimate(copies), slow, atol=1e-9)
    # Bias and noise of the estimate make up its error.
    bias = attack.gain - np.eye(3)
    np.testing.assert_allclose(bias.T @ COVARIANCE @ bias + attack.noise, error, atol=1e-10)
    np.testing.assert_allclose(attack.bias(mean + np.eye(3)), bias, atol=1e-12)


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
def test_the_datas_own_shape_is_the_scalar_case(scheme):
    noise = ShapedNoise(COVARIANCE, COVARIANCE)
    scalar = llse.coalitions(LEVELS, scheme)
    np.testing.assert_allclose(noise.coalitions(LEVELS, scheme), np.outer(scalar, np.diag(COVARIANCE)), atol=1e-12)
    copies = np.random.default_rng(1).normal(size=(3, 5, 3))
    expected = llse.perfect(LEVELS, scheme, np.ones(3)).estimate(copies)
    np.testing.assert_allclose(noise.attack(LEVELS, scheme, np.ones(3)).estimate(copies), expected, atol=1e-9)
    assert combining_weights(LEVELS, scheme).sum() == pytest.approx(1)


def test_every_coalition_by_itself():
    shape = shapes.opposite(COVARIANCE)
    noise = ShapedNoise(COVARIANCE, shape)
    table = noise.coalitions(LEVELS, "independent")
    np.testing.assert_allclose(table[0], np.diag(COVARIANCE))
    for mask in range(1, 8):
        who = [LEVELS[i] for i in llse.members(mask, 3)]
        np.testing.assert_allclose(table[mask], np.diag(textbook(who, "independent", COVARIANCE, shape)[0]), atol=1e-10)


def test_useless_copies_are_not_even_read():
    attack = ShapedNoise(COVARIANCE, np.eye(3)).attack(LEVELS, "nested", np.zeros(3))
    assert combined([np.ones((2, 3)), None, None], attack.weights).sum() == 6
    with pytest.raises(ValueError, match="3 levels but 1 copies"):
        attack.estimate([np.ones((2, 3))])


@pytest.mark.parametrize("level", [0.0, 1e-9, 1e9])
def test_singular_shapes_and_far_levels(level):
    flat = np.diag([4.0, 1.0, 0.0])
    for covariance, shape in [(flat, np.eye(3)), (COVARIANCE, flat), (flat, flat), (np.zeros((3, 3)), flat)]:
        noise = ShapedNoise(covariance, shape)
        errors = noise.errors(level)
        assert np.all(np.isfinite(errors))
        assert np.all((errors >= -1e-12) & (errors <= np.diag(covariance) + 1e-9))
        assert np.all(np.isfinite(noise.attack([level], "nested", np.zeros(3)).gain))
    # A direction without noise is known exactly, whatever the level.
    assert ShapedNoise(np.eye(3), flat).errors(level)[2] == pytest.approx(0, abs=1e-9)


def test_units_do_not_matter():
    units = np.array([1e6, 1.0, 1e-6])
    scale = np.outer(units, units)
    shape = shapes.white(COVARIANCE)
    plain = ShapedNoise(COVARIANCE, shape).errors(0.7)
    np.testing.assert_allclose(ShapedNoise(COVARIANCE * scale, shape * scale).errors(0.7), plain * units**2, rtol=1e-9)


def test_measured_error_mean_excess_and_breach():
    """Within 4 standard errors over 400 samples or 60 000 rows; a false alarm once in 16 000 for each of 9 figures."""
    rng = keys.generator(keys.stream(8, "shaped"), 0)
    shape = shapes.white(COVARIANCE)
    noise, level, rows = ShapedNoise(COVARIANCE, shape), 0.8, 60_000
    x = rng.standard_normal((rows, 3)) @ factor(COVARIANCE).T
    y = x + np.sqrt(level) * rng.standard_normal((rows, 3)) @ factor(shape).T
    attack = noise.attack([level], "nested", np.zeros(3))
    square = (attack.estimate([y]) - x) ** 2
    assert np.all(np.abs(square.mean(axis=0) - noise.errors(level)) < 4 * square.std(axis=0) / np.sqrt(rows))
    # The wrong shape is told apart.
    wrong = ShapedNoise(COVARIANCE, COVARIANCE).errors(level)
    assert np.any(np.abs(square.mean(axis=0) - wrong) > 10 * square.std(axis=0) / np.sqrt(rows))
    hit = np.abs(attack.estimate([y])[:, 0] - x[:, 0]) <= 0.5
    chance = measures.normal_breach(attack.bias(x)[:, 0], attack.noise[0, 0], 0.5)
    assert abs(hit.mean() - chance) < 4 * np.sqrt(chance * (1 - chance) / rows)
    n = 50
    means = y[: 400 * n].reshape(400, n, 3).mean(axis=1)
    lost = (means @ (np.eye(3) - attack.gain)) ** 2
    excess = noise.mean_excess(level, n)
    assert np.all(np.abs(lost.mean(axis=0) - excess) < 4 * lost.std(axis=0) / 20)
    assert llse.expected_error_structured([level], n=n) - level / (1 + level) == pytest.approx(
        ShapedNoise(np.eye(1), np.eye(1)).mean_excess(level, n)[0]
    )


def test_the_raw_attacker_uses_the_shape():
    rng = np.random.default_rng(2)
    shape = shapes.opposite(COVARIANCE)
    x = rng.standard_normal((200_000, 3)) @ factor(COVARIANCE).T
    noise = rng.standard_normal(x.shape) @ factor(shape).T
    copies = [x + noise, x + noise + rng.standard_normal(x.shape) @ factor(shape).T]
    error = ((llse.raw(copies, [1.0, 2.0], shape).estimate(copies) - x) ** 2).mean(axis=0)
    np.testing.assert_allclose(error, ShapedNoise(COVARIANCE, shape).errors(1.0), rtol=0.03)
    blind = ((llse.raw(copies, [1.0, 2.0]).estimate(copies) - x) ** 2).mean(axis=0)
    assert blind.sum() > 1.1 * error.sum()


@pytest.mark.parametrize("similarity", [-1.0, 0.0, 1.0])
def test_guesses_at_many_levels_at_once(similarity):
    joint = ShapedNoise(COVARIANCE, shapes.noise_shape(COVARIANCE, similarity))
    x, mean = keys.rng(3, "records").normal(size=(20, 3)) * 3, np.array([1.0, -2.0, 0.5])
    levels = np.array([0.0, 0.1, 1.0, 30.0])
    for attribute in range(3):
        bias, variance = joint.bias_and_variance(x, mean, attribute, levels)
        for place, level in enumerate(levels):
            one = joint.attack([level], "nested", mean)
            np.testing.assert_allclose(bias[:, place], one.bias(x)[:, attribute], atol=1e-9)
            np.testing.assert_allclose(variance[place], one.noise[attribute, attribute], atol=1e-9)


def test_a_path_under_another_shape():
    data = np.random.default_rng(0).normal(size=(3_000, 3))
    shape = shapes.white(COVARIANCE)
    release = PathRelease(data, covariance=COVARIANCE, ladder=[0.5, 1.0, 2.0], key=4)
    other = release.reshaped(shape)
    fresh = PathRelease(data, covariance=shape, ladder=[0.5, 1.0, 2.0], key=4)
    before = release.copy(1.0)
    np.testing.assert_array_equal(other.copy(1.0), fresh.copy(1.0))
    np.testing.assert_array_equal(release.copy(1.0), before)
    np.testing.assert_array_equal(other.reshaped(COVARIANCE).copy(1.0), before)
    with pytest.raises(ValueError, match="3 x 3"):
        release.reshaped(np.eye(2))
