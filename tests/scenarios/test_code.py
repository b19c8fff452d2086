"""Scenarios as Python: the scripts run as they are, need no page, and print the figures of the page."""

import ast
import json
import subprocess
import sys

import nbformat
import pytest

from trustscope import datasets
from trustscope.scenarios.categories.scenario import PAPER, CategoriesScenario
from trustscope.scenarios.coalition import Recipient, recipients
from trustscope.scenarios.code import notebook, script
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.release.scenario import ReleaseScenario
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import ATTACKERS, TrustScenario

MOST_LINES = 110  # of a script that is read in class; with all eight attackers, otherwise about 80
IRIS, EVERY = {"data.name": "iris"}, {"settings.attackers": tuple(ATTACKERS)}
TRUST, ROTATION, SURVEY = TrustScenario(), RotationScenario(), SurveyScenario()
NOBODY = tuple(r.having({"member": False}) for r in recipients(50, 40))
QUOTES = (Recipient(number=3, name='"""\\ «TRUST» {x}', trust=100), Recipient(number=1, name="it's $", trust=7))
SCENARIOS = {
    "trust": TRUST,
    "trust, all attackers, white noise": TRUST.having(
        IRIS | EVERY | {"settings.similarity": 0.0, "settings.scheme": "nested"}
    ),
    "trust, made to order": TRUST.having(
        EVERY | {"data.name": "gaussian", "data.order.records": 300, "settings.informed": True,
                 "settings.kind": "euclidean", "settings.eps": 0.2}
    ),
    "trust, nobody": TRUST.having(IRIS | {"settings.recipients": NOBODY}),
    "trust, odd names": TRUST.having(IRIS | {"settings.recipients": QUOTES, "settings.scheme": "proportional"}),
    "categories": CategoriesScenario(),
    "categories, the paper": PAPER,
    "categories, numbers": CategoriesScenario().having(
        {"data.name": "iris", "data.column": "Petal length", "data.bins": 7, "settings.scheme": "nested"}
    ),
    "rotation, kept": ROTATION.having(IRIS),
    "rotation, known": ROTATION.having(IRIS | {"view.story": "known"}),
    "rotation, shifted": ROTATION.having(
        IRIS | {"view.story": "known", "settings.shifted": True, "settings.known": ()}
    ),
    "rotation, sample": ROTATION.having(
        IRIS | {"view.story": "sample", "settings.standardised": False, "settings.kind": "cosine"}
    ),
    "survey": SURVEY.having({"view.arrived": 100}),
    "survey, hidden": SURVEY.having(
        {"view.arrived": 50, "settings.miner": "hidden", "settings.extra_check": True, "data.name": "iris"}
    ),
}  # fmt: skip
# One process runs them all: starting Python and importing scikit-learn takes longer than any of them.
RUNNER = """
import contextlib, io, json, sys
found = {}
for path in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(open(path, encoding="utf-8").read(), path, "exec"), {"__name__": "__main__"})
    found[path] = json.loads(printed.getvalue())
strangers = {name for name in sys.modules if name.startswith(("trustscope.scenarios", "trustscope.app", "panel"))}
print(json.dumps([found, sorted(strangers)]))
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scripts")
    paths = {}
    for number, (name, scenario) in enumerate(SCENARIOS.items()):
        paths[name] = folder / f"{number}.py"
        paths[name].write_text(script(scenario), encoding="utf-8")
    command = [sys.executable, "-c", RUNNER, *map(str, paths.values())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found, strangers = json.loads(done.stdout)
    assert strangers == []
    return {name: found[str(path)] for name, path in paths.items()}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_script_prints_the_figures_of_the_page(printed, name):
    figures = SCENARIOS[name].figures()
    assert len(printed[name]) >= 2
    for figure, parts in printed[name].items():
        for part, value in parts.items():
            wanted = getattr(figures.of(figure), part)
            assert value == pytest.approx(wanted, rel=1e-9, abs=1e-12), (figure, part)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scripts_are_short_and_import_the_engine_alone(name):
    text = script(SCENARIOS[name])
    assert len(text.splitlines()) <= MOST_LINES
    assert max(map(len, text.splitlines())) <= 150
    assert "«" not in text.replace("«TRUST»", "")
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.module.startswith(("trustscope.engine", "trustscope"))
            assert {alias.name for alias in node.names} & set(_names(tree))
        elif isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= {"json", "numpy"}


def _names(tree):
    """All names that are used in it."""
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


def test_a_notebook_has_the_same_code():
    scenario = SCENARIOS["rotation, kept"]
    made = nbformat.reads(notebook(scenario), as_version=4)
    nbformat.validate(made)
    code = "\n".join(cell.source for cell in made.cells if cell.cell_type == "code")
    lines = [line for line in script(scenario).splitlines() if line and not line.startswith(("#", '"""', "Made by"))]
    assert [line for line in code.splitlines() if line] == [line for line in lines if not line.startswith("What")]


def test_a_script_of_an_own_file_names_the_file(tmp_path, monkeypatch):
    text = "Height,Weight\n" + "".join(f"{150 + i % 40},{50 + i * 7 % 45}\n" for i in range(60))
    (tmp_path / "people.csv").write_text(text)
    own = datasets.inspect(tmp_path / "people.csv").dataset(missing="keep")
    file = OwnFile(name="people.csv", size=own.origin.size, digest=own.origin.digest)
    scenario = TRUST.having({"data.name": "own", "data.file": file})
    (tmp_path / "script.py").write_text(script(scenario, own))
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    wanted = scenario.figures(own).of("coalition.error.perfect")
    assert json.loads(done.stdout)["coalition.error.perfect"]["measured"] == pytest.approx(wanted.measured)


def test_an_experiment_is_run_again():
    text = script(PapersScenario().opening("li/example"))
    assert "from trustscope.engine.experiments" in text
    ast.parse(text)


def test_what_has_no_script_gets_a_sentence():
    for scenario in (ReleaseScenario(), PapersScenario()):
        with pytest.raises(ScenarioProblem, match="script"):
            script(scenario)
