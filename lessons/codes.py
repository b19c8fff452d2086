"""Codes that students handed in, as one table."""

from collections.abc import Sequence
from typing import Any

from trustscope.lessons import prediction
from trustscope.lessons.code import LETTERS, CodeProblem, Result, result_of
from trustscope.lessons.lesson import Lesson, Predict, Try
from trustscope.lessons.text import plain_text

COLUMNS = ["name", "lesson", "step", "kind", "question", "answer", "truth", "close", "goal reached"]


def rows_of(text: str, lessons: Sequence[Lesson]) -> tuple[list[list[Any]], list[str]]:
    """A row for each code and each question or goal of its lesson, and sentences about lines that have none.

    A line has a code, and before it whatever the teacher writes: a name, separated by a space, a comma or a tab.
    """
    rows: list[list[Any]] = []
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, code = _parts(line)
        try:
            rows += _rows(name or f"line {number}", result_of(code, lessons))
        except CodeProblem as problem:
            problems.append(f"Line {number}: {problem}")
    return rows, problems


def _parts(line: str) -> tuple[str, str]:
    """The name and the code of a line: the code is the last word, or several that are groups of four."""
    words = line.replace(",", " ").replace(";", " ").split()
    code = [words.pop()]
    while words and "-" not in code[0] and len(words[-1]) == 4 and words[-1] == words[-1].upper() and _fits(words[-1]):
        code.insert(0, words.pop())
    return " ".join(words), "".join(code)


def _fits(word: str) -> bool:
    return any(letter.isdigit() for letter in word) and all(letter in LETTERS for letter in word)


def _rows(name: str, result: Result) -> list[list[Any]]:
    rows = []
    for number, step in enumerate(result.lesson.steps, 1):
        head = [name, result.lesson.title, number, step.kind]
        if isinstance(step, Predict):
            value = result.predictions.get(step.name)
            told = map(prediction.as_cell, (value, prediction.truth(step.question)))
            close = "" if value is None else _yes(step.name in result.close)
            rows.append([*head, plain_text(step.question.ask), *told, close, ""])
        elif isinstance(step, Try):
            rows.append([*head, plain_text(step.text), "", "", "", _yes(number in result.reached)])
    return rows


def _yes(value: bool) -> str:
    return "yes" if value else "no"
