"""Lessons in a browser: one walked as a learner would; all their parts on a phone. `test_lessons_by_keyboard.py` has
their questions by keyboard."""

import re

import pytest

from tests.app.pages import verdict
from tests.waiting import expect
from trustscope.lessons.place import LearnScenario
from trustscope.lessons.reader import shelf
from trustscope.scenarios.link import query_of

pytestmark = pytest.mark.browser


def link(lesson, step=1):
    return "?" + query_of(LearnScenario().replace({"view.lesson": lesson, "view.step": step}))


def sheet(page):
    return page.get_by_role("region", name="Lesson")


def at(page, number):
    """Wait until this step stands, its title and what it shows."""
    expect(sheet(page).get_by_text(re.compile(f"^Step {number} of "))).to_be_visible()


def go(page, name="Next"):
    sheet(page).get_by_role("button", name=name, exact=True).click()


def test_a_newcomer_walks_the_first_lesson(open_page):
    """Home, a wrong choice, a curve drawn with the pointer, a goal reached, finished; and it is remembered."""
    page = open_page("")
    expect(page.get_by_role("heading", level=1)).to_contain_text("copies are pooled")
    expect(page.get_by_role("complementary", name="Controls")).to_be_hidden()
    page.get_by_role("button", name=re.compile("Two copies are more than one")).click()
    at(page, 1)
    expect(page.get_by_role("heading", name="One person")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_count(0)  # only what the step names is there
    expect(verdict(page)).to_have_count(0)
    go(page)
    at(page, 2)
    page.get_by_role("radio", name=re.compile("^As much as one of them")).check()
    go(page, "See what happens")
    at(page, 3)
    expect(sheet(page).get_by_text("correct", exact=False)).to_be_visible()
    expect(sheet(page).get_by_role("status")).to_contain_text("cancels part of the noise, but not all")
    expect(verdict(page)).to_contain_text("38")
    go(page)
    at(page, 4)
    plot = sheet(page).get_by_role("img")
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 150)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 60, steps=12)
    page.mouse.up()
    go(page, "See what happens")
    at(page, 5)
    expect(sheet(page).locator(".true-line")).to_be_visible()
    expect(sheet(page).locator(".yours")).to_be_visible()
    go(page)
    at(page, 6)
    expect(sheet(page).get_by_role("status")).to_contain_text("far noisier")
    for name in ("Ministry", "University"):
        typed = page.get_by_role("textbox", name=f"Trust in {name}, typed")
        typed.fill("15")
        typed.press("Enter")
    expect(sheet(page).get_by_role("status")).to_contain_text("There.")
    page.reload()
    at(page, 6)
    go(page, "Finish")
    expect(page.get_by_role("heading", name="What you learnt")).to_be_visible()
    expect(sheet(page).get_by_text("As much as one of them: both copies are equally bad")).to_be_visible()
    expect(sheet(page).get_by_role("button", name="Next lesson: Noise that hides together")).to_be_visible()
    go(page, "← All lessons")
    expect(page.get_by_text(f"1 of {len(shelf())} finished")).to_be_visible()


def test_free_play_and_back(go_to):
    page = go_to(link("nested-noise", 6))
    expect(page.get_by_role("radio", name="nested")).to_be_visible()
    expect(page.get_by_role("button", name="change Data", exact=True)).to_have_count(0)
    go(page, "Free play")
    expect(page.get_by_role("button", name="change Data", exact=True)).to_be_visible()
    expect(page.get_by_role("tab", name="Every coalition")).to_be_visible()
    go(page, "Back to the lesson")
    expect(page.get_by_role("button", name="change Data", exact=True)).to_have_count(0)
    page.get_by_role("radio", name="nested", exact=True).check(force=True)
    expect(sheet(page).get_by_role("status")).to_contain_text("one random path")


def steps_of_every_kind():
    """Lesson, number and step wherever something stands that stood in no step before: a card or a control of a page, a
    way to ask, a kind of step."""
    known = set()
    for lesson in shelf():
        for number, step in enumerate(lesson.steps, 1):
            asked = [step.kind, *([type(step.question)] if step.kind == "predict" else [])]
            parts = {*asked, *((lesson.page, part) for part in (*step.cards, *step.controls))}
            if parts - known:
                known |= parts
                yield lesson, number, step


def test_every_page_that_lessons_show_is_among_the_steps_of_every_kind():
    assert {lesson.page for lesson, _, _ in steps_of_every_kind()} == {lesson.page for lesson in shelf()}


THIRDS = 3


@pytest.mark.sweep
@pytest.mark.parametrize("third", range(THIRDS))
def test_every_part_of_lessons_on_a_phone(go_to, third):
    """Steps with every card, control and way to ask that a lesson has: nothing is wider than the window, nothing
    complains. `test_lessons_walked.py` goes through all steps of all lessons."""
    for lesson, number, step in list(steps_of_every_kind())[third::THIRDS]:
        page = go_to(link(lesson.id, number), size=(390, 844))
        at(page, number)
        expect(page.get_by_role("heading", name=step.title)).to_be_visible()
        if "attackers" in step.cards:  # the widest table comes after the words
            table = page.get_by_role("table", name=re.compile("^Attackers"))
            expect(table.get_by_role("row").nth(2)).to_be_visible()
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), (lesson.id, number)
        if step.cards:  # a card alone takes the width of the words above it
            assert page.locator(".room > .page").bounding_box()["width"] > 350, (lesson.id, number)
