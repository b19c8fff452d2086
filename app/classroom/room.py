"""The rules of a room: where everybody stands, and what may be predicted until when. No page, no file."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from trustscope.lessons import prediction
from trustscope.lessons.lesson import Lesson, Predict, Reveal
from trustscope.lessons.reader import read_text

# Letters and digits that nobody mistakes for one another. Eight of 31 are 39.6 bits: at the 200 wrong tries a minute
# that a server allows to all addresses together, a code is found within an hour once in 70 million rooms.
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
MOST_SEATS = 200
LOBBY = 0  # the step before the first one: the code is on the wall and students come in

CLOSED = "This room is closed."
SHOWN = "The answer has been shown: predictions for it are closed."
NOT_ASKED = "This is not asked in this lesson."
UNUSABLE = "This is no answer to the question."


class RoomProblem(ValueError):
    """One sentence on why something cannot be done in a room."""


@dataclass(frozen=True)
class Room:
    """A room.

    Attributes
    ----------
    code : what students type
    lesson : Lesson
    step : where the teacher stands, counted from 1; 0 is the lobby
    furthest : the furthest step that the teacher has shown
    together : whether all students stand where the teacher does; else each goes on alone
    """

    code: str
    lesson: Lesson
    step: int = LOBBY
    furthest: int = LOBBY
    together: bool = True

    def led(self, step: int | None = None, together: bool | None = None) -> "Room":
        """The room after the teacher went to a step, or let the students run, or gathered them."""
        to = self.step if step is None else min(max(step, LOBBY), len(self.lesson.steps))
        joined = self.together if together is None else together
        if not joined:
            to = max(to, 1)  # nobody can run in the lobby
        return replace(self, step=to, furthest=max(self.furthest, to), together=joined)


@dataclass(frozen=True)
class Seat:
    """A student's place: the own step, for when students run freely, and the furthest one that was seen then."""

    step: int = 1
    furthest: int = LOBBY

    def moved(self, lesson: Lesson, step: int) -> "Seat":
        """The seat after the student went to a step alone."""
        to = min(max(step, 1), len(lesson.steps))
        return Seat(to, max(self.furthest, to))


def place_of(room: Room, seat: Seat) -> int:
    """The step that a student sees."""
    return room.step if room.together else seat.step


def accepted(room: Room, seat: Seat, name: Any, value: Any) -> Any:
    """The prediction as it is kept; a RoomProblem where it cannot be one, or comes after the answer was shown."""
    reveal = revealing(room.lesson).get(name) if isinstance(name, str) else None
    if reveal is None:
        raise RoomProblem(NOT_ASKED)
    if max(room.furthest, seat.furthest) >= reveal:
        raise RoomProblem(SHOWN)
    usable = prediction.usable(room.lesson.question(name), value)
    if usable is None:
        raise RoomProblem(UNUSABLE)
    return usable


def revealing(lesson: Lesson) -> dict[str, float]:
    """By the names of all predictions the step that shows the answer first; infinity where none does."""
    found: dict[str, float] = {step.name: float("inf") for step in lesson.steps if isinstance(step, Predict)}
    for number, step in enumerate(lesson.steps, 1):
        if isinstance(step, Reveal):
            found[step.of] = min(found[step.of], number)
    return found


def asked_at(lesson: Lesson, step: int) -> str | None:
    """The name of the prediction that a step is about; None where it is about none."""
    if not 1 <= step <= len(lesson.steps):
        return None
    present = lesson.steps[step - 1]
    if isinstance(present, Predict):
        return present.name
    return present.of if isinstance(present, Reveal) else None


def new_code() -> str:
    """A code that cannot be guessed."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def typed_code(text: str) -> str:
    """A code as somebody typed it: small letters, spaces and hyphens do not matter; empty where it can be none."""
    code = "".join(letter for letter in text[:100].upper() if letter not in " -\u2013\u202f")
    return code if len(code) == CODE_LENGTH and all(letter in LETTERS for letter in code) else ""


def written_code(code: str) -> str:
    """A code in two groups, as it is read aloud."""
    half = CODE_LENGTH // 2
    return f"{code[:half]} {code[half:]}"


@lru_cache(100)
def lesson_of(text: str) -> Lesson:
    """The lesson that a room keeps as text; it was checked when the room was opened."""
    return read_text(text, "the lesson of the room")


@dataclass(frozen=True)
class Class:
    """What the teacher sees.

    Attributes
    ----------
    places : by step, counted from 1, how many of the students who are there stand on it when they run freely
    predictions : by the names of the questions what was predicted
    """

    places: Mapping[int, int] = field(default_factory=dict)
    predictions: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def here(self) -> int:
        """How many students are there."""
        return sum(self.places.values())

    def of(self, name: str | None) -> tuple[Any, ...]:
        """All predictions for a question."""
        return self.predictions.get(name or "", ())
