"""Every page opens, answers and complains of nothing without any patch of the framework; and another app under the same
`panel serve` keeps its style sheets and knows when it is busy."""

import re
import sys
from pathlib import Path

import pytest

from tests.app.conftest import Window, free_port, running
from tests.app.pages import settled, verdict
from tests.waiting import expect
from trustscope.app.pages import PAGES

pytestmark = pytest.mark.browser


@pytest.fixture
def plain():
    """A server without any patch."""
    port = free_port()
    command = ["env", "TRUSTSCOPE_PLAIN=1", sys.executable, "-m", "trustscope", "--port", str(port), "--no-open"]
    with running(command, port) as address:
        yield address


@pytest.mark.sweep
@pytest.mark.parametrize("third", range(3))
def test_every_page_opens_and_answers_without_any_patch(browser, plain, third):
    """A window is opened with a page and turned to others. With all patches every other browser test opens pages."""
    window = Window(browser, plain, "?page=trust")
    page, before = window.page, window.page.url
    page.get_by_role("slider").first.press("ArrowRight")  # by way of the server: a control, the picture, the address
    expect(page).not_to_have_url(before)
    settled(page)
    for name, entry in list(PAGES.items())[third::3]:
        page.get_by_role("navigation", name="Pages").get_by_role("button", name=entry.title, exact=True).click()
        expect(page).to_have_url(re.compile(f"page={name}"))
        settled(page)
        expect(page.get_by_role("heading", level=1).filter(visible=True).first).not_to_be_empty()
    window.context.close()
    assert not window.complaints


OTHER = """
import panel as pn
pn.extension()
button = pn.widgets.Button(name="Work")
said = pn.pane.HTML("<p>idle</p>")
seen = []
pn.state.param.watch(lambda event: seen.append(event.new), "busy")
def work(event):
    said.object = f"<p>busy: {pn.state.busy}</p>"
button.on_click(work)
pn.Column(button, said).servable()
"""


def test_panels_own_server_shows_a_page_and_another_app_beside_ours_keeps_everything(browser, tmp_path):
    """Panel's server does not wait until a page is built, as ours does."""
    port = free_port()
    (tmp_path / "other.py").write_text(OTHER)
    app = Path(__file__).parents[2] / "app"
    command = [sys.executable, "-m", "panel", "serve", str(app), str(tmp_path / "other.py"), "--port", str(port)]
    with running(command, port, "/app") as address:
        ours, complaints = browser.new_page(), []
        ours.on("console", lambda m: m.type in ("error", "warning") and complaints.append(m.text))
        ours.on("pageerror", lambda e: complaints.append(str(e)))
        ours.goto(address + "?page=trust")
        settled(ours)
        ours.get_by_role("button", name="Rotation", exact=True).click()
        expect(verdict(ours)).to_contain_text("every distance stays")
        settled(ours)
        other = browser.new_page()
        other.goto(address.replace("/app", "/other"))
        other.get_by_role("button", name="Work").click()
        expect(other.get_by_text("busy: True")).to_be_visible()
        designed = """() => {
          const deep = (node) => [node, ...[...(node.shadowRoot?.children ?? []), ...node.children].flatMap(deep)]
          return deep(document.body).filter((one) => one.tagName === "LINK" && one.href.includes("/theme/")).length
        }"""
        assert other.evaluate(designed) >= 4
        assert ours.evaluate(designed) == 0
        ours.close()
        other.close()
        assert not complaints
