"""Predictions are plain JSON values: a text, a number, a list of numbers or of texts. What is usable, what is close."""

from typing import Any

import numpy as np

from trustscope.lessons.lesson import (
    LARGEST,
    ChoiceQuestion,
    CurveQuestion,
    NumberQuestion,
    Question,
    RankingQuestion,
)


def usable(question: Question, value: Any) -> Any | None:
    """The prediction if it can be one, else None: it may come from a browser that anybody can write to."""
    match question:
        case ChoiceQuestion():
            return value if value in [option.value for option in question.options] else None
        case NumberQuestion():
            return min(max(float(value), question.start), question.end) if _is_number(value) else None
        case CurveQuestion():
            if not isinstance(value, list) or len(value) != len(question.points) or not all(map(_is_number, value)):
                return None
            return [min(max(float(one), question.y_start), question.y_end) for one in value]
        case RankingQuestion():
            names = [item.value for item in question.items]
            known = isinstance(value, list) and all(isinstance(one, str) for one in value)
            return value if known and sorted(value) == sorted(names) else None
    return None


def truth(question: Question) -> Any:
    """What a prediction is held against, as a prediction."""
    match question:
        case ChoiceQuestion():
            return question.right
        case NumberQuestion():
            return question.truth
        case CurveQuestion():
            return [point.truth for point in question.points]
        case RankingQuestion():
            return list(question.order)


def is_close(question: Question, value: Any) -> bool:
    """Whether a usable prediction comes close to the truth: a curve does where it is close on average."""
    if isinstance(question, NumberQuestion):
        return abs(value - question.truth) <= question.close
    if isinstance(question, CurveQuestion):
        return float(np.mean(np.abs(np.subtract(value, truth(question))))) <= question.close
    return value == truth(question)


def as_cell(value: Any) -> Any:
    """A prediction in one cell of a table; nothing where there is none."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(one if isinstance(one, str) else f"{one:.6g}" for one in value)
    return value


def _is_number(value: Any) -> bool:
    # What is not a number compares as neither.
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST
