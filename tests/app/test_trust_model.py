"""What the Trust dashboard computes and says, without a browser."""

from dataclasses import replace

import numpy as np
import pytest

from trustscope import datasets
from trustscope.app.trust import TrustDashboard, contest
from trustscope.app.trust.generator import EXPERIMENTS, Generator
from trustscope.app.trust.spectrum import caption
from trustscope.engine.experiments.huang import principal_eigenvalues
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.settings import KINDS, LEVELS, RECONSTRUCTIONS, Settings
from trustscope.scenarios.trust.words import Subject

ALICE, BOB, CAROL = Recipient(0, "Alice", 50), Recipient(1, "Bob", 20), Recipient(2, "Carol", 70)
AGE = Subject("Age", "years")


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(5)
    age = rng.integers(18, 90, 40_000)
    return Model(np.column_stack([age, rng.gamma(2, 8, 40_000) + 0.1 * age]), seed=12)


def full(model, settings):
    *_, picture = model.stream(settings)
    return picture


@pytest.mark.parametrize(("scheme", "together"), [("nested", 0.5), ("independent", 4 / 9), ("proportional", 0.0)])
def test_alice_and_bob(model, scheme, together):
    picture = full(model, Settings((ALICE, BOB), scheme))
    assert picture.results["perfect"].theory == pytest.approx(together)
    assert picture.results["single"].theory == pytest.approx(0.5)
    # 4 standard errors: a false alarm once in 16 000 runs, and the key is fixed.
    assert all(result.agrees for result in picture.results.values())
    assert picture.rows == 40_000
    only_bob = full(model, Settings((replace(ALICE, member=False), BOB), scheme))
    assert only_bob.results["perfect"].theory == pytest.approx(0.8)


def test_the_mark_shows_when_theory_and_measurement_differ(model):
    """Copies of one scheme measured against the theory of another are caught."""
    picture = full(model, Settings((ALICE, BOB), "independent"))
    wrong = replace(picture.results["perfect"], theory=0.5)
    assert picture.results["perfect"].agrees
    assert not wrong.agrees
    picture.results["perfect"] = wrong
    assert words.verdict(picture, AGE)["metrics"][0].agrees is False


def test_chunks_do_not_matter(model):
    settings = Settings((ALICE, BOB, CAROL), "independent", ("perfect", "structured", "raw"))
    one, many = full(model, settings), list(model.stream(settings, chunk=7_001))[-1]
    for name in one.results:
        assert one.results[name].tally.error == pytest.approx(many.results[name].tally.error, rel=1e-12)
        assert one.results[name].tally.breach_rate == many.results[name].tally.breach_rate
    for number in one.copies:
        np.testing.assert_array_equal(one.copies[number], many.copies[number])


def test_a_preview_is_the_beginning_of_the_whole(model):
    settings = Settings((ALICE, BOB))
    preview = model.preview(settings)
    first = next(model.stream(settings, chunk=model.preview_rows))
    assert preview.rows == first.rows == model.preview_rows == 5_000
    assert preview.results["perfect"].tally.error == pytest.approx(first.results["perfect"].tally.error)
    np.testing.assert_array_equal(preview.copies[1], first.copies[1])


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
def test_nothing_moves_that_was_not_touched(model, scheme):
    noise = model.noise()
    before = {r: noise.copy(r, scheme, 0, 500) for r in (ALICE, BOB)}
    moved = noise.copy(replace(ALICE, trust=61), scheme, 0, 500)
    assert not np.allclose(moved, before[ALICE])
    for r, copy in before.items():
        np.testing.assert_array_equal(noise.copy(r, scheme, 0, 500), copy)
    other = model.reseeded(13)
    assert not np.allclose(other.noise().copy(BOB, scheme, 0, 500), before[BOB])
    np.testing.assert_array_equal(other.reseeded(12).noise().copy(BOB, scheme, 0, 500), before[BOB])
    assert other.population is model.population


