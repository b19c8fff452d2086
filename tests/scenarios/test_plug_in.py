"""The example of a plug-in package, installed: its attacker is there by its entry point alone."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "denoiser"
CODE = """
import json
import sys

import trustscope as ts
from trustscope.scenarios import link
from trustscope.scenarios.trust.scenario import ATTACKERS, TrustScenario
from trustscope.testing import check_attacker

assert "trustscope_denoiser" not in sys.modules
assert "denoiser" in ATTACKERS
check_attacker("denoiser")
study = ts.Study("iris", secret="Petal length", attackers=["perfect", "denoiser"], recipients={"A": 50, "B": 40})
figures = study.figures()
error = {name: figures.of(f"coalition.error.{name}").measured for name in study.attackers}
table = figures.tables["Attacker by attacker"]["an attacker who"].tolist()
read = link.scenario_of(link.query_of(study.scenario), TrustScenario).scenario
print(json.dumps({"error": error, "table": table, "same": read == study.scenario}))
"""


def installed(folder: Path) -> None:
    """Put the package where Python finds it, as an installer would, without building anything."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (module,) = project["entry-points"]["trustscope.attackers"].values()
    (folder / f"{module}.py").write_text((EXAMPLE / f"{module}.py").read_text(encoding="utf-8"), encoding="utf-8")
    metadata = folder / f"trustscope_denoiser-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    points = project["entry-points"]["trustscope.attackers"]
    lines = "\n".join(f"{name} = {where}" for name, where in points.items())
    (metadata / "entry_points.txt").write_text(f"[trustscope.attackers]\n{lines}\n", encoding="utf-8")


def test_a_package_brings_its_attacker(tmp_path):
    installed(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{CODE}"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["same"]
    assert "learns to take the noise off" in told["table"]
    # Who learns a curve from 75 people comes near the straight line of who knows the statistics of all 150. Without the
    # copies the error would be 1, from the originals 0.
    assert 0.1 < told["error"]["denoiser"] < 1.1 * told["error"]["perfect"] < 0.6
