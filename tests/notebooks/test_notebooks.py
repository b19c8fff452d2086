"""Every notebook runs from top to bottom, and shows what it promises."""

import ast
import warnings
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NAMES = sorted(path.name for path in FOLDER.glob("*.ipynb"))


def read(name):
    return nbformat.read(FOLDER / name, as_version=4)


@pytest.fixture(scope="module")
def run():
    """The cells of code of a notebook that was run, by their names.

    All run one after the other in one kernel: to start one and to import everything takes longer than what they do.
    Names are forgotten between them, so that each must import and make all that it uses.
    """
    notebooks = {name: read(name) for name in NAMES}
    whole = nbformat.v4.new_notebook()
    for notebook in notebooks.values():
        whole.cells += [*notebook.cells, nbformat.v4.new_code_cell("%reset -f")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the kernel's own start-up, not ours
        NotebookClient(whole, timeout=300, kernel_name="python3", allow_errors=True).execute(cwd=str(FOLDER))

    def cells(name):
        found = {cell["id"]: cell for cell in notebooks[name].cells if cell.cell_type == "code"}
        assert all(cell.execution_count for cell in found.values())
        failed = {id: o.traceback for id, cell in found.items() for o in cell.outputs if o.output_type == "error"}
        assert not failed
        return found

    return cells


@pytest.mark.parametrize("name", NAMES)
def test_it_is_stored_clean(name):
    """No results of somebody's last run in the repository."""
    assert not [c for c in read(name).cells if c.cell_type == "code" and (c.outputs or c.execution_count)]


def test_the_dashboard_shows_in_a_notebook(run):
    cells = run("trust.ipynb")
    assert "pn.extension()" in cells["load"].source  # another notebook may have called it in the same kernel
    kinds = {kind for output in cells["show"].outputs for kind in output.get("data", {})}
    assert "text/html" in kinds
    figures = cells["collude"].outputs[-1]["data"]["text/plain"]
    found = ast.literal_eval(figures)
    assert found["perfect"] == {"alone": 0.5, "together": 0.4444}
    assert found["strongest"]["alone"] < 0.49
    assert found["strongest"]["together"] < min(0.43, found["strongest"]["alone"])
    errors = ast.literal_eval(cells["coalitions"].outputs[-1]["data"]["text/plain"])
    assert errors["nested"][3] == errors["nested"][1] > errors["independent"][3]


def test_a_study_shows_what_its_texts_say(run):
    cells = run("study.ipynb")

    def shown(name):
        return cells[name].outputs[-1]["data"]

    assert "ts.extension()" in cells["imports"].source
    assert shown("make")["text/html"].count("<svg ") == 2
    assert "gain nothing" in shown("scheme")["text/plain"]
    assert "<table" in shown("coalitions")["text/html"]
    assert "application/vnd.holoviews_exec.v0+json" in shown("plots")
    assert "image/svg+xml" in shown("paper") or "image/png" in shown("paper")
    assert ast.literal_eval(shown("apply")["text/plain"]).keys() == {"Ministry", "Press"}
    assert shown("categories")["text/html"].count("<svg ") == 2
    # Without a network nothing may be fetched.
    written = str([output for cell in cells.values() for output in cell.outputs])
    assert 'src="https://' not in written
    assert "cdn" not in shown("plots")["text/html"]


def test_the_bare_engine_tour_runs(run):
    cells = run("engine.ipynb")
    assert "ts.extension()" in cells["imports"].source
    errors = [o for cell in cells.values() for o in cell.outputs if o.output_type in ("error", "stream")]
    assert not errors


def test_the_other_dashboards_show_in_a_notebook(run):
    cells = run("dashboards.ipynb")
    assert "pn.extension()" in cells["imports"].source
    for name in ("categories", "rotation", "survey", "papers"):
        kinds = {kind for output in cells[name].outputs for kind in output.get("data", {})}
        assert "text/html" in kinds, name


def test_the_tour_of_attacks_runs(run):
    """The figures that the texts promise."""
    cells = run("attacks.ipynb")
    assert not [o for cell in cells.values() for o in cell.outputs if o.output_type in ("error", "stream")]

    def text(name):
        return cells[name].outputs[-1]["data"]["text/plain"]

    bayes = next(line for line in text("attackers").splitlines() if line.startswith("BE-DR")).split()
    assert float(bayes[1]) < 0.15 < float(bayes[2])
    assert "'records in another cluster': 0" in text("known-input")
    assert "'most exposed': 1.0" in text("known-input")
    assert float(text("known-sample")) > 0.7
    two = next(line for line in text("survey").splitlines() if line.startswith("2 ")).split()
    magnitude, signed = map(float, two[-2:])
    assert magnitude > 0.87 > signed + 0.1
