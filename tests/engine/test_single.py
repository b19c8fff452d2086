"""The strongest attacker on one column, exactly: against brute force and closed forms."""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import norm

from tests.engine.engine_columns import rng, spiky
from trustscope.engine.attacks.optimal import common_window
from trustscope.engine.attacks.optimal.cells import Cells, cells_of
from trustscope.engine.attacks.optimal.mixture import Mixture, Windows, moments_of
from trustscope.engine.attacks.optimal.single import _guessed, single, smoothed


def test_a_column_alone_is_integrated_as_by_brute_force():
    values, shares = np.array([0.0, 1.0, 2.0, 5.0, 9.0]), np.array([0.4, 0.1, 0.2, 0.25, 0.05])
    believed = np.array([0.3, 0.2, 0.2, 0.2, 0.1])
    sigma, d = 1.3, 1.0
    found = single(Cells(values, 0.0), believed, values, shares, sigma, [d])
    copies = np.linspace(-9, 18, 4_001)
    density = norm.pdf(copies[:, None], values, sigma)
    hits = error = 0.0
    for chances in density:
        weight = believed * chances
        windows = [weight[(values >= v) & (values <= v + 2 * d)].sum() for v in values]
        first = int(np.argmax(windows))
        inside = (values >= values[first]) & (values <= values[first] + 2 * d)
        chance = shares * chances * (copies[1] - copies[0])
        hits += chance[inside].sum()
        error += chance @ (values - weight @ values / weight.sum()) ** 2
    assert found.hits[0] == pytest.approx(hits, abs=0.004)
    assert found.error == pytest.approx(error, abs=1e-4)
    assert found.risks[0] @ shares == pytest.approx(found.hits[0])


@pytest.mark.parametrize("sigma", [0.02, 0.3])
def test_with_little_noise_what_lies_far_away_may_be_left_out(sigma, monkeypatch):
    """Of 60 values with a long tail a copy sees the few around it; here all are added up over all copies."""
    monkeypatch.setattr(f"{single.__module__}.BLOCK", 600)  # ten copies at a time: with more values it is no more
    values = np.unique(np.round(np.exp(rng("tail").normal(0, 1.5, 60)), 3))
    shares = np.arange(1.0, len(values) + 1) / np.arange(1.0, len(values) + 1).sum()
    believed, d = shares[::-1].copy(), sigma / 2
    believed[-3] = 0.0  # somebody far out has what nobody is believed to have
    found = single(Cells(values, 0.0), believed, values, shares, sigma, [d])
    copies = np.unique(np.round(values[:, None] / sigma + np.linspace(-6, 6, 481), 3)) * sigma
    weight = np.exp(-0.5 * ((copies[:, None] - values) / sigma) ** 2)
    chance = shares * weight * np.gradient(copies)[:, None] / (sigma * np.sqrt(2 * np.pi))
    inside = (values >= values[:, None]) & (values <= values[:, None] + 2 * d)
    mass = weight * believed
    total = mass.sum(axis=1)
    best, guess = inside[(mass @ inside.T).argmax(axis=1)], (mass @ values) / np.where(total > 0, total, 1.0)
    # Too far from all that is believed possible: the copy is the guess.
    lost = np.abs(copies[:, None] - values[believed > 0]).min(axis=1) > 5 * sigma
    best[lost], guess[lost] = np.abs(values - copies[lost, None]) <= d, copies[lost]
    assert (chance * best).sum() == pytest.approx(found.hits[0], abs=0.01)
    assert (chance * (values - guess[:, None]) ** 2).sum() == pytest.approx(found.error, rel=0.01)


@pytest.mark.parametrize(("value", "d"), [(23.0, 8.0), (37.0, 8.0), (20.0, 8.0), (10.0, 0.5), (60.0, 0.5)])
def test_somebody_with_a_value_of_nobody_known_is_guessed_by_where_the_copy_lies(value, d):
    """Within 8 of 30 all windows that hold 30 are equally good by what is known, whatever the copy says. A copy that is
    further from 0 and 30 than noise takes it is itself the guess, and right as often as the noise is within d."""
    known, sigma = np.array([0.0, 30.0]), 1.0
    values, shares = np.unique([*known, value]), np.full(3, 1 / 3)
    found = single(Cells(values, 0.0), np.where(values == value, 0.0, 0.5), values, shares, sigma, [d])
    # The grid of copies has eight points in a standard deviation.
    assert found.risks[0, values == value][0] == pytest.approx(2 * ndtr(d / sigma) - 1, abs=0.06 if d < sigma else 1e-3)
    references = np.repeat(known, 50)[:, None]
    mixture = Mixture(references, np.array([[sigma**2]]), moments_of(references), target=0)
    copies = value + sigma * np.linspace(-3, 3, 7)[:, None]
    guesses = Windows(mixture, cells_of(references[:, 0], d), np.array([d])).guess(copies)
    assert np.array_equal(np.abs(guesses.windows[:, 0] - value) <= d, np.abs(copies[:, 0] - value) <= d)
    np.testing.assert_allclose(guesses.chances, 1.0, rtol=1e-5)
    strange = np.abs(copies - known).min(axis=1) > 5 * sigma
    assert (np.abs(guesses.windows[~strange, 0] - 30) <= d * (1 + 1e-9)).all()
    assert np.array_equal(guesses.windows[strange], copies[strange])


@pytest.mark.parametrize("order", [1, -1])
def test_values_in_windows_are_added_up_as_by_counting(order):
    """Also where windows do not move up with the copies: then all copies are gone through."""
    draw = rng("guessed")
    v, d = np.unique(np.round(draw.normal(0, 5, 40))), 2.0
    middle, chance = np.sort(draw.normal(0, 5, 90))[::order], draw.random((90, len(v)))
    seen = np.vstack([np.zeros(len(v)), np.cumsum(chance, axis=0)])
    slow = (chance * (np.abs(v - middle[:, None]) <= d)).sum(axis=0)
    np.testing.assert_allclose(_guessed(v, d, middle, chance, seen), slow, atol=1e-12)


def test_a_normal_column_gives_the_closed_forms():
    quantiles = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    cells = cells_of(quantiles, 0.25)
    level = 0.8
    found = single(cells, cells.shares(quantiles), cells.values, cells.shares(quantiles), np.sqrt(level), [0.25])
    left = level / (1 + level)
    assert found.error == pytest.approx(left, abs=0.002)
    assert found.hits[0] == pytest.approx(2 * ndtr(0.25 / np.sqrt(left)) - 1, abs=0.004)


def test_without_a_copy_the_best_constant_is_guessed_and_with_the_original_everything():
    x = spiky(3_000)[:, 0]
    cells = cells_of(x, 5)
    shares = cells.shares(x)
    assert single(cells, shares, cells.values, shares, np.inf, [5]).hits[0] == pytest.approx(common_window(x, 5)[1])
    assert single(cells, shares, cells.values, shares, 0.0, [5]).hits[0] == 1


def test_smoothing_keeps_mean_and_variance():
    x = rng("smooth").gamma(2.0, size=4_000)
    cells = cells_of(np.linspace(-6, 20, 5_000), 0.3)
    for share in (0.1, 0.5, 1.0):
        q = smoothed(cells, cells.shares(x), share)
        assert q.sum() == pytest.approx(1)
        assert q @ cells.values == pytest.approx(x.mean(), abs=0.02)
        assert np.sqrt(q @ (cells.values - q @ cells.values) ** 2) == pytest.approx(x.std(), rel=0.02)
