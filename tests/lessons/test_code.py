"""Codes: everything that was predicted and reached goes into one and comes out again, and a slip of the pen is seen."""

import json
import random

import pytest

from trustscope.app.cli import main
from trustscope.lessons.code import HEIGHTS, LETTERS, CodeProblem, code_of, result_of
from trustscope.lessons.codes import rows_of
from trustscope.lessons.lesson import CurveQuestion, Lesson, NumberQuestion, Predict, Try
from trustscope.lessons.prediction import is_close, truth
from trustscope.lessons.reader import find, shelf

LESSON = find("two-copies")


def drawn(question, draw):
    """A prediction as a widget can make it."""
    match question:
        case NumberQuestion():
            steps = round((question.end - question.start) / question.step)
            return min(question.start + draw.randint(0, steps) * question.step, question.end)
        case CurveQuestion():
            return [draw.uniform(question.y_start, question.y_end) for _ in question.points]
    options = getattr(question, "options", None)
    return draw.choice(options).value if options else draw.sample(list(question.order), len(question.order))


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
def test_what_goes_in_comes_out(lesson):
    asked = {step.name: step.question for step in lesson.steps if isinstance(step, Predict)}
    tries = [number for number, step in enumerate(lesson.steps, 1) if isinstance(step, Try)]
    lengths = set()
    for seed in range(60):
        draw = random.Random(seed)
        given = {name: drawn(question, draw) for name, question in asked.items() if draw.random() < 0.8}
        reached = [number for number in tries if draw.random() < 0.5]
        code = code_of(lesson, given, reached)
        lengths.add(len(code))
        found = result_of(code.lower().replace("-", " "), shelf())
        assert found.lesson is lesson
        assert found.reached == set(reached)
        assert found.predictions.keys() == given.keys()
        assert found.close == {name for name, value in given.items() if is_close(asked[name], value)}
        for name, value in given.items():
            step = (asked[name].y_end - asked[name].y_start) / HEIGHTS if isinstance(asked[name], CurveQuestion) else 0
            assert found.predictions[name] == (pytest.approx(value, abs=step) if step else pytest.approx(value))
    assert len(lengths) == 1
    assert lengths.pop() <= 20, "short enough to be typed"


def test_a_slip_of_the_pen_is_seen():
    """Of all codes with one letter changed at most one in a thousand could pass; with this key none does."""
    code = code_of(LESSON, {"second": "more"}, [6]).replace("-", "")
    for place in range(len(code)):
        for letter in LETTERS:
            if letter != code[place]:
                with pytest.raises(CodeProblem):
                    result_of(code[:place] + letter + code[place + 1 :], shelf())


def test_letters_that_look_alike_are_the_same():
    code = next(
        code for number in range(100) if "0" in (code := code_of(find("filtered"), {}, [])) or "1" in code or number
    )  # fmt: skip
    assert result_of(code.replace("0", "O").replace("1", "I"), shelf()).lesson is find("filtered")


@pytest.mark.parametrize("text", ["", "-", "ABCU", "'; DROP", "0" * 201, "0000", "é"])
def test_what_is_no_code_gets_a_sentence(text):
    with pytest.raises(CodeProblem, match=r"\.$"):
        result_of(text, shelf())


def test_a_lesson_whose_questions_were_changed_is_another_one():
    content = json.loads(LESSON.model_dump_json())
    content["steps"][1]["question"]["right"] = "all"
    code = code_of(Lesson.model_validate(content), {}, [])
    with pytest.raises(CodeProblem, match="none of the lessons"):
        result_of(code, shelf())


def test_a_table_of_what_was_handed_in():
    """Names, commas, blanks, comments: whatever a teacher's list looks like."""
    right = code_of(LESSON, {"second": truth(LESSON.question("second"))}, [6])
    other = code_of(find("shortcut"), {"safe": 0.3}, [])
    rows, problems = rows_of(
        f"# my class\nAnna Berg {right}\n\nBo,{other}\n{right.replace('-', '')}\nEve XXXX\n", shelf()
    )
    assert problems == ["Line 6: “XXXX” belongs to none of the lessons, or has a letter wrong: name its lesson's file."]
    assert [row[0] for row in rows] == ["Anna Berg"] * 3 + ["Bo"] * 2 + ["line 5"] * 3
    anna = rows[:3]
    assert [row[3] for row in anna] == ["predict", "predict", "try"]
    assert anna[0][5:] == ["more", "more", "yes", ""]
    assert anna[1][5] == anna[1][7] == "", "never predicted"
    assert anna[2][-1] == "yes"
    assert rows[3][5:8] == [pytest.approx(0.3), 1.0, "no"]


def test_the_command(tmp_path, capsys):
    codes = tmp_path / "codes.txt"
    codes.write_text(f"Anna {code_of(LESSON, {'second': 'more'}, [])}\n")
    assert main(["lesson", "codes", str(codes)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("name,lesson,step")
    assert out.count("Anna") == 3
    codes.write_text("Anna 1234\n")
    assert main(["lesson", "codes", str(codes), "-o", str(tmp_path / "t.csv")]) == 1
    assert "Line 1" in capsys.readouterr().err
    assert main(["lesson", "codes", str(tmp_path / "nothing.txt")]) == 2
