"""The scripts of headlines, tabs, tables and questions, in a browser, against a model that only records."""

import re

import pytest

from tests.axe import violations
from tests.widgets.conftest import sent

pytestmark = pytest.mark.browser


# headline.js


def test_a_headline_touches_only_what_changed(start):
    said = {
        "title": "They learn more.",
        "before": "33 %",
        "after": "51 %",
        "label": "guessed",
        "note": "",
        "tone": "leak",
    }
    page = start("flow.js", "headline.js", said=said)
    page.evaluate(
        """() => {
          window.seen = []
          const names = (all) => all.filter((one) => one.type === "childList").map((one) => one.target.className)
          new MutationObserver((all) => seen.push(...names(all)))
            .observe(document.querySelector("section"), {subtree: true, childList: true})
          // It lasts for less than a slow machine may take to ask for it.
          window.busy = []
          new MutationObserver(() => busy.push(document.querySelector("section").getAttribute("aria-busy")))
            .observe(document.querySelector("section"), {attributeFilter: ["aria-busy"]})
        }"""
    )
    page.evaluate("(said) => model.change({said})", said)
    page.evaluate("(said) => model.change({said})", {**said, "after": "52 %"})
    page.wait_for_function("seen.length > 0")
    assert page.evaluate("seen") == ["after"]
    region = page.get_by_role("region", name="Verdict")
    assert region.get_attribute("aria-live") == "polite"
    page.wait_for_function("busy.includes('true')")  # it speaks when the change has come to rest
    page.wait_for_function("!document.querySelector('section').hasAttribute('aria-busy')")


def test_a_headline_says_why_when_asked(start):
    page = start("flow.js", "headline.js", said={"title": "They learn more.", "note": "", "why": "Copies add up."})
    ask, told = page.get_by_role("button", name="Why?"), page.get_by_text("Copies add up.")
    assert ask.get_attribute("aria-expanded") == "false"
    assert not told.is_visible()
    ask.focus()
    page.keyboard.press("Enter")
    assert told.is_visible()
    assert ask.get_attribute("aria-expanded") == "true"
    page.evaluate("() => model.change({said: {title: 'They learn.', note: 'A note.', why: 'Another reason.'}})")
    assert page.get_by_text("Another reason.").is_visible()  # it stays open, and follows
    page.keyboard.press("Escape")
    assert not page.get_by_text("Another reason.").is_visible()
    page.evaluate("() => model.change({said: {title: 'They learn.', note: '', why: ''}})")
    assert not ask.is_visible()


def test_a_brief_headline_leaves_out_the_second_line_and_why(start):
    """As in a lesson; a sentence without a number says what is wrong, so that its second line always stands."""
    said = {"title": "They learn more.", "after": "51 %", "note": "By six attackers.", "why": "Copies add up."}
    page = start("flow.js", "headline.js", said=said)
    more = (page.get_by_text("By six attackers."), page.get_by_role("button", name="Why?"))
    assert all(one.is_visible() for one in more)
    page.evaluate("model.change({brief: true})")
    assert not any(one.is_visible() for one in more)
    assert page.get_by_role("heading", name="They learn more.").is_visible()
    assert page.get_by_text("51 %").is_visible()
    page.evaluate("(said) => model.change({said})", {"title": "No data.", "note": "Choose others.", "why": ""})
    assert page.get_by_text("Choose others.").is_visible()


# fold.js and closer.js


def test_a_fold_by_keyboard(start):
    page = start("flow.js", "fold.js", label="Data", label_shown=True, line="Census", opened=False)
    button = page.get_by_role("button", name="change Data")
    assert button.get_attribute("aria-expanded") == "false"
    button.press("Enter")
    assert sent(page) == [{"opened": True}]
    page.evaluate("model.opened = true; model.fire('opened'); model.answer()")
    page.locator("input[name=body]").press("Escape")
    assert sent(page)[-1] == {"opened": False}
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"  # where it was opened


CLOSER = {
    "in_view": True,
    "label": "Look closer", "titles": [["a", "First"], ["b", "Second"], ["c", "Third"]],
    "expert_titles": [["x", "Spectrum"], ["y", "Chord"]], "opened": "a", "tabs_shown": True,
}  # fmt: skip


def test_tabs_by_keyboard(start):
    page = start("flow.js", "closer.js", **CLOSER)
    first = page.get_by_role("tab", name="First")
    first.focus()
    first.press("ArrowLeft")
    assert page.get_by_role("tab", name="Third").evaluate("(tab) => tab === document.activeElement")
    assert sent(page) == [{"opened": "c"}]
    page.evaluate("model.change({opened: 'c'}); model.answer()")
    selected = (
        "[...document.querySelectorAll('[role=tab]')].filter((tab) => tab.tabIndex === 0).map((tab) => tab.textContent)"
    )
    assert page.evaluate(selected) == ["Third", "Spectrum"]  # one stop for each row
    assert page.get_by_role("tabpanel", name="Third").is_visible()


