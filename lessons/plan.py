"""Plans for teaching: files that say which lessons, pages and breaks follow each other in one room."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from trustscope.lessons import reader
from trustscope.lessons.course import MOST_SECTIONS, Course, Section, course_of, section_of
from trustscope.lessons.lesson import Json, Lesson, Look, Name
from trustscope.lessons.reader import LessonProblem, problems_of, read_json, sentences_of
from trustscope.scenarios.parts import PARTS
from trustscope.scenarios.value import Value

VERSION: Literal[1] = 1
PLANS = Path(__file__).parent / "plans"
Minutes = Annotated[int, Field(ge=1, le=240)]


class LessonPart(Value):
    """A lesson: its name, or its file as seen from the plan's."""

    kind: Literal["lesson"]
    lesson: str = Field(min_length=1, max_length=400)
    minutes: Minutes | None = None
    notes: str = Field(default="", max_length=1200)


class PagePart(Value):
    """One page to look at and to play with: a scenario as *Save scenario* writes it, here or in a file.

    Without cards and controls everything of the page is there.
    """

    kind: Literal["page"]
    title: str = Field(min_length=1, max_length=70)
    text: str = Field(min_length=1, max_length=1200)
    scenario: Json | str
    cards: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    minutes: Minutes
    notes: str = Field(default="", max_length=1200)


class BreakPart(Value):
    """Nothing to look at."""

    kind: Literal["break"]
    title: str = Field(default="Break", min_length=1, max_length=70)
    text: str = Field(default="", max_length=400)
    minutes: Minutes
    notes: str = Field(default="", max_length=1200)


Part = Annotated[LessonPart | PagePart | BreakPart, Field(discriminator="kind")]


class TeachingPlan(Value):
    """What is taught in one room, part by part."""

    trustscope_plan: Literal[1] = VERSION
    id: Name
    title: str = Field(min_length=1, max_length=70)
    about: str = Field(min_length=1, max_length=240)
    parts: tuple[Part, ...] = Field(min_length=1, max_length=MOST_SECTIONS)


def read(path: Path | str) -> TeachingPlan:
    """The plan in a file."""
    path = Path(path)
    return _read(read_json(path), path.name)


def _read(content: dict[str, Any], name: str) -> TeachingPlan:
    try:
        return TeachingPlan.model_validate(content)
    except ValidationError as error:
        raise LessonProblem(sentences_of(error, name, content, "parts", "part")) from error


def is_plan(path: Path) -> bool:
    """Whether a file claims to be a plan and not a lesson."""
    return "trustscope_plan" in read_json(path)


def course(plan: TeachingPlan, folder: Path | None = None) -> Course:
    """What a plan stands for, with its lessons and scenarios read.

    Parameters
    ----------
    folder : where the plan's own files lie; None: it may name only what comes with Trustscope
    """
    makers: dict[str, Callable[[Any], Section]] = {
        "lesson": lambda part: section_of(_lesson(part.lesson, folder), part.minutes, part.notes),
        "page": lambda part: _page(part, folder),
        "break": lambda part: Section(title=part.title, text=part.text, minutes=part.minutes, notes=part.notes),
    }
    sections = []
    for number, part in enumerate(plan.parts, 1):
        try:
            sections.append(makers[part.kind](part))
        except LessonProblem as problem:
            raise LessonProblem([f"{plan.id}, part {number}: {one}" for one in problem.sentences]) from problem
    return Course(title=plan.title, sections=tuple(sections))


def _lesson(name: str, folder: Path | None) -> Lesson:
    path = folder / name if folder is not None else None
    if path is not None and path.is_file():
        return reader.read(path)
    lesson = reader.find(name)
    if lesson is None:
        known = ", ".join(one.id for one in reader.shelf())
        raise LessonProblem([f"there is no lesson “{name}”: name a file beside the plan, or one of {known}."])
    return lesson


def _page(part: PagePart, folder: Path | None) -> Section:
    """A page as a lesson of one step."""
    scenario = part.scenario
    if isinstance(scenario, str):
        if folder is None:
            raise LessonProblem([f"the scenario “{scenario}” is a file, and this plan has none beside it."])
        scenario = read_json(folder / scenario)
    page = scenario.get("page")
    if page not in PARTS:
        raise LessonProblem([f"its scenario has the page “{page}”: choose one of {', '.join(PARTS)}."])
    named = bool(part.cards or part.controls)
    step = Look(
        kind="look", title=part.title, text=part.text, scenario=scenario,
        cards=part.cards if named else PARTS[page].cards, controls=part.controls if named else PARTS[page].controls,
    )  # fmt: skip
    lesson = Lesson(id="page", title=part.title[:60], about=part.title, minutes=1, page=page, steps=(step,))
    if named and (found := problems_of(lesson)):
        raise LessonProblem([sentence.partition(": ")[2] for sentence in found])
    return Section(title=part.title, minutes=part.minutes, lesson=lesson, ends=False, notes=part.notes)


@cache
def plans() -> tuple[TeachingPlan, ...]:
    """The plans that come with Trustscope, the shortest first."""
    return tuple(read(path) for path in sorted(PLANS.glob("*.json")))


def minutes_of(found: Course) -> int:
    """How long a course takes."""
    return sum(one.minutes for one in found.sections)


def named(*names: str) -> Course:
    """What somebody asks to teach: lessons and plans, by their files or by the names of those that come along."""
    courses = [_named(name) for name in names]
    if len(courses) == 1:
        return courses[0]
    sections = [section for one in courses for section in one.sections]
    if len(sections) > MOST_SECTIONS:
        raise LessonProblem([f"{len(sections)} parts are too many for one room: {MOST_SECTIONS} is the most."])
    return Course(title=f"{courses[0].title}, and more"[:70], sections=tuple(sections))


def _named(name: str) -> Course:
    path = Path(name)
    if path.exists():
        return course(read(path), path.parent) if is_plan(path) else course_of(reader.read(path))
    if (plan := next((one for one in plans() if one.id == name), None)) is not None:
        return course(plan)
    if (lesson := reader.find(name)) is not None:
        return course_of(lesson)
    if name.endswith(".json"):
        raise LessonProblem([f"{name} cannot be read: there is no such file."])
    known = ", ".join([*(one.id for one in plans()), *(one.id for one in reader.shelf())])
    raise LessonProblem([f"there is no lesson or plan {name!r}: name a file, or one of {known}."])
