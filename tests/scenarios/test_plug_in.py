"""The example of a plug-in package, installed: its attacker and its scheme are there by their entry points alone."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "denoiser"
CODE = """
import contextlib
import io
import json
import sys

import trustscope as ts
from trustscope.scenarios import code, link
from trustscope.scenarios.trust.scenario import ATTACKERS, TrustScenario
from trustscope.testing import check_attacker, check_scheme

assert "trustscope_denoiser" not in sys.modules
assert "denoiser" in ATTACKERS
check_attacker("denoiser")
check_scheme("partly_nested")
pooled = {scheme: ts.attacks.llse.expected_error(trust=[50, 50], scheme=scheme)
          for scheme in ("nested", "partly_nested", "independent")}
release = ts.GaussianRelease(ts.load("iris").frame[["Petal length"]], scheme="partly_nested", key=1 << 90)
assert release.copy(trust=50).shape == (150, 1)
study = ts.Study("iris", secret="Petal length", attackers=["perfect", "denoiser"], recipients={"A": 50, "B": 40})
figures = study.figures()
error = {name: figures.of(f"coalition.error.{name}").measured for name in study.attackers}
table = figures.tables["Attacker by attacker"]["an attacker who"].tolist()
read = link.scenario_of(link.query_of(study.scenario), TrustScenario).scenario
with contextlib.redirect_stdout(io.StringIO()) as printed:
    exec(code.script(study.scenario, None), {"__name__": "__main__"})
from trustscope.app.trust.dashboard import TrustDashboard
from trustscope.handouts.report import report
from trustscope.handouts.report.drawing import Drawn

Drawn.inline = lambda *args, **more: ""  # drawing takes long, and is looked at elsewhere
shown = TrustDashboard(dataset="iris")
page = {"attackers": [one[1] for one in shown.controls.learned.options], "schemes": shown.controls.scheme.options}
shown.stop()
asked = study.scenario.to_dict()
asked["settings"]["requirements"] = [{"what": "error", "limit": 0.2, "attacker": "denoiser"}]
asked["settings"]["scheme"] = "partly_nested"
asked = ts.Study.from_scenario(TrustScenario.from_dict(asked))
target = asked.solve().table["found"].to_dict()
paper = [text in report(asked.scenario) for text in ("learns to take the noise off", "as planned: partly nested noise")]
script = json.loads(printed.getvalue())["coalition.error.denoiser"]["measured"]
print(json.dumps({"script": script, "error": error, "table": table, "same": read == study.scenario, "pooled": pooled,
                  "page": page, "target": target, "paper": paper}))
"""


def installed(folder: Path) -> None:
    """Put the package where Python finds it, as an installer would, without building anything."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = project["entry-points"]
    for module in (module for points in groups.values() for module in points.values()):
        (folder / f"{module}.py").write_text((EXAMPLE / f"{module}.py").read_text(encoding="utf-8"), encoding="utf-8")
    metadata = folder / f"trustscope_denoiser-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    lines = [f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in points.items())
             for group, points in groups.items()]  # fmt: skip
    (metadata / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.long
def test_a_package_brings_its_attacker_and_its_scheme(tmp_path):
    installed(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{CODE}"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["same"]
    assert told["script"] == told["error"]["denoiser"]  # what `trustscope code` writes asks it as the page does
    # Two equal copies share three quarters of their noise: together s = (1 + 3/4) / 2, and the error s / (1 + s).
    assert abs(told["pooled"]["partly_nested"] - 7 / 15) < 1e-12
    assert told["pooled"]["independent"] < told["pooled"]["partly_nested"] < told["pooled"]["nested"]
    assert "Learned denoiser" in told["page"]["attackers"]
    assert ["partly_nested", "partly nested"] in [one[:2] for one in told["page"]["schemes"]]
    assert told["target"]["partly_nested"]
    assert told["paper"] == [True, True]
    assert "learns to take the noise off" in told["table"]
    # Who learns a curve from 75 people comes near the straight line of who knows the statistics of all 150. Without the
    # copies the error would be 1, from the originals 0.
    assert 0.1 < told["error"]["denoiser"] < 1.1 * told["error"]["perfect"] < 0.6
