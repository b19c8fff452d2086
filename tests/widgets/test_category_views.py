"""The views of categories without a browser: what they send to their scripts, and what they leave out."""

import numpy as np

from trustscope.widgets.scenes.bars import Bars, Mark
from trustscope.widgets.scenes.candidates import Candidate, Candidates, Given
from trustscope.widgets.scenes.steps import Stand, Step, Steps


def test_bars_send_short_lists():
    bars = Bars(label="x")
    spans = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    bars.draw(
        ["a", "<b>"], [Mark("m", "bar", "#000", np.array([1 / 3, 0.5])), Mark("r", "range", "#111", spans)], top=1
    )
    assert bars.frame == {"labels": ["a", "<b>"], "marks": [["m", "bar", "#000"], ["r", "range", "#111"]]}
    assert bars.values == [[0.33333, 0.5], [0.1, 0.4, 0.2, 0.5, 0.3, 0.6]]
    assert bars.texts == ["", ""]
    frame = bars.frame
    bars.draw(["a", "<b>"], [Mark("m", "bar", "#000", np.zeros(2)), Mark("r", "range", "#111", spans)], top=0)
    assert bars.frame is frame  # nothing to build anew
    assert bars.top == 1


def test_few_rows_grow():
    bars = Bars()
    bars.draw(list("abc"), [Mark("m", "bar", "#000", np.ones(3))], top=1, fill=300)
    assert bars.row == 30
    bars.draw(list("abcdefghijklmnopqrstuvwxyz"), [Mark("m", "bar", "#000", np.ones(26))], top=1, fill=300)
    assert bars.row == 20


def test_steps_leave_room():
    steps = Steps(label="x")
    steps.draw(
        ["HIV", "flu"], [Step(100, 30.123, 0), Step(30.123, 8, 1)], [Stand("A", "#000", 40, 0)], lowest=8, rows=5
    )
    assert steps.scene["steps"] == [[100, 30.12, 0], [30.12, 8, 1]]
    assert steps.scene["rows"] == 5
    assert steps.scene["stands"][0]["trust"] == 40


def test_steps_as_a_sentence():
    steps = Steps(label="x")
    steps.draw(["HIV", "flu"], [Step(100, 30, 0), Step(30, 8, 1)], [Stand("A", "#000", 40, 0)], lowest=8, rows=5)
    assert steps.summary_text == (
        "The value stands at HIV from 100 to 30\u202f%, then flu from 30 to 8\u202f%; A holds HIV."
    )


def test_one_person_is_sent_as_short_rows_and_says_itself():
    shown = Candidates("x")
    rows = [
        Candidate("HIV", 1 / 30, 0.153, 0.8556, [Given("M", "Ministry", "#0e7fc0")], true=True),
        Candidate("<b>flu", 0.2, 0.19, 0.0004, [Given("I", "Insurer", "#e69f00", member=False)]),
    ]
    names = {"before": "without any copy", "alone": "Ministry alone", "together": "together"}
    shown.draw(rows, names=names, tone="leak", told="HIV is the truth.")
    assert [row["label"] for row in shown.rows] == ["HIV", "<b>flu"]
    assert shown.rows[0]["texts"] == ["86\u202f%", "15\u202f%"]
    assert shown.rows[1]["texts"][0] == "<\u202f1\u202f%"  # possible, so not 0
    assert shown.summary_text == "HIV is the truth."
    assert [row["together"] for row in shown.rows] == [0.8556, 0.0004]
    before, shown.beside = shown.rows, Candidates("kept")
    shown.beside.draw([Candidate("<b>flu", 0.2, 0.2, 0.3), Candidate("HIV", 0.1, 0.2)], names=names)
    shown.draw(rows, names=names, tone="safe", told="HIV is the truth.")
    assert shown.rows is before  # nothing is sent again that did not change
    assert shown.ghost == [0.2, 0.3]
    shown.draw([Candidate("a", 0.5, 0.9996), Candidate("b", 0.5, 1.0)], names={"before": "x", "alone": "y"})
    assert [row["texts"] for row in shown.rows] == [["", ">\u202f99\u202f%"], ["", "100\u202f%"]]
