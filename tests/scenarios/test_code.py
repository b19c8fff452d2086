"""Scenarios and experiments as Python: the code runs as it is, needs no page, and says what the page says."""

import ast
import json
import subprocess
import sys

import nbformat
import pandas as pd
import pytest

from tests.quick.sitecustomize import FEW
from tests.scenarios.runs import ran
from trustscope import datasets
from trustscope.engine.attacks import learned
from trustscope.plots import draw
from trustscope.scenarios import models
from trustscope.scenarios.categories.scenario import PAPER, CategoriesScenario
from trustscope.scenarios.coalition import Recipient, recipients
from trustscope.scenarios.code import notebook, script
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.papers import words
from trustscope.scenarios.papers.registry import find
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.preparation import NumberPreparation, Preparation
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.release.scenario import ReleaseScenario
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import ATTACKERS, TrustScenario

MOST_LINES = 140  # of a script that is read in class; with all eleven attackers, otherwise about 80
IRIS, EVERY = {"data.name": "iris"}, {"settings.attackers": tuple(ATTACKERS)}
LINEAR = {"settings.attackers": ("perfect",)}  # where the script is about something else than curves
TRUST, ROTATION, SURVEY = TrustScenario(), RotationScenario(), SurveyScenario()
NOBODY = tuple(r.replace({"member": False}) for r in recipients(50, 40))
QUOTES = (Recipient(number=3, name='"""\\ «TRUST» {x}', trust=100), Recipient(number=1, name="it's $", trust=7))
PREPARED = (
    Preparation(column="Sepal length", action="drop"),
    Preparation(column="Petal length", action="top", share=0.1),
    Preparation(column="Petal length", action="logarithm", unit=0.5),
    Preparation(column="Petal width", action="bottom", limit=0.4),
    Preparation(column="Petal width", action="round", grid=0.5),
    Preparation(column="no such column", action="round"),
)
CODED = tuple(NumberPreparation(**one.model_dump()) for one in PREPARED[1:3])
SCENARIOS = {
    "trust": TRUST,
    "trust, all attackers, white noise": TRUST.replace(
        IRIS | EVERY | {"settings.similarity": 0.0, "settings.scheme": "nested",
                        "data.columns": ("Sepal length", "Petal length")}
    ),
    "trust, made to order": TRUST.replace(
        {"data.name": "gaussian", "data.order.records": 300, "data.order.attributes": 6,
                 "settings.attackers": tuple(name for name in ATTACKERS if name != "boosting"),
                 "data.order.components": 2, "settings.informed": True, "settings.kind": "euclidean",
                 "settings.eps": 0.2}
    ),
    "trust, prepared": TRUST.replace(IRIS | {"data.preparation": PREPARED}),
    "trust, nobody": TRUST.replace(IRIS | {"settings.recipients": NOBODY}),
    "trust, odd names": TRUST.replace(
        IRIS | LINEAR | {"settings.recipients": QUOTES, "settings.scheme": "proportional"}
    ),
    "categories": CategoriesScenario(),
    "categories, the paper": PAPER,
    "categories, numbers": CategoriesScenario().replace(
        {"data.name": "iris", "data.column": "Petal length", "data.bins": 7, "settings.scheme": "nested"}
    ),
    "categories, prepared": CategoriesScenario().replace(
        {"data.name": "iris", "data.column": "Petal length", "data.preparation": CODED}
    ),
    "categories, known columns": CategoriesScenario().replace(
        {"data.name": "iris", "data.column": "Sepal width", "data.preparation": CODED,
                 "settings.known": ("Petal length", "Species")}
    ),
    "categories, few others": CategoriesScenario().replace(
        {"data.name": "iris", "settings.others": 100, "settings.known": ("Petal width",), "settings.scheme": "nested"}
    ),
    "rotation, kept": ROTATION.replace(IRIS),
    "rotation, known": ROTATION.replace(IRIS | {"view.story": "known"}),
    "rotation, shifted": ROTATION.replace(
        IRIS | {"view.story": "known", "settings.shifted": True, "settings.known": ()}
    ),
    "rotation, sample": ROTATION.replace(
        IRIS | {"view.story": "sample", "settings.standardised": False, "settings.kind": "cosine"}
    ),
    "rotation, lengths": ROTATION.replace(IRIS | {"view.story": "sample", "settings.sample": 75}),
    "survey": SURVEY.replace({"view.arrived": 100}),
    "survey, hidden": SURVEY.replace(
        {"view.arrived": 50, "settings.miner": "hidden", "settings.extra_check": True, "data.name": "iris"}
    ),
}  # fmt: skip
OTHERWISE = {"trust", "trust, made to order"}  # the page has curves that no script computes
COPIED = ("li/example", "li/subsets", "xiao/eq7", "huang/dissimilarity")  # experiments, as the page shows their code
# One process runs all scripts: starting Python and importing scikit-learn takes longer than any of them. The strongest
# attacker computes with as few people as on the pages of tests, and boosting with as few trees as `few_trees` grants.
TREES = {"TREES": 60, "FEWEST_TREES": 3}
RUNNER = (
    f"FEW, TREES = {FEW}, {TREES}"
    + """
import contextlib, io, json, runpy, sys
from trustscope.engine.attacks.optimal import strongest
few, strongest.Limits = strongest.Limits(**FEW), lambda: few
from trustscope.engine.attacks import learned
vars(learned).update(TREES)
found = {}
for path in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(path, run_name="__main__")
    found[path] = printed.getvalue()
strangers = {name for name in sys.modules if name.startswith(("trustscope.scenarios", "trustscope.app", "panel"))}
print(json.dumps([found, sorted(strangers)]))
"""
)


