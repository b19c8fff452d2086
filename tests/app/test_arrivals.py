"""A copy that joins arrives: its pin drops and the belief narrows in one movement, and at once with reduced motion."""

import pytest

from tests.app.pages import settled, tick, wait_until

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


@pytest.mark.parametrize("kind", ["trust", "categories"])
def test_a_copy_that_joins_arrives_with_a_movement(go_to, kind):
    page = go_to(f"?page={kind}")
    box = page.get_by_role("checkbox", name="is in the coalition").nth(1)
    least, seen = 2 if kind == "trust" else 1, {}
    for motion in ("no-preference", "reduce"):
        page.emulate_media(reduced_motion=motion)
        tick(box, False)
        settled(page)
        page.evaluate(RECORD)
        tick(box, True)
        settled(page)
        if motion == "no-preference":
            wait_until(page, "(least) => new Set(window.moved).size >= least", least)
        else:
            page.wait_for_timeout(500)
        seen[motion] = page.evaluate("() => { window.watching = false; return window.moved }")
    page.emulate_media(reduced_motion="no-preference")
    assert len(set(seen["no-preference"])) >= least
    assert not seen["reduce"]
