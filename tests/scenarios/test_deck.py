"""Slide decks: valid, self-contained HTML, one scenario a slide, with nothing run but our own few lines."""

import base64
import hashlib
import re
from html import unescape

import html5lib
import pytest

from trustscope.handouts.report import slides
from trustscope.handouts.report.drawing import Drawn
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.scenarios.whole import Stopped

IRIS = TrustScenario().having({"data.name": "iris"})
EVERY = [
    IRIS,
    CategoriesScenario().having({"data.name": "iris"}),
    RotationScenario().having({"data.name": "iris", "view.story": "known"}),
    SurveyScenario().having({"view.arrived": 60}),
    PapersScenario().opening("li/example"),
    PapersScenario(),
]
EVIL = "<script>alert(1)</script>&\"'$_"


def valid(text):
    """Strictly HTML; every identifier once, nothing fetched, and nothing run but what the policy names. The tree."""
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    elements = [e for e in tree.iter() if isinstance(e.tag, str)]
    ids = [e.get("id") for e in elements if e.get("id")]
    assert len(ids) == len(set(ids))
    for element in elements:
        for name, value in element.items():
            assert not str(name).lower().startswith("on"), name
            if str(name).rsplit("}", 1)[-1] in ("href", "src"):
                assert value.startswith("#")
    assert {found for found in re.findall(r'(?:url\(#|href="#)([^)"]+)', text)} <= set(ids)
    (script,) = tree.iter("script")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    policy = next(e for e in tree.iter("meta") if e.get("http-equiv") == "Content-Security-Policy").get("content")
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert "@import" not in text
    return tree


@pytest.fixture(scope="module")
def deck():
    return slides(EVERY)


def test_each_scenario_has_a_slide_with_its_verdict_number_and_plots(deck):
    tree = valid(deck)
    made = [e for e in tree.iter("section")]
    assert [e.get("id") for e in made] == [f"slide-{n}" for n in range(1, len(EVERY) + 1)]
    for scenario, slide in zip(EVERY, made, strict=True):
        found = scenario.figures()
        words = " ".join("".join(slide.itertext()).split())
        for text in (found.verdict, found.after, found.label):
            assert " ".join(text.split()) in words
        drawings = [e for e in slide.iter() if isinstance(e.tag, str) and e.tag.endswith("svg")]
        assert all(e.get("role") == "img" and e.get("aria-label") for e in drawings)
        assert len(drawings) <= 2
        assert drawings or scenario == PapersScenario()
    assert len([e for e in tree.iter("h1")]) == 1


def test_each_slide_is_printed_on_a_page_of_its_own(deck):
    style = re.search(r"<style>(.*?)</style>", deck, re.DOTALL)[1]
    assert re.search(r"@media print \{.*\.slide \{[^}]*break-after: page", style, re.DOTALL)
    assert "display: none" not in style  # without scripts everything is seen


def test_markup_in_names_stays_text():
    who = (Recipient(number=0, name=EVIL[:24], trust=50), Recipient(number=1, name="$a_b$ \\frac", trust=40))
    text = slides(IRIS.having({"settings.recipients": who}))
    valid(text)
    assert "<script>alert" not in text
    assert EVIL[:24] in unescape(text)


def test_the_same_scenario_gives_the_same_bytes():
    assert slides(IRIS) == slides([IRIS])


def test_progress_is_told_and_work_can_be_stopped(monkeypatch):
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")  # what is drawn does not matter
    seen = []
    slides([IRIS, IRIS], progress=lambda fraction, text: seen.append(fraction))
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0.0, 1.0)
    with pytest.raises(Stopped):
        slides(IRIS, cancel=lambda: True)


@pytest.mark.parametrize("count", [0, 25])
def test_none_or_too_many_get_a_sentence(count):
    with pytest.raises(ScenarioProblem, match="1 to 24 slides"):
        slides([IRIS] * count)


SIZES = """() => [...document.querySelectorAll("figure svg text")].map((text) => {
  const {a, b} = text.getScreenCTM() // pixels of the screen for one of the drawing
  return Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize)
})"""


@pytest.mark.browser
def test_type_in_plots_can_be_read_from_the_back_row(browser, deck):
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.set_content(deck)
    sizes = page.evaluate(SIZES)
    page.close()
    assert len(sizes) > 30
    assert min(sizes) >= 24
