"""The Rotation dashboard in a real browser, found and used by role and name, as a person would."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.app.pages import figure, verdict
from trustscope import datasets
from trustscope.scenarios.rotation.model import DRAWN, Model
from trustscope.widgets.twin import GAP, _placed

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror=document.title='hacked'>"


@pytest.fixture
def open_rotation(open_page):
    def opened(path="", **options):
        page = open_page(path, **options)
        page.get_by_role("button", name="Rotation", exact=True).click()
        page.get_by_role("heading", name="Her records in the release").wait_for()
        return page

    return opened


@pytest.fixture
def page(open_rotation):
    return open_rotation()


def says(page, text):
    """Wait until the verdict says so."""
    expect(verdict(page)).to_contain_text(text, timeout=20_000)


def story(page, name):
    page.get_by_role("radio", name=name, exact=True).check(force=True)


def slide(page, name, presses):
    slider = page.get_by_role("slider", name=name)
    slider.focus()
    for _ in range(abs(presses)):
        slider.press("ArrowRight" if presses > 0 else "ArrowLeft")


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name))


def test_four_letters_give_another_away(page):
    """As in the paper: four known inputs, 16 attributes, one more record certain; theory and drawn agree."""
    expect(page.get_by_text("Letter Recognition, 20 000 rows", exact=False).first).to_be_visible()
    says(page, "4 known records are enough to be certain of another one.")
    expect(figure(page, "of her records found")).to_have_text("4 of 4")
    expect(figure(page, "most exposed other record")).to_have_text("certain")
    expect(verdict(page).get_by_text(re.compile(r"drawn .* ✓"))).to_be_visible()
    expect(verdict(page)).not_to_contain_text("✗")
    for label in ("Known records and their links", "The sphere on which", "printed, corrected and drawn"):
        expect(page.get_by_role("img", name=re.compile(label))).to_be_visible()


def test_more_records_undo_it_fewer_do_not(page):
    slide(page, "Records that she knows", 12)
    says(page, "16 known records undo the rotation: every other record is recovered.")
    expect(page.get_by_text("nothing is left to guess")).to_be_visible(timeout=20_000)
    slide(page, "Records that she knows", -15)
    says(page, "One known record is not enough to find even one of them.")
    slide(page, "Records that she knows", -1)
    says(page, "Who knows nothing recovers nothing.")
    expect(page.get_by_text("3 known records make one more certain")).to_be_visible(timeout=20_000)


def test_a_click_takes_a_record_back(page):
    """On the first of her records, where the left square has it."""
    expect(page.get_by_text("4 of her 4 records are linked")).to_be_visible()
    box = page.get_by_role("img", name=re.compile("Known records and their links")).bounding_box()
    data = datasets.load("letter")
    model = Model(data.frame[list(data.numeric)].to_numpy(float), 12, False)
    spots, _, _ = _placed(model.private[:DRAWN, :2], 0.0)
    x, y = spots[model.first_known(1)[0]]
    # The figure shows -0.1 to 2.42 across and -0.13 to 1.1 upwards, with a few pixels of border.
    across, down = (x + 0.1) / (2.2 + GAP), (1.1 - y) / 1.23
    page.mouse.click(box["x"] + across * box["width"], box["y"] + 6 + down * (box["height"] - 11))
    expect(page.get_by_text("3 of her 3 records are linked")).to_be_visible(timeout=20_000)
    assert page.get_by_role("slider", name="Records that she knows").input_value() == "3"


def test_what_is_kept(page):
    story(page, "what is kept")
    says(page, "To an analyst the release is as good as the data.")
    for name in ("k-means", "single link"):
        expect(row(page, name)).to_contain_text("identical ✓")
    expect(row(page, "5 nearest neighbours")).to_contain_text("100 % the same")
    expect(page.get_by_text(re.compile(r"are [\d.]+ apart before and [\d.]+ after"))).to_be_visible()
    text = page.get_by_text(re.compile(r"apart before and")).inner_text()
    before, after = re.search(r"are ([\d.]+) apart before and ([\d.]+) after", text).groups()
    assert before == after


def test_a_sample_and_when_it_fails(page):
    story(page, "someone has a sample")
    expect(page.get_by_role("heading", name="Two sets of axes")).to_be_visible(timeout=20_000)
    slide(page, "Records in her sample", 7)
    says(page, "A sample of 10 000 strangers undoes the rotation.")
    expect(figure(page, "axes point the right way")).to_have_text(re.compile("1[56] of 16"), timeout=20_000)
    slide(page, "Records in her sample", -29)
    says(page, "A sample of 17 strangers does not undo the rotation.")
    says(page, "It fails where it does because")


def test_the_remedy(open_rotation):
    page = open_rotation("?dataset=iris")
    story(page, "the remedy")
    says(page, "The proposed remedy does not remedy.")
    expect(row(page, "a fresh matrix for each")).to_contain_text("0 %")
    expect(page.get_by_text("the nearer one matrix comes to a plain rotation")).to_be_visible(timeout=40_000)
    slide(page, "Released columns", -28)
    expect(page.get_by_text(re.compile("^4 released columns, one matrix for all"))).to_be_visible()


def test_shifted_and_another_definition(open_rotation):
    page = open_rotation("?dataset=iris")
    page.get_by_role("radio", name="turned and shifted").check(force=True)
    says(page, "That pins the rotation down in")
    slide(page, "Records that she knows", -1)
    says(page, "two points can always be exchanged")
    page.get_by_role("radio", name="any one value").check(force=True)
    expect(page.get_by_text("At least one value of the guess is within this share of the true one.")).to_be_visible()


def test_printed_against_corrected(page):
    expect(page.get_by_text("they side with the corrected one")).to_be_visible()
    slide(page, "Free dimensions", -1)
    expect(page.get_by_text("here the two agree")).to_be_visible()


def test_own_data(page, tmp_path):
    rng = np.random.default_rng(1)
    table = rng.normal(size=(60, 3)).round(3) + 5
    lines = [f'"{NASTY}",second,third', *(",".join(map(str, one)) for one in table)]
    path = tmp_path / "own.csv"
    path.write_text("\n".join(lines))
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Use these data").click()
    says(page, "That pins the rotation down in 2 of 3 dimensions")
    assert page.title() == "Trustscope"


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768)])
def test_nothing_is_wider_than_the_page(open_rotation, size):
    page = open_rotation(size=size, dark=size[0] < 1200)
    for name in ("what is kept", "someone has a sample", "the remedy", "someone knows a few records"):
        story(page, name)
        page.wait_for_timeout(700)
        wide = page.evaluate("() => { const m = document.querySelector('main'); return m.scrollWidth - m.clientWidth }")
        assert wide <= 0
