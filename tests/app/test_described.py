"""Controls are described to the browser as Panel would, only faster."""

import pytest
from panel.custom import ReactiveESM

from trustscope.app.page import Frame
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
        ours, theirs = control._get_properties(None), ReactiveESM._get_properties(control, None)
        assert _apart(ours) == _apart(theirs), type(control)
