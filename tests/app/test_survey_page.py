"""The Survey page without a browser: controls, streaming, own answers, other data."""

import asyncio
import re
import threading

import numpy as np
import pandas as pd
import pytest

from tests.messages import deliver, tell
from trustscope import datasets
from trustscope.app.survey import SurveyDashboard
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.solve.requirement import SurveyRequirement
from trustscope.scenarios.survey.run import SurveyRun
from trustscope.scenarios.survey.scenario import INTERVALS, MUS, START, Part, SurveyScenario

FREEZE = "Physician fee freeze"


@pytest.fixture(scope="module")
def survey():
    return SurveyDashboard()


@pytest.fixture
def page(survey):
    """The same page as at first: to make one anew for each test would take longer than most of what they do."""
    survey.open(SurveyScenario())
    return survey


def said(page):
    return page.headline.said["title"]


def note(page):
    return page.headline.said["note"]


def arrived(page):
    return page.picture.frame.arrived


def press(action):
    deliver(action, {"n": action.ack + 1})


def slide(slider, value):
    """Move a slider there, and let go."""
    deliver(slider, {"value": value, "done": True, "n": slider.ack + 1})


def other(page):
    """A scenario that differs in every field from the one that stands."""
    own = page.model.people.encoding
    answers = tuple((q, str(a[-1])) for q, a in zip(own.questions, own.answers, strict=True))
    return page.scenario.replace({
        "seed": 5, "settings.parts": (Part(name="a", weight=3, level=None), Part(name="b", weight=0, level=0)),
        "settings.mu": MUS[2], "settings.update_every": INTERVALS[3], "settings.order": "signed",
        "settings.miner": "hidden", "settings.target": FREEZE, "settings.extra_check": True, "settings.rival": True,
        "data.value": "Republican", "view.closer": "own", "view.speed": 1000, "view.arrived": 70, "view.own.level": 9,
        "view.own.of_class": "Republican", "view.own.answers": answers,
        "settings.requirements": (SurveyRequirement(what="accuracy", limit=80),),
    })  # fmt: skip


def test_every_control_is_set_as_easily_as_read(page):
    page.controls.change(page.scenario.replace({"view.closer": "own"}))  # makes the controls of one's own answers
    encoding = page.model.people.encoding
    own = tuple((q, str(a[0])) for q, a in zip(encoding.questions, encoding.answers, strict=True))
    before = page.scenario.replace({"view.own.answers": own, "view.own.of_class": "Democrat"})
    after = other(page)
    paths = [field.path for field in page.controls.fields]
    assert len(paths) == len(set(paths)) == 17
    for scenario in (after, before, after):
        page.controls.restore(scenario)
        assert {f.path: page.controls.read(f) for f in page.controls.fields} == {p: scenario.at(p) for p in paths}
    same = [path for path in paths if before.at(path) == after.at(path)]
    assert same == ["data.label", "view.closer"]


def test_a_scenario_opens_as_it_was_left(page):
    scenario = other(page)
    again = SurveyDashboard(scenario)
    assert again.settled == scenario
    assert arrived(again) == 70
    assert again.picture.frame.settings.replace({"rival": True}) == scenario.settings
    page.open(scenario)
    assert page.headline.said == again.headline.said
    assert page.picture.frame.people == again.picture.frame.people


def test_it_opens_with_a_story():
    page = SurveyDashboard()
    assert arrived(page) == 200
    assert page.loads == 1
    assert "Democrat from Republican" in note(page)
    assert page.info.startswith("Votes")
    assert not page.headline.working
    assert "<b>200</b> respondents" in page.status.object


def test_the_same_people_answer_when_a_setting_comes_back(page):
    before = page.picture.frame.people
    for mu in (0.15, 0.025):
        slide(page.controls.mu, mu)
        assert page.scenario.settings.mu == page.picture.frame.settings.mu == mu
        assert arrived(page) == 200
    assert page.picture.frame.people == before


