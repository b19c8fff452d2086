"""A lesson of one's own: written in the form, taken alone from its link, and its code read back without a server."""

import re

import pytest

from tests.app.conftest import free_port
from tests.axe import violations
from tests.serving.visitors import serving
from tests.waiting import LONG, expect
from trustscope.app.cli import main
from trustscope.lessons.reader import FILES

pytestmark = pytest.mark.browser
TEXT = next(FILES.glob("*diagnosis.json")).read_text().replace('"id": "diagnosis"', '"id": "my-own"')


def test_a_lesson_is_written_and_what_was_typed_into_an_empty_form_is_thrown_away(open_page):
    page = open_page("?page=trust")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Make this page a step").click()
    title = page.get_by_label("Title", exact=True).first
    title.press_sequentially("My lesson")
    kind = page.get_by_role("region", name="Step 1").get_by_role("combobox").first
    kind.focus()
    for chosen in ("explain", "try"):  # by keyboard: the form is drawn anew for each, and does not take the place away
        page.keyboard.press("ArrowDown")
        expect(kind).to_have_value(chosen)
        expect(kind).to_be_focused()
    kind.select_option("look")
    page.get_by_role("button", name="Ask a question before it").click()
    expect(page.get_by_role("region", name="Step 2")).to_be_visible()
    expect(title).to_have_value("My lesson")
    expect(page.get_by_label("Answer of")).not_to_have_value("")
    page.get_by_role("region", name="Step 1").get_by_role("button", name="Remove", exact=True).first.click()
    expect(page.get_by_role("region", name="Step 2")).to_have_count(0)
    page.get_by_role("button", name="Bring back").click()
    expect(page.get_by_role("region", name="Step 2")).to_be_visible()
    for _ in range(2):
        page.get_by_role("button", name="Begin anew").click()
        expect(title).to_have_value("")
        title.fill("Typed into an empty form")
        expect(page.get_by_text("title: this is empty")).to_have_count(0)


def test_two_tabs_keep_one_anothers_lessons_and_drafts(open_page, tmp_path):
    """Each tab writes only what it changed itself; of two drafts the one that was there can be brought back."""
    first = open_page("?page=learn")
    second = first.context.new_page()
    second.set_default_timeout(LONG)
    second.goto(first.url)
    for page, name in ((first, "one"), (second, "two")):
        path = tmp_path / f"{name}.json"
        path.write_text(TEXT.replace('"my-own"', f'"{name}"').replace("The same for a diagnosis", f"Lesson {name}"))
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open a lesson file").click()
        chooser.value.set_files(path)
        expect(page.get_by_text("Step 1 of 6")).to_be_visible()
        page.get_by_role("button", name="All lessons", exact=False).click()
    for page, title in ((first, "Written first"), (second, "Written second")):
        page.get_by_role("button", name="Write a lesson").click()
        page.get_by_label("Title", exact=True).fill(title)
        expect(page.get_by_text("steps: this has 0 entries")).to_be_visible()  # it was checked, and kept before that
    second.reload()
    for name in ("one", "two"):
        expect(second.get_by_text(f"Lesson {name}", exact=True)).to_be_visible()
    second.get_by_role("button", name="Write a lesson").click()
    expect(second.get_by_label("Title", exact=True)).to_have_value("Written second")
    second.get_by_role("button", name="Bring back").click()
    expect(second.get_by_label("Title", exact=True)).to_have_value("Written first")


def test_an_own_lesson_is_played_from_its_link_and_its_code_is_read_back(browser, tmp_path, capsys):
    path = tmp_path / "mine.json"
    path.write_text(TEXT.replace("The same for a diagnosis", "My own lesson"))
    port = free_port()
    with serving("trustscope", "lesson", "play", str(path), "--no-open", "--port", str(port)) as server:
        link = re.search(r"is at (\S+)", server.wait_for("Trustscope is at"))[1]
        assert link.endswith("?lesson=my-own")
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.goto(link)
        expect(page.get_by_text("Step 1 of 6")).to_be_visible()
        page.get_by_role("button", name="Next", exact=True).click()
        expect(page.get_by_text("Step 2 of 6")).to_be_visible()
        slider = page.get_by_role("slider")
        slider.focus()
        slider.press("End")
        expect(page.get_by_role("button", name="See what happens")).to_be_visible()
        page.goto(link)  # what was predicted is in the browser, and the link begins anew
        expect(page.get_by_text("Step 1 of 6")).to_be_visible()
        for number in range(2, 7):
            page.get_by_role("button", name=re.compile("^(Next|Skip this one|See what happens)$")).click()
            expect(page.get_by_text(f"Step {number} of 6")).to_be_visible()
        page.get_by_role("button", name="Finish").click()
        expect(page.get_by_role("heading", name="What you learnt")).to_be_visible()
        expect(page.get_by_text("All 6 steps are done")).to_be_visible()
        code = page.get_by_text(re.compile(r"^[0-9A-Z]{4}(-[0-9A-Z]{1,4})+$")).inner_text()
        assert violations(page) == []
        with page.expect_download() as given:
            page.get_by_role("button", name="Worksheet").click()
        assert "My own lesson" in given.value.path().read_text()
        page.get_by_role("button", name="All lessons", exact=True).click()
        expect(page.get_by_role("heading", name="Lessons of this server")).to_be_visible()
        expect(page.get_by_text("Finished · repeat")).to_be_visible()
        context.close()
    codes = tmp_path / "codes.txt"
    codes.write_text(f"Anna {code}\n")
    capsys.readouterr()
    assert main(["lesson", "codes", str(codes), "--lesson", str(path)]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 4
    assert rows[1].startswith("Anna,My own lesson,2,predict,")
    assert rows[1].endswith(",1.0,0.46,no,")
    assert rows[3].endswith(",no"), "the goal was skipped"
