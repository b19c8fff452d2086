"""The wheel in an environment of its own, where another distribution already owns a top-level `datasets`."""

import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

from tests.app.conftest import free_port, running

ROOT = Path(__file__).parent.parent
WIDGETS = ROOT / "widgets"
DECOY = 'def load_dataset(name):\n    return f"the other datasets package: {name}"\n'


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this checkout, built from a copy so that nothing is left behind."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    tracked = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    for name in tracked:
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), str(source)]
    subprocess.run(pip, check=True, capture_output=True)
    return next(out.glob("trustscope-*.whl"))


@pytest.fixture(scope="module")
def elsewhere(wheel, tmp_path_factory):
    """An environment that has our dependencies, a decoy `datasets`, and then the wheel."""
    home = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)  # ours works there as well
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    # A path file that is read from here does not start our own editable install: its path files are not read.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (packages / "datasets").mkdir()
    (packages / "datasets" / "__init__.py").write_text(DECOY)
    metadata = packages / "datasets-9.9.9.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: datasets\nVersion: 9.9.9\n")
    (metadata / "RECORD").write_text("datasets/__init__.py,,\ndatasets-9.9.9.dist-info/METADATA,,\n")
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python")]
    # Not compiled, as most of it is not used here.
    install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)]
    subprocess.run([*pip, *install], check=True, capture_output=True)
    return home, packages


def run(elsewhere, *command, cwd):
    home, _ = elsewhere
    return subprocess.run([str(home / "bin" / command[0]), *command[1:]], cwd=cwd, capture_output=True, text=True)


@pytest.mark.long
def test_the_wheel_holds_one_package(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "trustscope",
        next(n for n in names if "dist-info" in n).split("/")[0],
    }
    for needed in ("trustscope/py.typed", "trustscope/app/page.html", "trustscope/datasets/files/PROVENANCE.md",
                   "trustscope/widgets/flow.js", "trustscope/scenarios/papers/stored/li-fig2.csv"):  # fmt: skip
        assert needed in names
    scripts = {f"trustscope/{path.relative_to(ROOT)}" for kind in ("js", "css") for path in WIDGETS.rglob(f"*.{kind}")}
    assert scripts <= set(names)


@pytest.mark.long
def test_it_works_beside_a_distribution_called_datasets(elsewhere, tmp_path):
    _, packages = elsewhere
    listed = run(elsewhere, "trustscope", "list", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert "li/fig2" in listed.stdout
    code = (
        "import datasets, trustscope as ts, trustscope.engine.gaussian as g; "
        "assert 'venv' in g.__file__, g.__file__; assert ts.load('iris').rows == 150; "
        "print(ts.attacks.llse.expected_error([1.0, 4.0], 'independent')); print(datasets.load_dataset('x'))"
    )
    done = run(elsewhere, "python", "-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["0.4444444444444444", "the other datasets package: x"]
    assert (packages / "datasets" / "__init__.py").read_text() == DECOY


@pytest.mark.long
def test_it_serves_a_page(elsewhere):
    home, _ = elsewhere
    port = free_port()
    command = [str(home / "bin" / "trustscope"), "--no-open", "--port", str(port)]
    with running(command, port) as address, urllib.request.urlopen(address) as answer:
        assert "<title>Trustscope</title>" in answer.read().decode()


# What each extra is for, done in an environment that has nothing else; what is not installed is named.
BEGIN = """
import numpy as np, pandas as pd, trustscope as ts
from trustscope.extras import EXTRAS, MissingExtra, require

def missing(name):
    try:
        require(name)
    except MissingExtra as problem:
        assert f"trustscope[{name}]" in str(problem)
        return True

people = pd.DataFrame({"age": np.arange(60.0) % 17, "wage": np.arange(60.0) ** 1.3})
release = ts.GaussianRelease(people, scheme="nested", key=1 << 100)
assert release.copy(trust=50).shape == people.shape
assert ts.attacks.llse.expected_error(trust=[50, 20], scheme="independent") == 4 / 9
print(ts.Study("iris", secret="Petal length", recipients={"A": 60, "B": 20}, attackers=["perfect"]).verdict)
print("missing:", *(name for name in EXTRAS if missing(name)))
"""
USES = {
    "": "",
    "files": "people.to_csv('p.csv'); assert ts.Study(people).verdict; assert ts.load('p.csv').rows == 60",
    "release": "assert ts.Ledger.__name__ == 'Ledger'",
    "paper": "s = ts.Study('iris', attackers=['perfect']); s.report('r.html'); s.slides('s.pptx'); s.plot.coalitions()",
    "app": "assert ts.TrustDashboard(); ts.Study(people).dashboard()",
    "serve": "from trustscope.app.serving import metrics; metrics.start()",
}
LACKS = {
    "": {"files", "release", "paper", "app", "serve"},
    "files": {"release", "paper", "app", "serve"},
    "release": {"paper", "app", "serve"},
    "paper": {"files", "release", "app", "serve"},
    "app": {"serve"},
    "serve": set(),
}


@pytest.mark.long
@pytest.mark.parametrize("extra", USES)
def test_each_extra_in_a_clean_environment(wheel, extra, tmp_path):
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install", "--quiet", "--no-compile"]
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    subprocess.run([*pip, "--constraint", str(ROOT / "constraints.txt"), wanted], check=True, capture_output=True)
    done = run((home, None), "python", "-c", BEGIN + USES[extra], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    verdict, told = done.stdout.splitlines()[:2]
    assert verdict.endswith(".")
    assert set(told.split()[1:]) == LACKS[extra]
    version = run((home, None), "trustscope", "--version", cwd=tmp_path)
    assert version.stdout.strip() == f"trustscope {import_module('trustscope').__version__}"
    if extra not in ("app", "serve"):
        said = run((home, None), "trustscope", "--no-open", cwd=tmp_path)
        assert (said.returncode, said.stderr.strip().partition("): ")[2]) == (2, 'pip install "trustscope[app]"')


def test_the_public_face_is_whole_and_lazy():
    code = (
        "import sys, trustscope as ts; before = set(sys.modules); assert not before & {'panel', 'sklearn', 'numpy'}; "
        "[getattr(ts, name) for name in ts.__all__ if 'Dashboard' not in name]; "
        "assert set(ts.__all__) <= set(dir(ts)); "
        "assert not {'panel', 'holoviews'} & set(sys.modules); ts.TrustDashboard"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="nonsense"):
        getattr(import_module("trustscope"), "nonsense")  # noqa: B009
