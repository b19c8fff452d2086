"""The page around the dashboards: bar, sidebar, main, theme."""

from pathlib import Path

import panel as pn

from trustscope import datasets
from trustscope.app.dashboard import Dashboard
from trustscope.app.help import HELP
from trustscope.app.own import OwnData
from trustscope.app.pages import PAGES
from trustscope.widgets.bar import Bar

HERE = Path(__file__).parent
FIRST = "trust"


class Frame:
    """What one visitor sees: the bar, and under it the page that is open.

    Parameters
    ----------
    page : str
        The page to open.
    dataset : str or None
        The built-in dataset to open it with; None for the page's own.
    """

    def __init__(self, page: str = FIRST, dataset: str | None = None):
        self.own = OwnData()
        self.dashboards: dict[str, Dashboard] = {}
        self._dataset = dataset
        self.sidebar = pn.Column(sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(sizing_mode="stretch_width", margin=0)
        titles = [page.title for page in PAGES.values()]
        self.bar = Bar(pages=titles, page=PAGES[page].title, help_html=HELP, sizing_mode="stretch_width")
        self.bar.param.watch(lambda event: self.open(self._named(event.new)), "page")
        self.open(page)

    @staticmethod
    def _named(title: str) -> str:
        return next(page.name for page in PAGES.values() if page.title == title)

    def open(self, name: str) -> None:
        """Turn to a page; it is made when it is first opened, and stays as it was left."""
        if name not in self.dashboards:
            dashboard = self.dashboards[name] = PAGES[name].kind()(dataset=self._dataset, own=self.own)
            dashboard.param.watch(lambda event: self.bar.param.update(info=event.new), "info")
        dashboard = self.dashboards[name]
        self.sidebar[:], self.main[:] = [dashboard.sidebar], [dashboard.main]
        self.bar.info = dashboard.info


def make_page(dataset: str | None = None) -> pn.Template:
    """A page with its own state: one for each visitor.

    Parameters
    ----------
    dataset : name of the built-in dataset to start with; the page's address may name another (?dataset=iris)
    """
    pn.extension()
    frame = Frame(_asked("page", PAGES) or FIRST, _asked("dataset", datasets.names()) or dataset)
    page = pn.Template((HERE / "page.html").read_text())
    page.add_variable("css", (HERE / "page.css").read_text())
    page.add_variable("app_title", "Trustscope")
    page.add_panel("bar", frame.bar)
    page.add_panel("sidebar", frame.sidebar)
    page.add_panel("main", frame.main)
    if pn.state.curdoc:
        pn.state.curdoc.title = "Trustscope"
    return page


def _asked(what: str, offered) -> str | None:
    """What the address of the page names, if there is such a thing."""
    values = (pn.state.session_args or {}).get(what, [])
    asked = [value.decode(errors="replace") for value in values[:1]]
    return next((value for value in asked if value in offered), None)
