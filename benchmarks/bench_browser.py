"""A slider step in a real browser: until the plots are redrawn, against a page that echoes the number."""

import contextlib
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

from playwright.sync_api import sync_playwright

from benchmarks.harness import Benchmark
from tests.chromium import FLAGS, find

ROUNDS, STEPS = 10, 6

# When a canvas was last cleared (Bokeh clears before it paints, in an animation frame), and which frame the page is
# just preparing: a change in one of its callbacks, or in what they leave to be done at once, belongs to that frame.
WATCH = """
() => {
  window.painted = new Map()
  window.frame = null
  const clear = CanvasRenderingContext2D.prototype.clearRect
  CanvasRenderingContext2D.prototype.clearRect = function (...a) {
    window.painted.set(this.canvas, [performance.now(), window.frame])
    return clear.apply(this, a)
  }
  const ask = window.requestAnimationFrame
  window.requestAnimationFrame = (callback) => ask.call(window, (time) => {
    window.frame = time
    try { callback(time) } finally { queueMicrotask(() => { window.frame = null }) }
  })
}
"""
# One step of the first slider that is seen; answers how long it took until the screen showed all that it set in
# motion: canvases that were painted, and elements of pictures, headline and captions that changed. What changes while a
# frame is prepared is on the screen when the next begins. What changes between two frames belongs to the one that is
# prepared next; that may have begun before, when the page was too busy to prepare it. What is said to screen readers
# alone is not on the screen, nor is the plot below the two pictures at 1440x900: it does not follow a drag there, and
# is drawn when it is scrolled to. The slider is held throughout: the full pass over all rows comes with letting go.
STEP = """
async (echo) => {
  const deep = (node, found = []) => {
    if (node.shadowRoot) deep(node.shadowRoot, found)
    for (const child of node.children ?? []) { found.push(child); deep(child, found) }
    return found
  }
  const all = deep(document.body)
  const input = all.find((n) => n.matches?.("input[type=range]") && n.getClientRects().length)
  const changes = []
  // Bokeh takes all attributes away and writes them anew where one has changed: what counts is how each was at first.
  const seen_by_eye = (all) => {
    const before = new Map()
    for (const {type, target, attributeName: name, oldValue} of all) {
      if (type !== "attributes") return true
      if (!before.has(target)) before.set(target, new Map())
      if (!before.get(target).has(name)) before.get(target).set(name, oldValue)
    }
    return [...before].some(([target, names]) =>
      [...names].some(([name, value]) => !name.startsWith("aria-") && target.getAttribute(name) !== value))
  }
  const observer = new MutationObserver((all) => {
    if (seen_by_eye(all)) changes.push([performance.now(), window.frame])
  })
  const place = echo ? all.find((n) => n.tagName === "P").getRootNode() : all.find((n) => n.tagName === "MAIN")
  const roots = echo ? [place] : deep(place).filter((n) => n.shadowRoot).map((n) => n.shadowRoot)
  const seen = {subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true}
  for (const root of roots) observer.observe(root, seen)
  input.dispatchEvent(new PointerEvent("pointerdown")) // held, as in a drag
  const frames = []
  const start = performance.now()
  input.value = Number(input.value) + (Number(input.value) < 60 ? 1 : -9)
  input.dispatchEvent(new Event("input", {bubbles: true}))
  const next = () => new Promise((done) => requestAnimationFrame((frame) => done({frame, prepared: performance.now()})))
  while (performance.now() - start < 230) frames.push(await next())
  observer.disconnect()
  const shown = ([time, frame]) => {
    const of = frame ?? frames.find((one) => one.prepared > time).frame
    return frames.find((one) => one.frame > of).frame
  }
  const painted = [...window.painted.values()].filter(([time]) => time > start)
  if (!changes.length) return null
  return Math.max(...[...changes, ...painted].map(shown)) - start
}
"""


@contextlib.contextmanager
def served():
    """The address of a server with both pages."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "benchmarks.pages", str(port)], stdout=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(120):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{address}/echo").close()
                break
            time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        server.wait()


def slider_step() -> float:
    """Time of a step until all is redrawn, over that until the echoed number stands there.

    It is said what it is, too, on a screen that is tall enough for the plot below the pictures.

    Both are whole frames of the screen, a few: their median jumps from one number of frames to the next. So it is the
    mean, without the fastest and the slowest tenth.
    """
    with served() as address, sync_playwright() as play:
        tall = _ratio(address, play, 1300)
        print(f"    with the view below the pictures on the screen (1440x1300): {tall:.2f}", flush=True)
        return _ratio(address, play, 900)


def _ratio(address, play, height) -> float:
    with contextlib.closing(play.chromium.launch(executable_path=find(), args=FLAGS)) as browser:
        pages = {name: _open(browser, f"{address}/{name}?page=trust", height) for name in ("app", "echo")}
        pages["app"].get_by_role("heading", name="Everyone at once").wait_for()
        times = {"app": [], "echo": []}
        for _ in range(ROUNDS):
            for name, page in pages.items():
                page.bring_to_front()
                for _ in range(STEPS):
                    times[name].append(page.evaluate(STEP, name == "echo"))
                    page.wait_for_timeout(150)
    missed = {name: t.count(None) for name, t in times.items()}
    if any(missed.values()):
        raise RuntimeError(f"steps that were not answered within 230 ms: {missed}")
    return _typical(times["app"]) / _typical(times["echo"])


def _typical(times):
    cut = len(times) // 10
    return statistics.mean(sorted(times)[cut:-cut])


def _open(browser, url, height=900):
    page = browser.new_page(viewport={"width": 1440, "height": height})
    page.add_init_script(f"({WATCH})()")
    page.goto(url)
    page.get_by_role("slider").first.wait_for()
    page.wait_for_timeout(3000)
    return page


BENCHMARKS = [
    Benchmark(
        "a slider step to redrawn pictures (100 000 rows, 6 recipients) / a page that echoes the number",
        slider_step,
        limit=1.5,
        tags=("browser", "app"),
    )
]
