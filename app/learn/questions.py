"""The questions of lessons as widgets; a truth makes each of them show it over what was predicted."""

from typing import Any

from trustscope.lessons import text as texts
from trustscope.lessons.lesson import ChoiceQuestion, CurveQuestion, NumberQuestion, Question, RankingQuestion
from trustscope.widgets.esm import Control
from trustscope.widgets.lessons.answers import Answers
from trustscope.widgets.lessons.guess import Guess
from trustscope.widgets.lessons.ranking import Ranking
from trustscope.widgets.lessons.sketch import Sketch


def widget_of(question: Question, value: Any = None, truth: Any = None) -> Control:
    """What asks a question, or shows its answer."""
    common = {"label": texts.plain_text(question.ask), "value": value, "truth": truth}
    match question:
        case ChoiceQuestion():
            return Answers(options=[[one.value, texts.plain_text(one.text)] for one in question.options], **common)
        case NumberQuestion():
            return Guess(
                start=question.start, end=question.end, step=question.step, unit=question.unit,
                share=question.shown == "share", **common,
            )  # fmt: skip
        case CurveQuestion():
            return Sketch(
                places=[point.x for point in question.points], x_span=question.x_span, x_ticks=list(question.x_marks),
                y_start=question.y_start, y_end=question.y_end, y_ticks=list(question.y_marks),
                x_label=question.x_label, y_label=question.y_label, share=question.shown == "share", **common,
            )  # fmt: skip
        case RankingQuestion():
            items = [[one.value, texts.plain_text(one.text)] for one in question.items]
            return Ranking(options=items, first=question.first, last=question.last, **common)
    raise TypeError(f"There is no widget for {question!r}.")
