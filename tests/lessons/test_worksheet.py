"""A lesson on paper: all that is asked and room for it, and answers on another page only."""

import json
import re
from itertools import pairwise

import pytest

from trustscope.app.cli import main
from trustscope.lessons.ending import in_words, rows
from trustscope.lessons.lesson import CurveQuestion, Lesson, Predict, Try
from trustscope.lessons.prediction import truth
from trustscope.lessons.reader import find, shelf
from trustscope.lessons.text import plain_text
from trustscope.lessons.worksheet import worksheet


def words(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
def test_questions_first_and_the_key_on_a_page_of_its_own(lesson):
    text = worksheet(lesson)
    asked, key = text.split("<main class='key'>")
    for step in lesson.steps:
        if isinstance(step, Predict):
            assert plain_text(step.question.ask).split("{")[0][:40] in words(asked).replace("&#x27;", "'")
            if isinstance(step.question, CurveQuestion):
                assert key.count("class='point'") >= len(step.question.points)
        if isinstance(step, Try):
            assert plain_text(step.done)[:30].split("’")[0] in words(key).replace("&#x27;", "'")
    assert "✓" not in asked
    assert "class='truth'" not in asked
    assert lesson.learnt in words(key).replace("&#x27;", "'")
    assert lesson.learnt not in asked
    assert "<script" not in text
    assert "http" not in text, "nothing comes from elsewhere"


def test_a_lesson_from_anybody_is_only_text():
    content = json.loads(find("two-copies").model_dump_json())
    content["title"] = content["steps"][1]["question"]["ask"] = content["learnt"] = "<img src=x onerror=alert(1)>"
    content["steps"][3]["question"]["y_label"] = content["steps"][1]["question"]["options"][0]["text"] = "<script>"
    text = worksheet(Lesson.model_validate(content))
    assert "<img" not in text
    assert "<script" not in text


def test_a_number_line_has_numbers_at_even_distances():
    text = worksheet(find("diagnosis")).split("aria-label='A number line'>")[1].split("</svg>")[0]
    named = [(float(x), said) for x, said in re.findall("<text x='([0-9.]+)'[^>]*>([^<]+)</text>", text)]
    assert [said for _, said in named] == ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
    assert len({round(b[0] - a[0]) for a, b in pairwise(named)}) == 1


def test_the_end_of_a_lesson():
    lesson = find("two-copies")
    found = rows(lesson, {"second": "same"})
    assert [row["close"] for row in found] == [False, None]
    assert found[0]["predicted"].startswith("As much as one")
    assert found[1]["curve"]["drawn"] == []
    for one in shelf():
        for step in one.steps:
            if isinstance(step, Predict):
                assert in_words(step.question, truth(step.question))


def test_the_command(tmp_path, capsys):
    assert main(["lesson", "worksheet", "rotation", "-o", str(tmp_path / "r.html")]) == 0
    assert "print it" in capsys.readouterr().out
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert main(["lesson", "worksheet", "rotation", "-o", str(tmp_path / "no" / "r.html")]) == 2
    assert main(["lesson", "worksheet", str(tmp_path / "nothing.json")]) == 2
