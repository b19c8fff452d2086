"""Where a learner is: the home of the lessons, or a step of one, as a scenario that a link can hold."""

from typing import ClassVar, Literal

from pydantic import Field

from trustscope.lessons.lesson import MOST_STEPS
from trustscope.scenarios.scenario import Data, Scenario
from trustscope.scenarios.value import Value


class LearnData(Data):
    """The steps have their own data: there is nothing to choose."""

    name: Literal["lessons"] = "lessons"


class View(Value):
    """What is looked at.

    Attributes
    ----------
    lesson : str
        The lesson that is open; empty: none, but the home of all.
    step : int
        Counted from 1; after the last step comes the page that ends the lesson.
    """

    lesson: str = Field(default="", max_length=48)
    step: int = Field(default=1, ge=1, le=MOST_STEPS + 1)


class LearnScenario(Scenario):
    """The state of the Learn page."""

    page: ClassVar[str] = "learn"

    data: LearnData = LearnData()
    view: View = View()
