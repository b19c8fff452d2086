"""Every notebook runs from top to bottom, and shows what it promises."""

import warnings
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"


def run(name):
    notebook = nbformat.read(FOLDER / name, as_version=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the kernel's own start-up, not ours
        NotebookClient(notebook, timeout=300, kernel_name="python3").execute(cwd=str(FOLDER))
    return {cell["id"]: cell for cell in notebook.cells if cell.cell_type == "code"}


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.ipynb")))
def test_it_is_stored_clean(name):
    """No results of somebody's last run in the repository."""
    notebook = nbformat.read(FOLDER / name, as_version=4)
    assert not [c for c in notebook.cells if c.cell_type == "code" and (c.outputs or c.execution_count)]


def test_the_dashboard_shows_in_a_notebook():
    cells = run("trust.ipynb")
    kinds = {kind for output in cells["show"].outputs for kind in output.get("data", {})}
    assert "text/html" in kinds
    figures = cells["collude"].outputs[-1]["data"]["text/plain"]
    assert "'alone': 0.5" in figures
    assert "'together': 0.4444" in figures
    assert "0.8" in cells["coalitions"].outputs[-1]["data"]["text/plain"]


def test_the_bare_engine_tour_runs():
    cells = run("engine.ipynb")
    errors = [o for cell in cells.values() for o in cell.outputs if o.output_type in ("error", "stream")]
    assert not errors


def test_the_other_dashboards_show_in_a_notebook():
    cells = run("dashboards.ipynb")
    for name in ("categories", "rotation", "survey", "papers"):
        kinds = {kind for output in cells[name].outputs for kind in output.get("data", {})}
        assert "text/html" in kinds, name


def test_the_tour_of_attacks_runs():
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
