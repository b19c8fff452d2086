"""A whole lesson as one file: predict, see, try, without a server.

What every step shows is recorded as for an explorable. Where something is to be tried, every position of the step's
controls is worked out, and whether the goal is reached there.
"""

import re
from typing import Any

from trustscope.app.explorable.recorder import PageRecorder, input_styles, properties_of, script_of, theme
from trustscope.app.learn.player import FINISH, NEXT, SEE, SKIP
from trustscope.app.learn.questions import widget_of
from trustscope.handouts.explorable import lesson as handout
from trustscope.handouts.explorable.lever import places, scenario_at
from trustscope.handouts.explorable.levers.steps import MOST_POSITIONS, levers_of
from trustscope.handouts.explorable.packing import columns
from trustscope.handouts.explorable.page import described, lever_data
from trustscope.lessons import ending, prediction, stage
from trustscope.lessons import text as texts
from trustscope.lessons.expression import STATE, evaluate
from trustscope.lessons.lesson import CurveQuestion, Explain, Lesson, Look, NumberQuestion, Predict, Reveal, Try
from trustscope.scenarios import pages
from trustscope.scenarios.glossary import TERMS
from trustscope.scenarios.metrics import as_json
from trustscope.scenarios.parts import HEADLINE
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.whole import Cancel, Loaded, Progress, stop
from trustscope.widgets.lessons.lessonroom import LessonRoom
from trustscope.widgets.term import explained

MOST_PLOTTED = 40  # positions of a step that shows plots as on paper
NEEDS_THE_APP = "The controls of this step are not in this file: they are in the app. You can skip it."
# What the app folds away and a file has at hand: where a lesson leads to it, and what it says in a file.
AT_HAND = (
    (re.compile(r"Press “change” under “[^”]*”,? and (\w)"), lambda found: found[1].upper()),
    (re.compile(r"Under (?:Data|More|Target), (\w)"), lambda found: found[1].upper()),
    (re.compile(r"Press “add a recipient”, then drag the new slider"), "Drag the slider of the new recipient"),
    (re.compile(r"” is under the miner"), "” is beside the pictures"),
)
Step = Look | Try | Predict | Reveal | Explain


