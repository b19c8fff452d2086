"""environment.yml, constraints.txt and pyproject.toml name the same things."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def wanted() -> dict[str, SpecifierSet]:
    """Requirement by name, all extras included."""
    texts = [
        *PROJECT["dependencies"],
        *(t for extra in PROJECT["optional-dependencies"].values() for t in extra),
    ]
    return {r.name: r.specifier for r in map(Requirement, texts) if r.name != PROJECT["name"]}


def test_conda_environment_equals_pyproject():
    text = (ROOT / "environment.yml").read_text()
    listed = dict(re.findall(r"^  - ([a-z][\w-]*)(>=[\d.]+(?:,<[\d.]+)?)$", text, re.MULTILINE))
    assert listed.pop("python") == PROJECT["requires-python"]
    assert {name: SpecifierSet(text) for name, text in listed.items()} == wanted()


def test_constraints_pin_what_is_wanted():
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line[:1] not in ("", "#")]
    pins = dict(line.split("==") for line in lines)
    assert not [line for line in lines if not re.fullmatch(r"[A-Za-z0-9_.-]+==[\w.]+", line)]
    for name, specifier in wanted().items():
        if name == "jupyterlab":  # for people, not for the tests: conda and pip may differ there
            continue
        assert Version(pins[name]) in specifier, name
