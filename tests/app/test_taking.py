"""What is taken along is made beside the page: it arrives, fails with a sentence, and is given up when asked to."""

import pytest

from trustscope.app import taking
from trustscope.app.own import OwnData
from trustscope.app.taking import File, Taking
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
        (TrustScenario().having({"data.name": "nowhere"}), "nowhere"),
    ],
)
def test_what_cannot_be_made_gets_a_sentence(scenario, words):
    desk = Desk()
    desk.taking.start("report", [scenario])
    assert (desk.given, desk.shown[-1]) == ([], {})
    assert len(desk.said) == 1
    assert words in desk.said[0]


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
    desk.taking.start("explorable", [CategoriesScenario().having({"settings.recipients": recipients(40, 20)})])
    assert [file.name for file in desk.given] == ["trustscope-categories-explorable.html"]
    assert "All 40 positions" in desk.given[0].content
    assert desk.said == []
