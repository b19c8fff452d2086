"""Slide decks: a story from title to assumptions, as self-contained HTML with nothing run but our own few lines."""

import base64
import hashlib
import io
import re
from html import unescape

import html5lib
import numpy as np
import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.enum.text import MSO_ANCHOR
from pptx.util import Inches

from trustscope import datasets
from trustscope.handouts.report import powerpoint, slides
from trustscope.handouts.report.drawing import Drawn
from trustscope.handouts.report.part import worked_out
from trustscope.handouts.report.story import story
from trustscope.looks import looks_of
from trustscope.numbers import unbroken
from trustscope.scenarios import models
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import TrustData, TrustScenario
from trustscope.scenarios.whole import Stopped

IRIS = TrustScenario().replace({"data.name": "iris"})
EVERY = [
    IRIS,
    CategoriesScenario().replace({"data.name": "iris"}),
    RotationScenario().replace({"data.name": "iris", "view.story": "known"}),
    SurveyScenario().replace({"view.arrived": 60}),
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


def test_a_deck_tells_a_story_and_each_scenario_has_a_slide(deck):
    tree = valid(deck)
    made = [e for e in tree.iter("section")]
    kinds = [e.get("class").removeprefix("slide ") for e in made]
    assert kinds == ["title", "question", *["scenario"] * len(EVERY), "comparison", "advice", "assumed"]
    assert [e.get("id") for e in made] == [f"slide-{n}" for n in range(1, len(made) + 1)]
    for scenario, slide in zip(EVERY, made[2:], strict=False):
        found = scenario.figures()
        words = " ".join("".join(slide.itertext()).split())
        for text in (found.verdict, found.after, found.label):
            assert " ".join(text.split()) in words
        drawings = [e for e in slide.iter() if isinstance(e.tag, str) and e.tag.endswith("svg")]
        assert all(e.get("role") == "img" and e.get("aria-label") for e in drawings)
        assert len(drawings) <= 2
        assert drawings or scenario == PapersScenario()
    assert "by the best guess of somebody who knows the values of other" in "".join(made[-1].itertext())
    for slide in made:
        (notes,) = (e for e in slide.iter("details") if e.get("class") == "notes")
        assert notes.get("open") is None
        assert len("".join(notes.itertext()).split()) > 8
    assert len([e for e in tree.iter("h1")]) == 1


# Two scenarios of one page


@pytest.fixture(scope="module")
def pair():
    """The same recipients under two schemes, worked out."""
    every = [IRIS, IRIS.replace({"settings.scheme": "nested"})]
    return [worked_out(one, place, 2, None, lambda *told: None, None) for place, one in enumerate(every)]


@pytest.fixture(scope="module")
def told(pair):
    return story(pair)


def test_the_same_pictures_stand_on_the_same_axes_in_the_same_order(pair, told):
    first, second = (slide for slide in told if slide.kind == "scenario")
    for one, other in zip(first.pictures, second.pictures, strict=True):
        assert one.card.key == other.card.key
        mine, theirs = looks_of(one.table), looks_of(other.table)
        assert (mine.x, mine.y, list(mine.series)) == (theirs.x, theirs.y, list(theirs.series))
    assert [one.card.key for one in first.pictures] == ["person", "pooling"]
    # The narrower belief is the higher one: where each had its own axis, the two would look alike.
    tops = [looks_of(slide.pictures[0].table).y.high for slide in (first, second)]
    alone = [_peak(part.found) for part in pair]
    assert alone[0] > 1.2 * alone[1]
    assert tops == pytest.approx([alone[0]] * 2)


def _peak(found):
    person = found.picture.person
    low, high = found.model.population.view_range(0)
    ends = [low, high, person.truth, *person.seen.values(), *person.alone.interval, *person.together.interval]
    x = np.linspace(min(ends), max(ends), 161)
    return 1.08 * max(person.together.density(x).max(), person.alone.density(x).max())


def test_the_comparison_says_what_changed_and_by_how_much(pair, told):
    (slide,) = (slide for slide in told if slide.kind == "comparison")
    before, after = (part.figures.after for part in pair)
    by = int(before.removesuffix(" %")) - int(after.removesuffix(" %"))
    assert slide.texts[0] == "A and B differ in noise of the copies (independent in A and nested in B)."
    assert f"{before} in A, {after} in B ({by} points less)." in slide.texts[1]
    assert [100 * value for value in slide.bars["after"]] == [float(t.removesuffix(" %")) for t in (before, after)]
    assert told[-2].texts[0] == f"Choose B: it gives away least ({after})."


def test_no_record_of_a_file_of_your_own_is_shown():
    table = "a\n" + "".join(f"{i % 17}\n" for i in range(100))
    own = datasets.inspect(table.encode(), "t.csv").dataset(missing="keep")
    file = OwnFile(name=own.origin.name, size=own.origin.size, digest=own.origin.digest)
    part = worked_out(TrustScenario(data=TrustData(name="own", file=file)), 0, 1, own, lambda *told: None, None)
    assert part.found.picture.person is not None
    keys = [one.card.key for slide in story([part]) for one in slide.pictures]
    assert keys
    assert "person" not in keys


# For PowerPoint


@pytest.fixture(scope="module")
def presentation(pair):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(powerpoint, "parts_of", lambda *arguments: pair)
        return Presentation(io.BytesIO(powerpoint.powerpoint(())))


def texts(slide) -> list[str]:
    return [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]


def test_powerpoint_has_editable_texts_and_notes(presentation, told):
    assert len(presentation.slides) == len(told)
    for slide, meant in zip(presentation.slides, told, strict=True):
        assert slide.shapes.title.text_frame.text == unbroken(meant.title)
        assert all(any(unbroken(text) in one for one in texts(slide)) for text in meant.texts)
        assert slide.notes_slide.notes_text_frame.text == "\n".join(filter(None, meant.notes))
        assert slide.notes_slide.notes_text_frame.text


def test_a_long_title_grows_away_from_what_stands_below_it(presentation):
    for slide in [*presentation.slides][:2]:
        title, *below = (shape for shape in slide.shapes if shape.has_text_frame)
        assert title.text_frame.vertical_anchor == MSO_ANCHOR.BOTTOM
        assert title.height > Inches(2.5)  # four lines of the largest type
        assert all(one.top >= title.top + title.height for one in below)


def test_no_line_of_a_slide_ends_before_a_sign_of_per_cent(deck, presentation):
    bodies = re.findall(r"<(?:h2|li|p class=.(?:said|label).)>(.*?)</", deck)
    shown = [unescape(one) for one in bodies] + [one for slide in presentation.slides for one in texts(slide)]
    assert any("\u202f%" in one for one in shown)
    assert not [one for one in shown if " %" in one]


def test_powerpoint_draws_bars_itself_on_the_same_axis_with_values(presentation, told):
    scenes = [
        (slide, meant) for slide, meant in zip(presentation.slides, told, strict=True) if meant.kind == "scenario"
    ]
    ends = set()
    for slide, meant in scenes:
        (drawn,) = (shape for shape in slide.shapes if shape.has_chart)
        assert drawn._element._nvXxPr.cNvPr.get("descr").startswith("As more of them pool: ")
        chart = drawn.chart
        table = meant.pictures[1].table
        assert list(chart.plots[0].categories) == ["Ministry", *(f"+ {name}" for name in table["who joins"][1:])]
        assert {s.name: list(s.values) for s in chart.plots[0].series} == {
            name: list(table[column]) for column, name, _ in looks_of(table).named()
        }
        assert chart.plots[0].data_labels.show_value
        ends.add(chart.value_axis.maximum_scale)
        (picture,) = (shape for shape in slide.shapes if shape.shape_type == MSO_SHAPE_TYPE.PICTURE)
        assert picture._element._nvXxPr.cNvPr.get("descr").startswith("One person: ")
    assert ends == {looks_of(table).x.high}


def test_type_for_powerpoint_is_large_and_nothing_leaves_the_slide(presentation):
    for slide in presentation.slides:
        for shape in slide.shapes:
            assert min(shape.left, shape.top) >= 0
            assert shape.left + shape.width <= presentation.slide_width
            assert shape.top + shape.height <= presentation.slide_height
            for line in shape.text_frame.paragraphs if shape.has_text_frame else ():
                assert line.font.size.pt >= 13.5  # 18 pixels of 1280 by 720


def test_each_slide_is_printed_on_a_page_of_its_own(deck):
    style = re.search(r"<style>(.*?)</style>", deck, re.DOTALL)[1]
    assert re.search(r"@media print \{.*\.slide \{[^}]*break-after: page", style, re.DOTALL)
    assert "display: none" not in style.split("@media print")[0]  # without scripts everything is seen


def test_markup_in_names_stays_text():
    who = (Recipient(number=0, name=EVIL[:24], trust=50), Recipient(number=1, name="$a_b$ \\frac", trust=40))
    text = slides(IRIS.replace({"settings.recipients": who}))
    valid(text)
    assert "<script>alert" not in text
    assert EVIL[:24] in unescape(text)


def test_the_same_scenario_gives_the_same_bytes(monkeypatch):
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")  # tests/plots/test_cards.py draws every plot twice
    made = slides(IRIS)
    monkeypatch.setattr(models, "shared", Memo(1))  # all is worked out anew
    assert made == slides([IRIS])


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
    with pytest.raises(ScenarioProblem, match="1 to 24 scenarios"):
        slides([IRIS] * count)


SIZES = """() => [...document.querySelectorAll("figure svg text")].map((text) => {
  const {a, b} = text.getScreenCTM() // pixels of the screen for one of the drawing
  return Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize)
})"""


HEIGHTS = "[...document.querySelectorAll('.slide')].map((slide) => slide.getBoundingClientRect().height)"


@pytest.mark.browser
def test_type_in_plots_can_be_read_from_the_back_row(browser, deck):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_content(deck)
    sizes, heights = page.evaluate(SIZES), page.evaluate(HEIGHTS)
    page.close()
    assert len(sizes) > 30
    assert min(sizes) >= 18
    assert max(heights) <= 721
