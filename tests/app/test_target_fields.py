"""Every field of every requirement can be changed on its page, to everything that it offers."""

import asyncio

import pytest

from tests.messages import tell
from trustscope.app.categories import CategoriesDashboard
from trustscope.app.rotation import RotationDashboard
from trustscope.app.survey import SurveyDashboard
from trustscope.app.target import TargetFold
from trustscope.app.trust import TrustDashboard
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import TrustScenario

PAGES = {
    "trust": lambda: TrustDashboard(TrustScenario().replace({"data.name": "iris"})),
    "categories": lambda: CategoriesDashboard(CategoriesScenario()),
    "rotation": lambda: RotationDashboard(RotationScenario()),
    "survey": lambda: SurveyDashboard(SurveyScenario()),
}


def field_of(targets, name):
    """A field of the first requirement as it is shown now: what it offers depends on the others."""
    return next(field for field in targets.rows[0]["fields"] if field["name"] == name)


def change(targets, name, value):
    """What the field shows after somebody has changed it, and what was said."""
    tell(targets, {"kind": "edit", "place": 0, "name": name, "value": value})
    return field_of(targets, name)["value"], targets.rows[0]["problem"]


@pytest.mark.parametrize("page", PAGES)
def test_everything_that_a_requirement_offers_can_be_chosen(page, monkeypatch):
    monkeypatch.setattr(TargetFold, "solve", lambda *asked: None)  # what is found is another matter

    async def main():
        dashboard = PAGES[page]()
        await dashboard.finished()
        fold = dashboard.controls.goal if page == "survey" else dashboard.controls.target
        targets = fold.targets
        for what, _ in fold.purpose.kinds:
            tell(targets, {"kind": "add", "what": what})
            for name in [field["name"] for field in targets.rows[0]["fields"]]:
                field = field_of(targets, name)
                for value, _ in field.get("options", [[field["value"], ""]]):
                    # Those who are ticked may be all, or one alone: then it says so.
                    assert change(targets, name, value) == (value, "") or value == "ticked", (what, name)
                if "options" in field:
                    shown, problem = change(targets, name, "somebody else")
                    assert shown != "somebody else"
                    assert problem
            tell(targets, {"kind": "remove", "place": 0})
        assert targets.rows == []
        dashboard.stop()

    asyncio.run(main())
