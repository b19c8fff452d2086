"""A visitor's own data and lessons: one file serves all pages."""

from typing import Any

import param

from trustscope import datasets
from trustscope.datasets import Dataset
from trustscope.errors import WrongType
from trustscope.scenarios.scenario import OWN, OwnFile, Scenario

WITH_DATA = ("trust", "categories", "rotation", "survey")  # pages that show a person's own data


class OwnData(param.Parameterized):
    """What a visitor brought along. There is one for each session, and nobody else can reach it."""

    dataset = param.ClassSelector(class_=Dataset, default=None, allow_None=True, doc="The file that was taken in last.")
    secret = param.String(
        default="", doc="The column that attackers are after, as was said when the file was taken in."
    )
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


def brought(kind: type[Scenario], data: Any) -> tuple[Scenario, OwnData | None]:
    """What a page opens with when data are given instead of a scenario, as somebody in a notebook would.

    Parameters
    ----------
    kind : type of the page's scenarios
    data : a table, a path, a dataset, or the name of a built-in set
    """
    if kind.page not in WITH_DATA:
        raise WrongType(f"This dashboard opens a scenario, not a {type(data).__name__}.")
    if isinstance(data, str) and data in datasets.names():
        return kind.model_validate({}).replace({"data.name": data}), None
    own = data if isinstance(data, Dataset) else datasets.load(data, missing="keep")
    if own.file is None:
        return kind.model_validate({}).replace({"data.name": own.name}), None
    file = OwnFile(name=own.origin.name, size=own.origin.size or 0, digest=own.origin.digest or "")
    return kind.model_validate({}).replace({"data.name": OWN, "data.file": file}), OwnData(dataset=own)
