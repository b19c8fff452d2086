"""The desktop program: which window is chosen, what is remembered, and that closing it ends the server."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import types
import urllib.request
from pathlib import Path

import pytest

from tests.app.conftest import free_port
from tests.chromium import FLAGS
from tests.waiting import LONG
from trustscope.app import cli
from trustscope.app.desktop import pane, printing
from trustscope.app.desktop.choice import Window, windows
from trustscope.app.desktop.folder import Size, read_browser_size, read_size, settings_folder, write_size
from trustscope.app.desktop.show import show
from trustscope.scenarios.problem import ScenarioProblem

WINDOWED = shutil.which("chromium") or shutil.which("google-chrome")

LINK = "http://127.0.0.1:5006/"


def kinds(tmp_path, modules=(), commands=(), platform="linux", environment=None):
    """Every window that a machine with these modules and commands could open."""
    return list(windows(
        LINK, tmp_path, platform=platform, environment=environment or {}, has=lambda name: name in modules,
        which=lambda name: f"/usr/bin/{Path(name).name}" if name in commands else None,
    ))  # fmt: skip


@pytest.mark.parametrize(
    ("modules", "commands", "platform", "expected"),
    [
        ((), (), "linux", ["browser"]),
        ((), ("google-chrome",), "linux", ["browser app window", "browser"]),
        (("webview",), ("chromium",), "linux", ["browser app window", "browser"]),  # without GTK and Qt it cannot draw
        (("webview", "gi"), ("chromium",), "linux", ["pywebview", "browser app window", "browser"]),
        (("webview", "qtpy"), (), "linux", ["pywebview", "browser"]),
        (("webview",), (), "win32", ["pywebview", "browser"]),
        (("webview",), ("firefox",), "darwin", ["pywebview", "browser"]),
    ],
)
def test_the_best_window_comes_first(tmp_path, modules, commands, platform, expected):
    assert [one.kind for one in kinds(tmp_path, modules, commands, platform)] == expected


def test_an_app_window_has_a_profile_of_its_own(tmp_path):
    command = kinds(tmp_path, commands=("microsoft-edge",))[0].command
    assert command[:3] == ("/usr/bin/microsoft-edge", f"--app={LINK}", f"--user-data-dir={tmp_path / 'browser'}")
    assert "--window-size=1360,900" in command


def test_a_browser_can_be_named(tmp_path):
    named = {"TRUSTSCOPE_BROWSER": "/opt/other"}
    assert kinds(tmp_path, commands=("chromium", "/opt/other"), environment=named)[0].command[0] == "/usr/bin/other"
    assert [one.kind for one in kinds(tmp_path, commands=("chromium",), environment=named)] == ["browser"]


def test_windows_programs_are_found(tmp_path):
    program = tmp_path / "Microsoft/Edge/Application/msedge.exe"
    program.parent.mkdir(parents=True)
    program.touch()
    found = kinds(tmp_path, platform="win32", environment={"PROGRAMFILES": str(tmp_path)})
    assert found[0].command[0] == str(program)


def test_the_settings_folder_follows_the_platform(tmp_path):
    home = Path.home()
    assert settings_folder("linux", {"XDG_CONFIG_HOME": str(tmp_path)}) == tmp_path / "trustscope"
    assert settings_folder("linux", {"XDG_CONFIG_HOME": "not/absolute"}) == home / ".config/trustscope"
    assert settings_folder("linux", {}) == home / ".config/trustscope"
    assert settings_folder("darwin", {}) == home / "Library/Application Support/trustscope"
    assert settings_folder("win32", {"APPDATA": str(tmp_path)}) == tmp_path / "trustscope"


def test_the_size_is_remembered(tmp_path):
    assert read_size(tmp_path / "none") == Size()
    write_size(tmp_path / "new", Size(1000, 700))
    assert read_size(tmp_path / "new") == Size(1000, 700)
    (tmp_path / "file").touch()
    write_size(tmp_path / "file" / "below", Size(1000, 700))  # cannot be written: nothing happens
    assert read_size(tmp_path / "file" / "below") == Size()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"width": "wide", "height": 3}', '{"width": 5, "height": 900}', "1e"]
)
def test_a_damaged_size_is_not_believed(tmp_path, text):
    (tmp_path / "window.json").write_text(text)
    assert read_size(tmp_path) == Size()


@pytest.mark.parametrize(
    ("placed", "expected"),
    [
        ({"127": {"0": {"0": {"1_/": {"left": 10, "right": 1110, "top": 10, "bottom": 810}}}}}, Size(1100, 800)),
        ({"_127.0.0.1_/": {"left": 0, "right": 900, "top": 0, "bottom": 700}}, Size(900, 700)),
        ({}, Size()),
        ({"a": {"left": 0, "right": 9, "top": 0, "bottom": 7}}, Size()),
        ({"a": 3}, Size()),
    ],
)
def test_the_size_of_a_browser_window_is_read_from_its_profile(tmp_path, placed, expected):
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default" / "Preferences").write_text(json.dumps({"browser": {"app_window_placement": placed}}))
    assert read_browser_size(tmp_path) == expected


# Showing


def shown(commands, visitors=lambda: 0, early=0.0):
    """Whether the server is told to stop, and what is said, when these windows are tried."""
    said, stop = [], asyncio.Event()
    ways = [Window("window", (sys.executable, "-c", code)) if code else Window("browser") for code in commands]
    asyncio.run(show(ways, LINK, stop, visitors, said.append, early=early, look=0.01))
    return stop.is_set(), said


@pytest.fixture
def opened(monkeypatch):
    links = []
    monkeypatch.setattr("webbrowser.open", links.append)
    return links


def test_closing_the_window_ends_the_server(opened):
    assert shown(["pass", None]) == (True, [])
    assert opened == []


def test_a_window_that_cannot_be_opened_gives_way_to_the_next(opened):
    stopped, said = shown(["raise SystemExit(3)", None], early=60)
    assert not stopped
    assert "Ctrl-C" in said[0]
    assert opened == [LINK]


def test_a_window_handed_over_lasts_until_the_last_visitor_has_gone(opened):
    seen = iter([0, 0, 1, 2, 1, 0])
    assert shown(["pass", None], lambda: next(seen), early=60) == (True, [])
    assert next(seen, "all were asked for") == "all were asked for"


def test_a_window_needs_a_screen_and_one_process(capsys, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert cli.main(["--window", "--port", str(free_port())]) == 2
    assert "needs a screen" in capsys.readouterr().err
    assert cli.main(["serve", "--window", "--processes", "2", "--port", str(free_port())]) == 2
    assert "one person" in capsys.readouterr().err


# The window of pywebview


class Pane:
    """What stands for pywebview and its window: a page that forbids `eval`, and titles that come one by one."""

    def __init__(self, titles):
        self.titles, self.shown, self.settings, self.events = list(titles), [], {}, self
        self.width, self.height, self.closing, self.closed = 1240, 820, Listeners(), threading.Event()
        self.initialized = Listeners()

    def create_window(self, title, link, **options):
        self.shown.append(title)
        self.asked = options
        return self

    def start(self, follow, arguments, icon):
        assert Path(icon).is_file()
        for listener in self.initialized.heard:
            listener("qtwebengine")
        follow(*arguments)
        for listener in self.closing.heard:
            listener()

    def evaluate_js(self, script):
        raise RuntimeError("EvalError: the Content-Security-Policy has no unsafe-eval")

    def run_js(self, script):
        assert script == "document.title"
        title = self.titles.pop(0)
        if not self.titles:
            self.closed.set()
        if isinstance(title, Exception):
            raise title
        return title

    def set_title(self, title):
        self.shown.append(title)


class Listeners:
    """An event of pywebview: `+=` adds who hears it."""

    def __init__(self):
        self.heard = []

    def __iadd__(self, listener):
        self.heard.append(listener)
        return self


def test_the_window_is_called_what_the_page_is_called_and_its_size_is_remembered(tmp_path, monkeypatch):
    page = Pane(["Learn", "Learn", None, RuntimeError("on its way"), '"Trust: Census"', "Trust: Census", ""])
    monkeypatch.setitem(sys.modules, "webview", page)
    monkeypatch.setattr(pane, "settings_folder", lambda: tmp_path)
    monkeypatch.setattr(pane, "LOOK", 0)
    monkeypatch.setattr(sys, "argv", ["pane", "http://127.0.0.1:1/"])
    assert pane.main() == 0
    assert page.shown == ["Trustscope", "Learn", "Trust: Census"]
    assert read_size(tmp_path) == Size(1240, 820)


class Wanted:
    """A file that the page gives, in Qt's window."""

    def __init__(self):
        self.done = []

    def suggestedFileName(self):
        return "one-person.csv"

    def __getattr__(self, name):
        return lambda *values: self.done.append((name, *values))


