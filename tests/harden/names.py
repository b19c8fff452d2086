"""Names that are markup and scripts, in every place where somebody can write one, looked at in a live browser."""

import csv
import json
import re
import tempfile
import urllib.parse
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests import chromium
from tests.app.pages import settled
from tests.harden.ground import Report, attacked
from tests.waiting import LONG
from trustscope.scenarios.link import query_of
from trustscope.scenarios.pages import kind_of
from trustscope.scenarios.trust.scenario import TrustScenario

MARK = "hacked"
NASTY = (
    f"<img src=x onerror=window.{MARK}=1>",
    f"\"'><svg onload=window.{MARK}=1>",
    f"</script><script>window.{MARK}=1</script>",
    f"javascript:window.{MARK}=1",
    "{{constructor.constructor('alert(1)')()}}",
)
# As long as a recipient's name may be: run, they would be an error in the console.
SHORT = ("<img src=x onerror=a()>", "<svg onload=a()>", "<script>a()</script>", "'\"><img src=x onload=a>")
# Elements that a name has become, also inside of shadow roots.
BORN = """() => {
  const NAMES = 'img[src="x"], svg[onload], [onerror], [href^="javascript:"]'
  const found = []
  const walk = (root) => root.querySelectorAll("*").forEach((one) => {
    if (one.matches(NAMES)) found.push(one.outerHTML.slice(0, 80))
    if (one.shadowRoot) walk(one.shadowRoot)
  })
  walk(document)
  return found
}"""

# How often they stand there as text.
SHOWN = """() => {
  let count = 0
  const walk = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) count += /onerror=|onload=|<script/.test(texts.currentNode.data)
    root.querySelectorAll("*").forEach((one) => { if (one.shadowRoot) walk(one.shadowRoot) })
  }
  walk(document.body)
  return count
}"""


def names(report: Report) -> None:
    """Datasets, columns, categories, recipients, links and lessons with hostile names, in a live browser."""
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        browser = play.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        with attacked("serve") as server:
            for place, act in (("recipients", _recipients), ("file", _file), ("link", _link)):
                _look(browser, report, place, lambda page, act=act: act(page, server.address, Path(folder)))
        with attacked("class", str(_lesson(Path(folder)))) as server:
            code = re.search(r"type the code (\w{4} \w{4})", server.said)[1].replace(" ", "")
            teacher = re.search(r"is at (\S+)", server.said)[1]
            _look(browser, report, "lesson, teacher", lambda page: _visit(page, teacher))
            _look(browser, report, "lesson, student", lambda page: _visit(page, f"{server.address}/class?code={code}"))
        browser.close()


SECRET = "Jane Roe of Elm Street"


def files(report: Report) -> None:
    """Links that name a file of the server as their data, on each page, in a live browser."""
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "people.csv")
        table.write_text("Name,Illness,Age,Income\n" + "".join(f"{SECRET},{SECRET},{n},{n}\n" for n in range(90)))
        browser = play.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        with attacked("serve") as server:
            for name in ("trust", "categories", "rotation", "survey", "release"):
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.set_default_timeout(LONG)
                page.goto(f"{server.address}/?{query_of(kind_of(name)().replace({'data.name': str(table)}))}")
                refused = page.get_by_text(re.compile("There is no dataset called")).first
                refused.wait_for()
                shown = page.get_by_text(re.compile(f"{SECRET}|90 (rows|people|records)")).count()
                report.say(f"{name}: “{refused.inner_text()[:80]} …”")
                report.hold(shown == 0, f"{name}: nothing of the file is shown")
                page.context.close()
        browser.close()


def _look(browser, report, place, act):
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(LONG)
    heard = []
    page.on("dialog", lambda one: (heard.append(f"dialog: {one.message}"), one.dismiss()))
    page.on("pageerror", lambda one: heard.append(str(one)))
    page.on("console", lambda one: one.type == "error" and heard.append(one.text))
    act(page)
    shown, born, run = page.evaluate(SHOWN), page.evaluate(BORN), page.evaluate(f"window.{MARK}")
    report.say(f"{place}: {shown} hostile names stand on the page as text")
    if place != "link":  # what a link says wrongly is not repeated on the page
        report.hold(shown > 0, f"{place}: the names are on the page at all")
    report.hold(run is None and not born, f"{place}: no name became an element or ran ({born[:1]})")
    report.hold(not heard, f"{place}: no dialog and no error ({heard[:1]})")
    page.context.close()


def _open(page, address, query):
    page.goto(f"{address}/?{query}")
    page.get_by_role("heading", level=1).wait_for()
    settled(page)


def _recipients(page, address, folder):
    before = TrustScenario().settings.recipients
    named = tuple(one.replace({"name": name}) for one, name in zip(before, SHORT, strict=False))
    _open(page, address, query_of(TrustScenario().replace({"settings.recipients": named})))


def _file(page, address, folder):
    path = folder / f"{NASTY[0].replace('/', '')}.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        # Values that stand below as well would be taken for a record, and there would be no header.
        table.writerow([f"Illness {NASTY[0]}", f"Town {NASTY[2]}", f"Work {NASTY[1]}", "age"])
        table.writerows([NASTY[i % 3], NASTY[i % 5], NASTY[i % 2], i % 90] for i in range(300))
    _open(page, address, "page=categories")
    page.get_by_role("button", name="change Data").click()
    page.get_by_label(re.compile("^Drop a CSV")).set_input_files(path)
    page.get_by_role("button", name="Use these data").click()
    page.get_by_text(re.compile("300 records")).first.wait_for()
    settled(page)


def _link(page, address, folder):
    query = urllib.parse.urlencode({"page": "trust", "dataset": NASTY[0], "s": NASTY[2], "parts": NASTY[1]})
    _open(page, address, query)


def _visit(page, address):
    page.goto(address)
    page.get_by_text(re.compile(f"window.{MARK}")).first.wait_for()  # what the lesson is called


def _lesson(folder) -> Path:
    step = {
        "kind": "look",
        "title": NASTY[0],
        "text": f"{NASTY[2]} *{NASTY[1]}*",
        "cards": ["headline"],
        "controls": [],
    }
    path = folder / "nasty.json"
    path.write_text(json.dumps({
        "trustscope_lesson": 1, "id": "nasty", "title": NASTY[0], "about": NASTY[1], "minutes": 2, "page": "trust",
        "scenario": {"data": {"name": "iris"}}, "steps": [step],
    }))  # fmt: skip
    return path
