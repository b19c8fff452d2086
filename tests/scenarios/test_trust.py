"""What the Trust page computes and says, without a page."""

import re
from dataclasses import replace

import numpy as np
import pytest

from trustscope import datasets
from trustscope.engine.experiments.huang import principal_eigenvalues
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.trust import contest, words
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.order import EXPERIMENTS, eigenvalues, make_dataset, trust
from trustscope.scenarios.trust.run import Run
from trustscope.scenarios.trust.scenario import KINDS, LEVELS, RECONSTRUCTIONS, TrustScenario
from trustscope.scenarios.trust.verdict import headline
from trustscope.scenarios.trust.words import Subject

ALICE, BOB, CAROL = (
    Recipient(number=number, name=name, trust=level)
    for number, (name, level) in enumerate((("Alice", 50), ("Bob", 20), ("Carol", 70)))
)
AGE = Subject("Age", "years")


def a_model(values, seed=12, **options):
    values = np.asarray(values, dtype=float)
    return Model(values, [f"column {i}" for i in range(values.shape[1])], seed, **options)


def settings_of(recipients=(ALICE, BOB), scheme="nested", attackers=("perfect",), closer="", **more):
    changes = {"recipients": tuple(recipients), "scheme": scheme, "attackers": tuple(attackers), "eps": 5.0} | more
    return TrustScenario().replace(
        {f"settings.{name}": value for name, value in changes.items()} | {"view.closer": closer}
    )


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(5)
    age = rng.integers(18, 90, 40_000)
    return a_model(np.column_stack([age, rng.gamma(2, 8, 40_000) + 0.1 * age]))


def full(model, settings):
    *_, picture = model.stream(settings)
    return picture


@pytest.mark.parametrize(("scheme", "together"), [("nested", 0.5), ("independent", 4 / 9), ("proportional", 0.0)])
def test_alice_and_bob(model, scheme, together):
    picture = full(model, settings_of(scheme=scheme))
    assert picture.together["perfect"].theory == pytest.approx(together)
    assert picture.alone["perfect"].theory == pytest.approx(0.5)
    # 4 standard errors: a false alarm once in 16 000 runs, and the key is fixed.
    assert all(
        one.agrees for one in (picture.together["perfect"], picture.alone["perfect"], picture.rival, picture.guess)
    )
    assert picture.rows == 40_000
    only_bob = full(model, settings_of((ALICE.replace({"member": False}), BOB), scheme))
    assert only_bob.together["perfect"].theory == pytest.approx(0.8)


def test_the_mark_shows_when_theory_and_measurement_differ(model):
    """Copies of one scheme measured against the theory of another are caught."""
    result = full(model, settings_of(scheme="independent")).together["perfect"]
    assert result.agrees
    assert replace(result, theory=0.5).agrees is False


def test_chunks_do_not_matter(model):
    scenario = settings_of((ALICE, BOB, CAROL), "independent", ("perfect", "structured", "raw"), "everyone")
    one, many = full(model, scenario), list(model.stream(scenario, chunk=7_001))[-1]
    for name in one.together:
        assert one.together[name].tally.error == pytest.approx(many.together[name].tally.error, rel=1e-12)
        assert one.together[name].tally.breach_rate == many.together[name].tally.breach_rate
    for number in one.held.copies:
        np.testing.assert_array_equal(one.held.copies[number], many.held.copies[number])


def test_a_preview_is_the_beginning_of_the_whole(model):
    scenario = settings_of(closer="everyone")
    preview = model.preview(scenario)
    first = next(model.stream(scenario, chunk=model.preview_rows))
    assert preview.rows == first.rows == model.preview_rows == 5_000
    np.testing.assert_array_equal(preview.held.copies[1], first.held.copies[1])
    np.testing.assert_array_equal(preview.held.guess, first.held.guess)
    measured = model.preview(settings_of(closer="attackers"))
    assert measured.together["perfect"].tally.error == pytest.approx(first.together["perfect"].tally.error)


