"""Processes that hang: when they count as silent, what becomes of their connections, and when they are ended."""

import asyncio
import contextlib
import errno
import socket
from types import SimpleNamespace

import pytest

from trustscope.app.serving import pulse, supervisor, worker
from trustscope.app.serving.plan import Plan
from trustscope.app.serving.pulse import HUNG, LATE, SILENT, Pulse

LOOK = 0.2


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_a_process_that_beats_is_not_silent_and_one_that_does_not_is():
    clock = Clock()
    watched = Pulse(2, clock)
    for beat in range(50):
        clock.now += LOOK
        watched.look([beat, 7])
    assert watched.silence(0) == 0
    assert watched.silence(1) == pytest.approx(49 * LOOK)


def test_who_did_not_look_says_of_nobody_that_they_were_silent():
    """After Ctrl-Z and fg, or when the machine has slept, all go on together."""
    clock = Clock()
    watched = Pulse(1, clock)
    watched.look([3])
    clock.now += 1000
    watched.look([3])
    assert watched.silence(0) == 0
    clock.now += LATE / 2
    watched.look([3])
    assert watched.silence(0) == LATE / 2


def test_a_new_process_is_not_silent_because_the_one_before_was():
    clock = Clock()
    watched = Pulse(1, clock)
    for _ in range(20):
        clock.now += LOOK
        watched.look([3])
    assert watched.silence(0) > SILENT
    watched.forget(0)
    watched.look([0])
    assert watched.silence(0) == 0


class Ended:
    """In place of a started process."""

    def __init__(self):
        self.returncode = self.killed = None

    def poll(self):
        return self.returncode

    def kill(self):
        self.killed, self.returncode = True, -9

    def wait(self):
        raise AssertionError("nobody waits for a process to be taken down")


@pytest.fixture
def two(monkeypatch):
    """A supervisor of two processes that are not started, with the far ends of their channels and a clock."""

    def process(number, board):
        made = object.__new__(supervisor.Process)
        with monkeypatch.context() as patch:
            patch.setattr(supervisor.subprocess, "Popen", lambda *_, **__: Ended())
            near, far = socket.socketpair()
            patch.setattr(
                supervisor.socket, "socketpair", lambda: (near, SimpleNamespace(fileno=far.fileno, close=int))
            )
            made.__init__(Plan.from_options(processes=2), number, board, {})
        far.recv(65536)  # the plan
        far.setblocking(False)
        return made, far

    clock = Clock()
    watching = supervisor.Supervisor(Plan.from_options(processes=2), [])
    watching._pulse = Pulse(2, clock)
    made = [process(number, watching._board) for number in range(2)]
    watching._processes = [one for one, _ in made]
    for number in range(2):
        watching._board.write(number, "ready", 1)
    yield watching, [far for _, far in made], clock
    for one, far in made:
        one.channel.close()
        far.close()
    watching._board.close()


def listen(watching, clock, seconds):
    """Let time pass in which the second process beats and the first does not."""
    for _ in range(round(seconds / LOOK)):
        clock.now += LOOK
        watching._board.write(1, "beat", watching._board.read(1, "beat") + 1)
        watching._listen()


def taken(far):
    """The connection that a process was handed, or none."""
    with contextlib.suppress(BlockingIOError):
        _, descriptors, _, _ = socket.recv_fds(far, 1, 1)
        return socket.socket(fileno=descriptors[0])


def test_what_a_silent_process_was_given_goes_to_another_and_it_is_ended_after_a_while(two):
    watching, (_, well), clock = two
    here, visitor = socket.socketpair()

    async def story():
        watching._listen()
        assert watching._processes[0].hand_over(here, b"GET / HTTP/1.1\r\n\r\n")
        listen(watching, clock, SILENT + LOOK)
        await asyncio.gather(*watching._tasks)
        with taken(well) as connection:
            connection.sendall(b"answer")
            assert visitor.recv(100) == b"answer"
        assert watching._board.read(0, "recalled") == 1  # should it wake up, it knows
        assert [watching._well(number) for number in range(2)] == [0, 1]
        assert watching._processes[0].process.killed is None
        listen(watching, clock, HUNG)
        assert watching._processes[0].process.killed
        assert watching._processes[1].process.killed is None

    asyncio.run(story())
    here.close()
    visitor.close()


def test_a_connection_is_kept_until_the_process_has_said_that_it_took_it(two):
    watching, (far, _), _ = two
    here, visitor = socket.socketpair()

    async def story():
        process = watching._processes[0]
        assert process.hand_over(here, b"")
        assert here.fileno() >= 0
        with taken(far):
            far.send(b"t")
            process.acknowledge(asyncio.get_running_loop())
        assert here.fileno() < 0
        assert process.recall() == []

    asyncio.run(story())
    visitor.close()


