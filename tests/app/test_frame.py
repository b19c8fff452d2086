"""What surrounds the pages: the address, undo and redo, Back and Forward, files, themes, sizes, own data."""

import json
import re

import pytest

from tests.app.pages import fits, person_told, scheme, settled, unfold, verdict, wait_until
from tests.waiting import expect

pytestmark = pytest.mark.browser
NASTY = "<img src=x onerror=document.title='hacked'>"


def drop(page, tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    page.locator(".dropzone input[type=file]").set_input_files(path)


def trust(page, name):
    return page.get_by_role("textbox", name=f"Trust in {name}, typed")


# The address


def test_a_link_gives_the_same_page_to_the_last_figure(go_to, open_page):
    page = go_to()
    scheme(page, "nested")
    trust(page, "Bank").fill("83")
    trust(page, "Bank").press("Enter")
    expect(verdict(page)).to_contain_text(re.compile("stays at 39"))
    settled(page)
    page.get_by_role("button", name="Share").click()
    box = page.get_by_role("textbox", name="Link to this page")
    expect(box).to_have_value(re.compile(r"page=trust&v=1&s="))
    link = box.input_value()
    assert len(link) < 2_000
    page.keyboard.press("Escape")
    told, said = person_told(page).text_content(), settled(page) and verdict(page).inner_text()
    other = open_page(link[link.index("?") :])
    expect(verdict(other)).to_have_text(re.compile("gain nothing"))
    assert verdict(other).inner_text() == said
    expect(person_told(other)).to_have_text(told)
    expect(trust(other, "Bank")).to_have_value("83")


def test_a_mangled_link_opens_the_page_and_says_so(open_page):
    """`tests/scenarios/test_link.py` has links that are mangled otherwise."""
    page = open_page("?page=trust&s=" + "A" * 3_000)
    expect(verdict(page)).to_contain_text("learn more together")
    expect(page.get_by_text("This link is damaged")).to_be_visible()
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("This link is damaged")).to_be_hidden()
    # What a page loads is what it uses.
    loaded = page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)")
    assert len({name for name in loaded if "/controls-" in name}) == 1
    assert not [name for name in loaded if "bokeh-gl" in name]


# Themes, undo and redo


def test_a_theme_is_remembered_and_steps_are_undone_by_buttons_and_keys(open_page):
    page = open_page(dark=True)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the results")).to_be_focused()  # the first stop of a new page
    surface = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(surface)
    page.get_by_role("button", name="Light theme").click()
    expect(page.get_by_role("button", name="Dark theme")).to_be_visible()
    assert page.evaluate(surface) != dark
    page.reload()
    page.get_by_role("heading", level=1).wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    undo, redo = page.get_by_role("button", name="Undo"), page.get_by_role("button", name="Redo")
    expect(undo).to_be_disabled()
    scheme(page, "nested")
    expect(verdict(page)).to_contain_text("gain nothing")
    trust(page, "Ministry").fill("20")
    trust(page, "Ministry").press("Enter")
    expect(undo).to_be_enabled()
    undo.click()
    expect(trust(page, "Ministry")).to_have_value("50")
    page.keyboard.press("Control+z")
    expect(verdict(page)).to_contain_text("learn more together")
    expect(page.get_by_role("radio", name="independent", exact=True)).to_be_checked()
    expect(undo).to_be_disabled()
    page.keyboard.press("Control+Shift+z")
    expect(verdict(page)).to_contain_text("gain nothing")
    redo.press("Enter")
    expect(trust(page, "Ministry")).to_have_value("20")
    expect(redo).to_be_disabled()
    expect(redo).to_be_focused()  # a keyboard goes on from here


# Files


def test_a_scenario_is_saved_and_opened(go_to, tmp_path):
    page = go_to()
    scheme(page, "proportional")
    expect(verdict(page)).to_contain_text("recover every value")
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save scenario").click()
    saved = tmp_path / "saved.json"
    waiting.value.save_as(saved)
    content = json.loads(saved.read_text())
    assert (content["trustscope"], content["page"], content["settings"]["scheme"]) == (1, "trust", "proportional")
    content["settings"]["scheme"], content["settings"]["nonsense"] = "nested", NASTY
    saved.write_text(json.dumps(content))
    other = go_to()
    expect(verdict(other)).to_contain_text("learn more together")
    other.get_by_label("Share", exact=True).locator("input[type=file]").set_input_files(saved)
    expect(verdict(other)).to_contain_text("gain nothing")
    expect(other.get_by_text("settings → nonsense was left out")).to_be_visible()
    for bad in ("not json", "[1, 2]", json.dumps({"page": "nowhere"})):
        saved.write_text(bad)
        other.get_by_label("Share", exact=True).locator("input[type=file]").set_input_files(saved)
        expect(other.get_by_text("saved.json is not a scenario of Trustscope")).to_be_visible()
        other.get_by_role("button", name="Dismiss").click()
    expect(verdict(other)).to_contain_text("gain nothing")


# Own data


BAD_FILES = {
    "empty.csv": (b"", "empty"),
    "picture.csv": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "picture.csv"),
    "broken.parquet": (b"PAR1 nothing PAR1", "broken.parquet"),
    "words.csv": (b"a,b\n" + b"x,red\ny,blue\nx,blue\n" * 20, "noise can only be added to numbers"),
}