def test_step_restart_and_the_end(page):
    press(page.step)
    assert arrived(page) == page.settled.view.arrived == 201
    press(page.restart)
    assert arrived(page) == 0
    assert "Nobody has been asked yet" in said(page)
    assert page.headline.said["after"] == ""
    page.controls.miner.value = "outright"
    assert arrived(page) == 0  # a setting asks nobody who was not asked before
    page.playing = True  # no loop runs: a second's worth
    assert arrived(page) == 100
    assert not page.playing


async def until(condition, most=60.0):
    """Wait for something that must come."""
    for _ in range(int(most / 0.02)):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come")


def streaming(test):
    """Run a test on a page that lives on a loop, where time passes."""

    async def work():
        page = SurveyDashboard()
        await until(lambda: page.loads and page.run is not None)
        try:
            return await test(page)
        finally:
            page.stop()

    return asyncio.run(work())


def test_playing_streams_and_paused_means_paused():
    async def test(page):
        page.controls.change(page.scenario.replace({"view.speed": 1000}))
        press(page.play)
        assert page.play.text.endswith("Pause")
        await until(lambda: arrived(page) > 1_200)
        assert page.settled.view.arrived == 200  # links follow what was let go
        press(page.play)
        await until(lambda: page.settled.view.arrived == page.run.arrived > 1_200 and not page.headline.working)
        stands = page.run.arrived
        await asyncio.sleep(0.6)  # more than two frames
        assert arrived(page) == page.run.arrived == stands
        assert page.play.text.endswith("Play")

    streaming(test)


def test_who_is_on_the_way_when_one_pauses_is_counted(monkeypatch):
    """The page once stood at those who had come, and then at those on their way: one more was then fewer."""
    slow, on_the_way = threading.Event(), threading.Event()
    come = SurveyRun.come

    def come_slowly(run):
        on_the_way.set()
        slow.wait()
        return come(run)

    async def test(page):
        monkeypatch.setattr(SurveyRun, "come", come_slowly)
        page.controls.change(page.scenario.replace({"view.speed": 1000}))
        page.playing = True
        await until(on_the_way.is_set)
        page.playing = False
        stands = page.scenario.view.arrived
        assert stands > 200
        slow.set()
        await until(lambda: not page.headline.working)
        assert arrived(page) == page.run.arrived == page.settled.view.arrived == stands
        press(page.step)
        await until(lambda: arrived(page) == stands + 1)

    try:
        streaming(test)
    finally:
        slow.set()


def test_a_setting_changed_while_playing_asks_those_anew_and_goes_on():
    async def test(page):
        page.controls.change(page.scenario.replace({"view.speed": 1000}))
        page.playing = True
        await until(lambda: arrived(page) > 600)
        page.controls.check.value = True
        stood = page.scenario.view.arrived
        assert stood > 600
        await until(lambda: page.picture.frame.settings.extra_check and arrived(page) > stood)
        assert page.playing
        page.playing = False
        await until(lambda: page.settled.view.arrived > stood)
        assert page.settled.settings.extra_check

    streaming(test)


def test_changes_in_quick_succession_keep_how_many_had_answered(monkeypatch):
    """Three thousand have answered; two settings change while they answer anew, and one more comes."""
    monkeypatch.setattr("trustscope.scenarios.survey.run.SLICE", 0)

    async def test(page):
        shown = []
        page.status.param.watch(lambda event: shown.append(event.new), "object")
        page.controls.change(page.scenario.replace({"view.arrived": 3_000}))
        await until(lambda: arrived(page) == 3_000)
        for mu in (0.15, 0.2):
            slide(page.controls.mu, mu)
            await asyncio.sleep(0)
        press(page.step)
        await until(lambda: arrived(page) == 3_001 and not page.headline.working)
        assert page.picture.frame.settings.mu == 0.2
        assert any("of 3\u202f001 respondents answer anew" in text for text in shown)

    streaming(test)


