"""The page around the dashboards: bar, address, sidebar, main, theme."""

import json
import pkgutil
from importlib import import_module
from pathlib import Path

import panel as pn

from trustscope import datasets, widgets
from trustscope.app.dashboard import Dashboard
from trustscope.app.help import HELP
from trustscope.app.history import History
from trustscope.app.own import OwnData
from trustscope.app.pages import PAGES
from trustscope.app.silence import Silence
from trustscope.scenarios.link import page_of, query_of, scenario_of
from trustscope.scenarios.scenario import Reading, Scenario
from trustscope.widgets.address import Address
from trustscope.widgets.bar import MOST_OPENED, Bar
from trustscope.widgets.connection import Connection

HERE = Path(__file__).parent
FIRST = "trust"
# A control that is defined while somebody is connected is described to the next visitor twice: browsers complain.
for _module in pkgutil.iter_modules(widgets.__path__, f"{widgets.__name__}."):
    import_module(_module.name)


class Frame:
    """What one visitor sees: the bar, and under it the page that is open.

    Parameters
    ----------
    query : str
        The query of the address: which page, and what stands on it.
    dataset : str or None
        The built-in dataset to open the first page with; None for the page's own.
    """

    def __init__(self, query: str = "", dataset: str | None = None):
        self.own = OwnData()
        self.dashboards: dict[str, Dashboard] = {}
        self._histories: dict[str, History] = {}
        self._place: tuple[str, str] | None = None
        self._visiting = Silence()
        self._dataset = dataset
        self._name = ""
        self.sidebar = pn.Column(sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(sizing_mode="stretch_width", margin=0)
        self.address, self.connection = Address(), Connection()
        self.bar = Bar(pages=[page.title for page in PAGES.values()], help_html=HELP, sizing_mode="stretch_width")
        self._go(query)
        self.bar.param.watch(lambda event: self._turned(event.new), "page")
        self.bar.param.watch(lambda event: self._step("undo"), "undos")
        self.bar.param.watch(lambda event: self._step("redo"), "redos")
        self.bar.param.watch(lambda event: self._save(), "saves")
        self.bar.param.watch(lambda event: event.new and self._opened(*event.new), "opened")
        self.address.param.watch(lambda event: self._go(self.address.visited, again=True), "visits")

    @property
    def dashboard(self) -> Dashboard:
        """The page that is open."""
        return self.dashboards[self._name]

    # Turning to a page

    def _go(self, query: str, again: bool = False) -> None:
        """Open what an address says: a page, and what stands on it; where one was before, also if nothing is named."""
        name = page_of(query)
        name = name if name in PAGES else FIRST
        reading = scenario_of(query, PAGES[name].kind().kind) if again or "s=" in query else None
        with self._visiting:  # the browser is there already
            self.open(name, reading)

    def open(self, name: str, reading: Reading | None = None, *, entry: bool = False) -> None:
        """Turn to a page; it is made when it is first opened, and stays as it was left unless a scenario is given.

        With `entry` the browser's history gets a new entry: Back brings what stood before.
        """
        scenario = None if reading is None else reading.scenario
        if name not in self.dashboards:
            self._histories[name] = History()
            self.dashboards[name] = self._made(name, scenario)
        elif scenario is not None and scenario != self.dashboards[name].scenario:
            self.dashboards[name].open(scenario)
        self._name = name
        dashboard = self.dashboard
        self.sidebar[:], self.main[:] = [dashboard.sidebar], [dashboard.main]
        self.bar.param.update(page=PAGES[name].title, info=dashboard.info)
        if reading is not None and reading.problems:
            self.bar.say(*reading.problems)
        self._follow(entry)

    def _made(self, name: str, scenario: Scenario | None) -> Dashboard:
        dashboard = PAGES[name].kind()(scenario, own=self.own, **({"dataset": self._dataset} if self._dataset else {}))
        dashboard.param.watch(lambda event: self._follow(), ["settled", "loads"])
        dashboard.param.watch(lambda event: event.new and self._wanted(*event.new), "wanted")
        return dashboard

    def _wanted(self, name: str, changes: dict) -> None:
        """One page sends the person to another, where some things are to change; Back brings the one before."""
        there = self.dashboards[name].scenario if name in self.dashboards else PAGES[name].kind().fitting(None)
        self.open(name, Reading(there.having(changes), ()), entry=True)

    def _turned(self, title: str) -> None:
        """The person chose a page in the bar."""
        name = next(page.name for page in PAGES.values() if page.title == title)
        if name != self._name:
            self.open(name, entry=True)

    # Following what stands

    def _follow(self, entry: bool = False) -> None:
        """The address, the history and the bar follow what was settled."""
        if not self._name:
            return
        dashboard, history = self.dashboard, self._histories[self._name]
        if dashboard.loads:  # before the data are here a scenario is not yet what it will be
            history.add(dashboard.settled)
        query = query_of(dashboard.settled)
        before, self._place = self._place, (self._name, dashboard.place(dashboard.settled))
        if entry or (before not in (None, self._place) and not self._visiting):
            self.address.push(query)  # Back brings the place before
        else:
            self.address.query = query
        self.bar.param.update(
            query=query, info=dashboard.info, title=f"{PAGES[self._name].title}: {dashboard.info}",
            can_undo=history.can_undo, can_redo=history.can_redo,
        )  # fmt: skip

    def _step(self, which: str) -> None:
        history = self._histories[self._name]
        if getattr(history, f"can_{which}"):
            self.dashboard.open(getattr(history, which)())
            self._follow()

    # Files

    def _save(self) -> None:
        scenario = self.dashboard.settled
        self.bar.give(f"trustscope-{scenario.page}.json", json.dumps(scenario.to_dict(), indent=2, ensure_ascii=False))

    def _opened(self, name: str, text: str) -> None:
        """A scenario file: what can be used of it is used."""
        if len(text) > MOST_OPENED:
            self.bar.say(f"{name} is larger than any scenario: it was not opened.")
            return
        try:
            content = json.loads(text)
            page = content["page"]
            kind = PAGES[page].kind().kind
        except (ValueError, KeyError, TypeError, RecursionError):
            self.bar.say(f"{name} is not a scenario of Trustscope: nothing was changed.")
            return
        self.open(page, kind.read(content), entry=True)


def make_page(dataset: str | None = None) -> pn.Template:
    """A page with its own state: one for each visitor.

    Parameters
    ----------
    dataset : name of the built-in dataset to start with; the page's address may name another (?dataset=iris)
    """
    pn.extension()
    frame = Frame(_query(), _asked("dataset", datasets.names()) or dataset)
    page = pn.Template((HERE / "page.html").read_text())
    page.add_variable("css", (HERE / "page.css").read_text())
    page.add_variable("app_title", "Trustscope")
    for name in ("bar", "address", "connection", "sidebar", "main"):
        page.add_panel(name, getattr(frame, name))
    if pn.state.curdoc:
        pn.state.curdoc.title = "Trustscope"
    return page


def _arguments() -> dict[str, str]:
    found = pn.state.session_args or {}
    return {name: values[0].decode(errors="replace") for name, values in found.items() if values}


def _query() -> str:
    """The query of the page's address."""
    return "&".join(f"{name}={value}" for name, value in _arguments().items() if name in ("page", "v", "s"))


def _asked(what: str, offered) -> str | None:
    """What the address of the page names, if there is such a thing."""
    value = _arguments().get(what)
    return value if value in offered else None