@pytest.mark.parametrize(("chosen", "done"), [
    ("/somewhere/mine.csv", [
        ("setDownloadDirectory", "/somewhere"), ("setDownloadFileName", "mine.csv"), ("accept",),
    ]),
    ("", []),
])  # fmt: skip
def test_a_file_is_saved_under_its_own_name_in_the_window_of_qt(tmp_path, monkeypatch, chosen, done):
    proposed = []
    dialog = types.SimpleNamespace(getSaveFileName=lambda view, title, path: (proposed.append(path), (chosen, ""))[1])
    view = type("BrowserView", (), {"on_download_requested": None})
    qt = types.SimpleNamespace(BrowserView=view, QFileDialog=dialog)
    monkeypatch.setitem(sys.modules, "webview.platforms.qt", qt)
    monkeypatch.setitem(sys.modules, "webview", Pane([""]))
    monkeypatch.setattr(pane, "settings_folder", lambda: tmp_path)
    monkeypatch.setattr(pane, "LOOK", 0)
    monkeypatch.setattr(sys, "argv", ["pane", "http://127.0.0.1:1/"])
    assert pane.main() == 0
    wanted = Wanted()
    qt.BrowserView().on_download_requested(wanted)
    assert wanted.done == done
    assert [Path(one).name for one in proposed] == ["one-person.csv"]


