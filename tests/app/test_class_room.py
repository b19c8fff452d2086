"""Rooms without a page: the rules, the file that processes share, and what is put together for the wall."""

import json
import random
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustscope.app.classroom import room as rules
from trustscope.app.classroom.address import address_of, qr
from trustscope.app.classroom.crowd import covered, gathered
from trustscope.app.classroom.room import LOBBY, MOST_ROUNDS, Room, RoomProblem, Seat, accepted, place_of
from trustscope.app.classroom.store import AWAY, FILE, MOST_ROOMS, UNUSED, Store
from trustscope.app.serving.plan import Plan
from trustscope.lessons.course import Course, Section, course_of
from trustscope.lessons.lesson import Predict
from trustscope.lessons.prediction import is_close, truth
from trustscope.lessons.reader import find, shelf
from trustscope.widgets.controls.download import as_csv

LESSON = find("two-copies")
COURSE = course_of(LESSON)  # step 2 asks for a choice that step 3 answers, step 4 for a curve that step 5 answers
NAMES = list(COURSE.questions)
CHOICE, CURVE = COURSE.questions.values()
SECOND = find("shortcut")  # step 2 asks for a number that step 3 answers
PLAN = Course(
    title="Two lessons", sections=(*COURSE.sections, Section(title="Break", minutes=5), *course_of(SECOND).sections)
)
BREAK, LATER = PLAN.starts[1:]
RIGHT = truth(CHOICE)
QUESTIONS = {step.question.kind: step.question for one in shelf() for step in one.steps if isinstance(step, Predict)}


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    return Store(tmp_path, clock)


# --- rules -----------------------------------------------------------------------------------------------------------


def test_where_everybody_stands():
    room = Room("CODE", COURSE)
    assert place_of(room, Seat(4)) == LOBBY
    assert place_of(room.led(step=3), Seat(1)) == 3
    assert place_of(room.led(step=3, together=False), Seat(1)) == 1
    assert room.led(together=False).step == 1  # nobody runs in the lobby
    assert room.led(step=99).step == len(LESSON.steps) + 1
    assert room.led(step=-5).step == LOBBY
    assert room.led(step=5).led(step=2).furthest == {0: 5}


@given(st.lists(st.integers(-3, 12), max_size=8), st.lists(st.integers(-3, 12), max_size=8), st.booleans())
def test_a_prediction_is_open_until_anybody_could_have_seen_its_answer(leads, walks, together):
    """Against the plain reading: all steps that the teacher showed, or this student went to, lie before the answer."""
    room, seat, seen = Room("CODE", COURSE), Seat(), {LOBBY}
    for step in leads:
        room = room.led(step, together)
        seen.add(room.step)
    for step in walks:
        seat = seat.moved(room, step)
        seen.add(seat.step)
    for name, question in zip(NAMES, (CHOICE, CURVE), strict=True):
        answer = next(n for n, step in enumerate(LESSON.steps, 1) if step.kind == "reveal" and f"1.{step.of}" == name)
        # Steps are walked one by one: whoever stands at 6 has passed 5.
        if any(step >= answer for step in seen):
            with pytest.raises(RoomProblem, match="has been shown"):
                accepted(room, seat, name, truth(question))
        else:
            assert accepted(room, seat, name, truth(question)) == truth(question)


HOSTILE = [
    None, True, "", "nothing", "<script>", [], {}, {"a": 1}, ["most"], [1] * 10**4, 10**400, -1e308, "9" * 10**5,
    float("nan"), float("inf"), [float("nan")] * len(CURVE.points), [None] * len(CURVE.points), [[1]] * 6, b"x",
]  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: f"{type(value).__name__} {str(value)[:12]}")
@pytest.mark.parametrize("kind", sorted(QUESTIONS))
def test_hostile_predictions_are_refused(kind, value):
    lesson = next(one for one in shelf() for s in one.steps if isinstance(s, Predict) and s.question == QUESTIONS[kind])
    name = next(s.name for s in lesson.steps if isinstance(s, Predict) and s.question == QUESTIONS[kind])
    with pytest.raises(RoomProblem, match="no answer"):
        accepted(Room("CODE", course_of(lesson)), Seat(), f"1.{name}", value)


@pytest.mark.parametrize("name", ["", "nothing", None, 3, ["a"], {"a": 1}, "x" * 10**6])
def test_what_is_not_asked_is_refused(name):
    with pytest.raises(RoomProblem, match="not asked"):
        accepted(Room("CODE", COURSE), Seat(), name, RIGHT)


