"""A lesson as a plain value: steps over scenarios, each of which shows a few cards and controls of one page."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator

from trustscope.lessons import text as texts
from trustscope.lessons.expression import parsed
from trustscope.scenarios.value import Value

VERSION: Literal[1] = 1
MOST_STEPS = 30
MOST_WORDS = 60  # of a step, with its question
MOST_ANSWER_WORDS = 40  # of what is said to a prediction, or when something was done
# A text of spaces alone says nothing.
Words = Annotated[str, StringConstraints(strip_whitespace=True)]
Text = Annotated[Words, Field(min_length=1, max_length=1200)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,47}$")]
Json = dict[str, Any]
LARGEST = 1e12  # of a number that is asked for, or that anybody predicts
MOST_PLACES = 1_000_000  # of a slider: whoever asks for a number of people has a place for each
Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]


def _expression(text: str) -> str:
    parsed(text)
    return text


Expression = Annotated[str, Field(min_length=1, max_length=400)]


class Said(Value):
    """What is said to a prediction: to one that comes close, and to one that does not."""

    close: Text
    far: Text

    @field_validator("close", "far")
    @classmethod
    def _short(cls, text: str) -> str:
        return _at_most(text, MOST_ANSWER_WORDS)


class Option(Value):
    """One answer to choose, and the expression that is true, in the step's scenario with these changes, where it is
    the right one."""

    value: Name
    text: Text
    when: Expression
    scenario: Json = Field(default_factory=dict)

    _when = field_validator("when")(_expression)


class ChoiceQuestion(Value):
    """Choose one of several answers. `right` is held against the options' `when`."""

    kind: Literal["choice"]
    ask: Text
    options: tuple[Option, ...] = Field(min_length=2, max_length=6)
    right: Name
    said: Said

    @model_validator(mode="after")
    def _known(self):
        if self.right not in [option.value for option in self.options]:
            raise ValueError(f"the right answer “{self.right}” is not among the options")
        return self


class NumberQuestion(Value):
    """Set a number on a slider. `truth` is held against `figure`; within `close` of it a prediction is close.

    `shown` says how numbers are written: "share" for those from 0 to 1 that are shown in per cent, or "plain".
    """

    kind: Literal["number"]
    ask: Text
    start: Number
    end: Number
    step: float = Field(gt=0)
    shown: Literal["share", "plain"] = "plain"
    unit: str = Field(default="", max_length=20)
    figure: Expression
    truth: float
    close: float = Field(gt=0)
    said: Said

    _figure = field_validator("figure")(_expression)

    @model_validator(mode="after")
    def _within(self):
        if not self.start < self.end or not self.start <= self.truth <= self.end:
            raise ValueError("start must lie below end, and the truth between them")
        if not 1 <= round((self.end - self.start) / self.step, 6) <= MOST_PLACES:
            most = f"{MOST_PLACES:,}".replace(",", " ")
            raise ValueError(f"from start to end there must be 1 to {most} steps of the slider: change step")
        return self


class Point(Value):
    """One place of a curve: where it stands, its true height, and what to change in the scenario to get there."""

    x: Number
    truth: Number
    scenario: Json = Field(default_factory=dict)


class CurveQuestion(Value):
    """Draw a curve on the axes of the plot. Each point's truth is held against `figure` in the point's scenario.

    `card` names the card whose plot has the same curve: names, ranges, ticks and units are those of its axes, and what
    was drawn is drawn there too when it is revealed. Without ticks there is one at each point, and five upwards.
    """

    kind: Literal["curve"]
    ask: Text
    card: str = Field(default="", max_length=24)
    x_label: str = Field(max_length=60)
    y_label: str = Field(max_length=60)
    x_start: Number | None = None
    x_end: Number | None = None
    x_ticks: tuple[Number, ...] = Field(default=(), max_length=20)
    y_start: Number = 0.0
    y_end: Number = 1.0
    y_ticks: tuple[Number, ...] = Field(default=(), max_length=12)
    shown: Literal["share", "plain"] = "share"
    figure: Expression
    points: tuple[Point, ...] = Field(min_length=3, max_length=12)
    close: float = Field(gt=0)
    said: Said

    _figure = field_validator("figure")(_expression)

    @model_validator(mode="after")
    def _ordered(self):
        places = [point.x for point in self.points]
        if sorted(set(places)) != places:
            raise ValueError("the points of a curve must go from left to right, each at a place of its own")
        if not self.y_start < self.y_end:
            raise ValueError("y_start must lie below y_end")
        if not all(self.y_start <= point.truth <= self.y_end for point in self.points):
            raise ValueError("the true curve leaves the axes: change y_start or y_end")
        low, high = self.x_span
        if not all(low <= place <= high for place in (*places, *self.x_ticks)):
            raise ValueError("a point or a tick lies outside of the axis: change x_start or x_end")
        if not all(self.y_start <= height <= self.y_end for height in self.y_ticks):
            raise ValueError("a tick lies outside of the axis: change y_start or y_end")
        return self

    @property
    def x_span(self) -> tuple[float, float]:
        """Where the axis below begins and ends."""
        low, high = self.points[0].x, self.points[-1].x
        air = (high - low) / 40
        return (low - air if self.x_start is None else self.x_start, high + air if self.x_end is None else self.x_end)

    @property
    def x_marks(self) -> tuple[float, ...]:
        """The places with a number."""
        return self.x_ticks or tuple(point.x for point in self.points)

    @property
    def y_marks(self) -> tuple[float, ...]:
        """The heights with a number."""
        return self.y_ticks or tuple(self.y_start + (self.y_end - self.y_start) * part / 4 for part in range(5))


