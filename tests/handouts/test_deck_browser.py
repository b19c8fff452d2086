"""Slides in a browser: nothing is cut off, on a desk or on a phone, however long a name is."""

import hashlib
import re

import numpy as np
import pytest

from trustscope import datasets
from trustscope.handouts.report import deck, slides
from trustscope.handouts.report.drawing import Drawn
from trustscope.handouts.report.story import Slide
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.trust.scenario import TrustData, TrustScenario

pytestmark = pytest.mark.browser
LONG = "people_who_answered_all_of_the_questions_of_the_second_wave_in_the_year_2025_final_version.csv"


@pytest.mark.parametrize("size", [(1440, 900), (1280, 800), (390, 844)], ids=["desk", "projector", "phone"])
def test_nothing_leaves_a_slide(browser, tmp_path, monkeypatch, size):
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")
    path = tmp_path / LONG
    rows = np.random.default_rng(1).integers(20, 90, (60, 2))
    path.write_text("age,height\n" + "".join(f"{a},{b}\n" for a, b in rows))
    file = OwnFile(name=LONG, size=path.stat().st_size, digest=hashlib.sha256(path.read_bytes()).hexdigest())
    own = datasets.inspect(path).dataset(missing="keep")
    scenario = TrustScenario(data=TrustData(name="own", file=file)).replace(
        {"settings.attackers": ("perfect",), "settings.scheme": "proportional"}
    )
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.set_content(slides([scenario], own=own))
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    beyond = "one => one.getBoundingClientRect().right - one.closest('header').getBoundingClientRect().right"
    assert page.locator(".after").evaluate(beyond) <= 0  # "100 %" ends where the title's line does
    page.close()


def test_every_slide_is_printed_on_a_page_of_its_own(browser, monkeypatch):
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: '<svg viewBox="0 0 9 9"></svg>')
    story = [
        Slide("title", "What copies give away", ("One scenario",), notes=("Said.",)),
        Slide("scenario", "Six gain nothing", before="35 %", after="35 %", label="guessed", notes=("Said.",)),
    ]
    page = browser.new_page(viewport={"width": 816, "height": 1056})  # the paper that a browser takes for its own
    page.set_content(deck._page("A deck", [deck._slide(slide, place, 2) for place, slide in enumerate(story, 1)]))
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2
    page.emulate_media(media="print")
    side = page.evaluate("getComputedStyle(document.querySelector('header')).gridTemplateColumns")
    assert len(side.split()) == 2  # the number stands beside the title, as on a screen
    page.close()
