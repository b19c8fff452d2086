"""Patches of the framework: what they replace is as it was, each can be left out, and other apps keep everything."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.app.patches import patched
from trustscope.app.compat import inside, registry
from trustscope.app.compat.patch import Part, Patch

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "app" / "compat"
KNOWN = {(patch.name, part.place): part for patch in registry.PATCHES if patch.fits for part in patch.parts}


@pytest.mark.parametrize("part", KNOWN.values(), ids=[f"{name}-{place}" for name, place in KNOWN])
def test_what_a_patch_replaces_is_as_it_was_when_it_was_tried(part):
    """When this fails: read the new text, try the patch with it, and write down the digest that is said here."""
    assert part.text(), "there is no such part any more"
    assert part.known, part.now()


@pytest.mark.parametrize("part", inside.PARTS, ids=lambda part: part.place)
def test_what_is_read_of_the_inside_is_as_it_was(part):
    assert part.known, part.now()


def test_a_part_that_changes_is_noticed(tmp_path, monkeypatch):
    (tmp_path / "framework_of_a_test.py").write_text("def private():\n    return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    known = Part("framework_of_a_test:private", "").now()
    assert Part("framework_of_a_test:private", known).now() == known
    assert Part("framework_of_a_test:gone", known).text() == ""
    assert Part("framework_of_a_test:gone", known).now() != known
    assert Part("bokeh.js:VisualProperties.no_such_method", "").text() == ""
    assert Part("bokeh.js:NoSuchView._get_css_value", "").text() == ""


# Panel 1.10 and Bokeh 3.10 build and write pages in threads of their own, and keep changes in their order.
NOT_LATER = {"messages_not_lost", "models_made_before", "page_written_before", "pages_built_after"}
UNPATCHED = {"inline_sheets"}  # reports of what the app can live with


def test_every_patch_has_a_file_a_gain_versions_and_a_report():
    assert len({patch.name for patch in registry.PATCHES}) == len(registry.PATCHES)
    for patch in registry.PATCHES:
        assert (FOLDER / f"{patch.name}.py").exists(), patch.name
        assert re.search(r"\d", patch.gain), f"{patch.name} does not say how much it gains"
        assert patch.versions
        later = version("panel").startswith("1.10.") and patch.name in NOT_LATER
        assert patch.fits is not later, f"{patch.name} was not tried with what is installed"
        report = (ROOT / "docs" / "upstream" / f"{patch.name}.md").read_text()
        assert {"## What happens", "## Why it matters", "## What would help"} <= set(report.splitlines()), patch.name
        assert not patch.script or (FOLDER / patch.script).exists()
    scripts = {path.name for path in FOLDER.glob("*.js")}
    assert scripts == {patch.script for patch in registry.PATCHES if patch.script}
    reports = {path.stem for path in (ROOT / "docs" / "upstream").glob("*.md")} - {"README"}
    assert reports - UNPATCHED == {patch.name for patch in registry.PATCHES}


# Assignments to what belongs to a framework, wherever they stand.
FOREIGN = re.compile(r"\.prototype\.\w+ = |hasattr\([\w.]+, \"__wrapped__\"\)|_new_models|Bokeh\.require")


def test_nothing_is_patched_elsewhere():
    for room in ("app", "widgets"):
        for path in [*(ROOT / room).rglob("*.py"), *(ROOT / room).rglob("*.js")]:
            if FOLDER not in path.parents:
                assert not FOREIGN.search(path.read_text()), path


# The switch


class Framework:
    """Somebody else's."""

    def private(self):
        """The way it was."""
        return "theirs"


class Ours(Framework):
    """Has the part by inheritance."""


def test_a_patch_is_put_on_once_and_taken_off_without_a_trace():
    patch = Patch(
        "test", "", {}, (),
        replace={(Ours, "private"): lambda old: lambda self: "ours, not " + old(self)},
    )  # fmt: skip
    patch.put_on()
    patch.put_on()
    assert (Ours().private(), Framework().private()) == ("ours, not theirs", "theirs")
    patch.take_off()
    patch.take_off()
    assert Ours().private() == "theirs"
    assert "private" not in vars(Ours)


@pytest.mark.parametrize(
    ("first", "untried", "fits"), [("1.0", "99", True), ("99", "100", False), ("0.1", "0.2", False)]
)
def test_a_patch_stays_off_with_versions_that_it_was_not_tried_with(first, untried, fits):
    assert Patch("test", "", {"panel": (first, untried)}, ()).fits is fits


@pytest.mark.parametrize(
    ("asked", "off"),
    [
        ("", set()),
        ("0", set()),
        ("1", {patch.name for patch in registry.PATCHES}),
        ("known_models, sheets_shared", {"known_models", "sheets_shared"}),
    ],
)
def test_the_switch_leaves_out_what_it_names(asked, off, monkeypatch):
    monkeypatch.setenv(registry.SWITCH, asked)
    assert registry.left_out() == off


def test_the_switch_with_a_name_that_there_is_not_says_which_there_are(monkeypatch):
    monkeypatch.setenv(registry.SWITCH, "known_moddels")
    with pytest.raises(SystemExit, match=r"names no patch with 'known_moddels'\. There are: .*known_models"):
        registry.left_out()


def test_plain_pages_get_no_script():
    with patched(*registry.PATCHES):
        assert "create_json_patch" in registry.scripts()
    with patched(*registry.PATCHES, on=False):
        assert registry.scripts() == ""


# Other apps of the same server


# Serves a neighbour's page with our patches on, then off, each in a process of its own, which begins with all imported;
# and prints what a browser would get, one line each.
NEIGHBOUR = """
import json, os, re
import panel as pn
from bokeh.document import Document
from panel.io.state import set_curdoc
from trustscope.app.compat import registry
from trustscope.widgets import bundle
bundle.kinds()

def serve(patched):
    if patched:
        registry.apply()
    assert all(patch.on == (patched and patch.fits) for patch in registry.PATCHES)
    document = Document()
    with set_curdoc(document):
        slider = pn.widgets.FloatSlider(name="Of the neighbour")
        pn.Column(slider, pn.pane.HTML("text"), pn.indicators.LoadingSpinner()).server_doc(document)
    seen = {}
    text = json.dumps(document.to_json(), default=str, sort_keys=True)
    names = r"p[0-9]{4,}|[A-Z][A-Za-z]+[0-9]{5}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}"
    print(re.sub(names, lambda found: seen.setdefault(found[0], f"#{len(seen)}"), text), flush=True)

for patched in (True, False):
    if not os.fork():
        serve(patched)
        os._exit(0)
    assert os.wait()[1] == 0
"""


def test_a_neighbours_page_is_the_same_beside_ours():
    done = subprocess.run([sys.executable, "-c", NEIGHBOUR], capture_output=True, text=True, check=True)
    pages = done.stdout.splitlines()
    assert len(pages) == 2
    assert pages[0] == pages[1]
    assert pages[0].count("ImportedStyleSheet") >= 3
