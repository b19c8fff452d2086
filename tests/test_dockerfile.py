"""The Dockerfile, without an engine to build it: whatever it names is there, and it does what the docs say."""

import json
import re
import shlex
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from trustscope.app.cli import make_parser

ROOT = Path(__file__).parents[1]
IMAGE = ROOT / "requirements-image.txt"
TEXT = (ROOT / "Dockerfile").read_text()


def instructions():
    """(instruction, rest) of each line, continued lines joined, comments left out."""
    lines = re.sub(r"\\\n\s*", "", "\n".join(x for x in TEXT.splitlines() if not x.startswith("#"))).splitlines()
    return [tuple(line.split(None, 1)) for line in lines if line.strip()]


def the(kind):
    return [rest for name, rest in instructions() if name == kind]


def test_it_has_two_steps_and_only_the_finished_environment_goes_on():
    assert the("FROM") == ["${BASE} AS build", "${BASE}"]  # the environment's links lead to the same Python
    copied = [shlex.split(rest) for rest in the("COPY")]
    assert copied == [[".", "."], ["--from=build", "/opt/trustscope", "/opt/trustscope"]]


def test_python_is_one_that_the_package_takes():
    minor = int(re.search(r"python:3\.(\d+)", the("ARG")[0]).group(1))
    least = int(re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text()).group(1))
    assert minor >= least


def test_the_base_is_named_by_its_digest():
    assert re.fullmatch(r"BASE=python:3\.\d+\.\d+-slim-[a-z]+@sha256:[0-9a-f]{64}", the("ARG")[0])


def test_what_is_installed_is_in_the_checkout_and_not_ignored():
    (install,) = [shlex.split(rest) for rest in the("RUN") if "pip install" in rest]
    assert install[install.index("--requirement") - 1 :][:3] == ["--require-hashes", "--requirement", IMAGE.name]
    assert install[-3:] == ["--no-deps", "--no-build-isolation", "."]
    ignored = {line.strip() for line in (ROOT / ".dockerignore").read_text().splitlines()}
    parts = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert {"app", "engine", "trustscope"} <= parts
    for needed in (*parts, IMAGE.name, "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        assert (ROOT / needed).exists()
        assert needed not in ignored


def test_the_image_holds_all_that_the_package_needs_in_the_versions_that_were_tested_each_by_its_hash():
    pins = dict(re.findall(r"^([\w.-]+)==([\w.]+)", IMAGE.read_text(), re.MULTILINE))
    tested = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    tested = {canonicalize_name(name): version for name, version in tested.items()}
    assert pins == {name: tested[name] for name in pins}  # else: make hashes
    assert all("--hash=sha256:" in one for one in re.split(r"\n(?=\w)", IMAGE.read_text()))

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = {Requirement(one) for one in project["dependencies"]}
    todo = [Requirement(one) for one in extras["all"]]
    while todo:
        one = todo.pop()
        if one.name == "trustscope":
            todo += [Requirement(more) for extra in one.extras for more in extras[extra]]
        elif not one.marker or one.marker.evaluate({"sys_platform": "linux", "python_version": "3.12"}):
            needed.add(one)
    assert {
        one.name for one in needed if not one.specifier.contains(pins.get(canonicalize_name(one.name), "0"))
    } == set()


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
