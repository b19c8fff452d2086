"""Parts of a page have none of the style sheets of Panel's design; Panel's own widgets keep theirs."""

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.models import ImportedStyleSheet
from panel.io.state import set_curdoc

from trustscope.app.template import begin_page
from trustscope.widgets.controls.inputs import textbox
from trustscope.widgets.controls.slider import Slider


@pytest.fixture
def our_page():
    """What is made is made for one of our documents."""
    with set_curdoc(Document()):
        begin_page()
        yield


def _linked(part) -> int:
    return sum(isinstance(sheet, ImportedStyleSheet) for sheet in part.get_root().stylesheets)


PARTS = {
    "Column": lambda: pn.Column(stylesheets=["p { color: red }"]),
    "HTML": lambda: pn.pane.HTML("text", stylesheets=["p { color: red }"]),
    "Slider": lambda: Slider(label="Trust", start=0, end=1, step=0.1, value=0.5),
}
# Those that Panel links whatever the design is, and those with its own design; no control has any.
ALWAYS = {"Column": 2, "HTML": 1, "Slider": 1}
USUAL = {"Column": 4, "HTML": 3, "Slider": 1}


@pytest.mark.parametrize("kind", PARTS)
def test_parts_have_no_sheets_of_a_design(kind, our_page):
    assert _linked(PARTS[kind]()) == ALWAYS[kind]


def test_text_boxes_look_as_they_did(our_page):
    assert _linked(textbox("Name", "")) >= 3


@pytest.mark.parametrize("kind", PARTS)
def test_parts_of_other_apps_keep_all_sheets(kind, our_page):
    with set_curdoc(Document()):
        assert _linked(PARTS[kind]()) == USUAL[kind]
