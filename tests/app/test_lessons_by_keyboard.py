"""Every kind of question answered in a browser by keyboard alone; one of them wrongly at first."""

import re

import pytest

from tests.app.test_lessons_browser import at, link, sheet
from tests.waiting import expect
from trustscope.lessons import text as texts
from trustscope.lessons.reader import find

pytestmark = pytest.mark.browser
MOST_TABS = 60


def reach(page, wanted):
    """Go to something with the Tab key."""
    for _ in range(MOST_TABS):
        if wanted.evaluate("node => node.getRootNode().activeElement === node"):
            return wanted
        page.keyboard.press("Tab")
    raise AssertionError(f"{MOST_TABS} times Tab do not reach {wanted}")


def choose(page, question, right):
    options = [option.value for option in question.options]
    wanted = options.index(question.right) if right else (options.index(question.right) + 1) % len(options)
    radios = page.get_by_role("radio")
    chosen = [radio.is_checked() for radio in radios.all()]
    start = chosen.index(True) if any(chosen) else 0  # Tab reaches the one that is chosen, or the first
    reach(page, radios.nth(start))
    page.keyboard.press("Space")
    for _ in range((wanted - start) % len(options)):
        page.keyboard.press("ArrowDown")
    expect(radios.nth(wanted)).to_be_checked()


def slide(page, question, right):
    low, high = question.truth - question.start, question.end - question.truth
    reach(page, page.get_by_role("slider", name=texts.plain_text(question.ask)))
    page.keyboard.press("Home" if (low < high) is right else "End")


def sketch(page, question, right):
    """Ten presses of PageUp go from the bottom to the top."""
    for point in question.points:
        height = (point.truth - question.y_start) / (question.y_end - question.y_start)
        reach(page, page.get_by_role("slider", name=re.compile(rf" at {point.x:g}$")))
        page.keyboard.press("Home")
        page.keyboard.press("ArrowUp")  # the lowest place is where it may stand already
        for _ in range(round(10 * (height if right else 1 - height))):
            page.keyboard.press("PageUp")


def rank(page, question, right):
    name = {item.value: texts.plain_text(item.text) for item in question.items}
    shown = page.get_by_role("listitem").all_inner_texts()
    order = sorted(name, key=lambda value: [name[value] in text for text in shown].index(True))
    wanted = list(question.order) if right else list(reversed(question.order))
    assert order != wanted, "there is something to move"
    for place, value in enumerate(wanted):
        while order.index(value) > place:
            reach(page, page.get_by_role("button", name=f"Higher: {name[value]}"))
            page.keyboard.press("Enter")
            old = order.index(value)
            order.insert(old - 1, order.pop(old))
            expect(page.get_by_role("listitem").nth(old - 1)).to_contain_text(name[value])


CASES = {
    "choice": ("diagnosis", 4, choose),
    "number": ("shortcut", 2, slide),
    "curve": ("rotation", 4, sketch),
    "ranking": ("filtered", 2, rank),
}


@pytest.mark.parametrize("kind", CASES)
def test_a_question_is_answered_by_keyboard(go_to, kind):
    id, step, answer = CASES[kind]
    question = find(id).steps[step - 1].question
    assert question.kind == kind
    page = go_to(link(id, step))
    # Whoever comes back can answer anew; `test_lessons_walked.py` answers everything rightly and wrongly.
    for right in (False, True) if kind == "choice" else (True,):
        expect(page.get_by_role("heading", name=find(id).steps[step - 1].title)).to_be_visible()
        answer(page, question, right)
        go = sheet(page).get_by_role("button", name="See what happens", exact=True)
        expect(go).to_be_visible()
        reach(page, go)
        page.keyboard.press("Enter")
        at(page, step + 1)
        said = question.said.close if right else question.said.far
        expect(sheet(page).get_by_role("status").first).to_have_text(texts.plain_text(said).strip())
        expect(page.get_by_role("heading", name=find(id).steps[step].title)).to_be_focused()
        if kind in ("number", "ranking"):
            expect(sheet(page).get_by_text("you said").first).to_be_visible()
        if kind == "ranking":
            page.keyboard.press("Tab")  # the first word that is explained
            expect(page.get_by_role("tooltip")).to_contain_text("direction")
            page.keyboard.press("Escape")
            expect(page.get_by_role("tooltip")).to_have_count(0)
        if not right:
            back = sheet(page).get_by_role("button", name="Back", exact=True)
            reach(page, back)
            page.keyboard.press("Enter")
            at(page, step)


def test_the_focus_goes_with_whoever_comes_and_goes(go_to):
    """What was pressed is gone with its page: the heading of the next one has the focus, not the document."""
    page = go_to("/?page=learn")
    one = find("two-copies")
    reach(page, page.get_by_role("button", name=re.compile(one.title)))
    page.keyboard.press("Enter")
    step = page.get_by_role("region", name="Lesson").get_by_role("heading", level=1)
    expect(step).to_be_focused()  # the first one, or where other tests in this window left it
    reach(page, sheet(page).get_by_role("button", name="All lessons"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("copies are pooled")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
