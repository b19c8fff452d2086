"""The controls without a browser: what their scripts send, and what comes of it."""

import sys
from types import SimpleNamespace

import pytest
from bokeh.document import Document

from tests.messages import deliver
from trustscope import colours
from trustscope.scenarios.coalition import Recipient
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice, Choices
from trustscope.widgets.controls.columns import Columns
from trustscope.widgets.controls.dropper import QUIET, Dropper
from trustscope.widgets.controls.inputs import textbox
from trustscope.widgets.controls.number import WholeNumber
from trustscope.widgets.controls.recipients import Recipients
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.controls.task import Task
from trustscope.widgets.esm import take_acknowledgement
from trustscope.widgets.live.lines import Lines, PlotLine


def recipient(number, name, trust, member=True):
    return Recipient(number=number, name=name, trust=trust, member=member)


START = (recipient(0, "Alice", 50), recipient(1, "Bob", 20))


class Hand:
    """Sends what a script would send."""

    def __init__(self, control):
        self.control, self.n = control, 0

    def __call__(self, **data):
        self.n += 1
        deliver(self.control, {**data, "n": self.n})
        assert self.control.ack == self.n


def test_a_slider_follows_and_settles():
    slider = Slider(start=0, end=10, value=5)
    hand = Hand(slider)
    hand(value=7, done=False)
    assert (slider.value, slider.value_throttled) == (7, 5)
    hand(value=99, done=True)
    assert (slider.value, slider.value_throttled) == (10, 10)


def test_a_number_that_is_none_moves_no_slider():
    slider = Slider(start=0, end=10, value=5)
    Hand(slider)(value=float("nan"), done=True)
    assert (slider.value, slider.value_throttled) == (5, 5)


def test_the_browser_sets_no_parameter():
    """It only tells what a person did: the stops of a slider say how much is computed, `most` how much is kept."""
    document, slider, dropper = Document(), Slider(stops=[2, 3], value=3), Dropper(most=10)
    for control, name, value in ((slider, "stops", [2, 10**8]), (slider, "value", 10**8), (dropper, "most", 10**12)):
        control.get_root(document).data.set_from_json(name, value)
    assert (slider.stops, slider.value, dropper.most) == ([2, 3], 3, 10)
    line = textbox("Name", "Alice")  # Panel's own line of text tells what was typed by setting it
    line.get_root(document).set_from_json("value", "Bob")
    assert line.value == "Bob"


def test_one_choice_or_many():
    options = [("a", "A", ""), ("b", "B", "")]
    one = Choice(options=options, value="a")
    hand = Hand(one)
    hand(value=["b"])
    assert one.value == "b"
    hand(value=["a", "b"])
    hand(value=["nonsense"])
    assert one.value == "b"
    many = Choices(options=options, value=["a"], disabled=["b"])
    Hand(many)(value=["b", "a"])
    assert many.value == ["a"]


def test_recipients_are_edited():
    recipients = Recipients(Recipient, lambda trust: f"<{trust}>", value=START)
    hand = Hand(recipients)
    hand(kind="trust", id=0, value=61.2, done=False)
    assert recipients.value[0].trust == 61
    assert recipients.settled[0].trust == 50
    assert recipients.rows[0]["detail"] == "<61>"
    hand(kind="trust", id=0, value=500, done=True)
    assert recipients.settled[0].trust == 100
    hand(kind="member", id=1, value=False)
    assert [r.member for r in recipients.settled] == [True, False]
    hand(kind="name", id=1, value="  the   Ministry ")
    assert recipients.value[1].name == "the Ministry"
    hand(kind="name", id=1, value="Alice")  # taken
    hand(kind="name", id=1, value="   ")
    assert recipients.value[1].name == "the Ministry"


def test_letting_go_where_it_began_counts():
    """A drag away and back changes nothing, but what was only previewed must still be finished."""
    slider, recipients = Slider(value=0.5), Recipients(Recipient, value=START)
    told = []
    slider.param.watch(lambda e: told.append("slider"), "value_throttled")
    recipients.param.watch(lambda e: told.append("recipients"), "settled")
    hands = Hand(slider), Hand(recipients)
    for done in (False, True):
        hands[0](value=0.5, done=done)
        hands[1](kind="trust", id=0, value=50, done=done)
    assert told == ["slider", "recipients"]


def test_recipients_come_and_go_within_their_bounds():
    recipients = Recipients(Recipient, value=START)
    hand = Hand(recipients)
    hand(kind="remove", id=0)
    assert len(recipients.value) == 2
    for _ in range(15):
        hand(kind="add")
    assert len(recipients.value) == 12
    assert len({r.name for r in recipients.value}) == len({r.colour for r in recipients.value}) == 12
    hand(kind="remove", id=5)
    hand(kind="add")
    assert recipients.value[-1].number == 5  # the colour that was free


