"""Plans: what follows what in one room, and what is said about files that cannot be used."""

import json

import pytest

from trustscope.lessons.course import course_of
from trustscope.lessons.plan import course, minutes_of, named, plans, read
from trustscope.lessons.reader import FILES, LessonProblem, find, shelf

LESSON = find("two-copies")


PAGE = {"kind": "page", "title": "P", "text": "T", "minutes": 1}


def plan(*parts, **changes):
    return {"trustscope_plan": 1, "id": "mine", "title": "Mine", "about": "My plan.", "parts": list(parts)} | changes


def test_the_plans_that_come_along_last_as_long_as_they_say():
    assert {one.id: minutes_of(course(one)) for one in plans()} == {"45-minutes": 45, "90-minutes": 90}
    kinds = {part.kind for one in plans() for part in one.parts}
    assert kinds == {"lesson", "page", "break"}


def test_every_lesson_that_comes_along_has_notes_for_the_teacher():
    for lesson in shelf():
        assert lesson.notes is not None
        assert len(lesson.notes.questions) == 2


def test_places_are_counted_through():
    taught = course_of(LESSON, find("shortcut"))
    assert taught.starts == (1, len(LESSON.steps) + 2), "each lesson ends with a page of its own"
    for number in range(1, taught.size + 1):
        section, step = taught.place(number)
        assert taught.starts[section] + step - 1 == number
    assert taught.step(len(LESSON.steps) + 1) is None
    assert taught.place(0) == (0, 1)
    assert taught.place(99) == (1, taught.sections[1].size)
    assert list(taught.questions) == ["1.second", "1.growth", "2.safe"]
    for name, place in taught.answers.items():
        assert taught.asked_at(int(place)) == name


def test_a_plan_of_files(tmp_path):
    """A lesson, a scenario and a break beside each other in a folder, whatever folder one is in."""
    (tmp_path / "lesson.json").write_text(next(FILES.glob("*shortcut.json")).read_text())
    (tmp_path / "page.json").write_text(json.dumps({"trustscope": 1, "page": "survey"}))
    parts = [
        {"kind": "lesson", "lesson": "lesson.json"}, {"kind": "lesson", "lesson": "two-copies", "minutes": 9},
        {"kind": "break", "minutes": 5},
        {"kind": "page", "title": "Play", "text": "Go.", "scenario": "page.json", "minutes": 3},
    ]  # fmt: skip
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan(*parts)))
    found = course(read(path), tmp_path)
    assert [one.title for one in found.sections] == ["The tempting shortcut", LESSON.title, "Break", "Play"]
    assert [one.size for one in found.sections] == [6, 7, 1, 1]
    assert found.sections[1].minutes == 9
    assert "accuracy" in found.sections[3].lesson.steps[0].cards, "everything of the page"
    assert named(str(path)) == found
    assert len(named(str(path), "rotation").sections) == 5


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (plan(), "parts: this has 0 entries"),
        (plan({"kind": "dance"}), "part 1: “dance” is not a kind"),
        (plan({"kind": "lesson", "lesson": "nothing"}), "part 1: there is no lesson “nothing”"),
        (plan({"kind": "break"}), "part 1, minutes: this is missing"),
        (plan(PAGE | {"scenario": {"page": "release"}}), "“release”"),
        (
            plan(PAGE | {"scenario": {"page": "trust"}, "cards": ["pie"]}),
            "no card “pie”",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_the_part(content, said, tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(content))
    with pytest.raises(LessonProblem) as problem:
        named(str(path))
    assert any(said in sentence for sentence in problem.value.sentences), problem.value.sentences


def test_names_that_there_are_not():
    with pytest.raises(LessonProblem, match="45-minutes, 90-minutes, two-copies"):
        named("nothing")
    with pytest.raises(LessonProblem, match="no such file"):
        named("nothing.json")
    with pytest.raises(LessonProblem, match="too many"):
        named(*["90-minutes"] * 3)
