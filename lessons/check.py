"""Holding a lesson against the engine: no figure that is not so, no goal that is reached already or never."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from trustscope.lessons import text as texts
from trustscope.lessons.facts import Facts
from trustscope.lessons.lesson import (
    ChoiceQuestion,
    CurveQuestion,
    Lesson,
    NumberQuestion,
    Predict,
    RankingQuestion,
    Reveal,
    Try,
)
from trustscope.lessons.reader import texts_of
from trustscope.lessons.stage import scenario_at
from trustscope.numbers import GAP, count, plain, share
from trustscope.scenarios.words import number_word

APART = 1e-9  # by which ranked figures must differ, to have an order at all


def check(lesson: Lesson, facts: Facts | None = None, cancelled: Callable[[], bool] = lambda: False) -> list[str]:
    """Sentences about what is not so, each once and with its step; none where everything is.

    Parameters
    ----------
    cancelled : asked before each step whether nobody waits any more; then the others are not looked at
    """
    facts = facts or Facts()
    found: list[str] = []
    for place in range(len(lesson.steps)):
        if cancelled():
            break
        found += (f"step {place + 1}: {sentence}." for sentence in check_step(lesson, place, facts))
    return list(dict.fromkeys([*found, *_ending(lesson)]))


def _ending(lesson: Lesson) -> Iterator[str]:
    """What the page after the last step needs."""
    if not lesson.learnt:
        yield "“learnt” is missing: write what is learnt, in one sentence; the last page of the lesson says it."
    for number in texts.loose_numbers(lesson.learnt):
        yield f"“learnt” has the number {number}, which nothing checks: say it in words."


def check_step(lesson: Lesson, place: int, facts: Facts) -> Iterator[str]:
    """Sentences about one step, counted from 0."""
    step = lesson.steps[place]
    for text in texts_of(lesson, place):
        yield from _text(lesson, place, text, facts)
    if isinstance(step, Try):
        yield from _goal(lesson, place, step, facts)
    if isinstance(step, Predict):
        if not any(isinstance(one, Reveal) and one.of == step.name for one in lesson.steps):
            yield (
                f"the prediction “{step.name}” is never revealed: "
                f'write a later step with "kind": "reveal" and "of": "{step.name}"'
            )
        match step.question:
            case ChoiceQuestion() as question:
                yield from _choice(lesson, place, question, facts)
            case NumberQuestion() as question:
                yield from _number(lesson, place, question, facts)
            case CurveQuestion() as question:
                yield from _curve(lesson, place, question, facts)
            case RankingQuestion() as question:
                yield from _ranking(lesson, place, question, facts)


def _value(lesson: Lesson, place: int, facts: Facts, expression: str, *changes: Any) -> tuple[Any, str]:
    """The value of an expression at a step, or a sentence that says why it has none."""
    try:
        return facts.evaluate(expression, scenario_at(lesson, place, *changes), lesson), ""
    except ValueError as problem:
        return None, f"“{expression}” cannot be computed: {problem}"


def _text(lesson: Lesson, place: int, text: str, facts: Facts) -> Iterator[str]:
    for number in texts.loose_numbers(text):
        yield f"the number {number.rstrip('.,')} is not checked: write {{{number.rstrip('.,')} = expression | format}}"
    for claim in texts.claims(text):
        value, problem = _value(lesson, place, facts, claim.expression)
        if problem:
            yield problem
        elif not claim.format:
            if value is not True:
                yield f"“{claim.shown}” is claimed, and “{claim.expression}” is {_said(value)}"
        elif claim.format != "text" and not _is_number(value):
            yield f"{claim.expression} is {_said(value)}, which cannot be written with the format “{claim.format}”"
        elif _normal(right := format_value(value, claim.format)) != _normal(claim.shown):
            yield f"the text says “{claim.shown}”, and {claim.expression} is {right}: write “{right}”"


def format_value(value: Any, form: str) -> str:
    """A value as the format says."""
    match form:
        case "share":
            return share(float(value))
        case "count":
            return count(round(value))
        case "word":
            return number_word(round(value))
        case "text":
            return str(value)
    return plain(float(value))


def _normal(text: str) -> str:
    return text.replace(GAP, " ").replace("\u2212", "-").lower()


def _said(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value).lower()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _figure(
    lesson: Lesson, place: int, facts: Facts, expression: str, *changes: Any
) -> tuple[float, str]:  # fmt: skip
    """The number that an expression is at a step, or a sentence that says why it is none."""
    value, problem = _value(lesson, place, facts, expression, *changes)
    if not problem and not _is_number(value):
        problem = f"“{expression}” is {_said(value)}, and a number is asked for"
    return (0.0, problem) if problem else (value, "")


def _goal(lesson: Lesson, place: int, step: Try, facts: Facts) -> Iterator[str]:
    before, problem = _value(lesson, place, facts, step.goal)
    if problem:
        yield problem
        return
    if before:
        yield f"the goal “{step.goal}” is reached before anything is done: ask for more"
    if not step.controls:
        yield "there is nothing to try it with: name a group of controls"
    after, problem = _value(lesson, place, facts, step.goal, step.example)
    if problem or after is not True:
        yield problem or f"the example does not reach the goal “{step.goal}”: write changes that do"


def _choice(lesson: Lesson, place: int, question: ChoiceQuestion, facts: Facts) -> Iterator[str]:
    for option in question.options:
        value, problem = _value(lesson, place, facts, option.when, option.scenario)
        if problem:
            yield problem
        elif value is not (option.value == question.right):
            yield (
                f"“{option.text}” is {'the right answer' if option.value == question.right else 'a wrong answer'}, "
                f"and “{option.when}” is {_said(value)}"
            )


def _near(stated: float, value: float) -> bool:
    """Whether a stated truth is the value, rounded to three significant digits or better."""
    return abs(stated - value) <= max(0.0051 * abs(value), 1e-9)


def _number(lesson: Lesson, place: int, question: NumberQuestion, facts: Facts) -> Iterator[str]:
    value, problem = _figure(lesson, place, facts, question.figure)
    if problem:
        yield problem
    elif not _near(question.truth, value):
        yield f"the truth is stated as {question.truth}, and {question.figure} is {value:.4g}: write that"


def _curve(lesson: Lesson, place: int, question: CurveQuestion, facts: Facts) -> Iterator[str]:
    for point in question.points:
        value, problem = _figure(lesson, place, facts, question.figure, point.scenario)
        if problem:
            yield problem
        elif not _near(point.truth, value):
            yield f"at {point.x:g} the truth is stated as {point.truth}, and {question.figure} is {value:.4g}"


def _ranking(lesson: Lesson, place: int, question: RankingQuestion, facts: Facts) -> Iterator[str]:
    found = {}
    for item in question.items:
        found[item.value], problem = _figure(lesson, place, facts, item.figure, item.scenario)
        if problem:
            yield problem
            return
    for first, second in zip(question.order[:-1], question.order[1:], strict=True):
        if not found[first] > found[second] + APART:
            yield f"“{first}” stands before “{second}”, and has {found[first]:.4g} against {found[second]:.4g}"