def test_a_survey_rests_at_its_end_and_begins_again():
    async def test(page):
        monkey = pytest.MonkeyPatch()
        for module in ("scenarios.survey.run", "app.survey.dashboard"):
            monkey.setattr(f"trustscope.{module}.END", 300)
        try:
            page.controls.change(page.scenario.replace({"view.speed": 1000}))
            page.playing = True
            await until(lambda: not page.playing and page.settled.view.arrived == 300)
            page.playing = True
            await until(lambda: page.settled.view.arrived == 0)
        finally:
            monkey.undo()

    streaming(test)


def test_the_malicious_miner_and_the_check(page):
    page.controls.target.value = FREEZE
    page.controls.miner.value = "outright"
    assert said(page) == "The miner reads one answer of everybody."
    assert page.headline.said["after"].startswith("100")
    page.controls.check.value = True
    assert said(page) == "Everybody refuses: nothing leaves."
    assert FREEZE in note(page)
    page.controls.miner.value = "hidden"
    assert "The guidance passes" in note(page)
    page.controls.check.value = False
    assert "The guidance would pass the extra check" in note(page)
    page.controls.miner.value = "honest"
    page.controls.rival.value = True
    assert page.picture.rival.disclosed == pytest.approx(page.picture.frame.disclosed, abs=0.02)


def test_who_follows_nothing_does_not_refuse(page):
    page.controls.miner.value = "outright"
    mixer = page.controls.mixer
    for row in range(3):
        assert ("of everybody." in said(page)) == (row == 0)
        tell(mixer, {"row": row, "kind": "level", "value": 0})
    assert said(page) == "Nobody follows anything: nothing leaves but the class."
    page.controls.check.value = True
    tell(mixer, {"row": 0, "kind": "level", "value": 3})
    assert said(page) == "No answer leaves: some refuse, the others follow nothing."
    press(page.restart)
    assert "Nobody has been asked yet" in said(page)


def told(card):
    """The caption of a card without its markup."""
    return re.sub("<.*?>", "", card.caption_pane.object)


def test_the_bound_is_named_as_it_is_drawn(page):
    page.closer.opened = "disclosure"
    table = cards_of("survey")["disclosure"].table(page.picture, page.model)
    legend = page.views()["disclosure"].legend(table)
    assert [(name, mark) for name, _, mark in legend] == [("given away", "block"), ("the paper's bound", "tick")]


def test_your_own_answers(page):
    page.closer.opened = "own"
    own = page.views()["own"]
    first = page.picture.own
    assert "a miner guesses" in told(own.card)
    press(own.again)
    assert page.scenario.view.own.draw == 2
    assert not np.array_equal(page.picture.own.sent, first.sent)
    slide(own.level, 0)
    assert "You send nothing but your Party" in told(own.card)
    flipped = 1 - own.questionnaire.value[3]
    tell(own.questionnaire, {"row": 3, "value": flipped})
    tell(own.questionnaire, {"row": 99, "value": 1})  # whatever a browser sends
    tell(own.questionnaire, {"row": 3, "value": 7})
    assert own.questionnaire.value[3] == flipped
    question = page.model.people.encoding.questions[3]
    assert dict(page.settled.view.own.answers)[question] == page.model.people.encoding.answers[3][flipped]
    press(own.somebody)
    assert page.settled.view.own.of_class in page.model.people.names
    page.controls.change(page.scenario.replace({"settings.miner": "outright", "settings.extra_check": True}))
    slide(own.level, 3)
    assert "You would refuse this guidance" in told(own.card)
    assert "Everybody refuses" in said(page)


@pytest.mark.parametrize("closer", ["accuracy", "disclosure", "own", "guidance", "level", ""])
def test_every_closer_look_survives_other_data(page, closer):
    page.closer.opened = closer
    page.choose(page.scenario.data.replace({"name": "iris", "label": "", "value": ""}))
    assert page.info.startswith("Iris")
    assert arrived(page) == 200
    assert page.headline.said["after"]
    assert page.settled.view.closer == closer
    if closer == "own":
        assert len(page.picture.own.sent) == len(page.model.people.encoding.questions) == 4