@pytest.mark.sweep
@pytest.mark.parametrize("closer", ["", "everyone", "coalitions", "closeness", "attackers"])
@pytest.mark.parametrize(
    "attackers", [("perfect",), ("structured", "bayes"), ("raw", "perfect"), ("noise_distribution",)]
)
@pytest.mark.parametrize("kind", ["absolute", "euclidean"])
def test_at_slider_rate_only_what_has_no_closed_form_is_measured(model, kind, attackers, closer):
    """Unless the view of it is open; what the headline says is the same."""
    eps = {"eps": 0.2} if kind == "euclidean" else {}
    scenario = settings_of(attackers=attackers, kind=kind, closer=closer, scheme="independent", **eps)
    preview, first = model.preview(scenario), next(model.stream(scenario, chunk=model.preview_rows))
    looked_at = closer in ("closeness", "attackers")
    for name, result in preview.together.items():
        closed = kind == "absolute" and name in ("perfect", "structured")
        assert (result.tally.rows > 0) == (looked_at or not closed), name
    assert all(result.tally.rows for result in first.together.values())  # a pass over all rows measures everything
    reconstructed = any(name in RECONSTRUCTIONS for name in attackers)  # from all rows of the stream, which come later
    if not reconstructed:
        assert headline(preview, AGE) == headline(first, AGE)


@pytest.mark.parametrize("similarity", [1.0, 0.3])
@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional", "half_nested"])
@pytest.mark.usefixtures("half_nested")
def test_copies_in_a_preview_are_those_of_the_release_to_the_last_bit(model, scheme, similarity):
    """They are made of noise that was drawn once, at whatever trust."""
    run = Run(model, settings_of(scheme=scheme, similarity=similarity), model.preview_rows)
    for level in (100, 99, 50, 37, 1):
        for recipient in (ALICE, BOB):
            one = recipient.replace({"trust": level})
            expected = model.noise(similarity).copy(one, scheme, 0, 5_000, among=run.settings.recipients)
            np.testing.assert_array_equal(run.preview_copy(one, scheme, 5_000), expected)


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
def test_nothing_moves_that_was_not_touched(model, scheme):
    noise = model.noise()

    def copies(noise, recipients):
        return [noise.copy(r, scheme, 0, 500, among=recipients) for r in recipients]

    before = copies(noise, (ALICE, BOB))
    bob_moved = copies(noise, (ALICE, BOB.replace({"trust": 31})))
    np.testing.assert_array_equal(bob_moved[0], before[0])
    assert not np.allclose(bob_moved[1], before[1])
    # Alice is trusted most, so that proportional noise, which is one noise, is scaled from hers.
    alice_moved = copies(noise, (ALICE.replace({"trust": 61}), BOB))
    assert not np.allclose(alice_moved[0], before[0])
    assert np.array_equal(alice_moved[1], before[1]) == (scheme != "proportional")
    np.testing.assert_array_equal(copies(noise, (ALICE, BOB)), before)
    other = model.reseeded(13)
    assert not np.allclose(copies(other.noise(), (ALICE, BOB))[1], before[1])
    np.testing.assert_array_equal(copies(other.reseeded(12).noise(), (ALICE, BOB)), before)
    assert other.population is model.population


def test_the_expected_share_of_hits(model):
    result = full(model, settings_of(eps=5.0)).together["perfect"]
    assert abs(result.tally.breach_rate - result.theory_breach) <= result.hits_tolerance < 0.02


def test_full_trust_is_the_original(model):
    original = ALICE.replace({"trust": 100})
    assert LEVELS[100] == 0
    held = model.noise().copy(original, "nested", 0, 100, among=(original,))
    np.testing.assert_array_equal(held, model.population.values[:100])
    for scheme in ("nested", "independent", "proportional"):
        assert full(model, settings_of((original, BOB), scheme)).together["perfect"].tally.error == pytest.approx(
            0, abs=1e-12
        )


@pytest.mark.sweep
@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("members", ["", "A", "AB", "ABC"])
def test_there_is_always_a_sentence(model, scheme, kind, members):
    recipients = tuple(r.replace({"member": r.name[0] in members}) for r in (ALICE, BOB, CAROL))
    pictures = {
        closer: model.preview(settings_of(recipients, scheme, eps=0.2, kind=kind, closer=closer))
        for closer in ("everyone", "closeness", "coalitions")
    }
    said = headline(pictures["closeness"], AGE)
    assert said.title.endswith(".")
    assert len(said.title.split()) <= 12
    texts = [
        words.copies_caption(pictures["everyone"].held, pictures["everyone"], AGE),
        words.closeness(pictures["closeness"], AGE),
        words.coalitions(pictures["coalitions"]),
    ]
    assert all(texts)
    assert "nan" not in str([vars(said), texts]).lower()


def test_headlines_tell_safe_from_leaking(model):
    def tone(scheme, attackers=("perfect",)):
        return headline(model.preview(settings_of(scheme=scheme, attackers=attackers)), AGE).tone

    assert [tone(s) for s in ("nested", "independent", "proportional")] == ["safe", "leak", "leak"]
    assert tone("nested", ("structured",)) == "safe"


