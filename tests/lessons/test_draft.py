"""Writing a lesson: a page becomes a step, truths are computed, and what is written is the file of a lesson."""

import pytest

from trustscope.lessons import draft as drafts
from trustscope.lessons.check import check
from trustscope.lessons.facts import Facts
from trustscope.lessons.reader import LessonProblem, read_text
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import TrustScenario

SCENARIO = TrustScenario().replace({"data.name": "iris", "settings.scheme": "nested"})
SAID = {"close": "Yes.", "far": "No."}


@pytest.fixture(scope="module")
def facts():
    return Facts()


def written(question):
    """A whole lesson with one question before one page."""
    draft = drafts.with_question(drafts.with_page(drafts.blank(), SCENARIO), 0)
    draft |= {"title": "Mine, and Ännas!", "about": "It is mine.", "learnt": "Something."}
    for step in draft["steps"]:
        step |= {"title": "A step", "text": "Look here."}
    draft["steps"][0]["question"] = {"ask": "What?", "said": SAID, **question}
    return draft


QUESTIONS = {
    "choice": {
        "kind": "choice", "right": "a",
        "options": [
            {"text": "Less", "when": "hits.together < hits.alone"},
            {"text": "Not", "when": "hits.together >= hits.alone"},
        ],
    },
    "number": {"kind": "number", "figure": "hits.together", "shown": "share"},
    "plain number": {"kind": "number", "figure": "100 * hits.together", "shown": "plain"},
    "curve": {
        "kind": "curve", "figure": "hits.together", "vary": "settings.recipients[0].trust", "places": [80, 20, 50],
        "x_label": "trust", "y_label": "hits",
    },
    "ranking": {
        "kind": "ranking",
        "items": [
            {"text": "None", "figure": "hits.without"}, {"text": "All", "figure": "1"},
            {"text": "Together", "figure": "hits.together"},
        ],
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", QUESTIONS)
def test_what_is_true_is_computed_and_the_lesson_passes_all_checks(kind, facts):
    draft = drafts.filled(written(QUESTIONS[kind]), facts)
    lesson = read_text(drafts.as_text(draft), "mine.json")
    assert lesson.id == "mine-and-nnas"
    assert [step.kind for step in lesson.steps] == ["predict", "reveal"]
    assert check(lesson, facts) == []
    if kind == "curve":
        assert [point.x for point in lesson.steps[0].question.points] == [20, 50, 80]
        assert draft["steps"][0]["question"]["places"], "what helps to write stays in the draft"


def test_a_page_becomes_a_step_with_what_it_shows():
    draft = drafts.with_page(drafts.blank(), SCENARIO.replace({"view.closer": "attackers"}))
    (step,) = draft["steps"]
    assert draft["page"] == "trust"
    assert step["cards"] == ["headline", "person", "pooling", "attackers"]
    assert drafts.scenario_of(draft, step) == SCENARIO.replace({"view.closer": "attackers"})
    draft = drafts.with_page(draft, SurveyScenario())
    assert (draft["page"], draft["steps"][1]["scenario"]["page"]) == ("trust", "survey")


def test_a_card_under_look_closer_is_opened():
    draft = drafts.with_page(drafts.blank(), SCENARIO.replace({"view.closer": ""}))
    draft["steps"][0]["cards"].append("attackers")
    assert drafts.tidied(draft)["steps"][0]["scenario"]["view"]["closer"] == "attackers"


def test_own_data_and_pages_without_lessons_are_refused():
    own = SCENARIO.replace({"data.name": "own", "data.file": OwnFile(name="x.csv", size=1, digest="0" * 64)})
    with pytest.raises(drafts.DraftProblem, match="built-in data"):
        drafts.with_page(drafts.blank(), own)
    full = drafts.blank() | {"steps": [{}] * 30}
    with pytest.raises(drafts.DraftProblem, match="30 steps"):
        drafts.with_page(full, SCENARIO)
    with pytest.raises(drafts.DraftProblem, match="30 steps"):
        drafts.with_question(full, 0)


@pytest.mark.parametrize(
    "draft",
    [
        {}, {"steps": 3}, {"steps": [3, None, []]}, {"steps": [{"kind": "predict", "question": 3}]},
        {"steps": [{"question": {"kind": "x"}}]},
        {"steps": [{"kind": {}, "scenario": {"page": "nowhere", "view": 3}, "cards": "x"}]},
        {"steps": [{"kind": "predict", "question": {"kind": "curve", "vary": "settings.__class__", "places": ["x"]}}]},
        {"steps": [{"kind": "predict", "question": {"kind": []}}]},
        {"steps": [{"scenario": {"page": []}, "cards": []}]},
    ],
    ids=str,
)  # fmt: skip
def test_what_a_browser_makes_up_breaks_nothing(draft, facts):
    assert isinstance(drafts.filled(draft, facts), dict)
    assert isinstance(drafts.with_question(draft | {"steps": [{"name": []}]}, 0), dict)
    with pytest.raises(LessonProblem):
        read_text(drafts.as_text(draft), "mine.json")


class Counted(Facts):
    """Facts that say what was asked for, and compute nothing."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def evaluate(self, expression, scenario, lesson=None):
        self.asked.append(expression)
        return 0.5


def test_no_more_is_worked_out_than_a_lesson_can_have():
    few, many = Counted(), Counted()
    curve = {"kind": "curve", "figure": "hits.together", "vary": "settings.recipients[0].trust"}
    drafts.filled(written(curve | {"places": list(range(1, 13))}), few)
    drafts.filled(written(curve | {"places": [1 + n / 100 for n in range(5_000)]}), many)
    assert len(many.asked) == len(few.asked) == 12


def test_a_curve_of_too_many_places_is_refused_and_not_cut():
    curve = QUESTIONS["curve"] | {"said": {"close": "a", "far": "b"}}
    for places, refused in ((range(12), False), ([*range(12), 11, 11], False), (range(13), True)):
        found = drafts.filled(written(curve | {"places": [5 * place for place in places]}), Counted())
        assert len(found["steps"][0]["question"]["points"]) == (13 if refused else 12)
        try:
            read_text(drafts.as_text(found), "mine.json")
            said = ""
        except LessonProblem as problem:
            said = str(problem)
        assert ("points" in said) == refused, said


def test_what_nobody_waits_for_any_more_is_left():
    facts = Counted()
    drafts.filled(written(QUESTIONS["ranking"]), facts, lambda: True)
    lesson = read_text(drafts.as_text(drafts.filled(written(QUESTIONS["number"]), Counted())), "mine.json")
    assert check(lesson, facts, lambda: True) == []
    assert facts.asked == []


@pytest.mark.parametrize(
    "draft",
    [{"steps": [{}] * 20_000}, {"title": "x" * 2_000_000}, {"x" * 2_000_000: 1}, {"steps": [[[[[0] * 10_000]]]]}],
    ids=range(4),
)
def test_a_draft_that_is_no_lesson_is_not_small(draft):
    assert not drafts.is_small(draft)
    assert drafts.is_small(drafts.with_page(drafts.blank(), SCENARIO))
