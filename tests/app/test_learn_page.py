"""The Learn page without a browser: the player, what it shows of a page, and what is remembered."""

import asyncio
import json
import re
import threading

import pytest

from tests.messages import tell
from trustscope.app.learn import dashboard, editor, library
from trustscope.app.learn import player as player_module
from trustscope.app.learn.dashboard import LearnDashboard
from trustscope.app.learn.library import MOST_OWN, MOST_OWN_TEXT, lessons_in
from trustscope.app.learn.player import FINISH, NEXT, SEE, SKIP, Player
from trustscope.app.page import Frame
from trustscope.app.pages import PAGES
from trustscope.app.parts import CARD, CONTROLS, Shown
from trustscope.app.serving.plan import Plan, PlanProblem
from trustscope.lessons.code import result_of
from trustscope.lessons.lesson import Predict, Try
from trustscope.lessons.place import LearnScenario
from trustscope.lessons.prediction import truth
from trustscope.lessons.reader import FILES, find, read_text, shelf
from trustscope.lessons.stage import only_at, scenario_at
from trustscope.scenarios.parts import HEADLINE, PARTS
from trustscope.scenarios.scenario import Scenario
from trustscope.widgets.lessons.answers import Answers
from trustscope.widgets.lessons.guess import Guess
from trustscope.widgets.lessons.ranking import Ranking
from trustscope.widgets.lessons.sketch import Sketch
from trustscope.widgets.scenes.bars import Bars
from trustscope.widgets.term import explained, teach

WIDGETS = {"choice": Answers, "number": Guess, "curve": Sketch, "ranking": Ranking}


def opened(lesson="", step=1):
    return LearnDashboard(LearnScenario().replace({"view.lesson": lesson, "view.step": step}))


def test_a_lesson_is_walked_with_right_predictions():
    player = Player(find("diagnosis"))
    assert player.dashboard.seen == only_at(player.lesson, 0)
    assert not player.room.can_go_back
    for place, step in enumerate(player.lesson.steps):
        assert (player.place, player.room.step["number"]) == (place, place + 1)
        if player.dashboard is not None:
            assert player.dashboard.seen == only_at(player.lesson, place)
            asked = scenario_at(player.lesson, place)
            assert player.dashboard.scenario.settings == asked.settings
        if isinstance(step, Predict):
            assert (player.room.next_text, player.room.next_primary) == (SKIP, False)
            assert isinstance(player.question, WIDGETS[step.question.kind])
            player.question.value = truth(step.question)
            assert (player.room.next_text, player.room.next_primary) == (SEE, True)
        if step.kind == "reveal":
            assert player.question.truth == truth(player.lesson.question(step.of))
            assert player.room.said["tone"] == "close"
        if isinstance(step, Try):
            assert player.room.said["tone"] == "hint"
            player.dashboard.controls.change(scenario_at(player.lesson, place, step.example))
            assert player.done
            assert player.room.said["tone"] == "close"
        player.room.nexts += 1
    assert player.finished == 1


def test_wrong_predictions_get_an_answer_too_and_none_gets_none():
    player = Player(find("diagnosis"))
    player.step = 3
    assert player.room.said == {}
    player.step = 2
    player.question.value = 0.9
    player.room.nexts += 1
    assert (player.place, player.room.said["tone"]) == (2, "far")
    assert "luck" in player.room.said["html"]
    player.room.backs += 1
    assert player.question.value == 0.9


def test_free_play_shows_everything_and_brings_back():
    player = Player(find("nested-noise"), step=6)
    limited = player.dashboard
    player.room.frees += 1
    assert player.free
    assert not player.dashboard.shown.limited
    player.dashboard.controls.change(player.dashboard.scenario.replace({"settings.scheme": "nested"}))
    assert not player.done, "free play is no answer"
    player.room.frees += 1
    assert player.dashboard.seen == limited.seen == only_at(player.lesson, 5)
    assert player.dashboard.scenario.settings.scheme == "independent"


# A card of a step, what only experts read in it, and what a student reads instead.
SHORTER = [
    ("filtered", 3, "attackers", "NDR", "takes the copy as it is"), ("filtered", 1, "spectrum", "filter", "are strong"),
    ("survey", 3, "accuracy", "bound", "The miner is right for"), ("survey", 5, "disclosure", "bound", "learns"),
    ("cheating", 6, "target", "clear answers", "is guessed right"), ("rotation", 1, "clouds", "k-means", "alike"),
    ("diagnosis", 1, "everyone", "Expected", "can estimate"),
]  # fmt: skip


