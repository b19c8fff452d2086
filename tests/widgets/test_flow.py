"""How controls send, and how numbers are written, in a browser, against a model that only records."""

import pytest

from tests.widgets.conftest import START, sent
from trustscope.widgets.esm import module

pytestmark = pytest.mark.browser


# flow.js


def test_messages_wait_until_the_page_stands(start):
    """What the server would answer before that is lost."""
    page = start("flow.js", exports=["makeFlow"])
    page.evaluate("""() => {
      const heard = new Set()
      const idle = {connect: (act) => heard.add(act), disconnect: (act) => heard.delete(act)}
      model.document = {is_idle: false, idle}
      window.stand = () => { model.document.is_idle = true; for (const act of [...heard]) act(); return heard.size }
      window.send = script.makeFlow(model)
      send("a", {value: 1})
      send("a", {value: 2})
      send("b", {value: 3})
    }""")
    assert sent(page) == []
    assert page.evaluate("stand()") == 0  # nobody listens any more
    assert sent(page) == [{"value": 2}]
    page.evaluate("model.answer()")
    assert sent(page) == [{"value": 2}, {"value": 3}]


def test_one_message_under_way_and_only_the_newest_of_each_kind_waits(start):
    page = start("flow.js", exports=["makeFlow"])
    page.evaluate("() => { window.rested = 0; window.send = script.makeFlow(model, () => { rested += 1 }) }")
    page.evaluate("for (const value of [1, 2, 3]) send('a', {value}); send('b', {value: 9}); send('a', {value: 4})")
    assert sent(page) == [{"value": 1}]
    page.evaluate("model.answer()")
    page.evaluate("model.answer()")
    assert sent(page) == [{"value": 1}, {"value": 9}, {"value": 4}]  # what was sent again last waits longest
    assert page.evaluate("rested") == 0
    page.evaluate("model.answer()")
    assert page.evaluate("rested") == 1
    assert page.evaluate("model.sent.map((one) => one.n)") == [1, 2, 3]


def test_what_waits_in_one_control_goes_before_what_another_sends(start):
    page = start("flow.js", exports=["makeFlow"])
    page.evaluate("""() => {
      const order = (window.order = [])
      const other = {ack: 0, on() {}, send_msg: ({value}) => order.push(value)}
      const post = model.send_msg.bind(model)
      model.send_msg = (data) => { order.push(data.value); post(data) }
      window.draw = script.makeFlow(model)
      window.press = script.makeFlow(other)
    }""")
    page.evaluate("for (const value of ['first', 'second', 'last']) draw('a', {value}); draw('b', {value: 'more'})")
    assert page.evaluate("order") == ["first"]
    page.evaluate("press('click', {value: 'pressed'})")
    assert page.evaluate("order") == ["first", "last", "more", "pressed"]
    assert page.evaluate("model.sent.map((one) => one.n)") == [1, 2, 3]
    page.evaluate("draw('a', {value: 'afterwards'})")
    assert page.evaluate("order").count("afterwards") == 0  # one message is still under way
    page.evaluate("model.answer()")
    assert page.evaluate("order.at(-1)") == "afterwards"


def test_an_answer_that_is_lost_does_not_freeze_the_control(browser):
    context = browser.new_context()
    page = context.new_page()
    page.clock.install()
    page.goto("about:blank")
    page.evaluate(START, [module("flow.js") + "\nexport { makeFlow }", {"ack": 7}, "", "600px"])
    page.evaluate("window.send = script.makeFlow(model); send('a', {value: 1}); send('a', {value: 2})")
    assert page.evaluate("model.sent.map((one) => one.n)") == [8]  # counts on from where the model stands
    page.clock.fast_forward(3_900)
    assert page.evaluate("send.resting()") is False
    page.clock.fast_forward(200)
    assert page.evaluate("model.sent.map((one) => [one.n, one.value])") == [[8, 1], [8, 1]]  # the same once more
    page.clock.fast_forward(4_100)
    assert page.evaluate("model.sent.slice(2).map((one) => [one.n, one.value])") == [[9, 2]]
    # Nor does a page that never says that it has been put together.
    page.evaluate("""() => {
      model.answer()
      model.document = {is_idle: false, idle: {connect() {}, disconnect() {}}}
      send("a", {value: 3})
    }""")
    assert page.evaluate("model.sent.length") == 3
    page.clock.fast_forward(4_100)
    assert page.evaluate("model.sent.at(-1).value") == 3
    context.close()


def test_a_control_that_is_shown_twice_counts_from_both_places(start):
    page = start("flow.js", exports=["makeFlow"], ack=3)
    page.evaluate("() => { window.here = script.makeFlow(model); window.there = script.makeFlow(model) }")
    page.evaluate("here('a', {value: 1}); model.answer(); there('a', {value: 2})")
    assert page.evaluate("model.sent.map((one) => one.n)") == [4, 5]


def test_an_old_answer_frees_nothing(start):
    page = start("flow.js", exports=["makeFlow"], ack=3)
    page.evaluate("window.send = script.makeFlow(model); send('a', {value: 1}); send('a', {value: 2})")
    page.evaluate("model.change({ack: 3})")
    assert len(sent(page)) == 1


# ticks.js


@pytest.mark.parametrize(
    ("tick", "ticks", "text"),
    [
        (50_000, [0, 50_000, 100_000], "50\u202f000"),
        (0, [0, 50_000], "0"),
        (-20, [-20, 0, 20], "−20"),
        (0.05, [0, 0.05, 0.1], "0.05"),
        (0.1 + 0.2, [0.3], "0.3"),
        (1_500_000, [0, 500_000, 1_000_000, 1_500_000], "1.5\u202fM"),
        (500_000, [0, 500_000, 1_500_000], "0.5\u202fM"),
        (999_999, [999_999], "999\u202f999"),
        (2e9, [2e9], "2\u202fbn"),
        (2e-7, [2e-7], "2\u202f·\u202f10⁻⁷"),
        (1e13, [1e13], "10¹³"),
        (0.0001, [0.0001, 1], "0.0001"),
    ],
)
def test_numbers_on_axes_are_written_one_way(start, tick, ticks, text):
    page = start("ticks.js", exports=["writeNumber"])
    assert page.evaluate("([tick, ticks]) => script.writeNumber(tick, ticks)", [tick, ticks]) == text
