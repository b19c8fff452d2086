"""All scripts of the controls as one module."""

import re

import pytest

from trustscope.widgets import bundle
from trustscope.widgets.esm import Control, Script, module


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


def test_a_script_without_render_is_refused(monkeypatch):
    class Helper(Control):
        _esm = module("flow.js")

    monkeypatch.setattr(bundle, "kinds", lambda: {"Helper": Helper})
    with pytest.raises(ValueError, match="export a function `render`"):
        bundle.text.__wrapped__()  # not what was made before
