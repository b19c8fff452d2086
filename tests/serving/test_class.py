"""A class over real connections: who is let in where, that rooms span processes, and that nothing is left behind."""

import asyncio
import contextlib
import os
import re
import signal
import stat
import time
from pathlib import Path

import psutil
import pytest

from benchmarks.visitors import Visitor
from tests.serving.visitors import TIMEOUT, fetch, free_port, knock, serving, token_in
from tests.soak.people import until as on_page
from trustscope.app.classroom.room import SHOWN
from trustscope.app.classroom.store import Store
from trustscope.app.cli import main
from trustscope.app.serving import access, homes
from trustscope.app.serving.doors import Doors
from trustscope.app.serving.plan import Plan
from trustscope.lessons.course import course_of
from trustscope.lessons.reader import find

LESSON = find("two-copies")
ASKED = LESSON.steps[1]  # a choice, which step 3 answers
NAME = f"1.{ASKED.name}"  # as the room calls it
STUDENTS = 6  # over the wire; sixty are in tests/app/test_class_room.py and in the benchmark


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A class in two processes, with the file that it keeps."""
    tmp_path = tmp_path_factory.mktemp("rooms")
    port = free_port()
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "TMPDIR": str(tmp_path), "TRUSTSCOPE_TOKEN": ""}
    options = ("--no-open", "--port", str(port), "--log-level", "info", "--processes", "2")
    with serving("trustscope", "class", LESSON.id, *options, env=environment) as server:
        server.wait_for("Ready")
        server.address = f"http://127.0.0.1:{port}"
        (server.folder,) = tmp_path.glob("*/trustscope-class-*")
        server.store = Store(server.folder)
        yield server
    assert "Traceback" not in server.said
    assert not list(tmp_path.iterdir())  # nothing is kept


class Opened:
    """A room of its own on the server, for one test."""

    def __init__(self, server):
        self.address, self.store, self.folder = server.address, server.store, server.folder
        self.code, self.key = server.store.open(course_of(LESSON))


@pytest.fixture
def room(server):
    return Opened(server)


def cookie_of(headers):
    return headers["Set-Cookie"].partition(";")[0]


def entered(room, code=None):
    """The cookie of a student who came in."""
    status, headers, _ = fetch(f"{room.address}/class?code={code or room.code}")
    assert (status, headers["Location"]) == (303, "/class")
    assert "HttpOnly" in headers["Set-Cookie"]
    assert "expires" not in headers["Set-Cookie"].lower()  # it goes with the browser's session
    return cookie_of(headers)


def teacher_of(room):
    """The cookie of the teacher."""
    status, headers, _ = fetch(f"{room.address}/teach?key={room.key}")
    assert (status, headers["Location"]) == (303, "/teach")
    return cookie_of(headers)


async def until(condition, what):
    deadline = time.monotonic() + TIMEOUT
    while not (found := condition()):
        assert time.monotonic() < deadline, f"never: {what}"
        await asyncio.sleep(0.05)
    return found


async def standing(visitor, kind, attribute=None, value=None):
    """Wait until a control is on the page, with this value."""
    found = []

    def there():
        with contextlib.suppress(LookupError):
            found[:] = [visitor.find(kind)]
        return found and (attribute is None or found[0]["data"].get(attribute) == value)

    await visitor.pull()
    await on_page(visitor, there, f"{kind} with {attribute} = {value}")
    return found[0]


def drawn(control):
    """The counts of the teacher's picture."""
    picture = dict(control["data"]["picture"]["entries"])
    return {bar[0]: bar[2] for bar in picture["bars"]}, picture["count"]


def test_students_get_into_their_room_and_nowhere_else(room):
    assert stat.S_IMODE(Path(room.folder).stat().st_mode) == 0o700
    status, _, page = fetch(f"{room.address}/class")
    assert status == 401
    assert b'name="code"' in page
    assert b"<script" not in page
    student = {"Cookie": entered(room, f"{room.code[:4].lower()}-{room.code[4:].lower()}")}
    status, _, page = fetch(f"{room.address}/class", student)
    assert status == 200
    token = token_in(page)
    assert fetch(f"{room.address}/static/js/bokeh.min.js", student)[0] == 200
    elsewhere = ("/", "/teach", "/teach?key=x", "/?page=trust", "/metrics", "/class/autoload.js", "/class/metadata")
    for path in elsewhere:
        assert fetch(room.address + path, student)[0] in (401, 403, 404), path
    # The session of a page opens at its own door, for its own browser.
    assert _handshake(room, "/class/ws", token, student) == 101
    assert _handshake(room, "/ws", token, student) == 403
    assert _handshake(room, "/teach/ws", token, student) == 403
    assert _handshake(room, "/class/ws", token, {"Cookie": entered(room)}) == 403
    assert _handshake(room, "/class/ws", token, {}) == 403
    for forged in (f"{room.code}.seat.signature", f"{room.code}..", "...", "x" * 10_000):
        name = student["Cookie"].partition("=")[0]
        assert fetch(f"{room.address}/class", {"Cookie": f"{name}={forged}"})[0] == 401
        assert fetch(f"{room.address}/teach", {"Cookie": f"{name.replace('class', 'teach')}={forged}"})[0] == 403
    # A student's cookie is none of a teacher's, and a header that a browser sends is not believed.
    value = student["Cookie"].partition("=")[2]
    assert fetch(f"{room.address}/teach", {"Cookie": f"{name.replace('class', 'teach')}={value}"})[0] == 403
    place = {"Trustscope-Place": f"/teach {room.code} x"}
    assert fetch(f"{room.address}/class", {**student, **place})[0] == 200
    assert fetch(f"{room.address}/class", place)[0] == 401
    teacher = {"Cookie": teacher_of(room)}
    assert fetch(f"{room.address}/teach", teacher)[0] == 200
    assert fetch(f"{room.address}/class", teacher)[0] == 401