def test_the_expected_breach_rate(model):
    settings = Settings((ALICE, BOB), eps=5.0)
    result = full(model, settings).results["perfect"]
    # Both are averages over people: theory over 2 000 of them, measurement over 40 000.
    assert result.tally.breach_rate == pytest.approx(result.theory_breach, abs=4 * 0.5 / np.sqrt(2_000))


def test_full_trust_is_the_original(model):
    original = replace(ALICE, trust=100)
    assert LEVELS[100] == 0
    np.testing.assert_array_equal(model.noise().copy(original, "nested", 0, 100), model.population.values[:100])
    for scheme in ("nested", "independent", "proportional"):
        assert full(model, Settings((original, BOB), scheme)).results["perfect"].tally.error == pytest.approx(
            0, abs=1e-12
        )


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("members", ["", "A", "AB", "ABC"])
def test_there_is_always_a_sentence(model, scheme, kind, members):
    recipients = tuple(replace(r, member=r.name[0] in members) for r in (ALICE, BOB, CAROL))
    picture = model.preview(Settings(recipients, scheme, eps=0.2, kind=kind))
    said = words.verdict(picture, AGE)
    assert said["title"].endswith(".")
    assert "nan" not in str(said).lower()
    for text in (words.held(picture, AGE), words.closeness(picture, AGE), words.coalitions(picture)):
        assert text


def test_verdicts_tell_safe_from_leaking(model):
    def tone(scheme, attackers=("perfect",)):
        return words.verdict(model.preview(Settings((ALICE, BOB), scheme, attackers)), AGE)["tone"]

    assert [tone(s) for s in ("nested", "independent", "proportional")] == ["safe", "leak", "leak"]
    assert tone("nested", ("structured",)) == "safe"


def test_copies_are_watched_one_after_the_other(model):
    steps = list(model.copying(Settings((ALICE, BOB, CAROL)), 10_000))
    assert [len(step.copies) for step in steps] == [1] * 4 + [2] * 4 + [3] * 4
    assert steps[-1].fraction == 1
    assert "beyond the truth" in steps[0].where
    assert "beyond Alice" in steps[4].where
    assert "between the truth and Alice" in steps[8].where
    np.testing.assert_allclose(steps[-1].copies[1], full(model, Settings((ALICE, BOB, CAROL))).copies[1] / 40_000)


def test_one_column_one_constant_step_and_few_rows():
    for values in (np.arange(12.0)[:, None], np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 3.0]])):
        model = Model(values, seed=1)
        picture = full(model, Settings((ALICE, BOB), attackers=("perfect", "structured", "raw")))
        assert picture.rows == len(values)
        assert np.isfinite(picture.results["raw"].tally.error)


@pytest.mark.parametrize("bad", ["<script>", '"><img src=x>'])
def test_names_are_escaped_in_captions(model, bad):
    named = replace(BOB, name=bad, trust=2)
    picture = model.preview(Settings((ALICE, named)))
    subject = Subject(bad, bad)
    for text in (words.held(picture, subject), words.closeness(picture, subject), words.coalitions(picture)):
        assert bad not in text


@pytest.mark.parametrize("sample", [50, 400])
def test_one_learning_sample_is_no_disagreement(model, sample):
    """The attacker who learns the mean draws one sample: that its luck differs from the average is no ✗."""
    settings = Settings((ALICE, BOB), "nested", ("structured",), sample)
    verdicts = [full(model.reseeded(seed), settings).results["structured"].agrees for seed in range(8)]
    assert all(verdicts)


def test_sentences_are_true_at_the_edges(model):
    def said(scheme, alice, bob):
        recipients = (replace(ALICE, trust=alice), replace(BOB, trust=bob))
        return words.verdict(model.preview(Settings(recipients, scheme)), AGE)

    assert "holds the original" in said("proportional", 100, 20)["title"]
    assert "recover every value" in said("proportional", 50, 20)["title"]
    assert "no more than Alice" in said("proportional", 50, 50)["title"]  # one and the same copy
    assert "a little more" in said("independent", 50, 1)["title"]
    for trusts in ((1, 1), (50, 1), (50, 20)):
        text = said("nested", *trusts)["text"]
        first, _, second = text.partition(" instead of ")
        assert not second or first.split()[-2:] != second.rstrip(".").split()[:2]
    assert "would fall from 0.500 to 0.444" in said("nested", 50, 20)["text"]


