"""Trade-off, map and why in a real browser: points and places are gone to, by pointer and by keyboard."""

import re

import pytest

from tests import axe
from tests.app.pages import look_closer, settled, verdict
from tests.waiting import LONG, expect

pytestmark = pytest.mark.browser


def points(page):
    """The points of the trade-off, when all of them are drawn."""
    expect(page.get_by_role("option", name=re.compile("^nested: "))).to_have_count(99, timeout=LONG)
    expect(page.get_by_role("option", name=re.compile("^independent: "))).to_have_count(99, timeout=LONG)
    return page.get_by_role("listbox")


def test_a_point_of_the_trade_off_on_trust_is_gone_to(go_to):
    page = go_to()
    expect(verdict(page)).to_contain_text("learn more together than any of them was meant to")
    look_closer(page, "Trade-off")
    plot = points(page)
    page.get_by_role("option", name=re.compile(r"^nested: Ministry 30 %, ")).click()
    expect(page.get_by_role("radio", name="nested", exact=True)).to_be_checked()
    expect(verdict(page)).to_contain_text("gain nothing")
    settled(page)
    expect(page.get_by_role("option", name=re.compile("^nested: Ministry 30 %, "))).to_have_count(1)
    # By keyboard: to the other scheme, ten points further, and there.
    plot.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("PageUp")
    expect(page.locator(".tip")).to_contain_text("independent: Ministry 11 %")
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="independent", exact=True)).to_be_checked()
    settled(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("radio", name="nested", exact=True)).to_be_checked()
    assert not axe.violations(page)


def test_a_place_of_the_map_is_gone_to(go_to):
    page = go_to()
    look_closer(page, "Map")
    field = page.get_by_role("application", name="Map: places to go to")
    reading = page.get_by_role("status").filter(has_text="variance of the data")
    expect(reading).to_contain_text("line: 50", timeout=LONG)
    assert not axe.violations(page)
    field.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("status").filter(has_text="recipients who pool 4")).to_be_visible()
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("Four recipients")
    settled(page)
    # The lower left corner: one recipient, hardly trusted.
    cell = field.locator("rect.cell").first
    cell.click()
    expect(verdict(page)).to_contain_text("Ministry alone")
    expect(page.get_by_text("1 %", exact=True).first).to_be_visible()


def test_why_is_told_when_asked(go_to):
    page, told = go_to(size=(1280, 720)), "Each of the six copies has noise of its own"
    ask = page.get_by_role("button", name="Why?")
    expect(page.get_by_text(told)).to_be_hidden()
    ask.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text(told)).to_be_visible()
    ask.click()
    expect(page.get_by_text(told)).to_be_hidden()