def read(view):
    """All that is written on a card, and in the view inside of it."""
    inside = view.table.__panel__().object if hasattr(view, "table") else ""
    rows = [*view.plot.frame["labels"], *view.plot.texts] if isinstance(view.plot, Bars) else []
    return re.sub(r"<[^>]+>", "", " ".join([view.card.caption_pane.object, inside, *rows]))


@pytest.mark.parametrize(("lesson", "step", "key", "expert", "plain"), SHORTER)
def test_in_a_lesson_cards_leave_out_what_only_experts_need(lesson, step, key, expert, plain):
    player = Player(find(lesson), step=step)
    view = player.dashboard.view(key)
    assert view.brief
    assert expert not in read(view)
    assert plain in read(view)
    player.room.frees += 1  # on the page itself everything is there
    whole = player.dashboard.view(key)
    assert not whole.brief
    assert expert in read(whole)


def test_a_card_that_comes_with_a_later_step_is_short_too():
    lesson = find("rotation")
    iris = {"data": {"name": "iris"}, "view": {"story": "known"}}  # drawn in a twentieth of the time
    player = Player(lesson.replace({"scenario": iris}))
    player.step = 3
    assert player.dashboard.view("links").brief


def test_a_headline_is_brief_in_a_lesson_and_whole_in_free_play():
    player = Player(find("two-copies"), step=3)
    assert player.dashboard.headline.brief
    assert player.dashboard.headline.visible
    player.room.frees += 1
    assert not player.dashboard.headline.brief
    player.room.frees += 1
    player.step = 1
    assert not player.dashboard.headline.visible


def test_the_teacher_can_lead():
    player = Player(find("two-copies"), alone=False)
    assert not player.room.steps_shown
    player.step = 99
    assert player.place == len(player.lesson.steps)
    assert player.ended
    player.step = len(player.lesson.steps)
    assert player.room.next_text == FINISH
    player.step = 1
    assert player.room.next_text == NEXT


def test_the_home_and_what_it_opens():
    page = opened()
    assert page.player is None
    assert [one["id"] for one in page.home.shelf.lessons] == [lesson.id for lesson in shelf()]
    assert page.home.film.film["scenes"]
    tell(page.home.shelf, {"kind": "lesson", "name": "shortcut"})
    assert (page.scenario.view.lesson, page.settled.view.step, page.info) == ("shortcut", 1, "The tempting shortcut")
    page.player.room.nexts += 1
    assert page.settled.view.step == 2
    assert page.place(page.settled) == "shortcut/2"
    page.player.room.leaves += 1
    assert page.player is None
    assert page.settled == LearnScenario()
    tell(page.home.shelf, {"kind": "lesson", "name": "shortcut"})
    assert page.settled.view.step == 2, "taken up where it was left"


def test_finishing_is_remembered():
    page = opened("shortcut", 5)
    tell(page.browser, {"found": {"rotation": {"step": 3, "done": False, "predictions": {}}}})
    page.player.room.nexts += 1
    assert page.browser.kept["shortcut"]["done"] is True
    assert page.browser.kept["rotation"]["step"] == 3
    tell(page.home.shelf, {"kind": "lesson", "name": "shortcut"})
    assert page.settled.view.step == 1


def test_a_lesson_ends_with_what_was_learnt_and_the_next_one():
    page = opened("shortcut", 2)
    page.player.question.value = 0.3
    page.player.step = 5
    page.player.dashboard.controls.change(scenario_at(page.player.lesson, 4, page.player.lesson.steps[4].example))
    page.player.room.nexts += 1
    room = page.player.room
    assert (room.step["kind"], page.settled.view.step) == ("end", 6)
    assert page.player.lesson.learnt in re.sub(r"<[^>]+>", "", room.step["html"])
    assert [(row["predicted"], row["truth"], row["close"]) for row in room.ending["rows"]] == [("30 %", "100 %", False)]
    found = result_of(room.ending["code"], shelf())
    assert (found.predictions, found.reached) == ({"safe": pytest.approx(0.3)}, {5})
    assert room.next_text == "Next lesson: One more copy later"
    room.nexts += 1
    assert page.settled.view.lesson == "later"
    last = opened(shelf()[-1].id, len(shelf()[-1].steps) + 1)
    assert last.player.room.next_text == "All lessons"
    last.player.room.nexts += 1
    assert last.player is None


