"""Three walks: a teacher, a data steward and a presenter each reach their goal without reading the help; and axe."""

import re

import pytest
from playwright.sync_api import expect

from tests.app.pages import SIZES, look_closer, scheme, settled, tick, unfold, verdict
from tests.axe import violations

pytestmark = pytest.mark.browser
PAGES = ("learn", "trust", "categories", "rotation", "survey", "papers", "release")


def test_a_teacher_prepares_a_state_and_sends_it(open_page):
    """She wants two recipients with nested noise on the iris flowers, and a link for her students."""
    page = open_page()
    unfold(page, "Data")
    page.get_by_role("combobox", name="Dataset").select_option(label="Iris")
    expect(page.get_by_text("150 rows").first).to_be_visible()
    remove = page.get_by_role("button", name=re.compile("^Remove"))
    for left in (5, 4, 3, 2):
        remove.last.click()
        expect(page.get_by_role("slider", name=re.compile("^Trust in"))).to_have_count(left)
    scheme(page, "nested")
    expect(verdict(page)).to_contain_text("gain nothing")
    settled(page)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Link to this page").input_value()
    student = open_page(link[link.index("?") :])
    expect(verdict(student)).to_contain_text("Ministry and University gain nothing")
    expect(student.get_by_role("slider", name=re.compile("^Trust in"))).to_have_count(2)


def test_a_steward_tries_her_own_file(open_page, tmp_path):
    """She brings a file, corrects what was understood, sees the risk, and finds noise that keeps it down."""
    lines = [f"{10_000 + i},{20 + i % 60},{1000 * (i % 37)},{'0' + str(1000 + i % 90)}\n" for i in range(400)]
    path = tmp_path / "survey.csv"
    path.write_text("id,age,income (USD),postcode\n" + "".join(lines).replace(",5000,", ",-9,"))
    page = open_page()
    unfold(page, "Data")
    page.locator(".dropzone input[type=file]").set_input_files(path)
    expect(page.get_by_text("This is what was understood")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Use id")).not_to_be_checked()
    codes = page.get_by_role("textbox", name="Values that mean missing in income (USD)")
    codes.fill("-9")
    codes.press("Tab")
    expect(page.get_by_text(re.compile("of 400 rows will be left out because of: income"))).to_be_visible()
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text(re.compile("survey.*400 rows")).first).to_be_visible()
    expect(verdict(page)).to_contain_text("pool their copies")
    scheme(page, "nested")
    expect(verdict(page)).to_contain_text("gain nothing")
    settled(page)
    assert "survey" in page.url or "s=" in page.url


def test_a_presenter_shows_the_leak_and_mends_it(open_page):
    """He opens the app, shows the leak to the back row, switches the noise once, and goes back."""
    page = open_page(size=(1280, 720))
    expect(verdict(page)).to_contain_text("far better than allowed")
    size = verdict(page).get_by_role("heading").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 28
    scheme(page, "nested")
    expect(verdict(page)).to_contain_text("gain nothing")
    look_closer(page, "Every coalition")
    expect(page.get_by_text("All 63 possible coalitions")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(verdict(page)).to_contain_text("far better than allowed")


def test_going_from_page_to_page_and_back(open_page):
    page = open_page()
    scheme(page, "nested")
    expect(verdict(page)).to_contain_text("gain nothing")
    settled(page)
    picture = page.get_by_role("img", name="One person: what is believed of them").element_handle()
    page.get_by_role("button", name="Survey", exact=True).click()
    expect(page.get_by_role("heading", name="Respondents arriving")).to_be_visible()
    expect(page.get_by_role("heading", name="One person")).to_be_hidden()
    expect(page.get_by_role("button", name="Survey", exact=True)).to_be_focused()
    expect(page).to_have_url(re.compile("page=survey"))
    page.go_back()
    expect(verdict(page)).to_contain_text("gain nothing")
    expect(page.get_by_role("heading", name="One person")).to_be_visible()
    assert picture.is_visible()  # the same element: a page that was opened before is not built anew
    page.go_forward()
    expect(page.get_by_role("heading", name="Respondents arriving")).to_be_visible()


LEAST = 14  # pixels of type
# What is opened under the pictures: a table, a plot and controls among them.
CLOSER = {
    "trust": "What an honest analyst gets", "categories": "What is guaranteed", "rotation": "What an analyst finds",
    "survey": "What each kind gives away", "release": "History",
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_it(open_page, name):
    """axe on the page with a view opened, in both themes; and no type is too small."""
    page = open_page(f"?page={name}")
    if name in CLOSER:
        look_closer(page, CLOSER[name])
        expect(page.get_by_role("tab", name=CLOSER[name])).to_have_attribute("aria-selected", "true")
        expect(page.locator("[aria-busy=true]").filter(visible=True)).to_have_count(0)
        settled(page)
    texts = page.evaluate(SIZES)
    assert len(texts) > 20
    assert [text for text in texts if text[0] < LEAST - 0.01] == []
    assert violations(page) == []
    page.get_by_role("button", name="Dark theme").click()
    expect(page.get_by_role("button", name="Light theme")).to_be_visible()
    assert violations(page) == []


def test_no_plot_is_an_empty_stop_of_the_tab_key(open_page):
    """The plot of known records hears clicks; the Tab key goes past it, and every stop has a name."""
    page = open_page("?page=rotation")
    tick(page.get_by_role("radio", name=re.compile("^2 ")))
    expect(page.get_by_role("heading", name="Known records, found in the release")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Why?").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="SVG of Known records, found in the release")).to_be_focused()
