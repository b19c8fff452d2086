"""In a browser: pictures of cards, comparing, the teacher's link, taking a report along; on two pages and more."""

import csv
import io
import re
import xml.etree.ElementTree as ET

import pytest

from tests.app.pages import look_closer, scheme, settled, verdict
from tests.waiting import LONG, expect
from trustscope.scenarios.link import query_of
from trustscope.scenarios.papers.scenario import PapersScenario

pytestmark = pytest.mark.browser
WIDTHS = [(1440, 900), (1280, 720), (1024, 768), (390, 844)]
VERSUS = ".versus"
TABLE3 = f"?{query_of(PapersScenario().opening('li/table3'))}"
SVG = "{http://www.w3.org/2000/svg}"


def saved(page, name):
    """What clicking this button downloads."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return waiting.value


def keep(page):
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("button", name=re.compile("Keep as")).click()
    expect(page.get_by_role("radio", name="Draw A behind")).to_be_visible()
    page.keyboard.press("Escape")


# Pictures


def test_a_card_is_downloaded(go_to):
    """As a drawing, a table and a picture; `tests/plots/test_cards.py` and `test_parts.py` have all cards."""
    page = go_to(TABLE3)
    title = "Mean and variance of Age and Income"
    drawing = ET.fromstring(saved(page, f"SVG of {title}").path().read_bytes())
    texts = ["".join(node.itertext()).strip() for node in drawing.iter(f"{SVG}text")]
    assert title in texts
    assert len(texts) > 4, texts
    assert {one.get("id") for one in drawing.iter(f"{SVG}g")} >= {"axes_1", "axes_2"}  # both panels
    rows = list(csv.reader(io.StringIO(saved(page, f"CSV of {title}").path().read_text(encoding="utf-8-sig"))))
    assert len(rows) > 2
    assert all(len(row) == len(rows[0]) for row in rows)
    assert saved(page, "PNG of li-table3").path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


# Comparing


def test_what_was_kept_is_drawn_behind_and_told(open_page):
    """On one page: `test_compare.py` has the others."""
    page, points = open_page("?page=trust"), 20
    keep(page)
    expect(page.locator(VERSUS)).to_have_text(re.compile(r"^As in A: \d+\s?%\.$"))
    scheme(page, "nested")
    told = page.locator(VERSUS)
    expect(told).to_have_text(re.compile(rf"where noise of the copies was independent: .*, {points} points less\.$"))
    expect(page.locator("i.kept:visible").first).to_be_visible()
    settled(page)
    page.keyboard.press("x")
    expect(told).to_have_text(re.compile(rf"where noise of the copies was nested: .*, {points} points more\.$"))
    expect(page.get_by_role("radio", name="independent", exact=True)).to_be_checked()
    settled(page)
    page.reload()
    page.get_by_role("heading", level=1).wait_for()
    expect(told).to_have_text(re.compile(rf"where noise of the copies was nested: .*, {points} points more\.$"))
    # On another page it is listed and opened, and cannot be drawn behind.
    page.get_by_role("button", name="Categories", exact=True).click()
    expect(page).to_have_url(re.compile("page=categories"))
    page.get_by_role("button", name="Compare").click()
    dialog = page.get_by_role("dialog", name="Compare")
    expect(dialog.get_by_role("heading", name="Trust")).to_be_visible()
    expect(dialog.get_by_role("radio")).to_have_count(0)
    dialog.get_by_role("button", name="Open A of Trust").click()
    expect(page).to_have_url(re.compile("page=trust"))
    page.keyboard.press("Escape")
    expect(told.filter(visible=True)).to_contain_text("As in A")
    scheme(page, "independent")
    settled(page)
    page.get_by_role("button", name="Compare").click()
    table = page.get_by_role("table", name="Kept scenarios side by side")
    expect(table.get_by_role("row", name=re.compile("noise of the copies"))).to_contain_text("nested")
    expect(table.get_by_role("row", name=re.compile("^verdict"))).to_be_visible()
    rows = list(csv.reader(io.StringIO(saved(page, "Save the table as CSV").path().read_text(encoding="utf-8-sig"))))
    assert rows[0] == ["kind", "name", "A", "now"]
    assert ["setting", "noise of the copies", "nested", "independent"] in rows
    page.get_by_role("button", name=re.compile("^Remove A of")).press("Enter")
    expect(page.get_by_role("button", name="Keep as A")).to_be_focused()
    expect(page.locator(VERSUS).filter(visible=True)).to_have_count(0)
    expect(table).to_have_count(0)
    assert page.evaluate("localStorage.getItem('trustscope-kept')") == "[]"


def test_two_windows_keep_one_list(open_page):
    first = open_page("?page=trust")
    second = first.context.new_page()
    second.goto(first.url)
    settled(second)
    keep(first)
    scheme(second, "nested")
    settled(second)
    assert second.locator(VERSUS).filter(visible=True).count() == 0  # it is drawn behind where it was kept
    second.get_by_role("button", name="Compare").click()
    second.get_by_role("button", name="Keep as B").click()
    first.get_by_role("button", name="Compare").click()
    expect(first.get_by_role("radio", name="Draw B behind")).to_be_visible()
    expect(first.get_by_role("radio", name="Draw A behind")).to_be_checked()
    stored = first.evaluate("JSON.parse(localStorage.getItem('trustscope-kept')).map((one) => one.letter)")
    assert stored == ["A", "B"]
    # By what they can be told apart is read on a phone, where nothing is told to who only points at it.
    first.set_viewport_size({"width": 390, "height": 844})
    kept = first.get_by_role("dialog", name="Compare").locator(".what", has_text="noise of the copies")
    expect(kept).to_have_count(2)
    for one in kept.all():
        assert one.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1 && node.clientWidth > 200")


# The teacher's link


def test_a_teachers_link_shows_what_is_ticked_and_nothing_else(go_to, open_page):
    page = go_to("?page=trust")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("checkbox", name="Show only a part of this page").check()
    for name in ("As more of them pool", "Everyone at once", "Attackers", "Data", "The attacker", "More"):
        page.get_by_role("checkbox", name=name, exact=True).uncheck()
    link = page.get_by_role("textbox", name="Link to this page").input_value()
    named = set(re.search("&show=([a-z_.]+)$", link)[1].split("."))
    assert {"person", "noise", "recipients", "hit", "closeness", "coalitions"} <= named
    assert not named & {"pooling", "everyone", "attackers", "data", "attacker", "more", "compare"}
    student = open_page(link[link.index("?") :])
    absent(student)
    look_closer(student, "Every coalition")
    scheme(student, "nested")
    expect(verdict(student)).to_contain_text("gain nothing")
    expect(student).to_have_url(re.compile(r"s=.*&show=[a-z_.]*closeness\.coalitions"))
    settled(student)
    student.reload()
    student.get_by_role("heading", level=1).wait_for()
    expect(verdict(student)).to_contain_text("gain nothing")
    absent(student)
    student.keyboard.press("x")
    student.get_by_role("button", name="Share").click()
    expect(student.get_by_role("textbox", name="Link to this page")).to_have_value(re.compile("&show="))
    expect(student.get_by_role("checkbox", name="Show only a part")).to_have_count(0)
    expect(student.get_by_role("button", name="Report")).to_have_count(0)


def absent(page):
    """Hidden is not there: neither on the page nor behind a tab."""
    expect(page.get_by_role("heading", name="One person")).to_be_visible()
    for name in ("As more of them pool", "Everyone at once"):
        expect(page.get_by_role("heading", name=name)).to_have_count(0)
    for name in ("Everyone at once", "Attackers"):
        expect(page.get_by_role("tab", name=name)).to_have_count(0)
    for name in ("change Data", "change The attacker", "change More", "Compare", "Categories"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(page.get_by_role("slider", name="Trust in Ministry")).to_have_count(1)


# Taking along, and the browser's history


def test_a_script_is_taken_along(go_to):
    """As a script, which is made at once: `test_taking.py` has the rest, `tests/scenarios/test_report.py` reports."""
    page = go_to("?page=categories")
    page.get_by_role("button", name="Share").click()
    script = saved(page, "As a script")
    assert script.suggested_filename == "trustscope_categories.py"
    compile(script.path().read_text(), "script", "exec")
    expect(page.get_by_role("button", name="Report", exact=True)).to_be_enabled()


def test_opening_a_file_on_the_same_page_can_be_taken_back(go_to, tmp_path):
    page = go_to("?page=trust")
    before = page.url
    kept = tmp_path / "iris.json"
    kept.write_text('{"trustscope": 1, "page": "trust", "data": {"name": "iris"}, "settings": {"scheme": "nested"}}')
    page.get_by_label("Share", exact=True).locator("input[type=file]").set_input_files(kept)
    expect(page.get_by_text("Iris, 150 rows").first).to_be_visible()
    expect(page).not_to_have_url(before)
    settled(page)
    page.go_back()
    expect(page).to_have_url(before)
    expect(verdict(page)).to_contain_text("learn more together", timeout=LONG)
    page.go_forward()
    expect(page.get_by_text("Iris, 150 rows").first).to_be_visible()


# Looks


def test_the_bar_has_room(go_to):
    page = go_to("?page=trust")
    for size in WIDTHS:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.get_by_role("button", name="Trust", exact=True)).to_be_in_viewport(ratio=0.99)  # the present page
        for name in ("Learn", "Trust", "Release", "Undo", "Redo", "Compare", "Share", "Help"):
            button = page.get_by_role("button", name=name, exact=True)
            if size[0] < 980 and name in ("Learn", "Release"):  # the row of pages is scrolled there
                button.scroll_into_view_if_needed()
            box = button.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size[0], (name, size)
            if name == "Release" and size[0] < 980:  # the last page is scrolled out of where the row fades
                row = page.get_by_role("navigation", name="Pages").bounding_box()
                assert box["x"] + box["width"] <= row["x"] + row["width"] - 20
        for name in ("Compare", "Share"):
            page.get_by_role("button", name=name, exact=True).click()
            box = page.get_by_role("dialog", name=name).bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size[0], (name, size)
            page.keyboard.press("Escape")
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_figures_are_seen_beside_their_names_on_a_phone(go_to):
    page = go_to("?page=trust", size=(390, 844))
    look_closer(page, "What an honest analyst gets")
    table = page.get_by_role("table", name="Figures of the original and of each copy")
    settled(page)
    expect(table.get_by_role("row").nth(1)).to_be_visible()
    row = table.get_by_role("row", name=re.compile("^standard deviation, corrected"))
    for n in (0, 1):  # of the original, and of one copy
        # In one go: while a picture is being finished the rows are drawn anew.
        beyond = """(cell) => cell.getBoundingClientRect().right
          - cell.closest("table").parentElement.getBoundingClientRect().right"""
        assert row.get_by_role("cell").nth(n).evaluate(beyond) <= 0
