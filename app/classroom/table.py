"""What a class did, as a table: a row for each seat and each step at which something was asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from trustscope.app.classroom.room import Room
from trustscope.lessons import prediction
from trustscope.lessons.lesson import Predict
from trustscope.lessons.text import plain_text

COLUMNS = ["student", "lesson", "step", "kind", "question", "first answer", "answer", "truth", "close", "goal reached"]


@dataclass
class Answers:
    """What one student did: predictions by name and round, and the places whose goal was reached."""

    number: int
    furthest: Mapping[int, int]
    predictions: dict[tuple[str, int], Any] = field(default_factory=dict)
    reached: set[int] = field(default_factory=set)


def table_of(room: Room, students: list[Answers]) -> pd.DataFrame:
    """The table; steps that neither the teacher nor the student has come to are left out.

    Whoever never answered has empty cells, and no row is left out for that.
    """
    course, rows = room.course, []
    for student in students:
        for place, step in course.tasks():
            section, number = course.place(place)
            if max(room.furthest.get(section, 0), student.furthest.get(section, 0)) < place:
                continue
            head = [student.number, course.sections[section].title, number, step.kind]
            if isinstance(step, Predict):
                rows.append([*head, *_asked(room, student, place, step)])
            else:
                rows.append([*head, plain_text(step.text), "", "", "", "", _yes(place in student.reached)])
    return pd.DataFrame(rows, columns=COLUMNS)


def _asked(room: Room, student: Answers, place: int, step: Predict) -> list[Any]:
    """The cells of a prediction: the last answer counts, from whichever round it is."""
    name, question = room.course.name(place, step.name), step.question
    given = [student.predictions.get((name, number)) for number in range(1, room.round_of(name) + 1)]
    last = next((one for one in reversed(given) if one is not None), None)
    close = "" if last is None else _yes(prediction.is_close(question, last))
    first = given[0] if len(given) > 1 else None
    return [plain_text(question.ask), *map(prediction.as_cell, (first, last, prediction.truth(question))), close, ""]


def _yes(value: bool) -> str:
    return "yes" if value else "no"
