"""The views of categories without a browser: what they send to their scripts, and what they leave out."""

import numpy as np

from trustscope.widgets.bars import Bars, Mark
from trustscope.widgets.race import Race, Runner
from trustscope.widgets.steps import Stand, Step, Steps


def test_bars_send_short_lists():
    bars = Bars(label="x")
    spans = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    bars.show(
        ["a", "<b>"], [Mark("m", "bar", "#000", np.array([1 / 3, 0.5])), Mark("r", "range", "#111", spans)], top=1
    )
    assert bars.frame == {"labels": ["a", "<b>"], "marks": [["m", "bar", "#000"], ["r", "range", "#111"]]}
    assert bars.values == [[0.33333, 0.5], [0.1, 0.4, 0.2, 0.5, 0.3, 0.6]]
    assert bars.texts == ["", ""]
    frame = bars.frame
    bars.show(["a", "<b>"], [Mark("m", "bar", "#000", np.zeros(2)), Mark("r", "range", "#111", spans)], top=0)
    assert bars.frame is frame  # nothing to build anew
    assert bars.top == 1


def test_few_rows_grow():
    bars = Bars()
    bars.show(list("abc"), [Mark("m", "bar", "#000", np.ones(3))], top=1, fill=300)
    assert bars.row == 30
    bars.show(list("abcdefghijklmnopqrstuvwxyz"), [Mark("m", "bar", "#000", np.ones(26))], top=1, fill=300)
    assert bars.row == 20


def test_steps_leave_room():
    steps = Steps(label="x")
    steps.show(
        ["HIV", "flu"], [Step(100, 30.123, 0), Step(30.123, 8, 1)], [Stand("A", "#000", 40, 0)], lowest=8, rows=5
    )
    assert steps.scene["steps"] == [[100, 30.12, 0], [30.12, 8, 1]]
    assert steps.scene["rows"] == 5
    assert steps.scene["stands"][0]["trust"] == 40


def test_the_race_goes_on_dashed():
    race = Race("x")
    runner = Runner("#000", [0.1, 0.2, 0.3, 0.4], [0.21])
    race.show([runner], here=1)
    assert race.drawn("lines")["xs"] == [[0, 1], [1, 2, 3]]
    assert race.drawn("lines")["dash"] == ["solid", "dashed"]
    dots = race.drawn("dots")
    assert (dots["x"], dots["y"], dots["colour"]) == ([1], [0.21], ["#000"])
    race.show([], here=0)
    assert race.drawn("lines")["xs"] == []
