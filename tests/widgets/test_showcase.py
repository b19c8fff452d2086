"""All new widgets together on a page that a server serves: what only a real page can show."""

import re
import sys

import pytest

from tests.app.conftest import free_port, running
from tests.app.pages import wait_until
from tests.axe import violations
from tests.waiting import expect

pytestmark = pytest.mark.browser

COMMAND = [sys.executable, "-m", "tests.widgets.showcase", "--port"]
WIDE, PHONE = (1440, 900), (390, 844)


@pytest.fixture(scope="module")
def showcase():
    port = free_port()
    with running([*COMMAND, str(port)], port) as address:
        yield address


@pytest.fixture(scope="module")
def page(browser, showcase):
    """One window for all: tests that leave it as it was come first, and each of the others changes something else."""
    context = browser.new_context(viewport={"width": WIDE[0], "height": WIDE[1]})
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(showcase)
    page.get_by_role("img", name="How close the guesses come").wait_for()
    yield page
    context.close()


def test_axe_is_awake(page):
    """What is wrong is found, or an empty list would mean nothing."""
    wrong = """<div id="bad"><button></button><button aria-label="close">open it now</button><dl><div><dt>a</dt>
      <small>b</small></div></dl><table><tr><th></th><td>1</td></tr></table></div>"""
    page.evaluate("(wrong) => document.querySelector('main').insertAdjacentHTML('beforeend', wrong)", wrong)
    found = {line.split(" ")[0] for line in violations(page, within="#bad")}
    page.evaluate("document.querySelector('#bad').remove()")
    assert found >= {"button-name", "label-content-name-mismatch", "definition-list", "empty-table-header"}


FOCUSED = """() => {
  let node = document.activeElement
  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement
  return node.textContent
}"""


def test_a_plot_names_and_describes_itself_and_is_no_stop_of_the_tab_key(page):
    plot = page.get_by_role("img", name="How close the guesses come")
    assert plot.get_attribute("aria-description").startswith("alone: 0\u202f% at 0 to 97.2\u202f% at 50\u202f000;")
    page.get_by_role("button", name="CSV of How close the guesses come").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "change Data"


def saved(page, name):
    """What clicking this button downloads."""
    with page.expect_download() as caught:
        page.get_by_role("button", name=name).click()
    return caught.value


def test_a_table_is_downloaded(page):
    table = saved(page, "CSV of As more of them pool")
    assert table.suggested_filename == "as-more-of-them-pool.csv"
    lines = table.path().read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "who pools,independent,nested"
    assert lines[-1] == '"Ministry, University, Insurer, Bank, Press and Start-up",0.51,0.33'
    again = saved(page, "CSV of As more of them pool")  # the same twice is saved twice
    assert again.path().read_text(encoding="utf-8-sig").splitlines() == lines


def test_nothing_breaks_a_rule_of_axe_or_leaves_the_screen(page):
    found_in_order(page, WIDE, PHONE)
    page.get_by_role("tab", name="Every coalition").click()
    page.get_by_role("region", name="Every coalition").wait_for()
    page.get_by_role("button", name="change Data").click()
    page.get_by_role("slider", name="Rows").wait_for()
    page.get_by_role("button", name="other view").click()
    page.get_by_role("img", name="One person's age: the path").wait_for()
    found_in_order(page, PHONE, WIDE)


# As the page's own script does it when it is opened in a dark browser.
THEME = "(theme) => { document.documentElement.dataset.theme = theme }"


def found_in_order(page, *sizes):
    """All rules at the first size; what is dark differs in its colours, which do not hang on the width."""
    for wide, high in reversed(sizes):
        page.set_viewport_size({"width": wide, "height": high})
        wait_until(page, f"document.documentElement.scrollWidth <= {wide}")
    assert violations(page) == []
    page.evaluate(THEME, "dark")
    assert violations(page, colours=True) == []
    page.evaluate(THEME, "light")
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})


def test_a_headline_keeps_its_height(page):
    verdict = page.get_by_role("region", name="Verdict")
    before = verdict.bounding_box()
    page.get_by_role("button", name="other noise").click()
    expect(verdict).to_contain_text("no better than the best")
    assert verdict.bounding_box() == before
    expect(verdict).to_have_class(re.compile("safe"))


def test_one_view_is_on_the_page_at_a_time(page):
    page.get_by_role("tab", name="Every coalition").click()
    page.get_by_role("region", name="Every coalition").wait_for()
    expect(page.get_by_role("img", name="How close")).to_have_count(0)
    page.get_by_role("tab", name="Every coalition").press("ArrowLeft")
    page.get_by_role("img", name="Share recovered").wait_for()
    expect(page.get_by_role("region", name="Every coalition")).to_have_count(0)


def test_a_network_that_is_away_is_said_too(page):
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("The connection is lost.")
    page.context.set_offline(False)
    wait_until(page, "!document.documentElement.classList.contains('ts-lost')")
