"""Heads of requests: cookies that take the square of their length, heads without end, requests that are half sent."""

import contextlib
import os
import socket
import time
from pathlib import Path

from tests.harden.ground import Asking, Report, attacked, health, send

HALVES = 1100
OLDER = Path(__file__).parent / "older"  # makes the reader of cookies as slow as it was, whichever Python this is


def cookies(report: Report) -> None:
    """A cookie of many escaped quotes, with the name of ours, at every door."""
    path = os.pathsep.join([str(OLDER), os.environ.get("PYTHONPATH", "")])
    with attacked("serve", TRUSTSCOPE_TOKEN="correct-horse-battery", PYTHONPATH=path) as server:
        name = f"trustscope-{server.port}"
        for size in (7_000, 20_000, 40_000):
            cookie = f'{name}="' + '\\"' * (size // 2) + '"'
            request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {cookie}\r\n\r\n".encode()
            with Asking(server.port) as asking:
                begin = time.monotonic()
                answer = send(server.port, request, 60)
                taken = time.monotonic() - begin
            status = answer[9:12].decode() or "closed"
            report.say(f"a cookie of {size} bytes: {status} after {taken:.2f} s; {asking}")
            report.hold(taken < 2 and asking.longest < 1 and not asking.failures, f"{size} bytes of cookie hold nobody")
            if size > 16_384:
                report.hold(status == "431", "a head above 16 KB is refused before it is read")


def half_requests(report: Report) -> None:
    """More requests than a server has places for, begun and never ended, from one address."""
    for options in (("serve", "--processes", "1"), ("serve", "--processes", "2")):
        with attacked(*options) as server, contextlib.ExitStack() as open_ones:
            report.say(f"{' '.join(options)}: {HALVES} half requests from one address")
            ends = []
            with Asking(server.port, 5) as asking:
                for number in range(HALVES):
                    with contextlib.suppress(OSError):
                        one = open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
                        one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0" if number % 2 else b"GE")
                        ends.append(one)
                report.hold(health(server.port, 5) is not None, "the server answers while they are open")
                begin = time.monotonic()
                _until_closed(ends, 15)
            report.say(f"{len(ends)} were opened; all closed again {time.monotonic() - begin:.1f} s later; {asking}")
            report.hold(not asking.failures and asking.longest < 2, "nobody waited for them")
            report.hold(_closed(ends) == len(ends), "none of them is kept for longer than a head's time")


def unread_answers(report: Report) -> None:
    """Files that are asked for and never read."""
    with attacked("serve", "--processes", "1") as server, contextlib.ExitStack() as open_ones:
        request = f"GET /static/js/bokeh.min.js HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        for _ in range(HALVES):
            with contextlib.suppress(OSError):
                one = open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                one.sendall(request)
        with Asking(server.port, 5) as asking:
            time.sleep(2)
        report.say(f"{HALVES} answers that nobody reads: {asking}")
        report.hold(not asking.failures, "the server answers others")


def _closed(ends) -> int:
    closed = 0
    for one in ends:
        one.setblocking(False)
        try:
            closed += one.recv(1) == b""
        except BlockingIOError:
            pass
        except OSError:
            closed += 1
    return closed


def _until_closed(ends, patience):
    deadline = time.monotonic() + patience
    while _closed(ends) < len(ends) and time.monotonic() < deadline:
        time.sleep(0.2)
