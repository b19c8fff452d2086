"""The rules of a room: where everybody stands, and what may be predicted until when. No page, no file."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from trustscope.lessons import prediction
from trustscope.lessons.course import Course

# Letters and digits that nobody mistakes for one another. Eight of 31 are 39.6 bits: at a hundred wrong tries a second,
# which is all that connections and waits leave to one address, a code is found within an hour once in 2 million rooms.
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
MOST_SEATS = 200
MOST_ROUNDS = 5  # times that one question is asked
COUNTDOWNS = (30, 60, 120, 300)  # seconds
LOBBY = 0  # the step before the first one: the code is on the wall and students come in

CLOSED = "This room is closed."
SHOWN = "The answer has been shown: predictions for it are closed."
NOT_ASKED = "This is not asked in this lesson."
NOT_AGAIN = "Only a question whose answer has not been shown can be asked again."
UNUSABLE = "This is no answer to the question."


class RoomProblem(ValueError):
    """One sentence on why something cannot be done in a room."""


@dataclass(frozen=True)
class Room:
    """A room.

    Attributes
    ----------
    code : what students type
    course : what is taught
    step : the place of the course where the teacher stands, counted from 1; 0 is the lobby
    furthest : by section, counted from 0, the furthest place that the teacher has shown of it
    together : whether all students stand where the teacher does; else each goes on alone within the section
    live : whether predictions are on the wall as they come in; else they are covered until the teacher opens them
    opened : whether the teacher has opened those of the present question
    paused : whether all students' pages are at rest
    until : when the countdown that the teacher started is over; None: there is none
    rounds : by the names of the predictions that were asked again, the present round
    """

    code: str
    course: Course
    step: int = LOBBY
    furthest: Mapping[int, int] = field(default_factory=dict)
    together: bool = True
    live: bool = False
    opened: bool = False
    paused: bool = False
    until: float | None = None
    rounds: Mapping[str, int] = field(default_factory=dict)

    def led(self, step: int | None = None, together: bool | None = None) -> "Room":
        """The room after the teacher went to a place, or let the students run, or gathered them."""
        to = self.step if step is None else min(max(step, LOBBY), self.course.size)
        joined = self.together if together is None else together
        if not joined:
            to = max(to, 1)  # nobody can run in the lobby
        stays = to == self.step
        return replace(
            self, step=to, furthest=_further(self.course, self.furthest, to), together=joined,
            opened=self.opened and stays, until=self.until if stays else None,
        )  # fmt: skip

    @property
    def section(self) -> int:
        """The section where the teacher stands, counted from 0; in the lobby the first one."""
        return self.course.place(self.step).section

    @property
    def asked(self) -> str | None:
        """The prediction that the present place is about."""
        return self.course.asked_at(self.step)

    def is_answered(self, name: str) -> bool:
        """Whether the teacher has shown the answer."""
        return _has_shown(self.course, self.furthest, name)

    def is_closed(self, name: str, seat: "Seat") -> bool:
        """Whether a student can predict nothing any more: the answer was shown to the class, or seen alone."""
        return self.is_answered(name) or _has_shown(self.course, seat.furthest, name)

    @property
    def uncovered(self) -> bool:
        """Whether what was predicted may be seen on the wall."""
        return self.live or self.opened or self.asked is None or self.course.answers[self.asked] == self.step

    def round_of(self, name: str) -> int:
        """The present round of a question."""
        return self.rounds.get(name, 1)

    def asked_again(self) -> "Room":
        """The room in which the present question is asked once more; what comes in is covered again."""
        name = self.asked
        if name is None or self.is_answered(name) or self.round_of(name) >= MOST_ROUNDS:
            raise RoomProblem(NOT_AGAIN)
        return replace(self, rounds={**self.rounds, name: self.round_of(name) + 1}, opened=False, until=None)


@dataclass(frozen=True)
class Seat:
    """A student's place: the own one, for when students run freely, and the furthest ones that were seen then."""

    step: int = 1
    furthest: Mapping[int, int] = field(default_factory=dict)

    def moved(self, room: Room, step: int) -> "Seat":
        """The seat after the student went to a place alone; nobody leaves the section where the teacher is."""
        first = room.course.starts[room.section]
        to = min(max(step, first), first + room.course.sections[room.section].size - 1)
        return Seat(to, _further(room.course, self.furthest, to))

    def followed(self, before: Room, after: Room) -> "Seat":
        """The seat after the teacher did something: whoever begins to run does so where they stand."""
        if before.together and not after.together:
            return replace(self, step=after.step)
        if not after.together and before.section != after.section:
            return replace(self, step=after.course.starts[after.section])
        return self


def _further(course: Course, furthest: Mapping[int, int], step: int) -> Mapping[int, int]:
    if step < 1:
        return furthest
    section = course.place(step).section
    return {**furthest, section: max(furthest.get(section, 0), step)}


def _has_shown(course: Course, furthest: Mapping[int, int], name: str) -> bool:
    answer = course.answers[name]
    return answer != float("inf") and furthest.get(course.place(int(answer)).section, 0) >= answer


def place_of(room: Room, seat: Seat) -> int:
    """The place that a student sees."""
    return room.step if room.together else seat.step


def accepted(room: Room, seat: Seat, name: Any, value: Any) -> Any:
    """The prediction as it is kept; a RoomProblem where it cannot be one, or comes after the answer was shown."""
    question = room.course.questions.get(name) if isinstance(name, str) else None
    if question is None:
        raise RoomProblem(NOT_ASKED)
    if room.is_closed(name, seat):
        raise RoomProblem(SHOWN)
    usable = prediction.usable(question, value)
    if usable is None:
        raise RoomProblem(UNUSABLE)
    return usable


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


@dataclass(frozen=True)
class Class:
    """What the teacher sees.

    Attributes
    ----------
    places : by place, counted from 1, how many of the students who are there stand on it when they run freely
    predictions : by the names of the questions what was predicted in the present round
    before : the same of the first round, for questions that were asked again
    reached : by place how many have reached the goal of what is to be tried there
    """

    places: Mapping[int, int] = field(default_factory=dict)
    predictions: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    before: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    reached: Mapping[int, int] = field(default_factory=dict)

    @property
    def here(self) -> int:
        """How many students are there."""
        return sum(self.places.values())

    def of(self, name: str | None) -> tuple[Any, ...]:
        """All predictions for a question in its present round."""
        return self.predictions.get(name or "", ())
