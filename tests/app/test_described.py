"""Controls are described to the browser as Panel would, only faster."""

import json
import re

import pytest
from bokeh.document import Document
from panel.custom import ReactiveESM
from panel.io.state import set_curdoc

from tests.app.patches import patched
from trustscope.app.compat import controls_described_once, models_made_before
from trustscope.app.page import Frame, framed
from trustscope.app.pages import PAGES
from trustscope.widgets.esm import Control


def _apart(properties: dict) -> tuple[dict, dict, str]:
    """What is told of a control, of its data, and its script; without what differs on purpose."""
    left = {k: v for k, v in properties.items() if k not in ("data", "esm", "_defs", "bundle", "stylesheets")}
    sheets = [getattr(sheet, "url", sheet) for sheet in properties["stylesheets"]]
    return left | {"stylesheets": sheets}, properties["data"].properties_with_values(), properties["esm"].strip()


@pytest.mark.parametrize("page", PAGES)
def test_controls_are_described_as_by_panel(page):
    frame = Frame(f"page={page}")
    places = (frame.sidebars[page], frame.mains[page])
    controls = [frame.bar, frame.address, frame.connection, *(c for place in places for c in place.select(Control))]
    assert len(controls) > 4
    for control in controls:
        with patched(controls_described_once.PATCH):
            ours = control._get_properties(None)
        theirs = ReactiveESM._get_properties(control, None)
        assert _apart(ours) == _apart(theirs), type(control)


def _document(page: str) -> str:
    """All that a browser would get, with numbers of its own for what is numbered anew each time."""
    frame, document, seen = Frame(f"page={page}", later=True), Document(), {}
    with set_curdoc(document):
        framed(frame.bar, frame.address, frame.connection, frame.sidebars, frame.mains).server_doc(document)
        frame.begin()
        text = json.dumps(document.to_json(), default=str)
    numbered = r"p\d{4,}|[A-Z][A-Za-z]+\d{5}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}"
    return re.sub(numbered, lambda found: seen.setdefault(found.group(), f"#{len(seen)}"), text)


@pytest.mark.parametrize("page", ["trust", "rotation"])
def test_a_page_is_the_same_whether_its_models_were_made_before_or_not(page):
    _document(page)  # the first one brings definitions that later ones do not repeat
    with patched(models_made_before.PATCH):
        made_before = _document(page)
    with patched(models_made_before.PATCH, on=False):
        assert _document(page) == made_before
    assert len(made_before) > 100_000
