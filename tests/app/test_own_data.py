"""Dropping files on the page: what was understood is shown, nothing runs, nothing crashes."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror=document.title='hacked'>"


def drop(page, tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    page.locator("input[type=file]").set_input_files(path)


def rows(count=40):
    return "".join(f"{i},{i * i % 17},{'yes' if i % 3 else 'no'},same\n" for i in range(count))


def test_a_file_is_shown_before_it_is_used(page, tmp_path):
    drop(page, tmp_path, "people.csv", f"{NASTY},Weight,Member,Constant\n{rows()}".encode())
    expect(page.get_by_text("This is what was understood")).to_be_visible()
    expect(page.get_by_text(re.compile("40 rows, 4 columns"))).to_be_visible()
    table = page.get_by_role("region", name="Columns of the file")
    expect(table).to_contain_text(NASTY[:20])
    expect(page.get_by_role("checkbox", name="Use Constant")).to_be_disabled()
    expect(page.get_by_text("Census (synthetic), 100 000 rows")).to_be_visible()  # nothing has changed yet
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text(re.compile("people.*, 40 rows"))).to_be_visible()
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("Together, Alice and Bob")
    expect(page.get_by_text("2 copies of 40 records")).to_be_visible()
    assert page.title() == "Trustscope"


def test_missing_values_are_said_and_can_be_filled(page, tmp_path):
    drop(
        page,
        tmp_path,
        "gaps.csv",
        b"a,b\n" + b"".join(f"{i},{i % 7 if i % 5 else ''}\n".encode() for i in range(50)),
    )
    expect(page.get_by_text("10 missing values")).to_be_visible()
    page.get_by_role("radio", name=re.compile("fill in")).check(force=True)
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text("2 copies of 50 records")).to_be_visible()


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("empty.csv", b"", "empty"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "picture.csv"),
        ("broken.parquet", b"PAR1 nothing PAR1", "broken.parquet"),
        ("one.csv", b"a,b\n1,2\n", "row"),
    ],
)
def test_bad_files_get_a_sentence(page, tmp_path, name, content, sentence):
    drop(page, tmp_path, name, content)
    expect(page.get_by_text("Your file was not used.")).to_be_visible()
    expect(page.locator("b", has_text=sentence).first).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Your file was not used.")).to_be_hidden()
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("Together, Alice and Bob")


def test_no_numbers_no_noise(page, tmp_path):
    drop(page, tmp_path, "words.csv", b"a,b\n" + b"x,red\ny,blue\nx,blue\n" * 20)
    expect(page.get_by_text("This is what was understood")).to_be_visible()
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text(re.compile("noise can only be added to numbers"))).to_be_visible()
