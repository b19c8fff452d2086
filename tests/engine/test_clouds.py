"""Laying a release over a sample, where principal axes are wrong."""

from dataclasses import replace

import numpy as np
import pytest

from trustscope.engine.attacks import known_sample
from trustscope.engine.attacks.known_input import KnowsSample
from trustscope.engine.rotation import RotationRelease, random_projection


def lopsided(rows, seed):
    """Records that look different from each side."""
    return np.random.default_rng(seed).exponential(size=(rows, 3)) * [3.0, 2.0, 1.0]


@pytest.mark.parametrize("length", [0.0, 5.0])
def test_it_mends_axes_that_are_mirrored_and_mixed(length):
    """The start is wrong by one sign and a twentieth of a turn. Fixed keys."""
    x, sample, shifted = lopsided(300, 1), lopsided(250, 2), bool(length)
    release = RotationRelease(x, translation=length, key=3)
    start = known_sample.attack(sample, release.released, translated=True, search="polynomial")
    turn = np.array([[np.cos(0.3), -np.sin(0.3), 0], [np.sin(0.3), np.cos(0.3), 0], [0, 0, 1]])
    wrong = replace(start, signs=start.signs * [1, -1, 1], sample_axes=start.sample_axes @ turn)
    laid = known_sample.overlay(sample, release.released, wrong, shifted=shifted)
    rows = release.secret.permutation
    by_axes, by_points = (
        float(((guess[rows] - x) ** 2).mean() / x.var())
        for guess in (wrong.estimate(release.released), laid.turn_back(release.released))
    )
    assert by_points < 0.05 < 0.3 < by_axes
    np.testing.assert_allclose(laid.matrix @ laid.matrix.T, np.eye(3), atol=1e-9)


def test_large_and_small_numbers_and_one_column():
    x, sample = lopsided(60, 1), lopsided(50, 2)
    for scale in (1e90, 1e-90):
        release = RotationRelease(scale * x, key=3)
        start = known_sample.attack(scale * sample, release.released, search="polynomial")
        assert np.isfinite(
            known_sample.overlay(scale * sample, release.released, start).turn_back(release.released)
        ).all()
    one, other = x[:, :1], sample[:, :1]
    start = known_sample.attack(other, -one, search="polynomial")
    assert abs(known_sample.overlay(other, -one, start).matrix[0, 0]) == pytest.approx(1.0)


def test_lengths_through_a_matrix_of_ones_own():
    """The logarithm of a length has the mean and variance of that of a chi-square: 4 standard errors at a fixed key, a
    false alarm once in 16 000 times; so records of two lengths are told apart where there are columns enough."""
    rng = np.random.default_rng(4)
    x, sample = (np.where(rng.random((rows, 1)) < 0.5, 1.0, 3.0) * [[1.0, 0.0]] for rows in (400, 300))
    sample, x = sample + 1e-3 * rng.standard_normal(sample.shape), x + 1e-3 * rng.standard_normal(x.shape)
    knows = KnowsSample(sample, 50, fresh=True, within=[0.1, 0.1])
    guess = knows.guesses(random_projection(x, 50, fresh=True, key=1).released)
    assert len(guess) == 1
    assert np.mean(np.abs(guess[0][:, 0] - x[:, 0]) <= 0.1) > 0.99
    with pytest.raises(ValueError, match="sample"):
        KnowsSample(np.zeros((1, 2)), 50)
