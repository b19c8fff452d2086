"""The Rotation page in a real browser, found and used by role and name, as a person would."""

import re

import numpy as np
import pytest

from tests import axe
from tests.app.pages import look_closer, tick, unfold, verdict
from tests.waiting import LONG, expect
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


def shown(page, text):
    expect(page.get_by_text(text).first).to_be_visible(timeout=LONG)


TOO_WIDE = "() => { const m = document.querySelector('main'); return m.scrollWidth - m.clientWidth }"
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


def test_the_four_steps_tell_one_story_and_what_is_looked_at_closer_has_a_size(go_to_rotation):
    """Opened at the first step; each step has a headline, a number and two pictures in view; nothing is too wide. Views
    are drawn when they are opened; `test_rotation_page.py` opens them all, and moves every control."""
    page = go_to_rotation(size=(1280, 720))
    says(page, "Every value changes, and every distance stays.")
    says(page, re.compile(r"1\.8\s%.*100\s%", re.DOTALL))
    for story, first, second in (
        ("sample", "What the competitor recovers", "Attribute by attribute"),
        ("remedy", "Recovered through the remedy", "As more columns are released"),
        ("kept", "The same records, before and after", "Every distance is kept"),
        ("known", "Known records, found in the release", "As the insider knows more"),
    ):
        turn(page, story)
        for name in (first, second):
            heading = page.get_by_role("heading", name=name, exact=True)
            expect(heading).to_be_in_viewport(timeout=LONG)
        if story == "remedy":
            says(page, "The proposed remedy does not protect.")
            shown(page, "bring one matrix nearer to a plain rotation")
        assert page.evaluate(TOO_WIDE) <= 0
    # A click on the first of the known records, in the left cloud, takes it back.
    shown(page, "4 of 4 known people are linked, without doubt.")
    data = datasets.load("breast")
    model = Model(data.frame[list(data.numeric[:16])].to_numpy(float), data.numeric[:16], 12)
    place = model.records.place(model.usual_order[0])
    picture = page.get_by_role("img", name="Known records and their links").filter(visible=True)
    picture.locator(f'circle[data-point="{place}"]').first.click()
    shown(page, "3 of 3 known people are linked")
    known = page.get_by_role("slider", name="People that the insider knows")
    assert known.input_value() == "3"
    known.press("End")
    says(page, "every other record is recovered")
    known.press("Home")
    says(page, "An insider who knows nobody can still guess.")  # by lengths, and what other people are like
    look_closer(page, "How close the guesses come")
    figure = page.get_by_role("img", name="Share recovered by how close a guess must come")
    expect(figure).to_have_attribute("aria-description", re.compile("any rotation that fits: .* projection"))
    page.get_by_role("button", name=re.compile("For experts")).click()
    look_closer(page, "Printed and corrected")
    shown(page, "they side with the corrected one")
    frames = page.evaluate(SIZES)
    assert frames
    assert all(width > 100 for width in frames), frames


def test_own_data_on_a_phone(go_to_rotation, tmp_path):
    """Whatever a column is called stays text; nothing is too wide, and everybody can use it."""
    page = go_to_rotation(size=(390, 844))
    table = np.random.default_rng(1).normal(size=(60, 3)).round(3) + 5
    lines = [f'"{NASTY}",second,third', *(",".join(map(str, one)) for one in table)]
    path = tmp_path / "own.csv"
    path.write_text("\n".join(lines))
    page.get_by_role("button", name="Controls").click()
    unfold(page, "Data")
    page.get_by_label(re.compile("Drop a CSV")).set_input_files(path)
    page.get_by_role("button", name="Use these data").click()
    shown(page, re.compile("30 records released"))
    turn(page, "known")
    page.get_by_role("button", name="Done", exact=True).click()
    says(page, re.compile("That settles 2 of 3 directions"))
    page.get_by_role("tab", name="One record").filter(visible=True).wait_for()
    assert page.evaluate(TOO_WIDE) <= 0
    expect(page.locator(".verdict-line.stale")).to_have_count(0)  # figures of the step before are drawn faintly
    assert not axe.violations(page)
    assert page.title().endswith("Trustscope")
