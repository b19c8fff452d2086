"""The scripts of controls that a person moves, in a browser, against a model that only records."""

import pytest

from tests.waiting import expect
from tests.widgets.conftest import sent
from trustscope.widgets.controls.dropper import QUIET
from trustscope.widgets.lessons.conduct import Conduct
from trustscope.widgets.lessons.editor import Editor

pytestmark = pytest.mark.browser


# slider.js


SLIDER = {
    "label": "Trust", "label_shown": True, "start": 0, "end": 100, "step": 1, "value": 50, "readout": "50 %", "tip": "",
    "disabled": False, "stops": [], "scale": 1, "typed": True,
}  # fmt: skip


def test_a_slider_that_is_held_is_not_moved_by_the_server(start):
    page = start("flow.js", "slider.js", **SLIDER)
    slider = page.get_by_role("slider", name="Trust")
    move = "(node, value) => { node.value = value; node.dispatchEvent(new Event('input')) }"
    slider.dispatch_event("pointerdown")
    slider.evaluate(move, 60)
    page.evaluate("model.change({value: 58, readout: '58 %'})")
    assert slider.input_value() == "60"
    assert sent(page) == [{"value": 60, "done": False}]
    slider.dispatch_event("pointerup")
    page.evaluate("model.answer()")
    page.wait_for_function("model.sent.length === 2")
    assert sent(page)[-1] == {"value": 60, "done": True}
    page.evaluate("model.change({value: 55}); model.answer()")  # the server held it to 55
    assert slider.input_value() == "55"


def test_a_slider_moved_by_keys_is_done_when_they_rest(start):
    page = start("flow.js", "slider.js", **SLIDER)
    page.get_by_role("slider", name="Trust").press("ArrowRight")
    page.evaluate("model.answer()")
    page.wait_for_function("model.sent.length === 2")
    assert sent(page) == [{"value": 51, "done": False}, {"value": 51, "done": True}]


def test_a_slider_moved_by_keys_is_done_before_another_control_sends(start):
    page = start("flow.js", "slider.js", exports=["makeFlow"], **SLIDER)
    slider = page.get_by_role("slider", name="Trust")
    # While the first message is under way, and with nothing under way; in one task, so that no timer can run between.
    act = """(node, [value, answered]) => {
      window.order = []
      const own = model // a message without an answer comes again after seconds, when the page may have another model
      own.send_msg = (data) => { window.order.push(data.done); own.sent.push(data) }
      const other = {ack: 0, on() {}, send_msg: () => window.order.push("other")}
      node.value = value
      node.dispatchEvent(new Event("input"))
      if (answered) model.answer()
      script.makeFlow(other)("press", {})
      return window.order
    }"""
    assert slider.evaluate(act, [51, False]) == [False, True, "other"]
    page.evaluate("model.answer()")
    assert slider.evaluate(act, [52, True]) == [False, True, "other"]
    page.evaluate("model.answer()")


# choice.js


def test_a_choice_that_is_refused_gives_way(start):
    options = [["a", "A", ""], ["b", "B", ""]]
    page = start("flow.js", "choice.js", label="Which", label_shown=False, options=options, value="a", many=False,
                 disabled=[])  # fmt: skip
    page.get_by_role("radio", name="B").check()
    assert sent(page) == [{"value": ["b"]}]
    page.evaluate("model.fire('value')")  # still under way: the person's click stands
    assert page.get_by_role("radio", name="B").is_checked()
    page.evaluate("model.answer()")
    assert page.get_by_role("radio", name="A").is_checked()


# recipients.js


ROWS = [
    {"id": 0, "name": "Ministry", "trust": 50, "member": True, "colour": "#0e7fc0", "detail": ""},
    {"id": 1, "name": "Press", "trust": 20, "member": False, "colour": "#e69f00", "detail": ""},
]
RECIPIENTS = {"rows": ROWS, "start": 1, "end": 100, "noun": "Trust", "least": 2, "most": 3}


