"""A scheme that somebody registered: on the page, in pictures, targets, reports, links, scripts and studies."""

import contextlib
import io
import json

import numpy as np
import pytest

import trustscope as ts
from trustscope import schemes
from trustscope.engine.attacks.combining import effective_level
from trustscope.handouts.film import story
from trustscope.handouts.report import report
from trustscope.handouts.report.drawing import Drawn
from trustscope.scenarios import code, link
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.solve.handles import handles, present
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.solve.trust import solve
from trustscope.scenarios.trust import differential, map, verdict, words
from trustscope.scenarios.trust.frontier import frontier
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.scenario import TrustScenario, levels
from trustscope.scenarios.trust.why import why

pytestmark = pytest.mark.usefixtures("half_nested")
IRIS = TrustScenario().replace({"data.name": "iris", "settings.recipients": recipients(60, 40, 40, 20)})
LINEAR = {"settings.attackers": ("perfect",), "settings.scheme": "half_nested"}


@pytest.fixture(scope="module")
def model():
    return load(fetch(IRIS, None), IRIS)


@pytest.fixture
def scenario(model):
    return model.fit_to_data(IRIS.replace(LINEAR))


def test_pictures_and_words_are_of_it(model, scenario):
    picture = model.at_rest(scenario.replace({"view.closer": "coalitions"}))
    settings = scenario.settings
    level = effective_level(levels(settings.coalition), "half_nested")
    assert picture.together["perfect"].error == pytest.approx(level / (1 + level), abs=1e-9)
    every = picture.coalitions
    assert every["nested"][-1] > every["half_nested"][-1] == pytest.approx(level / (1 + level), abs=1e-9)
    assert "half nested <b>" in words.coalitions(picture)
    assert picture.joining.rates["half_nested"][-1] > picture.joining.rates["nested"][-1]
    subject = words.subject_of(model.population, settings.attribute)
    assert "learn more together" in verdict.headline(picture, subject).title
    assert "half nested noise does" in why(picture, model)
    assert "With nested noise" in why(picture, model)
    told = differential.differential(model, scenario)
    assert told.together("nested") < told.together("half_nested")
    assert "if their noise is half nested" in differential.caption(told, subject)


def test_measurements_agree_with_what_its_covariance_says(model, scenario):
    """All rows of iris, by every linear attacker with theory: a false alarm in 16 000 for each."""
    ticked = scenario.replace({"settings.attackers": ("perfect", "structured", "bayes"), "settings.informed": True})
    picture = list(model.stream(ticked, opened=("attackers",)))[-1]
    assert all(picture.together[name].agrees for name in ("perfect", "structured"))


def test_maps_and_trade_offs_have_it(model, scenario):
    view = {"view.map.figure": "explained", "view.map.across": "trust", "view.map.upwards": "recipients"}
    maps = {}
    for scheme in ("nested", "half_nested", "independent"):
        one = scenario.replace({**view, "settings.scheme": scheme})
        across, upwards = (map.axis(model, one, key) for key in ("trust", "recipients"))
        maps[scheme] = map.values(model, one, "explained", across, upwards)
    assert (maps["nested"] <= maps["half_nested"] + 1e-9).all()
    assert (maps["half_nested"] <= maps["independent"] + 1e-9).all()
    lines = [line.name for line in list(frontier(model, scenario))[-1].lines]
    assert lines == ["nested", "independent", "half nested"]


@pytest.mark.parametrize("coalition", [{"coalition": "any"}, {"coalition": "size", "size": 2}])
def test_targets_are_solved_under_it(model, scenario, coalition):
    required = TrustRequirement(what="error", limit=0.5, attacker="perfect", **coalition)
    asked = scenario.replace({"settings.requirements": (required,)})
    answers = {one.key: one for one in solve(model, asked).answers}
    assert answers["half_nested"].title == "Half nested noise"
    found = answers["half_nested"].changes["settings.recipients"]
    settings = asked.settings.replace({"recipients": found})
    assert present(model, settings, required) >= 0.5 - 1e-9
    for place, one in enumerate(found):  # nobody can be trusted more
        higher = (*found[:place], one.replace({"trust": one.trust + 1}), *found[place + 1 :])
        assert present(model, settings.replace({"recipients": higher}), required) < 0.5
    bands = handles(model, settings)
    assert bands[found[0].number].runs[0] == (1.0, float(found[0].trust), True)
    trusts = {key: sum(r.trust for r in one.changes["settings.recipients"]) for key, one in answers.items()}
    assert trusts["nested"] > trusts["half_nested"] > trusts["independent"]


def test_what_would_take_long_on_a_slider_is_left_to_the_answer(model, scenario):
    required = TrustRequirement(what="error", limit=0.5, attacker="perfect", coalition="size", size=6)
    many = scenario.settings.replace({"recipients": recipients(*[40] * 12), "requirements": (required,)})
    assert not handles(model, many)
    assert handles(model, many.replace({"scheme": "independent"}))


def test_reports_links_and_scripts_have_it(model, scenario, monkeypatch):
    monkeypatch.setattr(Drawn, "inline", lambda self, *args, **more: "")
    text = report(scenario)
    assert "as planned: half nested noise" in text
    assert "Half of the noise is shared." in text
    assert link.scenario_of(link.query_of(scenario), TrustScenario).scenario == scenario
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code.script(scenario, None), {"__name__": "__main__"})
    told = json.loads(printed.getvalue())["coalition.error.perfect"]
    figures = ts.Study.from_scenario(scenario).figures()
    assert told["measured"] == figures.of("coalition.error.perfect").measured
    assert told["theory"] == pytest.approx(figures.of("coalition.error.perfect").theory)


def test_a_film_has_its_colour_and_its_name(scenario):
    _, scenes = story(scenario)
    assert {scene.colour for scene in scenes[1:-1]} == {schemes.of(scenario.settings.scheme).colour}
    assert "with half nested noise" in scenes[2].caption


def test_a_study_takes_it_and_names_it(half_nested):
    study = ts.Study("iris", secret="Petal length", attackers="perfect", recipients={"A": 50, "B": 50})
    study.scheme = half_nested
    # Two equal copies share half of their noise: together s = (1 + 1/2) / 2, and the error is s / (1 + s).
    assert study.coalitions()["error"].iloc[-1] == pytest.approx(0.75 / 1.75)
    assert "half nested copies" in repr(study)
    assert half_nested in study.param.scheme.objects
    copies = {name: one.to_numpy(dtype=float) for name, one in study.copies().items()}
    assert not np.array_equal(copies["A"], copies["B"])
    assert "explained, half_nested" in study.table("coalitions").columns
    assert study.solve(min_error=0.45).table.loc[half_nested, "found"]
    schemes.unregister(half_nested)
    with pytest.raises(ts.TrustscopeError, match="half_nested"):
        ts.Study("iris", secret="Petal length").scheme = half_nested


def test_the_page_offers_it(half_nested):
    from trustscope.app.trust.dashboard import TrustDashboard

    shown = TrustDashboard(dataset="iris")
    assert (half_nested, "half nested") in [option[:2] for option in shown.controls.scheme.options]
    shown.controls.change(shown.scenario.replace({"settings.scheme": half_nested}))
    assert shown.controls.scheme.value == half_nested
    shown.stop()
