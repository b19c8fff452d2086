"""Scenarios of several pages beside one another: how the noise of their copies differs is said."""

from types import SimpleNamespace

import pytest

from trustscope.handouts.report.comparing import compare
from trustscope.handouts.report.story import _title, story
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.differences import differences
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.trust.scenario import TrustScenario

TRUST = TrustScenario().replace({"settings.scheme": "nested"})
CATEGORIES = CategoriesScenario().replace({"settings.scheme": "independent"})
ROTATION = RotationScenario()


def parts_of(*scenarios):
    """Parts of a deck as far as they are compared, without the work that figures are."""
    brief = SimpleNamespace(question="What?", answer=(), advice=("Do it.",), assumed=("It holds.",))
    figures = SimpleNamespace(verdict="It is so.", before="", after="", label="", note="")
    found = SimpleNamespace(data=None)
    return [
        SimpleNamespace(letter=letter, scenario=one, number="", brief=brief, figures=figures, found=found,
                        sheet=SimpleNamespace(settings=(), assumptions=()), main=None, drawn=())
        for letter, one in zip("ABC", scenarios, strict=False)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("scenarios", "said"),
    [
        ((TRUST, CATEGORIES), "The noise of the copies is nested in A and independent in B."),
        ((TRUST, ROTATION, CATEGORIES), "The noise of the copies is nested in A and independent in C."),
        ((TRUST, CATEGORIES.replace({"settings.scheme": "nested"})), None),
        ((TRUST, ROTATION), None),
    ],
)
def test_slides_of_several_pages_say_how_their_noise_differs(monkeypatch, scenarios, said):
    monkeypatch.setattr("trustscope.handouts.report.story._pictures", lambda parts: [()] * len(parts))
    monkeypatch.setattr("trustscope.handouts.report.story._shows_person", lambda parts: False)
    parts = parts_of(*scenarios)
    table = compare(parts).table
    (slide,) = [one for one in story(parts) if one.kind == "comparison"]
    assert [text for text in slide.texts if "noise of the copies is" in text] == ([said] if said else [])
    assert ("Noise of the copies" in table[""].tolist()) == (said is not None)
    assert len(slide.texts) == len(set(slide.texts))


@pytest.mark.parametrize(
    ("scenarios", "title"),
    [
        ((TRUST, CATEGORIES), "What copies give away when they are pooled"),
        ((TRUST, ROTATION), "What released data give away"),
    ],
)
def test_a_deck_is_called_by_all_of_its_pages(monkeypatch, scenarios, title):
    monkeypatch.setattr("trustscope.handouts.report.story._shows_person", lambda parts: False)
    assert _title(parts_of(*scenarios)).title == title


def test_what_is_known_is_called_by_what_it_is():
    """Of copies columns are known, and of a rotation records."""
    for scenario, known, name in ((TRUST, ("Age",), "known columns"), (ROTATION, (3,), "known records")):
        (found,) = differences([scenario, scenario.replace({"settings.known": known})])
        assert found[0] == name
