"""The figures without a page are those of the page: ten scenarios, opened in the dashboards themselves."""

import pytest

from trustscope.app.pages import PAGES
from trustscope.engine.attacks import learned
from trustscope.scenarios.categories.scenario import PAPER, CategoriesScenario
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import ATTACKERS, TrustScenario

IRIS = {"data.name": "iris"}
SMALL_ORDER = {"data.name": "gaussian", "data.order.records": 500, "data.order.attributes": 8}
SCENARIOS = [
    TrustScenario(),
    TrustScenario().replace(IRIS | {"settings.attackers": tuple(ATTACKERS), "view.closer": "attackers", "seed": 5}),
    TrustScenario().replace(SMALL_ORDER | {"settings.similarity": 0.5}),
    CategoriesScenario().replace({"data.name": "iris", "view.closer": "evidence"}),
    PAPER.replace({"settings.scheme": "nested"}),
    RotationScenario().replace(IRIS),
    RotationScenario().replace(IRIS | {"view.story": "known", "settings.kind": "euclidean"}),
    RotationScenario().replace(IRIS | {"view.story": "sample", "view.closer": "record"}),
    SurveyScenario().replace({"view.arrived": 120}),
    PapersScenario().opening("li/example"),
]


@pytest.fixture(scope="module", autouse=True)
def few_trees():
    """An attacker who learns with fewer trees, in a fifth of the time, for the page and for the figures alike."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learned, "TREES", 60)
        patch.setattr(learned, "FEWEST_TREES", 3)
        yield


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.page)
def test_the_page_says_what_the_figures_say(scenario):
    dashboard = PAGES[scenario.page].kind()(scenario)
    try:
        said, found = dashboard.headline.said, scenario.figures()
        wanted = (found.verdict, found.before, found.after, found.label, found.note)
        shown = (said[name].replace("\u202f%", " %") for name in ("title", "before", "after", "label", "note"))
        assert tuple(shown) == wanted
        assert dashboard.scenario.figures().to_dict() == found.to_dict()  # what the page makes of it is the same
    finally:
        dashboard.stop()
