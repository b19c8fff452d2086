"""A class in browsers: a plan of two lessons under one code, from the wall to the truth over the bars and beyond."""

import re

import pytest

from tests.app.conftest import free_port
from tests.axe import violations
from tests.serving.visitors import serving
from tests.waiting import LONG, expect
from trustscope.lessons.reader import find

pytestmark = pytest.mark.browser
LESSON, SECOND = find("two-copies"), find("shortcut")
OPTIONS = [option.text for option in LESSON.steps[1].question.options]


@pytest.fixture(scope="module")
def room():
    port = free_port()
    with serving("trustscope", "class", "--no-open", "--port", str(port)) as server:
        server.link = re.search(r"is at (\S+)", server.wait_for("Trustscope is at"))[1]
        server.address = f"http://127.0.0.1:{port}"
        yield server


@pytest.fixture
def window(browser, room):
    """Opens windows that share nothing; none of them may complain."""
    contexts, complaints = [], []

    def opened(url, size, dark=False):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.on("console", lambda m: m.type in ("error", "warning") and complaints.append(m.text))
        page.on("pageerror", lambda e: complaints.append(str(e)))
        page.on("request", lambda r: r.url.startswith((room.address, "data:", "blob:")) or complaints.append(r.url))
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


def step(page, number, lesson=LESSON):
    expect(page.get_by_text(f"Step {number} of {len(lesson.steps)}", exact=True).first).to_be_visible()


