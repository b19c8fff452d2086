"""The Papers page in a real browser, as a person would use it."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
SLOW = 60_000  # plots are drawn, processes started: on a busy machine that takes a while


@pytest.fixture
def papers(open_page):
    """Opens the page at some size, and goes to Papers."""

    def opened(**options):
        page = open_page(**options)
        page.get_by_role("button", name="Papers", exact=True).click()
        page.get_by_role("button", name="Alice and Bob").wait_for()
        return page

    return opened


def tiles(page):
    return page.locator("button.tile:visible")


def test_the_gallery_filters_and_opens(papers):
    page = papers()
    everything = tiles(page).count()
    assert everything > 50
    page.get_by_role("radio", name="Xiao 2009").check(force=True)
    expect(page.get_by_role("button", name="Signed against magnitude")).to_be_hidden(timeout=SLOW)
    page.get_by_role("radio", name="misprints").check(force=True)
    expect(tiles(page)).to_have_count(3, timeout=SLOW)
    page.get_by_role("button", name="The history update that corrupts").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("The history update", timeout=SLOW)
    expect(page.get_by_text("insert (p, Y); delete the next element if it is equal")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("table", name="Claims and verdicts")).to_contain_text("corrected", timeout=SLOW)
    page.get_by_role("button", name="← All experiments").click()
    expect(tiles(page)).to_have_count(3, timeout=SLOW)


def test_an_experiment_runs_while_other_pages_live_and_can_be_stopped(papers):
    page = papers()
    page.get_by_role("button", name="Three recipients together").click()
    draws = page.get_by_role("spinbutton", name="Draws of each distribution")
    draws.fill("500000000")
    draws.press("Enter")
    page.get_by_role("button", name="Run it").click()
    status = page.get_by_role("status").filter(has_text="draws")
    expect(status).to_contain_text("of 500,000,000 draws", timeout=SLOW)
    page.get_by_role("button", name="Trust", exact=True).click()
    slider = page.get_by_role("slider", name="Trust in Alice")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^55 %"), timeout=SLOW)
    page.get_by_role("button", name="Papers", exact=True).click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("status").filter(has_text="Stopped.")).to_be_visible(timeout=SLOW)


def test_a_demonstration_follows_its_controls_and_bad_settings_get_a_sentence(papers):
    page = papers()
    page.get_by_role("button", name="Right for all is not right for some").click()
    levels = page.get_by_role("textbox", name="Noise s of the copies")
    levels.fill("0.2, 0.4, 0.4")
    levels.press("Enter")
    expect(page.get_by_text("Run with noise s of the copies 0.2, 0.4, 0.4.")).to_be_visible(timeout=SLOW)
    levels.fill("much")
    levels.press("Enter")
    expect(page.get_by_role("status").filter(has_text="must be a number")).to_be_visible(timeout=SLOW)


def test_the_keyboard_opens_a_tile_and_the_top_is_seen(papers):
    page = papers()
    last = page.get_by_role("button", name="The remedy that is none")
    last.focus()
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("The remedy that is none", timeout=SLOW)
    expect(heading).to_be_in_viewport(timeout=SLOW)
    page.get_by_role("button", name="← All experiments").press("Enter")
    expect(last).to_be_in_viewport(timeout=SLOW)


@pytest.mark.parametrize(("size", "dark"), [((1440, 900), False), ((1024, 768), True)])
def test_nothing_is_wider_than_the_page(papers, size, dark):
    page = papers(size=size, dark=dark)
    for name in ("Collusion as copies are released", "The cap of a sphere"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(name, timeout=SLOW)
        wide = page.evaluate(
            "() => { const m = document.getElementById('ts-main'); return m.scrollWidth - m.clientWidth }"
        )
        assert wide <= 0
        page.get_by_role("button", name="← All experiments").click()