def test_numbers_and_curves_are_held_to_their_axes():
    number = QUESTIONS["number"]
    lesson = next(one for one in shelf() for s in one.steps if isinstance(s, Predict) and s.question == number)
    name = next(s.name for s in lesson.steps if isinstance(s, Predict) and s.question == number)
    assert accepted(Room("CODE", course_of(lesson)), Seat(), f"1.{name}", 1e11) == number.end
    high = accepted(Room("CODE", COURSE), Seat(), NAMES[1], [1e9] * len(CURVE.points))
    assert high == [CURVE.y_end] * len(CURVE.points)


def test_codes():
    codes = {rules.new_code() for _ in range(2000)}
    assert len(codes) == 2000
    assert {letter for code in codes for letter in code} == set(rules.LETTERS)
    assert len(rules.LETTERS) ** rules.CODE_LENGTH > 2**39
    assert rules.typed_code(" kx7m-q2td ") == "KX7MQ2TD" == rules.typed_code(rules.written_code("KX7MQ2TD"))
    for wrong in ("", "KX7M", "KX7MQ2TDA", "KX7M Q2T0", "K" * 10**6, "' OR 1=1 --"):
        assert rules.typed_code(wrong) == ""


def test_every_prediction_of_every_lesson_has_its_answer():
    for lesson in shelf():
        for number in course_of(lesson).answers.values():
            assert 1 < number <= len(lesson.steps)


# --- the file --------------------------------------------------------------------------------------------------------


def test_a_class_from_coming_in_to_closing(store, tmp_path):
    code, key = store.open(COURSE)
    assert store.look_up(key=key) == code
    assert store.key_of(code) == key
    assert store.look_up(key=code) is store.look_up(code=key) is None
    first, second = store.sit(code, "a"), store.sit(code, "b")
    assert first.room.course == COURSE
    assert place_of(first.room, first.seat) == LOBBY
    assert second.predictions == {}
    store.lead(code, step=2)
    store.predict(code, "a", NAMES[0], CHOICE.options[0].value)
    store.predict(code, "b", NAMES[0], CHOICE.options[0].value)
    store.predict(code, "a", NAMES[0], RIGHT)  # changed: still one for each seat
    assert store.class_of(code).of(NAMES[0]) == (RIGHT, CHOICE.options[0].value)
    assert store.class_of(code).here == 2
    store.lead(code, step=3)
    with pytest.raises(RoomProblem, match="has been shown"):
        store.predict(code, "b", NAMES[0], RIGHT)
    store.lead(code, step=2)  # back: it was seen
    with pytest.raises(RoomProblem, match="has been shown"):
        store.predict(code, "b", NAMES[0], RIGHT)
    store.close(code)
    assert store.room(code) is None
    assert store.news(code) is None
    for act in (lambda: store.sit(code, "c"), lambda: store.predict(code, "a", NAMES[0], RIGHT)):
        with pytest.raises(RoomProblem, match="closed"):
            act()
    with sqlite3.connect(tmp_path / FILE) as base:
        tables = ("rooms", "seats", "predictions", "goals")
        assert [base.execute(f"SELECT count(*) FROM {t}").fetchone() for t in tables] == [(0,)] * len(tables)
    base.close()
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert RIGHT.encode() not in left  # what is deleted is overwritten
    assert code.encode() not in left


def test_late_joiners_land_on_the_present_step_and_reloading_keeps_the_place(store):
    code, _ = store.open(COURSE)
    store.sit(code, "early")
    store.lead(code, step=4)
    late = store.sit(code, "late")
    assert place_of(late.room, late.seat) == 4
    store.predict(code, "late", NAMES[1], truth(CURVE))
    again = store.sit(code, "late")
    assert again.predictions == {NAMES[1]: truth(CURVE)}
    store.lead(code, together=False)
    assert store.sit(code, "early").seat.step == 4  # everybody runs from where they stood
    store.walk(code, "early", 6)
    store.walk(code, "early", 5)
    assert store.sit(code, "early").seat == Seat(5, {0: 6})
    assert store.places(code) == {4: 1, 5: 1}
    with pytest.raises(RoomProblem, match="has been shown"):  # this student has seen the answer, the others have not
        store.predict(code, "early", NAMES[1], truth(CURVE))
    store.predict(code, "late", NAMES[1], truth(CURVE))
    store.lead(code, together=True)
    store.walk(code, "late", 1)  # led again: going alone changes nothing
    seated = store.sit(code, "late")
    assert place_of(seated.room, seated.seat) == 4


