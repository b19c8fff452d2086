"""What a class predicted, put together for one picture; plain values that the widget draws."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from trustscope.lessons import prediction
from trustscope.lessons import text as texts
from trustscope.lessons.lesson import (
    ChoiceQuestion,
    CurveQuestion,
    Lesson,
    NumberQuestion,
    Predict,
    Question,
    RankingQuestion,
)

MOST_BINS = 20


def covered(question: Question, count: int) -> dict[str, Any]:
    """What stands on the wall until the teacher opens it: the question, and how many have answered it."""
    return {"kind": question.kind, "ask": texts.plain_text(question.ask), "count": count, "covered": True}


def gathered(
    question: Question, predictions: Sequence[Any], reveal: bool, before: Sequence[Any] | None = None
) -> dict[str, Any]:
    """The picture of all predictions, with the truth if it is to be seen.

    Parameters
    ----------
    predictions : usable ones
    before : those of the first round, where the question was asked again
    """
    found: dict[str, Any] = {"kind": question.kind, "ask": texts.plain_text(question.ask), "count": len(predictions)}
    if before is not None:
        found["before"] = gathered(question, before, reveal)
    match question:
        case ChoiceQuestion():
            found |= _choices(question, predictions)
        case NumberQuestion():
            found |= _numbers(question, predictions)
        case CurveQuestion():
            found |= _curves(question, predictions)
        case RankingQuestion():
            found |= _ranks(question, predictions)
    if reveal:
        close = sum(prediction.is_close(question, one) for one in predictions)
        found |= {"truth": prediction.truth(question), "close": close}
    return found


def results(lesson: Lesson, of: Callable[[str], Sequence[Any]], before: Callable[[str], Sequence[Any] | None]):
    """For the page after a lesson: by question how many came close, of how many, and the same of the first round."""
    found = []
    for step in lesson.steps:
        if isinstance(step, Predict):
            now, first = of(step.name), before(step.name)
            counted = [sum(prediction.is_close(step.question, one) for one in some or ()) for some in (now, first)]
            row = {"ask": texts.plain_text(step.question.ask), "close": counted[0], "count": len(now)}
            found.append(row if first is None else row | {"before": [counted[1], len(first)]})
    return found


def _choices(question: ChoiceQuestion, predictions: Sequence[str]) -> dict[str, Any]:
    counts = Counter(predictions)
    return {"bars": [[one.value, texts.plain_text(one.text), counts[one.value]] for one in question.options]}


def _numbers(question: NumberQuestion, predictions: Sequence[float]) -> dict[str, Any]:
    """Bins of whole steps of the slider: none can hold more places of it than another, but for the last one."""
    places = round((question.end - question.start) / question.step)
    wide = question.step * max(1, -(-places // MOST_BINS))
    bins = max(1, int(np.ceil((question.end - question.start) / wide - 1e-9)))
    where = np.floor((np.asarray(predictions, float) - question.start) / wide + 1e-9).astype(int)
    counts = np.bincount(np.clip(where, 0, bins - 1), minlength=bins) if len(predictions) else np.zeros(bins, int)
    return {
        "start": question.start, "end": question.start + bins * wide, "wide": wide, "bins": counts.tolist(),
        "share": question.shown == "share", "unit": question.unit,
        "middle": float(np.median(predictions)) if len(predictions) else None,
    }  # fmt: skip


def _curves(question: CurveQuestion, predictions: Sequence[list[float]]) -> dict[str, Any]:
    return {
        "places": [point.x for point in question.points], "curves": [list(one) for one in predictions],
        "middle": np.median(predictions, axis=0).tolist() if predictions else None,
        "x_span": list(question.x_span), "x_ticks": list(question.x_marks), "y_start": question.y_start,
        "y_end": question.y_end, "y_ticks": list(question.y_marks), "x_label": question.x_label,
        "y_label": question.y_label, "share": question.shown == "share",
    }  # fmt: skip


def _ranks(question: RankingQuestion, predictions: Sequence[list[str]]) -> dict[str, Any]:
    """How often each item was put at each place; the one that the class puts first, on average, stands first."""
    rows = []
    for item in question.items:
        at = Counter(one.index(item.value) for one in predictions)
        mean = sum(place * count for place, count in at.items()) / len(predictions) if predictions else 0.0
        counts = [at[place] for place in range(len(question.items))]
        rows.append((mean, [item.value, texts.plain_text(item.text), counts]))
    rows.sort(key=lambda row: row[0])  # a stable sort: before anybody has predicted they stand as in the lesson
    return {"ranks": [row for _, row in rows], "first": question.first, "last": question.last}
