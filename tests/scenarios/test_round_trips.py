"""Generated scenarios of every page: written down and read again, sent as a link and opened, whatever is in them."""

import json

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as some

from tests.scenarios.strategies import SCENARIOS, recipients, values
from trustscope.scenarios import pages, versions
from trustscope.scenarios.link import page_of, query_of, scenario_of
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.trust.scenario import TrustScenario

MOST_LINK = 2_000  # characters of a link that every program passes on whole


@pytest.mark.parametrize("page", pages.NAMES)
def test_fifty_scenarios_come_back(page):
    kind = pages.kind_of(page)
    seen = set()

    @settings(max_examples=50, database=None)
    @given(SCENARIOS[page])
    def comes_back(scenario):
        written = json.loads(json.dumps(scenario.to_dict(), allow_nan=False))
        again, query = kind.from_dict(written), query_of(scenario)
        assert again == scenario
        assert hash(again) == hash(scenario)
        assert Scenario.from_dict(written) == scenario
        assert kind.read(written) == (scenario, ())
        assert page_of(query) == page
        assert scenario_of(query, kind) == (scenario, ())
        seen.add(scenario)

    comes_back()
    assert len(seen) > 25  # the test would hold little if it drew the same ones again and again


@pytest.mark.parametrize("page", pages.NAMES)
def test_a_scenario_shows_what_differs_and_nothing_else(page):
    kind = pages.kind_of(page)
    opened = kind()
    assert str(opened) == f"{kind.__name__}: as the page opens"
    assert "As the page opens." in opened._repr_html_()
    other = opened.replace({"seed": 77})
    assert str(other) == f"{kind.__name__}: seed = 77"
    assert "77" in other._repr_html_()


def test_what_a_scenario_shows_is_text():
    shown = TrustScenario().replace({"data.columns": ("<script>alert(1)</script>", "b")})._repr_html_()
    assert "<script>" not in shown


def _of_eight(page):
    kind = pages.kind_of(page)
    inner = values(kind.model_fields["settings"].annotation, recipients=recipients(8, 8))
    return values(kind, settings=inner).map(_of_its_columns)


def _of_its_columns(scenario):
    """What is known of everybody are columns of the data, not any names, and few need two steps before the noise."""
    return scenario.replace({
        "settings.known": tuple(dict.fromkeys(scenario.data.columns)),
        "data.preparation": scenario.data.preparation[:2],
    })  # fmt: skip


OF_EIGHT = {page: _of_eight(page) for page in ("trust", "categories")}  # made once: drawing from them is quick


@pytest.mark.parametrize("page", OF_EIGHT)
@settings(max_examples=50, phases=(Phase.explicit, Phase.generate))  # a long link says by itself why it is long
@given(data=some.data())
def test_links_of_eight_recipients_are_short(page, data):
    """With names as long as they may be, and texts as long as column names are."""
    assert len(query_of(data.draw(OF_EIGHT[page]))) <= MOST_LINK


def _scheme_was_called_noise(content):
    """A step of the kind that `STEPS` has."""
    inner = {("scheme" if name == "noise" else name): value for name, value in content["settings"].items()}
    return content | {"settings": inner}


def _seed_was_called_key(content):
    return {("seed" if name == "key" else name): value for name, value in content.items()}


def test_older_versions_are_carried_forward_step_by_step(monkeypatch):
    monkeypatch.setattr(versions, "VERSION", 3)
    monkeypatch.setattr(versions, "STEPS", {1: _scheme_was_called_noise, 2: _seed_was_called_key})
    wanted = TrustScenario().replace({"seed": 7, "settings.scheme": "nested"})
    first = {"trustscope": 1, "page": "trust", "key": 7, "settings": {"noise": "nested"}}
    second = {"trustscope": 2, "page": "trust", "key": 7, "settings": {"scheme": "nested"}}
    third = {"trustscope": 3, "page": "trust", "seed": 7, "settings": {"scheme": "nested"}}
    for content in (first, second, third):
        assert TrustScenario.from_dict(content) == wanted
        assert TrustScenario.read(content) == (wanted, ())
    with pytest.raises(ValueError, match="noise"):  # the first step is not taken where the version is the second
        TrustScenario.from_dict(first | {"trustscope": 2})


def test_every_older_version_has_its_step():
    assert set(versions.STEPS) == set(range(1, versions.VERSION))


def test_a_newer_version_gets_a_sentence_and_what_is_known_is_used():
    newer = TrustScenario().replace({"seed": 5}).to_dict() | {"trustscope": 9, "hologram": True}
    with pytest.raises(ScenarioProblem, match="version 9"):
        TrustScenario.from_dict(newer)
    scenario, problems = TrustScenario.read(newer)
    assert scenario.seed == 5
    assert "version 9" in problems[0]
    assert any("hologram" in one for one in problems)
    query = query_of(scenario).replace("v=1", "v=9")
    assert "version 9" in scenario_of(query, TrustScenario).problems[0]
    assert scenario_of(query, TrustScenario).scenario == scenario


@pytest.mark.parametrize("version", ["1", 0, -1, True, None, 1.5, "<b>", [1], 10**30])
def test_a_version_that_is_none_is_said(version):
    content = TrustScenario().to_dict() | {"trustscope": version}
    with pytest.raises(ScenarioProblem):
        TrustScenario.from_dict(content)
    assert TrustScenario.read(content).problems


def test_a_scenario_of_another_page_is_refused():
    with pytest.raises(ScenarioProblem, match="another page"):
        TrustScenario.from_dict(pages.kind_of("survey")().to_dict())
