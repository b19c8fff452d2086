"""The page around the dashboards: bar, sidebar, main, theme."""

from pathlib import Path

import panel as pn
from threadpoolctl import threadpool_limits

from trustscope import datasets
from trustscope.app.categories import CategoriesDashboard
from trustscope.app.help import HELP
from trustscope.app.papers.dashboard import PapersDashboard
from trustscope.app.rotation import RotationDashboard
from trustscope.app.survey import SurveyDashboard
from trustscope.app.trust import TrustDashboard
from trustscope.widgets.bar import Bar

HERE = Path(__file__).parent
DASHBOARDS = {
    "Trust": TrustDashboard,
    "Categories": CategoriesDashboard,
    "Rotation": RotationDashboard,
    "Survey": SurveyDashboard,
    "Papers": PapersDashboard,
}


def make_page(dataset: str = "census") -> pn.Template:
    """A page with its own state: one for each visitor.

    Parameters
    ----------
    dataset : name of the built-in dataset to start with; the page's address may name another (?dataset=iris)
    """
    pn.extension()
    # A preview on the page and a full pass beside it: matrices on all cores each would wait for one another.
    threadpool_limits(limits=1, user_api="blas")
    asked = _asked_for(dataset)
    bar = Bar(pages=list(DASHBOARDS), page=next(iter(DASHBOARDS)), help_html=HELP, sizing_mode="stretch_width")
    dashboards = {}
    sidebar = pn.Column(sizing_mode="stretch_width", margin=0)
    main = pn.Column(sizing_mode="stretch_width", margin=0)

    def open_page(event=None):
        if bar.page not in dashboards:
            dashboards[bar.page] = DASHBOARDS[bar.page](dataset=asked)
            dashboards[bar.page].param.watch(lambda e: bar.param.update(info=e.new), "info")
        dashboard = dashboards[bar.page]
        sidebar[:], main[:] = [dashboard.sidebar], [dashboard.main]
        bar.info = dashboard.info

    open_page()
    bar.param.watch(open_page, "page")
    page = pn.Template((HERE / "page.html").read_text())
    page.add_variable("css", (HERE / "page.css").read_text())
    page.add_variable("app_title", "Trustscope")
    page.add_panel("bar", bar)
    page.add_panel("sidebar", sidebar)
    page.add_panel("main", main)
    if pn.state.curdoc:
        pn.state.curdoc.title = "Trustscope"
    return page


def _asked_for(dataset: str) -> str:
    """The dataset named in the address of the page, if there is such a one."""
    values = (pn.state.session_args or {}).get("dataset", [])
    asked = [value.decode(errors="replace") for value in values[:1]]
    return next(name for name in (*asked, dataset, *datasets.names()) if name in datasets.names())
