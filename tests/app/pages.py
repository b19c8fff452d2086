"""What the browser tests of all pages look for and do."""

import re

from tests.waiting import LONG, expect


def verdict(page):
    """The sentence that a person reads first, and its number."""
    return page.get_by_role("region", name="Verdict")


def settled(page):
    """Wait until the figures are those of all rows, and the last change has been taken in."""
    # Not by `expect`, which describes the whole page whenever it does not hold yet.
    page.locator("section[data-working=false]").filter(visible=True).wait_for(timeout=LONG)
    return page


def wait_until(page, holds, arg=None):
    """Wait until a script says so. It is asked ten times a second: asked at every frame, as Playwright does by itself,
    the browser paints all the time, and a page behind a filter takes a whole core for it."""
    page.wait_for_function(holds, arg=arg, polling=100, timeout=LONG)


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


# Neither the page nor a half of it is wider than its place.
FITS = """() => [document.documentElement, ...document.querySelectorAll("aside, main")]
  .filter((part) => part.checkVisibility()).every((part) => part.scrollWidth <= part.clientWidth)"""


def fits(page, wide, high):
    """Make the window as large as this, and wait until nothing is cut off."""
    page.set_viewport_size({"width": wide, "height": high})
    wait_until(page, FITS)


# The size of every text that is seen, on the screen: what is inside a zoom or a scaled drawing has another one than
# its style says. Texts of figures are on a canvas: theirs are the sizes that Bokeh reads. What is hidden from screen
# readers is a drawing: the small pictures on Papers are not there to be read.
SIZES = """() => {
  const found = []
  const walk = (node) => {
    for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) {
      if (child.nodeType === Node.TEXT_NODE && child.textContent.trim()) {
        const owner = child.parentElement
        const range = document.createRange()
        range.selectNodeContents(child)
        const box = range.getBoundingClientRect()
        const style = getComputedStyle(owner)
        const seen = box.width > 2 && box.height > 2 && style.visibility === "visible" && style.opacity !== "0"
        const m = owner.getScreenCTM?.() ?? null // of a drawing
        const scale = m ? Math.hypot(m.a, m.b) : owner.currentCSSZoom ?? 1
        if (seen && !owner.closest(".ts-present, .unseen, sub, sup, style, script, title, .picture[aria-hidden=true]"))
          found.push([parseFloat(style.fontSize) * scale, child.textContent.trim()])
      } else if (child.nodeType === Node.ELEMENT_NODE) walk(child)
    }
  }
  walk(document.body)
  return found
}"""
