"""Reading lessons: what is wrong in one is said with its file and its step."""

import json
from functools import cache
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from trustscope.lessons.lesson import Lesson, Predict, Reveal, Try
from trustscope.lessons.stage import page_at, scenario_at
from trustscope.lessons.text import claims
from trustscope.scenarios.parts import PARTS

FILES = Path(__file__).parent / "files"
LARGEST = 1_000_000  # bytes of a lesson
MOST_PROBLEMS = 20
_BRANCHES = {"look", "try", "predict", "reveal", "explain", "choice", "number", "curve", "ranking"}


class LessonProblem(ValueError):
    """A lesson that cannot be used; `sentences` say why, each with the file and the step."""

    def __init__(self, sentences: list[str]):
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def read(path: Path | str) -> Lesson:
    """The lesson in a file."""
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise LessonProblem([f"{path.name} has {size} bytes, and a lesson has at most {LARGEST}."])
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = (
            "is not UTF-8 text" if isinstance(problem, UnicodeDecodeError) else f"cannot be read: {problem.strerror}"
        )
        raise LessonProblem([f"{path.name} {reason}."]) from problem
    return read_text(text, path.name)


def read_text(text: str, name: str) -> Lesson:
    """The lesson that a text is; `name` is what the sentences call its file."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as problem:
        raise LessonProblem([f"{name}, line {problem.lineno}: this is not JSON ({problem.msg.lower()})."]) from problem
    except RecursionError as problem:
        raise LessonProblem([f"{name} is nested too deeply."]) from problem
    if not isinstance(content, dict):
        raise LessonProblem([f"{name} is not a lesson: a lesson is a JSON object with id, title, page and steps."])
    try:
        lesson = Lesson.model_validate(content)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)
        raise LessonProblem([_sentence(name, one, content) for one in found[:MOST_PROBLEMS]]) from error
    problems = [f"{name}, {sentence}" for sentence in _wrong(lesson)]
    if problems:
        raise LessonProblem(problems[:MOST_PROBLEMS])
    return lesson


@cache
def shelf() -> tuple[Lesson, ...]:
    """The lessons that come with Trustscope, in their order."""
    return tuple(read(path) for path in sorted(FILES.glob("*.json")))


def find(id: str) -> Lesson | None:
    """The lesson of this name that comes with Trustscope."""
    return next((lesson for lesson in shelf() if lesson.id == id), None)


def _sentence(name: str, error: Any, content: dict) -> str:
    place = [part for part in error["loc"] if part not in _BRANCHES]
    what = error["msg"].removeprefix("Value error, ")
    what = what[0].lower() + what[1:]
    where = name
    if len(place) > 1 and place[0] == "steps" and isinstance(place[1], int):
        where += f", step {place[1] + 1}"
        place = place[2:]
    inside = " → ".join(str(part + 1) if isinstance(part, int) else str(part) for part in place)
    return f"{where}{f', {inside}' if inside else ''}: {what}."


def _wrong(lesson: Lesson):
    """Sentences about what can be seen without computing anything."""
    for place, step in enumerate(lesson.steps):
        where = f"step {place + 1}"
        for text in texts_of(lesson, place):
            try:
                list(claims(text))
            except ValueError as problem:
                yield f"{where}: {problem}."
        page = page_at(lesson, place)
        for changes in _changes(step):
            try:
                scenario_at(lesson, place, changes)
            except ValidationError as error:
                first = error.errors(include_url=False, include_context=False)[0]
                yield f"{where}, scenario → {' → '.join(map(str, first['loc']))}: {first['msg'].lower()}."
            except ValueError as problem:
                yield f"{where}: {problem}."
        if page not in PARTS:
            continue
        yield from _closed(lesson, place, where)
        for names, known, what in (
            (step.cards, PARTS[page].cards, "card"),
            (step.controls, PARTS[page].controls, "group of controls"),
        ):
            for one in names:
                if one not in known:
                    yield f"{where}: the page {page} has no {what} “{one}”; it has {', '.join(known)}."


def _closed(lesson: Lesson, place: int, where: str):
    """A view under "Look closer" that the step shows must be opened by its scenario."""
    try:
        view = getattr(scenario_at(lesson, place), "view", None)
    except ValueError:  # said already
        return
    field = type(view).model_fields.get("closer")
    wanted = [card for card in lesson.steps[place].cards if field is not None and card in get_args(field.annotation)]
    if wanted and view.closer not in wanted:
        opens = f'{{"view": {{"closer": "{wanted[0]}"}}}}'
        yield f"{where}: nobody sees the card “{wanted[0]}” unless the scenario says {opens}."


def _changes(step):
    """The changes of the scenario that a step makes beside its own."""
    yield {}
    if isinstance(step, Try):
        yield step.example
    if isinstance(step, Predict):
        for what in ("points", "items", "options"):
            yield from (one.scenario for one in getattr(step.question, what, ()))


def texts_of(lesson: Lesson, place: int) -> list[str]:
    """All texts that a step can show."""
    step = lesson.steps[place]
    found = [step.text]
    if isinstance(step, Try):
        found += [step.hint, step.done]
    if isinstance(step, Predict):
        question = step.question
        found += [question.ask]
        found += [one.text for one in (*getattr(question, "options", ()), *getattr(question, "items", ()))]
    if isinstance(step, Reveal):
        said = lesson.question(step.of).said
        found += [said.close, said.far]
    return found
