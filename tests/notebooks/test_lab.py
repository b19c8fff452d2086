"""A real JupyterLab, driven by a browser: what is moved in a cell reaches the kernel, or a sentence says what to do.

The kernel runs here; JupyterLab in an environment of its own, with Panel's extension, with ipywidgets' alone, or with
neither. The environments are made by pip, which takes a minute: `make soak` runs this. LABS names a folder that keeps
them.
"""

import json
import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import sync_playwright

from tests import chromium
from tests.app.conftest import free_port, running
from tests.waiting import expect

pytestmark = pytest.mark.soak

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
HOSTS = ("127.0.0.1", "localhost")
NEWS = "@jupyterlab/apputils-extension:announcements"  # a question that covers what is looked at
LONG = 90_000  # milliseconds: a kernel begins, and imports everything
PACKAGES = {"panel": ["jupyterlab", "panel>=1.9,<1.10"], "widgets": ["jupyterlab", "jupyterlab_widgets"]}
STUDY = """import trustscope as ts
ts.extension()
study = ts.Study("iris", secret="Petal length", recipients={"Ministry": 60, "Press": 20}, attackers=["perfect"])"""
BEFORE, AFTER = "independent copies for Ministry 60 %", "nested copies for Ministry 60 %"


def environment(kind, folder):
    """An environment with JupyterLab, and of extensions only what it is to have."""
    home = folder / f"lab-{kind}"
    if not (home / "bin" / "jupyter-lab").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", *PACKAGES[kind]]
        subprocess.run(pip, check=True, capture_output=True)
    return home


def started(home, folder, disabled=()):
    """What starts JupyterLab there with our kernel, and the port."""
    spec = folder / "share" / "kernels" / "trustscope"
    spec.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Trustscope", "language": "python"}))
    config = folder / "config" / "labconfig"
    config.mkdir(parents=True)
    (config / "page_config.json").write_text(json.dumps({"disabledExtensions": dict.fromkeys((NEWS, *disabled), True)}))
    port = free_port()
    named = {"JUPYTER_PATH": folder / "share", "JUPYTER_CONFIG_DIR": folder / "config", "JUPYTER_DATA_DIR": folder,
             "JUPYTER_RUNTIME_DIR": folder / "runtime", "IPYTHONDIR": folder / "ipython"}  # fmt: skip
    words = ["env", "-u", "_PYVIZ_COMMS_INSTALLED", *(f"{name}={path}" for name, path in named.items()),
             str(home / "bin" / "jupyter-lab"), "--no-browser", "--allow-root", f"--port={port}",
             "--ServerApp.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder / 'work'}",
             "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]  # fmt: skip
    return words, port


@pytest.fixture(scope="module")
def labs(tmp_path_factory):
    folder = Path(os.environ["LABS"]) if "LABS" in os.environ else tmp_path_factory.mktemp("labs")
    return lambda kind: environment(kind, folder)


@pytest.fixture
def opened(labs, tmp_path):
    """Open a notebook with these cells, or a written one, and run it: the page, and what it asked for elsewhere."""
    stack = []

    def open_notebook(kind, *cells, disabled=(), written=None, wide=1300):
        within = ExitStack()
        stack.append(within)
        work = tmp_path / "work"
        work.mkdir()
        written = written or nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells])
        written.metadata["kernelspec"] = {"name": "trustscope", "display_name": "Trustscope", "language": "python"}
        nbformat.write(written, work / "x.ipynb")
        words, port = started(labs(kind), tmp_path, disabled)
        address = within.enter_context(running(words, port, "/lab"))
        play = within.enter_context(sync_playwright())
        browser = play.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        within.callback(browser.close)
        page = browser.new_page(viewport={"width": wide, "height": 1000})
        outside = []
        page.on("request", lambda asked: outside.append(asked.url) if _outside(asked.url) else None)
        page.goto(f"{address}/tree/x.ipynb")
        expect(page.locator(".jp-CodeCell").first).to_be_visible(timeout=LONG)
        # What is run before a kernel is there is lost.
        expect(page.get_by_text("Trustscope | Idle")).to_be_visible(timeout=LONG)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        return page, outside

    yield open_notebook
    for within in stack:
        within.close()


