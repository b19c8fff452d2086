"""What the Rotation page computes, against slow and obvious versions and closed forms."""

import itertools

import numpy as np
import pytest

from trustscope import datasets
from trustscope.engine.attacks import known_input
from trustscope.engine.attacks.known_input import value_chances
from trustscope.engine.rotation import haar
from trustscope.scenarios.rotation.certainty import certainty
from trustscope.scenarios.rotation.judge import JUDGED, Judge, best_constant
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.records import SHIFTED, Records
from trustscope.scenarios.rotation.remedy import RemedyStory
from trustscope.scenarios.rotation.result import Rate, RotationResult
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.rotation.verdict import headline
from trustscope.scenarios.rotation.words import common

pytestmark = pytest.mark.usefixtures("few_others")  # models are those of this file alone


def made(name, columns=None, rows=None, **options):
    data = datasets.load(name)
    names = data.numeric[:columns]
    return Model(data.frame[list(names)].to_numpy(float)[:rows], names, 12, units=data.units, **options)


def scenario_of(model, **changes):
    """The page's own scenario with settings, and "view." parts, of this model."""
    return model.fit_to_data(RotationScenario().replace({k.replace("__", "."): v for k, v in changes.items()}))


def last(model, scenario) -> RotationResult:
    *_, picture = model.passes(scenario)
    return picture


def first(model, scenario) -> RotationResult:
    """The first picture with all figures of the records that are known; what other numbers of them give comes after."""
    return next(picture for picture in model.passes(scenario) if not picture.waiting)


@pytest.fixture(scope="module")
def letters():
    return made("letter")


@pytest.fixture(scope="module")
def raw_letters():
    return made("letter", standardised=False)


@pytest.fixture(scope="module")
def iris():
    return made("iris")


def known(model, number, story="known", **more):
    return scenario_of(model, settings__known=model.usual_order[:number], view__story=story, **more)


# The data


def test_private_and_pool_share_no_row_and_the_release_is_theirs(letters):
    data = datasets.load("letter")
    values = data.frame[list(data.numeric)].to_numpy(float)
    assert letters.records.rows == len(letters.records.pool) == 10_000
    np.testing.assert_allclose(np.linalg.norm(letters.turned, axis=1), letters.norms)
    np.testing.assert_allclose(letters.release.released[letters.row_of], letters.turned)
    private = np.array([letters.records.number(place) - 1 for place in range(letters.records.rows)])
    others = np.setdiff1d(np.arange(len(values)), private)
    own = letters.records.own_units(letters.records.pool)
    np.testing.assert_allclose(np.sort(own.sum(axis=1)), np.sort(values[others].sum(axis=1)), atol=1e-9)


