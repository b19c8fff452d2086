"""A page that nobody looks at: it draws scenarios, and what each of its parts would send to a browser is written down.

So an explorable shows what the page itself would show: the words, the scenes and the style sheets are the page's own.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import panel as pn

from trustscope import plots
from trustscope.app.cards import Taken
from trustscope.app.dashboard import Dashboard
from trustscope.app.own import OwnData
from trustscope.app.pages import PAGES
from trustscope.datasets import Dataset
from trustscope.handouts.explorable.record import HTML, PartOfPage
from trustscope.plots.theme import LIGHT
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.glossary import TERMS
from trustscope.scenarios.parts import HEADLINE
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.whole import last
from trustscope.widgets import bundle
from trustscope.widgets.controls.choice import Choice, Choices
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.esm import Control, Script, css
from trustscope.widgets.frame.card import TEXT_CSS
from trustscope.widgets.frame.card import Card as Surface
from trustscope.widgets.scenes.drawing import Drawing, Scene
from trustscope.widgets.term import teach

HERE = Path(__file__).parent.parent
INPUTS = (Slider, Choice, Choices)  # what levers are moved by
PLOTTED = "caption plotted"  # what the caption is of a card whose plot is drawn as on paper
PAPERS = {"plots": ("plot_card", "taken"), "claims": ("claims_card", "taken_claims")}
UNREAD = ("name", "ack")  # what Panel numbers, and what only a server answers with
DRAWN_CSS = "svg { display: block; max-width: 100%; height: auto; margin: 4px auto 0; }"
LARGER = 1.3  # times: a drawing on a screen against paper
# Of a number of three digits, and of words that stay on one line.
NARROW_CSS = ".slider .typed { width: 5ch; } .slider .row { gap: 6px; } .slider output { white-space: nowrap; }"
THEMED = {LIGHT.text: "--ts-soft", LIGHT.edge: "--ts-edge", LIGHT.grid: "--ts-line", LIGHT.surface: "--ts-card"}


class PageRecorder:
    """The page of a scenario, without a browser.

    Parameters
    ----------
    scenario : Scenario
    cards : names of the cards that are wanted, the headline among them; by default those that the page opens with
    own : the person's own data, where the scenario names some. Then cards that show single records are left out.
    """

    def __init__(self, scenario: Scenario, cards: tuple[str, ...] = (), own: Dataset | None = None):
        teach(TERMS)
        kind = PAGES[scenario.page].kind()
        self.page = scenario.page
        self.cards = cards or default_cards(scenario)
        self._check(scenario)
        self.dashboard: Dashboard = _quiet(kind)(scenario, own=OwnData(dataset=own))
        self._adopt(scenario)
        self.scenario: Scenario = self.dashboard.scenario
        self._parts: dict[int, PartOfPage] = {}
        self._held: list[Any] = []  # so that no other object gets the identity of one that is known

    def _check(self, scenario: Scenario) -> None:
        known = cards_of(scenario.page) if scenario.page != "papers" else {}
        for key in self.cards:
            if key != HEADLINE and known and key not in known:
                raise ScenarioProblem(f"There is no card called {key!r}; there are {', '.join((HEADLINE, *known))}.")
            if key in known and known[key].records and scenario.data.name == OWN:
                raise ScenarioProblem(f"The card {key} shows single records, which do not leave the app.")

    def _adopt(self, scenario: Scenario) -> None:
        """Load the data that a scenario names."""
        board = self.dashboard
        board.data, board.model, board.scenario = board._make(scenario)
        board._loaded, self._opened = board.model_key(board.scenario), None
        with board.controls.silent():
            board.arrived()
        board.controls.restore(board.scenario)

    @property
    def data(self) -> Any:
        """The data that were loaded last; None on a page without data."""
        return self.dashboard.data

    @property
    def model(self) -> Any:
        """The model of them."""
        return self.dashboard.model

    def fit_to_data(self, scenario: Scenario) -> Scenario:
        """The scenario as it fits the data that it names, which are loaded where others were."""
        if self.dashboard.model_key(scenario) != self.dashboard._loaded:
            self._adopt(scenario)
        return self.dashboard.fit_to_data(scenario, self.model)

    # Recording

    def at(self, scenario: Scenario) -> dict[str, dict[str, Any]]:
        """What stands on the page when this scenario is at rest."""
        scenario = self.fit_to_data(scenario)
        found: dict[str, dict[str, Any]] = {}
        for closer, keys in self._by_closer(scenario).items():
            self._draw(scenario.replace({"view.closer": closer}) if hasattr(scenario.view, "closer") else scenario)
            for key in keys:
                for thing, role in self._things(key):
                    self._write(found, thing, key, role)
        return found

    _opened: tuple[str, str] | None = None  # the view and the step that the page was turned to last

    def _by_closer(self, scenario: Scenario) -> dict[str, list[str]]:
        """The cards by the view that has to be open for them; those that the page opens with need none."""
        board = self.dashboard
        place = board.stage(scenario.view.story) if hasattr(board, "stage") else board
        behind = place.closer.keys if hasattr(place, "closer") else ()
        found: dict[str, list[str]] = {}
        for key in self.cards:
            found.setdefault(key if key in behind else "", []).append(key)
        return found

    def _draw(self, scenario: Scenario) -> None:
        board = self.dashboard
        board.scenario = scenario
        opened = (getattr(scenario.view, "closer", ""), getattr(scenario.view, "story", ""))
        if opened != self._opened:
            self._opened, board.picture = opened, None
            board.controls.restore(scenario)
        rest = getattr(self.model, "at_rest", None)
        picture = last(board.passes(self.model, scenario)) if rest is None else rest(scenario)
        board.picture, board.binding = board._bound(self.model, scenario, picture)
        board.draw_picture(board.picture)

    def _write(self, found: dict, thing: Any, card: str, role: str) -> None:
        name = id(thing)
        if name not in self._parts:
            self._held.append(thing)
            self._parts[name] = _part(f"p{len(self._parts)}", card, role, thing)
        part = self._parts[name]
        if isinstance(thing, Control):
            found[part.name] = properties_of(thing)
            if "plot_id" in thing.param:
                found[part.name]["plot_id"] = part.name  # the same file each time it is made
        elif isinstance(thing, Taken):
            found[part.name] = {"html": self._drawn(thing, part.name)}
        elif role == PLOTTED:  # what is drawn as on paper brings its own legend
            found[part.name] = {"html": thing.object.partition('<ul class="legend">')[0]}
        else:
            found[part.name] = {"html": thing.object}

    def _drawn(self, taken: Taken, name: str) -> str:
        """A plot that the page draws by Bokeh: as it would stand on paper."""
        from trustscope.plots import draw

        if taken.card is None or taken.own.empty or not taken.draws:
            return ""
        text = draw.inline(plots.plot(taken.card.plot, taken.own), name, taken.card.title)
        for colour, variable in THEMED.items():  # so that it follows the theme of the page
            text = text.replace(f": {colour}", f": var({variable}, {colour})")
        return _sized(text[text.index("<svg") :])

    # What stands on the page

    def _things(self, key: str) -> Iterator[tuple[Any, str]]:
        """What is drawn of a card, and what of it each thing is."""
        if key == HEADLINE:
            yield self.dashboard.headline, "body"
            return
        for surface, taken in self._surfaces(key):
            yield surface.title_pane, "title"
            inner = [one for child in surface.__panel__() for one in _drawings(child, surface)]
            plotted = any(isinstance(one, pn.pane.Bokeh) for one in inner) and taken is not None
            if surface.caption_pane.object != "<p></p>":
                yield surface.caption_pane, PLOTTED if plotted else "caption"
            if plotted:
                yield taken, "body"
                inner = [one for one in inner if not isinstance(one, pn.pane.Bokeh)]
            for one in inner:
                yield one, "body"

    def _surfaces(self, key: str) -> Iterator[tuple[Surface, Taken | None]]:
        """The surfaces of a card, each with what can be taken along of it."""
        board = self.dashboard
        if self.page == "papers":  # one view has all that is opened of an experiment
            detail = board.views().get("detail")
            if key in PAPERS and detail is not None:
                surface, taken = (getattr(detail, name) for name in PAPERS[key])
                yield surface, taken
            return
        view = board.view(key)
        if view is not None:
            yield from _surfaces(view)

    @property
    def parts(self) -> tuple[PartOfPage, ...]:
        """All parts that have been seen so far, in the order in which they stand."""
        order = {card: place for place, card in enumerate(self.cards)}
        return tuple(sorted(self._parts.values(), key=lambda part: (order[part.card], int(part.name[1:]))))

    # What draws it

    @property
    def plots(self) -> bool:
        """Whether something is drawn as on paper, which takes a while each time."""
        return any(part.role == PLOTTED for part in self._parts.values())

    @property
    def kinds(self) -> set[str]:
        """The kinds of controls that draw the parts."""
        return {part.kind for part in self._parts.values()} - {HTML}

    def script(self) -> str:
        """Helpers, controls by the names of their kinds, and how words are explained."""
        return script_of(self.kinds)

    def theme(self) -> str:
        """The colours of the page, light and dark."""
        return theme()


def theme() -> str:
    """The colours of all pages, light and dark."""
    return (HERE / "theme.css").read_text(encoding="utf-8")


def script_of(kinds: set[str]) -> str:
    """The script of some kinds of controls, and of those that move levers."""
    every = bundle.kinds()
    wanted = sorted(kinds | {kind.__name__ for kind in INPUTS})
    shared, own = bundle.parts(every[name] for name in wanted)
    helpers = {helper for name in wanted for helper in cast(Script, every[name]._esm).names[:-1]}
    extra = "\n".join(Script.part(name) for name in ("terms.js", "handout.js") if name not in helpers)
    return f"{shared}\n{extra}\nconst controls = {{\n{own}}}\n"


def input_styles() -> tuple[str, ...]:
    """The style sheets of what levers are moved by."""
    return css("controls.css"), NARROW_CSS


def default_cards(scenario: Scenario) -> tuple[str, ...]:
    """The headline and the pictures that a page opens with; of a person's own data none that shows single records."""
    opening = [card for card in cards_of(scenario.page).values() if card.opens and not card.within]
    own = scenario.data.name == OWN
    return (HEADLINE, *(card.key for card in opening if not (own and card.records)))


