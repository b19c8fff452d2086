"""Every notebook runs from top to bottom, and shows what it promises."""

import ast
import re
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
        whole.cells += [*notebook.cells, nbformat.v4.new_code_cell("%reset -sf")]
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


@pytest.mark.parametrize("name", NAMES)
def test_it_runs_offline_and_is_a_tutorial(run, name):
    """Nothing fails, nothing is fetched, all of it is on the site, and it begins with a study or comes to one."""
    cells = run(name)
    assert any("ts.extension()" in cell.source for cell in cells.values())
    assert any(re.search(r"ts\.(Study|Rotation|Survey)\(", cell.source) for cell in cells.values())
    outputs = [output.get("data", {}) for cell in cells.values() for output in cell.outputs]
    assert not [html for one in outputs if 'src="https://' in (html := str(one.get("text/html", "")))]
    assert f"_made/tutorials/{name.removesuffix('.ipynb')}\n" in (FOLDER.parent / "docs/tutorials.md").read_text()


def test_pooling_is_what_theory_says(run):
    cells = run("trust.ipynb")
    found = ast.literal_eval(cells["collude"].outputs[-1]["data"]["text/plain"])
    assert found["perfect"] == {"Alice": 0.5, "Bob": 0.8, "both": 0.4444}
    assert found["strongest"]["Alice"] < 0.49
    assert found["strongest"]["both"] < min(0.43, found["strongest"]["Alice"])
    errors = ast.literal_eval(cells["coalitions"].outputs[-1]["data"]["text/plain"])
    assert errors["nested"] == [0.5, 0.8, 0.5]
    assert errors["independent"][2] < 0.5
    assert errors["proportional"][2] == 0
    kinds = {kind for output in cells["show"].outputs for kind in output.get("data", {})}
    assert "text/html" in kinds
    assert "gain nothing" in cells["back"].outputs[-1]["data"]["text/plain"]


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
    assert "cdn" not in shown("plots")["text/html"]


def test_the_engine_gives_what_a_study_gives(run):
    """Told in figures by a cell that compares them."""
    cells = run("engine.ipynb")
    assert "np.allclose" in cells["coalitions-plot"].source
    assert "0.4444" in cells["study"].outputs[-1]["data"]["text/plain"]
    assert "0.4444" in cells["attack"].outputs[-1]["data"]["text/plain"]


def test_the_other_kinds_show_in_a_notebook(run):
    cells = run("dashboards.ipynb")
    for name in ("categories", "rotation", "survey"):
        assert cells[name].outputs[-1]["data"]["text/html"].count("<svg ") == 2, name
    for name in ("pages", "rotation-page", "survey-page", "papers"):
        assert "remove-output" in cells[name].metadata.tags  # a page without a kernel would be dead on the site
        kinds = {kind for output in cells[name].outputs for kind in output.get("data", {})}
        assert "text/html" in kinds, name


def test_the_tour_of_attacks_runs(run):
    """The figures that the texts promise."""
    cells = run("attacks.ipynb")

    def text(name):
        return cells[name].outputs[-1]["data"]["text/plain"]

    for line in text("categories").splitlines()[1:]:
        unchanged, expected = map(float, line.split()[1:])
        assert abs(unchanged - expected) < 0.005
    bayes = next(line for line in text("attackers").splitlines() if line.startswith("bayes")).split()
    assert float(bayes[1]) < 0.15 < float(bayes[2])
    assert "every distance stays" in text("kept")
    insider = ast.literal_eval(text("known-input"))
    assert insider["highest"] == 1.0
    assert insider["hits"] > 2 * insider["hits.without"]
    competitor = ast.literal_eval(text("known-sample"))
    assert competitor["hits"] > competitor["hits.without"]
    survey = ast.literal_eval(text("survey"))
    assert survey["accuracy.clear"] - 0.05 < survey["accuracy"] < 1
    assert survey["accuracy"] > survey["accuracy.majority"] + 0.2
