"""Settings of Panel that stand already are not set again; `test_small_pages.py` has the rest of what is set."""

from contextlib import contextmanager
from types import SimpleNamespace

from trustscope.app import process


def test_what_is_set_already_is_not_set_again():
    asked = []

    @contextmanager
    def of_panel(self, **settings):
        asked.append(settings)
        yield

    settings = SimpleNamespace(design="plain", theme="dark")
    change = process.unless_set(of_panel)
    with change(settings, design="plain"), change(settings, design="plain", theme="dark"):
        assert asked == []
    with change(settings, design="plain", theme="light"):
        assert asked == [{"design": "plain", "theme": "light"}]
