"""Presenting: what is walked through, that everything comes back as it was, and type for the back row."""

import re

import pytest

from tests import axe
from tests.app.pages import SIZES, verdict, wait_until
from tests.messages import tell
from tests.waiting import LONG, expect
from trustscope.app.page import Frame
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.link import query_of
from trustscope.scenarios.trust.scenario import TrustScenario

IRIS = TrustScenario().replace({"data.name": "iris"})
PATIENTS = CategoriesScenario(seed=7)


@pytest.fixture
def frame():
    """A visitor on the Trust page who has kept two scenarios of it and one of Categories."""
    frame = Frame(query_of(IRIS))
    here = frame.dashboard.settled
    kept = [here.replace({"settings.scheme": scheme}) for scheme in ("nested", "proportional")]
    for scenario in (*kept, PATIENTS):
        frame.comparison.kept.keep(scenario, "title")
    return frame


def ask(frame, kind, number=None):
    tell(frame.bar, {"kind": kind} | ({} if number is None else {"number": number}))


def test_what_stands_and_then_what_is_kept_is_walked_through(frame):
    ask(frame, "present")
    assert frame.bar.presenting["titles"] == ["Now · Trust", "A · Trust", "B · Trust", "A · Categories"]
    ask(frame, "walk", 1)
    assert frame.dashboard.scenario.settings.scheme == "nested"
    ask(frame, "walk", 3)
    assert (frame.bar.page, frame.bar.presenting["place"]) == ("Categories", 3)
    for beyond in (4, -1, 99):
        ask(frame, "walk", beyond)
    assert frame.bar.presenting["place"] == 3


def test_what_is_kept_is_drawn_behind_all_but_itself(frame):
    ask(frame, "present")
    assert re.match(r"Compared with A, .* instead of .* (less|more|same)\.", frame.dashboard.headline.versus)
    ask(frame, "walk", 1)
    assert frame.dashboard.headline.versus == ""
    ask(frame, "toggle", 1)  # now it is another one than A
    assert frame.dashboard.headline.versus.startswith("Compared with A")
    ask(frame, "walk", 2)
    assert frame.dashboard.headline.versus.startswith("Compared with A")


def test_steps_have_names_and_another_order(frame):
    kept = frame.comparison.kept
    tell(frame.bar, {"kind": "call", "page": "trust", "letter": "B", "name": "  One\n noise "})
    tell(frame.bar, {"kind": "move", "page": "trust", "letter": "B", "by": -1})
    assert kept.of("trust")["A"].settings.scheme == "proportional"
    assert kept.behind("trust") == "B"  # the same scenario as before
    ask(frame, "present")
    assert frame.bar.presenting["titles"] == ["Now · Trust", "A · One noise", "B · Trust", "A · Categories"]
    for letter, by in (("A", -1), ("B", 1), ("C", -1), ("B", 5)):  # beyond the ends there is nothing
        tell(frame.bar, {"kind": "move", "page": "trust", "letter": letter, "by": by})
    assert kept.of("trust")["A"].settings.scheme == "proportional"
    again = Frame(query_of(IRIS)).comparison.kept
    again.read(kept.listed())
    assert again.listed() == kept.listed()


def test_a_speaker_reads_the_verdict_and_why(frame):
    ask(frame, "present")
    said = frame.dashboard.headline.said
    assert frame.bar.presenting["notes"] == [said["title"], said["note"], said["why"]]
    ask(frame, "toggle", 1)
    assert frame.bar.presenting["notes"][0] == frame.dashboard.headline.said["title"]


def test_ending_brings_back_everything_as_it_was(frame):
    before = frame.dashboard.settled
    address, undo = frame.address.query, frame.bar.can_undo
    frame.comparison.show(frame.dashboard)
    versus = frame.dashboard.headline.versus
    ask(frame, "present")
    ask(frame, "toggle", 2)
    assert frame.dashboard.scenario != before
    ask(frame, "walk", 1)
    ask(frame, "walk", 3)
    assert frame.address.query == address
    ask(frame, "present-end")
    assert frame.bar.presenting == {}
    assert (frame.bar.page, frame.dashboard.settled, frame.address.query) == ("Trust", before, address)
    assert frame.bar.can_undo == undo
    assert frame.dashboard.headline.versus == versus != ""
    assert list(frame.dashboards) == ["trust"]  # the other one was only shown
    frame.bar.page = "Categories"
    assert frame.dashboard.settled.seed == CategoriesScenario().seed
    ask(frame, "present-end")  # once more does nothing
    assert frame.bar.page == "Categories"


