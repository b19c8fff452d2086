"""A running app and a real browser for the tests that need them."""

import contextlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import pytest

from tests.app.pages import settled
from tests.waiting import LONG, expect

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


class Window:
    """A window of the app, with a browser's memory of its own, and what it complained of."""

    def __init__(self, browser, address: str, path: str, size=(1440, 900), dark=False, listen=None):
        self.complaints = []
        self.theme = "dark" if dark else "light"
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=self.theme)
        self.page = page = self.context.new_page()
        page.set_default_timeout(LONG)
        complain = self.complaints.append
        page.on("console", lambda m: m.type in ("error", "warning") and complain(m.text))
        page.on("pageerror", lambda e: complain(str(e)))
        page.on("requestfailed", lambda r: complain(f"not loaded: {r.url}"))
        page.on("response", lambda r: r.status >= 400 and complain(f"{r.status}: {r.url}"))
        own = (address, address.replace("http", "ws"), "data:", "blob:")
        page.on("request", lambda r: r.url.startswith(own) or complain(f"asked elsewhere: {r.url}"))
        if listen:
            listen(page)
        page.goto(address + path)
        page.get_by_role("heading", level=1).wait_for()
        settled(page)

    def go(self, path: str, size) -> None:
        """Have it as if `path` had been opened: what stands on the page, nothing unfolded, at the top, in its theme."""
        page = self.page
        if page.get_by_role("dialog").count():  # what is hidden has no role
            page.keyboard.press("Escape")
        page.set_viewport_size({"width": size[0], "height": size[1]})
        unfolded = page.locator(".fold-box.open .line > button")
        unfolded.evaluate_all("(buttons) => buttons.forEach((one) => one.click())")
        expect(unfolded).to_have_count(0)
        if page.evaluate("document.documentElement.dataset.theme") != self.theme:
            page.get_by_role("button", name=f"{self.theme.capitalize()} theme").click()
        page.evaluate(VISIT, path)
        settled(page)


# Goes to an address as the browser's Back does, and waits until the server has heard of it.
VISIT = """(query) => new Promise((heard) => {
  document.activeElement?.blur()
  for (const one of document.querySelectorAll(".ts-page, main")) one.scrollTo(0, 0) // the first one on a phone
  localStorage.clear()
  const address = [...Bokeh.documents[0]._all_models.values()].find((one) => one.class_name === "Address")
  const {change} = address.data.properties.ack
  const answered = () => { change.disconnect(answered); heard() }
  change.connect(answered)
  history.pushState(null, "", query)
  dispatchEvent(new PopStateEvent("popstate"))
})"""


@pytest.fixture
def open_page(browser, address):
    """Opens windows of the app; at the end none of them may have complained or asked anybody else."""
    windows = []

    def opened(path="?page=trust", **options):
        windows.append(Window(browser, address, path, **options))
        return windows[-1].page

    yield opened
    for window in windows:
        window.context.close()
    _show_logs()
    assert not [complaint for window in windows for complaint in window.complaints]


@pytest.fixture(scope="session")
def _windows():
    windows = {}
    yield windows
    for window in windows.values():
        window.context.close()


@pytest.fixture
def go_to(browser, address, request, _windows):
    """Goes to an address in a window that all tests of a worker share, one for each page of the app and each theme.

    Opening a window takes two seconds of a processor, going there in one that is open a tenth of that. What is not a
    part of a scenario is as the test before left it: what can be undone, what is kept, which files were brought, which
    other pages were opened. Tests of such things use `open_page`.
    """
    used = set()

    def went(path="?page=trust", size=(1440, 900), dark=False):
        kind = re.search(r"page=(\w+)", path)[1], dark
        used.add(kind)
        if kind in _windows:
            _windows[kind].go(path, size)
        else:
            _windows[kind] = Window(browser, address, path, size, dark)
        return _windows[kind].page

    failed = request.session.testsfailed
    yield went
    _show_logs()
    complaints = [complaint for kind in used for complaint in _windows[kind].complaints]
    if complaints or request.session.testsfailed > failed:  # the next test begins with a window of its own
        for kind in used:
            _windows.pop(kind).context.close()
    assert not complaints


def _show_logs():
    """Print what the servers have logged: pytest shows it where the test has failed."""
    for log in LOGS:
        print(logged(log))


@pytest.fixture
def page(open_page):
    return open_page()
