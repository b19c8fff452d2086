"""Attackers on one combined copy, the shape of the noise and data made to order, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
FIVE = ("as it is", "each attribute alone", "components", "filter", "Bayes")


def table(page):
    return page.get_by_role("table", name=re.compile("Attackers: error"))


def error(page, who):
    row = table(page).get_by_role("row").filter(has=page.get_by_role("rowheader", name=who))
    return float(row.locator(".figure").inner_text())


def set_slider(page, name, value):
    slider = page.get_by_role("slider", name=name, exact=True)
    slider.fill(str(value))
    slider.dispatch_event("change")


def test_attackers_are_compared(open_page):
    page = open_page("?dataset=wine")
    expect(table(page).get_by_role("rowheader")).to_have_text(["knows the statistics closest", "guesses the mean"])
    for name in FIVE:
        page.get_by_role("checkbox", name=name, exact=True).check(force=True)
    expect(table(page).get_by_role("rowheader")).to_have_count(7)
    expect(page.get_by_text(re.compile("comes closest"))).to_be_visible()
    page.get_by_role("radio", name="perfect knowledge").check(force=True)
    expect(table(page)).not_to_contain_text(re.compile(r"about \d"))
    expect(page.get_by_text("together, filters the spectrum")).to_be_visible()
    # Somebody must attack: the last one cannot be unticked.
    for name in ("knows the statistics", *FIVE[1:]):
        page.get_by_role("checkbox", name=name, exact=True).uncheck(force=True)
    page.get_by_role("checkbox", name="as it is", exact=True).click(force=True)
    expect(page.get_by_role("checkbox", name="as it is", exact=True)).to_be_checked()


def test_the_shape_of_the_noise(open_page):
    page = open_page("?dataset=wine")
    page.get_by_role("checkbox", name="Bayes", exact=True).check(force=True)
    page.get_by_role("radio", name="perfect knowledge").check(force=True)
    expect(page.get_by_text("no direction is cleaner than another")).to_be_visible()
    set_slider(page, "Shape of the noise", -1)
    expect(page.get_by_text("Most noise where the data vary least")).to_be_visible()
    expect(table(page)).not_to_contain_text("✗")
    expect(page.get_by_role("table", name="Expected error of every coalition")).not_to_contain_text("0.500")
    assert error(page, "weighs by Bayes") == pytest.approx(error(page, "knows the statistics"))
    set_slider(page, "Shape of the noise", 1)
    expect(page.get_by_role("table", name="Expected error of every coalition")).to_contain_text("0.500")


def test_one_attribute_has_no_shape(open_page):
    page = open_page("?dataset=census")
    expect(page.get_by_role("slider", name="Shape of the noise")).to_be_visible()
    page.get_by_role("checkbox", name="Income", exact=True).uncheck(force=True)
    expect(page.get_by_role("slider", name="Shape of the noise")).to_be_hidden()
    expect(page.get_by_text("One attribute has one direction")).to_be_visible()


def test_an_experiment_by_hand(open_page):
    """More attributes on as many components: who uses correlations gains, who takes each attribute alone does not."""
    page = open_page("?dataset=gaussian")
    page.get_by_role("radio", name="1 more attributes").check(force=True)
    expect(page.get_by_text("20 of 20 numeric columns")).to_be_visible()
    expect(table(page).get_by_role("rowheader")).to_have_count(7)
    set_slider(page, "Attributes", 10)
    expect(page.get_by_text("10 of 10 numeric columns")).to_be_visible()
    expect(page.get_by_text("2 copies of 10 000 records.")).to_be_visible()
    few = {who: error(page, who) for who in ("takes each attribute", "keeps the strong")}
    set_slider(page, "Attributes", 60)
    expect(page.get_by_text("60 of 60 numeric columns")).to_be_visible()
    expect(page.get_by_text("2 copies of 10 000 records.")).to_be_visible(timeout=20_000)
    assert error(page, "keeps the strong") < 0.6 * few["keeps the strong"]
    assert error(page, "takes each attribute") > 0.8 * few["takes each attribute"]