def test_standardised_data_have_mean_nothing_and_deviation_one():
    values = np.random.default_rng(0).gamma(2, 5, size=(3_000, 3)) * [1, 100, 1e6]
    records = Records(values, "abc")
    both = np.vstack([records.private, records.pool])
    np.testing.assert_allclose(both.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(both.std(axis=0), 1)
    np.testing.assert_allclose(np.sort(records.own_units(both), axis=0), np.sort(values, axis=0))
    raw = Records(values, "abc", standardised=False)
    np.testing.assert_allclose(raw.reach(0.25) / raw.sd, 0.25)
    np.testing.assert_allclose(records.reach(0.25), 0.25)


def test_large_values_do_not_overflow_on_the_way():
    values = np.random.default_rng(0).normal(size=(50, 2)) * [1e90, 1e-90]
    both = np.vstack([(records := Records(values, "ab")).private, records.pool])
    np.testing.assert_allclose(both.std(axis=0), 1)


# What is a hit


def test_the_best_constant_by_trying_all():
    rng = np.random.default_rng(1)
    for values, reach in ((rng.normal(size=60), 0.3), (rng.integers(0, 9, 60).astype(float), 0.5), (np.ones(5), 0.0)):
        best = best_constant(values, reach)
        tried = max(np.sum(np.abs(values - c) <= reach + 1e-12) for c in np.linspace(-4, 10, 20_001))
        assert np.sum(np.abs(values - best) <= reach + 1e-12) >= tried


def test_hits_by_value_and_by_record(iris):
    records = iris.records
    judge = Judge(records, "value", 0.25)
    true, rng = records.private, np.random.default_rng(0)
    guess = true + 0.5 * rng.normal(size=true.shape)
    hits = judge.hits(true, guess)
    slow = [[abs(g - t) <= 0.25 for g, t in zip(a, b, strict=True)] for a, b in zip(guess, true, strict=True)]
    np.testing.assert_array_equal(hits.values, slow)
    assert hits.rate == pytest.approx(np.mean(slow))
    np.testing.assert_allclose(hits.attributes, np.mean(slow, axis=0))
    whole = Judge(records, "euclidean", 0.25).hits(true, guess)
    off = np.linalg.norm(guess - true, axis=1) <= 0.25 * np.linalg.norm(true, axis=1)
    assert whole.rate == pytest.approx(off.mean())
    np.testing.assert_array_equal(whole.values, slow)
    for kind in ("value", "euclidean", "entry", "cosine"):
        constant = Judge(records, kind, 0.25).constant()
        mean = Judge(records, kind, 0.25).hits(true, np.broadcast_to(true.mean(axis=0), true.shape))
        assert constant.rate >= mean.rate


def test_attributes_that_are_the_same_for_all_are_not_counted():
    values = np.random.default_rng(0).normal(size=(40, 3))
    values[:, 1] = 7
    model = Model(values, "abc", 12)
    picture = last(model, known(model, 1))
    assert np.isnan(picture.attributes["uniform"][1])
    assert np.isnan(picture.without.attributes[1])
    assert picture.without.rate == pytest.approx(np.nanmean(picture.without.attributes))


# Chances of single values


@pytest.mark.parametrize("free", [1, 2, 3, 7])
def test_the_chance_of_a_value_as_it_is_drawn(free):
    """4 standard errors at a fixed key, a false alarm once in 16 000; a sphere of another radius is told apart."""
    rng, rows, columns, draws = np.random.default_rng(free), 12, 8, 4_000
    complement = haar(columns, rng)[:, :free]
    inside = rng.normal(size=(rows, free))
    rest, reach = inside @ complement.T, np.full(columns, 0.4)
    expected = value_chances(rest, np.linalg.norm(inside, axis=1), complement, reach)
    turned = rng.normal(size=(draws, rows, free))
    turned *= (np.linalg.norm(inside, axis=1) / np.linalg.norm(turned, axis=2))[..., None]
    drawn = np.mean(np.abs(turned @ complement.T - rest) <= reach, axis=0)
    error = np.sqrt(expected * (1 - expected) / draws) + 1e-9
    assert np.all(np.abs(drawn - expected) <= 4 * error + 1e-3)
    if free > 1:
        wrong = value_chances(rest, 1.3 * np.linalg.norm(inside, axis=1), complement, reach)
        assert np.any(np.abs(drawn - wrong) > 8 * error)


def test_nothing_to_guess_is_certain():
    rest = np.zeros((2, 3))
    assert np.all(value_chances(rest, np.zeros(2), np.zeros((3, 0)), np.ones(3)) == 1)
    assert np.all(value_chances(rest, np.zeros(2), np.eye(3), np.ones(3)) == 1)


def test_expected_shares_are_those_of_the_attack_itself(iris):
    """By drawing guesses from the engine's attack, with the records' own values."""
    for kind in ("value", "euclidean"):
        picture = last(iris, known(iris, 2, settings__kind=kind, view__closer="closeness"))
        assert len(picture.closeness.drawn.tries) == 60
        state, _ = common.agreement(picture.closeness.expected, picture.closeness.drawn, picture.closeness.rows)
        assert state in ("agrees", "few")
        tight = Rate(tuple(picture.closeness.drawn.mean + 1e-4 * (-1) ** i for i in range(60)))
        assert common.agreement(picture.closeness.expected + 0.04, tight, 75)[0] == "differs"


# What is kept


def test_everything_is_kept(letters):
    kept = last(letters, scenario_of(letters))
    assert kept.moved == {"k-means": 0, "single link": 0}
    assert kept.neighbours == 1
    assert kept.distance_error < 1e-12
    assert kept.by_chance == pytest.approx(5 / 1_499)
    np.testing.assert_allclose(kept.before, kept.after)


def test_large_numbers_round_more():
    table = np.random.default_rng(0).normal(size=(300, 3))
    table[:, 0] += 1e9
    kept = last(model := Model(table, "abc", 12, shifted=True, standardised=False), scenario_of(model))
    assert kept.exact


# Known records


def test_four_letters_in_raw_units_give_another_away(raw_letters):
    """As in the paper: four known inputs, 16 attributes, one more record certain."""
    asked = known(raw_letters, 4, settings__kind="euclidean", settings__eps=0.15)
    _, picture = itertools.islice(raw_letters.passes(asked), 2)  # the second has the curve of the paper's guesses
    assert all(picture.linked.values())
    assert picture.attack.freedom == 12
    assert picture.highest == pytest.approx(1)
    assert np.isnan(picture.uniform[[place for place in picture.linked if place < JUDGED]]).all()
    assert picture.growth.known == list(range(raw_letters.most_known + 1))
    assert picture.growth.uniform[-1] == 1
    reference = known_input.attack(raw_letters.records.private[list(picture.linked)], raw_letters.release.released)
    rows = raw_letters.row_of[:JUDGED]
    expected = np.where(reference.linked_rows[rows], np.nan, reference.breach(0.15)[rows])
    np.testing.assert_allclose(picture.uniform, expected)


def test_the_curve_passes_through_the_figure(iris):
    for number in (0, 2, 3):
        picture = last(iris, known(iris, number))
        assert picture.growth.uniform[number] == pytest.approx(picture.means["uniform"])
        assert picture.growth.projection[number] == pytest.approx(picture.means["projection"])
        assert picture.growth.others[number] == pytest.approx(picture.means["others"])


def test_who_knows_other_people_finds_more_than_the_papers_guesses(letters):
    """Of 16 columns with few values, knowing two records: the page would call it no more than guessing otherwise."""
    picture = first(letters, known(letters, 2))
    assert picture.leader == "others"
    paper = max(picture.means["uniform"], picture.means["projection"])
    assert picture.found > paper + 0.1
    assert picture.found > picture.without.rate + 0.05
    assert "also knows" in headline(picture, letters).note


def test_who_knows_one_more_guesses_no_column_worse():
    """A further link can mislead, as it does here for some column: then what follows from fewer of them is guessed."""
    model = made("wine")
    judge, true = Judge(model.records, "value", 0.25), model.records.private
    places = [model.records.place(number) for number in model.usual_order[:5]]
    found, alone = [], []
    for number in range(len(places) + 1):
        known = tuple(places[:number])
        found.append(judge.hits(true, model.known.guess_by_others(known, judge)).attributes)
        knows = model.known.knows_others(model.known.attack(known), "value")
        alone.append(np.max([judge.hits(true, one).attributes for one in knows.guesses(model.row_of, judge.reach)], 0))
    assert np.all(np.diff(found, axis=0) >= 0)
    assert np.min(np.diff(alone, axis=0)) < -0.05
    np.testing.assert_allclose(found, np.maximum.accumulate(alone))


def test_nobody_waits_for_the_twenty_before_the_first_picture():
    """To choose them takes as long as the insider's guess by other people: they come with it, and stay."""
    model = made("breast")
    scenario = known(model, 2)
    assert model.preview(scenario).twenty is None
    assert first(model, scenario).twenty is not None
    assert model.preview(scenario).twenty is not None


def test_at_slider_rate_the_papers_guesses_come_first(iris):
    scenario = known(iris, 2, settings__eps=0.31)
    assert iris.known.preview(scenario).others is None
    last(iris, scenario)
    assert iris.known.preview(scenario).others is not None


def test_the_curve_by_closeness_passes_through_both_figures(letters):
    picture = first(letters, known(letters, 8, view__closer="closeness"))
    for name in ("uniform", "projection"):
        mean = picture.means[name]
        assert np.interp(picture.settings.eps, picture.closeness.eps, picture.closeness.lines[name]) == pytest.approx(
            mean, abs=0.02
        )
        assert np.all(np.diff(picture.closeness.lines[name]) >= -1e-9)


def test_growth_begins_with_the_records_that_are_known(iris):
    chosen = iris.usual_order[20:22]
    order = iris.order(scenario_of(iris, settings__known=chosen, settings__then=iris.usual_order[30:31]).settings)
    assert order[:3] == (*chosen, iris.usual_order[30])
    assert len(order) == iris.most_known


def test_a_shift_hides_lengths_but_not_for_long():
    model = made("letter", shifted=True)
    assert model.records.rows == SHIFTED
    assert model.preview(known(model, 2)) is None
    waiting, few = itertools.islice(model.passes(known(model, 2)), 2)
    assert waiting.waiting
    assert not few.attack.informed
    assert few.leader == "others"
    assert few.means["uniform"] == few.means["projection"] == 0
    more = first(model, known(model, 8))
    assert all(more.linked.values())
    assert more.attack.freedom == 9
    np.testing.assert_allclose(more.norms, model.norms)


def test_records_of_length_zero_under_a_shift():
    data = datasets.load("letter")
    table = data.frame[list(data.numeric[:4])].to_numpy(float)[:400].copy()
    table[::8] = 0
    model = Model(table, data.numeric[:4], 12, shifted=True, standardised=False)
    for kind in ("value", "euclidean"):
        picture = last(model, known(model, 5, settings__kind=kind))
        assert picture.attack.freedom == 0
        assert picture.found == 1


# A sample


def by_length(sample, true, reach):
    """What somebody guesses who only looks at lengths: the window with most of those of the sample who are as long."""
    lengths = np.linalg.norm(sample, axis=1)
    away = (np.linalg.norm(true, axis=1)[:, None] - lengths) / lengths.std()
    weight = np.exp(-(away**2) / 2)
    middles = sample + reach  # of windows that begin at a value of the sample
    near = [np.abs(sample[:, [c]] - middles[:, c]) <= reach[c] * (1 + 1e-9) for c in range(sample.shape[1])]
    return np.column_stack([middles[(weight @ near[c]).argmax(axis=1), c] for c in range(sample.shape[1])])


def test_a_competitor_whose_axes_mislead_guesses_by_lengths(letters):
    """An attacker of the test's own who ignores axes comes off no better than the page says; the paper's way, which
    ignores lengths, would not do."""
    scenario = scenario_of(letters, settings__sample=100, view__story="sample")
    rough, picture = letters.preview(scenario), last(letters, scenario)
    assert rough.hits.rate == rough.by_axes == picture.by_axes
    assert letters.preview(scenario).hits.rate == picture.hits.rate
    judge = Judge(letters.records, scenario.settings.kind, scenario.settings.eps)
    true = letters.records.private[:1_000]
    simple = judge.hits(true, by_length(letters.sample.sample(100, 1), true, judge.reach)).rate
    assert picture.hits.rate > simple - 0.01
    paper = last(letters, scenario.replace({"settings.method": "paper"}))
    assert paper.hits.rate == paper.by_axes < simple - 0.03
    assert picture.beyond_axes
    assert not paper.beyond_axes


def test_a_large_sample_undoes_it_and_a_small_one_does_not(letters):
    rates = [
        letters.preview(scenario_of(letters, settings__sample=q, view__story="sample")).hits.rate for q in (20, 10_000)
    ]
    assert rates[0] < 0.5 < 0.9 < rates[1]


def test_samples_share_no_record_and_go_by_number(letters):
    first, second = (letters.sample.sample(500, block) for block in (1, 2))
    assert not np.array_equal(first, second)
    assert letters.sample.samples(500) == 4
    assert letters.sample.samples(10_000) == 1
    picture = last(letters, scenario_of(letters, settings__sample=500, view__story="sample"))
    assert len(picture.others.tries) == 4
    assert picture.others.tries[0] == picture.hits.rate


def test_the_ratio_is_that_of_the_table(raw_letters):
    picture = raw_letters.preview(scenario_of(raw_letters, settings__sample=2_000, view__story="sample"))
    values = picture.attack.sample_eigenvalues
    assert picture.ratio == pytest.approx(np.min(values[:-1] / values[1:]))
    assert picture.attack.about_origin


def test_certainty_pair_by_pair():
    """Against distances one by one; large for lopsided data, small for data that look the same mirrored."""
    rng = np.random.default_rng(5)
    s, w = (np.column_stack([rng.exponential(size=q), rng.normal(size=q)]) for q in (30, 40))
    for axis in range(2):
        flip = np.where(np.arange(2) == axis, -1, 1)
        more = np.array([[np.linalg.norm(flip * a - b) - np.linalg.norm(a - b) for b in w] for a in s])
        error = np.sqrt(np.var(more.mean(axis=1), ddof=1) / 30 + np.var(more.mean(axis=0), ddof=1) / 40)
        assert certainty(s, w)[axis] == pytest.approx(more.mean() / error)
    lopsided, same = certainty(s, w)
    assert lopsided > 4 > abs(same)  # of mirrored data beyond 4 once in 16 000 times


# The remedy


def test_one_matrix_with_many_columns_hides_nothing_that_a_rotation_shows():
    model = made("letter", 6, 4_000, standardised=False)
    wide = scenario_of(model, view__story="remedy", settings__dimensions=3_000, view__closer="sides")
    first, picture = itertools.islice(model.passes(wide), 2)
    assert first.waiting
    assert picture.rotated > picture.without.rate + 0.2
    assert picture.found > 0.8 * picture.rotated
    assert picture.fresh.hits.rate < picture.found - 0.2  # a fresh matrix for each keeps lengths alone
    assert picture.neighbours["one"] > 0.8 > 0.1 > picture.neighbours["fresh"]
    assert picture.fresh.spread > 10 * picture.one_matrix.spread
    assert model.preview(wide) is not None


def test_another_rotation_gives_the_same_away(iris):
    """Why no other rotations are tried: the attack turns with the release."""
    rates = set()
    for secret in range(3):
        remedy = RemedyStory(iris)
        remedy.seed += secret
        _, picture = itertools.islice(remedy.passes(scenario_of(iris, view__story="remedy")), 2)
        rates.add(picture.rotation.rate)
    assert len(rates) == 1


# What is not looked at


def test_only_what_is_looked_at_is_computed(iris):
    plain = last(iris, known(iris, 2))
    assert plain.one is None
    assert plain.closeness is None
    assert last(iris, known(iris, 2, view__closer="record")).one is not None
    sampled = last(iris, known(iris, 2, "sample"))
    assert sampled.certainty is None
    assert sampled.curve == {}
    assert last(iris, known(iris, 2, "sample", view__closer="when")).certainty is not None


def test_what_was_computed_before_is_there_at_once(iris):
    for story in ("kept", "known", "sample", "remedy"):
        scenario = known(iris, 3, story)
        final = last(iris, scenario)
        again = iris.preview(scenario)
        assert type(again) is type(final)
        if story == "known":
            assert again.growth.uniform == final.growth.uniform
        if story == "remedy":
            assert again.curve == final.curve
        if story == "kept":
            assert again.neighbours == final.neighbours


@pytest.mark.parametrize("story", ["known", "sample", "remedy"])
def test_one_record_is_shown_in_its_own_units(iris, story):
    picture = last(iris, known(iris, 2, story, view__closer="record"))
    data = datasets.load("iris")
    row = data.frame[list(iris.records.names)].to_numpy(float)[iris.records.number(picture.one.place) - 1]
    np.testing.assert_allclose(picture.one.true, row)
    off = np.abs(picture.one.guess - picture.one.true) / iris.records.sd
    np.testing.assert_array_equal(picture.one.hit, off <= picture.settings.eps * (1 + 1e-9))