def test_seats_are_bounded_and_whoever_left_takes_none(store, clock, monkeypatch):
    """Somebody who takes all seats once, with a prediction each, must not keep the class out for good."""
    monkeypatch.setattr("trustscope.app.classroom.store.MOST_SEATS", 3)
    monkeypatch.setattr("trustscope.app.classroom.store.MOST_KEPT", 5)
    code, _ = store.open(COURSE)
    for seat in ("a", "b", "c"):
        store.sit(code, seat)
        store.predict(code, seat, NAMES[0], RIGHT)
    with pytest.raises(RoomProblem, match="seats"):
        store.sit(code, "d")
    store.sit(code, "a")  # one's own is always there
    clock.now += AWAY
    store.beat(code, ["b"])
    assert store.class_of(code).here == 1
    store.sit(code, "d")
    store.sit(code, "e")
    with pytest.raises(RoomProblem, match="seats"):
        store.sit(code, "f")
    assert store.class_of(code).of(NAMES[0]) == (RIGHT,) * 3  # of who is away too
    assert store.sit(code, "a").predictions == {NAMES[0]: RIGHT}  # and who comes back has a seat
    clock.now += AWAY
    store.beat(code, ["b", "e"])
    store.sit(code, "f")
    with pytest.raises(RoomProblem, match="Nobody sits here"):
        store.predict(code, "d", NAMES[0], RIGHT)  # of five that are remembered it had no prediction
    clock.now += AWAY
    store.beat(code, ["e", "f"])
    store.sit(code, "g")
    assert store.class_of(code).of(NAMES[0]) == (RIGHT,) * 2
    with pytest.raises(RoomProblem, match="Nobody sits here"):
        store.predict(code, "c", NAMES[0], RIGHT)  # it had been away longest


def test_rooms_are_bounded_and_forgotten_ones_are_closed(store, clock):
    codes = [store.open(COURSE).code for _ in range(MOST_ROOMS)]
    with pytest.raises(RoomProblem, match="rooms are open"):
        store.open(COURSE)
    clock.now += UNUSED + 1
    store.beat(codes[0], [])
    store.open(COURSE)
    assert store.room(codes[0]) is not None
    assert store.room(codes[1]) is None


def test_a_commit_that_fails_leaves_nothing_locked(store, tmp_path):
    """As when the disk is full: the thread can write again, and so can everybody else."""
    code, _ = store.open(COURSE)

    def write():
        with store._writing() as base:
            base.execute("PRAGMA defer_foreign_keys = ON")  # what is wrong is found by the COMMIT
            base.execute("INSERT INTO predictions VALUES (?, 'nobody', 'x', 0, '1')", [code])

    with pytest.raises(sqlite3.IntegrityError):
        write()
    assert store.sit(code, "one").room.code == code
    assert Store(tmp_path).sit(code, "two").room.code == code


def test_rooms_do_not_see_one_another(store):
    one, other = store.open(COURSE).code, store.open(COURSE).code
    for code in (one, other):
        store.sit(code, "same seat")
    store.predict(one, "same seat", NAMES[0], RIGHT)
    assert store.class_of(other).of(NAMES[0]) == ()
    store.close(one)
    assert store.sit(other, "same seat").room.code == other


def test_the_table_is_complete_and_harmless(store):
    """A lesson may come from anybody, and a spreadsheet takes = for a formula."""
    content = json.loads(LESSON.model_dump_json())
    content["steps"][1]["question"]["options"][0]["text"] = "=HYPERLINK(1)"
    content["steps"][1]["question"]["ask"] = "=1+1"
    code, _ = store.open(course_of(type(LESSON).model_validate(content)))
    for seat, value in (("a", RIGHT), ("b", CHOICE.options[0].value)):
        store.sit(code, seat)
        store.predict(code, seat, NAMES[0], value)
    store.lead(code, step=4)
    store.predict(code, "a", NAMES[1], truth(CURVE))
    table = store.table(code)
    assert len(table) == 4, "a row for each seat and question, and for the one that nobody answered"
    assert set(table["student"]) == {1, 2}
    assert sorted(table["close"]) == ["", "no", "yes", "yes"]
    cells = [cell for line in as_csv(table).splitlines() for cell in line.lstrip("\ufeff").split(",")]
    assert not [cell for cell in cells if cell.lstrip('"')[:1] in ("=", "+", "@")]
    assert any("'=1+1" in cell for cell in cells)


