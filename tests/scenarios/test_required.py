"""Requirements in figures, in reports and among what differs: what they say is what the page and the solver say."""

import pytest

from trustscope.handouts.report import report
from trustscope.handouts.report.drawing import Drawn
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.differences import differences
from trustscope.scenarios.metrics import compute_metrics
from trustscope.scenarios.pages import work_of
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.solve import trust
from trustscope.scenarios.solve.requirement import (
    CategoriesRequirement,
    RotationRequirement,
    SurveyRequirement,
    TrustRequirement,
)
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import TrustScenario

IRIS = TrustScenario().replace({"data.name": "iris", "settings.recipients": recipients(60, 40)})


def asking(scenario, *requirements):
    return scenario.replace({"settings.requirements": requirements})


@pytest.fixture(scope="module")
def trusted():
    wanted = asking(
        IRIS,
        TrustRequirement(attacker="perfect", what="error", limit=0.4),
        TrustRequirement(attacker="perfect", what="error", limit=0.2),
        TrustRequirement(what="error", limit=0.2, attacker="raw"),
        TrustRequirement(attacker="perfect", what="accuracy", limit=0.99, label="Species"),
        TrustRequirement(attacker="perfect", what="accuracy", limit=0.5, label="nothing of the kind"),
        TrustRequirement(attacker="perfect", what="hits", limit=0.99, coalition="named", members=(7,)),
    )
    found = work_of(wanted).whole(wanted)
    return found, work_of(wanted).metrics_of(found)


def test_each_requirement_is_a_figure(trusted):
    found, told = trusted
    # Two independent copies at 60 and 40 %: 1 / s = 1.5 + 0.667, and the error is 1 / (1 + 1 / s) = 0.316.
    assert [told.of(f"requirement.{n}").value for n in (1, 2)] == [False, True]
    assert told.of("requirement.1.reached").value == pytest.approx(6 / 19)
    assert told.of("requirement.1").label.endswith("an error of at least 0.4 of any coalition, against somebody who "
                                                   "knows the statistics")  # fmt: skip
    # Learnt from a sample: measured, and never better than who is told everything.
    raw = told.of("requirement.3.reached").value
    assert told.of("requirement.3").value is True
    assert 6 / 19 < raw < 1
    # A classifier is trained.
    trained = trust.usefulness(
        found.model,
        found.scenario.settings,
        found.scenario.settings.requirements[3],
        trust.labels_of(found.data, found.model),
    )
    assert told.of("requirement.4.reached").value == pytest.approx(trained.at(40))
    assert told.of("requirement.4").value is False
    # No such column, and nobody of that number: nothing to judge.
    assert told.of("requirement.5").value is told.of("requirement.6").value is None
    with pytest.raises(KeyError):
        told.of("requirement.5.reached")


@pytest.mark.parametrize(
    ("scenario", "kept"),
    [
        (
            asking(
                CategoriesScenario().replace({"data.name": "iris"}),
                CategoriesRequirement(what="rho", limit=99.99), CategoriesRequirement(what="delta", limit=10),
            ),
            [True, False],
        ),
        (
            asking(
                RotationScenario().replace({"data.name": "iris"}), RotationRequirement(what="known", limit=100),
                RotationRequirement(what="sample", limit=1), RotationRequirement(what="noise", limit=50),
            ),
            [True, False, False],
        ),
        (
            asking(
                SurveyScenario().replace({"view.arrived": 40}), SurveyRequirement(what="accuracy", limit=1),
                SurveyRequirement(what="disclosure", limit=1),
            ),
            [True, False],
        ),
        (asking(SurveyScenario().replace({"view.arrived": 0}), SurveyRequirement(what="accuracy", limit=1)), [None]),
    ],
    ids=["categories", "rotation", "survey", "nobody has answered"],
)  # fmt: skip
def test_on_the_other_pages(scenario, kept):
    told = compute_metrics(scenario)
    assert [told.of(f"requirement.{n}").value for n in range(1, len(kept) + 1)] == kept
    assert sum(one.name.startswith("requirement.") for one in told.figures) == sum(1 + (k is not None) for k in kept)


def test_a_report_lists_them_in_words(monkeypatch):
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")  # among the settings: nothing need be drawn
    made = asking(
        IRIS,
        TrustRequirement(attacker="perfect", what="error", limit=0.4),
        TrustRequirement(attacker="perfect", what="mean", limit=0.0001),
    )
    text = report(made)
    assert "<dt>Requirement 1</dt>" in text
    said = "An error of at least 0.4 of any coalition, against somebody who knows the statistics: not kept, with 0.31"
    assert said in text
    assert "The mean of " in text
    assert "Requirement 3" not in text
    assert "Requirement" not in report(IRIS)


def test_what_differs_says_requirements_in_words():
    held = asking(
        IRIS,
        TrustRequirement(attacker="perfect", what="hits", limit=0.4),
        TrustRequirement(attacker="perfect", what="mean", limit=2.5),
    )
    held = held.replace({"settings.locked": (1,)})
    assert differences([IRIS, held]) == [
        ("requirement 1", ("–", "at most 40 % of the attribute guessed within the usual distance by any coalition, "
                                "against somebody who knows the statistics")),
        ("requirement 2", ("–", "the mean of the attribute to within 2.5, from every copy")),
        ("already hold their copy", ("–", IRIS.settings.recipients[1].name)),
    ]  # fmt: skip
    one, other = (asking(SurveyScenario(), SurveyRequirement(what="accuracy", limit=n)) for n in (80, 85))
    assert differences([one, other]) == [
        ("requirement 1", ("an accuracy of at least 80 %", "an accuracy of at least 85 %"))
    ]
    for kind, required in (
        (CategoriesScenario, CategoriesRequirement(what="right", limit=40)),
        (RotationScenario, RotationRequirement(what="known", limit=40)),
    ):
        ((name, texts),) = differences([kind(), asking(kind(), required)])
        assert name == "requirement 1"
        assert "at most 40 %" in texts[1]
