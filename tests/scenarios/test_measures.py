"""Measures that somebody registered: in attacks, coalitions, figures and reports of numbers."""

import json

import numpy as np
import pytest

import trustscope as ts
from tests.study.test_study import people
from trustscope.app import cli
from trustscope.handouts.report import report
from trustscope.handouts.report.drawing import Drawn
from trustscope.scenarios import measures
from trustscope.testing import check_measure


@pytest.fixture
def median():
    @ts.measure(title="Median miss", words="Half of the guesses are nearer than this.", unit="francs")
    def median_miss(truth, guess, *, secret):
        return np.median(np.abs(guess - truth)[:, secret])

    yield median_miss
    measures.unregister("median_miss")


def study_of(**parts):
    return ts.Study(people(), secret="wage", attackers=["perfect", "bayes"], recipients={"A": 60, "B": 20}, **parts)


def test_it_is_taken_of_the_guesses(median):
    check_measure(median)
    check_measure("median_miss")
    study = study_of()
    made = study.attack("perfect")
    miss = np.median(np.abs(made.estimate["wage"] - people().loc[made.estimate.index, "wage"]))
    assert made.measures["median_miss"] == pytest.approx(miss)
    assert "median_miss" in repr(made)
    assert "median_miss" in made._repr_html_()
    found = study.coalitions(measures="median_miss", attacker="perfect")
    assert found["median_miss"].iloc[-1] == pytest.approx(miss)
    assert found["median_miss"].is_monotonic_decreasing == found["error"].is_monotonic_decreasing
    assert "median_miss" not in study.coalitions()
    with pytest.raises(ts.TrustscopeError, match="measure"):
        study.coalitions(measures="nobodys")


def test_figures_the_command_and_reports_have_it(median, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(Drawn, "inline", lambda self, *args, **more: "")
    study = ts.Study("iris", secret="Petal length", attackers=["perfect", "bayes"], recipients={"A": 60, "B": 20})
    figure = study.figures().of("coalition.median_miss.bayes")
    assert figure.value == study.attack("bayes").measures["median_miss"]
    assert figure.unit == "francs"
    assert cli.main(["run", str(study.scenario.save(tmp_path / "x.json"))]) == 0
    assert json.loads(capsys.readouterr().out) == study.figures().to_dict()
    text = report(study.scenario)
    assert "Median miss of the coalition" in text or "median miss of the coalition" in text
    assert "francs" in text


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda truth, guess, *, secret: np.nan, "one finite number"),
        (lambda truth, guess, *, secret: truth - guess, "one finite number"),
        (lambda truth, guess, *, secret: 1 / 0, "fails: ZeroDivisionError"),
        (lambda truth, guess, *, secret: float(truth.sort(axis=0) is None), "changes what it is given"),
        (lambda truth, guess, *, secret: np.random.default_rng().random(), "the same answer"),
    ],
)
def test_the_kit_says_what_is_wrong(function, said):
    ts.measure(title="Wrong", words="Wrong.", name="wrong")(function)
    try:
        with pytest.raises(ts.TrustscopeError, match=said):
            check_measure("wrong")
    finally:
        measures.unregister("wrong")


def test_what_cannot_be_registered():
    for options, said in (({"name": "No Name"}, "small letters"), ({"words": ""}, "`words`"), ({"unit": 3}, "a text")):
        with pytest.raises(ts.TrustscopeError, match=said):
            ts.measure(**{"title": "T", "words": "W.", "name": "fine", **options})(len)
    with pytest.raises(TypeError, match="A measure is a function"):
        ts.measure(title="T", words="W.", name="fine")(3)
    assert not measures.registered()