def lesson_page(
    lesson: Lesson, *, home: str = "", following: tuple[str, str] | None = None, progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> str:  # fmt: skip
    """A lesson as one HTML text.

    Parameters
    ----------
    lesson : Lesson
    home : str
        The address of all lessons, where the file is a part of a site.
    following : (title, address), optional
        The lesson that comes next.
    progress : called with a share from 0 to 1 and what is being done, now and then
    cancel : asked now and then; where it says True, `Stopped` is raised
    """
    told = progress or (lambda fraction, text: None)
    boards, steps = _Boards(), []
    for place in range(len(lesson.steps)):
        stop(cancel)
        told(place / len(lesson.steps), f"Step {place + 1} of {len(lesson.steps)}: {lesson.steps[place].title}")
        steps.append(_step(lesson, place, boards, cancel))
    questions = {step.name: _question(step.question) for step in lesson.steps if isinstance(step, Predict)}
    styles: list[str] = []
    data = {
        "lesson": {"id": lesson.id, "title": lesson.title},
        "words": {"next": NEXT, "finish": FINISH, "skip": SKIP, "see": SEE, "end": ending.TITLE},
        "learnt": explained(texts.html(lesson.learnt)), "steps": steps,
        "questions": questions, "boards": boards.data(styles), "styles": styles, "input_styles": list(input_styles()),
        "room_styles": list(map(str, LessonRoom._stylesheets)), "terms": TERMS, "home": home,
        "following": None if following is None else {"title": following[0], "address": following[1]},
    }  # fmt: skip
    kinds = {"LessonRoom", *(one["kind"] for one in questions.values()), *boards.kinds}
    told(1.0, "Done")
    return handout.lesson_page(lesson, script=script_of(kinds), theme=theme(), data=data)


def _step(lesson: Lesson, place: int, boards: "_Boards", cancel: Cancel | None) -> dict[str, Any]:
    step = lesson.steps[place]
    found: dict[str, Any] = {
        "words": {
            "lesson": lesson.title, "title": texts.plain_text(step.title), "kind": step.kind,
            "html": explained(texts.html(in_a_file(step.text))), "number": place + 1, "of": len(lesson.steps),
        },
        "top": HEADLINE not in step.cards, "board": None, "first": 0, "levers": [], "goals": [], "asks": "", "of": "",
        "hint": "", "done": "",
    }  # fmt: skip
    if isinstance(step, Predict):
        found["asks"] = step.name
    if isinstance(step, Reveal):
        found["of"] = step.of
    if step.cards or step.controls:
        found |= _shown(lesson, place, boards, cancel)
    if isinstance(step, Try):
        tried = bool(found["levers"])
        found["hint"] = explained(texts.html(in_a_file(step.hint) if tried else NEEDS_THE_APP))
        found["done"] = explained(texts.html(step.done))
    return found


def in_a_file(text: str) -> str:
    """The text of a step without the way to controls that stand at hand in a file."""
    for way, said in AT_HAND:
        text = way.sub(said, text)
    return text


def _shown(lesson: Lesson, place: int, boards: "_Boards", cancel: Cancel | None) -> dict[str, Any]:
    """What stands beside the words: a board, where its positions begin, and what is moved."""
    step = lesson.steps[place]
    scenario = stage.scenario_at(lesson, place)
    number, recorder = boards.of(scenario, step.cards)
    fitted = recorder.fit_to_data(scenario)
    recorder.at(fitted)
    most = MOST_PLOTTED if recorder.plots else MOST_POSITIONS
    levers = levers_of(lesson, place, fitted, recorder.model, most)
    first, goals = boards.many(number), []
    for at in places(levers):
        stop(cancel)
        there = scenario_at(fitted, levers, at)
        boards.add(number, recorder.at(there))
        if isinstance(step, Try):
            goals.append(reached(step.goal, there, recorder))
    return {"board": number, "first": first, "levers": [lever_data(one) for one in levers], "goals": goals}


class _Boards:
    """What was recorded, for each page and set of cards: steps that show the same have one board."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], int] = {}
        self._recorders: list[PageRecorder] = []
        self._snapshots: list[list[dict[str, dict[str, Any]]]] = []

    def of(self, scenario: Scenario, cards: tuple[str, ...]) -> tuple[int, PageRecorder]:
        """The number of a board, and what records it."""
        key = (scenario.page, cards)
        if key not in self._known:
            self._known[key] = len(self._recorders)
            self._recorders.append(PageRecorder(scenario, cards))
            self._snapshots.append([])
        return self._known[key], self._recorders[self._known[key]]

    def many(self, number: int) -> int:
        """How many positions a board has."""
        return len(self._snapshots[number])

    def add(self, number: int, snapshot: dict[str, dict[str, Any]]) -> None:
        """One more position."""
        self._snapshots[number].append(snapshot)

    @property
    def kinds(self) -> set[str]:
        """The kinds of controls that draw them."""
        return {kind for recorder in self._recorders for kind in recorder.kinds}

    def data(self, styles: list[str]) -> list[dict[str, Any]]:
        """All of it, as the script reads it."""
        return [
            {"cards": list(recorder.cards), "parts": described(recorder.parts, styles), "columns": columns(snapshots)}
            for recorder, snapshots in zip(self._recorders, self._snapshots, strict=True)
        ]


def reached(goal: str, scenario: Scenario, recorder: PageRecorder) -> bool:
    """Whether a goal is reached in a scenario that stands on the page."""
    scenario = recorder.fit_to_data(scenario)
    named: dict[str, Any] = {}

    def look_up(name: str, step: int | None) -> Any:
        if name.split(".")[0] in STATE:
            return scenario.at(name)
        if not named:
            named.update(_figures(scenario, recorder))
        return named[name]

    try:
        return evaluate(goal, look_up) is True
    except (KeyError, ValueError):
        return False  # a figure that is not there reaches nothing


def _figures(scenario: Scenario, recorder: PageRecorder) -> dict[str, Any]:
    """The figures of the page by name: at rest where that says all of them, else over all rows."""
    work = pages.work_of(scenario)
    if hasattr(work, "at_rest"):
        quick = work.at_rest(recorder.model, scenario)
        if quick is not None:
            return {one.name: as_json(one.value) for one in quick}
    found = work.whole(scenario, loaded=Loaded(recorder.data, recorder.model))
    return {one.name: as_json(one.value) for one in work.metrics_of(found).figures}


def _question(question: Any) -> dict[str, Any]:
    """What is asked, with what a prediction is held against."""
    widget = widget_of(question)
    truth = prediction.truth(question)
    found = {
        "kind": type(widget).__name__, "properties": properties_of(widget), "truth": truth,
        "styles": list(map(str, type(widget)._stylesheets)),
        "said": {tone: explained(texts.html(getattr(question.said, tone))) for tone in ("close", "far")},
        "within": question.close if isinstance(question, NumberQuestion | CurveQuestion) else None,
        "ask": texts.plain_text(question.ask), "truth_text": ending.in_words(question, truth),
    }  # fmt: skip
    if isinstance(question, CurveQuestion):
        found["curve"] = {
            "places": [point.x for point in question.points], "start": question.y_start, "end": question.y_end,
        }  # fmt: skip
    return found
