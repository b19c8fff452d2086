"""Every lesson walked to its end as a learner would, with right and with wrong predictions, without a browser.

What is said to a prediction, what the button says that goes on, and that a goal counts as reached exactly when it is.
"""

import pytest

from tests.messages import tell
from trustscope.app.learn import player
from trustscope.app.learn.player import FINISH, NEXT, SEE, SKIP, Player
from trustscope.lessons import prediction
from trustscope.lessons import text as texts
from trustscope.lessons.facts import Facts
from trustscope.lessons.lesson import ChoiceQuestion, CurveQuestion, NumberQuestion, Predict, Reveal, Try
from trustscope.lessons.reader import shelf
from trustscope.lessons.stage import scenario_at
from trustscope.widgets.term import explained


def far(question):
    """A prediction that a learner could make, and that is not close."""
    match question:
        case ChoiceQuestion():
            return next(option.value for option in question.options if option.value != question.right)
        case NumberQuestion():  # the end of the slider that is further away
            return max(question.start, question.end, key=lambda end: abs(end - question.truth))
        case CurveQuestion():  # upside down
            return [question.y_start + question.y_end - point.truth for point in question.points]
    return list(reversed(question.order))


def said(text):
    return explained(texts.html(text))


def go_on(player, name):
    """The button says what comes, and goes there."""
    assert player.room.next_text == (FINISH if player.place + 1 == len(player.lesson.steps) else name)
    assert player.room.next_primary
    player.room.nexts += 1


class Learner:
    """Somebody who predicts always right and does what is asked, or always wrong and does nothing."""

    def __init__(self, lesson, right):
        self.player, self.right = Player(lesson), right
        self.steps = []  # the kinds of steps that were done

    def walk(self):
        for place, step in enumerate(self.player.lesson.steps):
            assert self.player.place == place
            assert self.player.room.step["html"] == said(step.text)
            self._do(step)
            self.steps.append(step.kind)

    def _do(self, step):
        match step:
            case Predict():
                self._predict(step)
            case Reveal():
                self._see(step)
            case Try():
                self._try(step)
            case _:
                assert (self.player.room.said, self.player.question) == ({}, None)
                go_on(self.player, NEXT)

    def _predict(self, step):
        player = self.player
        assert (player.room.next_primary, player.question.truth, player.question.value) == (False, None, None)
        assert player.room.next_text == SKIP
        value = prediction.truth(step.question) if self.right else far(step.question)
        tell(player.question, {"value": value})  # as a browser sends it
        assert player.predictions[step.name] == value
        assert prediction.is_close(step.question, player.predictions[step.name]) is self.right
        assert player.room.said == {}, "nothing is given away"
        go_on(player, SEE)

    def _see(self, step):
        player, question = self.player, self.player.lesson.question(step.of)
        assert player.question.truth == prediction.truth(question)
        assert player.question.value == player.predictions[step.of]
        tone = "close" if self.right else "far"
        assert player.room.said == {"tone": tone, "html": said(getattr(question.said, tone))}
        tell(player.question, {"value": far(question)})  # too late
        assert player.question.value == player.predictions[step.of]
        if self.right:  # the page takes the other prediction too
            predicted = player.predictions
            player.recall({**predicted, step.of: far(question)})
            assert player.question.value == player.predictions[step.of] == far(question)
            assert player.room.said == {"tone": "far", "html": said(question.said.far)}
            player.recall(predicted)
            assert player.room.said == {"tone": "close", "html": said(question.said.close)}
        go_on(player, NEXT)

    def _try(self, step):
        player, place = self.player, self.player.place
        assert player.room.said == {"tone": "hint", "html": said(step.hint)}
        assert not player.done, "what stands there before is no answer"
        assert not player.room.next_primary
        assert player.room.side_shown, "there is something to do it with"
        if not self.right:  # somebody who does not care goes on without
            assert player.room.next_text in (SKIP, FINISH)
            player.room.nexts += 1
            return
        page = player.dashboard
        page.controls.change(page.fit_if_loaded(scenario_at(player.lesson, place, step.example)))
        assert player.done
        assert player.room.said == {"tone": "close", "html": said(step.done)}
        go_on(player, NEXT)


@pytest.fixture(scope="module")
def facts():
    """Figures are shared: many steps look at the same scenarios."""
    return Facts()


@pytest.mark.sweep
@pytest.mark.parametrize("right", [True, False], ids=["right", "wrong"])
@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
def test_a_lesson_is_walked(lesson, right, facts, monkeypatch):
    monkeypatch.setattr(player, "facts", facts)
    learner = Learner(lesson, right)
    learner.walk()
    assert learner.player.finished == 1
    assert learner.steps == [step.kind for step in lesson.steps]
    assert set(learner.player.predictions) == {step.name for step in lesson.steps if isinstance(step, Predict)}