def test_a_name_that_is_being_typed_is_left_alone(start):
    page = start("flow.js", "recipients.js", **RECIPIENTS)
    name = page.get_by_label("Name of recipient 2")
    name.fill("Pres")
    page.evaluate("(rows) => model.change({rows})", [ROWS[0], {**ROWS[1], "name": "Other"}])
    assert name.input_value() == "Pres"
    name.press("Enter")
    assert sent(page) == [{"kind": "name", "id": 1, "value": "Pres"}]


def test_recipients_are_added_and_removed_within_their_bounds(start):
    page = start("flow.js", "recipients.js", **RECIPIENTS)
    assert page.get_by_role("button", name="Remove Press").is_hidden()
    page.get_by_role("button", name="add a recipient").click()
    assert sent(page) == [{"kind": "add"}]
    third = {"id": 2, "name": "Bank", "trust": 30, "member": True, "colour": "#009e73", "detail": ""}
    page.evaluate("(rows) => { model.change({rows}); model.answer() }", [*ROWS, third])
    assert page.get_by_role("button", name="3 recipients are the most").is_disabled()
    page.evaluate("(rows) => model.change({rows})", [ROWS[1], third])
    order = page.locator("input.who").evaluate_all("(all) => all.map((one) => one.value)")
    assert order == ["Press", "Bank"]


def test_the_focus_stays_near_a_recipient_that_is_removed(start):
    third = {"id": 2, "name": "Bank", "trust": 30, "member": True, "colour": "#009e73", "detail": ""}
    page = start("flow.js", "recipients.js", **{**RECIPIENTS, "rows": [*ROWS, third]})
    page.get_by_role("button", name="Remove Press").press("Enter")
    assert sent(page) == [{"kind": "remove", "id": 1}]
    page.evaluate("(rows) => { model.change({rows}); model.answer() }", [ROWS[0], third])
    expect(page.get_by_role("button", name="add a recipient")).to_be_focused()


# targets.js


TEXTS = {"item": "requirement", "answers": "Answers", "first": "say what", "more": "and also", "apply": "Apply"}
REQUIREMENT = {"line": "At most 30 %", "problem": "", "fields": [{"name": "limit", "label": "At most", "value": "30"}]}
MEAN = {"line": "A mean", "problem": "", "fields": [{"name": "mean", "label": "Within", "value": "1"}]}
TARGETS = {"texts": TEXTS, "rows": [REQUIREMENT, MEAN], "kinds": [["mean", "a mean"]], "most": 2, "note": "",
           "answers": [{"key": "nested", "title": "Nested noise", "text": "Everybody 38 %", "can": True}]}  # fmt: skip


def test_the_focus_stays_near_a_requirement_that_is_removed_and_an_answer_that_is_applied(start):
    page = start("flow.js", "targets.js", **TARGETS)
    add = page.get_by_role("combobox", name="Add a requirement")
    page.get_by_role("button", name="Remove requirement 2").press("Enter")
    page.evaluate("(rows) => { model.change({rows}); model.answer() }", [REQUIREMENT])
    expect(add).to_be_focused()
    apply = page.get_by_role("button", name="Apply: Nested noise")
    apply.focus()
    page.evaluate("(answers) => model.change({answers})", TARGETS["answers"])
    expect(apply).to_be_focused()
    apply.press("Enter")
    stands = {"key": "nested", "title": "Nested noise", "text": "Everybody 38 %", "stands": True}
    page.evaluate("(answers) => { model.change({answers}); model.answer() }", [stands])
    expect(add).to_be_focused()


# dropper.js


DROPPER = {"label": "Drop a file", "accept": ".csv", "most": 10, "piece": 4}
DROP = "(text) => { const input = document.querySelector('input[type=file]'); const data = new DataTransfer(); "
DROP += (
    "data.items.add(new File([text], 'a.csv')); input.files = data.files; input.dispatchEvent(new Event('change')) }"
)