def test_copies_are_watched_one_after_the_other(model):
    scenario = settings_of((ALICE, BOB, CAROL), closer="everyone")
    steps = list(model.copying(scenario.settings, 10_000))
    assert [len(step.copies) for step in steps] == [1] * 4 + [2] * 4 + [3] * 4
    assert steps[-1].fraction == 1
    assert "beyond the truth" in steps[0].where
    assert "beyond Alice" in steps[4].where
    assert "between the truth and Alice" in steps[8].where
    np.testing.assert_allclose(steps[-1].copies[1], full(model, scenario).held.copies[1] / 40_000)


def test_one_column_one_constant_step_and_few_rows():
    for values in (np.arange(12.0)[:, None], np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 3.0]])):
        model = a_model(values, 1)
        picture = full(model, settings_of((ALICE, BOB), attackers=("perfect", "structured", "raw")))
        assert picture.rows == len(values)
        assert np.isfinite(picture.together["raw"].tally.error)


@pytest.mark.parametrize("bad", ["<script>", '"><img src=x>'])
def test_names_are_escaped_in_captions(model, bad):
    recipients, subject = (ALICE, BOB.replace({"name": bad, "trust": 2})), Subject(bad, bad)
    picture = model.preview(settings_of(recipients, closer="everyone").replace({"view.person": 3}))
    texts = [
        words.copies_caption(picture.held, picture, subject),
        words.closeness(model.preview(settings_of(recipients, closer="closeness")), subject),
        words.person(picture.person, picture.settings, subject),
        words.coalitions(model.preview(settings_of(recipients, closer="coalitions"))),
    ]
    assert not [text for text in texts if bad in text]


@pytest.mark.parametrize("sample", [50, 400])
def test_one_learning_sample_is_no_disagreement(model, sample):
    """The attacker who learns the mean draws one sample: that its luck differs from the average is no ✗."""
    settings = settings_of((ALICE, BOB), "nested", ("structured",), sample=sample)
    verdicts = [full(model.reseeded(seed), settings).together["structured"].agrees for seed in range(8)]
    assert all(verdicts)


def test_sentences_are_true_at_the_edges(model):
    def said(scheme, alice, bob):
        recipients = (ALICE.replace({"trust": alice}), BOB.replace({"trust": bob}))
        return headline(model.preview(settings_of(recipients, scheme)), AGE)

    assert "holds the original" in said("proportional", 100, 20).title
    assert "recover every value" in said("proportional", 50, 20).title
    assert "Alice and Bob gain nothing" in said("proportional", 50, 50).title  # one and the same copy
    assert "Alice and Bob learn more together than either was meant to" in said("independent", 50, 10).title
    for trusts in ((1, 1), (50, 1), (50, 20)):
        safe = said("nested", *trusts)
        assert safe.before == safe.after
        assert safe.tone != "leak"
    assert "would fall to 67 %" in said("nested", 50, 20).note


# Attackers on one combined copy, and the shape of the noise


@pytest.fixture(scope="module")
def correlated():
    """Six attributes on two strong components, made to order: one unit, variance 100 on average."""
    values = datasets.load("gaussian", rows=8_000, eigenvalues=principal_eigenvalues(6, 2)).frame.to_numpy()
    return a_model(values, 12, common_unit=True)


FIVE = tuple(RECONSTRUCTIONS)


@pytest.mark.parametrize("scheme", ["nested", "independent"])
@pytest.mark.parametrize("similarity", [1.0, 0.0, -1.0])
def test_every_attacker_at_every_shape(correlated, scheme, similarity):
    settings = settings_of((ALICE, BOB), scheme, ("perfect", *FIVE), similarity=similarity, informed=True)
    picture = full(correlated, settings)
    results = picture.together | {"guess": picture.guess}
    judged = ["perfect", "noise_distribution", "univariate", "principal_components", "bayes", "guess"]
    # 4 standard errors: a false alarm once in 16 000 for each of 36 figures, and the key is fixed.
    assert {name: results[name].agrees for name in judged} == dict.fromkeys(judged, True)
    assert results["spectral_filter"].theory is None
    # Who knows the covariance and weighs by Bayes' rule is the linear attacker.
    assert results["bayes"].tally.error == pytest.approx(results["perfect"].tally.error, rel=1e-9)
    assert results["bayes"].theory == pytest.approx(results["perfect"].theory, rel=1e-9)


