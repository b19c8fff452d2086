"""What somebody predicted and reached in a lesson, as a short code that a teacher reads back; no server is needed.

The code is a number in a mixed radix, written with 32 letters and digits that nobody mistakes for one another. It
holds which lesson it is (a fingerprint of its questions and goals), a checksum, each prediction (a number to the step
of its slider, a curve to one part in forty of its axis and whether it was close), and which goals were reached. It is
no secret and no proof: whoever knows how it is made can make one.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any, NamedTuple

from trustscope.lessons import prediction
from trustscope.lessons.lesson import (
    ChoiceQuestion,
    CurveQuestion,
    Lesson,
    NumberQuestion,
    Predict,
    RankingQuestion,
    Try,
)

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: without I, L, O and U
_TYPED = str.maketrans("ILO", "110")
MARK = 1 << 15  # of the fingerprint and of the checksum
HEIGHTS = 40  # parts of the axis to which a curve is kept
GROUP = 4  # letters that stand together


class CodeProblem(ValueError):
    """One sentence on why a code cannot be read."""


class Result(NamedTuple):
    """What a code holds: predictions by name, the names of those that were close, steps whose goal was reached."""

    lesson: Lesson
    predictions: dict[str, Any]
    close: frozenset[str]
    reached: frozenset[int]


def code_of(lesson: Lesson, predictions: dict[str, Any], reached: Iterable[int]) -> str:
    """The code of what was predicted and of the steps, counted from 1, whose goal was reached."""
    reached, number = frozenset(reached), 0
    for place, step in _tasks(lesson):
        if isinstance(step, Try):
            number = number * 2 + (place in reached)
        else:
            value = predictions.get(step.name)
            number = number * _size(step.question) + (0 if value is None else 1 + _index(step.question, value))
    number = (number * MARK + _fingerprint(lesson)) * MARK + _checksum(lesson, number)
    digits = ""
    while number:
        number, digit = divmod(number, len(LETTERS))
        digits = LETTERS[digit] + digits
    digits = digits.rjust(_length(lesson), LETTERS[0])
    return "-".join(digits[k : k + GROUP] for k in range(0, len(digits), GROUP))


def result_of(code: str, lessons: Iterable[Lesson]) -> Result:
    """What a code holds; a CodeProblem where it is none, or of none of these lessons."""
    text = "".join(code.upper().split()).replace("-", "").translate(_TYPED)
    if not text or len(text) > 200 or any(letter not in LETTERS for letter in text):
        raise CodeProblem(f"“{code[:40]}” is no code: a code has letters and digits only.")
    number = 0
    for letter in text:
        number = number * len(LETTERS) + LETTERS.index(letter)
    number, checksum = divmod(number, MARK)
    number, mark = divmod(number, MARK)
    known = [one for one in lessons if _fingerprint(one) == mark and _length(one) == len(text)]
    lesson = next((one for one in known if _checksum(one, number) == checksum), None)
    if lesson is None and known:
        raise CodeProblem(f"“{code[:40]}” has a letter wrong: ask for it again.")
    if lesson is None:
        raise CodeProblem(
            f"“{code[:40]}” belongs to none of the lessons, or has a letter wrong: name its lesson's file."
        )
    return _unpacked(lesson, number)


def _unpacked(lesson: Lesson, number: int) -> Result:
    predictions, close, reached = {}, set(), set()
    for place, step in reversed(list(_tasks(lesson))):
        if isinstance(step, Try):
            number, done = divmod(number, 2)
            reached |= {place} if done else set()
            continue
        number, index = divmod(number, _size(step.question))
        if index:
            value, was_close = _value(step.question, index - 1)
            predictions[step.name] = value
            close |= {step.name} if was_close else set()
    return Result(lesson, predictions, frozenset(close), frozenset(reached))


def _tasks(lesson: Lesson) -> Iterator[tuple[int, Predict | Try]]:
    return ((place, step) for place, step in enumerate(lesson.steps, 1) if isinstance(step, Predict | Try))


def _fingerprint(lesson: Lesson) -> int:
    """Tells lessons apart, and a lesson from one whose questions were changed."""
    told = [step.model_dump(mode="json") for _, step in _tasks(lesson)]
    return _digest([lesson.id, [[one.get("name"), one.get("question"), one.get("goal")] for one in told]])


def _checksum(lesson: Lesson, number: int) -> int:
    return _digest([lesson.id, str(number)])


def _digest(content: Any) -> int:
    text = json.dumps(content, sort_keys=True).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:4], "big") % MARK


def _length(lesson: Lesson) -> int:
    """How many letters a code of the lesson has: always the same."""
    largest = MARK * MARK
    for _, step in _tasks(lesson):
        largest *= 2 if isinstance(step, Try) else _size(step.question)
    length = 1
    while len(LETTERS) ** length < largest:
        length += 1
    return length


# A question's predictions, counted


def _size(question: Any) -> int:
    """How many predictions there can be, none included."""
    match question:
        case ChoiceQuestion():
            return 1 + len(question.options)
        case NumberQuestion():
            return 2 + _steps(question)
        case CurveQuestion():
            return 1 + 2 * (HEIGHTS + 1) ** len(question.points)
        case RankingQuestion():
            return 1 + len(_orders(question))
    raise TypeError(f"There is no code for {question!r}.")


def _steps(question: NumberQuestion) -> int:
    return max(1, round((question.end - question.start) / question.step))


def _orders(question: RankingQuestion) -> list[list[str]]:
    return [list(one) for one in permutations(item.value for item in question.items)]


def _index(question: Any, value: Any) -> int:
    match question:
        case ChoiceQuestion():
            return [one.value for one in question.options].index(value)
        case NumberQuestion():
            return min(round((value - question.start) / question.step), _steps(question))
        case CurveQuestion():
            index = int(prediction.is_close(question, value))
            for height in value:
                part = (height - question.y_start) / (question.y_end - question.y_start)
                index = index * (HEIGHTS + 1) + round(HEIGHTS * part)
            return index
    return _orders(question).index(list(value))


def _value(question: Any, index: int) -> tuple[Any, bool]:
    """The prediction of an index, and whether it was close."""
    match question:
        case ChoiceQuestion():
            value: Any = question.options[index].value
        case NumberQuestion():
            value = min(question.start + index * question.step, question.end)
        case CurveQuestion():
            heights = []
            for _ in question.points:
                index, part = divmod(index, HEIGHTS + 1)
                heights.append(question.y_start + (question.y_end - question.y_start) * part / HEIGHTS)
            return heights[::-1], bool(index)
        case _:
            value = _orders(question)[index]
    return value, prediction.is_close(question, value)
