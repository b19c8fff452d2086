"""The drop-down keeps a value that is offered, whatever is offered next."""

from tests.messages import deliver
from trustscope.widgets.controls.dropdown import Dropdown


def test_its_value_is_always_offered():
    box = Dropdown(label="Which", options=["a", "b", "c"], value="b")
    assert (box.value, box.place, box.entries) == ("b", 1, ["a", "b", "c"])
    box.options = ["c", "b"]
    assert (box.value, box.place) == ("b", 1)
    box.options = ["x", "y"]
    assert (box.value, box.place) == ("x", 0)
    box.param.update(options={"one": 1, "two": 2}, value=2)
    assert (box.value, box.place, box.entries) == (2, 1, ["one", "two"])


def test_a_hand_chooses_only_what_is_there():
    box = Dropdown(options={"one": 1, "two": 2}, value=1)
    deliver(box, {"place": 1, "n": 1})
    assert (box.value, box.ack) == (2, 1)
    for n, place in enumerate((-1, 7), 2):
        deliver(box, {"place": place, "n": n})
        assert (box.value, box.ack) == (2, n)
    box.disabled = True
    deliver(box, {"place": 0, "n": 4})
    assert box.value == 2