# Attackers on one combined copy, and the shape of the noise


@pytest.fixture(scope="module")
def correlated():
    """Six attributes on two strong components, made to order: one unit, variance 100 on average."""
    values = datasets.load("gaussian", rows=8_000, eigenvalues=principal_eigenvalues(6, 2)).frame.to_numpy()
    return Model(values, seed=12, common_unit=True)


FIVE = tuple(RECONSTRUCTIONS)


@pytest.mark.parametrize("scheme", ["nested", "independent"])
@pytest.mark.parametrize("similarity", [1.0, 0.0, -1.0])
def test_every_attacker_at_every_shape(correlated, scheme, similarity):
    settings = Settings((ALICE, BOB), scheme, ("perfect", *FIVE), similarity=similarity, informed=True)
    results = full(correlated, settings).results
    judged = ["perfect", "noise_distribution", "univariate", "principal_components", "bayes", "guess"]
    # 4 standard errors: a false alarm once in 16 000 for each of 36 figures, and the key is fixed.
    assert {name: results[name].agrees for name in judged} == dict.fromkeys(judged, True)
    assert results["spectral_filter"].theory is None
    # Who knows the covariance and weighs by Bayes' rule is the linear attacker.
    assert results["bayes"].tally.error == pytest.approx(results["perfect"].tally.error, rel=1e-9)
    assert results["bayes"].theory == pytest.approx(results["perfect"].theory, rel=1e-9)


def test_a_wrong_shape_is_noticed(correlated):
    settings = Settings((ALICE, BOB), "nested", ("bayes",), similarity=0.0, informed=True)
    result = full(correlated, settings).results["bayes"]
    other = full(correlated, replace(settings, similarity=0.5)).results["bayes"]
    assert result.agrees
    assert not replace(result, theory=other.theory).agrees


def test_noise_like_the_data_resists_best(correlated):
    def error(similarity, attacker):
        settings = Settings((ALICE, BOB), attackers=(attacker,), similarity=similarity)
        return correlated.preview(settings).results[attacker].tally.error

    for attacker in ("principal_components", "bayes"):
        assert error(1.0, attacker) > error(0.5, attacker) > error(0.0, attacker) > error(-1.0, attacker)
    wrong = correlated.preview(Settings((ALICE, BOB), similarity=0.0)).coalitions["nested"][1]
    assert wrong < 0.9 * 0.5


def test_those_who_estimate_come_near_those_who_know(correlated):
    settings = Settings((replace(ALICE, trust=80), BOB), attackers=FIVE, similarity=0.0)
    guessed, known = full(correlated, settings).results, full(correlated, replace(settings, informed=True)).results
    for name in FIVE:
        assert guessed[name].agrees is None or name == "noise_distribution"
        if name != "spectral_filter":  # which estimates chance to rise above the band is another matter
            assert guessed[name].tally.error == pytest.approx(known[name].tally.error, abs=0.02)
    assert guessed["bayes"].theory > guessed["bayes"].informed


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
def test_a_coalition_of_attackers(correlated, scheme):
    """Nested: what the best copy gives, to the last bit. Otherwise they gain, every one of them."""
    settings = Settings((ALICE, BOB), scheme, FIVE, similarity=0.0)
    for name in FIVE:
        results = full(correlated, replace(settings, attackers=(name,))).results
        together, alone = results[name].tally.error, results["single"].tally.error
        if scheme == "nested":
            assert together == alone
        elif name != "spectral_filter":
            assert together < alone
    assert full(correlated, settings).results["single"].attack.attacker == "bayes"