SHORT = json.dumps({
    "id": "short", "title": "Short", "about": "A short one.", "minutes": 1, "page": "trust", "learnt": "Nothing.",
    "scenario": {"data": {"name": "iris"}}, "steps": [{"kind": "explain", "title": "So", "text": "It is."}],
})  # fmt: skip
OWN = next(FILES.glob("*shortcut.json")).read_text().replace('"id": "shortcut"', '"id": "my-own"')


def test_an_own_lesson_is_opened_and_kept_in_the_browser():
    frame = Frame("page=trust")
    tell(frame.bar, {"kind": "open", "name": "mine.json", "text": OWN})
    page = frame.dashboard
    assert (frame.bar.page, page.settled.view.lesson, page.settled.view.step) == ("Learn", "my-own", 1)
    assert page.browser.kept_lessons is None, "what the browser keeps is not known yet"
    tell(page.browser, {"found": {}, "lessons": {}})
    assert page.browser.kept_lessons == {"my-own": OWN}
    assert page.home.shelf.lessons[-1]["group"] == "own"
    page.player.step = 6
    assert page.player.room.next_text == "All lessons"
    tell(frame.bar, {"kind": "open", "name": "broken.json", "text": OWN.replace('"kind": "look"', '"kind": "dance"')})
    assert page.player is None
    assert any("broken.json, step 1" in one for one in page.home.shelf.said)
    tell(frame.bar, {"kind": "open", "name": "same.json", "text": OWN.replace("my-own", "rotation")})
    assert any("choose another id" in one for one in page.home.shelf.said)
    tell(page.home.shelf, {"kind": "remove", "name": "my-own"})
    assert (page.browser.kept_lessons, len(page.home.shelf.lessons)) == ({}, len(shelf()))
    title = page.home.shelf.removed
    tell(frame.bar, {"kind": "open", "name": "broken.json", "text": OWN.replace('"kind": "look"', '"kind": "dance"')})
    assert (page.home.shelf.removed, title) == (title, read_text(OWN, "own").title), "still to be brought back"
    tell(page.home.shelf, {"kind": "restore", "name": ""})
    assert (page.browser.kept_lessons, page.home.shelf.removed) == ({"my-own": OWN}, "")


def test_a_link_to_an_own_lesson_waits_for_what_the_browser_keeps():
    page = opened("my-own", 3)
    assert page.player is None
    tell(
        page.browser,
        {"found": {"my-own": {"step": 2, "predictions": {"safe": 1.0}}}, "lessons": {"my-own": OWN, "x": 3}},
    )
    assert (page.settled.view.lesson, page.settled.view.step) == ("my-own", 3)
    assert page.player.predictions == {"safe": 1.0}


def own(name):
    return OWN.replace("my-own", name)


def until(condition):
    async def waited():
        async with asyncio.timeout(60):
            while not condition():
                await asyncio.sleep(0.001)

    return waited()


@pytest.mark.parametrize("first", ["opened", "recalled"])
def test_a_lesson_that_is_opened_while_those_of_the_browser_are_read_takes_none_of_them_away(first, monkeypatch):
    kept = {f"own-{n}": own(f"own-{n}") for n in range(5)}
    may_end, read = threading.Event(), library.read_kept
    if first == "opened":
        monkeypatch.setattr(dashboard, "read_kept", lambda texts: may_end.wait(60) and read(texts))

    async def main():
        page = opened()
        tell(page.browser, {"found": {}, "lessons": kept | {"own-new": own("own-4")}})
        if first == "recalled":
            await until(lambda: "own-4" in page.library.own)
        tell(page.home.shelf, {"kind": "file", "name": "new.json", "text": own("own-new")})
        await until(lambda: "own-new" in page.library.own)
        may_end.set()
        await until(lambda: page.browser.kept_lessons is not None)
        assert page.browser.kept_lessons == kept | {"own-new": own("own-new")}

    asyncio.run(main())


def test_what_the_browser_keeps_is_read_again_if_a_lost_connection_ended_that():
    async def main():
        page = opened()
        tell(page.browser, {"found": {"rotation": {"step": 3}}, "lessons": {"my-own": OWN}})
        page._recalling.stop()  # as when the connection was lost for a while
        page._to("shortcut", 2)
        await until(lambda: page.browser.kept is not None)
        assert page.browser.kept["rotation"]["step"] == 3
        assert page.browser.kept["shortcut"]["step"] == 2
        assert page.home.shelf.lessons[-1]["id"] == "my-own"
        page.stop()

    asyncio.run(main())