def _handshake(room, path, token, headers):
    """The status with which a websocket's handshake at a path is answered."""
    host = room.address.removeprefix("http://")
    return knock(room.address, token, {"Host": host, **headers}, path=path)


def test_a_class_over_the_wire(room):
    """In both processes: predictions reach the teacher, hostile messages nobody, late and returning students theirs."""
    asyncio.run(_story(room))


async def filled(address, cookie, least):
    """At least so many visitors, and in both processes: the first that is ready does not wait for the other."""
    people, seen = [], set()
    while len(people) < least or seen != {0, 1}:
        one = Visitor(address, headers={"Cookie": cookie()})
        await one.open()
        people.append(one)
        seen.add(homes.home(homes.get_session_id(one.token), 2))
        assert len(people) < 100, "never: a page from the other process"
    return people


async def _story(room):
    teacher = Visitor(f"{room.address}/teach/", headers={"Cookie": teacher_of(room)})
    await teacher.open()
    people = await filled(f"{room.address}/class/", lambda: entered(room), STUDENTS)
    students = len(people)
    await until(lambda: room.store.class_of(room.code).here == students, "all are there")
    await standing(teacher, "Conduct", "here", students)
    room.store.lead(room.code, step=2)  # past the pictures of the first step, which take a while
    await standing(teacher, "Conduct", "step", 2)
    values = [option.value for option in ASKED.question.options]
    controls = await asyncio.gather(*(standing(one, "Answers") for one in people))
    for number, (one, control) in enumerate(zip(people, controls, strict=True)):
        await one.send_control(control, value=values[number % len(values)])
    await until(lambda: len(room.store.class_of(room.code).of(NAME)) == students, "all have predicted")
    await standing(teacher, "Conduct", "done", students)
    assert "bars" not in str(await standing(teacher, "Crowd")), "while they are covered, the page does not get them"
    await teacher.send_control(await standing(teacher, "Crowd"), kind="live")
    await standing(teacher, "Crowd", "live", True)
    counts, count = drawn(await standing(teacher, "Crowd"))
    assert count == students == sum(counts.values())
    assert counts == {value: len(range(place, students, len(values))) for place, value in enumerate(values)}
    # What a page has no button for: to go on alone, out of the lesson, and to answer with anything.
    hostile, control = people[0], controls[0]
    lesson = await standing(hostile, "LessonRoom")
    for kind in ("next", "free", "leave", "teach", "paper", "nothing"):
        await hostile.send_control(lesson, kind=kind)
    for value in (None, 7, ["a"], "<b>", values):
        await hostile.send_control(control, value=value)
    await hostile.barrier()
    await standing(hostile, "Answers", "value", values[0])
    assert room.store.class_of(room.code).of(NAME).count(values[0]) == counts[values[0]]
    # A reload finds the place and the prediction; whoever is new lands on the present step, without one.
    again = Visitor(hostile.address, headers=hostile.headers)
    late = Visitor(hostile.address, headers={"Cookie": entered(room)})
    await hostile.close()
    for visitor, value in ((again, values[0]), (late, None)):
        await visitor.open()
        await standing(visitor, "Answers", "value", value)
    # The teacher reloads too, and shows the answer: from now on nothing is taken.
    other = Visitor(teacher.address, headers=teacher.headers)
    await teacher.close()
    await other.open()
    await other.move(await standing(other, "Conduct", "place", 2), kind="next", number=2)
    await standing(late, "Answers", "truth", ASKED.question.right)
    await late.send_control(await standing(late, "Answers"), value=values[0])
    await late.barrier()
    assert len(room.store.class_of(room.code).of(NAME)) == students
    # A second click, sent before the first one was answered, goes nowhere.
    await other.send_control(await standing(other, "Conduct", "place", 3), kind="next", number=2)
    await other.barrier()
    assert room.store.room(room.code).step == 3
    # Back at the question, the wall has the picture again, and nobody is asked for what is not taken any more.
    await other.move(await standing(other, "Conduct", "place", 3), kind="back", number=3)
    await standing(other, "LessonRoom", "asked", False)
    picture = await standing(other, "Crowd")
    assert not picture["data"].get("compact")
    assert drawn(picture)[1] == students
    await standing(late, "LessonRoom", "closed", True)
    await standing(late, "Strip", "text", SHOWN)
    # Everybody goes on alone, and is gathered again from wherever they stand.
    await other.send_control(await standing(other, "Conduct", "place", 2), kind="apart")
    await late.send_control(await standing(late, "LessonRoom", "steps_shown", True), kind="next")
    await standing(late, "LessonRoom", "can_go_back", True)
    await until(lambda: room.store.class_of(room.code).places.get(3) == 1, "one has gone on")
    await other.send_control(await standing(other, "Conduct", "together", False), kind="together")
    await standing(late, "LessonRoom", "steps_shown", False)
    await standing(late, "LessonRoom", "closed", True)
    # Closed: every page says so, and the file is empty.
    await other.send_control(await standing(other, "Conduct"), kind="close")
    for one in (late, again, people[1]):
        await standing(one, "Greeting", "title", "This room is closed.")
    assert room.store.room(room.code) is None
    for one in (*people[1:], late, again, other):
        await one.close()


