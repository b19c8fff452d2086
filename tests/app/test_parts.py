"""The parts of every page: each card can be taken along, and a teacher's link leaves out what it does not name."""

import csv
import io
import re

import pytest

from tests.app.test_compare import SMALL, page_of
from tests.messages import tell
from trustscope.app.page import Frame
from trustscope.app.pages import PAGES
from trustscope.app.parts import CARD, CONTROLS, Shown
from trustscope.app.rotation.stage import PLANS
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.release.scenario import ReleaseScenario
from trustscope.widgets.controls.download import as_csv
from trustscope.widgets.frame.card import Card

SCENARIOS = SMALL | {
    "papers": PapersScenario().opening("li/example"),
    "release": ReleaseScenario().replace({"data.name": "iris"}),
}
# Cards that hold a text to copy, a button for a file, or something to do.
WITHOUT = {"In a notebook", "Report", "Rules", "New rows", "A found file", "The key"}
# Cards that stay empty until something is asked for: here no copy is out and none is considered.
ON_REQUEST = {"What a classifier still learns", "Check", "Copies that are out", "What the strongest attacker gets",
              "What every coalition holds", "Who holds what"}  # fmt: skip


def walked(page):
    """The page with everything opened that there is to look at."""
    here = page_of(SCENARIOS[page])
    if page == "rotation":
        for story, plan in PLANS.items():
            for part in (*plan.closer, *plan.experts):
                here.controls.change(here.scenario.replace({"view.story": story, "view.closer": part.key}))
    elif page != "papers":
        for key in (*here.closers, *here.experts):
            here.controls.change(here.scenario.replace({"view.closer": key}))
    return here


def cards_of(here):
    for view in here.views().values():
        for one in vars(view).values():
            if isinstance(one, Card):
                yield one


def taken_along(here):
    """Whether every card of a page can be taken along."""
    seen = 0
    for card in cards_of(here):
        title = re.sub("<.*?>", "", card.title_pane.object)
        if title in WITHOUT:
            assert card.download is None
            continue
        download = card.download
        rows = list(csv.reader(io.StringIO(as_csv(download.of.table()).removeprefix("\ufeff"))))
        if title not in ON_REQUEST:
            assert len(rows) > 1, title
            assert download.visible, title
            assert download.drawn, title
        assert all(len(row) == len(rows[0]) for row in rows), title
        assert download.file
        seen += 1
    return seen >= 3


@pytest.mark.parametrize("page", ["papers", "release"])
def test_every_card_can_be_taken_along(page):
    """Of the other pages as well, where they are walked through anyway: `tests/plots/test_cards.py`."""
    here = walked(page)
    assert taken_along(here)
    here.stop()


@pytest.mark.parametrize("page", SCENARIOS)
def test_parts_have_names_that_an_address_can_hold(page):
    parts = PAGES[page].kind().parts()
    keys = [part.key for part in parts]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch("[a-z_]{1,24}", key) for key in keys)
    assert Shown.of(Shown(keys).link(f"page={page}")).keys == frozenset(keys)
    assert {CARD, CONTROLS} <= {part.kind for part in parts}


def laid_out(here):
    """All that reaches the browser."""
    return {id(one) for place in (here.sidebar, here.main) for one in place.select()}


@pytest.mark.parametrize("page", SCENARIOS)
def test_what_is_not_named_is_not_there(page):
    kind, scenario = PAGES[page].kind(), SCENARIOS[page]
    whole = kind(scenario)
    groups = list(whole.controls.groups)
    for shown in (Shown([]), Shown(groups[:1]), Shown(["findings", "everyone", "accuracy", "copies", "plots"])):
        here = kind(scenario, shown=shown)
        assert here.picture is not None
        there = laid_out(here)
        for key, views in here.controls.groups.items():
            assert all((id(one) in there) == (key in shown) for one in views), key
        for part in kind.parts():
            if part.kind == CARD and part.key not in shown and hasattr(here, "closer"):
                assert part.key not in here.closer.keys
                assert part.key not in here.views()
        for key, card in zip(kind.pictures, list(cards_of(here))[:2], strict=False):
            if page not in ("papers", "rotation"):
                assert (id(card.__panel__()) in there) == (key in shown)
        here.stop()
    whole.stop()


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("page=trust", None), ("page=trust&show=", set()), ("show=none", set()),
        ("show=person.noise", {"person", "noise"}),
        ("show=person&show=data", {"person"}), ("show=<b>.__proto__..data", {"__proto__", "data"}), ("show=*", set()),
        ("show=" + "a." * 100_000, {"a"}), ("show=person" + "&" * 100 + "show=data", {"person"}),
        ("page=" + "&" * 100 + "show=data", None),
    ],
)  # fmt: skip
def test_what_an_address_names(query, keys):
    assert Shown.of(query).keys == (None if keys is None else frozenset(keys))


def open_file(frame, text):
    tell(frame.bar, {"kind": "open", "name": "x.json", "text": text})


def test_no_file_page_or_address_brings_back_what_is_hidden():
    frame = Frame("page=categories&show=person.recipients")
    assert frame.bar.pages == ["Categories"]
    assert (frame.bar.parts, frame.bar.offered, frame.bar.comparable) == ([], [], False)
    open_file(frame, '{"trustscope": 1, "page": "trust"}')
    assert frame.bar.said == ["This link shows one page and no other: nothing was opened."]
    frame.dashboard.wanted = ("release", {})
    assert list(frame.dashboards) == ["categories"]
    open_file(frame, '{"trustscope": 1, "page": "categories", "view": {"closer": "evidence"}}')
    assert frame.dashboard.closer.opened == ""
    assert frame.dashboard.settled.view.closer == "evidence"
    tell(frame.address, {"query": "page=categories&v=1"})  # Back to an address that names no parts
    assert frame.dashboard.shown is frame.shown
    assert frame.address.query.endswith("&show=person.recipients")
    tell(frame.bar, {"kind": "keep"})
    tell(frame.bar, {"kind": "take", "what": "report"})
    assert (frame.bar.kept, frame.bar.file) == ([], {})
    tell(frame.bar, {"kind": "page", "page": "Trust"})
    assert frame.bar.page == "Categories"


def test_what_was_opened_is_an_entry_of_the_history():
    frame = Frame("page=categories")
    pushed = frame.address.pushes
    open_file(frame, '{"trustscope": 1, "page": "categories", "settings": {"scheme": "nested"}}')
    assert frame.address.pushes == pushed + 1
    open_file(frame, '{"trustscope": 1, "page": "categories", "data": {"name": "adult", "column": "sex"}}')
    assert frame.address.pushes == pushed + 2
    frame.dashboard.controls.change(frame.dashboard.scenario.replace({"settings.scheme": "nested"}))
    assert frame.address.pushes == pushed + 2  # a change by hand is not