def test_a_lesson_of_the_browser_that_cannot_be_read_stays_there_and_is_named():
    page = opened()
    tell(page.browser, {"found": {}, "lessons": {"my-later": "{}", "my-own": OWN}})
    assert any("these cannot be shown: “my-later”. They stay" in sentence for sentence in page.home.shelf.said)
    tell(page.home.shelf, {"kind": "file", "name": "short.json", "text": SHORT})
    assert page.browser.kept_lessons == {"my-own": OWN, "short": SHORT, "my-later": "{}"}
    tell(page.home.shelf, {"kind": "file", "name": "later.json", "text": own("my-later")})
    assert page.browser.kept_lessons["my-later"] == own("my-later")
    much = {f"many-{n}": "x" * (MOST_OWN_TEXT // 4) for n in range(8)}
    full = opened()
    tell(full.browser, {"found": {}, "lessons": much})
    assert any("“many-2”, and 5 more" in sentence for sentence in full.home.shelf.said)
    tell(full.home.shelf, {"kind": "file", "name": "short.json", "text": SHORT})
    assert list(full.browser.kept_lessons) == ["short", *list(much)[:3]]


def test_a_page_that_shows_one_lesson_alone_leaves_what_the_browser_keeps():
    page = opened("shortcut", 2)
    page.shown = Shown([])
    tell(page.browser, {"found": {}, "lessons": {"my-own": OWN}})
    assert page.browser.kept_lessons is None


def test_of_what_a_browser_keeps_no_more_is_read_than_one_keeps(monkeypatch):
    read = []
    monkeypatch.setattr(library.reader, "read_text", lambda text, name: read.append(text) or read_text(text, name))
    page = opened()
    many = {f"own-{n}": own(f"own-{n}") for n in range(50)}
    tell(page.browser, {"found": {}, "lessons": many})
    assert sorted(page.library.own) == sorted(list(many)[:MOST_OWN])
    assert len(read) == MOST_OWN
    tell(page.browser, {"found": {}, "lessons": many})
    assert len(read) == MOST_OWN, "what is here is not read again"
    tell(opened().browser, {"found": {}, "lessons": {"long": " " * (MOST_OWN_TEXT + 1)}})
    tell(page.home.shelf, {"kind": "file", "name": "long.json", "text": " " * (MOST_OWN_TEXT + 1)})
    assert len(read) == MOST_OWN
    assert page.home.shelf.said == [
        "long.json has 400001 characters, and 400000 is the most that a browser keeps: shorten it."
    ]


def test_lessons_are_read_and_checked_beside_the_loop_and_in_nobodys_way(monkeypatch):
    """The loop serves everybody, and settled pictures wait for the threads called "pass"."""
    threads = {}

    def noting(name, function):
        def noted(*arguments, **more):
            threads[name] = threading.current_thread().name
            return function(*arguments, **more)

        return noted

    monkeypatch.setattr(library.reader, "read_text", noting("read", read_text))
    monkeypatch.setattr(editor, "check", noting("check", editor.check))
    monkeypatch.setattr(player_module.facts, "evaluate", noting("goal", lambda *asked: True))
    page = opened()
    tell(page.home.shelf, {"kind": "file", "name": "mine.json", "text": OWN})
    assert threads.pop("read").startswith("trustscope-lesson")
    tell(opened().browser, {"found": {}, "lessons": {"my-own": OWN}})
    assert threads.pop("read").startswith("trustscope-lesson")
    form = editor.LessonEditor(lambda text: None, lambda text: None, lambda: None)
    form.open(json.loads(OWN) | {"steps": []})
    form.form.changed = (json.loads(SHORT), 1)
    assert form.form.problems == []
    assert threads.pop("check").startswith("trustscope-check")
    place = next(n for n, step in enumerate(find("shortcut").steps, 1) if isinstance(step, Try))
    assert Player(find("shortcut"), step=place).done
    assert threads.pop("goal").startswith("trustscope-goal")


def test_a_link_begins_a_lesson_at_its_first_step():
    frame = Frame("lesson=rotation")
    assert (frame.bar.page, frame.dashboard.settled.view.lesson, frame.dashboard.settled.view.step) == (
        "Learn",
        "rotation",
        1,
    )
    assert Frame("lesson=nothing").dashboard.settled == LearnScenario()


def test_lessons_of_the_servers_folder(tmp_path, monkeypatch):
    (tmp_path / "mine.json").write_text(OWN)
    (tmp_path / "broken.json").write_text("{")
    plan = Plan.from_options(lessons=tmp_path)
    found, problems = lessons_in(plan.lessons)
    assert [one.id for one in found] == ["my-own"]
    assert "broken.json" in problems[0]
    monkeypatch.setattr("trustscope.app.learn.library.current", lambda: plan)
    page = opened("my-own", 1)
    assert page.player.lesson.id == "my-own"
    assert page.home.shelf.lessons[-1]["group"] == "server"
    with pytest.raises(PlanProblem, match="--lessons"):
        Plan.from_options(lessons=tmp_path / "nowhere")


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        "x",
        {"shortcut": 3},
        {"shortcut": {"step": "x"}},
        {"shortcut": {"step": True}},
        {"nothing": {"step": 1}},
    ],
)
def test_what_a_browser_makes_up_is_not_believed(found):
    page = opened()
    tell(page.browser, {"found": found})
    assert page.progress == {}


