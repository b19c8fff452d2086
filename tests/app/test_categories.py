"""The Categories page in a real browser, found and used by role and name, as a person would."""

import re

import pytest
from playwright.sync_api import expect

from tests import axe
from tests.app.pages import LONG, fits, scheme, tick, verdict

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


def paper(page):
    fold(page, "Data")
    page.get_by_role("button", name="Open the paper's example: Alice, Bob and HIV").click()
    seen(verdict(page), "Alice and Bob learn more together than either was meant to.")


def test_one_switch_ends_the_leak(page):
    seen(verdict(page), "37\u202f%")
    seen(verdict(page), "56\u202f%")
    seen(verdict(page), "22\u202f% without any copy")
    expect(pooling(page).get_by_role("row")).to_have_count(7)
    expect(truth(page)).to_contain_text("pneumonia")
    expect(truth(page)).to_contain_text("42\u202f%")
    scheme(page, "nested")
    seen(verdict(page), "Six recipients gain nothing by pooling their copies.")
    expect(truth(page)).not_to_contain_text("42\u202f%", timeout=LONG)
    expect(truth(page)).to_contain_text("34\u202f%")
    seen(verdict(page), "With independent copies 56\u202f% would be guessed right.")
    scheme(page, "independent")
    seen(verdict(page), "56\u202f%")


def test_the_papers_example(page):
    """HIV among ten diseases, 40 and 20 %: 46 % alone, 75 % from independent copies, no more from nested ones."""
    paper(page)
    seen(truth(page), "75\u202f%")
    seen(truth(page), "46\u202f%")
    expect(page.get_by_text("28 % true")).to_be_visible()
    scheme(page, "nested")
    seen(verdict(page), "Alice and Bob gain nothing by pooling their copies.")
    expect(truth(page)).not_to_contain_text("75\u202f%", timeout=LONG)
    page.get_by_role("checkbox", name="Alice is in the coalition").uncheck()
    seen(verdict(page), "Bob alone: nobody pools.")
    fold(page, "The attacker")
    tick(page.get_by_role("radio", name="how frequent each value is"))
    expect(page.get_by_text("somebody who knows how frequent each value is, and no other column").first).to_be_visible(
        timeout=LONG
    )


def test_dragging_back_restores_the_same_copies(page):
    held = page.get_by_text(re.compile("in Ministry's copy"))
    held.wait_for()
    settled = page.get_by_text(re.compile("ranges hold the true share"))
    settled.wait_for()
    before, of_person = held.inner_text(), person(page).inner_text()
    box = page.get_by_role("textbox", name="Trust in University, typed")
    for trust, alone in (("60", "64\u202f%"), ("25", "37\u202f%")):
        box.fill(trust)
        box.press("Enter")
        seen(verdict(page), alone)
        settled.wait_for()
    expect(held).to_have_text(before, timeout=LONG)  # the Ministry's copy was not touched
    expect(person(page)).to_have_text(re.compile("pneumonia"))
    assert person(page).inner_text() == of_person


def test_a_promise_is_judged_three_times_and_solved_for(page):
    closer(page, "What is guaranteed")
    expect(page.get_by_text("✓ kept, Ministry alone: it can rise to 37 %")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("✗ not kept, the present coalition: it can rise to > 99 %")).to_be_visible()
    expect(page.get_by_text("✗ not kept, the worst coalition: it can rise to > 99 %")).to_be_visible()
    page.get_by_role("button", name="Give all 4 %").click()
    expect(page.get_by_text(re.compile("✓ kept, the worst coalition"))).to_be_visible(timeout=LONG)
    expect(page.get_by_role("slider", name="Trust in Press")).to_have_value("4")


def test_views_are_made_when_they_are_opened(page):
    closer(page, "Every coalition")
    expect(page.get_by_text("All 63 possible coalitions")).to_be_visible(timeout=LONG)
    closer(page, "Evidence")
    table = page.get_by_role("table", name="Right guesses and belief, expected and measured")
    expect(table).to_be_visible(timeout=LONG)
    expect(table.get_by_text(re.compile("^agrees within ± "))).to_have_count(6, timeout=LONG)
    closer(page, "What an honest analyst gets")
    page.get_by_label("among", exact=True).select_option("Sex")
    expect(page.get_by_text(re.compile("HIV among those whose Sex is "))).to_be_visible(timeout=LONG)
    page.get_by_role("button", name=re.compile("^For experts")).click()
    closer(page, "What must be kept")
    expect(page.get_by_text(re.compile("It never needs more than"))).to_be_visible(timeout=LONG)
    closer(page, "If ever more joined")
    expect(page.get_by_text(re.compile("With 12 at such levels"))).to_be_visible(timeout=LONG)


