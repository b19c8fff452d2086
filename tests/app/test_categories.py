"""The Categories dashboard in a real browser, found and used by role and name, as a person would."""

import re

import pytest
from playwright.sync_api import expect

from tests.app.pages import figure, scheme, verdict

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror=document.title='hacked'>"


@pytest.fixture
def open_categories(open_page):
    def opened(path="", **options):
        page = open_page(path, **options)
        page.get_by_role("button", name="Categories", exact=True).click()
        page.get_by_role("heading", name="What is guaranteed").wait_for()
        page.get_by_role("status").filter(has_text="copies of").wait_for()
        return page

    return opened


@pytest.fixture
def page(open_categories):
    return open_categories()


def person(page):
    """What is said of the person looked at."""
    return page.get_by_text(re.compile("true value .*; Alice sees")).first.inner_text()


def seen(page, who):
    return re.search(rf"{who} sees ([^;]+);", person(page)).group(1)


def settle(page):
    page.wait_for_timeout(800)


def drop(page, tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    page.locator("input[type=file]").set_input_files(path)
    expect(page.get_by_text("This is what was understood")).to_be_visible()
    page.get_by_role("button", name="Use these data").click()


def test_the_papers_example(page):
    """HIV among ten diseases, 40 and 20 %: 0.46 and 0.28 stay, 0.46 is believed, 0.749 from independent copies."""
    expect(page.get_by_text("Patients: the paper's example (synthetic), 20 000 rows")).to_be_visible()
    expect(verdict(page)).to_contain_text("Together, Alice and Bob learn no more than Alice alone.")
    expect(figure(page, "coalition's belief in the truth")).to_have_text("0.244")
    expect(figure(page, "best single: Alice")).to_have_text("0.244")
    expect(figure(page, "gain by collusion")).to_have_text("0 %")
    assert (seen(page, "Alice"), seen(page, "Bob")) == ("HIV", "HIV")
    assert "the coalition believes HIV with 0.460" in person(page)
    assert "the truth with 0.749" in person(page)
    assert "Alice 0.46, Bob 0.28" in person(page)
    expect(verdict(page).get_by_text(re.compile(r"measured 0\.24\d ✓"))).to_have_count(2)
    expect(verdict(page)).not_to_contain_text("✗")


def test_the_scheme_decides(page):
    scheme(page, "independent")
    expect(verdict(page)).to_contain_text("learn more than any of them was allowed")
    expect(figure(page, "coalition's belief in the truth")).to_have_text("0.276")
    expect(page.get_by_text("the coalition believes HIV with 0.749")).to_be_visible()
    expect(page.get_by_text("all members' multiplied")).to_be_visible()
    scheme(page, "nested")
    expect(figure(page, "coalition's belief in the truth")).to_have_text("0.244")
    page.get_by_role("checkbox", name="Alice is in the coalition").uncheck()
    expect(figure(page, "coalition's belief in the truth")).to_have_text("0.136")
    page.get_by_role("radio", name="the statistics").check(force=True)
    expect(page.get_by_text("knows how frequent each value is")).to_be_visible()
    expect(figure(page, "coalition's belief in the truth")).not_to_have_text("0.136")


def test_dragging_back_restores_the_same_copies(page):
    page.get_by_role("radio", name="Bob", exact=True).first.check(force=True)
    held = page.get_by_text(re.compile("released by Bob as"))
    before, of_person = held.inner_text(), person(page)
    slider = page.get_by_role("slider", name="Retention in Alice")
    slider.focus()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(figure(page, "coalition's belief in the truth")).not_to_have_text("0.244")
    settle(page)
    assert held.inner_text() == before  # Bob's copy was not touched
    for _ in range(9):
        page.keyboard.press("ArrowLeft")
    settle(page)
    expect(figure(page, "coalition's belief in the truth")).to_have_text("0.244")
    assert (held.inner_text(), person(page)) == (before, of_person)
    seed = page.get_by_role("spinbutton", name="Seed of the copies")
    for number, same in (("13", False), ("12", True)):
        seed.fill(number)
        seed.press("Enter")
        settle(page)
        assert (held.inner_text() == before) == same


def test_recipients_come_and_go(page):
    add = page.get_by_role("button", name="+ add a recipient")
    for number in range(3, 13):
        add.click()
        expect(page.get_by_role("slider", name=re.compile("^Retention in"))).to_have_count(number)
    expect(page.get_by_text("All 4 095 possible coalitions")).to_be_visible()
    expect(page.get_by_text(re.compile("If everybody colludes: nested 0.7.*independent 0.9"))).to_be_visible(
        timeout=20_000
    )
    expect(verdict(page)).to_contain_text("Together, all 12 learn no more than")
    for _ in range(10):
        page.get_by_role("button", name=re.compile("^Remove")).last.click()
        page.wait_for_timeout(250)
    expect(page.get_by_role("slider", name=re.compile("^Retention in"))).to_have_count(2)
    name = page.get_by_role("textbox", name="Name of recipient 2")
    name.fill(NASTY)
    name.press("Enter")
    expect(verdict(page)).to_contain_text("<img src=x onerror")
    assert page.title() == "Trustscope"


def test_a_promise_sets_the_retention(page):
    expect(page.get_by_text("Largest p that keeps it: 44.4 %")).to_be_visible()
    page.get_by_role("button", name="Give Alice 44 %").click()
    expect(page.get_by_role("slider", name="Retention in Alice")).to_have_value("44")
    expect(figure(page, "coalition's belief in the truth")).to_have_text("0.274")
    rho2 = page.get_by_role("slider", name=re.compile("^ρ₂"))
    rho2.focus()
    for _ in range(25):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("✗ not kept. At 44 % it can rise to 50 %")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Give Alice")).first.click()
    expect(page.get_by_text("✓ kept.").first).to_be_visible()


def test_other_columns_numbers_and_conditions(page):
    page.get_by_label("Dataset").select_option("Census (synthetic)")
    expect(page.get_by_text("2 copies of 100 000 people")).to_be_visible()
    page.get_by_label("Sensitive attribute").select_option("Income, in bins")
    expect(page.get_by_text("Income has 10 values.")).to_be_visible()
    bins = page.get_by_role("slider", name="Bins")
    bins.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Income has 11 values.")).to_be_visible()
    page.get_by_label("Count among").select_option("Education")
    expect(page.get_by_text(re.compile("among Education = "))).to_be_visible()
    expect(verdict(page)).not_to_contain_text("✗")


def test_a_thousand_diseases(page):
    page.get_by_label("Dataset").select_option("Patients, 1 000 diseases")
    expect(page.get_by_text("Disease has 1 000 values.")).to_be_visible()
    expect(page.get_by_role("rowheader", name="970 others")).to_be_visible()
    scheme(page, "independent")
    expect(page.get_by_text("the coalition believes HIV with 0.994")).to_be_visible()


def test_a_file_with_markup_for_names(page, tmp_path):
    rows = "".join(f"{'a' + NASTY if i % 3 else 'b$$x$$'},{NASTY if i % 2 else 'y'},same\n" for i in range(300))
    drop(page, tmp_path, "people.csv", f"Illness {NASTY},Kind,Constant\n{rows}")
    expect(page.get_by_text("2 copies of 300 people")).to_be_visible()
    page.get_by_label("Count among").select_option("Kind")
    expect(page.get_by_text(re.compile("among Kind = <img"))).to_be_visible()
    expect(page.get_by_role("rowheader", name=f"a{NASTY}").first).to_be_visible()
    settle(page)
    assert page.title() == "Trustscope"


def test_words_alone_are_enough_here(page, tmp_path):
    drop(page, tmp_path, "words.csv", "a,b\n" + "x,red\ny,blue\nx,blue\n" * 20)
    expect(page.get_by_text("2 copies of 60 people")).to_be_visible()
    expect(verdict(page)).to_contain_text("Together, Alice and Bob")


def test_one_person(page):
    box = page.get_by_role("spinbutton", name="Person")
    first = box.input_value()
    page.get_by_role("button", name="surprise me").click()
    expect(box).not_to_have_value(first)
    box.fill(first)
    box.press("Enter")
    expect(page.get_by_text("Alice sees HIV")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("One person's value"))).to_be_visible()


