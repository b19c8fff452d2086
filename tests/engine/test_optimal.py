"""The strongest attacker: against brute force, closed forms, and the attackers that it must not be behind."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.special import ndtr

from tests.engine.engine_columns import rng, spiky, two_columns
from trustscope import datasets
from trustscope.engine import keys, measures
from trustscope.engine.attacks.optimal import (
    Finder,
    Knowledge,
    Limits,
    Strongest,
    breach_curve,
    exposure,
    record_curve,
    row_curve,
    single_curve,
)
from trustscope.engine.attacks.optimal import curve as curves
from trustscope.engine.attacks.optimal.cells import cells_of, is_common
from trustscope.engine.attacks.optimal.curve import TRUSTS, level_of
from trustscope.engine.attacks.optimal.mixture import mixture_of
from trustscope.engine.shapes import noise_shape

# A third of the references is rehearsed on, once: more people there choose the manner a little better, and take most of
# the time. Standard errors are of the probes.
SMALL = Limits(references=1_024, probes=2_048, rehearsed=340)


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


def test_a_known_column_is_looked_at_as_closely_as_it_tells():
    """A wave over a known column, beside one that tells nothing: nearly all is told by people close by in it.

    A slow posterior over those within a hundredth or so hits 0.995; other keys gave 0.985 to 0.995. By the nearest
    alone, or by those within an eighth of a standard deviation, it is 0.975 at most. Fixed key."""
    draw = rng("wave")
    known = draw.standard_normal(4_000)
    wave = np.sin(4 * known) + 0.05 * draw.standard_normal(4_000)
    x = np.column_stack([wave, known, np.round(draw.normal(38, 12, 4_000))])
    attacker = Strongest(x, knowledge=Knowledge(columns=(1,)), key=2, limits=Limits(probes=1_000, rehearsed=300))
    assert attacker.point(7 / 3, 0, [0.15]).hits[0] > 0.98


def test_known_columns_that_tell_nothing_are_left_aside():
    """A value that goes with one of twelve kinds, whose numbers are in no order, beside eight known columns that tell
    nothing of it: nearly all is told by people of the same kind.

    Who looks at that column alone hits 0.98. By all known columns at once it is 0.4: nobody is alike in all of them."""
    draw = rng("kinds")
    kind = draw.integers(0, 12, 4_000)
    value = 4.0 * draw.permutation(12)[kind] + draw.standard_normal(4_000)
    x = np.column_stack([value, kind, draw.standard_normal((4_000, 8))])
    knowledge = Knowledge(columns=tuple(range(1, 10)))
    attacker = Strongest(x, knowledge=knowledge, key=2, limits=Limits(probes=1_000, rehearsed=300))
    assert attacker.point(4.0, 0, [2.5]).hits[0] > 0.95


def test_whole_numbers_that_hardly_repeat_are_guessed_exactly():
    """Whole numbers over a long range, of which most are there once, and two columns that tell which one it is.

    Who guesses the values of the likeliest record that is known is right for 0.45 of the people: the others have values
    that nobody known has. Guesses at the middle of cells that are wider than the numbers' distance never are."""
    value = np.round(300 * rng("whole numbers").standard_normal(3_000))
    x = np.column_stack([value, value % 7, value // 50])
    attacker = Strongest(x, key=3, limits=Limits(probes=1_000, rehearsed=300))
    assert attacker.point(1 / 99, 0, [0.0]).hits[0] > 0.4
    assert attacker.point(1 / 99, 0, [1.0]).hits[0] > 0.4


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


def test_guesses_err_as_little_as_the_curve_says():
    """Of incomes with a long tail whole rows are a rough picture, and the column by itself tells more: guesses are made
    by what the curve counted. By whole rows alone they would err by a fifth more."""
    draw = np.random.default_rng(1)
    income = np.exp(draw.normal(10, 1, 300))
    table = np.column_stack([income, draw.normal(size=300)])
    attacker = Strongest(table, key=5, limits=Limits(references=150, probes=64, rehearsed=48, drawn=64))
    curve = record_curve(attacker)
    level = float(level_of(curve.trusts[15]))
    errors, rough = [], []
    for _ in range(8):
        for side in attacker.sides:
            truth = table[np.unique(side.people)]
            y = attacker.seen(truth, draw.standard_normal(truth.shape), level)
            errors.append(((curve.means(attacker, side, level, y) - truth)[:, 0] ** 2).mean() / income.var())
            rows = attacker.means(side, level, curve.share_at(level), y)
            rough.append(((rows - truth)[:, 0] ** 2).mean() / income.var())
    # One in ten thousand fails by chance: 4 standard errors, of draws of noise that are independent.
    spread = np.std(errors) / np.sqrt(len(errors) - 1)
    assert abs(np.mean(errors) - curve.errors[15, 0]) <= 4 * spread
    assert np.mean(rough) > 1.2 * np.mean(errors)


def test_each_distance_is_gone_for_by_itself(monkeypatch):
    """Of letters from copies with little noise nearly every way of guessing comes within 2 of a box's height, and only
    one does so exactly: a curve of both is as high there as one of that distance alone. One way for all is not."""
    letters = datasets.load("letter")
    table = letters.frame[list(letters.numeric[:4])].to_numpy(float)[:6_000]
    attacker = Strongest(table, key=5, limits=Limits(references=512, probes=2_000, rehearsed=256, drawn=512))
    alone = row_curve(attacker, 1, [0.2]).hits[:, 0]
    whole = row_curve(attacker, 1, [0.2, 1.0, 2.0, 3.0])
    np.testing.assert_allclose(whole.hits[:, 0], alone)
    assert whole.manner_at(level_of(0.98), 0.2) != whole.manner_at(level_of(0.98), 2.0)
    monkeypatch.setattr(curves, "GOALS", (2,))
    assert np.min(row_curve(attacker, 1, [0.2, 1.0, 2.0, 3.0]).hits[:, 0] - alone) < -0.08


def test_guesses_hit_as_often_as_the_curve_says(monkeypatch):
    """Of seven values, half a step apart, who goes for a fifth of a step with the other columns guesses between two of
    them, and hits half as many as the curve says; by the column alone the attacker does what it says."""
    draw = np.random.default_rng(3)
    logarithm = np.round(np.log1p(np.exp(draw.normal(3.1, 1, 400))) * 2) / 2
    table = np.column_stack([logarithm, draw.integers(18, 90, 400), draw.poisson(1.3, 400)])
    monkeypatch.setattr(curves, "GOALS", (0,))
    attacker = Strongest(table, key=5, limits=Limits(references=128, probes=200, rehearsed=96, drawn=200))
    curve = row_curve(attacker, 0, [0.1, 0.25])
    for place in (8, 18):
        level, hits = float(level_of(curve.trusts[place])), []
        manner = curve.manner_at(level, 0.25)
        for side in attacker.sides:
            truth = table[side.people]
            y = attacker.seen(truth, draw.standard_normal(truth.shape), level)
            guess = manner.guesses(attacker.attack(side, level, 0, np.array([0.25]), manner).guess(y))[:, 0]
            hits.append(np.abs(guess - truth[:, 0]) <= 0.25 * (1 + 1e-9))
        # 400 guesses: 4 standard errors, so that one run in ten thousand fails by chance.
        said = curve.hits[place, 1]
        assert abs(np.mean(hits) - said) <= 4 * np.sqrt(said * (1 - said) / 400)


def test_a_small_column_is_smoothed_for_each_distance(monkeypatch):
    """Of 89 wines the attacker knows the malic acid: smoothed as it is best for the least distance, the sample tells
    half as much of another one."""
    x = datasets.load("wine").frame["Malic acid"].to_numpy(float)
    attacker, distances = Strongest(x, key=5), np.array([0.05, 0.1, 0.2, 0.25, 0.4, 0.6])
    alone = np.column_stack([single_curve(attacker, 0, one).hits for one in distances])
    assert np.max(alone - single_curve(attacker, 0, distances).hits) < 0.03
    monkeypatch.setattr(curves, "GOALS", (0,))
    assert np.max(alone - single_curve(attacker, 0, distances).hits) > 0.1


def test_who_has_the_original_hits_everybody_at_every_distance():
    """To the last digit: else the page says “> 99 %” where every value is recovered."""
    trusts = np.array([0.0, *TRUSTS, 1.0])
    rising = np.sort(rng("exact").random((len(trusts), 50)), axis=0)
    read = curves._between(trusts, np.vstack([rising[:-1], np.ones(50)]))
    assert (read(np.array(1.0)) == 1).all()
    assert (read(np.array([0.5, 1.0]))[1] == 1).all()


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
    assert any(one.mean for some in curve.manners for one in some)


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


def test_who_looks_at_two_columns_guesses_no_better_than_who_may_look_at_all():
    """The second column is the square of the first, and six tell nothing: of all eight the sample is a rough picture.

    The posterior over the first two is written down here. False alarms: 1 in 1 000 (3.1 standard errors).
    """
    draw = rng("two of eight")
    first = draw.normal(size=3_000)
    x = np.column_stack([first, first**2, draw.normal(size=(3_000, 6))])
    attacker, level = Strongest(x, key=1, limits=Limits(rehearsed=340)), level_of(0.9).item()
    side = attacker.sides[0]
    truth, known = x[side.people], side.references[:, :2]
    y = attacker.seen(truth, side.normals, level)[:, :2]
    turn = np.linalg.inv(np.linalg.cholesky(level * np.cov(x[:, :2], rowvar=False))).T
    weights = np.exp(-0.5 * (((y @ turn)[:, None] - known @ turn) ** 2).sum(axis=2))
    guess = weights @ known[:, 0] / weights.sum(axis=1)
    pair = np.abs(guess - truth[:, 0]) <= 0.2
    found = attacker.point(level, 0, [0.2])
    assert found.hits[0] > pair.mean() - 3.1 * np.sqrt(0.25 / len(pair))


def test_records_are_breached_more_often_with_less_noise():
    attacker = Strongest(two_columns(3_000), key=9, limits=Limits(512, 1_024, rehearsed=170))
    curve = breach_curve(attacker, 0.1, "euclidean", 0.05)
    assert np.all(np.diff(curve.hits, axis=0) >= 0)
    assert curve.hits_at(np.inf, 0.1) == pytest.approx(0.05)
    assert curve.hits_at(1.0, 0.1) == pytest.approx(attacker.record_hits(1.0, 0.1, "euclidean"), abs=0.02)


@pytest.mark.parametrize(("kind", "eps"), [("entry", 0.05), ("euclidean", 0.1)])
@pytest.mark.parametrize("everybody", [False, True])
def test_records_of_repeated_values_are_guessed_as_values(kind, eps, everybody):
    """A mean of values that people have errs least and is nobody's value: with many zeros it is close to few records.

    Whoever guesses the likeliest record instead, here by the posterior written out, does no better than is said."""
    draw = rng("repeated values")
    amount = np.where(draw.random(1_200) < 0.5, 0.0, np.round(np.exp(1 + draw.standard_normal(1_200))))
    x = np.column_stack([amount, draw.poisson(1.0, 1_200), 10.0 * draw.integers(0, 5, 1_200)])
    attacker = Strongest(x, knowledge=Knowledge(everybody=everybody), key=6, limits=Limits(drawn=1_200))
    level, side = 3 / 7, attacker.sides[0]
    truth = x[side.people]
    y = attacker.seen(truth, side.normals, level)
    turn = np.linalg.inv(np.linalg.cholesky(level * attacker.shape)).T
    far = (((y @ turn)[:, None] - side.sample @ turn) ** 2).sum(axis=2)
    likeliest = measures.breach_rate(truth, side.sample[far.argmin(axis=1)], eps, kind)
    mean = mixture_of(side.references, attacker.noise(level), side.moments, (0.0, 0.0)).means(y)
    assert likeliest > measures.breach_rate(truth, mean, eps, kind) + 0.1
    assert attacker.record_hits(level, eps, kind) > likeliest - 0.03


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
