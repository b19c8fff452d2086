"""The page around the dashboards: bar, address, sidebar, main, theme."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from html import escape

import panel as pn

from trustscope import datasets
from trustscope.app.compare import Comparison
from trustscope.app.compared import NOW, Compared
from trustscope.app.compat import models_made_before
from trustscope.app.dashboard import Dashboard
from trustscope.app.help import HELP
from trustscope.app.history import History
from trustscope.app.own import OwnData
from trustscope.app.pages import PAGES
from trustscope.app.parts import COMPARE, NAMED, Shown
from trustscope.app.presenting import Presenting
from trustscope.app.problem import explain_error
from trustscope.app.serving import preview, stopping
from trustscope.app.serving.prebuilt import build_soon
from trustscope.app.silence import Silence
from trustscope.app.taking import Taking, offered_on
from trustscope.app.template import Template, begin_page
from trustscope.app.work import TaskSlot
from trustscope.lessons.place import LearnScenario
from trustscope.scenarios.glossary import TERMS
from trustscope.scenarios.link import page_of, query_of, scenario_of, values_of
from trustscope.scenarios.parts import PARTS
from trustscope.scenarios.scenario import Reading, Scenario
from trustscope.widgets import bundle
from trustscope.widgets.controls.download import as_csv
from trustscope.widgets.frame.address import Address
from trustscope.widgets.frame.bar import MOST_OPENED, Bar
from trustscope.widgets.frame.connection import Connection
from trustscope.widgets.term import teach

FIRST = "learn"  # where whoever comes without a link arrives
STEP = "step"  # what is taken along into a lesson that the visitor writes
USUAL = "trust"  # and with a link that names no page, or with data
# All controls, now: one that is defined while somebody is connected is described to the next visitor twice, and
# browsers complain of it.
bundle.kinds()
teach(TERMS)


class Frame:
    """What one visitor sees: the bar, and under it the page that is open.

    Parameters
    ----------
    query : str
        The query of the address: which page, and what stands on it.
    dataset : str or None
        The built-in dataset to open the first page with; None for the page's own.
    later : bool
        Whether somebody else calls `begin`, which opens what the query names, and waits until it is built. Otherwise it
        is built at once: a browser that fetches a page in the middle of that could not put it together.
    framed_by : sequence of str
        Origins whose pages may show the app in a frame.
    """

    def __init__(
        self, query: str = "", dataset: str | None = None, *, later: bool = False, framed_by: Sequence[str] = ()
    ):
        self.own = OwnData()
        self.shown = Shown.of(query)  # as long as this visit lasts: no other address, file or button shows more
        self.dashboards: dict[str, Dashboard] = {}
        self._histories: dict[str, History] = {}
        self._place: tuple[str, str] | None = None
        self._visiting = Silence()
        self._entering = False  # whether the next change of the address is a new entry of the browser's history
        self.comparison = Comparison(self._show_kept)
        self.compared = Compared(self.own, lambda table: self.bar.param.update(compared=table))
        self._comparing = False
        self._presented = ""  # the page that was in view when presenting began
        self.presenting = Presenting(
            lambda name, scenario: self.open(name, Reading(scenario, ())), self._kept_in_order,
            lambda state: self.bar.param.update(presenting=state),
        )  # fmt: skip
        self.taking = Taking(
            self.own, lambda state: self.bar.param.update(taking=state),
            lambda file: self.bar.give(file.name, file.content, file.kind), lambda sentence: self.bar.say(sentence),
        )  # fmt: skip
        self._dataset = dataset
        self._name = self._asked = ""  # the page that is open, and the one that was asked for last
        self.opening = TaskSlot(self.fail, early=True)
        self.sidebars, self.mains = places(), places()
        self.address, self.connection = Address(), Connection()
        stopping.on_goodbye(self.connection.stopping)
        stopping.on_goodbye(self.connection.full, stopping.TOO_MUCH)
        pages = [_named(query, dataset)] if self.shown.limited else list(PAGES)
        self.bar = Bar(
            pages=[PAGES[name].title for name in pages], limited=self.shown.limited, help_html=HELP,
            comparable=COMPARE.key in self.shown,
            offered=[] if self.shown.limited else offered_on(_named(query, dataset)), terms=TERMS,
            framed_by=list(framed_by), sizing_mode="stretch_width",
        )  # fmt: skip
        self._query = query
        self._later = later
        if not later:
            self.begin()
        self.bar.param.watch(lambda event: self._turned(event.new), "page")
        self.bar.param.watch(lambda event: self._step("undo"), "undos")
        self.bar.param.watch(lambda event: self._step("redo"), "redos")
        self.bar.param.watch(lambda event: self._save(), "saves")
        self.bar.param.watch(lambda event: self._opened(*event.new) if event.new else None, "opened")
        self.bar.param.watch(lambda event: self._asked_for(event.new) if event.new else None, "asked")
        self.address.param.watch(lambda event: self._go(self.address.visited, again=True), "visits")

    @property
    def dashboard(self) -> Dashboard:
        """The page that is open; there is one as soon as `begin` was called."""
        return self.dashboards[self._name]

    # Turning to a page

    def begin(self) -> None:
        """Open what the address named, unless something was chosen before it could be opened."""
        if not self._asked:
            self._asked = _named(self._query, self._dataset)
            self._go(self._query)

    def fail(self, error: Exception) -> None:
        """Say that the page could not be made."""
        title, text = explain_error(error, "page")
        self.mains[self._asked][:] = [pn.pane.HTML(f"<h1>{escape(title)}</h1><p>{escape(text)}</p>")]
        self.bar.page = PAGES[self._asked].title

    def _go(self, query: str, again: bool = False) -> None:
        """Open what an address says: a page, and what stands on it; where one was before, also if nothing is named."""
        name = _named(query, self._dataset)
        reading = scenario_of(query, PAGES[name].kind().kind) if again or "s=" in query else _lesson_of(query)
        self.open(name, reading, visited=True)

    def open(self, name: str, reading: Reading | None = None, *, entry: bool = False, visited: bool = False) -> None:
        """Turn to a page; it is made when it is first opened, and stays as it was left unless a scenario is given.

        With `entry` the browser's history gets a new entry: Back brings what stood before. With `visited` the browser's
        address is there already. A page that is made is built beside the loop, and opened when that is done.
        """
        if PAGES[name].title not in self.bar.pages:
            self.bar.say("This link shows one page and no other: nothing was opened.")
            return
        self._asked = name

        def turn(made: Dashboard | None = None) -> None:
            with self._visiting if visited else nullcontext():
                self._turn(name, reading, entry, made)

        if name in self.dashboards:
            self.opening.stop()
            turn()
            return
        make = partial(self._made, name, None if reading is None else reading.scenario)
        if self._name or self._later:
            self.opening.build(make, turn, drop=lambda made: made.stop())
        else:
            turn(make())

    def _turn(self, name: str, reading: Reading | None, entry: bool, made: Dashboard | None) -> None:
        """Turn to a page that is there, or was made just now."""
        scenario = None if reading is None else reading.scenario
        # What is opened stands only when its data are here: the address changes then.
        self._entering = entry and (name != self._name or scenario not in (None, self.dashboard.settled))
        if made is not None:
            self._histories[name] = History()
            self.dashboards[name] = made
            self._listen(made)
        elif scenario is not None and scenario != self.dashboards[name].scenario:
            self.dashboards[name].open(scenario)
        self._name = name
        dashboard = self.dashboard
        self._lay(name)
        parts = [] if self.shown.limited else [[p.kind, p.key, p.title] for p in dashboard.parts()]
        self.bar.param.update(page=PAGES[name].title, info=dashboard.info, parts=parts, bare=name == FIRST)
        self.bar.offered = (
            [] if self.shown.limited or name == FIRST else [*offered_on(name), *([STEP] if name in PARTS else [])]
        )  # a lesson is no scenario to report
        if reading is not None and reading.problems:
            self.bar.say(*reading.problems)
        self._follow()
        self.comparison.show(dashboard)
        self.presenting.tell(dashboard)

    def _lay(self, name: str) -> None:
        """Put a page into its place; it stays there while others are shown, so that it is not built anew."""
        dashboard = self.dashboards[name]
        for side, part in ((self.sidebars, dashboard.sidebar), (self.mains, dashboard.main)):
            if list(side[name]) != [part]:  # nothing, or what was said when it could not be made
                side[name][:] = [part]

    def _forget(self, name: str) -> None:
        """A page that nobody chose to open."""
        dashboard = self.dashboards.pop(name)
        dashboard.stop()
        for side in (self.sidebars, self.mains):
            side[name].clear()

    def _made(self, name: str, scenario: Scenario | None) -> Dashboard:
        """A new page, and what the browser gets to know of it; made in a thread."""
        more = {"dataset": self._dataset} if self._dataset else {}
        dashboard = PAGES[name].kind()(scenario, own=self.own, shown=self.shown, **more)
        models_made_before.make(self.sidebars[name], dashboard.sidebar)
        models_made_before.make(self.mains[name], dashboard.main)
        return dashboard

    def _listen(self, dashboard: Dashboard) -> None:
        # Names that change at once are told in one call, with an event for each.
        dashboard.param.watch(lambda *events: self._follow(), ["settled", "loads"])
        dashboard.param.watch(lambda event: self._inform(dashboard), "info")
        # Data that have just arrived may come with other recipients, and a speaker reads what the picture says.
        dashboard.param.watch(lambda *events: self.presenting.tell(self.dashboard), ["loads", "drawn"])
        dashboard.param.watch(lambda event: self._wanted(*event.new) if event.new else None, "wanted")

    def _wanted(self, name: str, changes: dict) -> None:
        """One page sends the person to another, where some things are to change; Back brings the one before."""
        there = self.dashboards[name].scenario if name in self.dashboards else PAGES[name].kind().scenario_to_open(None)
        self.open(name, Reading(there.replace(changes), ()), entry=True)

    def _turned(self, title: str) -> None:
        """The person chose a page in the bar."""
        name = next(page.name for page in PAGES.values() if page.title == title)
        if name != self._name or self._asked != name:  # also back from one that is still being made
            self.open(name, entry=True)

    # Following what stands

    def _follow(self) -> None:
        """The address, the history and the bar follow what was settled."""
        if not self._name:
            return
        dashboard, history = self.dashboard, self._histories[self._name]
        title = f"{PAGES[self._name].title}: {dashboard.info}"
        if self.presenting.holds(dashboard):
            self.bar.param.update(info=dashboard.info, title=title)
            return
        if dashboard.loads and dashboard.loaded:  # before the data are here a scenario is not yet what it will be
            history.add(dashboard.settled)
        query = self.shown.link(query_of(dashboard.settled))
        before, self._place = self._place, (self._name, dashboard.place(dashboard.settled))
        moved = before not in (None, self._place) and not self._visiting
        if (moved or self._entering) and query != self.address.query:
            self._entering = False
            self.address.push(query)  # Back brings what stood before
        else:
            self.address.query = query
        self.bar.param.update(
            query=query, info=dashboard.info, title=title,
            can_undo=history.can_undo, can_redo=history.can_redo,
        )  # fmt: skip

    def _inform(self, dashboard: Dashboard) -> None:
        """What is loaded may be known later than what was settled."""
        if dashboard is self.dashboards.get(self._name):
            self.bar.param.update(info=dashboard.info, title=f"{PAGES[self._name].title}: {dashboard.info}")

    def _step(self, which: str) -> None:
        history = self._histories[self._name]
        if getattr(history, f"can_{which}"):
            self.dashboard.open(getattr(history, which)())
            self._follow()

    # Comparing

    def _show_kept(self) -> None:
        """The list of what is kept, and while somebody looks at it, the table too."""
        listed = self.comparison.kept.listed()
        if listed != self.bar.kept:
            self.bar.kept = listed
        if self._comparing:
            dashboard, kept = self.dashboard, self.comparison.kept.of(self._name)
            same = dashboard.settled in kept.values()
            self.compared.start(kept if same else {**kept, NOW: dashboard.settled})

    def _asked_kept(self, asked: dict) -> None:
        """What the person asked for of kept scenarios."""
        if COMPARE.key not in self.shown:
            return
        comparison, dashboard = self.comparison, self.dashboard
        page, letter = str(asked.get("page", "")), str(asked.get("letter", ""))
        match asked["kind"]:
            case "keep":
                if not comparison.keep(dashboard):
                    self.bar.say("Four scenarios of this page are kept: remove one first.")
            case "swap":
                comparison.swap(dashboard)
            case "draw":
                comparison.kept.draw(page, letter)
                comparison.show(dashboard)
            case "remove":
                comparison.kept.remove(page, letter)
                comparison.show(dashboard)
            case "call":
                comparison.kept.call(page, letter, str(asked.get("name", "")))
                self._show_kept()
            case "move" if asked.get("by") in (-1, 1):
                comparison.kept.move(page, letter, asked["by"])
                comparison.show(dashboard)
            case "restore":
                comparison.kept.read(asked.get("kept"))
                comparison.show(dashboard)
            case "kept-elsewhere":
                comparison.kept.follow(asked.get("kept"))
                comparison.show(dashboard)
            case "comparing":
                self._comparing = bool(asked.get("open"))
                self._show_kept() if self._comparing else self.compared.stop()
            case "compared-csv":
                self.bar.give("trustscope-compared.csv", as_csv(self.compared.table()), "text/csv")
            case "open-kept" if letter in comparison.kept.of(page):
                self.open(page, Reading(comparison.kept.of(page)[letter], ()), entry=True)

    def _asked_for(self, asked: dict) -> None:
        """What the person asked for in one of the bar's dialogs."""
        match asked["kind"]:
            case "take" if asked.get("what") == STEP and STEP in self.bar.offered:
                self.own.make_step(self.dashboard.settled)
                self.open(FIRST, entry=True)
            case "take" if asked.get("what") in self.bar.offered:
                self.taking.start(asked["what"], self._taken(asked["what"], bool(asked.get("kept"))))
            case "cancel":
                self.taking.cancel()
            case "present" | "walk" | "toggle" | "present-end":
                self._present(asked)
            case _:
                self._asked_kept(asked)

    # Presenting

    def _kept_in_order(self) -> list[tuple[str, str, Scenario]]:
        """What is kept with its title, page by page; where a link shows one page, only that page's."""
        pages = [name for name in PAGES if PAGES[name].title in self.bar.pages]
        kept = self.comparison.kept
        return [
            (name, f"{letter} · {kept.called(name, letter) or PAGES[name].title}", one)
            for name in pages
            for letter, one in kept.of(name).items()
        ]

    def _present(self, asked: dict) -> None:
        """What the person asked for while presenting, or that it begins."""
        number = asked.get("number")
        match asked["kind"]:
            case "present" if not self.presenting.active:
                self._presented = self._name
                self.comparison.presenting = True
                self.comparison.show(self.dashboard)
                self.presenting.begin(self.dashboard, self.dashboards)
            case "walk" if isinstance(number, int):
                self.presenting.go(number)
            case "toggle" if isinstance(number, int):
                self.presenting.toggle(self.dashboard, number)
                self.comparison.show(self.dashboard)
            case "present-end" if self.presenting.active:
                self.presenting.end(self.dashboards, self._presented)
                for name in self.presenting.made_meanwhile(self.dashboards):  # nobody chose what stands there
                    self._forget(name)
                self.comparison.presenting = False
                self.comparison.show(self.dashboard)

    def _taken(self, what: str, with_kept: bool) -> list[Scenario]:
        """What is taken along: what stands, after what is kept of this page; a deck of slides has all that is kept."""
        kept = list(self.comparison.kept.of(self._name).values()) if with_kept else []
        if what == "slides":
            kept = [scenario for _, _, scenario in self._kept_in_order()]
        return [*dict.fromkeys([*kept, *([] if what == "slides" and kept else [self.dashboard.settled])])]

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
            if "steps" in content:  # a lesson, and no scenario
                self._opened_lesson(name, text)
                return
            page = content["page"]
            kind = PAGES[page].kind().kind
        except (ValueError, KeyError, TypeError, RecursionError):
            self.bar.say(f"{name} is not a scenario of Trustscope: nothing was changed.")
            return
        self.open(page, kind.read(content), entry=True)

    def _opened_lesson(self, name: str, text: str) -> None:
        """A lesson of the visitor's own: Learn says what is wrong with it, or begins it."""
        self.own.open_lesson(name, text)
        self.open(FIRST, entry=True)