def test_watching_copies_being_made(page):
    page.get_by_role("button", name="Watch them being made").click()
    expect(page.get_by_text(re.compile("Alice reads the path"))).to_be_visible()
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("button", name="Watch them being made")).to_be_visible()
    expect(page.get_by_text("2 copies of 20 000 people")).to_be_visible()
    expect(figure(page, "coalition's belief in the truth")).to_have_text("0.244")


def test_two_windows_and_two_pages_stay_apart(open_categories):
    first, second = open_categories(), open_categories()
    scheme(first, "independent")
    first.get_by_role("button", name="+ add a recipient").click()
    expect(first.get_by_role("slider", name="Retention in Carol")).to_be_visible()
    expect(verdict(second)).to_contain_text("Together, Alice and Bob learn no more than Alice alone.")
    expect(second.get_by_role("slider", name="Retention in Carol")).to_have_count(0)
    first.get_by_role("button", name="Trust", exact=True).click()
    expect(first.get_by_role("slider", name="Trust in Alice")).to_have_value("50")
    first.get_by_role("button", name="Categories", exact=True).click()
    expect(first.get_by_role("slider", name="Retention in Carol")).to_be_visible()
    expect(verdict(first)).to_contain_text("learn more than any of them was allowed")


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (700, 900)])
def test_nothing_is_cut_off(open_categories, size):
    page = open_categories(size=size)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    for part in ("aside", "main"):
        assert page.locator(part).evaluate("e => e.scrollWidth <= e.clientWidth"), part


def test_dark_is_dark(open_categories):
    page = open_categories(dark=True)
    field = page.get_by_role("img", name=re.compile("One person's value"))
    colour = "e => getComputedStyle(e).color"
    dark = field.evaluate(colour)
    page.get_by_role("button", name="Light theme").click()
    assert field.evaluate(colour) != dark