def test_remembered_predictions_are_checked():
    page = opened("shortcut", 3)
    tell(page.browser, {"found": {"shortcut": {"step": 9, "predictions": {"safe": 0.3, "other": 1}}}})
    assert page.player.predictions == {"safe": 0.3}
    assert page.player.room.said["tone"] == "far"
    assert page.settled.view.step == 3, "the link counts"


def test_a_lesson_that_is_not_there_opens_the_home():
    assert opened("nothing", 4).scenario == LearnScenario()
    assert opened("shortcut", 30).scenario.view.step == 6, "the page after the last step"


def test_where_people_arrive():
    home, trust = Frame("").bar, Frame("page=trust").bar
    assert (home.page, home.bare) == ("Learn", True)
    assert (trust.page, trust.bare) == ("Trust", False)
    assert Frame("", "iris").bar.page == "Trust"
    assert Frame("page=nowhere&s=x").bar.page == "Trust"


def test_a_door_opens_a_page():
    frame = Frame("")
    tell(frame.dashboard.home.shelf, {"kind": "door", "name": "survey"})
    assert frame.bar.page == "Survey"
    assert isinstance(frame.dashboard.scenario, Scenario)


# What can be named


@pytest.mark.parametrize("page", sorted(PARTS))
def test_lessons_name_the_same_parts_as_links(page):
    found = PAGES[page].kind().parts()
    assert {HEADLINE, *(part.key for part in found if part.kind == CARD)} == set(PARTS[page].cards)
    assert {part.key for part in found if part.kind == CONTROLS} == set(PARTS[page].controls)


def test_a_headline_that_would_give_the_answer_away_is_not_there():
    player = Player(find("two-copies"))
    assert not player.dashboard.headline.visible
    player.step = 3
    assert player.dashboard.headline.visible
    player.step = 1
    assert not player.dashboard.headline.visible


def test_a_question_hides_the_page_and_the_next_step_has_the_same_one():
    """Sixty students are shown a step in one moment: a dashboard is made for the first of a lesson's steps alone."""
    player = Player(find("two-copies"))
    page = player.dashboard
    before = page.scenario
    player.step = 2
    assert player.dashboard is None
    assert not player.room.page_shown
    assert not page.main.visible
    assert page.scenario == before, "nothing of the answer is there yet"
    player.step = 3
    assert player.dashboard is page
    assert page.main.visible
    assert page.scenario.settings == page.settled.settings == Player(player.lesson, step=3).dashboard.settled.settings


# Words that are explained


@pytest.fixture
def taught():
    from trustscope.scenarios.glossary import TERMS

    teach({"coalition": "A <group>.", "coalitions": "A <group>.", "noise level": "How loud."})
    yield
    teach(TERMS)


def test_words_are_explained_once_where_they_stand(taught):
    told = explained("<p>A Coalition, two coalitions; subcoalition &amp; <code>coalition</code>, noise level.</p>")
    assert told.count('class="term"') == 2
    assert ">Coalition</button>,</span> two coalitions" in told, "no line ends before a comma"
    assert 'data-term="A &lt;group&gt;."' in told
    assert "<code>coalition</code>" in told
    assert ">noise level</button>" in told
    assert explained("") == ""
