"""The figures of a scenario without its page: equal to what the page says, for every page."""

import json
import math
from dataclasses import replace

import pytest

import trustscope as ts
from trustscope.scenarios import pages
from trustscope.scenarios.categories.scenario import PAPER, CategoriesScenario
from trustscope.scenarios.metrics import Metric, Metrics, as_json, compute_metrics
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.release.scenario import ReleaseScenario
from trustscope.scenarios.rotation.scenario import STORIES, RotationScenario
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import TrustScenario

FEW = ("Mean radius", "Mean texture", "Mean perimeter", "Mean area", "Mean smoothness", "Mean compactness",
       "Mean concavity")  # fmt: skip
SMALL = {"data.name": "iris"}
SCENARIOS = {
    "trust": TrustScenario().replace(SMALL | {"settings.attackers": ("perfect", "raw", "bayes"), "view.closer": ""}),
    "trust nobody": TrustScenario().replace(
        SMALL
        | {"settings.recipients": tuple(r.replace({"member": False}) for r in TrustScenario().settings.recipients)}
    ),
    "categories": PAPER.replace({"data.name": "iris", "data.column": ""}),
    "kept": RotationScenario().replace(SMALL),
    "known": RotationScenario().replace({"view.story": "known", "data.columns": FEW}),
    "sample": RotationScenario().replace(SMALL | {"view.story": "sample"}),
    "survey": SurveyScenario().replace({"view.arrived": 60, "settings.rival": True}),
    "paper": PapersScenario().opening("li/example"),
    "gallery": PapersScenario(),
}


@pytest.fixture(scope="module")
def found():
    return {name: compute_metrics(scenario) for name, scenario in SCENARIOS.items()}


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_page_has_figures_that_are_plain_json(found, name):
    one = found[name]
    assert one.verdict
    assert len({figure.name for figure in one.figures}) == len(one.figures) > 0
    text = json.dumps(one.to_dict(tables=True), allow_nan=False)
    assert json.loads(text)["figures"][0]["name"] == one.figures[0].name
    assert one.of(one.figures[-1].name) is one.figures[-1]
    with pytest.raises(KeyError, match="nonsense"):
        one.of("nonsense")


@pytest.mark.parametrize("name", ["trust", "trust nobody", *STORIES])
def test_figures_alone_are_the_same_figures(name):
    few = {"data.columns": ("Sepal length", "Petal length"), "settings.dimensions": 8, "view.story": name}
    scenario = SCENARIOS[name] if name in ("trust", "trust nobody") else RotationScenario().replace(SMALL | few)
    alone, whole = compute_metrics(scenario, tables=False), compute_metrics(scenario)  # what comes first is not helped
    assert alone.to_dict() == whole.to_dict()
    assert whole.tables
    assert not alone.tables


@pytest.mark.parametrize("name", ["trust", "categories", "known", "survey"])
def test_one_model_serves_whoever_names_the_same_data_and_own_data_have_their_own(name, found):
    """Also the scenario as the page makes it, which names the columns that were left to the page."""
    scenario = SCENARIOS[name].replace({"seed": 5_577})  # of which no other test has made a model
    work = pages.work_of(scenario)
    made = work.make_model(scenario)
    assert work.make_model(scenario).model is made.model
    assert work.make_model(made.model.fit_to_data(scenario)).model is made.model
    assert work.make_model(scenario.replace({"seed": scenario.seed + 1})).model is not made.model
    own = scenario.replace({"data.name": "own"})
    theirs, others = replace(made.data), replace(made.data)
    assert work.make_model(own, theirs).model is work.make_model(own, theirs).model
    assert work.make_model(own, theirs).model is not work.make_model(own, others).model


def _page_picture(scenario, closer):
    """What the page computes when this view is open: the slow way, view by view."""
    loading = __import__(f"trustscope.scenarios.{scenario.page}.loading", fromlist=["load"])
    model = loading.load(loading.fetch(scenario), scenario)
    fitted = model.fit_to_data(scenario).replace({"view.closer": closer})
    return model, list(model.stream(fitted))[-1]


