"""What a page is sent of its controls, with the patches that make it little."""

from types import SimpleNamespace

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.models import InlineStyleSheet

from tests.app.patches import patched
from trustscope.app.compat import registry
from trustscope.widgets import bundle
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.esm import Control, css, module


@pytest.fixture(autouse=True)
def patches():
    with patched(*registry.PATCHES):
        yield


class Session:
    """A document that a server made for a visitor."""

    def __init__(self):
        self.document = Document()
        context = SimpleNamespace(server_context=None, id="x")
        self.document._session_context = lambda: context


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
