"""Reading lessons: what is wrong in one is said with its file and its step."""

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from trustscope.lessons.lesson import Lesson, Predict, Reveal, Try
from trustscope.lessons.stage import page_at, scenario_at
from trustscope.lessons.text import claims
from trustscope.lessons.wording import what_is_wrong, where_it_is
from trustscope.scenarios.base import MOST_WRONG
from trustscope.scenarios.pages import kind_of
from trustscope.scenarios.parts import PARTS
from trustscope.scenarios.size import is_too_much

FILES = Path(__file__).parent / "files"
LARGEST = 1_000_000  # bytes of a lesson
MOST_PARTS = 10_000  # objects, lists and values of a lesson; those that come along have at most about three hundred
MOST_PROBLEMS = 20
_BRANCHES = {"look", "try", "predict", "reveal", "explain", "choice", "number", "curve", "ranking"} | {
    "lesson", "page", "break"
}  # fmt: skip


class LessonProblem(ValueError):
    """A lesson that cannot be used; `sentences` say why, each with the file and the step."""

    def __init__(self, sentences: list[str]):
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def read(path: Path | str) -> Lesson:
    """The lesson in a file."""
    path = Path(path)
    return _lesson(read_json(path), path.name)


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a small file; a LessonProblem where there is none."""
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
    return _object(text, path.name)


def read_text(text: str, name: str) -> Lesson:
    """The lesson that a text is; `name` is what the sentences call its file."""
    if len(text) > LARGEST:
        raise LessonProblem([f"{name} has {len(text)} characters, and a lesson has at most {LARGEST}."])
    return _lesson(_object(text, name), name)


def _object(text: str, name: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as problem:
        raise LessonProblem([f"{name}, line {problem.lineno}: this is not JSON ({problem.msg.lower()})."]) from problem
    except RecursionError as problem:
        raise LessonProblem([f"{name} is nested too deeply."]) from problem
    except ValueError as problem:  # Python reads no number of more than some thousand digits
        raise LessonProblem([f"{name} has a number with far too many digits: shorten it."]) from problem
    if not isinstance(content, dict):
        raise LessonProblem([f"{name} is not a lesson: a lesson is a JSON object with id, title, page and steps."])
    return content


def _lesson(content: dict[str, Any], name: str) -> Lesson:
    if is_too_much(content, MOST_PARTS):
        raise LessonProblem([f"{name} holds far more than any lesson does: leave out what its steps do not need."])
    try:
        lesson = Lesson.model_validate(content)
    except ValidationError as error:
        raise LessonProblem(sentences_of(error, name, content, "steps", "step")) from error
    problems = [f"{name}, {sentence}" for sentence in problems_of(lesson)]
    if problems:
        raise LessonProblem(problems)
    return lesson


def sentences_of(
    error: ValidationError, name: str, content: dict[str, Any], parts: str, part: str
) -> list[str]:  # fmt: skip
    """What is wrong with a file, each thing once; `parts` is the list whose entries are called a `part`."""
    if error.error_count() > MOST_WRONG:
        return [f"{name} is wrong in more than {MOST_WRONG} places: begin with a file that is right."]
    errors = error.errors(include_url=False)
    inside = {one["loc"][:depth] for one in errors for depth in range(len(one["loc"]))}
    # A list whose entries are wrong is not too short as well.
    own = [one for one in errors if one["type"] != "too_short" or one["loc"] not in inside]
    found = (_sentence(name, one, parts, part) for one in own)
    return list(dict.fromkeys(found))[:MOST_PROBLEMS]


@cache
def _shipped(path: Path) -> Lesson:
    return read(path)


@cache
def _paths() -> dict[str, Path]:
    """By their names the files of the lessons that come with Trustscope: found without reading what is in them."""
    return {read_json(path)["id"]: path for path in sorted(FILES.glob("*.json"))}


def shelf() -> tuple[Lesson, ...]:
    """The lessons that come with Trustscope, in their order."""
    return tuple(map(_shipped, _paths().values()))


def shelf_ids() -> frozenset[str]:
    """The names of the lessons that come with Trustscope."""
    return frozenset(_paths())


def find(id: str) -> Lesson | None:
    """The lesson of this name that comes with Trustscope; of the others nothing is read, and no page is imported."""
    path = _paths().get(id)
    return None if path is None else _shipped(path)


def _sentence(name: str, error: Any, parts: str, part: str) -> str:
    place = _without_branches(error["loc"])
    where = name
    if len(place) > 1 and place[0] == parts and isinstance(place[1], int):
        where += f", {part} {place[1] + 1}"
        place = place[2:]
    inside = where_it_is(place)
    return f"{where}{f', {inside}' if inside else ''}: {what_is_wrong(error)}."


def _without_branches(place: tuple[Any, ...]) -> list[Any]:
    """The way to a part without the kinds of steps, parts and questions, which stand after their place in a list."""
    return [
        one
        for at, one in enumerate(place)
        if one not in _BRANCHES or at == 0 or not (isinstance(place[at - 1], int) or place[at - 1] == "question")
    ]


def problems_of(lesson: Lesson) -> list[str]:
    """Sentences about what can be seen without computing anything, each once, and no more than anybody reads.

    A fault of the scenario that all steps have is one of each step as well: where there is one, no step is looked at.
    """
    common = _scenario_problems(lambda: kind_of(lesson.page).from_dict(lesson.scenario | {"page": lesson.page}))
    of_all = list(islice(common, MOST_PROBLEMS))
    if of_all:
        return [f"the scenario of all steps{one}" for one in sorted(of_all)]
    found: dict[str, None] = {}
    for place in range(len(lesson.steps)):
        for sentence in _step_problems(lesson, place):
            found[f"step {place + 1}{sentence}"] = None
            if len(found) == MOST_PROBLEMS:
                return list(found)
    return list(found)


def _scenario_problems(make: Callable[[], Any]) -> Iterator[str]:
    """What keeps a scenario from being made, with the place in it."""
    try:
        make()
    except ValidationError as error:
        if error.error_count() > MOST_WRONG:
            yield f", scenario: more than {MOST_WRONG} things in it cannot be used."
            return
        for one in error.errors(include_url=False):
            yield f", scenario → {where_it_is(list(one['loc']))}: {what_is_wrong(one)}."
    except ValueError as problem:
        yield f": {str(problem).rstrip('.')}."


def _step_problems(lesson: Lesson, place: int) -> Iterator[str]:
    step = lesson.steps[place]
    for text in texts_of(lesson, place):
        try:
            list(claims(text))
        except ValueError as problem:
            yield f": {problem}."
    for changes in _changes(step):
        yield from _scenario_problems(partial(scenario_at, lesson, place, changes))
    page = page_at(lesson, place)
    if page not in PARTS:
        return
    yield from _closed(lesson, place)
    for names, known, what in (
        (step.cards, PARTS[page].cards, "card"),
        (step.controls, PARTS[page].controls, "group of controls"),
    ):
        for one in names:
            if one not in known:
                yield f": the page {page} has no {what} “{one}”; it has {', '.join(known)}."


def _closed(lesson: Lesson, place: int) -> Iterator[str]:
    """A view under "Look closer" that the step shows must be opened by its scenario."""
    try:
        view = getattr(scenario_at(lesson, place), "view", None)
    except ValueError:  # said already
        return
    if view is None:
        return
    field = type(view).model_fields.get("closer")
    wanted = [card for card in lesson.steps[place].cards if field is not None and card in get_args(field.annotation)]
    if wanted and view.closer not in wanted:
        opens = f'{{"view": {{"closer": "{wanted[0]}"}}}}'
        yield f": nobody sees the card “{wanted[0]}” unless the scenario says {opens}."


def _changes(step):
    """The changes of the scenario that a step makes beside its own."""
    yield {}
    if isinstance(step, Try):
        yield step.example
    if isinstance(step, Predict):
        for what in ("points", "items", "options"):
            yield from (one.scenario for one in getattr(step.question, what, ()))


def texts_of(lesson: Lesson, place: int) -> list[str]:
    """All texts that a step can show, its title first."""
    step = lesson.steps[place]
    found = [step.title, step.text]
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
