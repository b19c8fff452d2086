"""The real page in a real browser: the connection is lost, the server dies or is stopped and comes back."""

import contextlib
import os
import signal

import pytest
from playwright.sync_api import expect

from tests.app.pages import LONG, settled, verdict
from tests.serving.visitors import TIMEOUT, free_port, serving
from tests.serving.wire import Wire

SMALL = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
# Functions: the page's Content-Security-Policy forbids to evaluate a text again and again.
GREY = """() => {
  for (let part = document.querySelector('main'); part; part = part.parentElement)
    if (getComputedStyle(part).filter.includes('grayscale(1)')) return true
  return false
}"""


@contextlib.contextmanager
def served(port, *options):
    with serving("trustscope", "serve", "--no-open", "--port", str(port), *options, env=SMALL) as server:
        server.wait_for("Trustscope is at")
        yield server


@contextlib.contextmanager
def changed_page(browser, address):
    """A page on which one recipient's trust was set to 37 %."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(LONG)
    page.goto(f"{address}?dataset=iris", wait_until="commit")
    settled(page)
    before, address = verdict(page).text_content(), page.url
    box = trust(page)
    box.fill("37")
    box.press("Enter")
    expect(verdict(page)).not_to_have_text(before)
    page.wait_for_function("address => location.href !== address", arg=address)
    settled(page)
    page.evaluate("window.before = true")
    yield page
    context.close()


def trust(page):
    return page.get_by_role("textbox", name="Trust in Ministry, typed")


def lost(page, sentence="The connection is lost."):
    expect(page.get_by_role("alert")).to_contain_text(sentence)
    page.wait_for_function(GREY)


def back(page, address, said):
    """The page was opened anew, with what stood on it; it works."""
    page.wait_for_function("() => !window.before")
    settled(page)
    assert page.url == address
    expect(trust(page)).to_have_value("37")
    expect(verdict(page)).to_have_text(said)
    expect(page.get_by_role("alert")).to_be_empty()
    trust(page).fill("64")
    trust(page).press("Enter")
    page.wait_for_function("address => location.href !== address", arg=address)


@pytest.mark.browser
def test_a_server_that_was_killed_or_stopped_finds_its_page_again(browser):
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    with contextlib.ExitStack() as stack:
        with served(port) as server:
            page = stack.enter_context(changed_page(browser, address))
            said, link = verdict(page).text_content(), page.url
            server.process.kill()
            server.process.wait(TIMEOUT)
            lost(page)
        with served(port) as server:
            back(page, link, said)
            page.evaluate("window.before = true")
            server.process.send_signal(signal.SIGTERM)
            lost(page, "The server was stopped.")
            assert server.process.wait(TIMEOUT) == 0


@pytest.mark.browser
def test_a_connection_that_is_lost_for_a_moment_comes_back(browser):
    port, outside = free_port(), free_port()
    address = f"http://127.0.0.1:{outside}/"
    wire = Wire(port, outside)
    with served(port, "--origin", f"http://127.0.0.1:{outside}"), changed_page(browser, address) as page:
        said, link = verdict(page).text_content(), page.url
        wire.cut()
        lost(page)
        wire.mend()
        back(page, link, said)
    wire.cut()
