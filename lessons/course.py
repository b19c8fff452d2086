"""What is taught in one room: lessons, single pages and breaks, one after the other, their places counted through.

Places are counted from 1 over all sections. A lesson has one place for each step, and one for the page that ends it; a
single page and a break have one place. Predictions are told apart by section: "2.second" is what the second section
calls "second".
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import Field

from trustscope.lessons.lesson import Lesson, Predict, Question, Reveal, Step, Try
from trustscope.scenarios.value import Value

MOST_SECTIONS = 16


class Section(Value):
    """A lesson, or a break.

    Attributes
    ----------
    title, text : str
        What it is called, and what a break says.
    minutes : int
        How long it is to take.
    lesson : Lesson or None
        None: it is a break.
    ends : bool
        Whether there is a page after the last step that says what was learnt.
    notes : str
        For the teacher, beside the notes of the lesson.
    """

    title: str = Field(min_length=1, max_length=70)
    text: str = Field(default="", max_length=400)
    minutes: int = Field(ge=1, le=240)
    lesson: Lesson | None = None
    ends: bool = True
    notes: str = Field(default="", max_length=1200)

    @property
    def size(self) -> int:
        """How many places it has."""
        return 1 if self.lesson is None else len(self.lesson.steps) + self.ends


class Place(NamedTuple):
    """A place of a course: the section, counted from 0, and the place within it, counted from 1."""

    section: int
    step: int


class Course(Value):
    """Sections one after the other."""

    title: str = Field(min_length=1, max_length=70)
    sections: tuple[Section, ...] = Field(min_length=1, max_length=MOST_SECTIONS)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first place of each section."""
        return tuple(1 + sum(one.size for one in self.sections[:place]) for place in range(len(self.sections)))

    @property
    def size(self) -> int:
        """How many places there are."""
        return sum(one.size for one in self.sections)

    def place(self, number: int) -> Place:
        """Where a place is, counted through from 1; what lies beyond the ends is the first or the last."""
        number = min(max(number, 1), self.size)
        section = max(k for k, start in enumerate(self.starts) if start <= number)
        return Place(section, number - self.starts[section] + 1)

    def section(self, number: int) -> Section:
        """The section of a place."""
        return self.sections[self.place(number).section]

    def step(self, number: int) -> Step | None:
        """The step at a place; None at the end of a lesson, in a break, and before the first place."""
        if not 1 <= number <= self.size:
            return None
        where = self.place(number)
        lesson = self.sections[where.section].lesson
        return lesson.steps[where.step - 1] if lesson is not None and where.step <= len(lesson.steps) else None

    def steps(self) -> Iterator[tuple[int, Step]]:
        """All steps with their places."""
        for number in range(1, self.size + 1):
            step = self.step(number)
            if step is not None:
                yield number, step

    @cached_property
    def questions(self) -> dict[str, Question]:
        """By the names of all predictions what is asked."""
        return {self.name(n, step.name): step.question for n, step in self.steps() if isinstance(step, Predict)}

    @cached_property
    def answers(self) -> dict[str, float]:
        """By the names of all predictions the place that shows the answer first; infinity where none does."""
        found = dict.fromkeys(self.questions, float("inf"))
        for number, step in self.steps():
            if isinstance(step, Reveal):
                name = self.name(number, step.of)
                found[name] = min(found[name], number)
        return found

    def name(self, number: int, name: str) -> str:
        """A prediction of the lesson at a place, told apart from those of other lessons."""
        return f"{self.place(number).section + 1}.{name}"

    def asked_at(self, number: int) -> str | None:
        """The name of the prediction that a place is about; None where it is about none."""
        step = self.step(number)
        if isinstance(step, Predict):
            return self.name(number, step.name)
        return self.name(number, step.of) if isinstance(step, Reveal) else None

    def tasks(self) -> list[tuple[int, Predict | Try]]:
        """The steps at which a student does something, with their places."""
        return [(number, step) for number, step in self.steps() if isinstance(step, Predict | Try)]

    def of_section(self, section: int, predictions: dict[str, Any]) -> dict[str, Any]:
        """Of predictions those of one section, as its lesson calls them."""
        start = f"{section + 1}."
        return {name.removeprefix(start): value for name, value in predictions.items() if name.startswith(start)}


def course_of(*lessons: Lesson, title: str = "") -> Course:
    """Lessons one after the other."""
    return Course(
        title=title or (lessons[0].title if len(lessons) == 1 else f"{lessons[0].title}, and more"[:70]),
        sections=tuple(section_of(one) for one in lessons),
    )


def section_of(lesson: Lesson, minutes: int | None = None, notes: str = "") -> Section:
    """A lesson as a section."""
    known = lesson.notes.minutes if lesson.notes is not None else 2 * lesson.minutes
    return Section(title=lesson.title, minutes=minutes or known, lesson=lesson, notes=notes)