def test_trust_shows_what_the_page_shows(found):
    from trustscope.scenarios.trust.verdict import hits

    scenario, one = SCENARIOS["trust"], found["trust"]
    for closer in ("everyone", "attackers", "coalitions", "usefulness", "spectrum"):
        _, picture = _page_picture(scenario, closer)
        assert one.of("hits.together").value == hits(picture).together
        for name, result in picture.together.items():
            figure = one.of(f"coalition.error.{name}")
            assert (figure.value, figure.measured, figure.agrees) == (result.error, result.tally.error, result.agrees)
        if picture.held is not None:
            table = one.tables["Everyone at once"]
            assert (table["Ministry"] == picture.held.copies[0] / picture.rows).all()
            assert (table["guess"] == picture.held.guess / picture.rows).all()
        if picture.coalitions is not None:
            assert one.of("everybody.nested").value == 1 - picture.coalitions["nested"][-1]
        if picture.usefulness is not None:
            assert list(one.tables["What an honest analyst still gets"]["original"]) == [
                statistic.true for statistic in picture.usefulness.statistics
            ]
        if picture.spectrum is not None:
            assert (one.tables["What stands out of the noise"]["combined copy"] == picture.spectrum.released).all()


def test_categories_shows_what_the_page_shows(found):
    scenario, one = SCENARIOS["categories"], found["categories"]
    for closer in ("everyone", "evidence", "coalitions", "joining", "memory"):
        _, picture = _page_picture(scenario, closer)
        for name, result in picture.results.items():
            assert one.of(f"{name}.right").measured == result.right.tally.mean
            assert one.of(f"{name}.belief").theory == result.belief.expected
        if picture.memory is not None:
            assert one.of("memory.stored").value == picture.memory.stored
        if picture.coalitions is not None:
            assert one.of("everybody.right.independent").value == picture.coalitions["independent"][-1].right


def test_what_page_and_figures_say_first_is_the_same(found):
    """Held against the dashboards themselves by the browser tests; here against the page's own headline."""
    from trustscope.scenarios.trust.verdict import headline
    from trustscope.scenarios.trust.words import subject_of

    model, picture = _page_picture(SCENARIOS["trust"], "everyone")
    said = headline(picture, subject_of(model.population, picture.settings.attribute))
    one = found["trust"]
    assert (one.verdict, one.before, one.after, one.label) == (said.title, said.before, said.after, said.label)


def test_a_rotation_is_worked_out_in_every_view(found):
    assert len(found["known"].tables["How close the guesses come"]) > 10
    assert len(found["known"].tables["One record"]) == len(FEW)
    assert found["known"].of("hits.uniform").agrees is True
    assert {"improved", "as in the paper"} <= set(found["sample"].tables["By the size of the sample"])
    assert found["sample"].tables["When it fails, and why"]["certainty (standard errors)"].notna().all()
    assert found["kept"].of("neighbours").agrees is True


def test_a_survey_has_its_rival(found):
    assert 0 < found["survey"].of("rival.accuracy").value <= 1
    assert "randomised" in found["survey"].tables["How good the classifier gets"]


def test_what_is_not_stored_or_not_here_gets_a_sentence():
    with pytest.raises(ScenarioProblem, match="ledger"):
        compute_metrics(ReleaseScenario())
    other = PapersScenario().opening("li/fig2", seed=7)
    with pytest.raises(ScenarioProblem, match="trustscope reproduce li/fig2"):
        compute_metrics(other)
    with pytest.raises(ScenarioProblem, match="no dataset called 'moon'"):
        compute_metrics(TrustScenario().replace({"data.name": "moon"}))
    with pytest.raises(ScenarioProblem, match="give that file as well"):
        compute_metrics(CategoriesScenario().replace({"data.name": "own"}))


def test_the_public_face_opens_saves_and_works_out(tmp_path):
    path = SCENARIOS["trust"].save(tmp_path / "scenario.json")
    scenario = ts.Scenario.load(path)
    assert scenario == SCENARIOS["trust"] == TrustScenario.load(path)
    assert isinstance(scenario.figures(), Metrics)
    with pytest.raises(ScenarioProblem, match="of the page trust, not of survey"):
        SurveyScenario.load(path)
    assert ts.Scenario.from_dict(scenario.to_dict()) == scenario


def test_what_json_has_no_word_for_becomes_null():
    assert as_json(math.nan) is as_json(math.inf) is None
    found = Metrics("trust", "v", "", "", (Metric("a", "b", math.nan, theory=math.inf),)).to_dict()
    assert found["figures"][0]["value"] is found["figures"][0]["theory"] is None


def test_every_page_of_the_app_but_learn_has_a_kind():
    from trustscope.app.pages import PAGES

    assert tuple(PAGES) == ("learn", *pages.NAMES)
    assert all(pages.kind_of(name).page == name for name in pages.NAMES)