def test_chunks_do_not_matter_to_who_looks_at_the_whole(correlated):
    settings = Settings((ALICE, BOB), "independent", FIVE, similarity=-0.4)
    one, many = full(correlated, settings), list(correlated.stream(settings, chunk=3_001))[-1]
    for name in FIVE:
        assert one.results[name].tally.error == pytest.approx(many.results[name].tally.error, rel=1e-12)
    np.testing.assert_allclose(one.spectrum.released, many.spectrum.released, rtol=1e-12)


def test_units_do_not_matter_to_attackers():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(3_000, 3)) @ np.array([[1.0, 0.8, 0.1], [0, 0.6, 0.3], [0, 0, 1.0]])
    settings = Settings((ALICE, BOB), attackers=FIVE, similarity=0.0, eps=0.0)
    plain, scaled = Model(values, 1).preview(settings), Model(values * [1e4, 1, 1e-3], 1).preview(settings)
    for name in FIVE:
        assert scaled.results[name].tally.error == pytest.approx(plain.results[name].tally.error, rel=1e-6)


def test_of_very_large_data_not_all_rows_are_attacked(correlated, monkeypatch):
    monkeypatch.setattr("trustscope.scenarios.trust.model.WHOLE", 6 * 6_000)
    picture = full(correlated, Settings((ALICE, BOB), attackers=("perfect", "bayes")))
    assert picture.reconstructed == picture.results["bayes"].tally.rows == 6_000
    assert picture.results["perfect"].tally.rows == 8_000
    assert "first 6 000 rows" in contest.caption(picture, correlated.population)


