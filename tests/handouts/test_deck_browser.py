"""Slides in a browser: nothing is cut off, on a desk or on a phone, however long a name is."""

import hashlib

import numpy as np
import pytest

from trustscope import datasets
from trustscope.handouts.report import slides
from trustscope.handouts.report.drawing import Drawn
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.trust.scenario import TrustData, TrustScenario

pytestmark = pytest.mark.browser
LONG = "people_who_answered_all_of_the_questions_of_the_second_wave_in_the_year_2025_final_version.csv"


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desk", "phone"])
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
    page.close()
