"""Opening pages in a real browser: until the first pictures stand there, against an empty page of the same frame."""

import statistics
import time

from playwright.sync_api import sync_playwright

from benchmarks.bench_browser import served
from benchmarks.harness import Benchmark
from tests.chromium import FLAGS, find

ROUNDS = 5
REST = 1.0  # seconds until a page that was left does not keep the server busy any more
PAGES = ("learn", "trust", "categories", "rotation", "survey", "papers", "release")
# Milliseconds since a moment until a headline that says something is on the screen; pictures come with it.
TOLD = """
async (since) => {
  const deep = (node) => {
    for (const child of [...(node.shadowRoot?.children ?? []), ...(node.children ?? [])]) {
      const seen = child.tagName === "H1" && child.checkVisibility()
      if (seen && child.textContent.trim()) return child
      const found = deep(child)
      if (found) return found
    }
  }
  while (!deep(document.body)) await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  return performance.now() - since
}
"""
# Turn to another page by the bar, as a person does; the old headline must be gone before the new one counts, which may
# say the same.
TURN = """
async (title) => {
  const deep = (node, found = []) => {
    for (const child of [...(node.shadowRoot?.children ?? []), ...(node.children ?? [])]) {
      found.push(child)
      deep(child, found)
    }
    return found
  }
  const seen = (n) => n.tagName === "H1" && n.checkVisibility()
  const told = () => deep(document.body).find((n) => seen(n) && n.textContent.trim())
  const tab = () => deep(document.body).find((n) => n.tagName === "BUTTON" && n.textContent.trim() === title)
  while (!tab()) await new Promise(requestAnimationFrame)
  const before = told()
  const start = performance.now()
  tab().click()
  while (!told() || told() === before) await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  return performance.now() - start
}
"""


def _medians(measure):
    """The median of what `measure(browser, address, times)` adds to `times`, by name, over some rounds."""
    times = {}
    with served() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find(), args=FLAGS)
        for turn in range(ROUNDS + 1):
            seen = {}
            measure(browser, address, seen)
            if turn:  # in the first round the server reads its data
                for name, seconds in seen.items():
                    times.setdefault(name, []).append(seconds)
        browser.close()
    return {name: statistics.median(all_of_it) for name, all_of_it in times.items()}


def _opened(browser, url):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(url)
    return page, page.evaluate(TOLD, 0)


def _first(browser, address, seen):
    for name in ("empty", *PAGES):
        page, seen[name] = _opened(browser, f"{address}/empty" if name == "empty" else f"{address}/app?page={name}")
        page.context.close()
        time.sleep(REST)


def _again(browser, address, seen):
    page, seen["empty"] = _opened(browser, f"{address}/empty")
    page.context.close()
    page, _ = _opened(browser, f"{address}/app?page=learn")
    for name in (*PAGES[1:], "learn"):
        page.evaluate(TURN, name.title())
    for name in PAGES[1:]:
        seen[name] = page.evaluate(TURN, name.title())
    page.context.close()


def first_opening() -> float:
    """The slowest page."""
    times = _medians(_first)
    return max(times[name] for name in PAGES) / times["empty"]


def later_opening() -> float:
    """The slowest page."""
    times = _medians(_again)
    return max(times[name] for name in PAGES[1:]) / times["empty"]


BENCHMARKS = [
    Benchmark(
        "the slowest page, opened first / an empty page of the same frame", first_opening, limit=1.5, tags=("app",)
    ),
    Benchmark(
        "the slowest page, turned to again / opening an empty page of the same frame", later_opening, limit=0.5,
        tags=("app",),
    ),
]  # fmt: skip

if __name__ == "__main__":
    for name, measure in (("first", _first), ("again", _again)):
        print(name, {page: round(time) for page, time in _medians(measure).items()})
