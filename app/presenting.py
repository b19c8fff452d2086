"""Presenting: what stands on the page, large and without controls; arrow keys walk through what was kept, or through
the steps of a lesson."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from trustscope.app.dashboard import Dashboard
from trustscope.app.pages import PAGES
from trustscope.scenarios.scenario import Scenario

MOST_TOGGLED = 8  # recipients that have a number key
KEPT, STEPS = "kept scenarios", "steps of the lesson"  # what arrow keys walk through


@dataclass(frozen=True)
class Stop:
    """One place of a walk: what it is called, and what stands there."""

    title: str
    scenario: Scenario


class Presenting:
    """The presentation of one visitor.

    It walks through *stops*. By default these are what stands on the page and then the kept scenarios; what a page has
    itself to walk through, such as the steps of a lesson, comes before (`Dashboard.steps`). Presenting begins at the
    stop that stands on the page.

    Parameters
    ----------
    open_page : called with the name of a page and a scenario, to show it
    kept : gives the kept scenarios as (page, title, scenario), in the order in which they are walked through
    show : called with what the browser shows: place, titles of all places, recipients, notes for the speaker; empty:
        nothing is presented
    """

    def __init__(
        self, open_page: Callable[[str, Scenario], None], kept: Callable[[], Sequence[tuple[str, str, Scenario]]],
        show: Callable[[dict[str, Any]], object],
    ):  # fmt: skip
        self._open, self._kept, self._show = open_page, kept, show
        self.active = False
        self._stops: Sequence[Stop] = ()
        self._walked = ""  # what the stops are, in words
        self._place = 0
        self._before: dict[str, Scenario] = {}  # what stood on every page, by its name
        self._inside: Scenario | None = None  # what stood on the page inside a lesson
        self._ending: Scenario | None = None

    def begin(self, here: Dashboard, pages: dict[str, Dashboard]) -> None:
        """Present what stands here; the other pages that were visited are remembered too."""
        if self.active:
            return
        self.active, self._ending = True, None
        self._before = {name: dashboard.settled for name, dashboard in pages.items()}
        self._inside = here.presented.settled if here.presented is not here else None
        steps = [Stop(title, scenario) for title, scenario in here.steps()]
        self._stops, self._walked = (steps, STEPS) if steps else (self._of_kept(here), KEPT)
        self._place = next((place for place, stop in enumerate(self._stops) if stop.scenario == here.settled), 0)
        self.tell(here)

    def _of_kept(self, here: Dashboard) -> list[Stop]:
        kept = [Stop(title, one) for _, title, one in self._kept()]
        there = next((stop for stop in kept if stop.scenario == here.settled), None)
        first = there or Stop(f"Now · {PAGES[here.page].title}", here.settled)
        return [first, *(stop for stop in kept if stop is not there)]

    def go(self, place: int) -> None:
        """Go to one of the stops; beyond the ends there is nothing."""
        if self.active and 0 <= place < len(self._stops) and place != self._place:
            self._place = place
            scenario = self._stops[place].scenario
            self._open(scenario.page, scenario)

    def toggle(self, here: Dashboard, number: int) -> None:
        """The recipient with this number key joins the others, or leaves them."""
        shown = here.presented
        who = _recipients(shown)
        if self.active and 1 <= number <= min(len(who), MOST_TOGGLED):
            changed = tuple(
                one.replace({"member": not one.member}) if place == number else one
                for place, one in enumerate(who, start=1)
            )
            shown.open(shown.scenario.replace({"settings.recipients": changed}))
            self.tell(here)

    def end(self, pages: dict[str, Dashboard], name: str) -> None:
        """Every page as it was; `name` is the page that was in view when presenting began."""
        if not self.active:
            return
        self.active, self._stops, self._ending = False, (), self._before[name]
        for one, scenario in self._before.items():
            if one != name and pages[one].scenario != scenario:
                pages[one].open(scenario)
        self._open(name, self._before[name])
        self._restore_inside(pages[name].presented)
        self._show({})

    def _restore_inside(self, shown: Dashboard) -> None:
        """A step of a lesson comes back with what was tried there."""
        before, self._inside = self._inside, None
        if before is not None and shown.page == before.page and shown.scenario != before:
            shown.open(before)

    def holds(self, here: Dashboard) -> bool:
        """Whether address and history stand still: while presenting, and until what stood before is back."""
        coming = self._ending is not None and here.scenario == self._ending != here.settled
        if not coming:
            self._ending = None
        return self.active or coming

    def made_meanwhile(self, pages: dict[str, Dashboard]) -> list[str]:
        """The pages that were first visited while presenting."""
        return [name for name in pages if name not in self._before]

    def tell(self, here: Dashboard) -> None:
        """Let the browser show where one is."""
        if self.active:
            self._show({
                "place": self._place,
                "titles": [stop.title for stop in self._stops],
                "walked": self._walked,
                "notes": here.speaker_notes(),
                "recipients": [[r.name, r.colour, r.member] for r in _recipients(here.presented)[:MOST_TOGGLED]],
            })  # fmt: skip


def _recipients(here: Dashboard) -> tuple:
    """Those who can be toggled: nobody where a teacher's link does not let them be touched."""
    if "recipients" not in here.shown:
        return ()
    return getattr(getattr(here.scenario, "settings", None), "recipients", ())