def test_a_file_goes_piece_by_piece(start):
    page = start("flow.js", "dropper.js", **DROPPER)
    page.evaluate(DROP, "abcdefghi")
    for count in (1, 2, 3):
        page.wait_for_function("(count) => model.sent.length === count", arg=count)
        page.evaluate("model.answer()")
    page.wait_for_function("!document.querySelector('input').disabled")
    pieces = page.evaluate(
        "model.sent.map((one) => [one.kind, one.first, one.last, new TextDecoder().decode(one.content)])"
    )
    assert pieces == [
        ["piece", True, False, "abcd"],
        ["piece", False, False, "efgh"],
        ["piece", False, True, "i"],
    ]
    assert page.evaluate("model.listeners.ack.length") == 0


@pytest.mark.parametrize("speed", [5_000, 60_000, 1_000_000, 100_000_000], ids=lambda speed: f"{speed} bytes a second")
def test_pieces_are_as_large_as_go_within_some_seconds(start, speed):
    page = start("flow.js", "dropper.js", exports=["following"], **DROPPER)
    walk = """([speed, largest]) => {
      const sizes = [250_000]
      for (let n = 0; n < 20; n++) sizes.push(script.following(sizes.at(-1), 1_000 * sizes.at(-1) / speed, largest))
      return sizes
    }"""
    first, *_, last = page.evaluate(walk, [speed, 4_000_000])
    assert first / speed < QUIET  # else the server would take the line to be dead before the second piece
    assert last == 4_000_000 if speed > 4_000_000 else 0.5 <= last / speed <= 5


def test_a_file_that_is_too_large_is_not_sent(start):
    page = start("flow.js", "dropper.js", **DROPPER)
    page.evaluate(DROP, "abcdefghijk")
    page.wait_for_function("model.sent.length === 1")
    assert sent(page) == [{"kind": "refused", "name": "a.csv", "size": 11}]


def test_a_drop_zone_takes_its_listeners_away(blank, start):
    blank.evaluate(
        """() => {
          window.heard = []
          const [add, remove] = [window.addEventListener, window.removeEventListener]
          window.addEventListener = (kind, act) => { heard.push([kind, act]); add.call(window, kind, act) }
          window.removeEventListener = (kind, act) => {
            heard = heard.filter(([k, a]) => k !== kind || a !== act)
            remove.call(window, kind, act)
          }
        }"""
    )
    for _ in range(3):
        start("flow.js", "dropper.js", **DROPPER)
        assert blank.evaluate("heard.map(([kind]) => kind).sort()") == ["dragover", "drop"]
        prevented = "!window.dispatchEvent(new Event('drop', {cancelable: true}))"
        assert blank.evaluate(prevented)
        blank.evaluate("model.fire('remove')")
        assert blank.evaluate("heard") == []
        assert not blank.evaluate(prevented)


def test_a_long_list_of_pills_ends_within_a_row(start):
    options = [(str(n), f"Attribute number {n}", "") for n in range(30)]
    choice = dict(
        label="Attributes", label_shown=True, joined=False, many=True, options=options, value=["1"], disabled=[]
    )
    page = start("flow.js", "choice.js", styles=("controls.css",), width="300px", **choice)
    cut = """() => {
      const end = document.querySelector(".pills").getBoundingClientRect().bottom
      return [...document.querySelectorAll(".pill span")].map((one) => one.getBoundingClientRect())
        .filter((one) => one.top + 8 < end && end < one.bottom - 8).length
    }"""
    assert page.evaluate(cut)


# task.js


TASK = {
    "label": "The copy", "text": "", "fraction": 0, "running": False, "disabled": False, "start_text": "Make the copy",
    "stop_text": "Cancel", "primary": False, "bare": False, "away": False,
}  # fmt: skip


