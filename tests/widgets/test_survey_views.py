"""The widgets of the Survey page: what they take in, what they refuse, and that only changes are sent."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.messages import tell
from trustscope.widgets.controls.mixer import Mixer, shared_out
from trustscope.widgets.controls.questionnaire import Questionnaire
from trustscope.widgets.scenes.arrivals import NOTHING, SEVERAL, Arrival, Arrivals
from trustscope.widgets.scenes.heat import Heat


@dataclass(frozen=True)
class Part:
    """A kind of people, as the widget needs it."""

    name: str
    weight: int
    level: int | None
    colour: str = "#111111"


PARTS = (Part("few", 20, 1), Part("many", 80, None))
LEVELS = [[0, "nothing"], [1, "1"], [-1, "anything"]]


def count(widget, *names):
    """Counts changes of these parameters from now on."""
    seen = []
    widget.param.watch(lambda *events: seen.extend(event.name for event in events), list(names))
    return seen


def test_a_mix_is_dragged_and_let_go():
    mixer = Mixer(Part, value=PARTS, levels=LEVELS)
    assert [row["share"] for row in mixer.rows] == ["20", "80"]
    assert [row["level"] for row in mixer.rows] == [1, -1]
    tell(mixer, {"kind": "weight", "row": 0, "value": 80, "done": False})
    assert [row["share"] for row in mixer.rows] == ["50", "50"]
    assert mixer.settled == PARTS
    tell(mixer, {"kind": "weight", "row": 0, "value": 500, "done": True})
    assert mixer.settled[0].weight == 100
    tell(mixer, {"kind": "level", "row": 1, "value": 1})
    assert mixer.settled[1].level == 1
    tell(mixer, {"kind": "level", "row": 1, "value": -1})
    assert mixer.value[1].level is None


def test_a_mix_refuses_what_makes_no_sense():
    mixer = Mixer(Part, value=PARTS, levels=LEVELS)
    tell(mixer, {"kind": "level", "row": 0, "value": 77})
    tell(mixer, {"kind": "weight", "row": 9, "value": 5})
    assert mixer.value == PARTS
    tell(mixer, {"kind": "weight", "row": 1, "value": 0})
    tell(mixer, {"kind": "weight", "row": 0, "value": 0})
    assert [part.weight for part in mixer.value] == [20, 0]  # somebody must answer


def test_a_typed_share_is_held_and_the_others_keep_their_proportion():
    three = (Part("a", 17, 1), Part("b", 56, 3), Part("c", 27, 9))
    mixer = Mixer(Part, value=three, levels=LEVELS)
    tell(mixer, {"kind": "share", "row": 0, "value": 50})
    assert [part.weight for part in mixer.settled] == [50, 34, 16]  # 56 to 27, as before
    assert [row["share"] for row in mixer.rows] == ["50", "34", "16"]
    tell(mixer, {"kind": "share", "row": 1, "value": 400})
    assert [part.weight for part in mixer.value] == [0, 100, 0]
    tell(mixer, {"kind": "share", "row": 1, "value": 30})  # nothing was left to be kept in proportion
    assert [part.weight for part in mixer.value] == [35, 30, 35]


@pytest.mark.parametrize("share", range(0, 101, 7))
def test_shares_add_up_to_all(share):
    for weights in ([17, 56, 27], [0, 0, 5], [1, 1, 1, 1, 1, 1, 1], [100, 3]):
        for place in range(len(weights)):
            out = shared_out(weights, place, share)
            assert sum(out) == 100
            assert out[place] == share
            assert min(out) >= 0
            others = [i for i in range(len(weights)) if i != place]
            total = sum(weights[i] for i in others) or len(others)
            for i in others:
                exact = (100 - share) * (weights[i] if any(weights[k] for k in others) else 1) / total
                assert abs(out[i] - exact) < 1


def test_letting_go_where_it_began_counts():
    mixer = Mixer(Part, value=PARTS, levels=LEVELS)
    seen = []
    mixer.param.watch(seen.append, "settled", onlychanged=False)
    tell(mixer, {"kind": "weight", "row": 0, "value": 20, "done": True})
    assert seen


def test_arrivals_are_sent_only_when_they_change():
    view = Arrivals()
    view.ask(["a", "b"], [["Yes", "No"], ["x", "y", "z"]], [("few", "#111111")])
    seen = count(view, "people", "frame")
    people = [Arrival(3, 0, "follows 1", (0, 2), (NOTHING, SEVERAL)), Arrival(2, 0, "refused", (1, 1), ())]
    view.draw(people)
    view.draw(people)
    assert seen.count("people") == 1
    assert view.people == [[3, 0, "follows 1", [0, 2], [-1, -2]], [2, 0, "refused", [1, 1], []]]
    view.ask(["a"], [["Yes", "No"]], [("few", "#111111")])
    assert view.people == []


def test_heat_marks_bars_beyond_the_limit():
    heat = Heat()
    values = np.array([[0.1, 0.2], [0.3, 1.0]])
    show = {"limit": 0.5, "bar_name": "weight"}
    heat.draw(["a", "b"], [("1", ["#111111"]), ("2", [])], values, [0.5, 0.9], **show)
    assert heat.bars == [[0.5, False], [0.9, True]]
    assert heat.columns == [["1", ["#111111"]], ["2", []]]
    seen = count(heat, "values", "bars", "columns", "frame", "limit")
    heat.draw(["a", "b"], [("1", ["#111111"]), ("2", [])], values, [0.5, 0.95], **show)
    assert seen == ["bars"]


def test_a_questionnaire_takes_answers_that_there_are():
    sheet = Questionnaire()
    sheet.ask(["a", "b"], [["Yes", "No"], ["x", "y", "z"]], np.array([1, 2]))
    assert sheet.value == [1, 2]
    tell(sheet, {"row": 1, "value": 0})
    for wrong in ({"row": 1, "value": 3}, {"row": 2, "value": 0}, {"row": -1, "value": 0}, {"row": 0, "value": -1}):
        tell(sheet, wrong)
    assert sheet.value == [1, 0]
    sheet.draw([("same", "No"), ("nothing", "no answer")], np.array([0.51234, 1]), np.array([0.9, 0]))
    assert (sheet.before, sheet.after) == ([0.512, 1.0], [0.9, 0.0])
    sheet.ask(["c"], [["Yes"]], [0])
    assert (sheet.sent, sheet.before) == ([], [])
