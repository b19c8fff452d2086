"""Presenting from a lesson: arrow keys walk through its steps, and Escape comes back to the step as it was."""

import re

import pytest

from tests.app.test_presenting import SIZES, SMALL, ask, present
from tests.waiting import expect
from trustscope.app.page import Frame
from trustscope.lessons.place import LearnScenario
from trustscope.lessons.reader import find
from trustscope.scenarios.link import query_of


def link(lesson, step=1):
    return query_of(LearnScenario().replace({"view.lesson": lesson, "view.step": step}))


@pytest.fixture
def frame():
    """A visitor at the third step of the first lesson, who has kept a scenario of another page."""
    frame = Frame(link("two-copies", 3))
    frame.comparison.kept.keep(Frame("page=categories").dashboard.settled, "title")
    return frame


def members(frame):
    return [one.member for one in frame.dashboard.player.dashboard.scenario.settings.recipients]


def test_the_steps_are_walked_through_from_the_one_that_stands(frame):
    lesson = find("two-copies")
    ask(frame, "present")
    told = frame.bar.presenting
    assert told["titles"] == [step.title for step in lesson.steps]
    assert (told["place"], told["walked"]) == (2, "steps of the lesson")
    for place in (3, 4, 5, 0):
        ask(frame, "walk", place)
        assert frame.bar.presenting["place"] == frame.dashboard.player.place == place
    ask(frame, "walk", len(lesson.steps))  # beyond the end there is nothing
    assert frame.bar.presenting["place"] == 0


def test_escape_comes_back_to_the_step(frame):
    address, undo = frame.address.query, frame.bar.can_undo
    ask(frame, "present")
    for place in (3, 4, 5):
        ask(frame, "walk", place)
        assert frame.address.query == address
    ask(frame, "present-end")
    assert frame.bar.presenting == {}
    assert (frame.dashboard.player.step, frame.address.query, frame.bar.can_undo) == (3, address, undo)
    assert frame.dashboard.progress["two-copies"]["step"] == 3


def test_number_keys_toggle_the_recipients_of_the_step(frame):
    before = members(frame)
    ask(frame, "present")
    assert [name for name, *_ in frame.bar.presenting["recipients"]] == ["Ministry", "University"]
    ask(frame, "toggle", 2)
    assert members(frame) == [before[0], not before[1]]
    assert [member for *_, member in frame.bar.presenting["recipients"]] == members(frame)
    ask(frame, "walk", 3)  # a step that shows nothing of a page has nobody to toggle
    assert frame.bar.presenting["recipients"] == []
    ask(frame, "present-end")
    assert members(frame) == before


def test_what_was_tried_is_still_there_afterwards():
    frame = Frame(link("two-copies", 6))
    inside = frame.dashboard.player.dashboard
    who = tuple(one.replace({"trust": 12}) for one in inside.scenario.settings.recipients)
    inside.controls.change(inside.scenario.replace({"settings.recipients": who}))
    assert frame.dashboard.player.done
    ask(frame, "present")
    ask(frame, "walk", 1)
    ask(frame, "present-end")
    assert [one.trust for one in frame.dashboard.player.dashboard.scenario.settings.recipients] == [12, 12]
    assert frame.dashboard.player.done


def test_free_play_and_the_home_walk_through_what_was_kept(frame):
    frame.dashboard.player.free = True
    ask(frame, "present")
    assert frame.bar.presenting["titles"] == ["Now · Learn", "A · Categories"]
    assert frame.bar.presenting["walked"] == "kept scenarios"
    ask(frame, "walk", 1)
    assert frame.bar.page == "Categories"
    ask(frame, "present-end")
    assert frame.bar.page == "Learn"
    assert frame.dashboard.player.free
    home = Frame("")
    ask(home, "present")
    assert home.bar.presenting["titles"] == ["Now · Learn"]
    assert home.bar.presenting["recipients"] == []


@pytest.mark.browser
def test_arrow_keys_walk_through_a_lesson(go_to):
    page = go_to(f"?{link('two-copies', 3)}", size=(1280, 720))
    address = page.url
    page.get_by_role("heading", name="The belief gets narrower").wait_for()
    panel = page.get_by_role("region", name="Presenting")
    present(page)
    expect(panel.get_by_text("The belief gets narrower (3 of 6)")).to_be_visible()
    expect(
        panel.get_by_text("← → steps of the lesson, 1–2 recipients, S speaker's window, L light, Esc ends")
    ).to_be_attached()
    sheet = page.get_by_role("region", name="Lesson")
    for name in ("All lessons", "Free play", "Next", "Back"):
        expect(sheet.get_by_role("button", name=name)).to_be_hidden()
    # The change is faded, and what comes is faded in again.
    page.evaluate("""() => { window.faded = 0; new MutationObserver(() => { faded += document.documentElement
      .classList.contains("ts-changing") }).observe(document.documentElement, {attributeFilter: ["class"]}) }""")
    page.keyboard.press("ArrowRight")
    expect(panel.get_by_text("And if more of them pool? (4 of 6)")).to_be_visible()
    expect(page.locator("html.ts-changing")).to_have_count(0)
    assert page.evaluate("faded") > 0
    expect(sheet.get_by_role("img", name=re.compile("guessed within 5 years"))).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("faded = 0")
    page.keyboard.press("ArrowRight")
    expect(panel.get_by_text("Every further copy helps (5 of 6)")).to_be_visible()
    assert page.evaluate("faded") == 0, "calm people see no fade"
    page.emulate_media(reduced_motion="no-preference")
    expect(page.get_by_role("heading", name="One person")).to_be_visible()
    assert [text for text in page.evaluate(SIZES) if text[0] < SMALL] == []
    page.keyboard.press("End")
    expect(panel.get_by_text("Your turn (6 of 6)")).to_be_visible()
    expect(page.get_by_role("textbox", name="Trust in Ministry, typed")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(sheet.get_by_text("Step 3 of 6")).to_be_visible()
    expect(sheet.get_by_role("button", name="Next")).to_be_visible()
    assert page.url == address