def _sized(text: str) -> str:
    """A drawing in a size that is read on a screen: somewhat larger than on paper."""
    width = float(re.findall(r'width="([\d.]+)pt"', text)[0])
    return text.replace("<svg ", f'<svg style="width: {LARGER * width:.0f}pt" ', 1)


@cache
def _quiet(kind: type[Dashboard]) -> type[Dashboard]:
    """The same page, which computes nothing by itself."""

    def open_(self, scenario, **how):
        self.controls.restore(scenario)
        self.scenario = scenario

    return type(f"Quiet{kind.__name__}", (kind,), {"open": open_})


def _surfaces(view: Any) -> Iterator[tuple[Surface, Taken | None]]:
    """The cards of a view, each with what can be taken along of it."""
    if isinstance(getattr(view, "card", None), Surface):
        yield view.card, getattr(view, "taken", None)
        return
    for one in vars(view).values():
        if isinstance(getattr(one, "card", None), Surface):
            yield one.card, getattr(one, "taken", None)


def _drawings(thing: Any, surface: Surface) -> Iterator[Any]:
    """What is seen inside something, without what is only moved or clicked."""
    if thing in (surface.title_pane, surface.caption_pane, surface._help, surface.download):
        return
    if not getattr(thing, "visible", True) or "ts-control" in getattr(thing, "css_classes", ()):
        return
    if isinstance(thing, pn.pane.Bokeh | Drawing):
        yield thing
    elif isinstance(thing, pn.pane.HTML):
        if thing.object:
            yield thing
    elif isinstance(thing, pn.viewable.Viewer):
        yield from _drawings(thing.__panel__(), surface)
    elif isinstance(thing, pn.layout.ListLike):
        for one in thing:
            yield from _drawings(one, surface)


def _part(name: str, card: str, role: str, thing: Any) -> PartOfPage:
    if isinstance(thing, Control):
        return PartOfPage(name, card, role, type(thing).__name__, tuple(map(str, type(thing)._stylesheets)))
    if isinstance(thing, Taken):
        return PartOfPage(name, card, role, HTML, (DRAWN_CSS,))
    own = [one for one in thing.stylesheets if isinstance(one, str)]
    return PartOfPage(name, card, role, HTML, tuple(own) or (TEXT_CSS,))


def properties_of(control: Control) -> dict[str, Any]:
    """All that the control's script reads; a scene as the object that it is."""
    found: dict[str, Any] = {}
    for kind in type(control).__mro__:
        if not kind.__module__.startswith("trustscope.widgets"):
            continue
        for name in vars(kind):
            if name in control.param and name not in UNREAD:
                found.setdefault(name, getattr(control, name))
    if "drawn" in found and isinstance(control, Scene):
        found["drawn"] = control.scene
    return found
