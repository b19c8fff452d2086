"""The core without its extras: what it does alone, and what it says of the rest.

The packages of the extras are hidden from one process; `tests/test_wheel.py` tries true environments (`make soak`).
"""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from trustscope.extras import EXTRAS, MissingExtra, require

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
IMPORTED_AS = {
    "python-pptx": "pptx", "pillow": "PIL", "markdown-it-py": "markdown_it", "charset-normalizer": "charset_normalizer",
    "python-calamine": "python_calamine", "prometheus-client": "prometheus_client",
}  # fmt: skip

# What looks for packages on the path does not find these, so that they are as good as not installed.
HIDING = """
import sys
from importlib.machinery import PathFinder

class Hidden:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        return None if name.split(".")[0] in HIDDEN else self.finder.find_spec(name, path, target)

    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path[:] = [Hidden(finder) if finder is PathFinder else finder for finder in sys.meta_path]
"""

ALONE = """
import contextlib, io
import numpy as np, pandas as pd
import trustscope as ts

people = pd.DataFrame({"Age": np.arange(200.0) % 70, "Income": np.arange(200.0) ** 1.5})
release = ts.GaussianRelease(people, scheme="nested", key=1 << 100)
copies = [release.copy(trust=50), release.copy(trust=20)]
guess = ts.attacks.llse.reconstruct(copies, trust=[50, 20], scheme="nested", mean=people.mean())
assert np.asarray(guess).shape == people.shape
assert ts.attacks.llse.expected_error(trust=[50, 20], scheme="nested") == 0.5
assert ts.GaussianNoise(trust=50, random_state=0).fit_transform(people).shape == people.shape

study = ts.Study("iris", secret="Sepal length", random_state=0, attackers=["perfect"])
print(study.verdict)
print(len(study.coalitions()), len(study.copies()))
assert "Sepal length" in study._repr_html_() and "trustscope[paper]" in study._repr_html_()
assert ts.Scenario.from_dict(study.scenario.to_dict()) == study.scenario

def said(what, call):
    try:
        call()
    except ts.TrustscopeError as problem:
        assert isinstance(problem, ImportError)
        print(what, problem)
    else:
        raise AssertionError(f"{what} works without its packages")

said("load:", lambda: ts.load(people))
said("inspect:", lambda: ts.inspect("people.csv"))
said("ledger:", lambda: ts.Ledger)
said("plot:", lambda: study.plot.coalitions())
said("report:", lambda: study.report("x.html"))
said("slides:", lambda: study.slides("x.pptx"))
said("film:", lambda: study.film("x.gif"))
said("explorable:", lambda: study.explorable("x.html"))
said("page:", lambda: ts.TrustDashboard)
said("dashboard:", study.dashboard)
said("explore:", study.explore)
said("extension:", ts.extension)

from trustscope.app.cli import main

def told(*words):
    with contextlib.redirect_stderr(io.StringIO()) as errors, contextlib.redirect_stdout(io.StringIO()):
        code = main(list(words))
    assert code == 2, (words, code)
    print(" ".join(words), errors.getvalue().strip())

study.scenario.save(f"{FOLDER}/x.json")
told("--no-open")
told("class", "45-minutes", "--no-open")
told("open", f"{FOLDER}/x.json")
told("release", "list", FOLDER)
told("report", f"{FOLDER}/x.json")
told("film", f"{FOLDER}/x.json")
told("explorable", f"{FOLDER}/x.json")
told("site", f"{FOLDER}/site")
told("reproduce", "li/fig2", "--out", FOLDER)
assert main(["run", f"{FOLDER}/x.json"]) == 0
assert main(["list"]) == 0
"""


def hidden() -> set[str]:
    return {name for extra in EXTRAS.values() for name in extra.imports}


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("alone"))
    code = f"HIDDEN, FOLDER = {hidden()!r}, {folder!r}\n{HIDING}\n{ALONE}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def test_the_core_alone_simulates_attacks_and_prints(alone):
    assert alone[0].endswith(".")
    assert alone[1] == "63 6"  # every coalition of six recipients, and their copies


@pytest.mark.parametrize(
    ("what", "extra"),
    [
        ("load:", "files"), ("inspect:", "files"), ("ledger:", "release"), ("plot:", "paper"), ("report:", "paper"),
        ("slides:", "paper"), ("page:", "app"), ("dashboard:", "app"), ("explore:", "app"), ("extension:", "app"),
        ("--no-open ", "app"), ("class ", "app"), ("open ", "app"), ("release ", "release"), ("report ", "paper"),
        ("reproduce ", "paper"), ("explorable:", "app"), ("explorable ", "app"), ("site ", "app"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named_with_the_command(alone, what, extra):
    (said,) = [line for line in alone if line.startswith(what)]
    assert EXTRAS[extra].use in said
    assert said.endswith(f'pip install "trustscope[{extra}]"')


def test_the_table_of_extras_is_that_of_the_project():
    extras = PROJECT["optional-dependencies"]

    def packages(name):
        for wanted in map(Requirement, extras[name]):
            if wanted.name == PROJECT["name"]:
                for inner in wanted.extras:
                    yield from packages(inner)
            else:
                yield IMPORTED_AS.get(wanted.name, wanted.name)

    for name, extra in EXTRAS.items():
        assert set(extra.imports) == set(packages(name)), name
    assert set(packages("all")) == hidden()


def test_what_is_installed_is_not_missed(monkeypatch):
    for name in EXTRAS:
        require(name)
    monkeypatch.setitem(EXTRAS, "app", type(EXTRAS["app"])("Pages", ("json", "no_such_package_of_anybody")))
    with pytest.raises(MissingExtra, match=r"^Pages need packages that are not installed \(no_such_package"):
        require("app")
