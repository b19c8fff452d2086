"""A visitor's own data and lessons: one file serves all pages."""

from typing import Any

import param

from trustscope.datasets import Dataset


class OwnData(param.Parameterized):
    """What a visitor brought along. There is one for each session, and nobody else can reach it."""

    dataset = param.ClassSelector(class_=Dataset, default=None, allow_None=True, doc="The file that was taken in last.")
    lesson = param.Tuple(
        default=("", "", 0), length=3, doc="Name and text of the lesson that was opened last, a count."
    )
    step = param.ClassSelector(class_=tuple, default=(), doc="A scenario to make a step of a lesson from, and a count.")

    def open_lesson(self, name: str, text: str) -> None:
        """A lesson was opened, wherever that was."""
        self.lesson = (name, text, self.lesson[2] + 1)

    def make_step(self, scenario: Any) -> None:
        """A scenario is to become a step of the lesson that the visitor writes."""
        self.step = (scenario, self.step[1] + 1 if self.step else 1)
