"""A class in browsers: one teacher and two students, from the code on the wall to the truth over the histogram."""

import re

import pytest
from playwright.sync_api import expect

from tests.app.conftest import free_port
from tests.app.pages import LONG
from tests.axe import violations
from tests.serving.visitors import serving
from trustscope.lessons.reader import find

pytestmark = pytest.mark.browser
LESSON = find("two-copies")
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


def step(page, number):
    expect(page.get_by_text(f"Step {number} of {len(LESSON.steps)}", exact=True).first).to_be_visible()


def fits(page):
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_a_teacher_and_two_students(window, room):
    teacher = window(room.link, (1440, 900))
    teacher.get_by_role("button", name=re.compile(LESSON.title)).first.click()
    teacher.get_by_role("button", name="Teach this").click()
    join = teacher.get_by_role("region", name="Join")
    expect(join.get_by_role("img", name="QR code")).to_be_visible()
    assert "key=" not in teacher.url  # the page is on the wall
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
    teacher.get_by_role("button", name="Next", exact=True).click()

    for page in (phone, laptop):
        step(page, 2)
    phone.get_by_role("radio", name=OPTIONS[1]).check()
    laptop.get_by_role("radio", name=OPTIONS[0]).check()
    expect(phone.get_by_text("Your prediction has arrived.")).to_be_visible()
    crowd = teacher.get_by_role("region", name="What the class predicts")
    expect(crowd.get_by_text("2 predictions so far")).to_be_visible()
    laptop.get_by_role("radio", name=OPTIONS[1]).check()  # changed before the answer is shown
    expect(crowd.get_by_role("listitem").filter(has_text=OPTIONS[1])).to_contain_text("2")
    expect(crowd.get_by_role("listitem").filter(has_text=OPTIONS[0])).to_contain_text("0")
    expect(teacher.get_by_text("2 of 2 have predicted")).to_be_visible()
    for page in (teacher, phone):
        assert violations(page) == []
    crowd.get_by_role("button", name="Cover what comes in").click()
    expect(crowd.get_by_role("listitem")).to_have_count(0)

    laptop.reload()  # keeps the place and the prediction
    expect(laptop.get_by_role("radio", name=OPTIONS[1])).to_be_checked()
    teacher.reload()
    step(teacher, 2)

    teacher.get_by_role("button", name="Show the answer").click()
    expect(crowd.get_by_text("2 of 2 predictions said so")).to_be_visible()
    expect(crowd.get_by_role("listitem").filter(has_text="✓")).to_contain_text(OPTIONS[1])
    for page in (phone, laptop):
        step(page, 3)
        expect(page.get_by_text("so it is, as you said")).to_be_visible()
        fits(page)
    fits(teacher)

    teacher.get_by_role("radio", name="At their own pace").check(force=True)
    phone.get_by_role("button", name="Next").click()
    step(phone, 4)
    step(laptop, 3)
    expect(teacher.get_by_title("1 at step 3, 1 at step 4").first).to_be_visible()

    with teacher.expect_download() as given:
        teacher.get_by_role("button", name="Table (CSV)").click()
    assert given.value.path().read_text(encoding="utf-8-sig").count("\n") == 3
    teacher.get_by_role("button", name="Close room").click()
    teacher.get_by_role("button", name="Close it for everybody").click()
    for page in (phone, laptop, teacher):
        expect(page.get_by_role("heading", name="This room is closed.")).to_be_visible()
    teacher.get_by_role("link", name="To the lessons").click()
    expect(teacher.get_by_role("heading", level=1)).to_contain_text("copies are pooled")
