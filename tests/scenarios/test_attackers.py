"""One record for each attacker: who is registered is on the page, in tables, targets, reports, links and scenarios."""

import json

import numpy as np
import pytest

import trustscope as ts
from tests.study.test_study import people
from trustscope import registry
from trustscope.handouts.report import report
from trustscope.handouts.report.drawing import Drawn
from trustscope.scenarios import attackers, link
from trustscope.scenarios.trust.scenario import ATTACKERS, MEASURES, TrustScenario
from trustscope.testing import check_attacker

HOUSE = (
    "strongest", "perfect", "structured", "raw", "noise_distribution", "univariate", "principal_components",
    "spectral_filter", "bayes", "neighbours", "boosting",
)  # fmt: skip


@pytest.fixture
def average():
    """An attacker who averages all copies, and draws them to what is known of other people."""

    @ts.attacker(title="Average copy", assumes="all copies are alike", who="averages the copies", colour="#123456")
    def average_copy(copies, noise, *, known, rng):
        spread = noise.sigma.mean()  # the level of the average's noise
        return known.mean(axis=0) + (copies.mean(axis=0) - known.mean(axis=0)) / (1 + spread)

    yield average_copy
    attackers.unregister("average_copy")


def study_of(*names, **parts):
    return ts.Study(people(), secret="wage", attackers=names, recipients={"Ministry": 60, "Press": 20}, **parts)


def test_those_of_the_house_are_whole():
    every = attackers.registered()
    assert tuple(every) == HOUSE == tuple(ATTACKERS)
    assert set(ATTACKERS) - set(MEASURES) == {"neighbours", "boosting"}
    assert len({one.rank for one in every.values()}) == len(every)
    for one in every.values():
        assert all((one.who, one.title, one.tip, one.note, one.needs, one.why, one.assumes, one.dash))
        assert one.assumes.format(known="k", rows="r")


def test_who_is_registered_is_in_figures_tables_and_words(average):
    study = study_of("average_copy", "perfect")
    figures = study.figures()
    found = figures.of("coalition.error.average_copy")
    assert "averages the copies" in found.label
    # Two independent copies, weighed alike: worse than the best weights, better than guessing the average.
    assert figures.of("coalition.error.perfect").measured < found.measured < 1
    table = figures.tables["Attacker by attacker"].set_index("an attacker who")
    assert table.loc["averages the copies", "error"] == found.measured
    assert "#123456" in study.table("attackers").attrs["looks"].more["colours"]
    assert study.attack("average_copy").error == pytest.approx(found.measured)
    assert "average_copy" in ATTACKERS
    alone = study_of("average_copy")
    assert alone.verdict
    assert "averages the copies" in alone.figures().of("alone.error.average_copy").label


def test_it_is_in_reports_links_and_files(average, tmp_path, monkeypatch):
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")  # test_report.py looks at drawings
    ticked = {"data.name": "iris", "settings.attackers": ("average_copy",)}  # whose curves need not be worked out
    assert "averages the copies" in report(TrustScenario().replace(ticked))
    study = study_of("average_copy")
    reading = link.scenario_of(link.query_of(study.scenario), TrustScenario)
    assert reading.scenario.settings.attackers == ("average_copy",)
    saved = study.scenario.save(tmp_path / "x.json")
    assert ts.Scenario.load(saved) == study.scenario


def test_a_target_may_be_about_it(average):
    study = study_of("average_copy")
    required = {"what": "error", "limit": 0.4, "attacker": "average_copy"}
    settings = json.loads(study.scenario.model_dump_json())
    settings["settings"]["requirements"] = [required]
    study.scenario = TrustScenario.from_dict({"page": "trust", **settings})
    solved = study.solve()
    assert solved.table.loc["nested", "found"]
    assert solved.apply("nested").figures().of("coalition.error.average_copy").measured > 0.35


def test_it_is_on_the_page(average):
    from trustscope.app.trust.dashboard import TrustDashboard

    shown = TrustDashboard(dataset="iris")
    assert "Average copy" in [option[1] for option in shown.controls.learned.options]
    shown.controls.change(shown.scenario.replace({"settings.attackers": ("average_copy",)}))
    assert shown.controls.learned.value == ["average_copy"]
    shown.stop()


def test_a_scenario_with_an_unknown_attacker_opens_with_a_sentence(tmp_path):
    content = TrustScenario().to_dict()
    content["settings"]["attackers"] = ["somebody", "perfect"]
    reading = TrustScenario.read(content)
    assert reading.scenario.settings.attackers == ("perfect",)
    assert "no attacker called 'somebody'" in reading.problems[0]
    (tmp_path / "x.json").write_text(json.dumps(content))
    with pytest.raises(ts.TrustscopeError, match="install the package that brings it"):
        ts.Scenario.load(tmp_path / "x.json")
    content["settings"]["attackers"] = ["somebody"]
    assert TrustScenario.read(content).scenario.settings.attackers == ("strongest",)


def test_packages_bring_attackers(monkeypatch, caplog):
    """One that works is there, one that fails is told of, and nothing else is harmed."""

    class Point:
        def __init__(self, name, load):
            self.name, self.load = name, load

    def load():
        ts.attacker(title="From a package", assumes="little")(brought)

    def brought(copies, noise, *, known, rng):
        return copies[0]

    def fail():
        raise ImportError("no module of that name")

    monkeypatch.setattr(registry, "entry_points", lambda group: [Point("broken", fail), Point("brought", load)])
    monkeypatch.setattr(attackers._registry, "plugged", False)
    try:
        assert "brought" in ATTACKERS
        assert "broken" in caplog.text
        check_attacker("brought")
    finally:
        attackers.unregister("brought")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"name": "perfect"}, "of the house"), ({"name": "My Own"}, "small letters"), ({"title": ""}, "`title`"),
        ({"assumes": " "}, "`assumes`"), ({"dash": "wavy"}, "Lines are"), ({"colour": "red"}, "#rrggbb"),
    ],
)  # fmt: skip
def test_what_cannot_be_registered(options, sentence):
    with pytest.raises(ts.TrustscopeError, match=sentence):
        ts.attacker(**{"title": "T", "assumes": "a", "name": "tried"} | options)(lambda copies, noise, *, known, rng: 0)
    assert "tried" not in ATTACKERS


# The contract kit


def wide(copies, noise, *, known, rng):
    return copies


def unfinished(copies, noise, *, known, rng):
    return np.full(copies.shape[1:], np.nan)


def greedy(copies, noise, *, known, rng):
    copies += 1
    return copies[0]


def moody(copies, noise, *, known, rng):
    return copies[0] + np.random.default_rng().normal(size=copies.shape[1:])


def fragile(copies, noise, *, known, rng):
    return np.linalg.solve(noise.shape, copies[0].T).T


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (wide, "estimate of each value"), (unfinished, "not finite"), (greedy, "work on a copy"),
        (moody, "draw from `rng`"), (fragile, "fails with 1 nested copies of 2 columns, where one column is constant"),
    ],
)  # fmt: skip
def test_the_kit_says_what_is_wrong(function, sentence):
    ts.attacker(title="Wrong", assumes="nothing")(function)
    try:
        with pytest.raises(ts.TrustscopeError, match=sentence):
            check_attacker(function)
    finally:
        attackers.unregister(function.__name__)


def test_the_kit_passes_what_is_right(average):
    check_attacker(average)
    check_attacker("average_copy")
    with pytest.raises(ts.TrustscopeError, match="no registered attacker"):
        check_attacker(wide)
    with pytest.raises(ts.TrustscopeError, match="of the house"):
        check_attacker("bayes")
