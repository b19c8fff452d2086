"""What the Trust dashboard computes and says, without a browser."""

from dataclasses import replace

import numpy as np
import pytest

from app.trust import words
from app.trust.model import PREVIEW, Model
from app.trust.settings import KINDS, LEVELS, Settings
from app.trust.words import Subject
from widgets.recipients import Recipient

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
    assert words.verdict(picture, AGE)["figures"][0].agrees is False


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
    first = next(model.stream(settings, chunk=PREVIEW))
    assert preview.rows == first.rows == PREVIEW
    assert preview.results["perfect"].tally.error == pytest.approx(first.results["perfect"].tally.error)
    np.testing.assert_array_equal(preview.copies[1], first.copies[1])


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
def test_nothing_moves_that_was_not_touched(model, scheme):
    before = {r: model.copy(r, scheme, 0, 500) for r in (ALICE, BOB)}
    moved = model.copy(replace(ALICE, trust=61), scheme, 0, 500)
    assert not np.allclose(moved, before[ALICE])
    for r, copy in before.items():
        np.testing.assert_array_equal(model.copy(r, scheme, 0, 500), copy)
    other = model.reseeded(13)
    assert not np.allclose(other.copy(BOB, scheme, 0, 500), before[BOB])
    np.testing.assert_array_equal(other.reseeded(12).copy(BOB, scheme, 0, 500), before[BOB])
    assert other.values is model.values


def test_the_expected_breach_rate(model):
    settings = Settings((ALICE, BOB), eps=5.0)
    result = full(model, settings).results["perfect"]
    # Both are averages over people: theory over 2 000 of them, measurement over 40 000.
    assert result.tally.breach_rate == pytest.approx(result.theory_breach, abs=4 * 0.5 / np.sqrt(2_000))


def test_full_trust_is_the_original(model):
    original = replace(ALICE, trust=100)
    assert LEVELS[100] == 0
    np.testing.assert_array_equal(model.copy(original, "nested", 0, 100), model.values[:100])
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
