"""Every page opens, answers its slider and complains of nothing, with all patches of the framework and without any; and
another app under the same `panel serve` keeps its style sheets and knows when it is busy."""

import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.app.conftest import Window, free_port, running
from tests.app.pages import settled
from trustscope.app.pages import PAGES

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", params=["patched", "plain"])
def server(request):
    """A server with all patches, or without any."""
    port, plain = free_port(), "1" if request.param == "plain" else ""
    command = ["env", f"TRUSTSCOPE_PLAIN={plain}", sys.executable, "-m", "trustscope", "--port", str(port), "--no-open"]
    with running(command, port) as address:
        yield address


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_and_answers(browser, server, name):
    window = Window(browser, server, f"?page={name}")
    page = settled(window.page)
    expect(page.get_by_role("heading", level=1).first).not_to_be_empty()
    if name == "trust":  # by way of the server: a control, the picture, the address
        before = page.url
        page.get_by_role("slider").first.press("ArrowRight")
        expect(page).not_to_have_url(before)
        settled(page)
    other = "Survey" if name != "survey" else "Trust"
    page.get_by_role("navigation", name="Pages").get_by_role("button", name=other).click()
    expect(page).to_have_url(re.compile(f"page={other.lower()}"))
    settled(page)
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


def test_another_app_beside_ours_keeps_everything(browser, tmp_path):
    port = free_port()
    (tmp_path / "other.py").write_text(OTHER)
    app = Path(__file__).parents[2] / "app"
    command = [sys.executable, "-m", "panel", "serve", str(app), str(tmp_path / "other.py"), "--port", str(port)]
    with running(command, port, "/app") as address:
        ours = browser.new_page()
        ours.goto(address + "?page=trust")
        ours.get_by_role("heading", level=1).first.wait_for()
        other = browser.new_page()
        other.goto(address.replace("/app", "/other"))
        other.get_by_role("button", name="Work").click()
        expect(other.get_by_text("busy: True")).to_be_visible()
        linked = """() => {
          const deep = (node) => [node, ...[...(node.shadowRoot?.children ?? []), ...node.children].flatMap(deep)]
          return deep(document.body).filter((one) => one.tagName === "LINK" && one.rel === "stylesheet").length
        }"""
        assert other.evaluate(linked) >= 6
        assert ours.evaluate(linked) < other.evaluate(linked)
        ours.close()
        other.close()
