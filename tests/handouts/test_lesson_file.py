"""A lesson in a file: what is recorded of it, and that it is finished on a phone, by touch, without network."""

import re

import numpy as np
import pytest

from tests import axe
from tests.handouts.test_explorable import data_of
from tests.waiting import expect
from trustscope.app import cli
from trustscope.app.explorable.lessons import MOST_PLOTTED, in_a_file, lesson_page
from trustscope.handouts.explorable.lever import Lever, Position, scenario_at
from trustscope.handouts.explorable.levers.steps import levers_of
from trustscope.lessons import stage
from trustscope.lessons.facts import Facts
from trustscope.lessons.lesson import Try
from trustscope.lessons.reader import find, shelf
from trustscope.lessons.stage import page_at

KEY = 20_260_102
# What lessons call the controls of a page, which levers have to be called too.
NAMED = {
    ("survey", "miner"): "Respondents make the extra check", ("trust", "data"): "strong components",
    ("trust", "more"): "Shape of the noise",
}  # fmt: skip
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def two_copies():
    """The first lesson: a choice, a curve, and two trusts to be moved."""
    return lesson_page(find("two-copies"))


def levers_in(step):
    """The levers of a step, read from a file."""
    return [
        Lever(
            lever["key"], lever["label"], lever["kind"],
            tuple(Position(one["value"], one["text"], tuple((tuple(path), value) for path, value in one["changes"]))
                  for one in lever["positions"]),
            lever["start"],
        )
        for lever in step["levers"]
    ]  # fmt: skip


def test_goals_are_reached_where_the_app_says_so(two_copies):
    """At random places, where it begins, and at the example; figures of the app are those over all rows."""
    lesson, data, facts = find("two-copies"), data_of(two_copies), Facts()
    step, tried = data["steps"][-1], lesson.steps[-1]
    levers = levers_in(step)
    sizes = [len(lever.positions) for lever in levers]
    assert sizes == [20, 20]  # steps of five per cent
    assert len(step["goals"]) == np.prod(sizes)
    assert any(step["goals"])
    start = [lever.start for lever in levers]
    assert step["goals"][start[0] * sizes[1] + start[1]] is False
    rng = np.random.default_rng(KEY)
    scenario = stage.scenario_at(lesson, len(lesson.steps) - 1)
    example = [next(at for at, one in enumerate(lever.positions) if one.value == 15) for lever in levers]
    for place in (start, example, *([int(rng.integers(n)) for n in sizes] for _ in range(4))):
        expected = facts.evaluate(tried.goal, scenario_at(scenario, levers, place))
        assert step["goals"][place[0] * sizes[1] + place[1]] is expected, place
    assert step["goals"][example[0] * sizes[1] + example[1]] is True


@pytest.mark.parametrize("name", ["nested-noise", "diagnosis"])
def test_what_is_tried_can_be_done(name):
    data = data_of(lesson_page(find(name)))
    tried = [step for step in data["steps"] if step["words"]["kind"] == "try"]
    assert [any(step["goals"]) for step in tried] == [True]


def test_a_step_without_levers_says_that_it_needs_the_app():
    """A target is no lever."""
    lesson = find("diagnosis")
    tried = lesson.steps[-1].replace({"controls": ("goal",)})
    data = data_of(lesson_page(lesson.replace({"steps": (*lesson.steps[:-1], tried)})))
    assert data["steps"][-1]["levers"] == []
    assert "they are in the app" in data["steps"][-1]["hint"]


def test_no_step_leads_to_a_fold_that_the_file_lacks():
    """Of all lessons: what a step says in a file names no fold, and controls by the names that they have there."""
    for lesson in shelf():
        for place, step in enumerate(lesson.steps):
            if not isinstance(step, Try):
                continue
            said = f"{in_a_file(step.text)} {in_a_file(step.hint)}"
            assert not re.search("“change”|“add a recipient”|Under (Data|More|Target)|under the miner", said), said
            if (page_at(lesson, place), *step.controls) in NAMED:
                assert NAMED[page_at(lesson, place), *step.controls] in said
    assert in_a_file("Press “change” under “Data”, and move “x” to the right.") == "Move “x” to the right."


def test_three_kinds_of_respondents_beside_plots_are_few_enough():
    """The lesson about surveys shows two plots that are drawn on paper; all positions of its controls were too many."""
    lesson = find("survey")
    place = len(lesson.steps) - 1
    levers = levers_of(lesson, place, stage.scenario_at(lesson, place), None, MOST_PLOTTED)
    sizes = [len(lever.positions) for lever in levers]
    assert len(sizes) == 3
    assert np.prod(sizes) <= MOST_PLOTTED
    example = stage.scenario_at(lesson, place, lesson.steps[-1].example)
    wanted = [str(part.level) for part in example.settings.parts]
    assert all(want in {one.value for one in lever.positions} for want, lever in zip(wanted, levers, strict=True))


