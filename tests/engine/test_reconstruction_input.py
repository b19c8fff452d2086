"""What the five attackers make of bad input: a sensible estimate, or a sentence."""

import numpy as np
import pandas as pd
import pytest
from engine_references import mixed
from test_reconstruction import drawn, mse

from trustscope.engine.attacks import reconstruction as attacks
from trustscope.engine.attacks.reconstruction import ATTACKERS
from trustscope.engine.attacks.reconstruction.univariate import univariate

every = pytest.mark.parametrize("name", list(ATTACKERS))


@every
def test_fewer_rows_than_columns(name):
    x, y, _, _, _ = drawn([400.0] * 3 + [1.0] * 37, 25, key=14, noise=25.0)
    estimate = ATTACKERS[name].function(y, 25.0)
    assert np.all(np.isfinite(estimate))
    # At least as good as the released values, up to what 25 rows leave to chance.
    assert mse(x, estimate) < 1.1 * mse(x, y)


@every
def test_singular_covariances(name):
    x, y, covariance, mean, _ = drawn([30.0, 20.0, 0.0, 0.0], 3000, key=15, noise=4.0)
    attack = ATTACKERS[name].function
    for options in ({}, {"covariance": covariance, "mean": mean}):
        assert mse(x, attack(y, 4.0, **options)) < 1.05 * mse(x, y)
    # Noise along one direction only, and none at all: the rest is known.
    line = np.outer(np.ones(4), np.ones(4))
    y = x + np.random.default_rng(1).normal(size=(3000, 1))
    assert mse(x, ATTACKERS["bayes"].function(y, line)) < mse(x, y)
    assert np.all(np.isfinite(attack(y, line)))
    if name != "principal_components":
        np.testing.assert_allclose(attack(x, 0.0, keep=1.0) if name == "spectral_filter" else attack(x, 0.0), x)


@every
def test_a_constant_column(name):
    x, y, _, _, _ = drawn([30.0, 30.0, 30.0], 2000, key=16, noise=4.0)
    x, y = x.copy(), y.copy()
    y[:, 1] += 5 - x[:, 1]
    x[:, 1] = 5
    estimate = ATTACKERS[name].function(y, 4.0)
    assert mse(x, estimate) < 1.05 * mse(x, y)
    # Without noise on it, it is known to be constant.
    y[:, 1] = 5
    estimate = ATTACKERS[name].function(y, [4.0, 0.0, 4.0])
    np.testing.assert_allclose(estimate[:, 1], 5, atol=1e-9)


@every
def test_noise_larger_than_the_data(name):
    x, y, _, _, _ = drawn([1.0, 0.5, 0.1], 500, key=17, noise=400.0)
    estimate = ATTACKERS[name].function(y, 400.0)
    assert np.all(np.isfinite(estimate))
    assert mse(x, estimate) < 1.05 * mse(x, y)
    if name in ("bayes", "univariate"):
        assert mse(x, estimate) < 0.15 * mse(x, y)
    # The released rows vary less than the noise alone would: all that is left to guess is the mean.
    if name in ("principal_components", "bayes", "spectral_filter"):
        guess = ATTACKERS[name].function(y, 4000.0)
        np.testing.assert_allclose(guess, np.broadcast_to(y.mean(axis=0), y.shape), atol=1e-9)


@every
def test_one_column(name):
    rng = np.random.default_rng(18)
    x = rng.normal(size=1000) * 3
    y = x + rng.normal(size=1000)
    flat, table = ATTACKERS[name].function(y, 1.0), ATTACKERS[name].function(y[:, None], [[1.0]])
    assert flat.shape == (1000,)
    np.testing.assert_array_equal(table[:, 0], flat)
    assert mse(x, flat) < 1.02 * mse(x, y)


@every
def test_what_cannot_be_attacked_is_refused_in_a_sentence(name):
    attack = ATTACKERS[name].function
    y = np.arange(12.0).reshape(6, 2)
    for wrong, noise, words in [
        (np.array([[1.0, np.nan]]), 1.0, "missing or infinite"),
        (np.empty((0, 2)), 1.0, "at least one row and one column"),
        (np.zeros((2, 2, 2)), 1.0, "one or two dimensions"),
        (y, -1.0, "must not be negative"),
        (y, np.nan, "must be finite"),
        (y, [1.0, 2.0, 3.0], "2 x 2"),
        (y, [[1.0, 2.0], [2.0, 1.0]], "negative eigenvalues"),
        (y, [[1.0, 0.5], [0.0, 1.0]], "symmetric"),
    ]:
        with pytest.raises(ValueError, match=words):
            attack(wrong, noise)
    with pytest.raises(ValueError, match="finite number or 2"):
        attack(y, 1.0, [1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match="must be numbers"):
        attack([["a", "b"]], 1.0)
    if name in ("principal_components", "spectral_filter", "bayes"):
        with pytest.raises(ValueError, match="One row has no covariance"):
            attack(y[:1], 1.0)
    assert np.all(np.isfinite(attack(y[:1], 1.0, covariance=1.0, mean=0.0)))


def test_unknown_routes_and_laws_are_refused():
    with pytest.raises(ValueError, match="density, tweedie"):
        univariate([1.0, 2.0], 1.0, route="other")
    with pytest.raises(ValueError, match="gaussian, uniform"):
        univariate([1.0, 2.0], 1.0, law="cauchy")


@every
def test_what_was_released_is_not_changed_and_chunks_do_not_show(name, monkeypatch):
    _, y, _, _, _ = drawn([60.0, 40.0, 1.0, 0.5, 0.5], 1000, key=19, noise=4.0)
    y.flags.writeable = False
    whole = ATTACKERS[name].function(y, 4.0)
    monkeypatch.setattr("trustscope.engine.attacks.reconstruction.inputs.CHUNK", 77)
    np.testing.assert_allclose(ATTACKERS[name].function(y, 4.0), whole, rtol=1e-9, atol=1e-9)


def test_frames_are_taken():
    frame = pd.DataFrame(mixed(np.random.default_rng(20), 100, 3))
    np.testing.assert_array_equal(attacks.bayes(frame, 1.0), attacks.bayes(frame.to_numpy(), 1.0))
