"""A process that hangs: it must attract nobody, be replaced, and its visitors must learn of it."""

import asyncio
import signal
import time

import psutil

from tests.harden.ground import Asking, Report, attacked
from tests.serving.visitors import connect, fetch, hung_up, receive, token_in
from trustscope.app.serving import homes, pulse

OPENINGS = 12  # pages opened while a process hangs
MARGIN = 120.0  # seconds for another process to start, on a busy machine


def hanging(report: Report) -> None:
    """One of two processes is stopped (SIGSTOP) while people come."""
    with attacked("serve", "--processes", "2") as server:
        asyncio.run(_story(server, report))


async def _story(server, report):
    home, connection = await _opened(server)
    victim = next(c for c in psutil.Process(server.process.pid).children() if c.cmdline()[-1] == str(home))
    end = asyncio.ensure_future(hung_up(connection))
    with Asking(server.port, 10) as asking:
        begin = time.monotonic()
        victim.send_signal(signal.SIGSTOP)
        times, statuses = [], []
        for _ in range(OPENINGS):
            start = time.monotonic()
            statuses.append(await asyncio.to_thread(_status, server.address))
            times.append(time.monotonic() - start)
        report.say(f"{OPENINGS} pages opened meanwhile: slowest {max(times):.1f} s, answers {sorted(set(statuses))}")
        report.hold(set(statuses) == {200} and max(times) < 10, "whoever comes is served by the other process")
        try:
            await asyncio.wait_for(asyncio.shield(end), pulse.HUNG + 15)
            report.say(f"its visitor's connection ended {time.monotonic() - begin:.0f} s after it was stopped")
        except TimeoutError:
            pass
        report.hold(end.done(), f"its visitors are told within {pulse.HUNG:.0f} s and a little")
    report.say(str(asking))
    report.hold(not asking.failures, "/health answered all the time")
    deadline = time.monotonic() + MARGIN
    while {home} - await _homes(server) and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
    report.hold(home in await _homes(server), "another process has its place")


def _status(address) -> int:
    try:
        return fetch(address)[0]
    except OSError:  # no answer at all
        return 0


async def _opened(server):
    token = token_in((await asyncio.to_thread(fetch, server.address))[2])
    connection = await connect(server.address, token)
    await receive(connection)
    return homes.home(homes.get_session_id(token), 2), connection


async def _homes(server):
    pages = [(await asyncio.to_thread(fetch, server.address))[2] for _ in range(4)]
    return {homes.home(homes.get_session_id(token_in(page)), 2) for page in pages}