def test_the_command_writes_one_and_names_what_it_cannot_find(tmp_path, capsys):
    out = tmp_path / "lesson.html"
    assert cli.main(["lesson", "explorable", "diagnosis", "-o", str(out)]) == 0
    assert data_of(out.read_text())["lesson"]["id"] == "diagnosis"
    assert cli.main(["lesson", "explorable", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert all(lesson.id for lesson in shelf())


# By touch


def swipe(page, points):
    """A finger that goes along these points."""
    touch = page.context.new_cdp_session(page)
    for kind, point in [("touchStart", points[0]), *(("touchMove", one) for one in points[1:])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": point[0], "y": point[1]}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def drag_slider(page, slider, share):
    """Take the handle, and let it go at a share of the track."""
    box = slider.bounding_box()
    at = float(slider.evaluate("one => (one.value - one.min) / (one.max - one.min)"))
    y = box["y"] + box["height"] / 2
    places = np.linspace(at, share, 8)
    swipe(page, [(box["x"] + 8 + (box["width"] - 16) * one, y) for one in places])


@pytest.mark.browser
def test_a_lesson_is_finished_on_a_phone(browser, two_copies, tmp_path):
    """Predict, see, draw, see, try until it is reached, finish: by touch alone."""
    path = tmp_path / "lesson.html"
    path.write_text(two_copies, encoding="utf-8")
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, offline=True)
    page = context.new_page()
    complaints, asked = [], []
    page.on("pageerror", lambda e: complaints.append(str(e)))
    page.on("console", lambda m: m.type in ("error", "warning") and complaints.append(m.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_selector("body.ready")

    def go(name, to):
        """On to a step; after a swipe the first touch only ends what still glides, and does not count as a tap."""
        button, there = page.get_by_role("button", name=name, exact=True), page.get_by_text(to)
        button.tap()
        while not there.is_visible() and button.is_visible():
            button.tap()
        expect(there).to_be_visible()

    said = page.get_by_role("region", name="Lesson").get_by_role("status")
    expect(page.get_by_text("Step 1 of 6")).to_be_visible()
    expect(page.get_by_role("heading", name="One person")).to_be_visible()
    assert axe.violations(page) == []
    go("Next", "Step 2 of 6")
    page.get_by_role("radio", name="As much as one of them").tap()
    go("See what happens", "Step 3 of 6")
    expect(said).to_contain_text("cancels part of the noise, but not all")
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("38")
    go("Next", "Step 4 of 6")
    box = page.get_by_role("img").bounding_box()
    swipe(page, [(box["x"] + 60 + (box["width"] - 80) * s, box["y"] + 150 - 90 * s) for s in np.linspace(0, 1, 16)])
    go("See what happens", "Step 5 of 6")
    expect(said).not_to_be_empty()
    go("Next", "Step 6 of 6")
    assert axe.violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(said).to_contain_text("Watch the orange number")
    for name in ("Trust in Ministry", "Trust in University"):
        drag_slider(page, page.get_by_role("slider", name=name), 0.1)
    expect(said).to_contain_text("There.")
    go("Finish", "What you learnt")
    expect(page.get_by_text("Your predictions beside the truth")).to_be_visible()
    expect(page.get_by_text("As much as one of them", exact=False)).to_be_visible()
    expect(page.get_by_role("region", name="Lesson").get_by_role("listitem")).to_have_count(2)
    assert complaints == []
    assert [url for url in asked if not url.startswith("file:")] == []
    context.close()


@pytest.mark.browser
def test_one_tap_chooses_though_the_page_scrolls_to_what_changes(browser, tmp_path):
    """The controls move a little when the page scrolls: a tap that ended elsewhere than it began chose nothing."""
    path = tmp_path / "lesson.html"
    path.write_text(lesson_page(find("diagnosis")), encoding="utf-8")
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, offline=True)
    page = context.new_page()
    page.goto(f"{path.as_uri()}#6")
    page.wait_for_selector("body.ready")
    page.get_by_role("radio", name="nested", exact=True).tap()
    expect(page.get_by_role("region", name="Lesson").get_by_role("status")).to_contain_text("Bob's copy is Alice's")
    assert page.evaluate("scrollY") > 0
    context.close()
