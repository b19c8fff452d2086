"""The Categories dashboard without a browser: its numbers, its words, its data, its views."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from trustscope.app.categories import CategoriesDashboard
from trustscope.app.categories.controls import START
from trustscope.app.categories.guarantees import whole_per_cent
from trustscope.datasets import Dataset
from trustscope.engine import measures
from trustscope.engine.attacks import posterior
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.column import Column, binned, column_of
from trustscope.scenarios.categories.example import DISEASES, patients
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.picture import Tally
from trustscope.scenarios.categories.settings import Recipient, Settings

NASTY = "<img src=x onerror=alert(1)>"


def dataset(frame, numeric=()):
    categorical = tuple(name for name in frame if name not in numeric)
    return Dataset("own", "own", frame, tuple(numeric), categorical, None, "", "")


@pytest.fixture(scope="module")
def model():
    return Model(column_of(patients(), "Disease", 10), 12)


def last(model, settings):
    *_, picture = model.stream(settings)
    return picture


def test_the_example_has_the_papers_numbers(model):
    """Example 1: ten diseases; Alice, 40 %, holds HIV with 0.46, Bob, 20 %, with 0.28; together, apart, 0.749."""
    assert model.size == 10
    assert [r.trust for r in START] == [40, 20]
    assert words.stays(0.4, 10) == pytest.approx(0.46)
    assert words.stays(0.2, 10) == pytest.approx(0.28)
    assert posterior.belief([0], [0.4], 10)[0] == pytest.approx(0.46)
    assert posterior.belief([0, 0], [0.4, 0.2], 10, scheme="independent")[0] == pytest.approx(0.749, abs=5e-4)
    assert patients().frame["Disease"].cat.categories.tolist() == list(DISEASES)
    assert "Synthetic" in patients().notes[0]


@pytest.mark.parametrize("prior", ["uniform", "empirical"])
@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_theory_and_measurement_agree(model, scheme, prior):
    picture = last(model, Settings(START, scheme, prior))
    assert all(result.agrees for result in picture.results.values())
    assert picture.rows == picture.total == model.rows
    assert picture.memory.agrees
    assert picture.memory.stored <= picture.memory.bound
    joint, single = picture.results["together"], picture.results["single"]
    if scheme == "nested":
        assert joint.theory == single.theory
    else:
        assert joint.theory > single.theory
    assert joint.right.mean == pytest.approx(joint.sure.mean, abs=0.02)


def test_a_disagreement_is_seen(model):
    """The mark must be able to fail: copies of one scheme judged by the theory of the other."""
    picture = last(model, Settings(START, "independent"))
    result = picture.results["together"]
    wrong = replace(result, theory=picture.results["rival"].theory)
    assert result.agrees
    assert not wrong.agrees
    assert "✗" in words.mark(wrong.agrees)
    assert Tally().agrees(0.5) is None


def test_portions_add_up():
    values = np.random.default_rng(0).random(1000)
    tally = Tally()
    for part in np.split(values, [100, 450]):
        tally.add(part.mean(), part.std() / np.sqrt(len(part)), len(part))
    assert tally.mean == pytest.approx(values.mean())
    assert tally.standard_error == pytest.approx(values.std() / np.sqrt(1000))


def test_nothing_moves_that_was_not_touched(model):
    before = last(model, Settings(START))
    moved = Settings((replace(START[0], trust=55), START[1]))
    preview = model.preview(moved)
    assert np.array_equal(preview.held[1].counts, before.held[1].counts)  # not even while dragging
    assert not np.array_equal(preview.held[0].counts, before.held[0].counts)
    last(model, moved)
    again = last(model, Settings(START))
    assert np.array_equal(again.held[0].counts, before.held[0].counts)


def test_every_coalition_and_the_race(model):
    five = tuple(Recipient(i, name, 10 + 15 * i) for i, name in enumerate("ABCDE"))
    for recipients in (START, five):
        picture = last(model, Settings(recipients))
        nested, independent = picture.coalitions["nested"], picture.coalitions["independent"]
        everyone = 2 ** len(recipients) - 1
        assert nested[everyone] == pytest.approx(nested[1 << len(recipients) - 1] if recipients is five else nested[1])
        assert independent[everyone] > nested[everyone]
        assert independent[everyone] == picture.results["rival"].theory
        race = picture.joining
        assert race.theory["nested"][0] == pytest.approx(0.1)
        assert np.ptp(race.theory["nested"][race.here :]) == 0
        assert race.theory["independent"][-1] > race.theory["independent"][race.here] + 0.1
    many = tuple(Recipient(i, str(i), 10 + 7 * i) for i in range(7))
    assert np.isnan(model.preview(Settings(many)).coalitions["independent"]).all()  # waits until it is let go


def test_the_verdict(model):
    say = lambda settings: words.verdict(last(model, settings))  # noqa: E731
    safe = say(Settings(START))
    assert safe["title"] == "Together, Alice and Bob learn no more than Alice alone."
    assert safe["tone"] == "safe"
    assert [f.value for f in safe["metrics"]][:3] == ["0.244", "0.244", "0 %"]
    leak = say(Settings(START, "independent"))
    assert (leak["tone"], leak["metrics"][0].value) == ("leak", "0.276")
    assert "more than any of them was allowed" in leak["title"]
    assert say(Settings((START[0], replace(START[1], member=False))))["title"] == "Alice alone."
    nobody = tuple(replace(r, member=False) for r in START)
    assert say(Settings(nobody))["title"] == "Nobody colludes yet."
    original = (replace(START[0], trust=100), START[1])
    for scheme in ("nested", "independent"):
        assert "know every value" in say(Settings(original, scheme))["title"]
    uneven = (replace(START[0], trust=99), replace(START[1], trust=1))
    assert "hardly more than Alice" in say(Settings(uneven, "independent"))["title"]


@pytest.mark.parametrize("trusts", [(100, 20), (100, 100), (1, 1), (1, 100), (99, 1)])
@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_the_ends_of_the_sliders(model, scheme, trusts):
    picture = last(model, Settings(tuple(replace(r, trust=t) for r, t in zip(START, trusts, strict=True)), scheme))
    assert all(result.agrees for result in picture.results.values())
    assert picture.memory.agrees
    assert picture.memory.stored <= picture.memory.bound


def test_conditions_are_counted(model):
    data = patients()
    picture = Model(column_of(data, "Disease", 10), 3)
    picture = picture.conditioned(data.frame["Sex"], "Sex", "male")
    assert picture.original.met[0] == ((data.frame["Disease"] == "HIV") & (data.frame["Sex"] == "male")).sum()
    found = last(picture, Settings(START, column="Sex", label="male"))
    assert found.held[0].met.sum() == (data.frame["Sex"] == "male").sum()


@pytest.mark.parametrize("bins", [2, 10, 50])
def test_numbers_in_bins(bins):
    values = np.random.default_rng(1).lognormal(3, 1, 5000)
    labels, codes = binned(values, bins)
    assert len(labels) == bins == len(set(labels))
    assert {0, bins - 1} <= set(codes) <= set(range(bins))
    assert labels[0].startswith("below")
    assert (np.diff([values[codes == c].min() for c in np.unique(codes)]) > 0).all()


def test_few_numbers_stay_as_they_are():
    labels, codes = binned(np.array([3.0, 1.0, 1.0, 2.5]), 10)
    assert labels == ("1", "2.5", "3")
    assert codes.tolist() == [2, 0, 0, 1]


def test_mostly_one_number_can_still_be_binned():
    values = np.r_[np.zeros(990), np.arange(1.0, 11.0) * 1000]
    labels, codes = binned(values, 5)
    assert len(labels) > 1
    assert codes.max() == len(labels) - 1


def test_columns_that_cannot_be_perturbed_get_a_sentence():
    assert "same value" in Column("x", ("a",), np.zeros(9, dtype=int)).problem
    assert "same value" in Column("x", ("a", "b"), np.zeros(9, dtype=int)).problem
    assert "two rows" in Column("x", ("a", "b"), np.zeros(1, dtype=int)).problem
    assert Column("x", ("a", "b"), np.array([0, 1])).problem is None


def test_thousands_of_categories():
    codes = np.random.default_rng(2).integers(0, 5000, 20_000)
    big = Model(Column("code", tuple(f"v{i}" for i in range(5000)), codes), 1)
    for scheme in ("nested", "independent"):
        assert last(big, Settings(START, scheme)).results["together"].agrees


@pytest.fixture
def dashboard():
    return CategoriesDashboard()


def test_it_starts_with_the_papers_example(dashboard):
    assert "paper's example" in dashboard.info
    truth, seen = dashboard.person.seen(dashboard.settings())
    assert truth == 0
    assert set(seen.values()) == {0}
    assert "with <b>0.460</b>" in dashboard.person._card._head.object
    assert "Alice 0.46, Bob 0.28" in dashboard.person._card._head.object
    assert "the truth with 0.749" in dashboard.person._card._head.object


def test_a_promise_can_be_solved_for(dashboard):
    guarantees = dashboard.guarantees
    guarantees.rho1.value, guarantees.rho2.value = 10, 50
    assert guarantees.largest()[0] == pytest.approx(8 / 18)
    guarantees.give_rho.clicks += 1
    assert dashboard.controls.recipients.value[0].trust == 44
    assert "✓" in guarantees._rho_words.object
    guarantees.whose.value = ["1"]
    guarantees.delta.value = 20
    guarantees.give_delta.clicks += 1
    assert dashboard.controls.recipients.value[1].trust == 11
    assert "✓" in guarantees._delta_words.object
    guarantees.rho1.value = 60  # rho2 gives way: it must stay above
    assert guarantees.rho2.value == 61


def test_whole_per_cents_keep_the_promise():
    assert whole_per_cent(0.138) == 13
    assert whole_per_cent(0.009) == 0
    assert whole_per_cent(0.44) == 44
    assert whole_per_cent(1.0) == 99


@pytest.mark.parametrize("size", [2, 40, 900])
def test_names_from_files_are_text(dashboard, size):
    rng = np.random.default_rng(3)
    labels = [f"{NASTY}{i}" for i in range(size)]
    frame = pd.DataFrame(
        {
            NASTY: pd.Categorical.from_codes(rng.integers(0, size, 3000), labels),
            f"{NASTY}2": pd.Categorical.from_codes(rng.integers(0, 2, 3000), ["a", f"b{NASTY}"]),
        }
    )
    dashboard.desk.use(dataset(frame))
    dashboard.count.column.value = 0
    dashboard.count.label.value = 1
    shown = [dashboard.verdict._pane.object, dashboard.desk._about.object]
    cards = (dashboard.shares.card, dashboard.person._card, dashboard.count.card, dashboard.guarantees.card)
    shown += [card._head.object for card in cards]
    assert any("&lt;img" in text for text in shown)
    assert not any("<img" in text for text in shown)
    listed = len(dashboard.shares.bars.frame["labels"])  # 30 values, the one looked at, and the others
    assert listed == 2 if size == 2 else listed in (31, 32)


def test_every_built_in_set_works(dashboard):
    for name in dashboard.desk.select.options.values():
        dashboard.desk.select.value = name
        assert dashboard.model is not None, name
        picture = last(dashboard.model, dashboard.settings())
        assert words.generated(picture).startswith("2 copies of"), name
        assert all(result.agrees for result in picture.results.values()), name


def test_a_column_of_one_value_gets_a_sentence(dashboard):
    frame = pd.DataFrame({"x": pd.Categorical(["a"] * 20, categories=["a", "b"]), "y": np.arange(20.0)})
    dashboard.desk.use(dataset(frame, numeric=("y",)))
    assert "same value" in dashboard.verdict._pane.object
    assert not dashboard._grid.visible
    dashboard.desk.which.value = "y"
    assert dashboard._grid.visible
    dashboard.desk.bins.value = 4
    dashboard.desk._rebinned(None)
    assert dashboard.model.size == 4


def test_another_seed_other_copies(dashboard):
    before = dashboard._picture.held[1].counts
    dashboard.controls.seed_box.value = 13
    assert not np.array_equal(dashboard._picture.held[1].counts, before)
    dashboard.controls.seed_box.value = 12
    assert np.array_equal(dashboard._picture.held[1].counts, before)


@pytest.mark.parametrize("low", [0.15, 1_000_000.0, 1000.0, -0.2])
def test_bins_can_be_told_apart(low):
    labels, codes = binned(np.linspace(low, low + 0.4, 5000), 50)
    assert len(set(labels)) == len(labels)
    assert codes.max() == len(labels) - 1


def test_long_labels_stay_apart():
    options = words.choices({0: "x" * 70 + "a", 1: "x" * 70 + "b", 2: "short"})
    assert list(options.values()) == [0, 1, 2]


@pytest.mark.parametrize(("size", "delta"), [(2, 50), (5, 20), (5, 60), (10, 30), (50, 47)])
def test_what_is_given_keeps_its_promise(size, delta):
    p = whole_per_cent(float(measures.retention_for_delta(delta / 100, size))) / 100
    assert measures.delta_of_retention(p, size) <= delta / 100 + 1e-9
