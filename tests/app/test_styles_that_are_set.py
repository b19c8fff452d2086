"""The script that tells Bokeh which styles are set knows all of them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "app" / "compat" / "styles_that_are_set.js"


def test_what_style_sheets_say_of_plots_is_asked_for():
    """Bokeh is told which names to look up: one that is missing there would be drawn as if nothing was said of it."""
    sheets = [path.read_text() for room in ("app", "widgets") for path in (ROOT / room).rglob("*.css")]
    named = {name for sheet in sheets for name in re.findall(r"--bk-([\w-]+)\s*:", sheet)}
    asked = re.search(r"STYLED = new Set\(\[(.*?)\]", SCRIPT.read_text(), re.DOTALL)[1]
    assert named == set(re.findall(r'"([\w-]+)"', asked))