def test_rows_are_drawn_with_the_answer_whoever_gives_it_and_when():
    recipients = Recipients(Recipient, value=START)
    taken = []
    recipients.param.watch(lambda event: taken.append(take_acknowledgement()), "value")
    drag = {"kind": "trust", "id": 0, "done": False}
    deliver(recipients, {**drag, "value": 61, "n": 1})
    assert (recipients.value[0].trust, recipients.rows[0]["trust"], recipients.ack) == (61, 50, 0)
    taken.pop()()
    assert (recipients.rows[0]["trust"], recipients.ack) == (61, 1)
    # Whoever hears that it was let go gives the answer while the message is still being taken in.
    recipients.param.watch(lambda event: taken.pop()(), "settled")
    deliver(recipients, {**drag, "value": 62, "done": True, "n": 2})
    assert (recipients.rows[0]["trust"], recipients.ack) == (62, 2)
    recipients.value = START  # by the app
    assert recipients.rows[0]["trust"] == 50


def test_a_message_that_comes_again_is_taken_in_once():
    recipients = Recipients(Recipient, value=START)
    for n in (1, 1, 2):
        deliver(recipients, {"kind": "add", "n": n})
    assert (len(recipients.value), recipients.ack) == (len(START) + 2, 2)


def test_an_unknown_message_is_still_answered():
    control = Columns(rows=[{"name": "a", "usable": True, "chosen": True}])
    with pytest.raises(KeyError):
        deliver(control, {"n": 4})
    assert control.ack == 4
    recipients = Recipients(Recipient, value=START)
    with pytest.raises(KeyError):  # a message names a change, not any method
        deliver(recipients, {"kind": "draw", "n": 1})


def test_columns_buttons_numbers_and_tasks():
    columns = Columns(
        rows=[{"name": "a", "usable": True, "chosen": True}, {"name": "b", "usable": False, "chosen": False}]
    )
    hand = Hand(columns)
    hand(kind="chosen", place=0, value=False)
    hand(kind="chosen", place=1, value=True)
    hand(kind="chosen", place=7, value=True)
    assert [row["chosen"] for row in columns.rows] == [False, False]
    action = Action()
    Hand(action)()
    assert action.clicks == 1
    number = WholeNumber(value=3, start=1, end=9)
    hand = Hand(number)
    for text, value in (("8", 8), ("10", 8), ("", 8), ("2.5", 8), ("1", 1)):
        hand(value=text)
        assert number.value == value
    task = Task(disabled=True)
    hand = Hand(task)
    hand(what="start")
    hand(what="stop")
    assert (task.starts, task.stops) == (0, 1)


def test_a_file_arrives_in_pieces_and_not_beyond_the_limit():
    dropper = Dropper(most=10)
    got, refused = [], []
    dropper.param.watch(lambda e: e.new and got.append(e.new), "file")
    dropper.param.watch(lambda e: e.new and refused.append(e.new), "refused")
    hand = Hand(dropper)
    hand(kind="piece", name="a", first=True, last=False, content=b"12345")
    hand(kind="piece", name="a", first=False, last=True, content=b"678")
    assert got == [("a", b"12345678")]
    content = bytes(range(8))
    held = sys.getrefcount(content)
    hand(kind="piece", name="b", first=True, last=False, content=content)
    assert sys.getrefcount(content) > held
    hand(kind="piece", name="b", first=False, last=False, content=b"90123")
    assert refused == [("b", 13)]
    assert len(got) == 1
    assert sys.getrefcount(content) == held  # nothing of it is kept
    hand(kind="refused", name="c", size=99)
    assert refused[-1] == ("c", 99)


def test_what_is_no_content_is_not_taken_for_one():
    """`bytes` of a number are as many zeros."""
    got, kept = [], []
    dropper = Dropper(most=10, may_keep=lambda size: kept.append(size) or "")
    dropper.param.watch(lambda e: e.new and got.append(e.new), "file")
    hand = Hand(dropper)
    for content in (9, [1, 2], "12345", None):
        hand(kind="piece", name="a", first=True, last=True, content=content)
    assert (got, [size for size in kept if size]) == ([], [])
    hand(kind="piece", name="a", first=True, last=True, content=memoryview(b"123"))
    assert got == [("a", b"123")]


def test_each_piece_is_asked_for_before_it_is_kept():
    kept, told, got = [], [], []

    def may_keep(size):
        kept.append(size)
        return "There is no room." if size > 6 else ""

    dropper = Dropper(most=10, may_keep=may_keep)
    dropper.param.watch(lambda e: e.new and told.append(e.new), "declined")
    dropper.param.watch(lambda e: e.new and got.append(e.new), "file")
    hand = Hand(dropper)
    for place in range(4):
        hand(kind="piece", name="a", first=place == 0, last=place == 3, content=b"123")
    assert kept == [3, 6, 9, 0]
    assert told == ["There is no room."]  # once: the rest of it is passed over
    assert got == []
    hand(kind="piece", name="b", first=True, last=False, content=b"123")
    hand(kind="piece", name="c", first=True, last=True, content=b"1234")
    assert kept[4:] == [3, 0, 4]
    assert got == [("c", b"1234")]


