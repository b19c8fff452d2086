"""The strongest attacker: against brute force, closed forms, and the attackers that it must not be behind."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import multivariate_normal, norm

from trustscope.engine import keys, measures
from trustscope.engine.attacks import llse
from trustscope.engine.attacks.combining import combined, combining_weights, effective_level
from trustscope.engine.attacks.optimal import (
    Finder,
    Knowledge,
    Limits,
    Strongest,
    breach_curve,
    common_window,
    exposure,
    record_curve,
    row_curve,
    single_curve,
)
from trustscope.engine.attacks.optimal.cells import Cells, cells_of, is_common
from trustscope.engine.attacks.optimal.curve import TRUSTS, level_of
from trustscope.engine.attacks.optimal.mixture import Mixture, Moments, Windows, mixture_of, moments_of
from trustscope.engine.attacks.optimal.single import _guessed, single, smoothed
from trustscope.engine.noise import noise_covariance
from trustscope.engine.shapes import noise_shape

# A third of the references is rehearsed on, once: more people there choose the manner a little better, and take most of
# the time. Standard errors are of the probes.
SMALL = Limits(references=1_024, probes=2_048, rehearsed=340)


def rng(*purpose):
    return keys.rng(28, "tests", *purpose)


def two_columns(rows=400):
    """Correlated, one of whole numbers with a spike, one with a tail."""
    draw = rng("two columns", rows)
    first = np.where(draw.random(rows) < 0.3, 40.0, np.round(draw.normal(38, 9, rows)))
    return np.column_stack([first, np.exp(draw.normal(0.02 * first, 0.6, rows))])


def spiky(rows, columns=3):
    """Columns on which a linear guess is weak: most people have one value, a few are far away."""
    draw = rng("spiky", rows)
    weeks = np.where(draw.random(rows) < 0.7, 52.0, np.round(draw.uniform(0, 52, rows)))
    gains = np.where(
        draw.random(rows) < 0.95, 0.0, np.where(draw.random(rows) < 0.1, 99_999.0, 500 * draw.random(rows))
    )
    age = np.round(np.clip(draw.normal(40, 15, rows) + 0.1 * weeks, 0, 95))
    return np.column_stack([weeks, gains, age])[:, :columns]


# One column, exactly


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
    lost = total == 0  # too far from all that is believed possible: the copy is the guess
    best[lost], guess[lost] = np.abs(values - copies[lost, None]) <= d, copies[lost]
    assert (chance * best).sum() == pytest.approx(found.hits[0], abs=0.01)
    assert (chance * (values - guess[:, None]) ** 2).sum() == pytest.approx(found.error, rel=0.01)


@pytest.mark.parametrize("value", [20.0, 23.0, 37.0])
def test_somebody_with_a_value_of_nobody_known_is_guessed_by_where_the_copy_lies(value):
    """Within 8 of 30 all windows that hold 30 are equally good by what is known, whatever the copy says."""
    known, d, sigma = np.array([0.0, 30.0]), 8.0, 1.0
    reached = abs(value - 30) <= 2 * d - 4 * sigma
    values, shares = np.unique([*known, value]), np.full(3, 1 / 3)
    found = single(Cells(values, 0.0), np.where(values == value, 0.0, 0.5), values, shares, sigma, [d])
    assert found.risks[0, values == value][0] == pytest.approx(1.0 if reached else 0.0, abs=1e-3)
    references = np.repeat(known, 50)[:, None]
    mixture = Mixture(references, np.array([[sigma**2]]), moments_of(references), target=0)
    copies = value + sigma * np.linspace(-3, 3, 7)[:, None]
    guesses = Windows(mixture, cells_of(references[:, 0], d), np.array([d])).guess(copies)
    assert (np.abs(guesses.windows[:, 0] - value) <= d).all() == reached
    np.testing.assert_allclose(guesses.chances, 1.0, rtol=1e-5)
    assert (np.abs(guesses.windows[:, 0] - 30) <= d * (1 + 1e-9)).all()


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


# Whole rows


def slow_posterior(references, noise, moments, smoothing, target, y):
    """Weights, means and variance of the target of every component, from the definition, one component at a time."""
    own, others = smoothing
    m = len(moments.mean)
    k = moments.covariance
    rest = [c for c in range(m) if c != target]
    b = k[rest, target] / k[target, target]
    left = k[np.ix_(rest, rest)] - np.outer(b, k[target, rest])
    spread = np.zeros((m, m))
    spread[target, target] = own**2 * k[target, target]
    spread[np.ix_(rest, rest)] = others**2 * left + np.outer(b, b) * spread[target, target]
    spread[target, rest] = spread[rest, target] = b * spread[target, target]
    law = multivariate_normal(cov=spread + noise)  # the same for all, but for its centre
    weights, means = [], []
    for x in references - moments.mean:
        centre = np.zeros(m)
        centre[target] = np.sqrt(1 - own**2) * x[target]
        centre[rest] = b * centre[target] + np.sqrt(1 - others**2) * (x[rest] - b * x[target])
        off = y - moments.mean - centre
        weights.append(law.logpdf(off))
        means.append(moments.mean[target] + centre[target] + spread[target] @ np.linalg.solve(spread + noise, off))
    weights = np.exp(np.array(weights) - max(weights))
    return weights / weights.sum(), np.array(means)


@pytest.mark.parametrize("smoothing", [(0.0, 0.0), (0.0, 0.4), (0.3, 0.7), (0.0, 1.0), (1.0, 1.0)])
@pytest.mark.parametrize("columns", [1, 2])
def test_the_posterior_is_that_of_the_definition(smoothing, columns):
    x = two_columns(60)[:, :columns]
    moments = moments_of(x)
    noise = 0.7 * moments.covariance
    y = x[:5] + 3.0
    mixture, slow = Mixture(x, noise, moments, smoothing, 0), []
    for row in range(5):
        weights, means = slow_posterior(x, noise, moments, smoothing, 0, y[row])
        slow.append(weights @ means)
        ((_, fast),) = mixture.blocks(y[row : row + 1])
        np.testing.assert_allclose(fast[:, 0] / fast[:, 0].sum(), weights, atol=2e-5)
        np.testing.assert_allclose(mixture.weights_of(y[row]), weights, atol=1e-9)
        shifted = mixture.positions[:, 0] + mixture.shift(y[row : row + 1])[0, 0]
        np.testing.assert_allclose(shifted, means, atol=1e-6)
    assert mixture.means(y)[:, 0] == pytest.approx(slow, abs=1e-3)


def test_windows_hold_most_of_the_posterior():
    x = two_columns(80)
    moments = moments_of(x)
    noise, d = 0.5 * moments.covariance, 4.0
    y = x[:20] + rng("windows").normal(0, 5, (20, 2))
    guesses = Windows(Mixture(x, noise, moments, (0.0, 0.3), 0), cells_of(x[:, 0], d), np.array([d])).guess(y)
    for row in range(20):
        weights, _ = slow_posterior(x, noise, moments, (0.0, 0.3), 0, y[row])
        best = max(weights[(x[:, 0] >= v) & (x[:, 0] <= v + 2 * d)].sum() for v in x[:, 0])
        assert guesses.chances[row, 0] == pytest.approx(best, abs=1e-4)
        inside = np.abs(x[:, 0] - guesses.windows[row, 0]) <= d + 1e-6
        assert weights[inside].sum() == pytest.approx(best, abs=1e-4)


def test_spread_windows_hold_most_of_the_posterior():
    x = two_columns(80)
    moments = moments_of(x)
    noise, d = 0.5 * moments.covariance, 4.0
    y = x[:8] + 2.0
    mixture = Mixture(x, noise, moments, (0.5, 0.7), 0)
    guesses = Windows(mixture, cells_of(x[:, 0], d), np.array([d])).guess(y)
    sd = np.sqrt(mixture.variance)
    centres = np.linspace(-20, 90, 2_201)
    for row in range(8):
        weights, means = slow_posterior(x, noise, moments, (0.5, 0.7), 0, y[row])
        mass = (ndtr((centres + d - means[:, None]) / sd) - ndtr((centres - d - means[:, None]) / sd)).T @ weights
        assert guesses.chances[row, 0] == pytest.approx(mass.max(), abs=0.01)
        assert mass[np.argmin(np.abs(centres - guesses.windows[row, 0]))] == pytest.approx(mass.max(), abs=0.01)


@pytest.mark.parametrize("target", [None, 1])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_of_references_smoothed_to_one_law_one_says_what_all_say(target, share):
    x = keys.rng(5, "alike").gamma(1.0, size=(400, 3))
    moments = moments_of(x)
    y = np.vstack([x[:50] + 1, x[:1] + 1_000])  # and one that is far from all
    smoothing = (share, 1.0) if target is not None else (0.0, share)
    whole, made = (make(x, moments.covariance, moments, smoothing, target) for make in (Mixture, mixture_of))
    assert made.size == (1 if share == 1 else 400)
    np.testing.assert_allclose(made.means(y), whole.means(y), rtol=1e-5)
    if target is not None:
        within = np.array([0.2, 1.0])
        found, wanted = (Windows(one, cells_of(x[:, 1], within), within).guess(y) for one in (made, whole))
        np.testing.assert_allclose(found.windows, wanted.windows, rtol=1e-5)
        np.testing.assert_allclose(found.chances, wanted.chances, rtol=1e-6)


@pytest.mark.parametrize(("columns", "smoothing"), [(1, (0.0, 0.0)), (1, (0.4, 0.0)), (3, (0.0, 1.0)), (3, (0.4, 1.0))])
def test_people_whose_values_are_equal_are_one_component_where_nothing_else_tells_them_apart(columns, smoothing):
    x = np.round(keys.rng(5, "equal").gamma(2.0, 3.0, size=(400, columns)))
    moments, within = moments_of(x), np.array([1.0, 2.0])
    y = np.vstack([x[:50] + 1, x[:1] + 1_000])  # and one that is far from all
    whole, made = (make(x, 0.5 * moments.covariance, moments, smoothing, 0) for make in (Mixture, mixture_of))
    values, counts = np.unique(x[:, 0], return_counts=True)
    assert (whole.size, made.size) == (400, len(values))
    assert counts.max() > 20
    np.testing.assert_allclose(made.means(y), whole.means(y), rtol=1e-5)
    together = [whole.weights_of(y[0])[x[:, 0] == value].sum() for value in values]
    np.testing.assert_allclose(made.weights_of(y[0]), together, atol=1e-12)
    found, wanted = (Windows(one, cells_of(x[:, 0], within), within).guess(y) for one in (made, whole))
    np.testing.assert_allclose(found.windows, wanted.windows, rtol=1e-12)
    np.testing.assert_allclose(found.chances, wanted.chances, rtol=1e-5)
    apart = mixture_of(x, moments.covariance, moments, (0.0, 0.9), 0)
    assert apart.size == (400 if columns > 1 else len(values)), "what is left of the other columns tells them apart"


def test_smoothed_all_the_way_the_guess_is_the_best_linear_one():
    x = two_columns(500)
    moments = moments_of(x)
    levels, scheme = [0.4, 1.2], "independent"
    draw = rng("linear")
    root = np.linalg.cholesky(moments.covariance)
    copies = [x + np.sqrt(s) * draw.standard_normal(x.shape) @ root.T for s in levels]
    y = combined(copies, combining_weights(levels, scheme))
    noise = effective_level(levels, scheme) * moments.covariance
    linear = llse.perfect(levels, scheme, moments.mean).estimate(copies)
    for target in (0, 1):
        np.testing.assert_allclose(Mixture(x, noise, moments, (1.0, 1.0), target).means(y)[:, 0], linear[:, target])
    np.testing.assert_allclose(Mixture(x, noise, moments, (1.0, 1.0)).means(y), linear)


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_one_combined_copy_tells_as_much_as_all_copies(scheme):
    """The posterior from all copies, by their joint law, is that from the one copy of the effective level."""
    x = two_columns(40)
    k = moments_of(x).covariance
    levels = np.array([0.5, 0.9, 2.0])
    joint = np.kron(noise_covariance(levels, scheme), k)
    draw = rng("sufficient", scheme)
    stacked = np.tile(x[3], 3) + np.linalg.cholesky(joint + 1e-9 * np.eye(6)) @ draw.standard_normal(6)
    log = np.array([multivariate_normal.logpdf(stacked, np.tile(one, 3), joint, allow_singular=True) for one in x])
    slow = np.exp(log - log.max())
    y = combined(list(stacked.reshape(3, 1, 2)), combining_weights(levels, scheme))
    mixture = Mixture(x, effective_level(levels, scheme) * k, Moments(x.mean(axis=0), k), target=0)
    np.testing.assert_allclose(mixture.weights_of(y[0]), slow / slow.sum(), atol=1e-6)


def test_a_copy_far_from_everybody_still_has_a_nearest_reference():
    x = two_columns(50)
    moments = moments_of(x)
    y = np.array([[1e6, 1e6], [-1e6, 3.0]])
    means = Mixture(x, 0.01 * moments.covariance, moments, target=0).means(y)
    assert np.all(np.isfinite(means))


def test_columns_that_repeat_others_or_never_vary_change_nothing():
    x = two_columns(3_000)
    wide = np.column_stack([x, 2 * x[:, 0] - x[:, 1], np.full(len(x), 7.0)])
    plain, repeated = (Strongest(table, key=3, limits=SMALL).point(0.5, 0, [3.0]) for table in (x, wide))
    assert abs(plain.hits[0] - repeated.hits[0]) < 4 * np.hypot(plain.hits_error[0], repeated.hits_error[0])


# Against other attackers. Standard errors: 4, a false alarm in 16 000 for each comparison.


@pytest.mark.sweep
@pytest.mark.parametrize("level", [1.0, 0.1, 5.0])
def test_normal_data_give_the_linear_figures(level):
    draw = rng("normal", level)
    root = np.array([[2.0, 0, 0], [1, 1, 0], [0.5, -0.5, 1.5]])
    x = draw.standard_normal((20_000, 3)) @ root.T
    attacker = Strongest(x, key=1)
    point = attacker.point(level, 0, [0.5])
    bias, left = -level / (1 + level), level / (1 + level) ** 2
    values = x[:, 0] - x[:, 0].mean()
    theory = measures.normal_breach(bias * values, left * attacker.variance(0), 0.5)
    assert point.hits[0] == pytest.approx(theory, abs=4 * point.hits_error[0] + 0.01)
    assert point.error == pytest.approx(level / (1 + level), abs=4 * point.error_error + 0.01)
    assert attacker.record_errors(level) == pytest.approx(np.full(3, level / (1 + level)), rel=0.06)


def test_a_linear_guess_is_far_behind_on_a_spiky_column():
    x = spiky(20_000)
    attacker = Strongest(x, key=2, limits=SMALL)
    level = level_of(0.66).item()
    point = attacker.point(level, 0, [5.0])
    values = x[:, 0] - x[:, 0].mean()
    linear = measures.normal_breach(-level / (1 + level) * values, level / (1 + level) ** 2 * attacker.variance(0), 5.0)
    assert point.hits[0] > linear + 0.2
    assert attacker.record_errors(level)[1] < 0.25 * level / (1 + level)


@pytest.mark.parametrize("sample", [100, None])
def test_figures_are_monotone_before_they_are_made_so(sample):
    """A noisier copy cannot help; raw points may only break that within their errors."""
    attacker = Strongest(spiky(6_000), knowledge=Knowledge(sample=sample), key=5, limits=SMALL)
    points = [attacker.point(level, 0, [5.0]) for level in level_of(np.array([0.1, 0.3, 0.5, 0.7, 0.9]))]
    for worse, better in pairwise(points):
        assert better.hits[0] > worse.hits[0] - 4 * np.hypot(worse.hits_error[0], better.hits_error[0])
        assert better.error < worse.error + 4 * np.hypot(worse.error_error, better.error_error)


def test_more_knowledge_helps():
    x = spiky(4_000)
    few, half, all_ = (
        Strongest(x, knowledge=knowledge, key=7, limits=SMALL).point(0.5, 2, [2.0])
        for knowledge in (Knowledge(sample=30), Knowledge(), Knowledge(everybody=True))
    )
    slack = 4 * half.hits_error[0]
    assert few.hits[0] < half.hits[0] + slack
    assert half.hits[0] < all_.hits[0] + slack
    known = Strongest(x, knowledge=Knowledge(columns=(0,)), key=7, limits=SMALL).point(0.5, 2, [2.0])
    assert known.hits[0] > half.hits[0] - slack


def test_a_known_column_takes_its_noise_away_from_the_others():
    """Two columns that are equal but for a little: who knows one knows the other, however much noise there is."""
    draw = rng("known")
    first = draw.normal(0, 1, 4_000)
    x = np.column_stack([first, first + draw.normal(0, 0.05, 4_000)])
    blind = Strongest(x, key=1, limits=SMALL).point(20.0, 1, [0.1])
    knowing = Strongest(x, knowledge=Knowledge(columns=(0,)), key=1, limits=SMALL).point(20.0, 1, [0.1])
    assert blind.hits[0] < 0.2
    assert knowing.hits[0] == pytest.approx(2 * ndtr(2.0) - 1, abs=0.03)


@pytest.mark.parametrize("similarity", [0.0, -1.0])
def test_noise_of_another_shape_is_filtered(similarity):
    """Noise that does not vary as the data do leaves clean directions: the error is that of the best linear guess or
    less."""
    draw = rng("shape", similarity)
    x = draw.standard_normal((6_000, 1)) @ np.ones((1, 4)) * 3 + draw.standard_normal((6_000, 4)) * 0.3
    k = np.cov(x, rowvar=False)
    shape = noise_shape(k, similarity)
    errors = Strongest(x, shape=shape, key=4, limits=SMALL).record_errors(1.0)
    best = np.diag(k - k @ np.linalg.solve(k + shape, k)) / np.diag(k)
    assert np.all(errors < 1.15 * best + 0.01)
    assert np.all(errors < 0.5 * Strongest(x, key=4, limits=SMALL).record_errors(1.0))


# Curves


def test_a_curve_is_read_at_every_level():
    attacker = Strongest(spiky(3_000), key=9, limits=Limits(512, 1_024, rehearsed=170))
    told = []
    curve = row_curve(attacker, 0, [1.0, 5.0], progress=told.append)
    assert told[-1] == pytest.approx(1.0)
    assert np.all(np.diff(curve.hits, axis=0) >= 0)
    assert np.all(np.diff(curve.error) <= 0)
    assert curve.hits_at(0.0, 5.0) == 1
    assert curve.error_at(0.0) == pytest.approx(0)
    assert curve.hits_at(np.inf, 5.0) == pytest.approx(single_curve(attacker, 0, [5.0]).hits_at(np.inf, 5.0))
    at = level_of(TRUSTS[10])
    assert curve.hits_at(at, 5.0) == pytest.approx(curve.hits[11, 1])
    assert curve.hits_at(np.array([at, at]), 3.0) == pytest.approx(curve.hits[11].mean())
    assert np.all(curve.hits >= single_curve(attacker, 0, [1.0, 5.0]).hits - 1e-12)


def test_between_its_points_a_curve_is_what_would_be_computed():
    attacker = Strongest(spiky(20_000)[:, :1], key=9)
    curve = single_curve(attacker, 0, [5.0])
    for trust in (0.02, 0.23, 0.47, 0.83, 0.955, 0.975):
        exact = attacker.alone(level_of(trust).item(), 0, [5.0])
        assert curve.hits_at(level_of(trust), 5.0) == pytest.approx(exact.hits[0], abs=0.005)
        assert curve.error_at(level_of(trust)) == pytest.approx(exact.error / attacker.variance(0), abs=0.005)


def test_whole_records_have_the_errors_of_their_columns():
    attacker = Strongest(spiky(3_000), key=9, limits=Limits(512, 1_024))
    curve = record_curve(attacker)
    assert np.all(np.diff(curve.errors, axis=0) <= 0)
    assert curve.errors_at([0.0, np.inf])[0] == pytest.approx(np.zeros(3))
    assert curve.errors_at(1.0)[1] < 0.2  # gains: mostly zeros, and a few who stand far out
    assert np.all(curve.errors_at(1.0) <= attacker.record_errors(1.0) + 1e-9)


def test_no_linear_guess_beats_the_errors_of_records():
    """One record decides on the variance of a long tail, and who knows only others does not know of it."""
    x = rng("tail").lognormal(0.0, 2.0, (1_000, 2))
    attacker = Strongest(x, key=9, limits=SMALL)
    curve = record_curve(attacker)
    for level in (0.2, 1.0, 5.0):
        copy = x + np.sqrt(level) * x.std(axis=0) * rng("tail", level).standard_normal((400, *x.shape))
        shrink = 1 / (1 + level)
        linear = ((x.mean(axis=0) + shrink * (copy - x.mean(axis=0)) - x) ** 2).mean(axis=(0, 1)) / x.var(axis=0)
        assert np.all(curve.errors_at(level) <= attacker.linear_errors(level) + 0.002)
        assert attacker.linear_errors(level) == pytest.approx(
            np.minimum(linear, attacker.linear_errors(level)), abs=0.02
        )
    assert curve.linear.any()


def test_no_linear_guess_beats_the_hits_of_a_column():
    """Of forty people the attacker knows twenty, and their values are few beside all that somebody may have."""
    x = rng("few").lognormal(0, 1, 40)
    attacker = Strongest(x, key=9)
    curve = single_curve(attacker, 0, [0.25, 0.5, 1.0])
    draws = rng("few", "draws").standard_normal((400, 40))
    for place in (12, 20, 23):
        level, trust = level_of(curve.trusts[place]), curve.trusts[place]
        guess = x.mean() + trust * (x + np.sqrt(level) * x.std() * draws - x.mean())
        linear = (np.abs(guess - x) <= 0.5).mean()
        # 16 000 guesses: 4 standard errors, so that one run in ten thousand fails by chance.
        assert curve.hits[place, 1] >= linear - 4 * np.sqrt(linear * (1 - linear) / draws.size)
    assert any(one.mean for one in curve.manners)


@pytest.mark.parametrize("tail", ["long", "one"])
def test_a_spike_with_a_tail_is_integrated_as_by_brute_force(tail):
    """Of more values than are looked at, those that repeat and those at the ends are looked at as they are."""
    draw = rng("spike and tail")
    x = np.where(draw.random(3_000) < 0.7, 0.0, np.round(draw.lognormal(7, 1, 3_000)))
    if tail == "one":
        x = np.append(draw.normal(size=3_000), 1e4)
    attacker = Strongest(x, knowledge=Knowledge(everybody=True), key=1)
    curve = single_curve(attacker, 0, [100.0])
    assert curve.error[0] == pytest.approx(1, abs=2e-3)
    values, counts = np.unique(x, return_counts=True)
    for place in (1, 6, 12):
        sigma = np.sqrt(level_of(curve.trusts[place])) * x.std()
        copies = np.linspace(values[0] - 6 * sigma, values[-1] + 6 * sigma, 6_001)
        joint = np.exp(-0.5 * ((copies[:, None] - values) / sigma) ** 2) * counts
        mean = joint @ values / joint.sum(axis=1)
        squares = joint @ values**2 - joint.sum(axis=1) * mean**2
        slow = squares.sum() * (copies[1] - copies[0]) / (np.sqrt(2 * np.pi) * sigma * len(x)) / x.var()
        assert curve.error[place] == pytest.approx(slow, abs=4e-3)


def test_records_are_breached_more_often_with_less_noise():
    attacker = Strongest(two_columns(3_000), key=9, limits=Limits(512, 1_024, rehearsed=170))
    curve = breach_curve(attacker, 0.1, "euclidean", 0.05)
    assert np.all(np.diff(curve.hits, axis=0) >= 0)
    assert curve.hits_at(np.inf, 0.1) == pytest.approx(0.05)
    assert curve.hits_at(1.0, 0.1) == pytest.approx(attacker.record_hits(1.0, 0.1, "euclidean"), abs=0.02)


# People


def test_common_values_are_those_that_a_good_constant_guess_covers():
    values, shares = np.array([0.0, 1.0, 5.0, 6.0, 9.0]), np.array([0.4, 0.21, 0.21, 0.13, 0.05])
    assert is_common(values, shares, 0.5).tolist() == [True, True, True, True, False]
    assert is_common(values[::-1], shares[::-1], 0.0).tolist() == [False, False, True, True, True]


def test_who_stands_far_out_is_exposed_though_the_average_is_not():
    x = spiky(20_000)
    found = exposure(Strongest(x, key=1, limits=SMALL), level_of(0.2).item(), 1, 1_000.0)
    far = x[found.people, 1] == 99_999
    assert far.sum() > 20
    # One copy in three hundred hides somebody: of a hundred people with 16 copies each one may well be hidden twice,
    # while the mean is below 0.98 less than once in a million runs. At 15 % of trust it would be 0.977.
    assert found.risks[far].mean() > 0.98
    assert found.hundredth > 0.95
    assert found.worst == pytest.approx(1, abs=0.02)
    assert found.weights.sum() == pytest.approx(1)
    # Zeros are guessed without any copy: who has one is not exposed by the copies.
    assert np.array_equal(found.common, x[found.people, 1] <= 2_000)
    age = exposure(Strongest(x, key=1, limits=SMALL), level_of(0.2).item(), 2, 2.0)
    assert age.hundredth < 0.5  # of age nobody stands out


def test_a_limit_holds_also_where_everybodys_value_is_common():
    """Each year of age is as frequent as the next: without a copy one in ten is guessed, with a good one nearly all."""
    x = np.tile(np.arange(18.0, 80.0), 20)
    found = exposure(Strongest(x, key=1), level_of(0.97).item(), 0, 3.0)
    assert found.common.all()
    assert np.isnan(found.worst)
    assert found.unaided == pytest.approx(7 / 62)
    assert found.shared == pytest.approx(found.average)
    for limit in (0.0, 0.05, 0.6):
        assert found.against(limit) == found.against(limit, "hundredth") == found.shared > 0.7


def test_common_values_count_where_copies_and_not_their_frequency_tell_them():
    """Seven in ten have one value, which anybody guesses; the others are spread out."""
    draw = rng("spread")
    x = np.where(draw.random(4_000) < 0.7, 0.0, draw.uniform(10, 1_000, 4_000))
    found = exposure(Strongest(x, key=1), level_of(0.3).item(), 0, 5.0)
    assert found.unaided == 1
    assert found.shared > 0.95
    assert found.against(0.6) == found.worst < 0.6  # of the zeros no copy is to blame
    # Two values that four in ten have each: without a copy at most half of those are right.
    x = np.where(draw.random(4_000) < 0.8, draw.choice([0.0, 100.0], 4_000), draw.uniform(200, 1_000, 4_000))
    found = exposure(Strongest(x, key=1), level_of(0.95).item(), 0, 5.0)
    assert found.unaided == pytest.approx(0.5, abs=0.03)
    assert found.against(0.6) == max(found.shared, found.worst)
    assert found.against(0.4) == found.worst


def test_the_average_of_risks_is_the_share_of_hits():
    attacker = Strongest(spiky(20_000), key=1, limits=SMALL)
    found = exposure(attacker, 1.0, 2, 3.0)
    best = max(attacker.point(1.0, 2, [3.0]).hits[0], attacker.alone(1.0, 2, [3.0]).hits[0])
    assert found.average == pytest.approx(best, abs=0.05)


def test_nobody_is_exposed_by_their_own_record():
    """Two in five people are references here, and each would be recognised by their own record."""
    x = rng("strangers").normal(size=(2_500, 4)) ** 3
    attacker = Strongest(x, key=3, limits=SMALL)
    found = exposure(attacker, 0.05, 0, 0.05)
    assert not np.isin(found.people, attacker.sides[0].known).any()
    assert found.weights.sum() == pytest.approx(1.0)
    # Three standard errors of a thousand people's average risk.
    assert found.average == pytest.approx(attacker.point(0.05, 0, [0.05]).hits[0], abs=0.05)


def test_people_are_found_again_as_by_counting():
    x = rng("found").normal(size=(300, 2))
    attacker = Strongest(x, key=1)
    for level in (0.001, 0.05, 1.0):
        found = Finder(attacker, probes=300).at(level)
        draw = keys.rng(1, "optimal", "found again")
        people = draw.permutation(300)
        y = attacker.seen(x[people], draw.standard_normal((300, 2)), level)
        inverse = np.linalg.inv(attacker.shape)
        apart = y[:, None] - x[None]
        distance = np.einsum("ijk,kl,ijl->ij", apart, inverse, apart)
        own = distance[np.arange(300), people]
        assert found.share == pytest.approx(np.mean(distance.argmin(axis=1) == people))
        assert found.crowd == pytest.approx(np.median((distance <= own[:, None] * (1 + 1e-9)).sum(axis=1)))


def test_equal_people_hide_behind_each_other():
    x = np.repeat(rng("equal").normal(size=(50, 2)), 4, axis=0)
    found = Finder(Strongest(x, key=1)).at(1e-6)
    assert found.share == pytest.approx(0.25)
    assert found.crowd == pytest.approx(4)


# What cannot be attacked


def test_bad_tables_get_a_sentence():
    with pytest.raises(ValueError, match="at least two rows"):
        Strongest(np.zeros((1, 2)))
    with pytest.raises(ValueError, match="not finite"):
        Strongest([[1.0, np.nan], [2.0, 3.0]])
    with pytest.raises(ValueError, match="shape of the noise"):
        Strongest(np.zeros((5, 2)), shape=np.eye(3))
    with pytest.raises(ValueError, match="without rows"):
        cells_of([])


def test_a_column_without_variance_is_known():
    x = np.column_stack([np.full(50, 3.0), rng("flat").normal(size=50)])
    assert single_curve(Strongest(x), 0, [0.1]).hits[0, 0] == 1
    assert np.isfinite(row_curve(Strongest(x, limits=Limits(rehearsed=64, drawn=256)), 1, [0.1]).hits).all()


def test_a_column_alone_counts_everybody_who_is_not_known():
    """However few people whole rows are tried on: the exact way draws nobody."""
    rng = np.random.default_rng(4)
    weeks = np.where(rng.random(9_000) < 0.6, 52.0, rng.integers(0, 52, 9_000))[:, None]
    few, many = (Strongest(weeks, limits=Limits(probes=number)).alone(1.0, 0, 5.0) for number in (100, 4_000))
    assert few.hits == many.hits
    strangers = np.setdiff1d(np.arange(9_000), Strongest(weeks).sides[0].sample_rows)
    values, counts = np.unique(weeks[strangers], return_counts=True)
    np.testing.assert_array_equal(few.values, values)
    np.testing.assert_allclose(few.shares, counts / len(strangers))
