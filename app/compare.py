"""Comparing: scenarios that were kept, one of which is drawn faintly behind what stands on the page."""

from collections.abc import Callable, Mapping
from typing import Any

from trustscope.app.dashboard import Dashboard
from trustscope.app.pages import PAGES
from trustscope.numbers import MINUS, difference
from trustscope.scenarios.differences import TOLD, changed, differences
from trustscope.scenarios.link import MOST_TEXT, query_of, scenario_of
from trustscope.scenarios.scenario import Scenario

LETTERS = ("A", "B", "C", "D")  # of each page four scenarios may be kept
MOST_TITLE = 200  # characters
MOST_NAME = 60  # characters of a name that a person gives
MOST_SPOILT = 4  # links of one browser of which nothing can be used; whoever sends more made them up


class Kept:
    """The scenarios that were kept, by page and letter, and which of each page is drawn behind."""

    def __init__(self) -> None:
        self._scenarios: dict[str, dict[str, Scenario]] = {}
        self._titles: dict[tuple[str, str], str] = {}
        self._names: dict[tuple[str, str], str] = {}
        self._behind: dict[str, str] = {}

    def of(self, page: str) -> dict[str, Scenario]:
        """Those of one page, by letter."""
        return dict(sorted(self._scenarios.get(page, {}).items()))

    def behind(self, page: str) -> str:
        """The letter of the one that is drawn behind; nothing where none is."""
        return self._behind.get(page, "")

    def free(self, page: str) -> str:
        """The next letter; nothing where all are taken."""
        return next((letter for letter in LETTERS if letter not in self._scenarios.get(page, {})), "")

    def keep(self, scenario: Scenario, title: str) -> str:
        """Keep one more; its letter, or nothing where there is no room. The first one is drawn behind at once."""
        letter = self.free(scenario.page)
        if letter:
            self.put(letter, scenario, title)
            self._behind.setdefault(scenario.page, letter)
        return letter

    def called(self, page: str, letter: str) -> str:
        """What a person called it; empty where nobody did."""
        return self._names.get((page, letter), "")

    def call(self, page: str, letter: str, name: str) -> None:
        """Give it a name, or take its name away."""
        if letter in self._scenarios.get(page, {}):
            self._names[page, letter] = " ".join(name.split())[:MOST_NAME]

    def move(self, page: str, letter: str, by: int) -> None:
        """Let it change places with the one before (-1) or behind (1) it: letters are the order of a presentation."""
        kept = list(self.of(page))
        if letter not in kept or not 0 <= kept.index(letter) + by < len(kept):
            return
        other, scenarios = kept[kept.index(letter) + by], self._scenarios[page]
        scenarios[letter], scenarios[other] = scenarios[other], scenarios[letter]
        for texts in (self._titles, self._names):
            texts[page, letter], texts[page, other] = texts.get((page, other), ""), texts.get((page, letter), "")
        if self.behind(page) in (letter, other):  # the same one is drawn behind, whatever it is called now
            self._behind[page] = other if self._behind[page] == letter else letter

    def put(self, letter: str, scenario: Scenario, title: str) -> None:
        """Keep under this letter."""
        self._scenarios.setdefault(scenario.page, {})[letter] = scenario
        self._titles[scenario.page, letter] = title

    def remove(self, page: str, letter: str) -> None:
        """Keep it no longer."""
        self._scenarios.get(page, {}).pop(letter, None)
        self._names.pop((page, letter), None)
        if self._behind.get(page) == letter:
            del self._behind[page]

    def draw(self, page: str, letter: str) -> None:
        """Draw this one behind, or none."""
        if letter in self._scenarios.get(page, {}):
            self._behind[page] = letter
        else:
            self._behind.pop(page, None)

    def listed(self) -> list[dict[str, Any]]:
        """All of them for the browser, which shows and keeps them."""
        return [
            {"page": page, "name": PAGES[page].title, "letter": letter, "title": self._titles[page, letter],
             "called": self.called(page, letter),
             "note": note, "query": query_of(scenario), "behind": self._behind.get(page) == letter}
            for page in PAGES
            for (letter, scenario), note in zip(self.of(page).items(), self._notes(page), strict=True)
        ]  # fmt: skip

    def _notes(self, page: str) -> list[str]:
        """By what each of a page can be told from the others."""
        kept = list(self.of(page).values())
        found = differences(kept)[:TOLD]
        return [", ".join(f"{name} {texts[place]}" for name, texts in found) for place in range(len(kept))]

    def follow(self, found: Any) -> None:
        """Keep what another window of the browser keeps now; what is drawn behind is each window's own."""
        behind = {page: query_of(self._scenarios[page][letter]) for page, letter in self._behind.items()}
        for texts in (self._scenarios, self._titles, self._names):
            texts.clear()
        self.read(found)
        self._behind = {
            page: letter
            for page, query in behind.items()
            for letter, kept in self.of(page).items()
            if query_of(kept) == query
        }

    def read(self, found: Any) -> None:
        """Take over what a browser had kept; whatever is not as `listed` gave it is left out."""
        spoilt = 0
        for one in found[: len(LETTERS) * len(PAGES)] if isinstance(found, list) else ():
            if not isinstance(one, Mapping):
                continue
            page, letter, query, title = (one.get(name) for name in ("page", "letter", "query", "title"))
            if not isinstance(page, str) or page not in PAGES or letter not in LETTERS:
                continue
            if not isinstance(query, str) or len(query) > MOST_TEXT:
                continue
            kind = PAGES[page].kind().kind
            scenario, problems = scenario_of(query, kind)
            spoilt += bool(problems) and scenario == kind.model_validate({})
            if spoilt > MOST_SPOILT:
                break
            self.put(letter, scenario, str(title)[:MOST_TITLE])
            self.call(page, letter, str(one.get("called") or ""))
            if one.get("behind") is True:
                self._behind[page] = letter