def test_a_task_that_cannot_be_started_again_keeps_the_focus_and_does_nothing(start):
    page = start("flow.js", "task.js", **TASK)
    button, progress = page.get_by_role("button"), page.get_by_role("progressbar", name="The copy")
    button.press("Enter")
    page.evaluate("model.answer()")
    assert sent(page) == [{"what": "start"}]
    page.evaluate("model.change({running: true, text: 'Making it'})")
    expect(progress).to_be_visible()
    page.evaluate("model.change({running: false, disabled: true, text: 'It is out.'})")
    expect(button).to_be_focused()
    expect(button).to_be_disabled()
    expect(page.get_by_role("status")).to_have_text("It is out.")
    button.press("Enter")
    assert len(sent(page)) == 1
    page.evaluate("model.change({disabled: false})")
    button.press("Enter")
    assert len(sent(page)) == 2


def test_a_task_goes_out_of_sight_when_the_focus_is_elsewhere(start):
    page = start("flow.js", "task.js", styles=("controls.css",), **TASK | {"running": True})
    button = page.get_by_role("button")
    button.focus()
    page.evaluate("model.change({running: false, away: true, text: 'All is measured.'})")
    expect(button).to_be_focused()
    expect(button).to_be_disabled()
    expect(page.get_by_role("status")).to_have_text("All is measured.")
    page.keyboard.press("Tab")
    expect(button).to_be_hidden()
    page.evaluate("model.change({running: true, away: false})")
    expect(button).to_be_visible()
    page.evaluate("model.change({running: false, away: true})")  # the focus is elsewhere: it goes at once
    expect(button).to_be_hidden()


def test_whoever_fills_a_list_of_requirements_keeps_the_place(start):
    page = start("flow.js", "targets.js", **TARGETS | {"rows": [REQUIREMENT]})
    add = page.get_by_role("combobox", name="Add a requirement")
    add.focus()
    add.select_option("mean")
    page.evaluate("(rows) => { model.change({rows}); model.answer() }", [REQUIREMENT, MEAN])
    expect(add).to_be_focused()
    assert add.locator("option").all_inner_texts() == ["no more than 2"]
    page.evaluate("(rows) => model.change({rows})", [MEAN])
    expect(add.locator("option")).to_have_text(["and also", "a mean"])


def test_a_task_is_announced_when_it_begins_and_when_it_ends(start):
    page = start("flow.js", "task.js", **TASK)
    said = page.get_by_role("status")
    page.evaluate("model.change({running: true, text: 'Measuring'})")
    expect(said).to_have_attribute("aria-live", "polite")
    page.evaluate("model.change({fraction: 0.1, text: '1 of 10'})")
    expect(said).to_have_attribute("aria-live", "off")
    page.evaluate("model.change({running: false, text: 'All is measured.'})")
    expect(said).to_have_attribute("aria-live", "polite")


def test_what_is_brought_back_last_leaves_the_focus_where_it_is(start):
    usual = {name: one.default for name, one in Editor.param.objects("existing").items() if name in vars(Editor)}
    page = start(*Editor._esm.names, **usual | {"before": {"title": "The one before", "steps": []}})
    back = page.get_by_role("button", name="Bring back")
    back.press("Enter")
    expect(page.get_by_label("Title", exact=True)).to_have_value("The one before")
    expect(back).to_be_focused()
    expect(back).to_be_disabled()


def test_a_teacher_at_the_last_step_keeps_the_place(start):
    usual = {name: one.default for name, one in Conduct.param.objects("existing").items() if name in vars(Conduct)}
    page = start(*Conduct._esm.names, **usual | {"open": True, "begun": True, "next_title": "The end", "place": 3})
    following = page.get_by_role("button", name="Next")
    following.press("Enter")
    page.evaluate("model.answer()")
    page.evaluate("model.change({next_title: '', place: 4})")
    expect(following).to_be_focused()
    expect(following).to_be_disabled()
    following.press("Enter")
    assert sent(page) == [{"kind": "next", "number": 3}]
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Back")).to_be_focused()
