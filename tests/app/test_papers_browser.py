"""The Papers page in a real browser, as a person would use it. The tests share one window: each leaves the gallery."""

import re

import pytest

from tests.app.conftest import Window
from tests.app.pages import fits, tick
from tests.waiting import LONG, expect

pytestmark = pytest.mark.browser
SLOW = LONG  # plots are drawn and processes started, which takes a while on a busy machine


@pytest.fixture(scope="module")
def window(browser, address):
    """One window at the Papers page, and the messages that it sent."""
    sent = []

    def listen(page):
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))

    window = Window(browser, address, "?page=papers", listen=listen)
    window.sent = sent
    window.page.get_by_role("button", name="Alice and Bob").wait_for()
    yield window
    window.context.close()


@pytest.fixture
def papers(window):
    """The window at the whole gallery, whatever the test before left; at the end it must not have complained."""
    page = window.page
    window.complaints.clear()
    page.set_viewport_size({"width": 1440, "height": 900})
    back = page.get_by_role("button", name="← All experiments")
    page.get_by_role("button", name="Papers", exact=True).click()
    expect(tiles(page).first.or_(back)).to_be_visible(timeout=SLOW)
    if back.is_visible():
        leave(page)
    for radio in page.get_by_role("radio", name=re.compile("^(all|everything)$")).all():
        tick(radio)
    expect(tiles(page).nth(50)).to_be_attached(timeout=SLOW)
    yield page
    assert not window.complaints


def leave(page):
    """Go back to the gallery, and wait until it is there: what is half gone must not be pressed again."""
    back = page.get_by_role("button", name="← All experiments")
    back.press("Enter")
    expect(back).to_be_hidden(timeout=SLOW)
    expect(tiles(page).first).to_be_visible(timeout=SLOW)


def tiles(page):
    return page.locator("button.tile:visible")


def test_a_tile_opens_and_its_pictures_are_not_sent_back(window, papers):
    """A control that is new on the page must not return itself with its first message, as Bokeh would have it."""
    before = len(window.sent)
    papers.get_by_role("button", name="Alice and Bob").click()
    expect(papers.get_by_role("heading", level=1)).to_contain_text("Alice and Bob", timeout=SLOW)
    frames = [frame if isinstance(frame, str) else frame.decode(errors="replace") for frame in window.sent[before:]]
    assert any("li/example" in frame for frame in frames)
    assert not any("<svg" in frame for frame in frames)
    assert sum(map(len, frames)) < 100_000


def test_the_gallery_filters_and_opens(papers):
    assert tiles(papers).count() > 50
    tick(papers.get_by_role("radio", name="Xiao 2009"))
    expect(papers.get_by_role("button", name="Signed order against order of magnitude")).to_be_hidden(timeout=SLOW)
    tick(papers.get_by_role("radio", name="misprints"))
    expect(tiles(papers)).to_have_count(3, timeout=SLOW)
    papers.get_by_role("button", name="The history update that corrupts").click()
    expect(papers.get_by_role("heading", level=1)).to_contain_text("The history update", timeout=SLOW)
    expect(papers.get_by_text("insert (p, Y); delete the next element if it is equal")).to_be_visible(timeout=SLOW)
    expect(papers.get_by_role("table", name="Claims and verdicts")).to_contain_text("corrected", timeout=SLOW)
    leave(papers)
    expect(tiles(papers)).to_have_count(3, timeout=SLOW)


def test_an_experiment_runs_while_other_pages_live_and_can_be_stopped(papers):
    papers.get_by_role("button", name="Three recipients together").click()
    draws = papers.get_by_role("spinbutton", name="Draws of each distribution")
    draws.fill("500000000")
    draws.press("Enter")
    papers.get_by_role("button", name="Run it").click()
    status = papers.get_by_role("status").filter(has_text="draws")
    expect(status).to_contain_text("of 500,000,000 draws", timeout=SLOW)
    papers.get_by_role("button", name="Trust", exact=True).click()
    slider = papers.get_by_role("slider", name=re.compile("^Trust in ")).first
    before = slider.get_attribute("aria-valuetext")
    slider.press("ArrowRight")
    expect(slider).not_to_have_attribute("aria-valuetext", before, timeout=SLOW)
    papers.get_by_role("button", name="Papers", exact=True).click()
    expect(papers.get_by_role("button", name="Stop")).to_be_visible(timeout=SLOW)
    papers.get_by_role("button", name="Stop").click()
    expect(papers.get_by_role("status").filter(has_text="Stopped.")).to_be_visible(timeout=SLOW)


def test_a_demonstration_follows_its_controls_and_bad_settings_get_a_sentence(papers):
    papers.get_by_role("button", name="A condition on all copies").click()
    levels = papers.get_by_role("textbox", name="Noise s of the copies")
    levels.fill("0.2, 0.4, 0.4")
    levels.press("Enter")
    expect(papers.get_by_text("Run with noise s of the copies 0.2, 0.4, 0.4.")).to_be_visible(timeout=SLOW)
    levels.fill("much")
    levels.press("Enter")
    expect(papers.get_by_role("status").filter(has_text="must be a number")).to_be_visible(timeout=SLOW)
    # Undo and Back; `test_papers_page.py` has more of them, and links.
    papers.get_by_role("button", name="Undo").click()
    expect(levels).to_have_value("0.25, 0.5, 0.6", timeout=SLOW)
    papers.go_back()
    expect(tiles(papers).nth(50)).to_be_visible(timeout=SLOW)
    papers.go_forward()
    expect(papers.get_by_role("heading", level=1)).to_contain_text("A condition on all copies", timeout=SLOW)


def test_the_keyboard_opens_a_tile_the_top_is_seen_and_nothing_is_wider_than_the_page(papers):
    for name in ("Collusion as copies are released", "The cap of a sphere"):
        tile = papers.get_by_role("button", name=name)
        tile.focus()
        papers.keyboard.press("Enter")
        heading = papers.get_by_role("heading", level=1)
        expect(heading).to_contain_text(name, timeout=SLOW)
        expect(heading).to_be_in_viewport(timeout=SLOW)
        expect(papers.get_by_role("img").first).to_be_visible(timeout=SLOW)
        for size in ((1440, 900), (1024, 768)):
            fits(papers, *size)
        leave(papers)
        expect(tile).to_be_in_viewport(timeout=SLOW)
