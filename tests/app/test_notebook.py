"""In a notebook: a dashboard is made of a scenario, gives the present one, and shows wherever ipywidgets show."""

import panel as pn
import pytest

from tests.app.test_parts import SCENARIOS
from trustscope.app.pages import PAGES


@pytest.mark.parametrize("page", SCENARIOS)
def test_a_dashboard_is_made_of_a_scenario_and_gives_the_present_one(page):
    kind = PAGES[page].kind()
    dashboard = kind(scenario=SCENARIOS[page])
    present = dashboard.scenario
    assert present.data.name == SCENARIOS[page].data.name
    assert kind(scenario=kind.kind.from_dict(present.to_dict())).scenario == present
    dashboard.controls.change(present.replace({"seed": 77}))
    assert dashboard.scenario.seed == 77
    dashboard.open(present)
    assert dashboard.scenario == present
    dashboard.stop()


@pytest.mark.parametrize("page", ["trust", "categories"])
def test_a_dashboard_is_a_widget_for_editors_and_colab(page):
    from jupyter_bokeh.widgets import BokehModel

    assert isinstance(pn.ipywidget(PAGES[page].kind()(scenario=SCENARIOS[page])), BokehModel)


def test_a_dashboard_can_be_served_by_panels_own_method():
    """`show` is Panel's: no dashboard gives it another meaning."""
    from panel.viewable import Viewer

    from trustscope.app.dashboard import Dashboard
    from trustscope.app.pages import PAGES

    assert Dashboard.show is Viewer.show
    for page in PAGES.values():
        assert page.kind().show is Viewer.show
