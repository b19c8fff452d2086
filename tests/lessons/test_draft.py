"""Writing a lesson: a page becomes a step, truths are computed, and what is written is the file of a lesson."""

from contextlib import suppress

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
    draft, problems = drafts.filled(written(QUESTIONS[kind]), facts)
    assert problems == drafts.stale(draft) == []
    lesson = read_text(drafts.as_text(draft), "mine.json")
    assert lesson.id == "mine-and-annas"
    assert [step.kind for step in lesson.steps] == ["predict", "reveal"]
    assert check(lesson, facts) == []
    if kind == "curve":
        assert [point.x for point in lesson.steps[0].question.points] == [20, 50, 80]
        assert draft["steps"][0]["question"]["places"], "what helps to write stays in the draft"


def test_what_is_wrong_with_a_question_is_said_and_the_others_are_computed(facts):
    curve = QUESTIONS["curve"] | {"vary": "settings.recipients[0].nothing"}
    draft = drafts.with_question(written(curve), 1)
    draft["steps"][1] |= {"question": {"ask": "What?", "said": SAID, **QUESTIONS["number"]}}
    draft["steps"].append({"kind": "predict", "question": {"kind": "number"}})
    found, problems = drafts.filled(draft, facts)
    assert found["steps"][1]["question"]["truth"] > 0
    assert problems == [
        "step 1: what is true was not computed: the page trust has no setting “settings.recipients[0].nothing”.",
        "step 4: what is true was not computed: no figure is named.",
    ]


def test_answers_keep_their_names_and_the_changes_of_an_answer_are_computed_with(facts):
    """A lesson from a file: its names are words, and each answer is about a scenario of its own."""
    when = "settings.scheme == 'independent'"
    options = [
        {"value": "much", "text": "Much", "when": when, "scenario": {"settings": {"scheme": "independent"}}},
        {"value": "none", "text": "None", "when": when},
    ]
    draft = written({"kind": "choice", "options": options, "right": "much"})
    assert check(read_text(drafts.as_text(draft), "mine.json"), facts) == []
    draft["steps"][0]["question"]["right"] = "none"
    found, _ = drafts.filled(draft, facts)
    assert found["steps"][0]["question"]["right"] == "much"
    found["steps"][0]["question"]["options"].append({"text": "New"})
    named = drafts.tidied(found)["steps"][0]["question"]["options"]
    assert [one["value"] for one in named] == ["much", "none", "a"]


def test_what_was_set_by_hand_stays_as_long_as_it_holds(facts):
    draft, _ = drafts.filled(written(QUESTIONS["plain number"]), facts)
    question = draft["steps"][0]["question"]
    suggested = {name: question[name] for name in ("start", "end", "step", "close")}
    question |= {"end": 3 * suggested["end"], "close": 7.5}
    draft, _ = drafts.filled(draft, facts)
    question = draft["steps"][0]["question"]
    assert question["end"] == 3 * suggested["end"]
    assert (question["start"], question["step"], question["close"]) == (suggested["start"], suggested["step"], 7.5)
    question["figure"] = "100000 * hits.together"  # far beyond the axis that was set
    draft, _ = drafts.filled(draft, facts)
    question = draft["steps"][0]["question"]
    assert question["truth"] < question["end"]
    assert question["step"] == question["end"] / 100
    assert question["close"] == 7.5


def test_a_curve_whose_values_were_changed_is_not_true_yet(facts):
    draft, _ = drafts.filled(written(QUESTIONS["curve"]), facts)
    question = draft["steps"][0]["question"]
    question["places"] = [20, 50, 90]
    assert "step 1: the curve is not computed" in drafts.stale(draft)[0]
    assert drafts.stale(drafts.filled(draft, facts)[0]) == []
    question |= {"places": [20, 50, 80], "vary": "settings.recipients[1].trust"}
    assert drafts.stale(draft)


def test_an_id_that_follows_from_the_title_is_one_of_its_own():
    draft = drafts.blank() | {"title": "Two copies"}
    assert drafts.tidied(draft)["id"] == "two-copies"
    assert drafts.tidied(draft, taken={"two-copies", "two-copies-2"})["id"] == "two-copies-3"
    assert drafts.tidied(draft | {"title": "Приватность"}, taken={"lesson"})["id"] == "lesson-2"
    assert drafts.tidied(draft | {"id": "mine"}, taken={"mine"})["id"] == "mine"  # it was chosen


def test_an_example_leads_also_back_to_what_is_so_by_default():
    draft = drafts.with_page(drafts.with_page(drafts.blank(), SCENARIO), TrustScenario().replace({"view.closer": ""}))
    draft = drafts.with_example(draft, 0, 1)
    step = draft["steps"][0]
    assert step["example"]["data"]["name"] == TrustScenario().data.name
    there = drafts.scenario_of(draft, step, step["example"])
    assert there == drafts.scenario_of(draft, draft["steps"][1])
    draft = drafts.with_page(draft, SurveyScenario())
    with pytest.raises(drafts.DraftProblem, match="shows another page"):
        drafts.with_example(draft, 0, 2)


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
    assert isinstance(drafts.filled(draft, facts)[0], dict)
    assert isinstance(drafts.stale(draft), list)
    with suppress(drafts.DraftProblem):
        assert isinstance(drafts.with_example(draft, 0, 0), dict)
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
        found, _ = drafts.filled(written(curve | {"places": [5 * place for place in places]}), Counted())
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
    lesson = read_text(drafts.as_text(drafts.filled(written(QUESTIONS["number"]), Counted())[0]), "mine.json")
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