def test_a_wrong_shape_is_noticed(correlated):
    settings = settings_of((ALICE, BOB), "nested", ("bayes",), similarity=0.0, informed=True)
    result = full(correlated, settings).together["bayes"]
    other = full(correlated, settings.replace({"settings.similarity": 0.5})).together["bayes"]
    assert result.agrees
    assert not replace(result, theory=other.theory).agrees


def test_noise_like_the_data_resists_best(correlated):
    def error(similarity, attacker):
        settings = settings_of((ALICE, BOB), attackers=(attacker,), similarity=similarity)
        return correlated.preview(settings).together[attacker].tally.error

    for attacker in ("principal_components", "bayes"):
        assert error(1.0, attacker) > error(0.5, attacker) > error(0.0, attacker) > error(-1.0, attacker)
    wrong = correlated.preview(settings_of(similarity=0.0, closer="coalitions")).coalitions["nested"][1]
    assert wrong < 0.9 * 0.5


def test_those_who_estimate_come_near_those_who_know(correlated):
    settings = settings_of((ALICE.replace({"trust": 80}), BOB), attackers=FIVE, similarity=0.0)
    guessed, known = (
        full(correlated, settings).together,
        full(correlated, settings.replace({"settings.informed": True})).together,
    )
    for name in FIVE:
        assert guessed[name].agrees is None or name == "noise_distribution"
        if name != "spectral_filter":  # which estimates chance to rise above the band is another matter
            assert guessed[name].tally.error == pytest.approx(known[name].tally.error, abs=0.02)
    assert guessed["bayes"].theory > guessed["bayes"].informed


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
def test_a_coalition_of_attackers(correlated, scheme):
    """Nested: what the best copy gives, to the last bit. Otherwise they gain, every one of them."""
    picture = full(correlated, settings_of(scheme=scheme, attackers=FIVE, similarity=0.0))
    for name in FIVE:
        together, alone = picture.together[name].tally.error, picture.alone[name].tally.error
        if scheme == "nested":
            assert together == alone
        elif name != "spectral_filter":
            assert together < alone


def test_chunks_do_not_matter_to_who_looks_at_the_whole(correlated):
    settings = settings_of((ALICE, BOB), "independent", FIVE, "spectrum", similarity=-0.4)
    one, many = full(correlated, settings), list(correlated.stream(settings, chunk=3_001))[-1]
    for name in FIVE:
        assert one.together[name].tally.error == pytest.approx(many.together[name].tally.error, rel=1e-12)
    np.testing.assert_allclose(one.spectrum.released, many.spectrum.released, rtol=1e-12)


def test_units_do_not_matter_to_attackers():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(3_000, 3)) @ np.array([[1.0, 0.8, 0.1], [0, 0.6, 0.3], [0, 0, 1.0]])
    settings = settings_of((ALICE, BOB), attackers=FIVE, similarity=0.0, eps=0.0)
    plain, scaled = a_model(values, 1).preview(settings), a_model(values * [1e4, 1, 1e-3], 1).preview(settings)
    for name in FIVE:
        assert scaled.together[name].tally.error == pytest.approx(plain.together[name].tally.error, rel=1e-6)


def test_of_very_large_data_not_all_rows_are_attacked(correlated, monkeypatch):
    monkeypatch.setattr(correlated, "whole_rows", 6_000)
    picture = full(correlated, settings_of((ALICE, BOB), attackers=("perfect", "bayes")))
    assert picture.reconstructed == picture.together["bayes"].tally.rows == 6_000
    assert picture.together["perfect"].tally.rows == 8_000
    assert "first 6 000 rows" in contest.caption(picture, correlated.population)


ODD = {
    "fewer rows than columns": np.random.default_rng(0).normal(size=(5, 8)),
    "one column": np.arange(40.0)[:, None],
    "a constant column": np.column_stack([np.arange(60.0) % 7, np.full(60, 3.0), np.arange(60.0) % 11]),
    "only constants": np.ones((20, 2)),
    "a copied column": np.repeat(np.random.default_rng(1).normal(size=(50, 1)), 2, axis=1),
    "two rows": np.array([[0.0, 1.0], [2.0, 5.0]]),
}


