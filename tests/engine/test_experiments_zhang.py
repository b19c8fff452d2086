"""Figures 3 to 5 and the theorems of Zhang et al. (2005) as tables: figures worked out beforehand, and stopping."""

import itertools

import numpy as np
import pandas as pd
import pytest
from survey_data import ANSWERS, CLASSES

from trustscope.engine.experiments import zhang
from trustscope.engine.experiments.zhang import functions
from trustscope.engine.experiments.zhang.data import group_a
from trustscope.engine.measures import degree_of_disclosure
from trustscope.engine.survey import Encoding, probabilities
from trustscope.engine.utility import Cancelled


@pytest.fixture(scope="module")
def votes():
    return zhang.figure_4(ANSWERS, CLASSES, levels=(1, 2, 3, 9), repetitions=8).set_index(["order", "level"])


@pytest.mark.sweep
@pytest.mark.parametrize(("level", "expected"), [(1, 0.54), (2, 0.886), (3, 0.884), (9, 0.889)])
def test_accuracy_by_level(votes, level, expected):
    """Within 3 standard errors, the expected figure having no fewer repetitions: less than a false alarm in 400."""
    found = votes.loc[("magnitude", level)]
    assert abs(found["accuracy"] - expected) < 3 * np.sqrt(2) * found["standard_error"]


@pytest.mark.parametrize(("level", "expected"), [(1, 0.194), (2, 0.266), (3, 0.387), (9, 0.848)])
def test_disclosure_by_level(votes, level, expected):
    """Within 3 standard errors, the expected figure being one drawing of answers and bits, with 0.006: 1 in 400."""
    found = votes.loc[("magnitude", level)]
    assert abs(found["disclosure"] - expected) < 3 * np.hypot(found["disclosure_error"], 0.006)
    assert found["disclosure"] < found["bound"]


def test_signed_order_is_worse_and_the_original_best(votes):
    assert votes.loc[("original", 0), "accuracy"] == pytest.approx(0.903, abs=0.01)
    for level in (2, 3, 9):
        signed, magnitude = votes.loc[("signed", level)], votes.loc[("magnitude", level)]
        gap = magnitude["accuracy"] - signed["accuracy"]
        assert gap > 5 * np.hypot(signed["standard_error"], magnitude["standard_error"])
        assert signed["accuracy"] < 0.75


def test_the_level_falls():
    """Means after 50 and all tuples, within 3 standard errors, those that are expected having no larger ones: at most
    1 false alarm in 400 for each."""
    table = zhang.figure_5(ANSWERS, CLASSES, repetitions=10).set_index(["mu", "received"])
    expected = {(0.15, 50): 2.1, (0.15, 430): 2.0, (0.025, 50): 9.6, (0.025, 430): 6.9}
    for place, level in expected.items():
        found = table.loc[place]
        assert abs(found["level"] - level) < 3 * np.sqrt(2) * max(found["standard_error"], 0.05)
    path = table.loc[0.025]["level"]
    assert path.loc[20:60].mean() > path.loc[200:300].mean() > path.loc[350:].mean()


def test_the_first_theorem_fails_where_it_is_said_to():
    table = zhang.theorem_1(ANSWERS, CLASSES).set_index(["order", "mu"])
    assert not table.loc[("signed", 0.025), "holds"]
    assert table.loc[("signed", 0.025), "error"] == pytest.approx(0.381, abs=0.02)
    assert not table.loc[("magnitude", 0.005), "holds"]
    assert table.loc[("magnitude", 0.025), "holds"]
    assert table.loc[("magnitude", 0.15), "bound"] > 1


def test_the_second_theorem_fails_too():
    table = zhang.theorem_2()
    assert (table.loc[0, "law"], bool(table.loc[0, "holds"])) == ("alike", False)
    assert table.loc[0, ["disclosure", "bound"]].tolist() == pytest.approx([1.0, 0.5])
    broken = 1 - table[table["law"] == "random"].groupby(["concentration", "level"])["holds"].mean()
    assert broken.loc[(0.2, 2)] > 0.3 > broken.loc[(1.0, 2)] > 0.05
    with pytest.raises(ValueError, match="two questions"):
        zhang.theorem_2(questions=1)