def test_what_is_announced(server):
    """The teacher's link works, and the code that is read out is that of its room."""
    status, headers, _ = fetch(re.search(r"is at (\S+)", server.said)[1])
    assert status == 303
    assert headers["Location"].startswith("/teach?key=")  # the token has become a cookie, the key is next
    code = re.search(r"type the code (\w{4} \w{4})", server.said)[1].replace(" ", "")
    assert server.store.look_up(key=headers["Location"].partition("key=")[2]) == code
    assert "No student can reach this address" in server.said


def test_wrong_codes_are_limited_and_keep_nobody_out_who_is_in(server, room):
    student = {"Cookie": entered(room)}
    statuses = []
    # Two processes count apart, and may together not allow more than one would. A slow machine may take longer for an
    # answer than the first waits last: they grow, so that one of them is met.
    while 429 not in statuses and len(statuses) < access.TRIES + 10:
        statuses.append(fetch(f"{room.address}/class?code=KX7MQ2T{len(statuses) % 8 + 2}")[0])
    assert statuses[0] == 403
    assert statuses[-1] == 429
    assert fetch(f"{room.address}/class", student)[0] == 200
    assert fetch(f"{room.address}/class?code={room.code}")[0] == 303
    assert app_cookie(server)  # the app's own secret is counted apart


def app_cookie(server):
    """The cookie of whoever has the app's own secret, for all pages."""
    token = re.search(r"token=([\w-]+)", server.said)[1]
    status, headers, _ = fetch(f"{server.address}/?token={token}")
    assert status == 303
    return cookie_of(headers)


def test_stopping_says_goodbye_in_both_processes_and_leaves_no_process(server):
    """The last one with this server, which is ended here; the fixture then looks for what is left of its file."""

    async def story():
        people = await filled(f"{server.address}/", lambda: app_cookie(server), 2)
        family = psutil.Process(server.process.pid).children(recursive=True)
        server.process.send_signal(signal.SIGTERM)
        for one in people:
            await asyncio.wait_for(one.reader, TIMEOUT)
            assert (one.socket.close_code, one.socket.close_reason) == (1001, "The server is stopping.")
            await one.close()
        return family

    family = asyncio.run(story())
    assert server.process.wait(TIMEOUT) == 0
    _, alive = psutil.wait_procs(family, timeout=TIMEOUT)
    assert alive == []
    server.wait_for("Trustscope has stopped.")
    assert "Traceback" not in server.said


def test_codes_and_keys_open_their_own_door_and_tries_are_counted_by_address(tmp_path):
    plan, store = Plan.from_options(), Store(tmp_path)
    counted = access.Access(plan).room_tries
    doors = Doors(plan, store, counted)
    code, key = store.open(course_of(LESSON))
    assert doors.find("/class", code) == code == doors.find("/teach", key)
    for wrong in ("", code[:-1], key, "x" * 10**6):
        assert doors.find("/class", wrong) is None
    assert doors.find("/teach", code) is None
    for _ in range(access.TRIES):
        assert not counted.exhausted("10.1.1.1")
        counted.failed("10.1.1.1")
    assert counted.exhausted("10.1.1.1")
    assert not counted.exhausted("10.1.1.2")


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    assert main(["class", "no-such-lesson", "--no-open"]) == 2
    assert "there is no lesson or plan 'no-such-lesson': name a file, or one of 45-minutes" in capsys.readouterr().err
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    assert main(["class", str(broken), "--no-open"]) == 2
    assert "broken.json, steps: this is missing: write it" in capsys.readouterr().err
