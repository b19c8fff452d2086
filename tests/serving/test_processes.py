"""Real processes: sessions stay with theirs, one that dies is replaced, and nothing is left behind at the end."""

import asyncio
import contextlib
import os
import signal
import time

import psutil
from bokeh.util.token import generate_jwt_token

from tests.serving.visitors import TIMEOUT, connect, fetch, free_port, hung_up, knock, receive, serving, token_in
from trustscope.app.serving import homes

SMALL = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


async def until(condition, what):
    """Wait for a condition; connections are looked after meanwhile, for the server gives up who falls silent."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        await asyncio.sleep(0.05)


def served(port, *options):
    return serving("trustscope", "serve", "--no-open", "--port", str(port), "--log-level", "info", *options, env=SMALL)


def workers(server):
    return [c for c in psutil.Process(server.process.pid).children() if c.status() != psutil.STATUS_ZOMBIE]


async def opened(address):
    """The number of the process in which a page was opened, and the page's connection."""
    token = token_in((await asyncio.to_thread(fetch, address))[2])
    connection = await connect(address, token)
    assert (await receive(connection))[0] == "ACK"
    return homes.home(homes.get_session_id(token), 2), connection


SEATS = 7


@contextlib.contextmanager
def two():
    port = free_port()
    with served(port, "--processes", "2", "--max-sessions", str(SEATS)) as server:
        server.wait_for("Ready")
        server.address = f"http://127.0.0.1:{port}"
        assert fetch(f"{server.address}/health")[0] == 200
        for number in range(2):
            answered_by(server, number)
        yield server


def answered_by(server, number):
    """Wait until one of the two processes is ready: a connection for a session of its own waits for it."""
    token = generate_jwt_token(homes.new_session_id(b"not the server's", number, 2))
    knock(server.address, token)  # opened or refused: it says something


def test_sessions_stay_a_dead_process_is_replaced_seats_are_counted_and_no_process_outlives_the_supervisor():
    """One life of two processes; `test_class.py` has the end of one that is stopped as it should be."""
    with two() as server:
        asyncio.run(_life(server))


async def _life(server):
    """Each page's websocket finds the session that the page opened: no page is built a second time."""
    seen = [await opened(server.address) for _ in range(6)]
    ends = {asyncio.ensure_future(hung_up(connection)): home for home, connection in seen}
    assert set(ends.values()) == {0, 1}  # both work
    await _silent(server)
    number = await _replaced(server, ends)
    # Whoever is in the other process has noticed nothing and keeps the seat; the seats of the dead one are free again.
    ends = {end: home for end, home in ends.items() if home != number}
    for _ in range(SEATS - len(ends)):
        home, connection = await opened(server.address)
        ends[asyncio.ensure_future(hung_up(connection))] = home
    assert set(ends.values()) == {0, 1}
    status, headers, page = await asyncio.to_thread(fetch, server.address)
    assert status == 503
    assert b"All seats are taken" in page
    assert headers["Retry-After"]
    assert not [end for end in ends if end.done()]
    assert "Traceback" not in server.said
    family = psutil.Process(server.process.pid).children(recursive=True)
    assert len(family) >= 2
    server.process.kill()
    server.process.wait()
    try:
        assert set(await asyncio.wait_for(asyncio.gather(*ends), TIMEOUT)) == {(1001, "The server is stopping.")}
        _, alive = psutil.wait_procs(family, timeout=TIMEOUT)
        assert alive == []
    finally:
        for process in family:  # left alive, they would hold what the server prints, and the test would never end
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


async def _silent(server):
    """Whoever comes while a process does not turn is served by the other; it has visitors again when it goes on."""
    stopped = workers(server)[0]
    stopped.send_signal(signal.SIGSTOP)
    try:
        statuses = [(await asyncio.to_thread(fetch, f"{server.address}/health"))[0] for _ in range(6)]
        assert set(statuses) == {200}
        server.wait_for("does not answer")
    finally:
        stopped.send_signal(signal.SIGCONT)
    await asyncio.to_thread(answered_by, server, int(stopped.cmdline()[-1]))


async def _replaced(server, ends) -> int:
    """Kill a process and wait for another one; its number."""
    before = {worker.pid for worker in workers(server)}
    assert len(before) == 2
    victim = workers(server)[0]
    number = int(victim.cmdline()[-1])
    victim.kill()
    await until(lambda: len({worker.pid for worker in workers(server)} - before) == 1, "a new process")
    _, late = await asyncio.wait([end for end, home in ends.items() if home == number], timeout=TIMEOUT)
    assert not late
    server.wait_for("ended (-9); starting another")
    await asyncio.to_thread(answered_by, server, number)
    return number


def test_processes_that_die_at_once_are_not_restarted_for_ever():
    port = free_port()

    with serving("tests.serving.broken", str(port), env=SMALL) as server:
        assert server.process.wait(TIMEOUT) == 1
        server.wait_for("giving up")
