"""What all attacks stand on: a server of their own, somebody who asks whether it answers, and how a finding is said."""

import contextlib
import http.client
import os
import socket
import threading
import time
from dataclasses import dataclass, field

import psutil

from tests.serving.visitors import free_port, serving
from trustscope.app.serving.connections import allow_files

QUIET = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "TRUSTSCOPE_TOKEN": "", "TRUSTSCOPE_PASSWORD": ""}


@dataclass
class Report:
    """What came out: lines for the reader, and what did not hold."""

    lines: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def say(self, line: str) -> None:
        """A figure."""
        self.lines.append(line)
        print(f"    {line}", flush=True)

    def hold(self, held: bool, what: str) -> None:
        """Something that must be so."""
        print(f"    {'ok    ' if held else 'BROKEN'} {what}", flush=True)
        if not held:
            self.broken.append(what)


@contextlib.contextmanager
def attacked(*options, **environment):
    """A server to attack, with its port, its address and its process."""
    port = free_port()
    command = ("trustscope", *(options or ("serve",)), "--no-open", "--port", str(port), "--log-level", "info")
    allow_files()  # of the attacker, who needs more than the server has at its start
    with serving(*command, env={**QUIET, **environment}, preexec_fn=_usual_files) as server:
        server.port, server.address = port, f"http://127.0.0.1:{port}"
        server.wait_for("Ready" if "--processes" in options and "1" not in options else "Trustscope is at", timeout=300)
        health(port, 300)
        yield server


def _usual_files():
    """As many files as a process may usually open."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def memory(server) -> int:
    """Megabytes that a server and its processes hold."""
    family = [psutil.Process(server.process.pid), *psutil.Process(server.process.pid).children(recursive=True)]
    return sum(one.memory_info().rss for one in family if one.is_running()) // 1_000_000


def health(port: int, timeout: float = 10.0) -> float | None:
    """Seconds until /health answers; None where it does not."""
    begin = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", "/health")
        answer = connection.getresponse()
        answer.read()
        return time.monotonic() - begin if answer.status == 200 else None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


class Asking:
    """Asks for /health again and again, and keeps the longest time and how often there was no answer."""

    def __init__(self, port: int, timeout: float = 10.0, every: float = 0.1):
        self._port, self._timeout, self._every = port, timeout, every
        self.times: list[float] = []
        self.failures = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def _ask(self):
        while not self._end.is_set():
            taken = health(self._port, self._timeout)
            if taken is None:
                self.failures += 1
            else:
                self.times.append(taken)
            self._end.wait(self._every)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()

    @property
    def longest(self) -> float:
        return max(self.times, default=float("inf"))

    def __str__(self):
        asked = len(self.times) + self.failures
        return f"/health asked {asked} times: slowest {self.longest:.2f} s, {self.failures} unanswered"


def send(port: int, data: bytes, wait: float = 10.0) -> bytes:
    """Send bytes as they are; what comes back first."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        connection.sendall(data)
        try:
            return connection.recv(65536)
        except OSError:
            return b""
