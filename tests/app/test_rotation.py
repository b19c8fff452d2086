"""The Rotation page in a real browser, found and used by role and name, as a person would."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests import axe
from tests.app.pages import LONG, look_closer, tick, unfold, verdict
from trustscope import datasets
from trustscope.scenarios.link import query_of
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.scenario import RotationScenario

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror=document.title='hacked'>"
STEPS = {
    "kept": "1 What is kept",
    "known": "2 An insider knows a few",
    "sample": "3 A competitor has a sample",
    "remedy": "4 The remedy",
}


@pytest.fixture
def go_to_rotation(go_to):
    def went(data="", **options):
        scenario = RotationScenario()
        page = go_to("?" + query_of(scenario.replace({"data.name": data}) if data else scenario), **options)
        page.get_by_role("heading", name="Every distance is kept").filter(visible=True).wait_for()
        return page

    return went


def says(page, text):
    """Wait until the headline says so."""
    expect(verdict(page)).to_contain_text(text, timeout=LONG)


def turn(page, story):
    tick(page.get_by_role("radio", name=STEPS[story], exact=True))


def slide(page, name, presses):
    slider = page.get_by_role("slider", name=name)
    slider.focus()
    for _ in range(abs(presses)):
        slider.press("ArrowRight" if presses > 0 else "ArrowLeft")


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name))


def shown(page, text):
    expect(page.get_by_text(text).first).to_be_visible(timeout=LONG)


def test_the_four_steps_tell_one_story(go_to_rotation):
    """Opened at the first step; each step has a headline, a number and two pictures in view; nothing is too wide."""
    page = go_to_rotation(size=(1280, 720))
    says(page, "Every value changes, and every distance stays.")
    says(page, re.compile(r"1\.8\s%.*100\s%", re.DOTALL))
    for story, first, second in (
        ("known", "Known records, found in the release", "As the insider knows more"),
        ("sample", "What the competitor recovers", "Attribute by attribute"),
        ("remedy", "Recovered through the remedy", "As more columns are released"),
        ("kept", "The same records, before and after", "Every distance is kept"),
    ):
        turn(page, story)
        for name in (first, second):
            heading = page.get_by_role("heading", name=name, exact=True)
            expect(heading).to_be_in_viewport(timeout=LONG)
        wide = page.evaluate("() => { const m = document.querySelector('main'); return m.scrollWidth - m.clientWidth }")
        assert wide <= 0
    turn(page, "remedy")
    says(page, "The proposed remedy does not protect.")
    shown(page, "bring one matrix nearer to a plain rotation")


def test_an_insider_by_slider_click_and_keyboard(go_to_rotation):
    page = go_to_rotation()
    turn(page, "known")
    says(page, "Knowing four people, an insider recovers far more than by guessing.")
    shown(page, "4 of 4 known people are linked, without doubt.")
    # A click on the first of the known records, in the left cloud, takes it back.
    data = datasets.load("breast")
    model = Model(data.frame[list(data.numeric[:16])].to_numpy(float), data.numeric[:16], 12)
    place = model.records.place(model.usual_order[0])
    picture = page.get_by_role("img", name="Known records and their links").filter(visible=True)
    picture.locator(f'circle[data-point="{place}"]').first.click()
    shown(page, "3 of 3 known people are linked")
    assert page.get_by_role("slider", name="People that the insider knows").input_value() == "3"
    # The same by its number.
    unfold(page, "Which records")
    box = page.get_by_role("spinbutton", name="Row number")
    box.fill(str(model.usual_order[0]))
    box.press("Tab")
    page.get_by_role("button", name="Tell it, or take it back").press("Enter")
    shown(page, "4 of 4 known people are linked")
    known = page.get_by_role("slider", name="People that the insider knows")
    known.press("End")
    says(page, "every other record is recovered")
    known.press("Home")
    says(page, "An insider who knows nobody can still guess.")  # by lengths, and what other people are like


def test_looking_closer(go_to_rotation):
    """Views are drawn when they are opened: figures have a size, tables have rows."""
    page = go_to_rotation()
    look_closer(page, "What an analyst finds")
    for name in ("k-means", "single link"):
        expect(row(page, name)).to_contain_text("identical ✓", timeout=LONG)
    turn(page, "known")
    look_closer(page, "One record")
    expect(row(page, "Mean radius")).to_contain_text("hit", timeout=LONG)
    look_closer(page, "How close the guesses come")
    shown(page, re.compile("Theory and drawn rotations"))
    expect(page.get_by_title(re.compile("agrees within ±"))).to_be_visible(timeout=LONG)
    figure = page.get_by_role("img", name="Share recovered by how close a guess must come")
    expect(figure).to_have_attribute("aria-description", re.compile("any rotation that fits: .* projection"))
    page.get_by_role("button", name=re.compile("For experts")).click()
    look_closer(page, "Printed and corrected")
    shown(page, "they side with the corrected one")
    slide(page, "Free dimensions", -1)
    shown(page, "here the two agree")
    look_closer(page, "Chord and sphere")
    expect(row(page, "free dimensions")).to_contain_text("12", timeout=LONG)
    frames = page.evaluate(SIZES)
    assert frames
    assert all(width > 100 for width in frames), frames


# The widths of the frames of all figures that are shown.
SIZES = """() => {
  const found = []
  const walk = (node) => {
    if (String(node.className).includes("bk-CartesianFrame") && node.getRootNode().host.offsetWidth) found.push(node.offsetWidth)
    for (const inner of [...(node.shadowRoot?.children ?? []), ...node.children]) walk(inner)
  }
  walk(document.body)
  return found
}"""  # noqa: E501


def test_a_sample_raw_units_and_whole_records(go_to_rotation):
    page = go_to_rotation("wine")
    turn(page, "sample")
    says(page, "A sample of 44 records gives no more away than guessing.")
    page.get_by_role("button", name="Other sample").click()
    expect(page.get_by_role("spinbutton", name="Sample number")).to_have_value("2", timeout=LONG)
    unfold(page, "Data")
    page.get_by_role("switch", name="standardise every attribute first").press("Space")
    unfold(page, "A guess counts as a hit")
    tick(page.get_by_role("radio", name="whole record"))
    says(page, "Whole records come close, but few of their single values do.")
    says(page, "Value by value")


def test_shifted(go_to_rotation):
    page = go_to_rotation("iris")
    turn(page, "known")
    tick(page.get_by_role("radio", name="turned and shifted"))
    says(page, re.compile("That settles [23] of 4 directions"))
    slide(page, "Records that the insider knows", -1)
    says(page, "two points can always be exchanged")


def test_own_data(go_to_rotation, tmp_path):
    page = go_to_rotation()
    table = np.random.default_rng(1).normal(size=(60, 3)).round(3) + 5
    lines = [f'"{NASTY}",second,third', *(",".join(map(str, one)) for one in table)]
    path = tmp_path / "own.csv"
    path.write_text("\n".join(lines))
    unfold(page, "Data")
    page.get_by_label(re.compile("Drop a CSV")).set_input_files(path)
    page.get_by_role("button", name="Use these data").click()
    shown(page, re.compile("30 records released"))
    turn(page, "known")
    says(page, re.compile("That settles 2 of 3 directions"))
    assert page.title().endswith("Trustscope")


@pytest.mark.parametrize(("size", "dark"), [((1024, 768), True), ((390, 844), False)])
def test_it_fits_and_everybody_can_use_it(go_to_rotation, size, dark):
    page = go_to_rotation(size=size, dark=dark)
    for story, who in (("known", "knowing four people"), ("sample", "competitor")):
        turn(page, story)
        says(page, who)  # the figures of this step have come
        page.get_by_role("tab", name="One record").filter(visible=True).wait_for()
        wide = page.evaluate("() => { const m = document.querySelector('main'); return m.scrollWidth - m.clientWidth }")
        assert wide <= 0
    expect(page.get_by_text("nearest neighbours: by chance").filter(visible=True)).to_have_count(0)
    expect(page.locator(".verdict-line.stale")).to_have_count(0)  # figures of the step before are drawn faintly
    assert not axe.violations(page)
