"""What the Categories page computes and says, without a page."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from trustscope.datasets import Dataset
from trustscope.datasets.patients import DISEASES, patients
from trustscope.engine.attacks import agreement, posterior
from trustscope.looks import looks_of
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.categories import everyone, usefulness, words
from trustscope.scenarios.categories.column import Column, binned, column_of
from trustscope.scenarios.categories.loading import load
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.result import Measure, Tally
from trustscope.scenarios.categories.scenario import PAPER, SCHEMES, CategoriesScenario
from trustscope.scenarios.categories.verdict import headline, leaks, measure_of
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.scenario import OWN

NASTY = "<img src=x onerror=alert(1)>"


def dataset(frame, numeric=()):
    categorical = tuple(name for name in frame if name not in numeric)
    return Dataset("own", "own", frame, tuple(numeric), categorical, None, "", "")


def a_model(data, name, bins=10, seed=12):
    return Model(data, column_of(data, name, bins), seed, "people")


def test_a_column_of_names_is_not_the_secret_unless_it_is_asked_for():
    frame = pd.DataFrame({"name": [f"person {i}" for i in range(99)], "ward": ["a", "b", "c"] * 33}).astype("category")
    own = CategoriesScenario().replace({"data.name": OWN})
    assert load(dataset(frame), own).column.name == "ward"
    assert load(dataset(frame), own.replace({"data.column": "name"})).column.name == "name"
    assert load(dataset(frame[["name"]]), own).column.name == "name", "there is no other"
    assert load(dataset(frame), CategoriesScenario()).column.name == "name", "of built-in data it is the first"


@pytest.fixture(scope="module")
def model():
    return a_model(patients(), "Disease")


def scenario_of(model, trusts=(40, 20), scheme="independent", prior="nothing", closer="evidence", **more):
    changes = {"settings.recipients": recipients(*trusts), "settings.scheme": scheme, "settings.prior": prior}
    return model.fit_to_data(CategoriesScenario().replace(changes | {"view.closer": closer} | more))


def full(model, scenario):
    *_, picture = model.stream(scenario)
    return picture


# The paper's example


def test_the_example_has_the_papers_numbers(model):
    """Ten diseases: a copy holds HIV for Alice with 0.46, for Bob with 0.28; together, drawn apart, 0.749."""
    assert [r.trust for r in PAPER.settings.recipients] == [40, 20]
    assert words.stays(0.4, 10) == pytest.approx(0.46)
    assert words.stays(0.2, 10) == pytest.approx(0.28)
    assert patients().frame["Disease"].cat.categories.tolist() == list(DISEASES)
    assert "Synthetic" in patients().notes[0]
    for scheme, together in (("independent", 0.749), ("nested", 0.46)):
        scenario = model.fit_to_data(PAPER.replace({"settings.scheme": scheme}))
        seen = model.preview(scenario).person
        assert set(seen.seen.values()) == {seen.truth} == {0}
        assert seen.alone[0] == pytest.approx(0.46)
        assert seen.together[0] == pytest.approx(together, abs=5e-4)
        assert "gives the true value a 46 % chance" in words.person_told(seen, scenario.settings, model.column)


def test_the_papers_example_in_the_headline(model):
    """Best guesses are right for 46 % in both schemes; what rises is the belief, and the headline says that."""
    said = {
        s: headline(model.preview(model.fit_to_data(PAPER.replace({"settings.scheme": s}))), "people") for s in SCHEMES
    }
    assert (said["independent"].before, said["independent"].after) == ("24 %", "28 %")
    assert said["independent"].tone == "leak"
    assert "right for 46 %, as often as Alice's alone" in said["independent"].note
    assert (said["nested"].before, said["nested"].after, said["nested"].tone) == ("24 %", "24 %", "safe")
    assert said["nested"].label == said["independent"].label


def test_the_page_opens_with_a_leak_that_one_switch_ends(model):
    opened = model.fit_to_data(CategoriesScenario())
    leak, safe = (
        headline(model.preview(opened.replace({"settings.scheme": s})), "people") for s in ("independent", "nested")
    )
    assert (leak.tone, leak.before, leak.after) == ("leak", "37 %", "56 %")
    assert (safe.tone, safe.before, safe.after) == ("safe", "37 %", "37 %")
    assert "22 % without any copy" in leak.label
    person = {s: model.preview(opened.replace({"settings.scheme": s})).person for s in SCHEMES}
    truth = person["nested"].truth
    # The copy of the best recipient is the same, and with it what that one believes; what all of them believe is not.
    assert person["nested"].alone[truth] == person["independent"].alone[truth]
    assert person["independent"].together[truth] > person["independent"].alone[truth] + 0.05
    assert person["nested"].together[truth] == person["nested"].alone[truth]


# Theory and measurement


@pytest.mark.parametrize("prior", ["nothing", "statistics"])
@pytest.mark.parametrize("trusts", [(40, 20), (30, 25, 25, 20, 20, 20), (30, 29, 28, 27, 26, 25, 24)])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_theory_and_measurement_agree(model, scheme, trusts, prior):
    """Within four standard errors, a false alarm in 16 000, and the key is fixed."""
    picture = full(model, scenario_of(model, trusts, scheme, prior))
    for result in picture.results.values():
        assert result.right.agrees is True
        assert result.belief.agrees is True
        assert result.right_tally.rows == model.rows
    joint, single = picture.results["together"].figures, picture.results["alone"].figures
    if scheme == "nested":
        assert joint == single
    else:
        assert joint.belief > single.belief
        # The mark must be able to fail: copies of one scheme judged by the theory of the other.
        wrong = replace(picture.results["together"], figures=picture.results["rival"].figures)
        assert wrong.belief.agrees is False


def test_too_few_rows_are_no_evidence():
    assert Measure(0.5, 0.0).agrees is None
    assert Measure(0.5, 0.0, Tally().plus(np.ones(5))).agrees == "few"
    assert Measure(0.5, 0.0, Tally().plus(np.ones(500))).agrees is False
    assert Measure(1.0, 0.0, Tally().plus(np.ones(500))).agrees is True
    # Where hardly anybody is guessed wrong, nobody wrong is no contradiction.
    assert Measure(0.995, 0.0, Tally().plus(np.ones(500))).agrees is True
    assert Measure(0.9, 0.0, Tally().plus(np.ones(500))).agrees is False


def test_portions_add_up():
    values = np.random.default_rng(0).random(1000)
    tally = Tally()
    for part in np.split(values, [100, 450]):
        tally = tally.plus(part)
    assert tally.mean == pytest.approx(values.mean())
    assert tally.standard_error == pytest.approx(values.std() / np.sqrt(1000))


def test_chunks_do_not_matter_and_a_preview_is_the_beginning(model):
    scenario = scenario_of(model, (40, 20, 10), closer="everyone")
    one, many = full(model, scenario), list(model.stream(scenario, chunk=7_001))[-1]
    for name in one.results:
        assert one.results[name].right_tally == many.results[name].right_tally
        assert one.results[name].belief_tally.mean == pytest.approx(many.results[name].belief_tally.mean)
    first, preview = next(model.stream(scenario, chunk=model.preview_rows)), model.preview(scenario)
    for number in range(3):
        np.testing.assert_array_equal(one.held[number].counts, many.held[number].counts)
        np.testing.assert_array_equal(first.held[number].counts, preview.held[number].counts)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_moves_that_was_not_touched(model, scheme):
    before = scenario_of(model, (40, 20), scheme, closer="everyone")
    moved = scenario_of(model, (55, 20), scheme, closer="everyone")
    pictures = [full(model, one) for one in (before, moved, before)]
    assert not np.array_equal(pictures[0].held[0].counts, pictures[1].held[0].counts)
    np.testing.assert_array_equal(pictures[0].held[1].counts, pictures[1].held[1].counts)
    np.testing.assert_array_equal(pictures[0].held[0].counts, pictures[2].held[0].counts)
    previews = [model.preview(one) for one in (before, moved)]
    np.testing.assert_array_equal(previews[0].held[1].counts, previews[1].held[1].counts)


def test_only_what_is_looked_at_is_computed(model):
    for closer in ("", "everyone", "coalitions", "promises", "usefulness", "joining", "memory"):
        picture = model.preview(scenario_of(model, closer=closer))
        assert bool(picture.held) == (closer in ("everyone", "usefulness"))
        assert (picture.coalitions is not None) == (closer == "coalitions")
        assert (picture.memory is not None) == (closer == "memory")
        assert bool(picture.results["together"].right_tally.rows) == (closer == "joining")


def test_another_seed_other_copies(model):
    other = a_model(patients(), "Disease", seed=13)
    who = recipients(40)[0]
    assert not np.array_equal(model.copy(who, "nested", first=who), other.copy(who, "nested", first=who))


# Coalitions


@pytest.mark.parametrize("prior", ["nothing", "statistics"])
@pytest.mark.parametrize("trusts", [(40, 20), (30, 25, 25, 20, 20, 20), (12, 15, 18, 21, 24, 27, 30, 33)])
def test_the_headline_is_the_figure_of_its_coalition(model, trusts, prior):
    """The worst coalition is everybody; who pools has the same number in all views."""
    scenario = scenario_of(model, trusts, prior=prior, closer="coalitions")
    picture = full(model, scenario)
    for scheme in SCHEMES:
        every = picture.coalitions[scheme]
        assert every[scenario.settings.mask] == picture.joining.last(scheme)
        slack = 4 * max(one.right_error for one in every)
        assert max(one.right for one in every) <= every[-1].right + slack + 1e-9
    nested = picture.coalitions["nested"]
    for mask in range(1, len(nested)):
        best = max((i for i in range(len(trusts)) if mask >> i & 1), key=lambda i: trusts[i])
        assert nested[mask] == nested[1 << best]


def test_many_coalitions_wait_until_the_slider_is_let_go(model):
    scenario = scenario_of(model, range(10, 30, 2), prior="statistics", closer="coalitions")
    other = a_model(patients(), "Disease")
    assert other.preview(scenario).coalitions is None
    known = full(other, scenario).coalitions
    assert other.preview(scenario).coalitions == known
    error = max(one.right_error for one in known["independent"])
    assert 0 < error < 0.01
    assert "from draws, ± " in words.coalitions(full(other, scenario), "right", "people", 2 * error)


def test_ever_more_would_be_certain(model):
    picture = full(model, scenario_of(model, (40, 20, 30), closer="joining"))
    found = picture.further
    assert len(found.expected["nested"]) == 13
    assert found.expected["independent"][12] > found.expected["independent"][3] > found.expected["nested"][3]
    assert found.expected["nested"][12] == found.expected["nested"][1]
    for scheme in SCHEMES:
        for place, tally in enumerate(found.measured[scheme], 1):
            expected = found.expected[scheme][place]
            assert abs(tally.mean - expected) < 4 * (tally.standard_error + found.errors[place])


# Copies, counts, memory


def test_counts_are_estimated_back(model):
    scenario = scenario_of(model, (40, 20), closer="usefulness", **{"view.among": "Sex", "view.label": "male"})
    data = patients().frame
    picture = full(model, scenario)
    found = usefulness.counted(model, picture, 0)
    assert found.met == (data["Sex"] == "male").sum()
    assert found.true == ((data["Disease"] == "HIV") & (data["Sex"] == "male")).sum()
    assert all(one.agrees is True for one in found.estimates)
    assert found.estimates[1].error > found.estimates[0].error
    assert "Sex is male" in usefulness.caption(found, model, picture, 0)
    preview = usefulness.counted(model, model.preview(scenario), 0)
    assert all(one.agrees is True for one in preview.estimates)


def test_shares_are_estimated_back(model):
    scenario = scenario_of(model, (40, 20), closer="everyone")
    picture = full(model, scenario)
    who = scenario.settings.recipients[1]
    found = everyone.shares(model, picture.held[1], picture.original, who, 0)
    assert found.labels == model.column.labels
    assert found.true.sum() == pytest.approx(1)
    # Ten ranges, each wrong once in twenty: seven or fewer right happens once in 90.
    assert found.inside >= 7
    seen, expected, tolerance = words.copy_check(picture.held[1], 0, 0.2, found.true[0])
    assert abs(seen - expected) <= tolerance
    wrong = words.copy_check(picture.held[0], 0, 0.2, found.true[1])
    assert abs(wrong[0] - wrong[1]) > wrong[2]


def test_no_estimate_leaves_its_own_range():
    """Sixty rows at a trust of 2 %: undoing the mixing gives shares far below 0 and far above 1."""
    frame = pd.DataFrame({"answer": ["yes", "no", "no"] * 20, "ward": ["a", "b"] * 30}).astype("category")
    model = a_model(dataset(frame), "answer")
    scenario = scenario_of(model, (2,), closer="everyone")
    picture = full(model, scenario)
    who = scenario.settings.recipients[0]
    found = everyone.shares(model, picture.held[0], picture.original, who, 0)
    assert found.table["estimate"].max() > 1.5
    low, estimate, high = found.ranges.T
    assert (low <= estimate).all()
    assert (estimate <= high).all()
    for value in range(model.size):
        assert re.search(r"estimated back as <b>(0|100) %", words.shares(model.column, who, value, found.table, 0.5))
    assert looks_of(cards_of("categories")["everyone"].table(picture, model)).x.high <= 1
    counted = usefulness.counted(model, full(model, scenario.replace({"view.closer": "usefulness"})), 0).estimates
    assert all(one.low <= one.middle <= one.high <= model.rows for one in counted)


def test_what_must_be_kept_is_no_achievement_for_few_copies(model):
    few = full(model, scenario_of(model, (90, 1), closer="memory"))
    assert few.memory.agrees is True
    assert few.memory.stored > 2
    assert "more than the 2 different copies" in words.memory(few.memory, few.settings)
    many = full(model, scenario_of(model, range(20, 32), closer="memory"))
    assert "no more than the 12 different copies themselves would take" in words.memory(many.memory, many.settings)
    for picture in (few, many):
        assert picture.memory.stored <= picture.memory.bound


def test_copies_are_watched_one_after_the_other(model):
    scenario = scenario_of(model, (50, 20, 70), "nested")
    steps = list(model.copying(scenario, 10_000))
    assert [len(step.held) for step in steps] == [1] * 2 + [2] * 2 + [3] * 2
    assert steps[-1].fraction == 1
    assert "beyond the truth" in steps[0].where
    assert "beyond Ministry" in steps[2].where
    assert "between the truth and Ministry" in steps[4].where
    picture = full(model, scenario.replace({"view.closer": "everyone"}))
    np.testing.assert_array_equal(steps[-1].held[1].counts, picture.held[1].counts)


# Columns


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
    labels, codes = binned(np.r_[np.zeros(990), np.arange(1.0, 11.0) * 1000], 5)
    assert len(labels) > 1
    assert codes.max() == len(labels) - 1


@pytest.mark.parametrize("low", [0.15, 1_000_000.0, 1000.0, -0.2])
def test_bins_can_be_told_apart(low):
    labels, codes = binned(np.linspace(low, low + 0.4, 5000), 50)
    assert len(set(labels)) == len(labels)
    assert codes.max() == len(labels) - 1


def test_columns_that_cannot_be_perturbed_get_a_sentence():
    assert "same value" in Column("x", ("a",), np.zeros(9, dtype=int)).problem
    assert "same value" in Column("x", ("a", "b"), np.zeros(9, dtype=int)).problem
    assert "two rows" in Column("x", ("a", "b"), np.zeros(1, dtype=int)).problem
    assert Column("x", ("a", "b"), np.array([0, 1])).problem is None


def test_thousands_of_categories():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {"code": pd.Categorical.from_codes(rng.integers(0, 5000, 20_000), [f"v{i}" for i in range(5000)])}
    )
    big = a_model(dataset(frame), "code")
    for scheme in SCHEMES:
        for prior in ("nothing", "statistics"):
            picture = full(big, scenario_of(big, (40, 20, 30), scheme, prior))
            assert picture.results["together"].belief.agrees is True
            assert picture.results["together"].right.agrees is True


# Words


def test_names_from_files_are_text():
    rng = np.random.default_rng(3)
    labels = [f"{NASTY}{i}" for i in range(40)]
    frame = pd.DataFrame({
        NASTY: pd.Categorical.from_codes(rng.integers(0, 40, 3000), labels),
        f"{NASTY}2": pd.Categorical.from_codes(rng.integers(0, 2, 3000), ["a", f"b{NASTY}"]),
    })  # fmt: skip
    hostile = a_model(dataset(frame), NASTY)
    named = tuple(r.replace({"name": f"{NASTY[:20]}{r.number}"}) for r in recipients(40, 20))
    conditions = {"settings.recipients": named, "view.among": f"{NASTY}2", "view.label": f"b{NASTY}"}
    scenario = scenario_of(hostile, closer="usefulness", **conditions)
    picture = full(hostile, scenario)
    counted = usefulness.counted(hostile, picture, 0)
    shares = everyone.shares(hostile, picture.held[0], picture.original, named[0], 0)
    said = [
        words.person(picture.person, scenario.settings, hostile.column, "people"),
        words.path(model_path(hostile, scenario), scenario.settings, hostile.column),
        words.joining(picture.joining, scenario.settings, "right", "people", 0.0),
        words.shares(hostile.column, named[0], 0, shares.table, 0.1),
        usefulness.caption(counted, hostile, picture, 0),
    ]
    assert any("&lt;img" in text for text in said)
    assert not any("<img" in text for text in said)
    assert len(shares.labels) in (31, 32)  # 30 values, the one looked at, and the others


def model_path(model, scenario):
    return model.preview(scenario.replace({"settings.scheme": "nested"})).person


def test_long_labels_stay_apart():
    options = words.choices({"a": "x" * 70 + "a", "b": "x" * 70 + "b", "c": "short"})
    assert list(options.values()) == ["a", "b", "c"]


def test_a_guess_without_copies_is_the_floor():
    """Where one value is nearly all, an attacker who knows nothing beforehand does worse than naming it."""
    codes = np.r_[np.zeros(950, dtype=int), np.arange(50) % 9 + 1]
    frame = pd.DataFrame({"x": pd.Categorical.from_codes(codes, list("abcdefghij"))})
    rare = a_model(dataset(frame), "x")
    picture = full(rare, scenario_of(rare, (30, 20, 20)))
    assert picture.joining.without.right == 0.95
    assert all(one.right == 0.95 for some in picture.joining.figures.values() for one in some)
    assert picture.results["together"].right.agrees is True
    assert agreement.together([0.3, 0.2, 0.2], 10, scheme="independent").right < 0.95
    assert leaks(picture)  # in belief
    assert measure_of(picture.joining) == "belief"
    assert posterior.belief([1], [0.3], 10)[1] < 0.5