def test_the_row_for_experts_unfolds_and_stays_while_one_of_them_is_open(start):
    page = start("flow.js", "closer.js", **CLOSER)
    more = page.get_by_role("button", name="For experts")
    assert page.get_by_role("tab", name="Chord").is_hidden()
    more.click()
    assert more.get_attribute("aria-expanded") == "true"
    page.get_by_role("tab", name="Chord").click()
    page.evaluate("model.change({opened: 'y'}); model.answer()")
    more.click()  # folds it up: what is open must be one that can be seen
    assert sent(page)[-1] == {"opened": "a"}
    page.evaluate("model.change({opened: 'a'}); model.answer()")
    assert page.get_by_role("tab", name="Chord").is_hidden()


# pooling.js


def pooling(count=3, **more):
    masks = [2**size - 1 for size in range(1, count + 1)]
    values = [0.3 + 0.1 * i for i in range(count)] + [0.3] * count
    return {
        "frame": {"seats": [{"name": f"R{i}", "colour": "#0e7fc0"} for i in range(count)], "masks": masks,
                  "names": [f"row {m}" for m in masks], "series": [["independent", "#d9541e"], ["nested", "#12809c"]],
                  "baseline": "24 % without any copy"},
        "values": values, "texts": [f"{100 * v:.0f} %" for v in values], "ghost": [], "expected": [], "top": 1.0,
        "chosen": masks[-1],
        "baseline": 0.24, "scale": [[0, "0 %"], [0.5, "50 %"], [1, "100 %"]], "label": "As more pool", "tall": 300,
        "plot_id": "p",
    } | more  # fmt: skip


def test_pooling_is_a_table_with_one_scale(start):
    page = start("flow.js", "pooling.js", styles=["controls.css", "pooling.css"], **pooling())
    table = page.get_by_role("table", name="As more pool")
    assert table.get_by_role("row", name="row 7").get_by_role("cell").all_inner_texts() == ["50 %", "30 %"]
    widths = page.locator(".fill").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
    track = page.locator(".track").first.bounding_box()
    assert [round(w / track["width"], 3) for w in widths] == pytest.approx([0.3, 0.3, 0.4, 0.3, 0.5, 0.3], abs=0.005)
    base = page.locator(".base").bounding_box()
    assert base["x"] + 1 == pytest.approx(track["x"] + 0.24 * track["width"], abs=1)
    assert page.locator("tr.chosen").count() == 1
    page.evaluate("model.change({ghost: [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]})")
    assert page.locator(".kept:visible").count() == 6


def test_rows_and_values_that_arrive_one_after_the_other_do_not_mix(start):
    page = start("flow.js", "pooling.js", styles=["controls.css", "pooling.css"], **pooling())
    other = pooling(5)
    page.evaluate("(frame) => model.change({frame})", other["frame"])
    assert page.locator("tbody tr").count() == 5
    assert page.locator(".value").first.text_content() == ""  # no text of another row
    page.evaluate("(values) => model.change(values)", {k: other[k] for k in ("values", "texts")})
    assert page.locator(".value").all_inner_texts()[-2:] == ["70 %", "30 %"]


def test_people_of_a_kind_that_is_gone_wait_for_those_who_follow(start):
    """Kinds and people arrive one after the other: a script that fails in between stops the whole page."""
    frame = {"questions": ["water"], "answers": [["Y", "N"]], "kinds": [["few", "#111"], ["many", "#222"]]}
    page = start("flow.js", "arrivals.js", frame=frame, people=[[7, 1, "follows 9", [0], [1]]], label="Arrivals")
    cell = page.get_by_role("cell")
    assert cell.get_attribute("title") == "water: Y; sent: N"
    page.evaluate("(frame) => model.change({frame})", {**frame, "kinds": [["all", "#333"]]})
    page.evaluate("(people) => model.change({people})", [[8, 0, "follows 2", [1], [1]]])
    assert cell.get_attribute("title") == "water: N; sent: the truth"


def test_many_rows_scroll_within_their_place(start):
    page = start("flow.js", "pooling.js", styles=["controls.css", "pooling.css"], **pooling(16))
    region = page.get_by_role("region", name="As more pool")
    assert region.bounding_box()["height"] <= 300
    assert region.evaluate("(node) => node.scrollHeight > node.clientHeight")
    assert region.get_attribute("tabindex") == "0"  # keys can scroll it


# gallery.js, bars.js, heat.js: tables and tiles that a screen reader can tell apart