def test_a_plan_is_gone_through_forwards_and_back_and_skipping_gives_nothing_away(store):
    code, _ = store.open(PLAN)
    store.sit(code, "a")
    number = f"3.{SECOND.steps[1].name}"
    store.lead(code, step=LATER + 2)  # straight to the answer of the second lesson
    with pytest.raises(RoomProblem, match="has been shown"):
        store.predict(code, "a", number, 0.5)
    store.lead(code, step=1)  # and to the first one, of which nothing was shown
    assert store.predict(code, "a", NAMES[0], RIGHT) == RIGHT
    store.lead(code, step=BREAK)
    late = store.sit(code, "late")
    assert late.room.course.section(place_of(late.room, late.seat)).lesson is None
    assert store.sit(code, "a").predictions == {NAMES[0]: RIGHT}


def test_whoever_runs_freely_stays_in_the_section(store):
    code, _ = store.open(PLAN)
    store.sit(code, "a")
    store.lead(code, step=2, together=False)
    assert store.walk(code, "a", 99).step == BREAK - 1, "the page that ends the lesson"
    store.lead(code, step=LATER)
    assert store.sit(code, "a").seat.step == LATER
    assert store.walk(code, "a", 1).step == LATER


def test_asking_again_keeps_the_first_answers(store):
    code, _ = store.open(COURSE)
    wrong = CHOICE.options[0].value
    for seat in ("a", "b", "c"):
        store.sit(code, seat)
    store.lead(code, step=2)
    for seat in ("a", "b"):
        store.predict(code, seat, NAMES[0], wrong)
    store.set(code, opened=True)
    room = store.ask_again(code)
    assert not room.opened, "what comes in is covered again"
    assert store.sit(code, "a").predictions == {}
    found = store.class_of(code)
    assert (found.of(NAMES[0]), found.before[NAMES[0]]) == ((), (wrong, wrong))
    store.predict(code, "a", NAMES[0], RIGHT)
    found = store.class_of(code)
    assert (found.of(NAMES[0]), found.before[NAMES[0]]) == ((RIGHT,), (wrong, wrong))
    store.lead(code, step=3)
    with pytest.raises(RoomProblem, match="asked again"):
        store.ask_again(code)
    rows = store.table(code).query("kind == 'predict'").set_index("student")
    assert list(rows["first answer"]) == [wrong, wrong, ""]
    assert list(rows["answer"]) == [RIGHT, wrong, ""], "who did not answer again said it once"
    assert list(rows["close"]) == ["yes", "no", ""]


def test_a_question_is_not_asked_for_ever(store):
    code, _ = store.open(COURSE)
    store.lead(code, step=2)
    for _ in range(MOST_ROUNDS - 1):
        store.ask_again(code)
    with pytest.raises(RoomProblem, match="asked again"):
        store.ask_again(code)


def test_answers_are_covered_until_they_are_opened_or_the_answer_is_shown():
    room = Room("CODE", COURSE).led(step=2)
    assert not room.uncovered
    assert replace(room, live=True).uncovered
    opened = replace(room, opened=True)
    assert opened.uncovered
    assert not opened.led(step=4).uncovered, "the next question is covered again"
    assert room.led(step=3).uncovered


def test_goals_are_counted_once_for_each_seat_and_only_where_there_is_one(store):
    code, _ = store.open(COURSE)
    place = next(n for n, step in COURSE.steps() if step.kind == "try")
    for seat in ("a", "b"):
        store.sit(code, seat)
    store.lead(code, step=place)
    before = store.news(code)
    for step in (place, place, 2, 99, -1):
        store.reach(code, "a", step)
    assert store.class_of(code).reached == {place: 1}
    assert store.news(code) == before + 1
    assert store.sit(code, "a").reached == {place}
    rows = store.table(code).query("kind == 'try'")
    assert list(rows["goal reached"]) == ["yes", "no"]


def test_a_countdown_is_the_same_for_everybody_and_goes_with_its_step(store, clock):
    code, _ = store.open(COURSE)
    store.lead(code, step=2)
    store.count_down(code, 60)
    clock.now += 20
    assert store.left(store.room(code)) == 40
    clock.now += 100
    assert store.left(store.room(code)) == 0
    assert store.lead(code, step=3).until is None
    assert store.count_down(code, None).until is None


CLASS = 60
STUDENTS = """
import random, sys, threading
from trustscope.app.classroom.store import Store
folder, code, name, first, last, *values = sys.argv[1:]
store = Store(folder)
def student(number):
    draw = random.Random(number)
    for _ in range(4):
        store.sit(code, f"seat {number}")
        store.predict(code, f"seat {number}", name, draw.choice(values))
        store.beat(code, [f"seat {number}"])
    store.predict(code, f"seat {number}", name, values[number % len(values)])
threads = [threading.Thread(target=student, args=[n]) for n in range(int(first), int(last))]
[t.start() for t in threads]; [t.join() for t in threads]
"""


