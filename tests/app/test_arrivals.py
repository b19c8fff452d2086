"""A copy that joins arrives: its pin drops and the belief narrows in one movement, and at once with reduced motion."""

import pytest

from tests.app.pages import settled, tick

pytestmark = pytest.mark.browser

# Notes from now on what moves: the places of the pin that drops, and the widths of the belief on the way.
RECORD = """() => {
  window.moved = []
  const seek = (root, what) => [...root.querySelectorAll("*")].flatMap((one) => [
    ...(one.matches(what) ? [one] : []), ...(one.shadowRoot ? seek(one.shadowRoot, what) : [])])
  window.watching = true
  const look = () => {
    const falling = seek(document, "svg g[transform]").map((one) => one.getAttribute("transform"))
    const dropping = seek(document, ".pin.drops").flatMap((one) => one.getAnimations())
      .filter((one) => one.playState === "running")
    if (falling.length || dropping.length) window.moved.push(falling[0] ?? "pin")
    if (window.watching) requestAnimationFrame(look)
  }
  look()
}"""


def moved(page):
    """What moves while the second recipient joins."""
    box = page.get_by_role("checkbox", name="is in the coalition").nth(1)
    tick(box, False)
    settled(page)
    page.evaluate(RECORD)
    tick(box, True)
    settled(page)
    page.wait_for_timeout(500)
    return page.evaluate("() => { window.watching = false; return window.moved }")


@pytest.mark.parametrize("kind", ["trust", "categories"])
def test_a_copy_that_joins_arrives_with_a_movement(go_to, kind):
    """A movement takes 0.3 s: on a busy machine one may pass between two frames, so there are more tries."""
    page = go_to(f"?page={kind}")
    page.emulate_media(reduced_motion="reduce")
    assert not moved(page)
    page.emulate_media(reduced_motion="no-preference")
    assert any(len(set(moved(page))) >= (2 if kind == "trust" else 1) for _ in range(20))
