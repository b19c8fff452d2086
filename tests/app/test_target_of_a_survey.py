"""The target of a survey says when it was solved with other numbers of people than have answered now."""

from trustscope.app.survey.target import SurveyPurpose
from trustscope.scenarios.solve.survey import goal_of
from trustscope.scenarios.survey.scenario import FIRST, SurveyScenario
from trustscope.scenarios.survey.short import MOST


def arrived(many):
    return SurveyScenario().replace({"view.arrived": many})


def test_how_many_people_a_target_is_solved_with():
    assert [goal_of(arrived(n)) for n in (0, 1, FIRST, 777, MOST, 20_000)] == [FIRST, FIRST, FIRST, 777, MOST, MOST]


def test_it_says_when_others_have_answered_since():
    purpose = SurveyPurpose()
    assert purpose.since(arrived(0), arrived(FIRST)) == ""
    assert purpose.since(arrived(5_000), arrived(6_000)) == ""
    assert purpose.since(arrived(200), arrived(1_500)).startswith("It would be 1\u202f500 people now")