class Behind:
    """What a kept scenario draws behind a page: a second dashboard, which nobody sees, made of it.

    Parameters
    ----------
    here : the page
    kept : the scenario that is drawn behind
    letter : what it is called
    """

    def __init__(self, here: Dashboard, kept: Scenario, letter: str):
        self._here, self._kept, self._letter = here, kept, letter
        self._asked = here.alongside(kept)
        self._there = here.twin(kept if self._asked is None else self._asked)
        self._watchers = [
            (here, here.param.watch(lambda event: self._follow(), "settled")),
            (here, here.param.watch(lambda event: self._say(), "drawn")),
            (self._there, self._there.param.watch(lambda event: self._arrived(), "drawn")),
        ]
        here.compare(self._there, letter)
        self._say()

    def _follow(self) -> None:
        """The page is looked at in another way: so is what is behind."""
        asked = self._here.alongside(self._kept)
        if asked != self._asked:
            self._asked = asked
            if asked is not None:
                self._there.open(self._there.fit_if_loaded(asked))
        self._say()

    def _arrived(self) -> None:
        self._here.redraw()

    def _say(self) -> None:
        self._here.headline.versus = versus(self._here, self._there, self._kept, self._letter)

    def end(self) -> None:
        """Draw nothing behind any more."""
        for dashboard, watcher in self._watchers:
            dashboard.param.unwatch(watcher)
        self._there.stop()
        self._here.headline.versus = ""
        self._here.compare(None)


def versus(here: Dashboard, there: Dashboard, kept: Scenario, letter: str) -> str:
    """What changed against a kept scenario, and by how much, in one sentence."""
    what = changed(here.scenario, kept)
    where = f"Compared with {letter}, where {what}" if what else f"As in {letter}"
    if there.picture is None:
        told = there.headline.said.get("note", "")
        return f"{letter} cannot be drawn: {told}" if told else f"{letter} is being computed."
    now, then = here.headline.said, there.headline.said
    if not now.get("after") or not then.get("after"):
        return f"{where}: “{then.get('title', '')}”"
    if now["label"] != then["label"]:
        return f"{where}: here {now['after']} ({now['label']}), there {then['after']} ({then['label']})."
    if not what and now["after"] == then["after"]:
        return f"{where}: {now['after']}."
    return f"{where}: {now['after']} instead of {then['after']} in {letter}{_by(now['after'], then['after'])}."


def _by(now: str, then: str) -> str:
    """How much more or less, where that can be told from what is written."""
    found = difference(now, then)
    if not found or found == "the same":
        return ", the same" if found or now == then else ""
    return f", {found[1:]} {'less' if found.startswith(MINUS) else 'more'}"


class Comparison:
    """The comparison of one visitor.

    Parameters
    ----------
    changed : called when what is kept, or what is drawn behind, has changed
    """

    def __init__(self, changed: Callable[[], None]):
        self.kept = Kept()
        self._changed = changed
        # By page, what X brought from among those that are kept: how it stands on the page, and what it was called.
        self._brought: dict[str, tuple[Scenario, str]] = {}
        self._behind: tuple[Dashboard, Scenario, str] | None = None
        self._drawn: Behind | None = None
        self.presenting = False  # then what stands is not drawn behind itself

    def show(self, dashboard: Dashboard) -> None:
        """This page is in view: draw behind it what is kept of it, and nothing behind the others."""
        letter, kept = self.kept.behind(dashboard.page), self.kept.of(dashboard.page)
        if self.presenting and letter and dashboard.scenario == kept[letter]:
            letter = ""
        wanted = (dashboard, kept[letter], letter) if letter else None
        if wanted != self._behind:
            if self._drawn is not None:
                self._drawn.end()
            self._behind, self._drawn = wanted, None if wanted is None else Behind(*wanted)
        self._changed()

    def keep(self, dashboard: Dashboard) -> str:
        """Keep what stands; the letter, or nothing where there is no room."""
        letter = self.kept.keep(dashboard.settled, dashboard.info)
        self.show(dashboard)
        return letter

    def swap(self, dashboard: Dashboard) -> None:
        """What stands and what is drawn behind change places."""
        letter = self.kept.behind(dashboard.page)
        if not letter:
            return
        page, here = dashboard.page, dashboard.settled
        there, name = self.kept.of(page)[letter], self.kept.called(page, letter)
        shown = dashboard.alongside(there) or there  # looked at as before
        brought, before = self._brought.get(page, (None, ""))
        self.kept.put(letter, here, dashboard.info)
        self.kept.call(page, letter, before if here == brought else "")  # a name is that of a scenario
        self._brought[page] = shown, name
        dashboard.open(shown)
        self.show(dashboard)

    def stop(self) -> None:
        """The visitor has gone."""
        if self._drawn is not None:
            self._drawn.end()
