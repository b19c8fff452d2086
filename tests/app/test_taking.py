"""What is taken along is made beside the page: it arrives, fails with a sentence, and is given up when asked to."""

import pytest

from trustscope.app import taking
from trustscope.app.own import OwnData
from trustscope.app.taking import File, Taking
from trustscope.extras import MissingExtra
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.release.scenario import ReleaseScenario
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.scenarios.whole import stop


class Desk:
    """Notes what it is told."""

    def __init__(self):
        self.shown, self.given, self.said = [], [], []
        self.taking = Taking(OwnData(), self.shown.append, self.given.append, self.said.append)


@pytest.mark.parametrize(
    ("what", "name", "words"),
    [
        ("report", "trustscope-categories-report.html", "<html"),
        ("script", "trustscope_categories.py", "import trustscope"),
        ("notebook", "trustscope_categories.ipynb", '"nbformat": 4'),
    ],
)
def test_it_is_given_and_then_nothing_is_under_way(what, name, words):
    desk = Desk()
    desk.taking.start(what, [CategoriesScenario()])
    assert [file.name for file in desk.given] == [name]
    assert words in desk.given[0].content.replace("from trustscope", "import trustscope")
    assert desk.shown[-1] == {}
    assert {one.get("what") for one in desk.shown} == {what, None}
    assert desk.said == []


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (ReleaseScenario(), "ledger"),
        (TrustScenario().replace({"data.name": "nowhere"}), "nowhere"),
    ],
)
def test_what_cannot_be_made_gets_a_sentence(scenario, words):
    desk = Desk()
    desk.taking.start("report", [scenario])
    assert (desk.given, desk.shown[-1]) == ([], {})
    assert len(desk.said) == 1
    assert words in desk.said[0]


def test_a_pdf_and_powerpoint_are_given_or_say_what_is_missing(monkeypatch):
    """Working them out is looked at elsewhere: here, that bytes arrive, and that what is missing has a sentence."""
    from trustscope.app.desktop import printing
    from trustscope.handouts import report as reports
    from trustscope.handouts.report import powerpoint as deck

    monkeypatch.setattr(reports, "report", lambda scenarios, **how: "<p>report")
    monkeypatch.setattr(printing, "pdf", lambda text: f"%PDF of {text}".encode())
    monkeypatch.setattr(printing, "find_browser", lambda first: "/usr/bin/browser")
    monkeypatch.setattr(deck, "powerpoint", lambda scenarios, **how: b"PK")
    desk = Desk()
    for what in ("pdf", "powerpoint"):
        desk.taking.start(what, [CategoriesScenario()])
    assert [(file.name, file.content) for file in desk.given] == [
        ("trustscope-categories-report.pdf", b"%PDF of <p>report"), ("trustscope-slides.pptx", b"PK"),
    ]  # fmt: skip

    def missing(name):
        raise MissingExtra(f'pip install "trustscope[{name}]"')

    monkeypatch.setattr(printing, "find_browser", lambda first: None)
    monkeypatch.setattr(taking, "require", missing)
    for what in ("pdf", "powerpoint"):
        desk.taking.start(what, [CategoriesScenario()])
    assert len(desk.given) == 2
    assert [printing.NONE in desk.said[0], "trustscope[paper]" in desk.said[1]] == [True, True]


def test_what_is_given_up_is_not_given(monkeypatch):
    desk = Desk()

    def slow(order):
        order.run.progress(0.5, "half of it")
        desk.taking.cancel()
        stop(lambda: order.run.cancelled)
        return File("x", "x", "x")

    monkeypatch.setitem(taking.MAKERS, "report", slow)
    desk.taking.start("report", [CategoriesScenario()])
    assert (desk.given, desk.said, desk.shown[-1]) == ([], [], {})
    desk.taking.start("nonsense", [CategoriesScenario()])
    assert desk.given == []


def test_a_page_to_try_is_offered_where_there_is_one_and_given(monkeypatch):
    assert "explorable" in taking.offered_on("trust")
    assert not {"explorable", "film"} & set(taking.offered_on("rotation"))
    monkeypatch.setattr(taking, "MOST_POSITIONS", 60)
    desk = Desk()
    desk.taking.start("explorable", [CategoriesScenario().replace({"settings.recipients": recipients(40, 20)})])
    assert [file.name for file in desk.given] == ["trustscope-categories-explorable.html"]
    assert "All 40 positions" in desk.given[0].content
    assert desk.said == []