def test_a_tile_is_called_what_is_written_on_it(start):
    tile = {"id": "a", "group": "Li", "title": "Alice and Bob", "note": "Table 1", "verdict": "agrees", "tone": "good"}
    page = start("flow.js", "gallery.js", styles=["controls.css", "gallery.css"], groups=[["Li", "2012"]],
                 tiles=[tile | {"picture": "<svg><text>0.5</text></svg>"}], shown=["a"])  # fmt: skip
    button = page.get_by_role("button", name=re.compile(r"^Alice and Bob ?: ?agrees ?\. ?Table 1$"))
    button.click()
    assert sent(page) == [{"id": "a"}]
    assert violations(page, without=["region", "page-has-heading-one", "heading-order"], within="body > div") == []


def test_every_column_of_a_table_has_a_heading(start):
    page = start("flow.js", "bars.js", styles=["controls.css", "bars.css"], label="Shares", tallest=0, row=20, top=1,
                 frame={"labels": ["HIV"], "marks": [["as it was", "bar", "#888888"]]}, values=[[0.5]], texts=["50 %"],
                 flagged=[], ghost=[])  # fmt: skip
    assert page.get_by_role("columnheader").all_text_contents() == ["row", "as it was", "in words"]
    page = start("flow.js", "heat.js", styles=["controls.css", "heat.css"], label="Weights", tallest=300, limit=0.5,
                 frame={"rows": ["q"], "bar": "heaviest"}, columns=[["1", ["#888888"]]], values=[[0.5]],
                 bars=[[0.4, False]], ghost=[])  # fmt: skip
    assert page.get_by_role("columnheader").all_text_contents() == ["question", "1", "heaviest"]


# ranking.js, sketch.js

THINGS = [["a", "Apple"], ["b", "Bread"], ["c", "Cheese"], ["d", "Dates"]]
RANKING = {"options": THINGS, "value": None, "truth": None, "label": "Order them", "first": "most", "last": "least"}


def order(page):
    return [text[0].lower() for text in page.locator(".ranks li span").all_inner_texts()]


def test_things_are_put_in_order_by_dragging(start):
    page = start("flow.js", "ranking.js", styles=["controls.css", "predictions.css"], **RANKING)
    grips = page.locator(".grip")
    places = [grip.bounding_box() for grip in grips.all()]
    x, heights = places[0]["x"] + 8, [box["y"] + box["height"] / 2 for box in places]
    page.mouse.move(x, heights[0])
    page.mouse.down()
    for height in (heights[1] + 2, heights[2] + 2):
        page.mouse.move(x, height, steps=6)
    assert order(page) == ["b", "c", "a", "d"]
    assert sent(page) == []  # before it is let go nothing is said
    page.mouse.up()
    assert sent(page) == [{"value": ["b", "c", "a", "d"]}]
    assert page.get_by_role("status").inner_text() == "Apple is number 3 now"
    page.evaluate("model.answer(); model.change({value: ['b', 'c', 'a', 'd']})")
    page.mouse.move(x, heights[3])
    page.mouse.down()
    page.mouse.move(x, heights[0] - 30, steps=12)
    page.mouse.up()
    assert order(page) == ["d", "b", "c", "a"]
    page.get_by_role("button", name="Lower: Dates").press("Enter")  # the way without dragging
    assert order(page) == ["b", "d", "c", "a"]


SKETCH = {
    "places": [0, 3, 6], "value": None, "truth": None, "label": "Draw it", "x_label": "people", "y_label": "found",
    "x_span": [-1, 9], "x_ticks": [0, 4, 8], "y_start": 0, "y_end": 0.5, "y_ticks": [0, 0.25, 0.5], "share": True,
}  # fmt: skip


def test_a_curve_is_drawn_on_axes_that_are_given(start):
    page = start("flow.js", "svg.js", "sketch.js", styles=["controls.css", "predictions.css"], **SKETCH)
    texts = page.locator("svg text").all_text_contents()
    assert texts == ["0\u202f%", "25\u202f%", "50\u202f%", "0", "4", "8", "people", "found", "Draw your curve here"]
    numbers = {text: page.locator("svg text", has_text=re.compile(f"^{text}$")).first for text in ("0", "4", "8")}
    at = {text: float(node.get_attribute("x")) for text, node in numbers.items()}
    assert at["4"] - at["0"] == pytest.approx(at["8"] - at["4"])
    page.get_by_role("slider", name="found at 3").press("End")
    value = sent(page)[-1]["value"]
    assert value == [0.5, 0.5, 0.5]  # a short stroke goes on to both sides
    page.evaluate("model.answer(); model.change({value: [0.1, 0.2, 0.5]}); model.change({truth: [0.5, 0.25, 0]})")
    lines = {name: page.locator(f".{name}").get_attribute("points").split() for name in ("yours", "true-line")}
    places = {name: [float(point.split(",")[0]) for point in points] for name, points in lines.items()}
    assert places["yours"] == places["true-line"]
    grid = [float(node.get_attribute("y1")) for node in page.locator(".grid").all()]
    heights = [float(point.split(",")[1]) for point in lines["true-line"]]
    assert heights == pytest.approx(grid[::-1], abs=0.06)
