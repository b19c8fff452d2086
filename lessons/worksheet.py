"""A lesson on paper: the questions with room to answer them on the real axes, and a key on a page of its own.

One HTML file without scripts and without anything from elsewhere; a browser prints it.
"""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from trustscope.lessons import prediction
from trustscope.lessons import text as texts
from trustscope.lessons.ending import in_words
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
from trustscope.scenarios.words import plain, share

STYLE = Path(__file__).with_name("worksheet.css")
WIDE, TALL = 640, 300  # of axes, in units of the drawing
LEFT, RIGHT, TOP, BOTTOM = 84, 20, 12, 58
LETTERS = "ABCDEF"
LINE = "<p class='line'></p>"


def worksheet(lesson: Lesson) -> str:
    """The page, as HTML."""
    tasks = "".join(_task(number, step) for number, step in enumerate(_tasks(lesson), 1))
    key = "".join(_answer(number, step, lesson) for number, step in enumerate(_tasks(lesson), 1))
    learnt = f"<p class='learnt'><b>In one sentence:</b> {escape(texts.plain_text(lesson.learnt))}</p>"
    title = escape(lesson.title)
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}: worksheet</title>"
        f"<style>{STYLE.read_text(encoding='utf-8')}</style></head><body>"
        f"<main><header><p class='name'>Name</p><h1>{title}</h1><p>{escape(lesson.about)}</p></header>{tasks}"
        f"<section class='task'><h2>What I learnt, in one sentence</h2>{LINE}{LINE}</section>"
        f"</main><main class='key'><header><h1>Key: {title}</h1></header>{key}{learnt}</main></body></html>\n"
    )


def _tasks(lesson: Lesson) -> Iterator[Predict | Try]:
    return (step for step in lesson.steps if isinstance(step, Predict | Try))


def _task(number: int, step: Predict | Try) -> str:
    head = f"<section class='task'><h2>{number}. {escape(texts.plain_text(step.title))}</h2>{texts.html(step.text)}"
    if isinstance(step, Try):
        return f"{head}<p class='ask'>What did you set, and what came out?</p>{LINE}{LINE}</section>"
    ask = f"<p class='ask'>{escape(texts.plain_text(step.question.ask))}</p>"
    return f"{head}{ask}{_room(step.question)}<p class='ask'>Because</p>{LINE}</section>"


def _room(question: Any, truth: bool = False) -> str:
    """Where an answer is written, or where the right one stands."""
    match question:
        case ChoiceQuestion():
            return "<ul class='choices'>" + "".join(
                f"<li><span class='box'>{'✓' if truth and one.value == question.right else ''}</span>"
                f"{LETTERS[place]}. {escape(texts.plain_text(one.text))}</li>"
                for place, one in enumerate(question.options)
            ) + "</ul>"  # fmt: skip
        case NumberQuestion():
            return _line(question, truth)
        case CurveQuestion():
            return _axes(question, truth)
        case RankingQuestion():
            places = {value: str(place) for place, value in enumerate(question.order, 1)}
            said = f"<p class='small'>1 is “{escape(question.first)}”, {len(places)} is “{escape(question.last)}”.</p>"
            return said + "<ul class='choices'>" + "".join(
                f"<li><span class='box'>{places[one.value] if truth else ''}</span>"
                f"{escape(texts.plain_text(one.text))}</li>"
                for one in question.items
            ) + "</ul>"  # fmt: skip
    raise TypeError(f"There is no room for {question!r} on paper.")


def _line(question: NumberQuestion, truth: bool) -> str:
    """A number line to mark a place on."""

    def x(value: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * (value - question.start) / (question.end - question.start)

    marks = [question.start + (question.end - question.start) * part / 10 for part in range(11)]
    parts = [_stroke(LEFT, 40, WIDE - RIGHT, 40)]
    for place, value in enumerate(marks):
        named = place % 2 == 0
        parts.append(_stroke(x(value), 40 - (10 if named else 6), x(value), 40))
        if named:
            parts.append(_text(x(value), 60, _written(value, question.shown)))
    if truth:
        parts.append(f"<line class='truth' x1='{x(question.truth):.1f}' x2='{x(question.truth):.1f}' y1='12' y2='44'/>")
    unit = f" ({question.unit})" if question.unit else ""
    box = f"<p class='small'>Mark it on the line, or write it{escape(unit)}: <span class='blank'></span></p>"
    return _svg(parts, 68, "A number line") + ("" if truth else box)


def _axes(question: CurveQuestion, truth: bool) -> str:
    """The axes of the plot, to draw on."""
    low, high = question.x_span

    def x(value: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * (value - low) / (high - low)

    def y(value: float) -> float:
        return TALL - BOTTOM - (TALL - TOP - BOTTOM) * (value - question.y_start) / (question.y_end - question.y_start)

    parts = []
    for value in question.y_marks:
        parts += [
            _stroke(LEFT, y(value), WIDE - RIGHT, y(value), "grid"),
            _text(LEFT - 8, y(value) + 5, _written(value, question.shown), "end"),
        ]
    for value in question.x_marks:
        parts += [
            _stroke(x(value), TOP, x(value), TALL - BOTTOM, "grid"),
            _text(x(value), TALL - BOTTOM + 20, plain(value)),
        ]
    parts += [_stroke(LEFT, TOP, LEFT, TALL - BOTTOM), _stroke(LEFT, TALL - BOTTOM, WIDE - RIGHT, TALL - BOTTOM)]
    parts.append(_text((LEFT + WIDE - RIGHT) / 2, TALL - 12, escape(question.x_label)))
    middle = (TOP + TALL - BOTTOM) / 2
    turned = f"transform='translate(18 {middle:.0f}) rotate(-90)'"
    parts.append(f"<text {turned} text-anchor='middle'>{escape(question.y_label)}</text>")
    if truth:
        places = " ".join(f"{x(point.x):.1f},{y(point.truth):.1f}" for point in question.points)
        parts.append(f"<polyline class='truth' points='{places}'/>")
        parts += [f"<circle class='point' cx='{x(p.x):.1f}' cy='{y(p.truth):.1f}' r='4'/>" for p in question.points]
    return _svg(parts, TALL, f"Axes: {question.y_label} by {question.x_label}")


def _answer(number: int, step: Predict | Try, lesson: Lesson) -> str:
    head = f"<section class='task'><h2>{number}. {escape(texts.plain_text(step.title))}</h2>"
    if isinstance(step, Try):
        return f"{head}{texts.html(step.done)}</section>"
    question = step.question
    said = in_words(question, prediction.truth(question))
    told = "" if isinstance(question, CurveQuestion | RankingQuestion) else f"<p><b>{escape(said)}</b></p>"
    reveal = next((one.text for one in lesson.steps if isinstance(one, Reveal) and one.of == step.name), "")
    return f"{head}{told}{_room(question, truth=True)}{texts.html(reveal)}</section>"


def _written(value: float, shown: str) -> str:
    return share(value) if shown == "share" else plain(value)


def _svg(parts: Sequence[str], tall: int, label: str) -> str:
    return (
        f"<svg viewBox='0 0 {WIDE} {tall}' role='img' aria-label='{escape(label, quote=True)}'>{''.join(parts)}</svg>"
    )


def _stroke(x1: float, y1: float, x2: float, y2: float, kind: str = "axis") -> str:
    return f"<line class='{kind}' x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}'/>"


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'>{text}</text>"