def test_bad_files_get_a_sentence(go_to, tmp_path):
    """One after the other, as somebody tries who does not give up."""
    page = go_to()
    unfold(page, "Data")
    for name, (content, sentence) in BAD_FILES.items():
        drop(page, tmp_path, name, content)
        if name == "words.csv":
            page.get_by_role("button", name="Use these data").click()
        expect(page.get_by_text("Your file was not used.")).to_be_visible()
        expect(page.locator("b", has_text=sentence).first).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("Your file was not used.")).to_be_hidden()
        expect(verdict(page)).to_contain_text("learn more together")


# Looks


def test_nothing_is_wider_than_the_screen_and_pictures_and_controls_are_in_view(go_to):
    """At every size; without scrolling the headline, both pictures, the recipients and the noise on a large screen."""
    page = go_to()
    for wide, high in ((1440, 900), (1280, 720), (1024, 768), (390, 844), (360, 740)):
        fits(page, wide, high)
        if wide < 1280:
            continue
        for part in (
            page.get_by_role("img", name="One person: what is believed of them"),
            page.get_by_role("table", name=re.compile("as more recipients pool")),
        ):
            box = part.bounding_box()
            assert box["y"] + box["height"] <= high
        for control in (trust(page, "Start-up"), page.get_by_role("radio", name="nested", exact=True)):
            assert control.bounding_box()["y"] < high


def test_on_a_phone_the_controls_are_a_sheet(go_to):
    page = go_to(size=(390, 844))
    fits(page, 390, 844)
    slider = page.get_by_role("slider", name="Trust in Ministry")
    expect(slider).to_be_hidden()
    expect(verdict(page)).to_be_in_viewport()
    page.get_by_role("button", name="Controls").click()
    expect(slider).to_be_in_viewport()
    expect(verdict(page)).to_be_in_viewport()
    scheme(page, "nested")
    expect(verdict(page)).to_contain_text("gain nothing")
    page.get_by_role("button", name="Done").click()
    expect(slider).to_be_hidden()


# Clicks a tab and says what is to be seen at once, before the server can have answered.
AT_ONCE = """(tab) => {
  tab.click()
  const places = [...document.querySelectorAll("main .ts-place")]
  const shown = places.filter((place) => place.matches(".ts-shown"))
  return [shown.map((place) => place.dataset.page), document.body.classList.contains("ts-going")]
}"""


def test_a_page_that_was_opened_before_is_there_at_once(page):
    tab = {name: page.get_by_role("button", name=name, exact=True) for name in ("Learn", "Trust")}
    wide = "() => document.querySelector('.ts-shown[data-page=Trust]').getBoundingClientRect().width"
    before = page.evaluate(wide)
    picture = page.get_by_role("img", name="One person: what is believed of them").element_handle()
    assert tab["Learn"].evaluate(AT_ONCE) == [["Trust"], True]  # never seen: it has to be made
    expect(page.get_by_role("heading", level=1, name="Who learns what")).to_be_visible()
    expect(verdict(page)).to_be_hidden()
    assert tab["Trust"].evaluate(AT_ONCE) == [["Trust"], False]
    expect(verdict(page)).to_be_visible()
    expect(page).to_have_title(re.compile("^Trust: "))
    assert picture.is_visible()  # the same element: it was not built anew
    assert page.evaluate(wide) == before  # nor has it to be laid out
    assert tab["Learn"].evaluate(AT_ONCE) == [["Learn"], False]
    expect(page).to_have_title(re.compile("^Learn"))  # the server has turned to it: there is something to go back to
    page.go_back()
    expect(verdict(page)).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", level=1, name="Who learns what")).to_be_visible()


# Notes which pages are shown and which titles stand, from now on.
NOTES = """() => {
  window.shown = []
  window.titles = []
  const look = () => {
    shown.push(document.querySelector("main .ts-shown").dataset.page)
    titles.push(document.title.slice(0, 5))
  }
  const watch = new MutationObserver(look)
  for (const one of [document.querySelector("main"), document.head])
    watch.observe(one, {subtree: true, attributes: true, childList: true, characterData: true})
}"""
TWO_CLICKS = """(tab) => {
  for (const name of ["Trust", "Learn"]) [...tab.parentNode.children].find((one) => one.textContent === name).click()
}"""


def test_an_answer_to_an_earlier_click_turns_nothing_back(go_to):
    page = go_to()
    learn = page.get_by_role("button", name="Learn", exact=True)
    learn.click()
    expect(page).to_have_title(re.compile("^Learn"))
    page.evaluate(NOTES)
    learn.evaluate(TWO_CLICKS)
    wait_until(page, "() => titles.includes('Trust') && titles.at(-1) === 'Learn'")
    assert "Trust" not in page.evaluate("() => shown")


def test_the_code_for_a_frame_is_offered_where_one_is_allowed():
    """Share writes it for the origins that the server lets show the app, and for nobody else."""
    from trustscope.app.page import Frame

    assert Frame("page=trust", later=True).bar.framed_by == []
    framed = Frame("page=trust", later=True, framed_by=("https://lms.example.org",))
    assert framed.bar.framed_by == ["https://lms.example.org"]
