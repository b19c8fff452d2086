"""The Trust page in a real browser, found and used by role and name, as a person would."""

import re

import pytest

from tests.app.pages import look_closer, person_told, scheme, tick, unfold, verdict
from tests.waiting import expect
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.link import query_of
from trustscope.scenarios.trust.scenario import TrustScenario

pytestmark = pytest.mark.browser

# What a screen reader would call the focused element, through all shadow roots.
FOCUSED = """() => {
  let e = document.activeElement
  while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement
  return e.ariaLabel || e.innerText || e.type
}"""


@pytest.fixture
def page(go_to):
    return go_to()


def with_data(name):
    """The address of the page with other data."""
    return "?" + query_of(TrustScenario().replace({"data.name": name}))


def given(page, who):
    """What a recipient was given of the person looked at."""
    return re.search(rf"{who} ([−\d.]+)", person_told(page).text_content().partition("given: ")[2]).group(1)


def test_the_opening_leaks_and_nested_noise_mends_it(page):
    expect(verdict(page)).to_contain_text("learn more together than any of them was meant to")
    expect(verdict(page)).to_contain_text(re.compile(r"35.%.*54.%"))
    expect(verdict(page)).to_contain_text(re.compile(r"21.% without any copy"))
    page.set_viewport_size({"width": 1280, "height": 720})
    size = verdict(page).get_by_role("heading").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 28  # for the back row
    scheme(page, "nested")
    expect(verdict(page)).to_contain_text("gain nothing by pooling")
    expect(verdict(page)).to_contain_text(re.compile(r"35.%.*35.%"))
    scheme(page, "proportional")
    expect(verdict(page)).to_contain_text("recover every value exactly")


def test_keyboard_alone(page):
    """Everything can be reached by Tab, and a slider, a tick, a choice, a line and a tab work by keys; what explains
    closes by Escape, with the focus back where it was, and by a click elsewhere."""
    page.locator("main").evaluate("node => node.getRootNode().activeElement?.blur()")
    page.get_by_role("link", name="Skip to the results").focus()
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(FOCUSED))
    for name in (
        "Trust in Ministry", "Trust in Ministry, typed", "Ministry is in the coalition", "+ add a recipient", "Help",
        "Share", "somebody else",
    ):  # fmt: skip
        assert name in reached, (name, reached)
    page.get_by_role("slider", name="Trust in Ministry").focus()
    before = verdict(page).inner_text()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(verdict(page)).not_to_have_text(before)
    line = page.get_by_role("button", name="change A guess counts as a hit")
    line.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("slider", name="How close a guess must come")).to_be_visible()
    explain = page.locator("summary", has_text="Explain: Everyone at once")
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
    page.get_by_role("tab", name="Everyone at once").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Who is exposed")).to_be_visible()
    page.get_by_role("button", name="Help", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Help")).to_be_hidden()


def test_trust_can_be_typed(page):
    box = page.get_by_role("textbox", name="Trust in Press, typed")
    box.fill("72")
    box.press("Enter")
    expect(page.get_by_role("slider", name="Trust in Press")).to_have_value("72")
    box.fill("far too much")
    box.press("Enter")
    expect(box).to_have_value("72")
    box.fill("400")
    box.press("Enter")
    expect(box).to_have_value("100")
    expect(verdict(page)).to_contain_text("Press holds the original")


def test_a_drag_never_queues(page):
    """A fast drag across the whole slider: on release the last value is what is shown, everywhere."""
    scheme(page, "nested")
    slider = page.get_by_role("slider", name="Trust in Bank")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.4 * box["width"], middle)
    page.mouse.down()
    for turn in range(50):
        page.mouse.move(box["x"] + box["width"] * (0.1 + 0.85 * ((turn * 37) % 100) / 100), middle)
    page.mouse.move(box["x"] + 0.8 * box["width"], middle)
    page.mouse.up()
    box = page.get_by_role("textbox", name="Trust in Bank, typed")
    expect(box).to_have_value(re.compile("^(8[1-9]|9[0-9])$"))
    trust = int(slider.input_value())
    expect(box).to_have_value(str(trust))
    expect(verdict(page)).to_contain_text(re.compile(r"error stays at \d+.%"))


def test_what_is_refused_does_not_stay_on_the_page(page):
    unfold(page, "The attacker")
    attacker = page.get_by_role("switch", name="somebody who makes the best guess")
    attacker.press("Space")
    expect(attacker).to_be_checked()
    unfold(page, "Data")
    released = page.get_by_role("group", name="Attributes that are released")
    unfold(page, "More")
    shape = page.get_by_role("slider", name="Shape of the noise")
    expect(shape).to_be_visible()
    tick(released.get_by_role("checkbox", name="Income", exact=True), False)
    expect(shape).to_have_count(0)
    age = released.get_by_role("checkbox", name="Age", exact=True)
    age.press("Space")
    expect(age).to_be_checked()
    name = page.get_by_role("textbox", name="Name of recipient 2")
    for refused in ("Ministry", "  "):
        name.fill(refused)
        name.press("Enter")
        expect(name).to_have_value("University")