# On a screen


@pytest.fixture
def screen():
    """A screen that nobody sees."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed: windows cannot be opened (Debian's package is called xvfb)")
    if WINDOWED is None:
        pytest.skip("no Chromium that opens windows is installed: the headless shell does not")
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1500x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as numbers:
        yield f":{numbers.readline().strip()}"
    server.terminate()
    server.wait()


@pytest.mark.browser
def test_an_app_window_opens_and_closing_it_ends_the_program(screen, tmp_path):
    browser, pid, port = tmp_path / "browser", tmp_path / "pid", free_port()
    browser.write_text(f'#!/bin/sh\necho $$ > {pid}\nexec {WINDOWED} {" ".join(FLAGS)} "$@"\n')
    browser.chmod(0o755)
    settings = {"DISPLAY": screen, "XDG_CONFIG_HOME": str(tmp_path), "TRUSTSCOPE_BROWSER": str(browser)}
    command = [sys.executable, "-m", "trustscope", "serve", "--window", "--metrics", "--port", str(port)]
    program = subprocess.Popen(command, env=os.environ | settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        until(lambda: visitors(port) == 1, program)
        os.kill(int(pid.read_text()), signal.SIGTERM)  # as when the window is closed
        assert program.wait(LONG / 1000) == 0
    finally:
        program.kill()
        program.communicate()
    assert read_browser_size(tmp_path / "trustscope" / "browser") == Size()


def visitors(port):
    """How many pages are open, by what the server tells of itself."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            return float(re.search(r"^trustscope_sessions (\S+)", answer.read().decode(), re.MULTILINE)[1])
    except OSError:
        return 0


def until(condition, program):
    """Wait until it holds; the program must not end meanwhile."""
    end = time.monotonic() + LONG / 1000
    while not condition():
        assert program.poll() is None, program.stdout.read().decode()
        assert time.monotonic() < end
        time.sleep(0.1)


def test_where_a_browser_lies_and_what_it_says_is_for_the_log(monkeypatch, caplog):
    monkeypatch.setattr(printing, "find_browser", lambda first: "/opt/browser")
    said = types.SimpleNamespace(stderr=b"cannot open /srv/page.html")
    monkeypatch.setattr(printing.subprocess, "run", lambda *arguments, **options: said)
    with pytest.raises(ScenarioProblem) as problem:
        printing.pdf("<p>")
    assert "/" not in str(problem.value)
    reference = str(problem.value).rpartition(": ")[2].removesuffix(".")
    assert f"error {reference}: /opt/browser printed nothing and says: cannot open /srv/page.html" in caplog.text
