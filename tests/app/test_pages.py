"""Going from page to page: state stays, nothing complains."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def go(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_pages_keep_their_state(open_page):
    page = open_page()
    page.get_by_role("radio", name="independent", exact=True).check(force=True)
    expect(page.get_by_role("heading", level=1)).to_contain_text("learn more")
    for _ in range(2):
        go(page, "Categories")
        expect(page.get_by_role("heading", name="As recipients join")).to_be_visible()
        expect(page.get_by_text("Patients").first).to_be_visible()
        go(page, "Trust")
        expect(page.get_by_role("heading", name="What each one holds")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_contain_text("learn more")
    # What came back is alive.
    slider = page.get_by_role("slider", name="Trust in Alice")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("0.404").first).to_be_visible()
