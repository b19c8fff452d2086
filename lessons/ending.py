"""The page after the last step: what was learnt, and what was predicted beside what is true."""

from typing import Any

from trustscope.lessons import prediction
from trustscope.lessons import text as texts
from trustscope.lessons.lesson import ChoiceQuestion, CurveQuestion, Lesson, NumberQuestion, Predict, RankingQuestion
from trustscope.scenarios.words import plain, share

TITLE = "What you learnt"


def in_words(question: Any, value: Any) -> str:
    """A prediction, or the truth, as it is read."""
    match question:
        case ChoiceQuestion():
            return next(texts.plain_text(one.text) for one in question.options if one.value == value)
        case NumberQuestion():
            return share(value) if question.shown == "share" else f"{plain(value)} {question.unit}".strip()
        case CurveQuestion():
            return ", ".join(share(one) if question.shown == "share" else plain(one) for one in value)
        case RankingQuestion():
            known = {item.value: texts.plain_text(item.text) for item in question.items}
            return "; ".join(f"{place}. {known[one]}" for place, one in enumerate(value, 1))
    raise TypeError(f"There are no words for {question!r}.")


def rows(lesson: Lesson, predictions: dict[str, Any]) -> list[dict[str, Any]]:
    """For each question what was predicted and what is so; `close` is None where nothing was predicted."""
    found = []
    for step in lesson.steps:
        if not isinstance(step, Predict):
            continue
        question, value = step.question, predictions.get(step.name)
        truth = prediction.truth(question)
        row: dict[str, Any] = {
            "ask": texts.plain_text(question.ask), "truth": in_words(question, truth),
            "predicted": "" if value is None else in_words(question, value),
            "close": None if value is None else prediction.is_close(question, value),
        }  # fmt: skip
        if isinstance(question, CurveQuestion):
            row["curve"] = {
                "places": [point.x for point in question.points], "truth": truth, "drawn": value or [],
                "start": question.y_start, "end": question.y_end,
            }  # fmt: skip
        found.append(row)
    return found
