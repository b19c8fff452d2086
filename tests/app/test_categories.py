"""The Categories page in a real browser, found and used by role and name, as a person would."""

import re

import pytest

from tests import axe
from tests.app.pages import fits, scheme, tick, verdict
from tests.waiting import LONG, expect

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror=document.title='hacked'>"


PAGE = "?page=categories"


@pytest.fixture
def page(go_to):
    page = go_to(PAGE)
    seen(verdict(page), "Six recipients learn more together than any of them was meant to.")
    return page


def seen(where, text):
    """Wait until a text is there."""
    expect(where).to_contain_text(text, timeout=LONG)


def person(page):
    """The table of the person that is looked at."""
    return page.get_by_role("table", name="One person: how far each value is believed")


def truth(page):
    """The row of the true value."""
    return person(page).get_by_role("row", name=re.compile(" the truth "))


def pooling(page):
    return page.get_by_role("table", name="What is found out as more recipients pool their copies")


def fold(page, name):
    page.get_by_role("button", name=f"change {name}").click()


def closer(page, name):
    page.get_by_role("tab", name=name, exact=True).click()


def test_one_switch_ends_the_leak_for_everybody_and_for_one_person(page):
    """`test_categories_page.py` has the other settings and their figures."""
    seen(verdict(page), "22\u202f% without any copy")
    expect(pooling(page).get_by_role("row")).to_have_count(7)
    expect(truth(page)).to_contain_text("pneumonia")
    expect(truth(page)).to_contain_text("42\u202f%")
    scheme(page, "nested")
    seen(verdict(page), "Six recipients gain nothing by pooling their copies.")
    expect(truth(page)).not_to_contain_text("42\u202f%", timeout=LONG)
    expect(truth(page)).to_contain_text("34\u202f%")
    tick(page.get_by_role("radio", name="path", exact=True))
    expect(page.get_by_role("img", name=re.compile("One person's value"))).to_be_visible(timeout=LONG)
    expect(page.get_by_text("A copy holds the truth for: Ministry 37 %")).to_be_visible()
    box = page.get_by_role("spinbutton", name="Person")
    first = box.input_value()
    page.get_by_role("button", name="somebody else").click()
    expect(box).not_to_have_value(first, timeout=LONG)
    name = page.get_by_role("textbox", name="Name of recipient 2")
    name.fill(NASTY)
    name.press("Enter")
    expect(page.get_by_role("checkbox", name=re.compile("^<img src=x"))).to_be_visible(timeout=LONG)
    page.get_by_role("checkbox", name="Ministry is in the coalition").uncheck()
    seen(verdict(page), "<img src=x onerror=docum")
    assert page.title().endswith("Trustscope")


def test_views_are_made_when_they_are_opened_in_the_dark_too(go_to):
    """Those with many controls and numbers are read by axe, which test_every_page does in light."""
    page = go_to(PAGE, dark=True)
    dark = person(page).evaluate("e => getComputedStyle(e).color")
    closer(page, "Every coalition")
    expect(page.get_by_text("All 63 possible coalitions")).to_be_visible(timeout=LONG)
    closer(page, "Evidence")
    table = page.get_by_role("table", name="Right guesses and belief, expected and measured")
    expect(table.get_by_text(re.compile("^agrees within ± "))).to_have_count(6, timeout=LONG)
    assert not axe.violations(page, colours=True)
    closer(page, "What an honest analyst gets")
    page.get_by_label("among", exact=True).select_option("Sex")
    expect(page.get_by_text(re.compile("HIV among those whose Sex is "))).to_be_visible(timeout=LONG)
    expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=LONG)
    assert not axe.violations(page)
    page.get_by_role("button", name=re.compile("^For experts")).click()
    closer(page, "What must be kept")
    expect(page.get_by_text(re.compile("It never needs more than"))).to_be_visible(timeout=LONG)
    closer(page, "If ever more joined")
    expect(page.get_by_text(re.compile("With 12 at such levels"))).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Light theme").click()
    assert person(page).evaluate("e => getComputedStyle(e).color") != dark


def test_a_file_with_markup_for_names(page, tmp_path):
    rows = "".join(f"{'a' + NASTY if i % 3 else 'b$$x$$'},{NASTY if i % 2 else 'y'},same\n" for i in range(300))
    path = tmp_path / "people.csv"
    path.write_text(f"Illness {NASTY},Kind,Constant\n{rows}")
    fold(page, "Data")
    page.get_by_label(re.compile("^Drop a CSV")).set_input_files(path)
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text(re.compile("people, 300 records|people.csv, 300 records"))).to_be_visible(timeout=LONG)
    expect(person(page).get_by_role("rowheader", name=re.compile("^a<img")).first).to_be_visible(timeout=LONG)
    closer(page, "What an honest analyst gets")
    page.get_by_label("among", exact=True).select_option("Kind")
    expect(page.get_by_text(re.compile("those whose Kind is <img"))).to_be_visible(timeout=LONG)
    assert page.title().endswith("Trustscope")


def test_nothing_is_cut_off_and_two_pictures_and_the_first_controls_are_in_view(page):
    for wide, high in ((1440, 900), (1280, 720), (1024, 768), (700, 900)):
        fits(page, wide, high)
        table, last = person(page).bounding_box(), page.get_by_role("radio", name="path", exact=True).bounding_box()
        assert last["x"] + last["width"] <= table["x"] + table["width"]
        if wide >= 1280:
            for part in (person(page), pooling(page), page.get_by_role("radio", name="nested", exact=True)):
                box = part.bounding_box()
                assert box["y"] + box["height"] <= high, part
