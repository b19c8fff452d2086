"""The Trust dashboard in a real browser, found and used by role and name, as a person would."""

import re

import pytest
from playwright.sync_api import expect

from tests.app.pages import figure, scheme, verdict

pytestmark = pytest.mark.browser


# What a screen reader would call the focused element, through all shadow roots.
FOCUSED = """() => {
  let e = document.activeElement
  while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement
  return e.ariaLabel || e.innerText || e.type
}"""


def seen(page, who):
    """What a recipient sees of the person looked at."""
    text = page.get_by_text(re.compile("true value")).first.inner_text()
    return re.search(rf"{who} sees ([−\d.]+)", text).group(1)


def settle(page):
    page.wait_for_timeout(700)


def test_alice_and_bob(page):
    """Li's example: 0.5 and 0.8 alone, together 0.5 nested, 4/9 independent, 0 proportional."""
    expect(verdict(page)).to_contain_text("Together, Alice and Bob learn no more than Alice alone.")
    expect(figure(page, "coalition's error")).to_have_text("0.500")
    expect(figure(page, "best single: Alice")).to_have_text("0.500")
    expect(figure(page, "gain by collusion")).to_have_text("0 %")
    scheme(page, "independent")
    expect(verdict(page)).to_contain_text("learn more than any of them was allowed")
    expect(figure(page, "coalition's error")).to_have_text("0.444")
    scheme(page, "proportional")
    expect(verdict(page)).to_contain_text("recover every value exactly")
    expect(figure(page, "coalition's error")).to_have_text("0.000")
    scheme(page, "nested")
    page.get_by_role("checkbox", name="Alice is in the coalition").uncheck()
    expect(figure(page, "coalition's error")).to_have_text("0.800")


def test_measurement_agrees_with_theory(page):
    expect(verdict(page).get_by_text(re.compile(r"measured 0\.(49|50)\d ✓"))).to_have_count(2)
    expect(verdict(page)).not_to_contain_text("✗")


def test_keyboard_alone(page):
    """Everything can be reached by Tab, and a slider, a tick, a choice and the help work by keys."""
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the results")).to_be_focused()
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(FOCUSED))
    for name in (
        "Trust in Alice",
        "Trust in Bob",
        "Alice is in the coalition",
        "+ add a recipient",
        "Help",
        "surprise me",
    ):
        assert name in reached, (name, reached)
    slider = page.get_by_role("slider", name="Trust in Alice")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(figure(page, "coalition's error")).to_have_text("0.450")
    page.get_by_role("checkbox", name="Bob is in the coalition").focus()
    page.keyboard.press("Space")
    expect(verdict(page)).to_contain_text("Alice alone")
    page.get_by_role("button", name="Help", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Help")).to_be_hidden()


def test_a_drag_never_queues(page):
    """A fast drag across the whole slider: on release the last value is what is shown, everywhere."""
    box = page.get_by_role("slider", name="Trust in Bob").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.2 * box["width"], middle)
    page.mouse.down()
    for turn in range(150):
        page.mouse.move(box["x"] + box["width"] * (0.1 + 0.85 * ((turn * 37) % 100) / 100), middle)
    page.mouse.move(box["x"] + 0.9 * box["width"], middle)
    page.mouse.up()
    settle(page)
    trust = int(page.get_by_role("slider", name="Trust in Bob").input_value())
    assert trust > 80
    expect(figure(page, "coalition's error")).to_have_text(f"{1 - trust / 100:.3f}")
    expect(figure(page, "best single: Bob")).to_have_text(f"{1 - trust / 100:.3f}")


def test_a_drag_away_and_back_is_finished(page):
    """Let go where it began: the preview gives way to all rows, and the watch can be used again."""
    page.get_by_role("button", name="Watch them being made").click()
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    box = page.get_by_role("slider", name="Trust in Alice").bounding_box()
    middle, x = box["y"] + box["height"] / 2, box["x"] + 0.5 * box["width"]
    page.mouse.move(x, middle)
    page.mouse.down()
    for share in (0.6, 0.8, 0.6, 0.5):
        page.mouse.move(box["x"] + share * box["width"], middle)
        page.wait_for_timeout(80)
    expect(page.get_by_text("Age of 5 000 people")).to_be_visible()
    page.mouse.up()
    expect(page.get_by_text("Age of 100 000 people")).to_be_visible()
    expect(page.get_by_role("button", name="Watch them being made")).to_be_visible()


def test_what_is_refused_does_not_stay_on_the_page(page):
    attacker = page.get_by_role("checkbox", name="knows the statistics")
    attacker.uncheck(force=True)
    expect(attacker).to_be_checked()
    page.get_by_role("checkbox", name="Income", exact=True).uncheck(force=True)
    age = page.get_by_role("checkbox", name="Age", exact=True)
    age.uncheck(force=True)
    expect(age).to_be_checked()
    name = page.get_by_role("textbox", name="Name of recipient 2")
    for refused in ("Alice", "  "):
        name.fill(refused)
        name.press("Enter")
        expect(name).to_have_value("Bob")


def test_data_without_numbers(open_page):
    page = open_page()
    page.get_by_role("combobox", name="Dataset").first.select_option(label="Votes in Congress, 1984")
    expect(verdict(page)).to_contain_text("nothing here to add noise to")
    expect(page.get_by_role("heading", name="One person")).to_be_hidden()
    page.get_by_role("radio", name="whole record").check(force=True)
    page.get_by_role("radio", name="this value").check(force=True)
    page.get_by_role("combobox", name="Dataset").first.select_option(label="Iris")
    expect(verdict(page)).to_contain_text("Together, Alice and Bob")
    expect(page.get_by_role("heading", name="One person")).to_be_visible()


