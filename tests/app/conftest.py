"""A running app and a real browser for the tests that need them."""

import contextlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import pytest

from tests.app.pages import LONG, settled

LOGS = []  # of the servers that run now


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running(command: list[str], port: int, path: str = "/"):
    """The address of what `command` serves; the process is ended afterwards.

    What it logs goes to a file: a pipe that nobody reads fills up, and the server would then wait for ever.
    """
    log = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
    LOGS.append(log)
    server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    address = f"http://127.0.0.1:{port}{path}"
    try:
        for _ in range(240):
            with contextlib.suppress(OSError), urllib.request.urlopen(address) as answer:
                assert answer.status == 200
                break
            assert server.poll() is None, logged(log)
            time.sleep(0.25)
        else:
            raise AssertionError("no page after a minute")
        yield address
    finally:
        server.terminate()
        server.wait()
        LOGS.remove(log)
        log.close()


def logged(log) -> str:
    """The end of a log."""
    log.seek(0)
    return log.read()[-20_000:]


@pytest.fixture(scope="session")
def address():
    port = free_port()
    with running([sys.executable, "-m", "trustscope", "--port", str(port), "--no-open"], port) as url:
        yield url


@pytest.fixture
def open_page(browser, address):
    """Opens windows of the app; at the end none of them may have complained or asked anybody else."""
    contexts, complaints = [], []

    def opened(path="?page=trust", size=(1440, 900), dark=False):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.on("console", lambda m: m.type in ("error", "warning") and complaints.append(m.text))
        page.on("pageerror", lambda e: complaints.append(str(e)))
        page.on("requestfailed", lambda r: complaints.append(f"not loaded: {r.url}"))
        page.on("response", lambda r: r.status >= 400 and complaints.append(f"{r.status}: {r.url}"))
        own = (address, address.replace("http", "ws"), "data:", "blob:")
        page.on("request", lambda r: r.url.startswith(own) or complaints.append(f"asked elsewhere: {r.url}"))
        page.goto(address + path)
        page.get_by_role("heading", level=1).wait_for()
        return settled(page)

    yield opened
    for context in contexts:
        context.close()
    for log in LOGS:
        print(logged(log))  # pytest shows it where the test has failed
    assert not complaints


@pytest.fixture
def page(open_page):
    return open_page()