def test_people_are_as_described():
    frame, classes = zhang.people(1, 20_000, key=3)
    # The paper counts 42 bits. More than half have no commission, so two of its quartiles are 0: 41 can be set.
    assert Encoding.fit(frame).dimension == 41
    assert ((frame["salary"] >= 75_000) == (frame["commission"] == 0)).all()
    house = frame["hvalue"] / 1e5 / (frame["zipcode"].astype(int) + 1)
    assert house.between(0.5, 1.5).all()
    for column, low, high in (("salary", 2e4, 1.5e5), ("age", 20, 80), ("loan", 0, 5e5), ("hyears", 1, 30)):
        assert frame[column].min() >= low
        assert frame[column].max() <= high
        # A uniform mean within 5 standard errors.
        assert abs(frame[column].mean() - (low + high) / 2) < 5 * (high - low + 1) / np.sqrt(12 * 20_000)
    assert (classes == np.where((frame["age"] < 40) | (frame["age"] >= 60), 0, 1)).all()


@pytest.mark.parametrize(
    ("person", "groups"),
    [
        # age, salary, elevel, loan: group A or B by functions 1 to 5 of 1993, worked out by hand.
        ((30, 60_000, 1, 150_000), "AAAAA"),
        ((30, 120_000, 4, 150_000), "ABBBB"),
        ((50, 90_000, 2, 350_000), "BAAAA"),
        ((50, 60_000, 0, 450_000), "BBBBA"),
        ((70, 60_000, 3, 350_000), "AAAAA"),
        ((70, 30_000, 0, 200_000), "AABAB"),
    ],
)
def test_functions_by_hand(person, groups):
    frame = pd.DataFrame([person], columns=["age", "salary", "elevel", "loan"])
    assert "".join("A" if group_a(f, frame, 1993)[0] else "B" for f in zhang.FUNCTIONS) == groups


def _slow(function, definitions, p):
    """Group A, one person at a time and written out."""
    young, middle = p.age < 40, 40 <= p.age < 60
    salary, loan = p.salary / 1000, p.loan / 1000
    band = (50, 100) if young else (75, 125) if middle else (25, 75)
    first, second = ((25, 75), (50, 100)) if young else ((50, 100), (75, 125)) if middle else ((50, 100), (25, 75))
    levels = {0, 1} if young else {1, 2, 3} if middle else {2, 3, 4}
    named = {2, 3} if young else {4} if middle else {1}
    if function == 1:
        return not middle
    if function == 2:
        return band[0] <= salary <= band[1]
    if definitions == 1993:
        if function == 3:
            return p.elevel in levels
        if function == 4:
            low, high = first if p.elevel in levels else second
            return low <= salary <= high
        rich = band[0] <= salary <= band[1]
        if young:
            low, high = (100, 300) if rich else (200, 400)
        elif middle:
            low, high = (200, 400) if rich else (300, 500)
        else:
            low, high = (300, 500) if rich else (100, 300)
        return low <= loan <= high
    if function == 3:
        if p.elevel in levels:
            return first[0] <= salary <= first[1]
        return p.elevel in named and second[0] <= salary <= second[1]
    left = 0.67 * (p.salary + p.commission) - 0.2 * p.loan - 10_000
    if function == 5 and p.hyears > 20:
        left += 0.2 * 0.1 * p.hvalue * (p.hyears - 20)
    return left > 0


@pytest.mark.parametrize("definitions", zhang.DEFINITIONS)
def test_functions_at_their_edges_and_on_drawn_people(definitions):
    edges = itertools.product(
        (39.99, 40, 59.99, 60, 63),
        [1000 * k + more for k in (25, 50, 75, 100, 125) for more in (-1, 0, 1)],
        range(5),
        (0, 99_999, 100_000, 199_999, 200_000, 299_999, 300_000, 300_001, 400_000, 400_001, 500_000),
    )
    edged = pd.DataFrame(edges, columns=["age", "salary", "elevel", "loan"])
    edged = edged.assign(commission=0.0, hvalue=3e5, hyears=np.arange(len(edged)) % 30 + 1)
    drawn = zhang.people(1, 500, key=4)[0].astype(float)
    for frame in (edged, drawn):
        for function in zhang.FUNCTIONS:
            slow = [_slow(function, definitions, p) for p in frame.itertuples()]
            assert (group_a(function, frame, definitions) == slow).all()
            assert 0 < np.mean(slow) < 1


def test_figure_3_compares_at_equal_disclosure():
    table = zhang.figure_3(functions=(3,), rows=3_000, test_rows=1_500).set_index("method")
    shared = table.drop(index="clear")
    assert (np.abs(shared["disclosure"] - 0.25) < 0.01).all()
    assert shared["disclosure_error"].between(0.001, 0.015).all()
    assert (table["accuracy"] > 0.5).all()
    # With a share that a tree on quartiles cannot reach anyway, the clear answers are best.
    assert table["accuracy"].idxmax() == "clear"


@pytest.fixture(scope="module")
def case():
    return functions.Case(1, 2000, 3_000, 1_500, 1_000, 4, 1)


