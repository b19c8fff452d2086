"""The Dockerfile, without an engine to build it: whatever it names is there, and it does what the docs say."""

import json
import re
import shlex
from pathlib import Path

from trustscope.app.cli import make_parser

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Dockerfile").read_text()


def instructions():
    """(instruction, rest) of each line, continued lines joined, comments left out."""
    lines = re.sub(r"\\\n\s*", "", "\n".join(x for x in TEXT.splitlines() if not x.startswith("#"))).splitlines()
    return [tuple(line.split(None, 1)) for line in lines if line.strip()]


def the(kind):
    return [rest for name, rest in instructions() if name == kind]


def test_it_has_two_steps_and_only_the_finished_environment_goes_on():
    stages = [rest.split() for rest in the("FROM")]
    assert [stage[1:] for stage in stages] == [["AS", "build"], []]
    assert len({stage[0] for stage in stages}) == 1  # the environment's links lead to the same Python
    copied = [shlex.split(rest) for rest in the("COPY")]
    assert copied == [[".", "."], ["--from=build", "/opt/trustscope", "/opt/trustscope"]]


def test_python_is_one_that_the_package_takes():
    minor = int(re.search(r"python:3\.(\d+)", the("FROM")[0]).group(1))
    least = int(re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text()).group(1))
    assert minor >= least


def test_what_is_installed_is_in_the_checkout_and_not_ignored():
    (install,) = [rest for rest in the("RUN") if "pip install" in rest]
    words = shlex.split(install)
    assert words[words.index("--constraint") + 1] == "constraints.txt"
    assert words[-1] == ".[all]"
    ignored = {line.strip() for line in (ROOT / ".dockerignore").read_text().splitlines()}
    parts = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert {"app", "engine", "trustscope"} <= parts
    for needed in (*parts, "constraints.txt", "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        assert (ROOT / needed).exists()
        assert needed not in ignored


def test_it_runs_as_nobody_and_starts_what_there_is():
    assert the("USER") == ["10001"]
    (added,) = [rest for rest in the("RUN") if rest.startswith("useradd")]
    assert "--uid 10001" in added
    program, *arguments = json.loads(the("ENTRYPOINT")[0])
    assert program == "/opt/trustscope/bin/trustscope"
    assert 'trustscope = "trustscope.app.cli:main"' in (ROOT / "pyproject.toml").read_text()
    given = make_parser()[0].parse_args([*arguments, "--origin", "localhost:5006", "--max-memory", "3000"])
    assert given.address == "0.0.0.0"
    assert str(given.port) in the("EXPOSE")


def test_the_health_check_asks_where_the_app_answers():
    (check,) = the("HEALTHCHECK")
    program, flag, code = json.loads(check.partition("CMD ")[2])
    assert (program, flag) == ("/opt/trustscope/bin/python", "-c")
    compile(code, "the health check", "exec")
    assert f"http://127.0.0.1:{the('EXPOSE')[0]}/health" in code