ODD = {
    "fewer rows than columns": np.random.default_rng(0).normal(size=(5, 8)),
    "one column": np.arange(40.0)[:, None],
    "a constant column": np.column_stack([np.arange(60.0) % 7, np.full(60, 3.0), np.arange(60.0) % 11]),
    "only constants": np.ones((20, 2)),
    "a copied column": np.repeat(np.random.default_rng(1).normal(size=(50, 1)), 2, axis=1),
    "two rows": np.array([[0.0, 1.0], [2.0, 5.0]]),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("informed", [True, False])
@pytest.mark.parametrize("trust", [100, 50, 1])
def test_odd_data(name, informed, trust):
    model = Model(ODD[name], seed=1)
    recipients = (replace(ALICE, trust=trust), BOB)
    for similarity in (1.0, 0.0, -1.0):
        for scheme in ("nested", "independent", "proportional"):
            settings = Settings(recipients, scheme, ("perfect", *FIVE), similarity=similarity, informed=informed)
            picture = full(model, settings)
            errors = [result.tally.error for result in picture.results.values()]
            assert np.all(np.isfinite(errors))
            said = [words.verdict(picture, AGE), contest.caption(picture, model.population), caption(picture)]
            assert "nan" not in str(said).lower()
            assert "inf" not in str(said).lower()


def test_who_wins_and_why():
    values = datasets.load("gaussian", rows=600, eigenvalues=principal_eigenvalues(60, 4, small=0.5)).frame.to_numpy()
    model = Model(values, seed=3, common_unit=True)

    def said(trust=80, **changes):
        settings = Settings((replace(ALICE, trust=trust), BOB), **{"attackers": FIVE, "similarity": 0.0} | changes)
        return contest.caption(full(model, settings), model.population)

    # 60 attributes from 600 records: Bayes pays for estimating, and falls behind the strong components.
    assert "keeps the strong components" in said()
    assert "must learn all 60 from 600 records" in said()
    assert "weighs by Bayes' rule" in said(informed=True)
    assert "guessing the mean" in said(trust=1, attackers=("noise_distribution",))
    assert "Tick more attackers" in said(attackers=("perfect",))
    assert "the data's own shape" in said(similarity=1.0, informed=True)
    assert contest.caption(model.preview(Settings((replace(ALICE, member=False),))), model.population).startswith(
        "Tick"
    )


def test_the_generator_makes_what_is_ordered():
    generator = Generator()
    for name, chosen in EXPERIMENTS.items():
        generator.experiment.value = [name]
        values = generator.eigenvalues()
        assert len(values) == chosen.attributes
        assert np.sum(values > chosen.small) == chosen.components
        assert chosen.large is None or values[0] == pytest.approx(chosen.large)
        assert chosen.large or values.mean() == pytest.approx(100)
        # The noise of the paper, 25, to the nearest whole per cent of trust.
        assert LEVELS[generator.trust()] * values.mean() == pytest.approx(25, rel=0.1)
    data = generator.dataset()
    assert data.rows == 2_000
    assert len(data.numeric) == 100
    generator.attributes.value = 10
    assert generator.components.value == 10
    assert len(generator.eigenvalues()) == 10


def test_the_verdict_is_about_who_knows_most(correlated):
    settings = Settings((ALICE, BOB), "independent", ("noise_distribution", "bayes"), similarity=0.0)
    picture = full(correlated, settings)
    figures = words.verdict(picture, AGE)["metrics"]
    assert figures[0].name == "coalition's error, by Bayes' rule"
    # An approximate theory is not the headline.
    assert figures[0].value == f"{picture.results['bayes'].tally.error:.3f}"
    assert figures[0].agrees is None
    assert picture.results["rival"].attack.attacker == picture.results["single"].attack.attacker == "bayes"


def test_no_alarm_over_the_baseline():
    """Values that all lie equally far from the mean: no sampling error is left to hide behind."""
    for rows in (40, 200, 10_000):
        model = Model(np.tile([0.0, 1.0], rows // 2)[:, None], seed=1)
        assert full(model, Settings((ALICE, BOB))).results["guess"].agrees


def test_why_each_attribute_alone_wins():
    """Far from normal values: only who uses their distribution gains from it."""
    values = np.random.default_rng(3).exponential(size=(20_000, 2))
    model = Model(values, seed=1)
    settings = Settings((ALICE, BOB), attackers=("perfect", *FIVE))
    said = contest.caption(full(model, settings), model.population)
    assert "takes each attribute alone" in said
    assert "the values are not normal" in said
    informed = contest.caption(full(model, replace(settings, informed=True)), model.population)
    assert "not normal" not in informed


def test_too_few_rows_have_no_formula():
    model = Model(np.random.default_rng(0).normal(size=(6, 3)), seed=1)
    results = full(model, Settings((ALICE, BOB), attackers=FIVE)).results
    assert results["bayes"].theory is results["principal_components"].theory is None
    assert results["noise_distribution"].theory is not None


def test_what_the_spectrum_says(correlated):
    def said(**changes):
        return caption(full(correlated, Settings((replace(ALICE, trust=80), BOB), attackers=FIVE, **changes)))

    assert "<b>2</b> come before the gap" in said(similarity=0.0)
    assert "more noise than data" in said(similarity=-1.0)
    flat = Model(np.random.default_rng(0).normal(size=(5_000, 4)), seed=1)
    assert "no gap" in caption(full(flat, Settings((ALICE, BOB), similarity=0.0)))


def test_an_experiment_sets_the_stage():
    dashboard = TrustDashboard("gaussian")
    assert dashboard.desk.generator.chosen is None
    dashboard.controls.recipients.value = (replace(ALICE, trust=99), replace(BOB, trust=95))
    dashboard.controls.scheme.value, dashboard.controls.informed.value = ["independent"], ["yes"]
    dashboard.desk.generator.experiment.value = ["1"]
    settings = dashboard.settings()
    assert (settings.scheme, settings.informed, settings.similarity) == ("nested", False, 0.0)
    assert [r.trust for r in settings.recipients] == [80, 80]
    assert set(FIVE) < set(settings.attackers)
    # The third holds the noise, not the trust: it follows what is dragged.
    dashboard.desk.generator.experiment.value = ["3"]
    for place in (2, 10):
        dashboard.desk.generator.small.value = place
        dashboard.desk.generator.changed += 1
        level = LEVELS[dashboard.settings().recipients[0].trust]
        assert level * dashboard.model.population.covariance.trace() / 100 == pytest.approx(25, rel=0.05)
