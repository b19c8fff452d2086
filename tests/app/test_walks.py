"""A data steward reaches her goal without reading the help."""

import re

import pytest

from tests.app.pages import scheme, settled, unfold, verdict
from tests.waiting import expect

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror=document.title='hacked'>"


def test_a_steward_tries_her_own_file(go_to, tmp_path):
    """She brings a file, corrects what was understood, sees the risk, and finds noise that keeps it down. Whatever a
    column is called stays text."""
    lines = [f"{10_000 + i},{20 + i % 60},{1000 * (i % 37)},{'0' + str(1000 + i % 90)}\n" for i in range(400)]
    path = tmp_path / "survey.csv"
    path.write_text(f"id,{NASTY},income (USD),postcode\n" + "".join(lines).replace(",5000,", ",-9,"))
    page = go_to()
    unfold(page, "Data")
    page.locator(".dropzone input[type=file]").set_input_files(path)
    understood = page.get_by_text("This is what was understood")
    expect(understood).to_be_visible()
    assert understood.evaluate("one => getComputedStyle(one).minHeight") == "0px"  # what is wrong stands right below
    expect(page.get_by_text(re.compile("400 rows, 4 columns"))).to_be_visible()
    expect(page.get_by_role("region", name="Columns of the file")).to_contain_text(NASTY[:20])
    expect(page.get_by_text("Census (synthetic), 100 000 rows")).to_be_visible()  # nothing has changed yet
    expect(page.get_by_role("checkbox", name="Use id")).not_to_be_checked()
    codes = page.get_by_role("textbox", name="Values that mean missing in income (USD)")
    codes.fill("-9")
    codes.press("Tab")
    expect(page.get_by_text(re.compile("of 400 rows will be left out because of: income"))).to_be_visible()
    expect(page.get_by_role("textbox", name="Unit of income (USD)")).to_be_focused()  # the table was drawn anew
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text(re.compile("survey.*400 rows")).first).to_be_visible()
    expect(verdict(page)).to_contain_text("learn more together")
    scheme(page, "nested")
    expect(verdict(page)).to_contain_text("gain nothing")
    settled(page)
    assert "survey" in page.url or "s=" in page.url
    assert page.title().endswith("Trustscope")
