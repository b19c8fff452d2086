"""Bands on the sliders: they follow a drag where that is quick, and come when the slider is let go where it is not."""

from trustscope.app.categories.dashboard import CategoriesDashboard
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.solve.requirement import CategoriesRequirement

THREE = CategoriesScenario().replace({"settings.recipients": recipients(50, 40, 30)})


def dragged(required, scheme):
    """The bands while a slider is dragged, and when it has been let go."""
    page = CategoriesDashboard(THREE.replace({"settings.requirements": (required,), "settings.scheme": scheme}))
    assert page.controls.recipients.risks.keys() == {0, 1, 2}
    page.controls.scenario = page.scenario.replace({"settings.recipients": recipients(60, 40, 30)})
    page.controls.moved += 1
    during = page.controls.recipients.risks
    page.controls.settled += 1
    return during, page.controls.recipients.risks


def test_bands_of_closed_forms_follow_a_drag():
    for required, scheme in (
        (CategoriesRequirement(what="rho", limit=50), "independent"),
        (CategoriesRequirement(what="right", limit=60), "nested"),
    ):
        during, after = dragged(required, scheme)
        assert during == after
        assert during


def test_bands_that_must_be_listed_come_when_the_slider_is_let_go():
    during, after = dragged(CategoriesRequirement(what="right", limit=60), "independent")
    assert during == {}
    assert after.keys() == {0, 1, 2}