def test_a_page_that_was_visited_before_comes_back_too(frame):
    frame.bar.page = "Categories"
    frame.dashboard.controls.change(frame.dashboard.scenario.replace({"seed": 3}))
    other = frame.dashboard.settled
    frame.bar.page = "Trust"
    ask(frame, "present")
    ask(frame, "walk", 3)
    assert frame.dashboards["categories"].scenario != other
    ask(frame, "present-end")
    assert frame.dashboards["categories"].settled == other


def test_what_stands_is_not_shown_twice(frame):
    frame.dashboard.open(frame.comparison.kept.of("trust")["B"])
    ask(frame, "present")
    assert frame.bar.presenting["titles"] == ["B · Trust", "A · Trust", "A · Categories"]


def test_number_keys_toggle_recipients(frame):
    ask(frame, "present")
    before = [member for *_, member in frame.bar.presenting["recipients"]]
    for number in (1, 3, 9, 0):  # the last two are nobody's
        ask(frame, "toggle", number)
    after = [member for *_, member in frame.bar.presenting["recipients"]]
    assert [place for place, pair in enumerate(zip(before, after, strict=True), 1) if pair[0] != pair[1]] == [1, 3]
    assert [one.member for one in frame.dashboard.scenario.settings.recipients] == after


def test_a_teachers_link_without_recipients_lets_nobody_toggle_them():
    frame = Frame(f"{query_of(IRIS)}&show=pooling.noise")
    before = frame.dashboard.scenario
    ask(frame, "present")
    ask(frame, "toggle", 1)
    assert (frame.bar.presenting["recipients"], frame.dashboard.scenario) == ([], before)


def test_what_a_browser_made_up_is_left_out(frame):
    ask(frame, "walk", 1)  # nothing is presented yet
    ask(frame, "toggle", 1)
    assert frame.dashboard.settled == frame.dashboard.scenario
    ask(frame, "present")
    for number in ("1", None, [], 1.5):
        ask(frame, "walk", number)
        ask(frame, "toggle", number)
    assert frame.bar.presenting["place"] == 0


# In a browser

AXES = """() => ["axis-label", "major-label"].map((name) =>
  parseFloat(getComputedStyle(document.documentElement).getPropertyValue(`--bk-${name}-text-font-size`)))"""
SMALL = 24  # pixels on a screen that is 1280 wide or wider; with fewer, each of them is larger on the wall


def present(page):
    """Begin, and wait until the server knows."""
    page.keyboard.press("p")
    return expect(page.get_by_role("region", name="Presenting").get_by_role("button", name="End")).to_be_visible()


WHOLE = """() => {
  const inside = (node) => [...(node.shadowRoot?.children ?? []), ...node.children].flatMap((child) =>
    child.matches(".ts-card") && child.offsetHeight ? [child] : inside(child))
  const cards = inside(document.getElementById("ts-main"))
  const edge = document.querySelector(".ts-present").getBoundingClientRect().top
  return cards.length > 1 && cards.every((card) => card.getBoundingClientRect().bottom <= edge + 1)
}"""


def shown_whole(page):
    """Wait until no card reaches below the edge of the screen, or below the buttons."""
    wait_until(page, WHOLE)