def test_pieces_of_a_file_that_goes_silent_are_let_go(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("trustscope.widgets.controls.dropper.time", SimpleNamespace(monotonic=lambda: now[0]))
    kept, told, got, looks = [], [], [], []
    left = set()
    page = SimpleNamespace(
        session_context=object(),
        add_timeout_callback=lambda look, after: looks.append(look),
        on_session_destroyed=left.add,
    )
    monkeypatch.setattr("trustscope.widgets.controls.dropper.pn", SimpleNamespace(state=SimpleNamespace(curdoc=page)))
    dropper = Dropper(may_keep=lambda size: kept.append(size) or "")
    dropper.param.watch(lambda e: e.new and told.append(e.new), "declined")
    dropper.param.watch(lambda e: e.new and got.append(e.new), "file")
    hand = Hand(dropper)
    hand(kind="piece", name="a", first=True, last=False, content=b"123")
    now[0] = QUIET - 1  # a slow line
    hand(kind="piece", name="a", first=False, last=False, content=b"456")
    now[0] = QUIET + 1
    looks.pop()()
    assert (kept, len(looks)) == ([3, 6], 1)
    now[0] = 2 * QUIET
    looks.pop()()
    assert (kept, looks) == ([3, 6, 0], [])
    hand(kind="piece", name="a", first=False, last=False, content=b"789")
    hand(kind="piece", name="a", first=False, last=True, content=b"end")
    hand(kind="piece", name="a", first=True, last=True, content=b"again")
    looks.pop()()
    assert [sentence.rpartition("; ")[2] for sentence in told] == ["drop it again."]
    hand(kind="piece", name="b", first=True, last=False, content=b"123")
    for leave in left:
        leave(None)
    assert (len(left), kept[-2:]) == (1, [3, 0])
    assert got == [("a", b"again")]


def test_what_is_put_is_told_once_and_only_where_it_differs():
    slider, told = Slider(label="Number", start=0, end=10, step=1, value=5), []
    slider.param.watch(told.append, ["start", "end"])
    slider.param.watch(lambda *events: told.append([event.name for event in events]), ["start", "end", "step"])
    slider.put(start=0, end=20, step=2)
    assert (slider.start, slider.end, slider.step) == (0, 20, 2)
    assert [one if isinstance(one, list) else one.name for one in told] == ["end", ["end", "step"]]
    slider.put(start=0, end=20)
    assert len(told) == 2


def test_only_changed_lines_are_sent():
    curves = Lines("test")
    sent = []
    curves.sources["lines"].on_change("data", lambda attr, old, new: sent.append("all"))
    x = [0, 1, 2]
    curves.draw([PlotLine("a", "red", x, [1, 2, 3]), PlotLine("b", "blue", x, [3, 2, 1])], x_range=(0, 2), y_top=3)
    assert sent == ["all"]
    document = Document()
    document.add_root(curves.figure)
    events = []
    document.on_change(lambda event: events.append(event))
    curves.draw([PlotLine("a", "red", x, [1, 2, 4]), PlotLine("b", "blue", x, [3, 2, 1])], x_range=(0, 2), y_top=3)
    patches = [e.patches for e in events if hasattr(e, "patches")]
    assert patches == [{"ys": [(0, [1.0, 2.0, 4.0])]}]
    assert curves.sources["lines"].data["ys"] == [[1.0, 2.0, 4.0], [3.0, 2.0, 1.0]]


def test_two_pages_share_no_model():
    """A Bokeh model belongs to one page: a shared one goes missing in the second."""
    first, second = Lines("a"), Lines("b")
    assert not set(first.figure.references()) & set(second.figure.references())


def test_recipient_colours_differ():
    assert len(set(colours.RECIPIENTS)) == 12
    assert colours.recipient(12) == colours.recipient(0)


def test_what_was_understood_of_a_column_is_corrected():
    kinds = ["number", "category", "identifier", "leave out"]
    row = {"name": "a", "usable": True, "chosen": True, "kind": "number", "choices": kinds, "codes": "", "unit": ""}
    columns = Columns(rows=[row, row | {"name": "b"}])
    hand = Hand(columns)
    hand(kind="type", place=0, value="identifier")
    assert (columns.rows[0]["kind"], columns.rows[0]["usable"], columns.rows[0]["chosen"]) == (
        "identifier",
        True,
        False,
    )
    hand(kind="type", place=0, value="leave out")
    assert not columns.rows[0]["usable"]
    hand(kind="type", place=1, value="nonsense")
    hand(kind="colour", place=1, value="red")
    assert columns.rows[1]["kind"] == "number"
    hand(kind="codes", place=1, value="-9" * 500)
    assert len(columns.rows[1]["codes"]) == 200
    hand(kind="all", names=["a", "b"], value=False)
    assert [one["chosen"] for one in columns.rows] == [False, False]
    hand(kind="all", names=["a", "b"], value=True)
    assert [one["chosen"] for one in columns.rows] == [False, True]  # what is left out is not taken in again
