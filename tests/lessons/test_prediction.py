"""Predictions: what a browser may send, and what counts as close."""

import math

import pytest

from trustscope.lessons import prediction
from trustscope.lessons.film import film
from trustscope.lessons.lesson import Predict
from trustscope.lessons.reader import shelf

QUESTIONS = {
    step.question.kind: step.question for lesson in shelf() for step in lesson.steps if isinstance(step, Predict)
}


@pytest.mark.parametrize("kind", sorted(QUESTIONS))
def test_the_truth_is_usable_and_close(kind):
    question = QUESTIONS[kind]
    truth = prediction.truth(question)
    assert prediction.usable(question, truth) == truth
    assert prediction.is_close(question, truth)


@pytest.mark.parametrize(
    "value", [None, {}, "x", [1], [["a"]], math.nan, math.inf, 10**400, True, [None] * 6, {"a": 1}]
)
@pytest.mark.parametrize("kind", sorted(QUESTIONS))
def test_nonsense_is_no_prediction(kind, value):
    assert prediction.usable(QUESTIONS[kind], value) is None


def test_far_predictions():
    number, curve = QUESTIONS["number"], QUESTIONS["curve"]
    assert not prediction.is_close(number, number.truth - 1.01 * number.close)
    assert prediction.usable(number, 1e9) == number.end
    far = [point.truth + (2 * curve.close if point.truth < 0.5 else -2 * curve.close) for point in curve.points]
    assert not prediction.is_close(curve, far)
    order = prediction.truth(QUESTIONS["ranking"])
    assert not prediction.is_close(QUESTIONS["ranking"], order[::-1])


def test_the_moving_picture_shows_what_the_page_would():
    """Independent noise leaves a variance of 1 / (1 + sum of 1 / s); nested noise leaves what the best copy does."""
    found = film()
    levels = [(100 - r.trust) / r.trust for r in found.recipients]
    first = found.beliefs["nested"][0].sd
    spread = first / math.sqrt(1 - found.recipients[0].trust / 100)
    for number in range(1, len(levels) + 1):
        left = 1 / (1 + sum(1 / s for s in levels[:number]))
        assert found.beliefs["independent"][number - 1].sd == pytest.approx(spread * math.sqrt(left), rel=1e-6)
        assert found.beliefs["nested"][number - 1].sd == pytest.approx(first, rel=1e-9)