# The schemes for the three shapes of the noise: over the three trusts every scheme meets every shape and every trust.
TURNED = {
    100: ("nested", "independent", "proportional"),
    50: ("independent", "proportional", "nested"),
    1: ("proportional", "nested", "independent"),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("informed", [True, False])
@pytest.mark.parametrize("trusted", TURNED)
def test_odd_data(name, informed, trusted):
    model = a_model(ODD[name], 1)
    recipients = (ALICE.replace({"trust": trusted}), BOB)
    for similarity, scheme in zip((1.0, 0.0, -1.0), TURNED[trusted], strict=True):
        scenario = settings_of(
            recipients, scheme, ("perfect", *FIVE), "spectrum", similarity=similarity, informed=informed
        )
        picture = full(model, model.fit_to_data(scenario))
        errors = [result.tally.error for result in (*picture.together.values(), *picture.alone.values())]
        assert np.all(np.isfinite(errors))
        told = headline(picture, AGE), contest.caption(picture, model.population), words.spectrum(picture)
        assert not re.search(r"\b(nan|inf)\b", str(told).lower())


def test_who_wins_and_why():
    values = datasets.load("gaussian", rows=600, eigenvalues=principal_eigenvalues(60, 4, small=0.5)).frame.to_numpy()
    model = a_model(values, 3, common_unit=True)

    def said(trust=80, **changes):
        settings = settings_of(
            (ALICE.replace({"trust": trust}), BOB), **{"attackers": FIVE, "similarity": 0.0} | changes
        )
        return contest.caption(full(model, settings), model.population)

    # 60 attributes from 600 records: Bayes pays for estimating, and falls behind the strong components.
    assert "keeps the strong components" in said()
    assert "must learn all 60 from 600 records" in said()
    assert "its root is what the headline calls the typical error" in said()
    assert "weighs by Bayes' rule" in said(informed=True)
    assert "guessing the average" in said(trust=1, attackers=("noise_distribution",))
    assert "Tick more attackers" in said(attackers=("perfect",))
    assert "the data's own shape" in said(similarity=1.0, informed=True)
    assert contest.caption(
        model.preview(settings_of((ALICE.replace({"member": False}),))), model.population
    ).startswith("Tick")


def test_what_is_ordered_is_made():
    for number, played in EXPERIMENTS.items():
        order = played.order
        values = eigenvalues(order)
        assert order.experiment == number
        assert len(values) == order.attributes
        assert np.sum(values > order.small) == order.components
        assert played.large is None or values[0] == pytest.approx(played.large)
        assert played.large or values.mean() == pytest.approx(100)
        # The noise of the paper, 25, to the nearest whole per cent of trust.
        assert LEVELS[trust(order)] * values.mean() == pytest.approx(25, rel=0.1)
    data = make_dataset(EXPERIMENTS["4"].order)
    assert data.rows == 2_000
    assert len(data.numeric) == 100


def test_the_headline_is_about_the_most_successful_attacker(correlated):
    scenario = settings_of(scheme="independent", attackers=("noise_distribution", "bayes"), similarity=0.0)
    picture = full(correlated, scenario)
    said = headline(picture, AGE)
    best = max(picture.together.values(), key=lambda result: result.hits)
    assert said.after == words.share(best.hits)
    assert "weighs by Bayes' rule" in said.note
    assert picture.rival.attack.attacker == "bayes"


def test_no_alarm_over_the_baseline():
    """Values that all lie equally far from the mean: no sampling error is left to hide behind."""
    for rows in (40, 200, 10_000):
        model = a_model(np.tile([0.0, 1.0], rows // 2)[:, None], 1)
        assert full(model, settings_of()).guess.agrees


def test_why_each_attribute_alone_wins():
    """Far from normal values: only who uses their distribution gains from it."""
    values = np.random.default_rng(3).exponential(size=(20_000, 2))
    model = a_model(values, 1)
    settings = settings_of((ALICE, BOB), attackers=("perfect", *FIVE))
    said = contest.caption(full(model, settings), model.population)
    assert "takes each attribute alone" in said
    assert "the values are not normal" in said
    informed = contest.caption(full(model, settings.replace({"settings.informed": True})), model.population)
    assert "not normal" not in informed


def test_too_few_rows_have_no_formula():
    model = a_model(np.random.default_rng(0).normal(size=(6, 3)), 1)
    results = full(model, settings_of(attackers=FIVE)).together
    assert results["bayes"].theory is results["principal_components"].theory is None
    assert results["noise_distribution"].theory is not None


def test_what_the_spectrum_says(correlated):
    def said(**changes):
        return words.spectrum(
            full(
                correlated,
                settings_of((ALICE.replace({"trust": 80}), BOB), attackers=FIVE, closer="spectrum", **changes),
            )
        )

    assert "<b>2</b> come before the gap" in said(similarity=0.0)
    assert "more noise than data" in said(similarity=-1.0)
    flat = a_model(np.random.default_rng(0).normal(size=(5_000, 4)), 1)
    assert "no gap" in words.spectrum(full(flat, settings_of(similarity=0.0, closer="spectrum")))
