"""Parts of a page have their own style sheets and none of Panel's; Panel's own widgets keep theirs."""

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.models import ImportedStyleSheet
from panel.io.state import set_curdoc

from tests.app.patches import patched
from trustscope.app.compat.sheets_left_out import PATCH
from trustscope.app.template import begin_page
from trustscope.widgets.controls.inputs import textbox
from trustscope.widgets.controls.slider import Slider


@pytest.fixture
def our_page():
    """What is made is made for one of our documents."""
    with patched(PATCH), set_curdoc(Document()):
        begin_page()
        yield


def _linked(part) -> int:
    return sum(isinstance(sheet, ImportedStyleSheet) for sheet in part.get_root().stylesheets)


def _own(part) -> list[str]:
    sheets = part.get_root().stylesheets
    return [s if isinstance(s, str) else s.css for s in sheets if not isinstance(s, ImportedStyleSheet)]


PARTS = {
    "Column": lambda: pn.Column(stylesheets=["p { color: red }"]),
    "HTML": lambda: pn.pane.HTML("text", stylesheets=["p { color: red }"]),
    "Slider": lambda: Slider(label="Trust", start=0, end=1, step=0.1, value=0.5),
}
# By Panel; our design links none of its own, and no control has any design.
LINKED = {"Column": 2, "HTML": 1, "Slider": 1}
PANELS = {"Column": 4, "HTML": 3, "Slider": 1}


@pytest.mark.parametrize("kind", PARTS)
def test_parts_keep_their_own_sheets_alone(kind, our_page):
    make = PARTS[kind]
    left = _own(make())
    assert _linked(make()) == 0
    with patched(PATCH, on=False):
        assert _linked(make()) == LINKED[kind]
        assert left == [sheet for sheet in _own(make()) if "pn-loading" not in sheet] != []


def test_text_boxes_look_as_they_did(our_page):
    assert _linked(textbox("Name", "")) >= 3


@pytest.mark.parametrize("kind", PARTS)
def test_parts_of_other_apps_keep_all_sheets(kind, our_page):
    with set_curdoc(Document()):
        assert _linked(PARTS[kind]()) == PANELS[kind]