def test_a_connection_that_is_lost_on_its_way_is_counted_on_both_sides(two, monkeypatch):
    """A process that can open no more files gets the message alone; from then on the numbers would be one off."""
    watching, (far, _), _ = two
    process, took = watching._processes[0], []
    serving = object.__new__(worker.Worker)
    serving.process, serving.board, serving._handed, serving._take = 0, watching._board, 0, took.append
    ends = []

    def receive(files):
        with monkeypatch.context() as patch:
            if not files:
                patch.setattr(worker.socket, "recv_fds", lambda channel, *sizes: (channel.recv(1), [], 0, None))
            serving._connection(far, asyncio.Event())

    async def story():
        for files in (False, True):
            here, visitor = socket.socketpair()
            ends.extend((here, visitor))
            assert process.hand_over(here, b"")
            receive(files)
            process.acknowledge(asyncio.get_running_loop())
            assert here.fileno() < 0
        assert (process.sessions, len(took), serving._handed) == (0, 1, 2)
        process.recall()
        here, visitor = socket.socketpair()
        ends.extend((here, visitor))
        process.hand_over(here, b"")
        receive(True)
        assert len(took) == 2  # it came after what was taken back

    asyncio.run(story())
    for one in (*ends, *took):
        one.close()


def test_visitors_who_come_in_one_moment_are_shared_out(two):
    """A busy process counts its visitors late: until it has taken them, they count as on their way to it."""
    watching, fars, _ = two
    watching._board.write(0, "sessions", 2)
    ends = []

    def there():
        return [process.sessions for process in watching._processes]

    async def story():
        for _ in range(4):
            here, visitor = socket.socketpair()
            ends.extend((here, visitor))
            assert await watching._hand_over(here, b"GET /?page=trust HTTP/1.1\r\n\r\n")
        assert there() == [3, 3]  # by what was counted alone, all four would have gone to the second one
        for process, far, many in zip(watching._processes, fars, (1, 3), strict=True):
            for _ in range(many):
                taken(far).close()
            far.send(b"t" * many)
            process.acknowledge(asyncio.get_running_loop())
        assert there() == [2, 0]

    asyncio.run(story())
    for one in ends:
        one.close()


def test_a_process_that_is_being_taken_down_is_ended_once_and_replaced_when_it_has_ended(two, monkeypatch):
    """A large one takes seconds; meanwhile nobody may wait for it."""
    watching, _, clock = two
    process, kills = watching._processes[0], []
    monkeypatch.setattr(process.process, "kill", lambda: kills.append(clock.now))
    watching._listen()
    listen(watching, clock, 2 * HUNG)
    assert len(kills) == 1
    process.process.returncode = -9
    monkeypatch.setattr(watching, "_start", lambda number: Ended)
    asyncio.run(turn(watching))
    assert watching._processes[0] is Ended


async def turn(watching):
    return watching._look()


def test_the_server_goes_on_where_no_process_can_be_started_for_a_while(two, monkeypatch):
    """What kills a process, such as a lack of memory, often keeps another from being started."""
    watching, _, _ = two
    before, left = watching._processes[0], [OSError(errno.ENOMEM, "no memory")] * (2 * supervisor.RESTARTS)
    ends = []

    def start(command, pass_fds, **_):
        ends.append(pass_fds[0])
        if left:
            raise left.pop()
        return Ended()

    monkeypatch.setattr(supervisor, "AGAIN", 0.0)
    monkeypatch.setattr(supervisor.subprocess, "Popen", start)
    before.process.returncode = -9
    here, visitor = socket.socketpair()

    async def story():
        before.hand_over(here, b"GET / HTTP/1.1\r\n\r\n")
        while left:
            assert watching._look()
            assert watching._processes[0] is before
            assert not watching._well(0)
        assert len(watching._deaths) == 1  # it died once, however often another was tried
        assert watching._look()
        assert watching._processes[0] is not before
        await asyncio.gather(*watching._tasks)
        watching._forget(watching._processes[0])

    asyncio.run(story())
    assert len(set(ends)) == 1  # none is left open
    here.close()
    visitor.close()


def test_a_turn_that_fails_is_said_once_and_is_not_the_end(two, monkeypatch):
    watching, _, _ = two
    turns, said = iter([RuntimeError("odd"), RuntimeError("odd"), True, False]), []

    def look():
        if isinstance(found := next(turns), Exception):
            raise found
        return found

    monkeypatch.setattr(supervisor, "LOOK", 0.0)
    monkeypatch.setattr(watching, "_look", look)
    monkeypatch.setattr(supervisor.log, "report_error", lambda error, where: said.append(error))
    asyncio.run(asyncio.wait_for(watching._watch(lambda: None), 60))
    assert next(turns, "through") == "through"
    assert len(said) == 1


def test_times_are_in_order():
    assert 2 * pulse.BEAT < SILENT < HUNG