def test_dragging_back_restores_the_same_copy(page):
    """Noise is keyed: nothing moves that was not touched, and what went comes back."""
    who = ("Ministry", "Press")
    before = {name: given(page, name) for name in who}
    box = page.get_by_role("textbox", name="Trust in Ministry, typed")
    first = person_told(page).text_content()

    def enter(field, value):
        told = person_told(page).text_content()
        field.fill(value)
        field.press("Enter")
        expect(person_told(page)).not_to_have_text(told)

    enter(box, "57")
    assert given(page, "Ministry") != before["Ministry"]
    assert given(page, "Press") == before["Press"]
    enter(box, "50")
    expect(person_told(page)).to_have_text(first)
    unfold(page, "More")
    seed = page.get_by_role("spinbutton", name="Seed of the noise")
    enter(seed, "13")
    assert given(page, "Press") != before["Press"]
    enter(seed, "12")
    expect(person_told(page)).to_have_text(first)


def with_recipients(number):
    """The address of a page of so many, with few data."""
    many = recipients(*(20 + 5 * place for place in range(number)))
    return "?" + query_of(TrustScenario().replace({"data.name": "iris", "settings.recipients": many}))


def test_recipients_come_and_go(go_to):
    """Up to twelve and down to one, and whatever one of them is called stays text."""
    page = go_to(with_recipients(11))
    sliders = page.get_by_role("slider", name=re.compile("^Trust in"))
    remove = page.get_by_role("button", name=re.compile("^Remove"))
    page.get_by_role("button", name="+ add a recipient").click()
    expect(sliders).to_have_count(12)
    expect(page.get_by_role("button", name="12 recipients are the most")).to_be_disabled()
    expect(verdict(page)).to_contain_text("Twelve recipients")
    go_to(with_recipients(3))
    for count in (2, 1):
        remove.last.click()
        expect(sliders).to_have_count(count)
    expect(remove).to_have_count(0)
    name = page.get_by_role("textbox", name="Name of recipient 1")
    name.fill("<img src=x onerror=x>")
    name.press("Enter")
    expect(verdict(page)).to_contain_text("<img src=x onerror=x> alone")
    assert page.title().endswith("Trustscope")


def test_looking_closer(go_to):
    """Every view is drawn when it is opened; usefulness is measured when it is asked for. Data without numbers have no
    views, and the next have them again."""
    page = go_to(with_data("iris"))
    for title, heading in (
        ("How close the guesses come", "How close the guesses come"),
        ("Every coalition", "Every coalition"),
        ("Attackers", "Attacker by attacker"),
        ("What an honest analyst gets", "What an honest analyst still gets"),
    ):
        look_closer(page, title)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    page.get_by_role("button", name="Measure usefulness").click()
    told = re.compile(r"Accuracy in predicting .*: original tree \d+\s%, machine \d+\s%")
    expect(page.get_by_text(told)).to_be_visible()
    look_closer(page, "Every coalition")
    expect(page.get_by_text("All 63 possible coalitions")).to_be_visible()
    page.get_by_role("button", name="For experts").click()
    look_closer(page, "What stands out of the noise")
    expect(page.get_by_role("heading", name="What stands out of the noise")).to_be_visible()
    unfold(page, "Data")
    page.get_by_role("combobox", name="Dataset").select_option(label="Votes in Congress, 1984")
    expect(verdict(page)).to_contain_text("nothing here to add noise to")
    expect(page.get_by_role("heading", name="One person")).to_be_hidden()
    page.get_by_role("combobox", name="Dataset").select_option(label="Iris")
    expect(verdict(page)).to_contain_text("learn more together")
    expect(page.get_by_role("heading", name="One person")).to_be_visible()


def test_attackers_are_compared_and_hits_are_defined(go_to):
    page = go_to(with_data("wine"))
    look_closer(page, "Attackers")
    unfold(page, "The attacker")
    table = page.get_by_role("table", name=re.compile("Attackers: error"))
    for name in ("as it is", "each attribute alone", "components", "filter", "Bayes"):
        tick(page.get_by_role("checkbox", name=name, exact=True))
    expect(table.get_by_role("rowheader")).to_have_count(7)
    expect(page.get_by_text(re.compile("comes closest|All of them err"))).to_be_visible()
    tick(page.get_by_role("switch", name="they know the data's mean and covariance"))
    expect(table).not_to_contain_text(re.compile(r"about \d"))
    unfold(page, "A guess counts as a hit")
    for kind, words in (
        ("whole record", "of their size"),
        ("any one value", "with a value guessed"),
        ("direction", "whose direction is guessed"),
    ):
        tick(page.get_by_role("radio", name=kind))
        expect(verdict(page)).to_contain_text(words)


def test_watching_copies_being_made(page):
    unfold(page, "More")
    page.get_by_role("button", name="Watch them being made").click()
    expect(page.get_by_text(re.compile("Ministry's copy: .* people"))).to_be_visible()
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("button", name="Watch them being made")).to_be_visible()
    expect(page.get_by_text("6 copies of 100 000 people")).to_be_visible()