def test_dragging_back_restores_the_same_copy(page):
    """Noise is keyed: nothing moves that was not touched, and what went comes back."""
    before = {who: seen(page, who) for who in ("Alice", "Bob")}
    slider = page.get_by_role("slider", name="Trust in Alice")
    slider.focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    settle(page)
    assert seen(page, "Alice") != before["Alice"]
    assert seen(page, "Bob") == before["Bob"]
    for _ in range(7):
        page.keyboard.press("ArrowLeft")
    settle(page)
    assert {who: seen(page, who) for who in ("Alice", "Bob")} == before
    # Another seed, other noise; the same seed, the same.
    seed = page.get_by_role("spinbutton", name="Seed of the noise")
    seed.fill("13")
    seed.press("Enter")
    settle(page)
    assert seen(page, "Bob") != before["Bob"]
    seed.fill("12")
    seed.press("Enter")
    settle(page)
    assert {who: seen(page, who) for who in ("Alice", "Bob")} == before


def test_recipients_come_and_go(page):
    add = page.get_by_role("button", name="+ add a recipient")
    sliders = page.get_by_role("slider", name=re.compile("^Trust in"))
    remove = page.get_by_role("button", name=re.compile("^Remove"))
    for count in range(3, 13):
        add.click()
        expect(sliders).to_have_count(count)
    expect(page.get_by_role("button", name="12 recipients are the most")).to_be_disabled()
    expect(page.get_by_text("All 4 095 possible coalitions")).to_be_visible()
    for count in range(11, 1, -1):
        remove.last.click()
        expect(sliders).to_have_count(count)
    expect(remove).to_have_count(0)
    name = page.get_by_role("textbox", name="Name of recipient 2")
    name.fill("<img src=x onerror=document.title='hacked'>")
    name.press("Enter")
    settle(page)
    expect(verdict(page)).to_contain_text("<img src=x onerror=")
    assert page.title() == "Trustscope"


def test_attackers_and_breaches(page):
    page.get_by_role("checkbox", name="learns everything").check(force=True)
    page.get_by_role("checkbox", name="learns the mean").check(force=True)
    expect(page.get_by_text(re.compile("an attacker who learns everything errs by 0.5"))).to_be_visible()
    expect(page.get_by_role("slider", name="People that they estimate from")).to_be_visible()
    for kind, words in (
        ("whole record", "of the record's size"),
        ("any one value", "hit some value"),
        ("direction", "direction"),
    ):
        page.get_by_role("radio", name=kind).check(force=True)
        expect(verdict(page).get_by_role("term").last).to_contain_text(words)


def test_watching_copies_being_made(page):
    page.get_by_role("button", name="Watch them being made").click()
    expect(page.get_by_text(re.compile("Alice's copy: .* people"))).to_be_visible()
    expect(page.get_by_text(re.compile("drops onto the path"))).to_be_visible()
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("button", name="Watch them being made")).to_be_visible()
    expect(page.get_by_text("2 copies of 100 000 people")).to_be_visible()
    expect(figure(page, "coalition's error")).to_have_text("0.500")


def test_usefulness_on_request(open_page):
    page = open_page("?dataset=iris")
    page.get_by_role("button", name="Measure usefulness").click()
    expect(
        page.get_by_text(re.compile(r"Accuracy in predicting .*: original tree \d+ %, machine \d+ %"))
    ).to_be_visible(timeout=60_000)


def test_two_windows_do_not_see_each_other(open_page):
    first, second = open_page(), open_page("?dataset=wine")
    scheme(first, "independent")
    first.get_by_role("button", name="+ add a recipient").click()
    expect(first.get_by_role("slider", name="Trust in Carol")).to_be_visible()
    expect(verdict(second)).to_contain_text("Together, Alice and Bob learn no more than Alice alone.")
    expect(second.get_by_role("slider", name="Trust in Carol")).to_have_count(0)
    expect(second.get_by_text("178 rows").first).to_be_visible()
    expect(first.get_by_text("100 000 rows").first).to_be_visible()


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (700, 900)])
def test_nothing_is_cut_off(open_page, size):
    page = open_page(size=size)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    for part in ("aside", "main"):
        assert page.locator(part).evaluate("e => e.scrollWidth <= e.clientWidth"), part


def test_light_and_dark(open_page):
    page = open_page(dark=True)
    surface = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(surface)
    canvas = page.locator("canvas").first
    before = canvas.screenshot()
    page.get_by_role("button", name="Light theme").click()
    page.wait_for_timeout(600)
    assert page.evaluate(surface) != dark
    assert canvas.screenshot() != before
    page.reload()
    page.get_by_role("heading", level=1).wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_help_texts_close(page):
    """By Escape, with the focus back where it was, and by a click elsewhere."""
    explain = page.get_by_label("Explain: What each one holds")
    text = page.get_by_text("The grey area is the original")
    explain.focus()
    page.keyboard.press("Enter")
    expect(text).to_be_visible()
    page.keyboard.press("Escape")
    expect(text).to_be_hidden()
    explain.click()
    expect(text).to_be_visible()
    page.get_by_role("heading", level=1).click()
    expect(text).to_be_hidden()
