"""Parts of a page have their own style sheets and none of Panel's; Panel's own widgets keep theirs."""

import inspect

import panel as pn
import pytest
from bokeh.models import ImportedStyleSheet
from panel.reactive import Syncable

from trustscope.app.sheets import leave_out_unused
from trustscope.widgets.inputs import textbox
from trustscope.widgets.slider import Slider

PANELS_OWN = inspect.unwrap(Syncable._process_param_change)


@pytest.fixture
def leaving_out(monkeypatch):
    monkeypatch.setattr(Syncable, "_process_param_change", PANELS_OWN)
    leave_out_unused()


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


@pytest.mark.parametrize("make", PARTS.values(), ids=PARTS)
def test_parts_keep_their_own_sheets_alone(make, leaving_out, monkeypatch):
    left = _own(make())
    assert _linked(make()) == 0
    monkeypatch.setattr(Syncable, "_process_param_change", PANELS_OWN)
    assert _linked(make()) >= 3
    assert left == [sheet for sheet in _own(make()) if "pn-loading" not in sheet] != []


def test_text_boxes_look_as_they_did(leaving_out):
    assert _linked(textbox("Name", "")) >= 3
