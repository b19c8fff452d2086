"""Whoever waits for long is told what for, and only where somebody can read it."""

import io
import sys
import time
from types import SimpleNamespace

import pytest

from trustscope.study import patience


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def _no_notebook(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    monkeypatch.setattr(patience, "PATIENCE", 0.01)


def wait(seconds=0.2):
    with patience.notice_if_slow(4_000):
        time.sleep(seconds)


def test_a_terminal_has_a_line_that_is_taken_away(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    wait()
    said = sys.stderr.getvalue()
    assert "on your 4\u202f000 rows" in said
    assert said.endswith(" \r")


def test_what_is_quick_is_not_worth_a_word(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(patience, "PATIENCE", 60.0)
    wait(0.0)
    assert sys.stderr.getvalue() == ""


def test_a_file_of_messages_gets_none(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    wait()
    assert sys.stderr.getvalue() == ""


def test_a_cell_has_a_line_that_is_taken_away(monkeypatch):
    shown, updated = [], []

    def display(html, display_id):
        shown.append(html)
        return SimpleNamespace(update=updated.append)

    notebook = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=None))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(HTML=str, display=display))
    wait()
    assert "Working this out" in shown[0]
    assert updated == [""]
