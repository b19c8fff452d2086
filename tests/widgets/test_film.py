"""The film where the app opens: when it moves, and when it rests."""

import pytest

from tests.waiting import expect
from tests.widgets.conftest import START
from trustscope.widgets.esm import module

pytestmark = pytest.mark.browser

CURVES = [[0, 1, 2, 1, 0], [0, 1, 4, 1, 0], [0, 1, 9, 1, 0]]
FILM = {
    "scenes": [{"title": "Leaks", "tone": "leak", "curves": CURVES, "spreads": ["± 9", "± 5", "± 1"]}],
    "truth": 2, "places": [0, 1, 2, 3, 4], "recipients": [["A", "red"], ["B", "blue"], ["C", "green"]], "unit": "years",
}  # fmt: skip
ROUND = 2 * (1_500 + 700) + 2_600  # milliseconds

# Notes every change of the drawing from now on.
NOTES = """() => {
  window.changes = 0
  new MutationObserver((list) => { changes += list.length }).observe(
    document.querySelector(".belief-area"), {attributes: true})
}"""
# Shows or hides the picture as the app does with a page, and waits until the browser has told everybody who watches it.
SEEN = """(seen) => new Promise((told) => {
  const picture = document.querySelector("figure")
  Object.assign(picture.parentElement.style, seen
    ? {contentVisibility: "", height: ""} : {contentVisibility: "hidden", height: "0"})
  const watcher = new IntersectionObserver(() => { watcher.disconnect(); told() })
  watcher.observe(picture)
})"""
# Hides or shows the whole tab, as far as a script can see.
TAB = """(hidden) => {
  Object.defineProperty(document, "hidden", {value: hidden, configurable: true})
  document.dispatchEvent(new Event("visibilitychange"))
}"""


@pytest.fixture
def page(browser):
    """The film alone, with a clock that the test moves; it has just begun."""
    context = browser.new_context()
    page = context.new_page()
    page.clock.install()
    page.goto("about:blank")
    nothing = {"film": {}, "caption": "", "summary_text": ""}
    page.evaluate(START, [module("flow.js", "svg.js", "film.js"), nothing, "", "600px"])
    page.evaluate(SEEN, True)
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 60"))  # in seconds
    page.evaluate("(film) => { model.film = film; model.fire('film') }", FILM)
    page.evaluate(NOTES)
    yield page
    context.close()


def changes(page, milliseconds):
    """How often the drawing changes in this time."""
    before = page.evaluate("changes")
    page.clock.run_for(milliseconds)
    return page.evaluate("changes") - before


def test_nothing_is_drawn_while_it_stands(page):
    expect(page.locator(".spread")).to_have_text("± 9 years")
    assert changes(page, 1_000) <= 1
    assert changes(page, 1_300) > 20  # it has moved on
    expect(page.locator(".spread")).to_have_text("± 5 years")


def test_it_waits_while_it_is_not_seen_and_goes_on_then(page):
    page.clock.run_for(2_300)
    page.evaluate(SEEN, False)
    assert changes(page, 3 * ROUND) == 0
    page.evaluate(SEEN, True)
    expect(page.locator(".spread")).to_have_text("± 5 years")
    assert changes(page, 2_300) > 20
    expect(page.locator(".spread")).to_have_text("± 1 years")


def test_it_waits_while_its_tab_is_hidden(page):
    page.clock.run_for(1_000)
    page.evaluate(TAB, True)
    assert changes(page, 3 * ROUND) == 0
    page.evaluate(TAB, False)
    expect(page.locator(".spread")).to_have_text("± 9 years")
    assert changes(page, 2_300) > 20
    expect(page.locator(".spread")).to_have_text("± 5 years")


def test_whoever_wants_no_motion_sees_its_end(page):
    page.emulate_media(reduced_motion="reduce")
    expect(page.locator(".spread")).to_have_text("± 1 years")
    expect(page.locator("button")).to_be_hidden()
    assert changes(page, ROUND) == 0
    page.emulate_media(reduced_motion="no-preference")
    expect(page.locator("button")).to_be_visible()
    assert changes(page, ROUND) > 20


def test_it_ends_with_its_page(page):
    page.evaluate("model.fire('remove')")
    page.evaluate(TAB, False)
    assert changes(page, ROUND) == 0


def test_another_film_begins_anew(page):
    page.clock.run_for(3 * ROUND + 500)
    page.evaluate("model.film = {...model.film, unit: 'days'}; model.fire('film')")
    page.evaluate(NOTES)
    expect(page.locator(".spread")).to_have_text("± 9 days")
    assert changes(page, 2_300) > 20
    page.get_by_role("button", name="Pause").click()  # whoever has paused one film is not shown the next one moving
    page.evaluate("model.film = {...model.film, unit: 'weeks'}; model.fire('film')")
    page.evaluate(NOTES)
    assert changes(page, ROUND) == 0
    page.get_by_role("button", name="Play", exact=True).click()
    assert changes(page, 2_300) > 20


def test_time_for_which_a_picture_stood_is_not_lost_when_the_film_is_held(page):
    button = page.get_by_role("button")
    for _ in range(3):
        page.clock.run_for(600)
        button.click()
        page.clock.run_for(5_000)
        button.click()
    page.clock.run_for(500)  # 1 800 milliseconds have been shown, and 500 more: the first copy stands for 1 500
    expect(page.locator(".spread")).to_have_text("± 5 years")


def test_it_rests_at_its_end_after_three_rounds(page):
    assert changes(page, 3 * ROUND + 500) > 3 * 2 * 20
    button = page.get_by_role("button")
    expect(button).to_have_text("Play again")
    expect(page.locator(".spread")).to_have_text("± 1 years")
    assert changes(page, 3 * ROUND) == 0
    page.evaluate(SEEN, False)  # coming back to it does not set it going
    page.evaluate(SEEN, True)
    page.clock.run_for(500)
    expect(page.locator(".spread")).to_have_text("± 1 years")
    button.click()
    page.clock.run_for(100)
    expect(button).to_have_text("Pause")
    expect(page.locator(".spread")).to_have_text("± 9 years")
    button.click()
    expect(button).to_have_text("Play")
    assert changes(page, 3 * ROUND) == 0
    button.click()
    assert changes(page, 2_300) > 20