class Item(Value):
    """One of the things to be ranked: its figure, in the step's scenario with these changes."""

    value: Name
    text: Text
    figure: Expression
    scenario: Json = Field(default_factory=dict)

    _figure = field_validator("figure")(_expression)


class RankingQuestion(Value):
    """Put things in order, the largest first. `order` is held against the items' figures."""

    kind: Literal["ranking"]
    ask: Text
    items: tuple[Item, ...] = Field(min_length=3, max_length=6)
    order: tuple[Name, ...]
    first: str = Field(default="most", max_length=40)
    last: str = Field(default="least", max_length=40)
    said: Said

    @model_validator(mode="after")
    def _all(self):
        if sorted(self.order) != sorted(item.value for item in self.items):
            raise ValueError("the order must name every item once")
        return self


Question = Annotated[
    ChoiceQuestion | NumberQuestion | CurveQuestion | RankingQuestion, Field(discriminator="kind")
]  # fmt: skip


class _Step(Value):
    """What all steps have.

    Attributes
    ----------
    title, text : str
    scenario : dict
        What differs from the lesson's scenario, nested as scenarios are; with another `page` it stands for itself.
    cards, controls : tuple of str
        What of the page is there, by the names in `trustscope.scenarios.parts`.
    """

    title: Words = Field(min_length=1, max_length=70)
    text: Text
    scenario: Json = Field(default_factory=dict)
    cards: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _short(self):
        asked = getattr(self, "question", None)
        found = texts.words(self.text, asked.ask if asked else "")
        if found > MOST_WORDS:
            raise ValueError(f"the step has {found} words, and {MOST_WORDS} is the most")
        return self


class Look(_Step):
    """Something to look at."""

    kind: Literal["look"]


class Try(_Step):
    """Something to do: `goal` is an expression that becomes true. `example` changes the scenario so that it is."""

    kind: Literal["try"]
    goal: Expression
    example: Json
    hint: Text
    done: Text

    _goal = field_validator("goal")(_expression)

    @field_validator("done", "hint")
    @classmethod
    def _short_done(cls, text: str) -> str:
        return _at_most(text, MOST_ANSWER_WORDS)


class Predict(_Step):
    """Something to expect, before it is seen."""

    kind: Literal["predict"]
    name: Name
    question: Question


class Reveal(_Step):
    """The truth, over what was predicted at the step of this name."""

    kind: Literal["reveal"]
    of: Name


class Explain(_Step):
    """Why it is so."""

    kind: Literal["explain"]


Step = Annotated[Look | Try | Predict | Reveal | Explain, Field(discriminator="kind")]


class Notes(Value):
    """What a teacher wants to know beforehand; students never get it.

    Attributes
    ----------
    aim : str
        What students can say afterwards.
    misconception : str
        What most of them believe before.
    questions : tuple of str
        What to ask the class.
    minutes : int
        How long it takes with a class, with the talk about it.
    """

    aim: Text
    misconception: Text
    questions: tuple[Text, ...] = Field(min_length=1, max_length=4)
    minutes: int = Field(ge=1, le=120)


class Lesson(Value):
    """A lesson.

    Attributes
    ----------
    id, title, about : str
        Its name in links, its title, and one sentence about it.
    minutes : int
        How long it takes.
    page : str
        The page whose scenario the steps begin with.
    scenario : dict
        What all steps have in common.
    steps : tuple of Step
    learnt : str
        What is learnt, in one sentence: its last page says it.
    notes : Notes or None
        For the teacher alone.
    """

    trustscope_lesson: Literal[1] = VERSION
    id: Name
    title: Words = Field(min_length=1, max_length=60)
    about: Words = Field(min_length=1, max_length=160)
    minutes: int = Field(ge=1, le=60)
    page: Literal["trust", "categories", "rotation", "survey", "papers"]
    scenario: Json = Field(default_factory=dict)
    steps: tuple[Step, ...] = Field(min_length=1, max_length=MOST_STEPS)
    learnt: Words = Field(default="", max_length=240)
    notes: Notes | None = None

    @model_validator(mode="after")
    def _connected(self):
        asked: list[str] = []
        for number, step in enumerate(self.steps, 1):
            if isinstance(step, Predict):
                if step.name in asked:
                    raise ValueError(f"step {number}: two predictions are called “{step.name}”")
                asked.append(step.name)
            if isinstance(step, Reveal) and step.of not in asked:
                raise ValueError(f"step {number}: nothing called “{step.of}” was predicted before")
        return self

    def question(self, name: str) -> Any:
        """What was asked at the step of this name."""
        return next(step.question for step in self.steps if isinstance(step, Predict) and step.name == name)


def _at_most(text: str, most: int) -> str:
    found = texts.words(text)
    if found > most:
        raise ValueError(f"this text has {found} words, and {most} is the most")
    return text
