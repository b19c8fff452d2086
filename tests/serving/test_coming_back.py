"""The real page in a real browser: the connection is lost, the server dies or is stopped and comes back."""

import contextlib
import os
import signal

import pytest

from tests.app.pages import settled, verdict, wait_until
from tests.axe import violations
from tests.serving.visitors import TIMEOUT, free_port, serving
from tests.serving.wire import Wire
from tests.waiting import LONG, expect

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
    change(page, "37")
    yield page
    context.close()


def trust(page):
    return page.get_by_role("textbox", name="Trust in Ministry, typed")


def change(page, percent):
    """Set the trust to another value; the page is marked, so that one that was opened anew can be told."""
    before, address = verdict(page).text_content(), page.url
    trust(page).fill(percent)
    trust(page).press("Enter")
    expect(verdict(page)).not_to_have_text(before)
    wait_until(page, "address => location.href !== address", address)
    settled(page)
    page.evaluate("window.before = true")


def lost(page, sentence="The connection is lost. What you see is no longer updated."):
    expect(page.get_by_role("alert")).to_contain_text(sentence)
    wait_until(page, GREY)
    expect(page.get_by_role("button", name="Try now")).to_be_visible()


def back(page, address, percent, said, then):
    """The page was opened anew, with what stood on it; it works. What its address and its verdict are then."""
    wait_until(page, "() => !window.before")
    settled(page)
    assert page.url == address
    expect(trust(page)).to_have_value(percent)
    expect(verdict(page)).to_have_text(said)
    expect(page.get_by_role("alert")).to_be_empty()
    change(page, then)
    return page.url, verdict(page).text_content()


@pytest.mark.browser
def test_a_page_comes_back_after_a_lost_connection_and_a_killed_server_and_says_when_the_server_was_stopped(browser):
    """One page goes through all of it. The wire is cut with the server: nobody answers at the port of a dead one."""
    port, outside = free_port(), free_port()
    address, own = f"http://127.0.0.1:{outside}/", ("--origin", f"http://127.0.0.1:{outside}")
    wire = Wire(port, outside)
    with contextlib.ExitStack() as stack:
        stack.callback(wire.cut)
        with served(port, *own) as server:
            page = stack.enter_context(changed_page(browser, address))
            link, said = page.url, verdict(page).text_content()
            expect(page.get_by_role("alert")).to_be_empty()
            wire.cut()
            lost(page)
            assert violations(page, within=".ts-connection") == []
            wire.mend()
            link, said = back(page, link, "37", said, then="64")
            server.process.kill()
            wire.cut()
            server.process.wait(TIMEOUT)
            lost(page)
        with served(port, *own, "--processes", "1") as server:  # test_class.py stops one of several
            wire.mend()
            back(page, link, "64", said, then="37")
            server.process.send_signal(signal.SIGTERM)
            lost(page, "The server was stopped.")
            assert server.process.wait(TIMEOUT) == 0
