"""Settings of Panel that stand already are not set again; `test_small_pages.py` has the rest of what is set."""

from contextlib import contextmanager
from types import SimpleNamespace

from bokeh.document import Document
from panel.io.state import set_curdoc

from trustscope.app.compat import documents
from trustscope.app.compat.config_untouched import unless_set


def test_what_is_set_already_is_not_set_again_on_our_pages():
    asked = []

    @contextmanager
    def of_panel(self, **settings):
        asked.append(settings)
        yield

    settings, ours = SimpleNamespace(design="plain", theme="dark"), Document()
    documents.adopt(ours)
    change = unless_set(of_panel)
    with set_curdoc(ours):
        with change(settings, design="plain"), change(settings, design="plain", theme="dark"):
            assert asked == []
        with change(settings, design="plain", theme="light"):
            assert asked == [{"design": "plain", "theme": "light"}]
    with set_curdoc(Document()), change(settings, design="plain"):
        assert asked[1:] == [{"design": "plain"}]