@pytest.fixture(scope="module", autouse=True)
def few_trees():
    """Boosting by a tenth of the trees, here and in the process that runs the scripts: both must say the same."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in TREES.items():
            patch.setattr(learned, name, value)
        patch.setattr(models, "shared", Memo(8))  # no other file meets attackers who learned so little
        yield


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A file of somebody's own, in the folder in which everything is run."""
    path = tmp_path_factory.mktemp("scripts") / "people.csv"
    path.write_text("Height,Weight\n" + "".join(f"{150 + i % 40},{50 + i * 7 % 45}\n" for i in range(60)))
    return path


def of_own(path):
    """A scenario of such a file, and its data."""
    data = datasets.inspect(path).dataset(missing="keep")
    file = OwnFile(name="people.csv", size=data.origin.size, digest=data.origin.digest)
    return TRUST.replace({"data.name": "own", "data.file": file} | LINEAR), data


@pytest.fixture(scope="module")
def printed(own):
    """What every script prints, by its name, run in a folder of its own: what is installed must do."""
    folder = own.parent
    scripts = {name: script(scenario) for name, scenario in SCENARIOS.items()} | {"own": script(*of_own(own))}
    names = {name: f"{number}.py" for number, name in enumerate(scripts)}
    for name, text in scripts.items():
        (folder / names[name]).write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", RUNNER, *names.values()]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found, strangers = json.loads(done.stdout)
    assert strangers == []
    return {name: found[path] for name, path in names.items()}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_script_prints_the_figures_of_the_page(printed, name):
    figures, told = SCENARIOS[name].figures(), json.loads(printed[name])
    assert len(told) >= 2
    for figure, parts in told.items():
        for part, value in parts.items():
            wanted = getattr(figures.of(figure), part)
            # Curves that are shipped are of more people, those of a normal law are known exactly.
            judged = figure.endswith("strongest") or (figure.startswith("share.") and name.startswith("trust"))
            judged = judged and name in OTHERWISE
            slack = {"abs": 0.05} if judged else {"rel": 1e-9, "abs": 1e-12}
            assert value == pytest.approx(wanted, **slack), (figure, part)


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


def test_a_script_of_an_own_file_names_the_file(own, printed):
    scenario, data = of_own(own)
    wanted, told = scenario.figures(data).of("coalition.error.perfect"), json.loads(printed["own"])
    assert told["coalition.error.perfect"]["theory"] == pytest.approx(wanted.theory, rel=1e-9)
    assert told["coalition.error.perfect"]["measured"] == pytest.approx(wanted.measured, rel=1e-9)


@pytest.mark.parametrize("id", COPIED)
def test_the_code_of_an_experiment_runs_as_shown(id, capsys):
    expected, made = ran(id), {}
    exec(words.code(find(id), find(id).preset(), 1), made)  # in a fresh process test_reproduce.py runs and draws one
    pd.testing.assert_frame_equal(made["result"].table, expected.table)
    lines = [f"{o.verdict} | {o.check.claim} | {o.found}" for o in expected.outcomes]
    assert capsys.readouterr().out.splitlines() == lines
    assert draw.svg(made["papers"].plot(id, made["result"].table)).startswith("<svg")


def test_an_experiment_is_run_again():
    text = script(PapersScenario().opening("li/example"))
    assert "from trustscope.engine.experiments" in text
    ast.parse(text)


def test_what_has_no_script_gets_a_sentence():
    for scenario in (ReleaseScenario(), PapersScenario()):
        with pytest.raises(ScenarioProblem, match="script"):
            script(scenario)