def fits(page):
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_a_plan_of_two_lessons_is_taught_to_two_students_under_one_code(window, room):
    """`tests/serving/test_class.py` has those who come late or again, without a browser."""
    teacher = window(room.link, (1440, 900))
    for lesson in (LESSON, SECOND):
        teacher.get_by_role("checkbox", name=f"Teach “{lesson.title}”").check()
    teacher.get_by_role("button", name="Teach these 2 lessons").click()
    join = teacher.get_by_role("region", name="Join")
    expect(join.get_by_role("img", name="QR code")).to_be_visible()
    assert "key=" not in teacher.url  # the page is on the wall
    expect(join.get_by_role("alert")).to_contain_text("--address 0.0.0.0")
    code = join.get_by_text(re.compile(r"^\w{4} \w{4}$")).inner_text()

    link = f"{room.address}/class?code={code.replace(' ', '')}"
    phone, laptop = window(link, (390, 844)), window(link, (1024, 768), dark=True)
    for student in (phone, laptop):
        expect(student.get_by_role("heading", name="You are in.")).to_be_visible()
    expect(join.get_by_text("2 students are here")).to_be_visible()
    for page in (teacher, phone):
        assert violations(page) == []

    join.get_by_role("button", name="Start the lesson").click()
    for page in (phone, laptop, teacher):
        step(page, 1)
    expect(phone.get_by_role("button", name="Next")).to_have_count(0)  # the teacher leads
    expect(phone.get_by_role("button", name="Free play")).to_have_count(0)
    expect(teacher.get_by_text(LESSON.notes.aim)).to_be_hidden()
    teacher.get_by_role("button", name="Notes").click()
    expect(teacher.get_by_role("region", name="Notes for the teacher")).to_contain_text(LESSON.notes.aim)
    teacher.get_by_role("button", name="Notes").click()

    # What comes in is covered, then opened.
    teacher.get_by_role("button", name="Next", exact=True).click(click_count=2, delay=400)  # a slow double click
    for page in (phone, laptop):
        step(page, 2)
        page.get_by_role("radio", name=OPTIONS[0]).check()
    expect(phone.get_by_text("Your prediction has arrived.")).to_be_visible()
    crowd = teacher.get_by_role("region", name="What the class predicts")
    expect(teacher.get_by_text("2 of 2 have predicted")).to_be_visible()
    expect(crowd.get_by_text("Covered until you open the answers")).to_be_visible()
    expect(crowd.get_by_role("listitem")).to_have_count(0)
    for page in (teacher, phone):
        assert violations(page) == []
    crowd.get_by_role("button", name="Open the answers").click()
    expect(crowd.get_by_role("listitem").filter(has_text=OPTIONS[0])).to_contain_text("2 100\u202f%")
    laptop.get_by_role("radio", name=OPTIONS[1]).check()  # changed before the answer is shown
    expect(crowd.get_by_role("listitem").filter(has_text=OPTIONS[1])).to_contain_text("1 50\u202f%")

    # A pause, a countdown, and asking again after a talk.
    teacher.get_by_role("button", name="Pause").click()
    expect(phone.get_by_role("heading", name="Pause")).to_be_visible()
    teacher.get_by_role("button", name="End the pause").click()
    expect(phone.get_by_role("heading", name="Pause")).to_be_hidden()
    crowd.get_by_role("button", name="Ask again").click()
    expect(crowd.get_by_text("The first answers are kept")).to_be_visible()
    for page in (phone, laptop):
        expect(page.get_by_text("You are asked again")).to_be_visible()
        expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    teacher.get_by_label("Countdown").select_option("1 minute")
    for page in (phone, laptop):
        expect(page.get_by_role("timer")).to_contain_text(re.compile(r"[01]:\d\d"))
    for page in (phone, laptop):
        page.get_by_role("radio", name=OPTIONS[1]).check()
    expect(teacher.get_by_text("2 of 2 have predicted")).to_be_visible()
    teacher.get_by_role("button", name="Show the answer").click()
    told = "Before the talk 1 of 2 (50\u202f%) were right, after it 2 of 2 (100\u202f%) were right"
    expect(crowd.get_by_text(told)).to_be_visible()
    right = crowd.get_by_role("listitem").filter(has_text="✓")
    expect(right).to_contain_text(OPTIONS[1])
    expect(right).to_contain_text("before 1 50\u202f%")
    for page in (phone, laptop):
        step(page, 3)
        expect(page.get_by_text("correct, as you said")).to_be_visible()
        fits(page)
    fits(teacher)

    # What was tried: how many have reached the goal, without names.
    teacher.get_by_role("radio", name="Own pace").check(force=True)
    phone.get_by_role("button", name="Next").click()
    step(phone, 4)
    step(laptop, 3)
    expect(teacher.get_by_title("1 at step 3, 1 at step 4").first).to_be_visible()
    teacher.get_by_role("radio", name="Together").check(force=True)
    for number in (4, 5, 6):  # a click counts once for what stands there, lest a double click shows an answer
        teacher.get_by_role("button", name=re.compile("Next|Show the answer")).click()
        step(teacher, number)
    step(laptop, 6)
    expect(teacher.get_by_text("0 of 2 have reached the goal")).to_be_visible()
    for name in ("Ministry", "University"):
        box = laptop.get_by_label(f"Trust in {name}, typed")
        box.fill("10")
        box.press("Enter")
    expect(teacher.get_by_text("1 of 2 have reached the goal")).to_be_visible()

    # The page that ends the lesson, the next lesson under the same code, and back.
    teacher.get_by_role("button", name="Next", exact=True).click()
    expect(phone.get_by_text(LESSON.learnt)).to_be_visible()
    expect(phone.get_by_text("You said")).to_be_visible()
    expect(teacher.get_by_text("before 1 of 2 (50\u202f%), after the talk 2 of 2 (100\u202f%)")).to_be_visible()
    teacher.get_by_role("button", name=f"Next: {SECOND.title}").click()
    for page in (phone, laptop, teacher):
        step(page, 1, SECOND)
    teacher.get_by_role("button", name="Back").click()
    expect(laptop.get_by_text(LESSON.learnt)).to_be_visible()
    teacher.get_by_label("Part of the plan").select_option(index=1)
    step(laptop, 1, SECOND)

    with teacher.expect_download() as given:
        teacher.get_by_role("button", name="Table (CSV)").click()
    rows = given.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) == 1 + 2 * 3, "two students, two questions and a goal of the lesson that was taught"
    teacher.get_by_role("button", name="Close room").click()
    teacher.get_by_role("button", name="Close it for everybody").click()
    for page in (phone, laptop, teacher):
        expect(page.get_by_role("heading", name="This room is closed.")).to_be_visible()
    teacher.get_by_role("link", name="To the lessons").click()
    expect(teacher.get_by_role("heading", level=1)).to_contain_text("copies are pooled")
