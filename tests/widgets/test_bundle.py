"""All scripts of the controls as one module."""

import re
from types import SimpleNamespace

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.models import InlineStyleSheet

from trustscope.widgets import bundle
from trustscope.widgets.esm import Control, Script, css, module
from trustscope.widgets.slider import Slider


class Session:
    """A document that a server made for a visitor."""

    def __init__(self):
        self.document = Document()
        context = SimpleNamespace(server_context=None, id="x")
        self.document._session_context = lambda: context


def test_helpers_do_not_share_a_name():
    """They stand in one scope: a name in two of them would end the module."""
    helpers = {name for kind in bundle.kinds().values() for name in kind._esm.names[:-1]}
    named = re.compile(r"^(?:const|let|var|function|class|async function) (\w+)", re.M)
    found = [name for helper in sorted(helpers) for name in named.findall(Script.part(helper))]
    assert len(found) == len(set(found)) > 10


@pytest.mark.browser
def test_a_browser_reads_the_module(browser):
    """Every control is there, and can be drawn."""
    context = browser.new_context()
    tab = context.new_page()
    tab.goto("about:blank")
    names = tab.evaluate(
        """async (text) => {
          const module = await import("data:text/javascript;charset=utf-8," + encodeURIComponent(text))
          return Object.entries(module.default).filter(([, one]) => typeof one.render === "function").map(([n]) => n)
        }""",
        bundle.text(),
    )
    context.close()
    assert names == list(bundle.kinds())
    assert {"Bar", "Slider", "Headline", "LessonRoom"} <= set(names)


def test_a_control_names_the_module_where_it_is_offered_and_brings_its_script_elsewhere(monkeypatch):
    served, alone = Session().document, Document()
    slider = Slider(label="Trust")
    monkeypatch.setattr(bundle, "offered", False)
    for document in (served, alone):
        model = slider.get_root(document)
        assert (model.bundle, model.esm) == (Slider._esm.digest, Slider._esm)
    monkeypatch.setattr(bundle, "offered", True)
    model = slider.get_root(served)
    assert (model.bundle, model.esm) == ("url", bundle.address())
    assert slider.get_root(alone).esm == Slider._esm  # a notebook has no such address

    class Slider2(Control):  # of another room
        _esm = module("flow.js", "slider.js")

    assert Slider2().get_root(served).bundle == Slider2._esm.digest


def test_a_long_style_sheet_is_sent_once():
    document = Document()
    root = pn.Column(Slider(label="a"), Slider(label="b")).get_root(document)
    long = [[one for one in child.stylesheets if isinstance(one, InlineStyleSheet)] for child in root.children]
    assert long[0] == long[1]
    assert css("controls.css") in {one.css for one in long[0]}
    other = Slider(label="c").get_root(Document())
    assert not set(long[0]) & set(other.stylesheets)


def test_a_script_without_render_is_refused(monkeypatch):
    class Helper(Control):
        _esm = module("flow.js")

    monkeypatch.setattr(bundle, "kinds", lambda: {"Helper": Helper})
    with pytest.raises(ValueError, match="export a function `render`"):
        bundle.text.__wrapped__()  # not what was made before