def test_a_survey_of_figure_3_follows_its_level_and_says_what_it_disclosed(case):
    """What is sent by each part of the survey, and what that discloses, within 5 standard errors of another count."""
    run = functions.GuidedSurvey(case, 2.25)
    assert len(run.sent) == len(run.classes) == 3_000 - functions.CLEAR
    expected, disclosed, errors = [], [], []
    for look, basis in enumerate(run.looks):
        two, three = (probabilities(case.tuples, basis[:, :k]) for k in (2, 3))
        expected.append((0.75 * two + 0.25 * three).sum(axis=1).mean())
        for k, share in ((2, 0.75), (3, 0.25)):
            chances = probabilities(case.tuples[:1_000], basis[:, :k])
            found = degree_of_disclosure(case.tuples[:1_000], chances, draws=1_000, key=90 + look)
            disclosed.append(share * found.share)
            errors.append(share * found.standard_error)
    ones = run.sent.sum(axis=1)
    # The guidance moves between two looks; two columns more would send about half as much again.
    assert np.mean(expected) == pytest.approx(ones.mean(), rel=0.15)
    further = probabilities(case.tuples, run.looks[-1][:, :6]).sum(axis=1).mean()
    assert further > 1.4 * ones.mean()
    looks = len(run.looks)
    error = np.hypot(run.shared[1], np.sqrt(np.sum(np.square(errors))) / looks)
    assert abs(run.shared[0] - np.sum(disclosed) / looks) < 5 * error


def test_figure_3_corrects_randomised_values_by_class(case, monkeypatch):
    found = case.run("gaussian", 0.25, {})[0]

    def naive(released, classes, variances, edges, law):
        return np.column_stack([np.searchsorted(e, released[:, j], side="right") for j, e in enumerate(edges)])

    monkeypatch.setattr(functions, "corrected", naive)
    assert found > case.run("gaussian", 0.25, {})[0] + 4 * np.sqrt(0.25 / 1_500)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("figure", "arguments", "options"),
    [
        (zhang.figure_3, (), {"functions": (2,), "rows": 120, "test_rows": 100}),
        (zhang.figure_4, (ANSWERS, CLASSES), {"levels": (2,), "orders": ("magnitude",), "repetitions": 2}),
        (zhang.figure_5, (ANSWERS, CLASSES), {"repetitions": 2}),
        (zhang.theorem_1, (ANSWERS, CLASSES), {"mus": (0.1, 0.2)}),
        (zhang.theorem_2, (), {"laws": 50}),
    ],
)
def test_tables_are_keyed_and_can_be_stopped(figure, arguments, options):
    seen = []
    table = figure(*arguments, **options, progress=lambda *step: seen.append(step))
    total = seen[-1][1]
    assert [step[0] for step in seen] == list(range(1, total + 1))
    pd.testing.assert_frame_equal(table, figure(*arguments, **options))
    assert not table.equals(figure(*arguments, **options, key=2))
    answers = iter([False] * (total - 1) + [True])
    with pytest.raises(Cancelled) as stop:
        figure(*arguments, **options, cancelled=lambda: next(answers))
    assert 0 < len(stop.value.result) <= len(table)
    assert list(stop.value.result.columns) == list(table.columns)


def test_bad_arguments_get_a_sentence():
    with pytest.raises(ValueError, match="there is no 6"):
        zhang.people(6, 10)
    with pytest.raises(ValueError, match="no column"):
        zhang.questionnaire(ANSWERS, "Party")
    with pytest.raises(ValueError, match="two classes, but it holds 1"):
        zhang.questionnaire(pd.DataFrame({"a": ["x"], "c": ["y"]}), "c")
    with pytest.raises(ValueError, match="Row 2 has no “c”"):
        zhang.questionnaire(pd.DataFrame({"a": ["x"] * 3, "c": ["y", None, "z"]}), "c")
    with pytest.raises(ValueError, match="2000 or 1993, not 1999"):
        zhang.people(1, 10, definitions=1999)
    with pytest.raises(ValueError, match="At least one person"):
        zhang.people(1, 0)
    with pytest.raises(ValueError, match="between 0 and 1, but it is 2"):
        zhang.figure_3(disclosure=2)
    with pytest.raises(ValueError, match="1 and 434 people"):
        zhang.figure_4(ANSWERS, CLASSES, clear=435)
    with pytest.raises(ValueError, match=r"classes of shape \(9,\)"):
        zhang.figure_4(ANSWERS, CLASSES[:9])
    with pytest.raises(ValueError, match="Classes are 0 or 1"):
        zhang.figure_5(ANSWERS, np.where(CLASSES, "a", "b"))