def test_another_class_and_value(page):
    page.choose(page.scenario.data.replace({"name": "iris", "label": "", "value": ""}))
    page.controls.value.value = "Versicolor"
    assert page.model.people.names[0] == "Versicolor"
    assert "Versicolor from all others" in note(page)
    page.choose(page.scenario.data.replace({"name": "votes", "label": "", "value": ""}))
    page.closer.opened = "own"
    page.controls.label.value = FREEZE
    assert page.model.people.names == ("No", "not No")  # some took no position
    assert FREEZE not in page.model.people.encoding.questions
    assert len(page.picture.own.sent) == len(page.model.people.encoding.questions)
    assert page.settled.data.label == FREEZE


# A person's own data


def make(frame, **parts):
    return datasets.Dataset(
        name="own", title="Own", frame=frame, numeric=parts.get("numeric", ()),
        categorical=parts.get("categorical", ()), label=None, source="", licence="",
    )  # fmt: skip


def text(values):
    return pd.Categorical([str(v) for v in values])


UNFIT = {
    "same value of c": (pd.DataFrame({"c": text(["a"] * 50), "q": text(range(50))}), {"categorical": ("c", "q")}),
    "too few": (pd.DataFrame({"c": text([0, 1] * 5), "q": text(range(10))}), {"categorical": ("c", "q")}),
    "no class to learn": (pd.DataFrame({"x": np.arange(50.0)}), {"numeric": ("x",)}),
    "no column to ask for": (pd.DataFrame({"c": text([0, 1] * 30)}), {"categorical": ("c",)}),
}


@pytest.mark.parametrize("sentence", UNFIT)
def test_data_that_cannot_serve_get_a_sentence_and_the_page_goes_on(page, sentence, monkeypatch):
    frame, parts = UNFIT[sentence]
    fetch = type(page.desk).fetch
    monkeypatch.setattr(page.desk, "fetch", lambda scenario: make(frame, **parts))
    monkeypatch.setattr("trustscope.app.dashboard.OWN", "iris")  # what a person brought is shared with nobody
    page.choose(page.scenario.data.replace({"name": "iris", "label": "", "value": ""}))
    assert sentence in note(page)
    assert said(page) == "There is nobody to ask here."
    assert not page.body.visible
    monkeypatch.setattr(page.desk, "fetch", lambda scenario: fetch(page.desk, scenario))
    page.choose(SurveyScenario().data)
    assert arrived(page) == 200
    assert page.body.visible


def test_a_question_that_all_answer_alike_breaks_nothing(page, monkeypatch):
    single = pd.DataFrame({"c": text([0, 1] * 30), "same": text(["x"] * 60), "q": text([0, 1, 1] * 20)})
    monkeypatch.setattr(page.desk, "fetch", lambda scenario: make(single, categorical=("c", "same", "q")))
    monkeypatch.setattr("trustscope.app.dashboard.OWN", "iris")
    page.choose(page.scenario.data.replace({"name": "iris", "label": "", "value": ""}))
    assert arrived(page) == 200
    page.controls.check.value = True
    for target in ("same", "q"):
        page.controls.target.value = target
        for miner in ("hidden", "outright", "honest"):
            page.controls.miner.value = miner
            assert page.picture.frame.settings.miner == miner
            assert "could not be shown" not in said(page)


def test_a_miner_who_hides_among_few_questions_breaks_nothing(page):
    page.choose(page.scenario.data.replace({"name": "iris", "label": "", "value": ""}))
    page.controls.check.value = True
    assert len(page.model.people.encoding.questions) == 4
    for target in page.model.people.encoding.questions[::3]:  # the first and the last
        page.controls.target.value = target
        for miner in ("hidden", "outright", "honest"):
            page.controls.miner.value = miner
            assert page.picture.frame.settings.miner == miner
            assert "could not be shown" not in said(page)


def test_the_kinds_at_first_are_those_of_the_survey_of_1999():
    assert [(part.name, part.weight) for part in START] == [
        ("fundamentalists", 17), ("pragmatists", 56), ("marginally concerned", 27),
    ]  # fmt: skip
