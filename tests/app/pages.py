"""What the browser tests of all pages look for and do."""

import os
import re

from playwright.sync_api import expect

# Milliseconds that a busy machine may take; a quiet one takes a fraction of a second.
LONG = 1_000 * int(os.environ.get("PATIENCE", "120"))


def verdict(page):
    """The sentence that a person reads first, and its number."""
    return page.get_by_role("region", name="Verdict")


def settled(page):
    """Wait until the figures are those of all rows, and the last change has been taken in."""
    expect(page.locator("section[data-working=false]")).to_be_visible(timeout=LONG)
    return page


def tick(box, on=True):
    """Tick a box, or choose one of several, by keys: a label covers it, and what moves cannot be missed that way."""
    if box.is_checked() != on:
        box.press("Space")
    expect(box).to_be_checked(checked=on)


def scheme(page, name):
    """Choose how the copies hang together."""
    tick(page.get_by_role("radio", name=name, exact=True))


def unfold(page, label):
    """Open the controls behind a line."""
    page.get_by_role("button", name=f"change {label}", exact=True).click()


def person_told(page):
    """The picture of one person in a sentence, as a screen reader has it."""
    return page.get_by_text(re.compile("; given: ")).first


def look_closer(page, title):
    """Open a view under the two pictures."""
    page.get_by_role("tab", name=title).click()