def _outside(address):
    return address.startswith("http") and address.split("/")[2].rpartition(":")[0] not in HOSTS


def shown(page):
    return page.locator(".jp-OutputArea-output").last


def picture(page):
    return shown(page).locator("svg[role=img]").first.inner_html()


@pytest.mark.parametrize("kind", PACKAGES)
def test_what_is_moved_in_a_cell_moves_the_picture(opened, kind):
    page, outside = opened(kind, STUDY, "study.explore()")
    expect(shown(page)).to_contain_text(BEFORE, timeout=LONG)
    before = picture(page)
    shown(page).locator("select").first.select_option("nested")
    expect(shown(page)).to_contain_text(AFTER, timeout=LONG)
    middle = picture(page)
    assert middle != before
    handle = shown(page).get_by_role("slider").first
    handle.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    expect(shown(page)).to_contain_text("nested copies for Ministry 55 %", timeout=LONG)
    assert picture(page) != middle
    assert outside == []


def test_where_lab_shows_no_widgets_a_sentence_says_what_to_install(opened):
    disabled = ["@jupyter-widgets/jupyterlab-manager"]
    page, _ = opened("widgets", STUDY, "study.explore()", disabled=disabled)
    expect(shown(page)).to_contain_text("pip install jupyterlab_widgets", timeout=LONG)
    expect(shown(page)).to_contain_text(BEFORE)


def test_plots_and_pages_ask_for_nothing_on_a_network(opened):
    page, outside = opened("panel", STUDY, "study.plot.coalitions() + study.plot.copies()", "study.dashboard()")
    expect(page.locator(".jp-OutputArea-output canvas").first).to_be_visible(timeout=LONG)
    expect(shown(page).get_by_role("radio", name="nested")).to_be_visible(timeout=LONG)
    assert outside == []


def test_a_page_that_is_not_heard_says_so(opened):
    page, _ = opened("widgets", STUDY, "page = study.dashboard()")
    expect(page.locator(".jp-OutputArea").last).to_contain_text("pip install panel", timeout=LONG)


# What is wider than its place, by more than a bar for scrolling: an output that can be pushed aside, or a drawing that
# reaches out of it. A table may be pushed aside, as tables in notebooks are.
WIDE = """() => [...document.querySelectorAll(".jp-OutputArea-output")].flatMap((output, place) => {
  const right = output.getBoundingClientRect().right
  return [output, ...output.querySelectorAll("svg, canvas, .bk-Row, .bk-Column")]
    .filter((part) => part === output
      ? part.scrollWidth > part.clientWidth + 20 && !part.querySelector("table")
      : part.checkVisibility() && part.getBoundingClientRect().right > right + 20 && !part.closest("table"))
    .map((part) => `${place}: ${part.nodeName} ${part.className?.baseVal ?? part.className}, ${part.scrollWidth} in `
      + `${output.clientWidth} pixels, of ${output.innerText.slice(0, 80)}`)
})"""


@pytest.mark.parametrize("name", sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")))
def test_a_notebook_runs_and_fits_a_window_of_800_pixels(opened, name):
    written = nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4)
    codes = sum(cell.cell_type == "code" for cell in written.cells)
    page, outside = opened("panel", written=written, wide=800)
    page.keyboard.press("Control+b")  # the list of files goes
    expect(page.locator(".jp-InputPrompt").filter(has_text=re.compile(r"\[\d+\]"))).to_have_count(
        codes, timeout=10 * LONG
    )
    page.wait_for_timeout(2_000)  # plots are drawn after the kernel is through
    _photographed(page, name)
    assert not page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr']").all_inner_texts()
    assert page.evaluate(WIDE) == []
    # Panel links three small sheets again when a pane changes (docs/upstream/inline_sheets.md); pages do without them.
    assert [url for url in outside if not url.split("?")[0].endswith(".css")] == []


def _photographed(page, name):
    """PICTURES names a folder for pictures of all outputs, for whoever wants to see them."""
    if "PICTURES" not in os.environ:
        return
    for place, cell in enumerate(page.locator(".jp-Cell").all()):
        cell.scroll_into_view_if_needed()
        page.wait_for_timeout(300)
        cell.screenshot(path=Path(os.environ["PICTURES"]) / f"{name}-{place:02}.png")
