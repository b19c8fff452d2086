"""Real processes: sessions stay with theirs, one that dies is replaced, and nothing is left behind at the end."""

import asyncio
import os
import signal
import time

import psutil
import pytest

from tests.serving.visitors import TIMEOUT, connect, fetch, free_port, receive, serving, token_in
from trustscope.app.serving import homes

SMALL = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def until(condition, what):
    """Wait for a condition."""
    deadline = time.monotonic() + TIMEOUT
    while not (found := condition()):
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.05)
    return found


def served(port, *options):
    return serving("trustscope", "serve", "--no-open", "--port", str(port), "--log-level", "info", *options, env=SMALL)


def workers(server):
    return [c for c in psutil.Process(server.process.pid).children() if c.status() != psutil.STATUS_ZOMBIE]


async def opened(address):
    token = token_in(fetch(address)[2])
    connection = await connect(address, token)
    assert (await receive(connection))[0] == "ACK"
    return token, connection


async def rest(connection):
    while await connection.read_message() is not None:
        pass
    said = connection.close_code, connection.close_reason
    connection.close()  # for the client's own book-keeping
    return said


@pytest.fixture
def two():
    port = free_port()
    with served(port, "--processes", "2", "--max-sessions", "7") as server:
        server.wait_for("Ready")
        until(lambda: fetch(f"http://127.0.0.1:{port}/health")[0] == 200, "healthy")
        server.address = f"http://127.0.0.1:{port}"
        yield server


def test_sessions_stay_with_their_process_and_a_dead_process_is_replaced(two):
    """Each page's websocket finds the session that the page opened: no page is built a second time."""

    async def visits():
        seen = [await opened(two.address) for _ in range(6)]
        numbers = {homes.home(homes.get_session_id(token), 2) for token, _ in seen}
        assert numbers == {0, 1}  # both work
        return seen

    async def story():
        seen = await visits()
        before = {worker.pid for worker in workers(two)}
        assert len(before) == 2
        victim = workers(two)[0]
        victim.kill()
        lost = [asyncio.ensure_future(rest(connection)) for _, connection in seen]
        until(lambda: len({w.pid for w in workers(two)} - before) == 1, "a new process")
        await asyncio.wait(lost, timeout=5, return_when=asyncio.FIRST_COMPLETED)
        gone = [task for task in lost if task.done()]
        assert 0 < len(gone) < 6  # the visitors of the other process have noticed nothing
        _, connection = await opened(two.address)
        connection.close()
        for _, connection in seen:
            connection.close()
        await asyncio.wait(lost, timeout=TIMEOUT)

    asyncio.run(story())
    two.wait_for("ended (-9); starting another")
    assert "Traceback" not in two.said


def test_when_all_seats_are_taken_a_page_says_so_and_stopping_leaves_no_process(two):
    async def story():
        seen = [(await opened(two.address))[1] for _ in range(7)]
        status, headers, page = fetch(two.address)
        assert status == 503
        assert b"All seats are taken" in page
        assert headers["Retry-After"]
        family = psutil.Process(two.process.pid).children(recursive=True)
        two.process.send_signal(signal.SIGTERM)
        goodbyes = await asyncio.gather(*(rest(connection) for connection in seen))
        assert set(goodbyes) == {(1001, "The server is stopping.")}
        return family

    family = asyncio.run(story())
    assert two.process.wait(TIMEOUT) == 0
    _, alive = psutil.wait_procs(family, timeout=TIMEOUT)
    assert alive == []
    two.wait_for("Trustscope has stopped.")
    assert "Traceback" not in two.said


def test_a_supervisor_that_is_killed_takes_its_processes_with_it(two):
    family = psutil.Process(two.process.pid).children(recursive=True)
    two.process.kill()
    two.process.wait()
    _, alive = psutil.wait_procs(family, timeout=TIMEOUT)
    assert alive == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_one_process_stops_as_well(number):
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with served(port) as server:
        server.wait_for("Trustscope is at")

        async def story():
            _, connection = await opened(address)
            server.process.send_signal(number)
            assert await rest(connection) == (1001, "The server is stopping.")

        asyncio.run(story())
        assert server.process.wait(TIMEOUT) == 0
        server.wait_for("Trustscope has stopped.")
        assert "Traceback" not in server.said


def test_processes_that_die_at_once_are_not_restarted_for_ever():
    port = free_port()

    with serving("tests.serving.broken", str(port), env=SMALL) as server:
        assert server.process.wait(TIMEOUT) == 1
        server.wait_for("giving up")