def test_recipients_come_and_go(page):
    add = page.get_by_role("button", name="+ add a recipient")
    sliders = page.get_by_role("slider", name=re.compile("^Trust in"))
    for number in range(7, 9):
        add.click()
        expect(sliders).to_have_count(number, timeout=LONG)
    seen(verdict(page), "Eight recipients")
    for number in range(7, 1, -1):
        page.get_by_role("button", name=re.compile("^Remove")).last.click()
        expect(sliders).to_have_count(number, timeout=LONG)
    name = page.get_by_role("textbox", name="Name of recipient 2")
    name.fill(NASTY)
    name.press("Enter")
    expect(page.get_by_role("checkbox", name=re.compile("^<img src=x"))).to_be_visible(timeout=LONG)
    page.get_by_role("checkbox", name="Ministry is in the coalition").uncheck()
    seen(verdict(page), "<img src=x onerror=docum")
    assert page.title().endswith("Trustscope")


def test_other_data_and_numbers_in_bins(page):
    fold(page, "Data")
    page.get_by_label("Dataset").select_option("Patients, 1 000 diseases")
    expect(page.get_by_text("Disease, 1\u202f000 values")).to_be_visible(timeout=LONG)
    page.get_by_label("Dataset").select_option("Iris")
    expect(page.get_by_text("Iris, 150 records")).to_be_visible(timeout=LONG)
    page.get_by_label("Sensitive column").select_option("Petal length, in bins")
    expect(page.get_by_text("Petal length, 10 values")).to_be_visible(timeout=LONG)
    bins = page.get_by_role("slider", name="Bins for its numbers")
    bins.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Petal length, 11 values")).to_be_visible(timeout=LONG)


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


def test_one_person_and_their_path(page):
    box = page.get_by_role("spinbutton", name="Person")
    first = box.input_value()
    page.get_by_role("button", name="somebody else").click()
    expect(box).not_to_have_value(first, timeout=LONG)
    box.fill(first)
    box.press("Enter")
    expect(truth(page)).to_contain_text("pneumonia", timeout=LONG)
    scheme(page, "nested")
    tick(page.get_by_role("radio", name="path", exact=True))
    expect(page.get_by_role("img", name=re.compile("One person's value"))).to_be_visible(timeout=LONG)
    expect(page.get_by_text("A copy holds the truth for: Ministry 37 %")).to_be_visible()


def test_watching_copies_being_made(page):
    fold(page, "More")
    page.get_by_role("button", name="Watch them being made").click()
    expect(page.get_by_text(re.compile("Ministry's copy is drawn afresh"))).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("button", name="Watch them being made")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("6 copies of 20\u202f000 people")).to_be_visible(timeout=LONG)
    seen(verdict(page), "56\u202f%")


def test_two_windows_stay_apart(page, open_page):
    first, second = page, open_page(PAGE)
    scheme(first, "nested")
    seen(verdict(first), "Six recipients gain nothing by pooling their copies.")
    seen(verdict(second), "learn more together than any of them was meant to.")


def test_nothing_is_cut_off_and_two_pictures_and_the_first_controls_are_in_view(page):
    for wide, high in ((1440, 900), (1280, 720), (1024, 768), (700, 900)):
        fits(page, wide, high)
        table, last = person(page).bounding_box(), page.get_by_role("radio", name="path", exact=True).bounding_box()
        assert last["x"] + last["width"] <= table["x"] + table["width"]
        if wide >= 1280:
            for part in (person(page), pooling(page), page.get_by_role("radio", name="nested", exact=True)):
                box = part.bounding_box()
                assert box["y"] + box["height"] <= high, part


def test_nobody_is_left_out_and_dark_is_dark(go_to):
    """The rules for accessible pages on views with many controls, in both themes (see also test_every_page)."""
    page = go_to(PAGE, dark=True)
    colour = "e => getComputedStyle(e).color"
    dark = person(page).evaluate(colour)
    for theme in ("dark", "light"):
        if theme == "light":
            page.get_by_role("button", name="Light theme").click()
            assert person(page).evaluate(colour) != dark
        for view in ("What an honest analyst gets", "Evidence"):
            closer(page, view)
            page.get_by_role("heading", level=2).last.wait_for()
            expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=LONG)
            assert not axe.violations(page, colours=theme == "light"), theme
