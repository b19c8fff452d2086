"""The Release page in a real browser."""

import re
import sys

import pandas as pd
import pytest

from tests.app.conftest import free_port, running
from tests.app.pages import look_closer, settled, verdict
from tests.app.release.helping import PASSPHRASE, make_ledger
from tests.waiting import LONG, expect
from trustscope.release import Ledger, keystore


@pytest.mark.browser
def test_the_rehearsal_in_a_browser(open_page, tmp_path):
    page = open_page("?page=release")
    expect(verdict(page)).to_contain_text("Nothing is out yet")
    expect(page.get_by_role("note")).to_contain_text("trustscope serve --ledgers FOLDER")
    expect(page.get_by_role("progressbar", name="The copy")).to_be_hidden()  # there is nothing to show yet
    size = page.viewport_size
    for width in (390, 1024, 1280):  # the tab of the page is in view, however little room there is
        page.set_viewport_size({"width": width, "height": 844})
        expect(page.get_by_role("button", name="Release", exact=True)).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size(size)
    for name, trust, said in (("Ministry", "60", "first one out"), ("Press", "30", "adds nothing")):
        page.get_by_role("textbox", name="Recipient").fill(name)
        page.get_by_role("textbox", name="Recipient").press("Enter")
        page.get_by_role("textbox", name="Trust, of numbers, typed").fill(trust)
        page.get_by_role("textbox", name="Trust, of numbers, typed").press("Enter")
        expect(verdict(page)).to_contain_text(said)
        make = page.get_by_role("button", name="Make the copy")
        expect(make).to_be_enabled()
        make.press("Enter")
        expect(page.get_by_text(f"The copy for “{name}” is out")).to_be_visible()
        expect(make).to_be_focused()  # there is nothing left to make, and a keyboard goes on from here
    expect(verdict(page)).to_contain_text("Two copies are out")
    page.get_by_role("textbox", name="Recipient").fill("Bank")
    page.get_by_role("textbox", name="Recipient").press("Enter")
    page.get_by_role("slider", name="Trust, of numbers").fill("90")
    expect(verdict(page)).to_contain_text("The rules refuse this copy for Bank")
    expect(page.get_by_role("button", name="Make the copy")).to_be_disabled()
    expect(page.get_by_role("table", name="The best copy of every coalition of holders")).to_contain_text("90")
    expect(page.get_by_role("table", name="Copies that are out")).to_contain_text("Press")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the file").click()
    waiting.value.save_as(tmp_path / "press.parquet")
    assert list(pd.read_parquet(tmp_path / "press.parquet")) == [
        "Age",
        "Income",
        "Education",
        "Occupation",
        "Salary band",
    ]
    look_closer(page, "History")
    expect(page.get_by_role("table", name="Events of the ledger, the latest first")).to_contain_text("the copy is out")
    look_closer(page, "Check")
    page.get_by_role("button", name="Check everything").click()
    expect(page.get_by_text("Everything holds")).to_be_visible()
    look_closer(page, "Report")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the report").click()
    waiting.value.save_as(tmp_path / "report.html")
    assert "What was released" in (tmp_path / "report.html").read_text()
    settled(page)


@pytest.mark.browser
def test_a_ledger_and_its_passphrase_in_a_browser(browser, tmp_path, monkeypatch):
    """What the server sends, and what it logs at its most talkative, never holds the passphrase."""
    monkeypatch.setattr(keystore, "COST", 2**4)
    ledgers = tmp_path / "ledgers"
    ledgers.mkdir()
    make_ledger(ledgers / "survey", tmp_path).close()
    port, log = free_port(), tmp_path / "log.txt"
    options = [
        "--port",
        str(port),
        "--no-open",
        "--ledgers",
        str(ledgers),
        "--log-level",
        "debug",
        "--log-file",
        str(log),
    ]
    heard = []
    with running([sys.executable, "-m", "trustscope", "serve", *options], port) as address:
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
        page.on("response", lambda response: heard.append(response.url))
        page.goto(f"{address}?page=release")
        expect(verdict(page)).to_contain_text("Nothing is out yet")
        page.get_by_role("textbox", name="Recipient").fill("Ministry")
        page.get_by_role("textbox", name="Recipient").press("Enter")
        for name, value in (("Purpose", "planning"), ("Contact", "A. Steward"), ("Last day of its use", "2999-12-31")):
            page.get_by_role("textbox", name=name).fill(value)
            page.get_by_role("textbox", name=name).press("Enter")
        expect(page.get_by_text("The rules allow this copy")).to_be_visible()
        field = page.get_by_label("Passphrase of the ledger's key")
        assert field.get_attribute("type") == "password"
        field.fill("a wrong one")
        page.get_by_role("button", name="Make the copy").click()
        expect(page.get_by_text("The passphrase does not open")).to_be_visible()
        field.fill(PASSPHRASE)
        page.get_by_role("button", name="Make the copy").click()
        expect(page.get_by_text("The copy for “Ministry” is out")).to_be_visible()
        expect(verdict(page)).to_contain_text("One copy is out; Ministry holds it")
        expect(field).to_have_value("")
        expect(page).to_have_url(re.compile("page=release"))
        assert PASSPHRASE not in page.url + page.content()
        context.close()
    texts = [one if isinstance(one, str) else one.decode(errors="replace") for one in heard]
    assert any("is out" in text for text in texts)
    assert not any(PASSPHRASE in text for text in texts)
    assert log.read_text()
    assert PASSPHRASE not in log.read_text()
    with Ledger.open(ledgers / "survey") as ledger:
        assert [copy.to for copy in ledger.copies] == ["Ministry"]