def places() -> dict[str, pn.Column]:
    """A place for each page, and nothing in it yet."""
    return {name: pn.Column(sizing_mode="stretch_width", margin=0) for name in PAGES}


def framed(
    bar: Bar, address: Address, connection: Connection, sidebars: dict[str, pn.Column], mains: dict[str, pn.Column]
) -> Template:
    """The bar, and under it a place for each page, with its controls at the side.

    The place of a page is a root of its own, which the bar shows or hides (widgets/frame/bar.js): Bokeh would lay out
    a whole root whenever something in it is shown.
    """
    page = Template("page.html", "theme.css", "page.css", "present.css")
    page.add_variable("app_title", "Trustscope")
    page.add_variable("pages", {name: one.title for name, one in PAGES.items()})
    page.add_panel("bar", bar)
    page.add_panel("address", address)
    page.add_panel("connection", connection)
    for name in PAGES:
        page.add_panel(f"sidebar_{name}", sidebars[name])
        page.add_panel(f"main_{name}", mains[name])
    return page


def make_page(
    dataset: str | None = None, *, later: bool = False, framed_by: Sequence[str] = (), origins: Sequence[str] = ()
) -> Template:  # fmt: skip
    """A page with its own state: one for each visitor.

    Parameters
    ----------
    dataset : name of the built-in dataset to start with; the page's address may name another (?dataset=iris)
    later : whether it is built after its answer has gone out, which a server must wait for (app/serving/sockets.py)
    framed_by : origins whose pages may show the app in a frame
    origins : under which the server has pictures of links (app/serving/preview.py)
    """
    pn.extension()
    doc = pn.state.curdoc
    begin_page()
    frame = Frame(_query(), _asked("dataset", datasets.names()) or dataset, later=later, framed_by=framed_by)
    if later:
        build_soon(frame.begin, frame.opening)
    page = framed(frame.bar, frame.address, frame.connection, frame.sidebars, frame.mains)
    if doc:
        doc.title = "Trustscope"
    page.add_variable("preview", preview.address(str(pn.state.headers.get("Host", "")), _query(), origins))
    return page


def _named(query: str, dataset: str | None) -> str:
    """The page that a query names; where it names none that there is, the one that suits what it brings."""
    name = page_of(query)
    if name in PAGES:
        return name
    if not name and _lesson_of(query) is not None:
        return FIRST
    return USUAL if name or "s=" in query or f"{NAMED}=" in query or dataset else FIRST


def _lesson_of(query: str) -> Reading | None:
    """A lesson that an address names as `?lesson=two-copies`: it begins at its first step."""
    found = values_of(query).get("lesson")
    return None if not found else Reading(LearnScenario().replace({"view.lesson": found[0][:48]}), ())


def _arguments() -> dict[str, str]:
    found = pn.state.session_args or {}
    return {name: values[0].decode(errors="replace") for name, values in found.items() if values}


def _query() -> str:
    """The query of the page's address."""
    return "&".join(
        f"{name}={value}" for name, value in _arguments().items() if name in ("page", "v", "s", "lesson", NAMED)
    )


def _asked(what: str, offered) -> str | None:
    """What the address of the page names, if there is such a thing."""
    value = _arguments().get(what)
    return value if value in offered else None