@pytest.mark.browser
@pytest.mark.sweep
@pytest.mark.parametrize("name", ["trust", "categories", "rotation"])
@pytest.mark.parametrize("size", [(1024, 768), (1920, 1080), (1280, 720)])
def test_type_is_large_enough_for_the_back_row(go_to, size, name):
    small = SMALL * min(1, size[0] / 1280)
    page = go_to(f"?page={name}", size=size, dark=name == "categories")
    present(page)
    wait_until(page, "() => document.documentElement.style.getPropertyValue('--ts-tall')")
    expect(page.get_by_role("button", name="Compare")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    texts = page.evaluate(SIZES)
    assert len(texts) > 8
    assert [text for text in texts if text[0] < small] == []
    assert min(page.evaluate(AXES)) >= small
    shown_whole(page)
    if name == "trust" and size == (1024, 768):  # what is pressed is smallest here
        assert not axe.violations(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Compare")).to_be_visible()


@pytest.mark.browser
def test_keys_walk_and_escape_restores(go_to):
    page = go_to(f"?{query_of(IRIS)}", size=(1280, 720))
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("button", name="Keep as A").click()
    expect(page.get_by_role("button", name="Keep as B")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="nested", exact=True).press("Space")
    expect(page.get_by_role("radio", name="nested", exact=True)).to_be_checked()
    kept = page.get_by_text(re.compile("Compared with A, where noise"))
    expect(kept).to_be_visible(timeout=LONG)
    expect(verdict(page)).to_contain_text("gain nothing")
    before, said = page.url, verdict(page).inner_text()
    page.get_by_role("button", name="Present (P)").click()
    panel = page.get_by_role("region", name="Presenting")
    expect(panel.get_by_text("Now · Trust (1 of 2)")).to_be_visible()
    expect(
        panel.get_by_text("← → kept scenarios, 1–6 recipients, S speaker's window, L light, Esc ends")
    ).to_be_attached()
    less = page.get_by_text(re.compile(r"in A, \d+ points less\."))
    expect(less).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(panel.get_by_text("A · Trust (2 of 2)")).to_be_visible()
    expect(less).to_be_hidden()  # what stands is A itself
    expect(panel.get_by_text("Esc ends")).to_have_count(0)  # told once, where there is room for it
    expect(page.locator("html.ts-changing")).to_have_count(0)
    expect(page.locator("main")).to_have_css("opacity", "1")
    expect(panel.get_by_role("button", name="Next")).to_be_disabled()
    page.keyboard.press("2")
    expect(panel.get_by_role("button", name="University")).to_have_attribute("aria-pressed", "false")
    # The speaker's window follows, and so does the light.
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    speaker = opened.value
    expect(speaker.get_by_text("A · Trust (2 of 2)")).to_be_visible()
    expect(speaker.get_by_text("This is the last one.")).to_be_visible()
    expect(speaker.get_by_text(re.compile(r"^0:\d\d since it began"))).to_be_visible()
    page.mouse.move(600, 300)
    expect(page.locator(".ts-spot")).to_be_visible()
    page.keyboard.press("l")
    expect(page.locator(".ts-spot")).to_be_hidden()
    panel.get_by_role("button", name="Previous").press("Enter")  # the buttons wait for the pointer to move
    expect(panel.get_by_text("Now · Trust (1 of 2)")).to_be_visible()
    expect(speaker.get_by_text("Next: A · Trust")).to_be_visible()
    page.keyboard.press("Escape")
    wait_until(page, "() => true")
    assert speaker.is_closed()
    expect(panel).to_have_count(0)
    expect(page.get_by_role("button", name="Present (P)")).to_be_focused()
    expect(page.get_by_role("radio", name="nested", exact=True)).to_be_checked()
    expect(kept).to_be_visible(timeout=LONG)
    expect(verdict(page)).to_have_text(re.compile(re.escape(said.splitlines()[0])))
    assert page.url == before
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("button", name=re.compile("^Remove A of")).click()  # the next test finds nothing kept
    expect(kept).to_be_hidden()


@pytest.mark.browser
def test_typing_a_p_presents_nothing_and_calm_people_see_no_fade(go_to):
    page = go_to(f"?{query_of(IRIS)}")
    page.get_by_role("textbox", name="Name of Ministry").or_(page.locator(".who")).first.press("p")
    expect(page.get_by_role("region", name="Presenting")).to_have_count(0)
    page.emulate_media(reduced_motion="reduce")
    page.locator("main").focus()
    present(page)
    slow = "() => getComputedStyle(document.documentElement).getPropertyValue('--ts-slow')"
    assert page.evaluate(slow) == "0s"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(slow) == ".4s"
    page.keyboard.press("p")
    expect(page.get_by_role("region", name="Presenting")).to_have_count(0)