def test_sixty_students_in_two_processes_at_once(tmp_path):
    """All write as fast as they can while the teacher looks: nothing is lost, doubled or refused."""
    store = Store(tmp_path)
    code, _ = store.open(COURSE)
    store.lead(code, step=2)
    values = [option.value for option in CHOICE.options]
    halves = [(0, CLASS // 2), (CLASS // 2, CLASS)]
    people = [
        subprocess.Popen([sys.executable, "-c", STUDENTS, str(tmp_path), code, NAMES[0], str(a), str(b), *values])
        for a, b in halves
    ]
    seen, ended = [0], threading.Event()

    def look():
        own = Store(tmp_path)
        while not ended.is_set():
            seen.append(len(own.class_of(code).of(NAMES[0])))

    teacher = threading.Thread(target=look)
    teacher.start()
    assert [process.wait() for process in people] == [0, 0]
    ended.set()
    teacher.join()
    found = store.class_of(code)
    assert sorted(found.of(NAMES[0])) == sorted(values[n % len(values)] for n in range(CLASS))
    assert seen == sorted(seen)  # each look finds at least what the one before found
    assert len({*store.table(code)["student"]}) == CLASS


# --- the picture -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(QUESTIONS))
@pytest.mark.parametrize("count", [0, 1, 60])
def test_every_prediction_is_in_the_picture_once(kind, count):
    question, draw = QUESTIONS[kind], random.Random(7)
    made = {
        "choice": lambda: draw.choice(question.options).value,
        "number": lambda: draw.choice([question.start, question.end, draw.uniform(question.start, question.end)]),
        "curve": lambda: [draw.uniform(question.y_start, question.y_end) for _ in question.points],
        "ranking": lambda: draw.sample(list(question.order), len(question.order)),
    }
    predictions = [made[kind]() for _ in range(count)]
    found = gathered(question, predictions, reveal=False)
    assert "truth" not in found  # nothing is given away
    assert found["count"] == count
    again = gathered(question, [], reveal=False, before=predictions)
    assert (again["count"], again["before"]) == (0, found)
    assert set(covered(question, count)) == {"kind", "ask", "count", "covered"}, "nothing of the answers is sent"
    shown = gathered(question, [*predictions, truth(question)], reveal=True)
    assert shown["truth"] == truth(question)
    assert shown["close"] == 1 + sum(is_close(question, one) for one in predictions)
    match kind:
        case "choice":
            assert [n for _, _, n in found["bars"]] == [predictions.count(o.value) for o in question.options]
        case "number":
            edges = np.append(found["start"] + found["wide"] * np.arange(len(found["bins"])), found["end"])
            assert found["bins"] == np.histogram(predictions, edges)[0].tolist()
            assert found["end"] >= question.end - 1e-9
        case "curve":
            assert found["curves"] == predictions
        case "ranking":
            for value, _, counts in found["ranks"]:
                assert counts == [sum(one[k] == value for one in predictions) for k in range(len(question.order))]
            means = [sum(one.index(value) for one in predictions) for value, _, _ in found["ranks"]]
            assert means == sorted(means)


def test_bins_hold_whole_steps_of_the_slider():
    """A prediction at a bin's edge counts above it, whatever rounding makes of the edge."""
    question = QUESTIONS["number"]
    places = [question.start + k * question.step for k in range(round((question.end - question.start) / question.step))]
    bins = gathered(question, places, reveal=False)["bins"]
    assert sum(bins) == len(places)
    assert len({*bins[:-1]}) == 1  # every bin but the last has the same number of places


def test_the_address_for_students():
    alone = Plan.from_options(port=5999)
    assert "--address 0.0.0.0" in address_of(alone, "KX7MQ2TD").warning
    assert address_of(alone, "KX7MQ2TD")[:2] == ("127.0.0.1:5999/class", "http://127.0.0.1:5999/class?code=KX7MQ2TD")
    named = Plan.from_options(port=5999, address="0.0.0.0", origins=["http://class.example.org"])
    assert address_of(named, "KX7MQ2TD").shown == "class.example.org/class"
    assert address_of(named, "KX7MQ2TD").warning == ""
    proxied = Plan.from_options(port=5999, origins=["https://class.example.org"])
    assert address_of(proxied, "KX7MQ2TD")[:2] == (
        "class.example.org/class", "https://class.example.org/class?code=KX7MQ2TD",
    )  # fmt: skip
    picture = qr("http://127.0.0.1:5999/class?code=KX7MQ2TD")
    assert picture.startswith("<svg")
    assert picture != qr("http://127.0.0.1:5999/class?code=KX7MQ2TE")
